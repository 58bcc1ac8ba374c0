//! What needs no machine: types of kernels, what fits an SM, and first targets.

use gpusched::tlp::StaticTlp;

use super::config::gpusched_tlp_config;
use super::records::{gpusched_tlp_category, gpusched_tlp_kernel};
use crate::config::{Choice, read_checked};
use crate::ids::tlp_kernel;
use crate::object::{array, get, put, writable};
use crate::status::{gpusched_status, status};

/// The type of a kernel by its profile.
///
/// @param config    An initialised configuration.
/// @param profile   How fast the kernel is alone with 1, 2, ... TBs per SM: any measure, the more the better.
/// @param count     Values of the profile.
/// @param category  Written.
/// @return BadProfile: none or more than 32 values; BadConfig; Null, Misaligned, Capacity, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_categorise(
    config: *const gpusched_tlp_config,
    profile: *const u64,
    count: usize,
    category: *mut gpusched_tlp_category,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config)
            .and_then(|config| put(writable(category)?, config.categorise(array(profile, count)?)?.into()))
    })
}

/// What a kernel leans on that keeps the pipelines busy for so many cycles.
///
/// @param config  An initialised configuration.
/// @param sp      Cycles in which SP pipelines were busy.
/// @param ldst    Cycles in which LD/ST pipelines were.
/// @param pref    Receives gpusched_tlp_pref.
/// @return BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_pref_of(
    config: *const gpusched_tlp_config,
    sp: u64,
    ldst: u64,
    pref: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(pref, config.pref(sp, ldst).code())) })
}

/// How many TBs of a kernel an empty SM holds.
///
/// @param config  An initialised configuration.
/// @param kernel  The kernel.
/// @param most    Written.
/// @return BadKernel; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_max(
    config: *const gpusched_tlp_config,
    kernel: *const gpusched_tlp_kernel,
    most: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { read_checked(config).and_then(|config| put(writable(most)?, config.max(*get(kernel)?)?)) })
}

/// How many TBs of a kernel fit beside n of another.
///
/// @param config  An initialised configuration.
/// @param kernel  The kernel.
/// @param other   The other one.
/// @param n       Its TBs.
/// @param room    Written.
/// @return BadKernel; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_remain(
    config: *const gpusched_tlp_config,
    kernel: *const gpusched_tlp_kernel,
    other: *const gpusched_tlp_kernel,
    n: u32,
    room: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|config| put(writable(room)?, config.remain(*get(kernel)?, *get(other)?, n)?))
    })
}

/// Targets of two kernels.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_tlp_targets {
    /// TBs of kernel 0 and 1.
    pub tb: [u32; 2],
    /// gpusched_tlp_mode: Pair, or Leftover if they are not to be mixed.
    pub mode: u32,
    /// The kernel that was served first.
    pub a: u32,
}

impl From<StaticTlp> for gpusched_tlp_targets {
    fn from(StaticTlp { tb, mode, a }: StaticTlp) -> Self {
        Self { tb, mode: mode.code(), a: a.into() }
    }
}

/// Targets that two kernels start with (Algorithm 1).
///
/// @param config   An initialised configuration.
/// @param k0       Kernel 0.
/// @param k1       Kernel 1.
/// @param first    The older of them, 0 or 1.
/// @param targets  Written.
/// @return BadKernel, BadArg, KernelTooBig; BadConfig; Null, Misaligned, BadStructSize, WrongVersion.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_tlp_static(
    config: *const gpusched_tlp_config,
    k0: *const gpusched_tlp_kernel,
    k1: *const gpusched_tlp_kernel,
    first: u32,
    targets: *mut gpusched_tlp_targets,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read_checked(config).and_then(|config| {
            put(writable(targets)?, config.static_tlp(*get(k0)?, *get(k1)?, tlp_kernel(first))?.into())
        })
    })
}
