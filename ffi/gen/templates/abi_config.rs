/// The configuration.
///
/// @param size  sizeof(gpusched_{t}_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_get_config(
    {o}: *const gpusched_{m},
    config: *mut gpusched_{t}_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { inspect::<Object>({o}).and_then(|m| write(config, size, &{told_config})) })
}

