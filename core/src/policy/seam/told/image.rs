//! The seam's image. A cycle that was begun has none: it is refused before.

use super::{Told, ToldTables};
use crate::base::image::ImageError;
use crate::base::saved::saved;

saved!([T: ToldTables] Told<T> { units, pieces, starts, decline, spell, is_rescuing } but { config, tb_slots, is_begun, sent, last });
