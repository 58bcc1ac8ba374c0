//! The image of a scoreboard. The form is described in `image.rs` of the crate.

use super::Scoreboard;
use super::config::ScoreboardConfig;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const FORM: Form = Form { kind: 20, version: 2 };

image_verbs!(FORM, Scoreboard<T>, ScoreboardConfig, scoreboard_image_config);
saved!([T: Tables] Scoreboard<T> { warps, mem_in_flight } but { config });
