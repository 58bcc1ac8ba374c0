/// The configuration of a part as {title} has it: {part}.
///
/// @param size  sizeof(gpusched_{family}_config) in the caller's header.
/// @return {none}: there is no such part; Null, Misaligned, BadStructSize; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_{m}_{reach}_config(
    {o}: *const gpusched_{m},
    config: *mut crate::{family}::gpusched_{family}_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        inspect::<Object>({o}).and_then(|m| {
            let part = m{at}.{of}().ok_or(Status::{none})?;
            crate::config::write(config, size, &crate::{family}::gpusched_{family}_config::of({config}))
        })
    })
}

