//! The image of runs so far. The form is described in `image.rs` of the crate; caches are empty between runs.

use super::Monte;
use super::config::MonteConfig;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const FORM: Form = Form { kind: 21, version: 2 };

image_verbs!(FORM, Monte<T>, MonteConfig, monte_image_config);
saved!([T: Tables] Monte<T> { seed, runs, stores, levels, sites } but { config, l1, l2 });
