//! The image of a warp's stack. The form is described in `image.rs` of the crate.

use super::Stack;
use super::config::StackConfig;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const FORM: Form = Form { kind: 19, version: 2 };

image_verbs!(FORM, Stack<T>, StackConfig, stack_image_config);
saved!([T: Tables] Stack<T> { pc, mask, depth, entries } but { config });
