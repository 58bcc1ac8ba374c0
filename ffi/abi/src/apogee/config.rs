//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::apogee::{ApogeeConfig, Early, LalScope, LaneSet, Merge, SlowRule};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Which threads of the warp a prefetch is for.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_lane_set {
    /// Every thread of a full warp.
    All = 0,
    /// The threads that were active in the load.
    Active = 1,
}

/// Whose last accessed load a chain is made of.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_lal_scope {
    /// That of each warp.
    Warp = 0,
    /// One register for all warps.
    Sm = 1,
}

/// What tells a prefetch that came too early from a wrong one.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_early {
    /// The access is on the learnt pattern, whole warps further.
    Pattern = 0,
    /// The access is where the row's base formula says, taken literally.
    Literal = 1,
}

/// Which loads find that their prefetch is slow.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_slow_rule {
    /// All.
    Any = 0,
    /// Those that miss.
    Miss = 1,
}

/// What a line is merged with.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_apogee_merge {
    /// Lines of the same load, and lines that wait in the prefetch queue.
    Queue = 0,
    /// Lines of the same load.
    Group = 1,
}

/// Parameters of APOGEE. Fill it with gpusched_apogee_config_init, then change what you like: a newer library adds fields at the end, and
/// programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_apogee_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Rows of the prefetch table, for both kinds; rows, 1 to 256.
    pub entries: u32,
    /// Warps; warps, 1 to 64.
    pub warps: u32,
    /// N: threads of a warp; threads, 2 to 64, below 2^tidx_bits and at most 2^conf_bits + 1.
    pub warp_size: u32,
    /// n: threads of the SM at the start; threads, 1 to 65535.
    pub threads: u32,
    /// Width of a PC; bits, 1 to 32.
    pub pc_bits: u32,
    /// Width of a byte address; bits, 8 to 48.
    pub addr_bits: u32,
    /// Width of an offset, with its sign; bits, 2 to 32.
    pub offset_bits: u32,
    /// Width of a confidence; bits, 1 to 16.
    pub conf_bits: u32,
    /// Width of a distance; bits, 1 to 16.
    pub dist_bits: u32,
    /// Width of a thread index, whose greatest value is the mark of scalar rows; bits, 2 to 8.
    pub tidx_bits: u32,
    /// Distance of a new row; iterations, 1 to 2^dist_bits - 1.
    pub init_distance: u32,
    /// Least distance; iterations, 1 to init_distance.
    pub min_distance: u32,
    /// Line of the data cache; bytes, 1 to 4096, a power of two.
    pub line_bytes: u32,
    /// Requests in the prefetch queue; requests, 1 to 1024.
    pub pfq: u32,
    /// From a request's entry into the queue until it may leave; cycles, 0 to 65535.
    pub issue_latency: u32,
    /// Confidence below which nothing is confirmed; matches, 0 to 2^conf_bits - 1.
    pub min_conf: u32,
    /// gpusched_apogee_lane_set.
    pub lanes: u32,
    /// gpusched_apogee_lal_scope.
    pub lal: u32,
    /// gpusched_apogee_early.
    pub early: u32,
    /// gpusched_apogee_slow_rule.
    pub slow_rule: u32,
    /// gpusched_apogee_merge.
    pub merge: u32,
    /// When the distance grows, the iteration that would be skipped is prefetched, too; 0 or 1.
    pub gap_fill: u32,
}

choices! {
    gpusched_apogee_lane_set = LaneSet { All Active };
    gpusched_apogee_lal_scope = LalScope { Warp Sm };
    gpusched_apogee_early = Early { Pattern Literal };
    gpusched_apogee_slow_rule = SlowRule { Any Miss };
    gpusched_apogee_merge = Merge { Queue Group };
}

fields! {
    gpusched_apogee_config: put, get = ApogeeConfig;
    numbers {
        entries warps warp_size threads pc_bits addr_bits offset_bits conf_bits dist_bits tidx_bits init_distance
        min_distance line_bytes pfq issue_latency min_conf
    }
    choices { lanes lal early slow_rule merge gap_fill }
}

impl gpusched_apogee_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &ApogeeConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_apogee_config {
    type Checked = ApogeeConfig;
    const FIRST_SIZE: usize = 92;

    fn preset() -> Self {
        Self::of(&ApogeeConfig::APOGEE_4)
    }

    fn checked(&self) -> Result<ApogeeConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of Apogee_4: four warps of 32.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_apogee_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_config_init(
    config: *mut gpusched_apogee_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_apogee_config::preset()) })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_apogee_config_check(
    config: *const gpusched_apogee_config,
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
pub unsafe extern "C" fn gpusched_apogee_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = ApogeeConfig::APOGEE_4.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
