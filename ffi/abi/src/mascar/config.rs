//! Configurations: the presets and checks.

use core::mem::size_of;

use gpusched::mascar::{CacheConfig, MAX_SOURCES, MascarConfig, Order, Priority, Sources};

use crate::config::{self, Parameters, Wrong, choices, fields, gpusched_parameter, write};
use crate::object::put;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Caches that a machine may watch.
pub const GPUSCHED_MASCAR_CACHES: usize = 3;
const _: () = assert!(GPUSCHED_MASCAR_CACHES == MAX_SOURCES);

/// Which kind of instruction a scheduler prefers when it has candidates of both.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_priority {
    /// Memory.
    Mem = 0,
    /// Compute.
    Comp = 1,
    /// Neither: one group, ordered as memory warps are.
    Merged = 2,
}

/// The order of the warps of one group.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_order {
    /// Greedy, then oldest: the scheduler's last issued warp, then by age.
    Gto = 0,
    /// By age.
    Oldest = 1,
    /// Round robin: by number, from the one behind the scheduler's last issued warp.
    Rr = 2,
}

/// What a configuration is filled with.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_mascar_preset {
    /// Mascar on an SM of the GTX 480.
    Gtx480 = 0,
    /// The baseline: loose round robin and an LSU that blocks.
    Lrr = 1,
    /// The baseline greedy-then-oldest.
    Gto = 2,
}

/// One cache whose back pressure sets the mode. 1 <= clear <= sat <= size, of both structures.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_cache {
    /// Miss status holding registers; MSHRs, 1 to 65535.
    pub mshr: u32,
    /// Places of the miss queue; places, 1 to 65535.
    pub missq: u32,
    /// Taken MSHRs that set the flag; MSHRs, 1 to mshr.
    pub mshr_sat: u32,
    /// Taken places that set the flag; places, 1 to missq.
    pub missq_sat: u32,
    /// The flag clears below this many taken MSHRs; MSHRs, 1 to mshr_sat.
    pub mshr_clear: u32,
    /// The flag clears below this many taken places; places, 1 to missq_sat.
    pub missq_clear: u32,
}

/// Parameters of Mascar. Fill it with gpusched_mascar_config_init, then change what you like: a newer library adds fields at the
/// end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_mascar_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// Warps of the SM; warps, 1 to 63.
    pub warps: u32,
    /// Warp schedulers; warp w belongs to scheduler w mod schedulers; schedulers, 1 to 8.
    pub schedulers: u32,
    /// Entries of the re-execution queue; without any the LSU blocks on a refusal; entries, 0 to 255.
    pub rexq: u32,
    /// Threads of a warp; threads, 1 to 64.
    pub warp_size: u32,
    /// Longest ownership while others wait, 0 is without end; cycles, 0 to 2^32-1.
    pub owner_timeout: u32,
    /// New requests after which the queue has a turn, 0 is never before them; requests, 0 to 65535.
    pub starve_limit: u32,
    /// A scheduler may issue one compute and one memory warp in a cycle, rather than one warp; 0 or 1.
    pub per_pipe: u32,
    /// Whether there is an MP mode; if not, this is a plain warp scheduler; 0 or 1.
    pub enable: u32,
    /// EP mode: gpusched_mascar_priority.
    pub ep_priority: u32,
    /// EP mode, memory warps: gpusched_mascar_order.
    pub ep_mem_order: u32,
    /// EP mode, compute warps: gpusched_mascar_order.
    pub ep_comp_order: u32,
    /// MP mode: gpusched_mascar_priority.
    pub mp_priority: u32,
    /// MP mode, memory warps: gpusched_mascar_order.
    pub mp_mem_order: u32,
    /// MP mode, compute warps: gpusched_mascar_order.
    pub mp_comp_order: u32,
    /// In MP mode the owner precedes older leftovers; 0 or 1.
    pub owner_first: u32,
    /// An owner gives up only when all its requests are accepted; 0 or 1.
    pub relinquish_waits: u32,
    /// An owner gives up at a barrier or fence; 0 or 1.
    pub relinquish_sync: u32,
    /// An owner that cannot reach the blocked LSU passes ownership to the queue; 0 or 1.
    pub rescue: u32,
    /// A blocked request of the owner is presented in turns with the queue's head; 0 or 1.
    pub retry_owner: u32,
    /// A miss on a line that is on its way is accepted from every warp; 0 or 1.
    pub nonowner_merge: u32,
    /// The caches that set the mode; caches, 1 to 3.
    pub sources: u32,
    /// The caches: L1 data, then texture and constant where they are modelled. Those behind `sources` do not matter.
    pub caches: [gpusched_mascar_cache; GPUSCHED_MASCAR_CACHES],
}

