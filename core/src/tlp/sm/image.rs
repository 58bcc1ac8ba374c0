//! The image of a [`TlpSm`]. The form is described in `image.rs` of the crate.

use super::TlpSm;
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};
use crate::tlp::config::TlpConfig;

const FORM: Form = Form { kind: 14, version: 2 };

image_verbs!(FORM, TlpSm, TlpConfig, tlp_sm_image_config);
saved!([] TlpSm { now, kernels, first, mode, tb, by, slots, period, history, learning } but { config });
