/// Fills a configuration with the values of the source.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_{t}_config) in the caller's header.
/// @param preset  {preset}.
/// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{t}_config_init(
    config: *mut gpusched_{t}_config,
    size: usize,
    preset: u32,
) -> gpusched_status {
    let values = {choices} {
        return Status::BadIndex;
    };
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_{t}_config::of(values)) })
}
