//! Configurations: presets and checks.

use core::mem::size_of;

use gpusched::dats::{DgbConfig, LevelRef, Prefetch};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Presets of gpusched_dgb_config_init: the sizes that were evaluated on a GTX 480.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_dgb_preset {
    /// Under LVL: 128 nodes, 512 edges.
    Gtx480 = 0,
    /// Under LRR: 512 nodes, 2048 edges.
    Gtx480Lrr = 1,
}

/// When a chunk of nodes is requested.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_dgb_prefetch {
    /// When the window has room for all of it.
    ChunkFree = 0,
    /// As soon as the node insertion buffer is empty.
    Eager = 1,
}

/// What the level of a candidate is compared with under LVL.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_dgb_level_ref {
    /// The level of the oldest node that is not finalised.
    Incomplete = 0,
    /// The levels of the nodes that are executing.
    Active = 1,
}

/// Parameters of the dependency-graph buffer. Fill it with gpusched_dgb_config_init, then change what you like: a newer library adds
/// fields at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_dgb_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMXs; SMXs, 1 to 256.
    pub smxs: u32,
    /// Entries of the local node array (LNA); nodes, 1 to 65535, and more than a chunk has unless `prefetch` is eager.
    pub lna: u32,
    /// Entries of the local edge array (LEA); edges, 1 to 65535.
    pub lea: u32,
    /// Entries of the pending update buffer (PUB); updates, 0 to 65535.
    pub pub_entries: u32,
    /// Bytes of a memory request, and of the node insertion buffer (NIB); bytes, 8 to 1024, a multiple of 8. A chunk holds a node for
    /// each 8 bytes, or an edge for each 2.
    pub chunk_bytes: u32,
    /// gpusched_dgb_prefetch.
    pub prefetch: u32,
    /// gpusched_dgb_level_ref.
    pub level_ref: u32,
    /// A node is dispatched only when its edges are on chip; 0 or 1.
    pub issue_needs_edges: u32,
    /// Updates that fit nowhere go to the parent counts in memory, so that no graph can deadlock the buffer; 0 or 1.
    pub spill: u32,
}

choices! {
    gpusched_dgb_prefetch = Prefetch { ChunkFree Eager };
    gpusched_dgb_level_ref = LevelRef { Incomplete Active };
}

fields! {
    gpusched_dgb_config: put, get = DgbConfig;
    numbers { smxs lna lea pub_entries chunk_bytes }
    choices { prefetch level_ref issue_needs_edges spill }
}

impl gpusched_dgb_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &DgbConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_dgb_config {
    type Checked = DgbConfig;
    const FIRST_SIZE: usize = 40;

    fn preset() -> Self {
        Self::of(&DgbConfig::GTX480)
    }

    fn checked(&self) -> Result<DgbConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with a preset.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_dgb_config) in the caller's header.
/// @param preset  A gpusched_dgb_preset.
/// @return Null, Misaligned, BadStructSize; BadEnum: no such preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_config_init(
    config: *mut gpusched_dgb_config,
    size: usize,
    preset: u32,
) -> gpusched_status {
    const LVL: u32 = gpusched_dgb_preset::Gtx480 as u32;
    const LRR: u32 = gpusched_dgb_preset::Gtx480Lrr as u32;
    let preset = match preset {
        LVL => DgbConfig::GTX480,
        LRR => DgbConfig::GTX480_LRR,
        _ => return Status::BadEnum,
    };
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_dgb_config::of(&preset)) })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_dgb_config_check(
    config: *const gpusched_dgb_config,
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
pub unsafe extern "C" fn gpusched_dgb_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = DgbConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
