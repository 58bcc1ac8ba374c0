/// The configuration, whose functions are reached through C only.
pub struct ThroughC {
    config: {Config},
    c: gpusched_{t}_config,
}

impl ThroughC {
    /// The functions of a configuration.
    ///
    /// # Errors
    /// Why the library refuses it.
    pub fn new(config: &{Config}) -> Result<Self, Status> {
        let c = c_config(config);
        // SAFETY: the configuration lives.
        done(unsafe { gpusched_{t}_config_check(&c, ptr::null_mut()) })?;
        Ok(Self { config: *config, c })
    }
}

