impl gpusched_{t}_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &{Config}) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        {put_by_hand}
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_{t}_config {
    type Checked = {Checked};
    const FIRST_SIZE: usize = {first};

    fn preset() -> Self {
        Self::of(&{Config}::{PRESET})
    }

    fn checked(&self) -> Result<{Checked}, Wrong> {
        let {mut} config = self.get()?;
        {get_by_hand}
        {check}
        {checked}
    }
}

{init}
/// Says whether every value is in its range, and goes with the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not or does not. May be null.
/// @return BadConfig, or the status that says what does not go together; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{t}_config_check(
    config: *const gpusched_{t}_config,
    wrong: *mut gpusched_parameter,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { config::check(config, wrong) })
}

/// Tells a numeric parameter: name, default and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{t}_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = {Config}::{PRESET}.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}

