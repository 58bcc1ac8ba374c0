{doc}
pub struct gpusched_{m} {
    _opaque: [u8; 0],
}

{machine}
impl gpusched_{m}_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &{Config}) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        {put_by_hand}
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_{m}_config {
    type Checked = {Config};
    const FIRST_SIZE: usize = {first};

    fn preset() -> Self {
        Self::of(&{Config}::{PRESET})
    }

    fn checked(&self) -> Result<{Config}, Wrong> {
        let {mut} config = self.get()?;
        {get_by_hand}
        config.check()?;
        Ok(config)
    }
}

{init}
/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_config_check(
    config: *const gpusched_{m}_config,
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
pub unsafe extern "C" fn gpusched_{m}_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = {Config}::{PRESET}.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}

/// Tells the memory that a machine of this configuration needs: exactly so many bytes, at this alignment.
///
/// @param config  An initialised configuration.
/// @param layout  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion; Capacity: more than an address can tell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_layout(
    config: *const gpusched_{m}_config,
    layout: *mut gpusched_layout,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put_layout::<Object>(&config, layout)) })
}

/// Builds a machine in memory of the caller, at cycle 0 and empty. Needs no counterpart: to end it, forget it.
///
/// The memory stays the caller's, but must neither be touched nor moved as long as the machine is used. Its former content does not
/// matter.
///
/// @param storage  size bytes, aligned as gpusched_{m}_layout says.
/// @param size     At least what gpusched_{m}_layout says.
/// @param config   An initialised configuration; not needed after the call.
/// @param {it}   Receives the object, which is where storage is.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion, Capacity, StorageTooSmall.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_init(
    storage: *mut c_void,
    size: usize,
    config: *const gpusched_{m}_config,
    {it}: *mut *mut gpusched_{m},
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| init_from::<Object>(storage, size, &config, {it})) })
}

/// Tells what {title} would cost in hardware.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_storage_bits(
    config: *const gpusched_{m}_config,
    storage: *mut gpusched_{m}_{storage},
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, {storage_bits}(&config).to_c())) })
}

