//! Images of units.

use super::{ToldUnit, Units};
use crate::base::image::ImageError;
use crate::base::saved::saved;
use crate::base::table::Rows;

saved!([R: Rows<ToldUnit>] Units<R> { rows, next_no, head, tail } but { n_kde, pend_limit });