choices! {
    gpusched_mascar_priority = Priority { Mem Comp Merged };
    gpusched_mascar_order = Order { Gto Oldest Rr };
}

fields! {
    gpusched_mascar_cache: put, get = CacheConfig;
    numbers { mshr missq mshr_sat missq_sat mshr_clear missq_clear }
    choices {}
}

fields! {
    gpusched_mascar_config: put_own, get_own = MascarConfig;
    numbers { warps schedulers rexq warp_size owner_timeout starve_limit }
    choices {
        per_pipe enable ep_priority ep_mem_order ep_comp_order mp_priority mp_mem_order mp_comp_order
        owner_first relinquish_waits relinquish_sync rescue retry_owner nonowner_merge
    }
}

impl gpusched_mascar_config {
    /// The core's configuration as C has it.
    pub(crate) fn of(config: &MascarConfig) -> Self {
        let mut of = Self { struct_size: size_of::<Self>() as u32, ..Self::default() };
        of.put_own(config);
        let caches = config.sources.caches();
        of.sources = caches.len() as u32;
        let fermi = core::iter::repeat(&CacheConfig::FERMI);
        of.caches.iter_mut().zip(caches.iter().chain(fermi)).for_each(|(to, from)| to.put(from));
        of
    }

    /// The core's configuration, unchecked but for what it could not hold.
    fn get(&self) -> Result<MascarConfig, Wrong> {
        let mut config = self.get_own()?;
        let mut caches = [CacheConfig::FERMI; MAX_SOURCES + 1];
        for (to, from) in caches.iter_mut().zip(&self.caches) {
            *to = from.get()?;
        }
        // One more than there may be stands for any number beyond.
        let n = (self.sources as usize).min(caches.len());
        config.sources = Sources::new(caches.get(..n).unwrap_or_default())
            .map_err(|error| Wrong::from(gpusched::ConfigError { value: self.sources, ..error }))?;
        Ok(config)
    }
}

// SAFETY: it is such a struct: the caches consist of `u32`, too.
unsafe impl Parameters for gpusched_mascar_config {
    type Checked = MascarConfig;
    const FIRST_SIZE: usize = 160;

    fn preset() -> Self {
        Self::of(&MascarConfig::GTX480)
    }

    fn checked(&self) -> Result<MascarConfig, Wrong> {
        let config = self.get()?;
        config.check()?;
        Ok(config)
    }
}

/// Fills a configuration with the values of the source.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_mascar_config) in the caller's header.
/// @param preset  gpusched_mascar_preset.
/// @return Null, Misaligned, BadStructSize; BadIndex: no such preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_config_init(
    config: *mut gpusched_mascar_config,
    size: usize,
    preset: u32,
) -> gpusched_status {
    const GTX480: u32 = gpusched_mascar_preset::Gtx480 as u32;
    const LRR: u32 = gpusched_mascar_preset::Lrr as u32;
    const GTO: u32 = gpusched_mascar_preset::Gto as u32;
    let values = match preset {
        GTX480 => &MascarConfig::GTX480,
        LRR => &MascarConfig::LRR,
        GTO => &MascarConfig::GTO,
        _ => return Status::BadIndex,
    };
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &gpusched_mascar_config::of(values)) })
}

/// Says whether every value is in its range, and right beside the others.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_config_check(
    config: *const gpusched_mascar_config,
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
pub unsafe extern "C" fn gpusched_mascar_parameter(index: u32, parameter: *mut gpusched_parameter) -> gpusched_status {
    let Some((about, value)) = MascarConfig::GTX480.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}

/// Tells a numeric parameter of a cache: name, default and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_mascar_cache_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = CacheConfig::FERMI.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
