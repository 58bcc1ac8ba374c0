//! Which configurations the model refuses (`frontend`, Parameters).

use gpusched::{AgtMiss, Config, Fault, LoadMode, Policy, laperm};

use super::Model;

/// Ranges, then what LaPerm rules out.
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
