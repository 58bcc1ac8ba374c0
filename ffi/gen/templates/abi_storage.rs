/// Tells what the hardware would cost.
///
/// @param config   An initialised configuration.
/// @param storage  Written.
/// @return BadConfig, Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{t}_storage_bits(
    config: *const gpusched_{t}_config,
    storage: *mut gpusched_{t}_{storage},
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(storage, {storage_bits}(&config).to_c())) })
}

