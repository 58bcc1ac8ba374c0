//! Images of both machines. The form is described in `image.rs` of the crate.

use super::blocks::Blocks;
use super::config::{FmConfig, SmConfig};
use super::fm::Fm;
use super::sm::Sm;
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const SM: Form = Form { kind: 10, version: 2 };
const FM: Form = Form { kind: 11, version: 3 };

image_verbs!(SM, Sm, SmConfig, sm_image_config);
image_verbs!(FM, Fm, FmConfig, fm_image_config);
saved!([] Sm { now, next_sample, epoch_end, epoch, kernel, hysteresis, watchdog, objective, blocks } but { config });
saved!([] Blocks { rows, resident, run, running, taken, outstanding, drained });
saved!([] Fm { now, sm, mem, voted, sm_tally, mem_tally, enabled } but { config });
