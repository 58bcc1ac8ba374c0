//! Images of the units beside the [`TlpSm`](super::TlpSm). The form is described in `image.rs` of the crate.

use super::config::TlpConfig;
use super::leftover::LeftOver;
use super::pool::Pool;
use super::smart_even::SmartEven;
use super::smc::Smc;
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const POOL: Form = Form { kind: 15, version: 2 };
const LEFT_OVER: Form = Form { kind: 16, version: 2 };
const SMART_EVEN: Form = Form { kind: 17, version: 2 };
const SMC: Form = Form { kind: 18, version: 2 };

image_verbs!(POOL, Pool, TlpConfig, pool_image_config);
image_verbs!(LEFT_OVER, LeftOver, TlpConfig, left_over_image_config);
image_verbs!(SMART_EVEN, SmartEven, TlpConfig, smart_even_image_config);
image_verbs!(SMC, Smc, TlpConfig, smc_image_config);
saved!([] Pool { added, entries } but { config });
saved!([] LeftOver { pointer, submitted, entries, residents } but { config });
saved!([] SmartEven { pointer, kernels, sms } but { config });
saved!([] Smc { phase, current, saved, best } but { config });
