//! What no rule expresses.

use gpusched::simt::stack::StackConfig;

use super::gpusched_stack_config;
use crate::config::write;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Fills a configuration: a warp of so many lanes, with a stack that cannot overflow.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_stack_config) in the caller's header.
/// @param lanes   1 to 64.
/// @return BadConfig; Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_stack_config_of_lanes(
    config: *mut gpusched_stack_config,
    size: usize,
    lanes: u32,
) -> gpusched_status {
    let of = StackConfig::of_lanes(lanes);
    if of.check().is_err() {
        return Status::BadConfig;
    }
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_stack_config::of(&of)) })
}
