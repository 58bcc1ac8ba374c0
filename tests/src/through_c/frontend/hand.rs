//! Parts of a configuration, there and back.

use gpusched::{Config, Policy};
use gpusched_abi::frontend::{gpusched_frontend_config, gpusched_policy};

use super::{get_bubble, get_dats, get_laperm, put_bubble, put_dats, put_laperm};
use crate::through_c::records::flag;

pub(super) fn put_by_hand(c: &mut gpusched_frontend_config, config: &Config) {
    (c.bubble, c.dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
    c.policy = config.laperm().map_or(gpusched_policy::FcfsRr, |_| gpusched_policy::LaPerm) as u32;
    put_laperm(c, &config.laperm().copied().unwrap_or_default());
    put_bubble(c, &config.bubble.unwrap_or_default());
    put_dats(c, &config.dats.unwrap_or_default());
}

pub(super) fn get_by_hand(c: &gpusched_frontend_config, config: Config) -> Config {
    let is_laperm = c.policy == gpusched_policy::LaPerm as u32;
    let policy = if is_laperm { Policy::LaPerm(get_laperm(c)) } else { Policy::FcfsRr };
    let (bubble, dats) = (flag(c.bubble).then(|| get_bubble(c)), flag(c.dats).then(|| get_dats(c)));
    Config { policy, bubble, dats, ..config }
}
