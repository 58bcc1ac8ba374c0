//! Which configurations the model refuses (`frontend`, Parameters).

use gpusched::{AgtMiss, Config, Fault, LoadMode, Policy, Rescue, ToldPart, Units, laperm};

use super::Model;

/// `policy`, Parameters: what a host that decides rules out. It asks for loads itself, so nothing is loaded ahead.
fn check_told(config: &Config, part: &ToldPart) -> Result<(), Fault> {
    let is_in_range = (1..=64).contains(&part.dispatch_per_cycle);
    let is_rescue_in_vain = part.rescue == Rescue::Rr && part.stall_limit == 0;
    let is_in_range = is_in_range && part.split_cap <= 65_535;
    if !is_in_range || is_rescue_in_vain || config.load_ahead > 0 {
        return Err(Fault::BadConfig);
    }
    let rules_chains =
        config.turn_groups > 0 || config.load_mode == LoadMode::External || config.agt_miss == AgtMiss::Device;
    if part.units == Units::Chain && part.split_cap > 0 {
        return Err(Fault::FreeOnly);
    }
    if part.units == Units::Free && rules_chains { Err(Fault::ChainOnly) } else { Ok(()) }
}

/// Ranges, then what the policy rules out.
fn check(config: &Config) -> Result<(), Fault> {
    let alone = Config { policy: Policy::FcfsRr, bubble: None, dats: None, ..*config };
    alone.check().map_err(|_| Fault::BadConfig)?;
    // What an SMX holds is the front end's affair, whatever a machine alone allows.
    let usual = Config { regs: 65536, smem: 0, lat_dispatch: 0, ..alone };
    if let Some(part) = &config.bubble {
        part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
    }
    if let Some(part) = &config.dats {
        part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
    }
    if let Some(part) = config.told() {
        return check_told(config, part);
    }
    let Some(part) = config.laperm() else { return Ok(()) };
    part.machine(&usual).check().map_err(|_| Fault::BadConfig)?;
    let of_groups = part.model == laperm::Model::Dtbl;
    if config.turn_groups > 0 {
        Err(Fault::TurnWithLaperm)
    } else if config.load_mode == LoadMode::External {
        Err(Fault::LoadWithLaperm)
    } else if config.agt_miss == AgtMiss::Device {
        Err(Fault::AgtWithLaperm)
    } else if config.load_ahead > 0 {
        Err(Fault::AheadWithLaperm)
    } else if of_groups && part.q0_cap < config.n_kde {
        Err(Fault::Queue0TooSmall)
    } else if of_groups && part.pool_cap < config.pend_limit + config.n_kde {
        Err(Fault::PoolTooSmall)
    } else {
        Ok(())
    }
}

impl Model {
    /// A machine with this configuration.
    ///
    /// # Errors
    /// The fault of a configuration that is refused.
    pub fn build(config: &Config) -> Result<Self, Fault> {
        check(config).map(|()| Self::new(config))
    }
}
