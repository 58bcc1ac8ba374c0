//! Parts of a configuration, there and back.

use gpusched::{Config, Policy};
use gpusched_abi::frontend::{gpusched_frontend_config, gpusched_policy};

use super::{get_bubble, get_dats, get_laperm, get_told, put_bubble, put_dats, put_laperm, put_told};
use crate::through_c::records::{flag, one_of};

pub(super) fn put_by_hand(c: &mut gpusched_frontend_config, config: &Config) {
    (c.bubble, c.dats) = (config.bubble.is_some().into(), config.dats.is_some().into());
    c.policy = match config.policy {
        Policy::FcfsRr => gpusched_policy::FcfsRr,
        Policy::LaPerm(_) => gpusched_policy::LaPerm,
        Policy::Told(_) => gpusched_policy::Told,
    } as u32;
    put_told(c, &config.told().copied().unwrap_or_default());
    put_laperm(c, &config.laperm().copied().unwrap_or_default());
    put_bubble(c, &config.bubble.unwrap_or_default());
    put_dats(c, &config.dats.unwrap_or_default());
}

pub(super) fn get_by_hand(c: &gpusched_frontend_config, config: Config) -> Config {
    let policies = [
        (gpusched_policy::FcfsRr as u32, Policy::FcfsRr),
        (gpusched_policy::LaPerm as u32, Policy::LaPerm(get_laperm(c))),
        (gpusched_policy::Told as u32, Policy::Told(get_told(c))),
    ];
    let policy = one_of(c.policy, &policies);
    let (bubble, dats) = (flag(c.bubble).then(|| get_bubble(c)), flag(c.dats).then(|| get_dats(c)));
    Config { policy, bubble, dats, ..config }
}
