/// Fills a configuration with {preset_doc}.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_{t}_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{t}_config_init(config: *mut gpusched_{t}_config, size: usize) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_{t}_config::preset()) })
}
