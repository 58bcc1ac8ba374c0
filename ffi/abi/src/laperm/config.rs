//! Configurations: the preset and checks.

use core::mem::size_of;

use gpusched::laperm::{BackupSelect, Config, Model, NoFit, Policy, RefillMode, Spill, Visit};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Which TBs go first, and where they may go.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_policy {
    /// The baseline: one FIFO for all, no priorities, no binding.
    Rr = 0,
    /// Children before their parents, on any SMX.
    TbPri = 1,
    /// Children before their parents, on the SMXs of their parent's unit only.
    SmxBind = 2,
    /// As SMX-Bind, but an SMX that has nothing else to do takes children of other units.
    AdaptiveBind = 3,
}

/// What a device-side launch creates.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_model {
    /// TB groups: visible to the scheduler at once, beyond the on-chip queues in overflow lists.
    Dtbl = 0,
    /// Kernels: pending in memory until the KMU moves them into one of the kernel distributor's entries.
    Cdp = 1,
}

/// How many SMXs one cycle visits.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_visit {
    /// One.
    Step = 0,
    /// As many as it takes to find one that takes a TB.
    Skip = 1,
}

/// What a candidate that does not fit does to later stages.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_no_fit {
    /// It waits, and the visit ends.
    Block = 0,
    /// Later stages are tried.
    TryNext = 1,
}

/// Who goes to the overflow list when a unit's queue is full.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_spill {
    /// The new entry.
    New = 0,
    /// The last entry of the lowest level, if the new one is of a higher level.
    Lowest = 1,
}

/// Which unit becomes an SMX's backup.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_backup_select {
    /// The next one with a candidate, from the SMX's own on.
    Next = 0,
    /// The lowest one with a candidate.
    Lowest = 1,
    /// One whose candidate has the highest level.
    HighestPrio = 2,
}

/// Who times a refill from an overflow list.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_laperm_refill_mode {
    /// It takes refill_cycles.
    Fixed = 0,
    /// The host answers with gpusched_laperm_refilled or gpusched_frontend_refilled.
    External = 1,
}

/// Parameters of LaPerm. Fill it with gpusched_laperm_config_init, then change what you like: a newer library adds fields at the end,
/// and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_laperm_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMXs; SMXs, 1 to 256.
    pub smxs: u32,
    /// SMXs that share an L1 cache, and so a queue: a unit; SMXs, 1 to smxs.
    pub cluster: u32,
    /// The deepest nesting level that has a priority of its own; levels, 1 to 24.
    pub levels: u32,
    /// On-chip entries of a unit's queue; kdu_entries in CDP; entries, 1 to 4096.
    pub queue_cap: u32,
    /// Entries of queue 0; kdu_entries in CDP; entries, 1 to 256.
    pub q0_cap: u32,
    /// Entries in memory, overflow or pending, of all units together; entries, 0 to 1048640.
    pub pool_cap: u32,
    /// CDP: entries of the kernel distributor; entries, 1 to 256.
    pub kdu_entries: u32,
    /// Stage-3 dispatches before a backup is given up and backups take turns; 0 = never; TBs, 0 to 65535.
    pub backup_limit: u32,
    /// From an overflow list to the chip, with refill_mode fixed; cycles, 0 to 65535.
    pub refill_cycles: u32,
    /// CDP: from the KMU to the kernel distributor; cycles, 0 to 65535.
    pub kmu_dispatch_cycles: u32,
    /// Threads of an SMX; threads, 1 to 2^20.
    pub smx_threads: u32,
    /// Registers of an SMX; registers, 1 to 2^24.
    pub smx_regs: u32,
    /// Shared memory of an SMX; bytes, 0 to 2^24.
    pub smx_smem: u32,
    /// TB slots of an SMX; TBs, 1 to 1024.
    pub smx_slots: u32,
    /// gpusched_laperm_policy.
    pub policy: u32,
    /// gpusched_laperm_model.
    pub model: u32,
    /// gpusched_laperm_visit.
    pub visit: u32,
    /// gpusched_laperm_no_fit.
    pub no_fit: u32,
    /// gpusched_laperm_spill.
    pub spill: u32,
    /// gpusched_laperm_backup_select.
    pub backup_select: u32,
    /// The search for an entry's place in its queue takes time that can be seen; 0 or 1.
    pub charge_insert: u32,
    /// gpusched_laperm_refill_mode; ignored in CDP.
    pub refill_mode: u32,
}

choices! {
    gpusched_laperm_policy = Policy { Rr TbPri SmxBind AdaptiveBind };
    gpusched_laperm_model = Model { Dtbl Cdp };
    gpusched_laperm_visit = Visit { Step Skip };
    gpusched_laperm_no_fit = NoFit { Block TryNext };
    gpusched_laperm_spill = Spill { New Lowest };
    gpusched_laperm_backup_select = BackupSelect { Next Lowest HighestPrio };
    gpusched_laperm_refill_mode = RefillMode { Fixed External };
}

fields! {
    gpusched_laperm_config: put, get = Config;
    numbers {
        smxs cluster levels queue_cap q0_cap pool_cap kdu_entries backup_limit refill_cycles kmu_dispatch_cycles
        smx_threads smx_regs smx_smem smx_slots
    }
    choices { policy model visit no_fit spill backup_select charge_insert refill_mode }
}

impl gpusched_laperm_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &Config) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put(config);
        of
    }
}

// SAFETY: it is such a struct.
unsafe impl Parameters for gpusched_laperm_config {
    type Checked = Config;
    const FIRST_SIZE: usize = 88;

    fn preset() -> Self {
        Self::of(&Config::K20C)
    }

    fn checked(&self) -> Result<Config, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source, those of a Tesla K20c: Adaptive-Bind over DTBL.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_laperm_config) in the caller's header.
/// @return Null, Misaligned, BadStructSize.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_config_init(
    config: *mut gpusched_laperm_config,
    size: usize,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_laperm_config::preset()) })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_laperm_config_check(
    config: *const gpusched_laperm_config,
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
pub unsafe extern "C" fn gpusched_laperm_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = Config::K20C.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
