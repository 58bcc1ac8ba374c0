//! Configurations: presets and checks.

use core::ffi::{CStr, c_char};
use core::mem::size_of;
use core::ptr;

use gpusched::{AgtMiss, Config, Fallback, GpuSpec, HashScope, KmuArb, LoadMode, Parameter, Policy};

use super::Setup;
use crate::object::{put, writable};
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// Presets of gpusched_frontend_config_init.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_gpu {
    /// GeForce GTX 480 (Fermi).
    Gtx480 = 0,
    /// GeForce GTX 680 (Kepler GK104).
    Gtx680 = 1,
    /// Tesla K20c (Kepler GK110).
    K20c = 2,
    /// GeForce GTX Titan (Kepler GK110).
    Titan = 3,
    /// Tesla K40 (Kepler GK110B).
    K40 = 4,
    /// GeForce GTX 980 (Maxwell).
    Gtx980 = 5,
    /// Tesla V100 (Volta).
    V100 = 6,
    /// A100 (Ampere).
    A100 = 7,
    /// H100 SXM (Hopper).
    H100 = 8,
}

/// How the KMU chooses between waiting kernels.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_kmu_arb {
    /// The oldest of all.
    Fcfs = 0,
    /// Turns: the queues, then the device list, then the suspended list.
    Rr = 1,
}

/// Which threads share an index of the aggregated group table.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_hash_scope {
    /// The thread's number within its SMX is hashed.
    Smx = 0,
    /// The thread's number within the GPU is hashed.
    Global = 1,
}

/// What becomes of a group that finds its entry of the aggregated group table taken.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_agt_miss {
    /// Its information stays in global memory and is loaded when its turn comes.
    Spill = 0,
    /// It becomes a device kernel.
    Device = 1,
}

/// What a group pays that becomes a device kernel.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_fallback {
    /// Only the KMU and the dispatch.
    Direct = 0,
    /// The launch call for all lanes that fell, too.
    Full = 1,
}

/// Who times the load of a spilled group.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_load_mode {
    /// It takes load_cycles.
    Fixed = 0,
    /// The host answers with gpusched_frontend_spill_loaded.
    External = 1,
}

/// Which scheduler sends TBs to SMXs.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_policy {
    /// First-come-first-served kernels, round-robin SMXs: the baseline.
    FcfsRr = 0,
    /// LaPerm's queues, by level and by SMX.
    LaPerm = 1,
}

/// Parameters of a front end. Fill it with gpusched_frontend_config_init, then change what you like: a newer library adds fields
/// at the end, and programs that were built before keep working.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_frontend_config {
    /// sizeof this struct in the caller's header.
    pub struct_size: u32,
    /// SMXs; SMXs, 1 to 256.
    pub n_smx: u32,
    /// TB slots of an SMX; TBs, 1 to 64.
    pub tb_slots: u32,
    /// Threads of an SMX; threads, 1 to 65536.
    pub threads: u32,
    /// Registers of an SMX; registers, 0 to 2^31-1.
    pub regs: u32,
    /// Shared memory of an SMX; bytes, 0 to 2^31-1.
    pub smem: u32,
    /// Threads of a warp; also the most launches in one command; threads, 1 to 64.
    pub warp: u32,
    /// Hardware work queues; queues, 1 to 64.
    pub n_hwq: u32,
    /// Kernel distributor entries; entries, 1 to 64.
    pub n_kde: u32,
    /// Kernels that a hardware work queue holds; kernels, 1 to 65536.
    pub hwq_depth: u32,
    /// Launch records: the pending launch count limit; launches, 1 to 2^20.
    pub pend_limit: u32,
    /// Suspended kernels that the KMU holds; kernels, 0 to 64.
    pub susp_cap: u32,
    /// Nesting depth from which a kernel cannot synchronise; levels, 0 to 255.
    pub sync_depth: u32,
    /// Entries of the aggregated group table; AGEs, 1 to 65536, a power of two.
    pub agt_size: u32,
    /// CDP: stream creation, once per warp call; cycles, 0 to 2^32-1.
    pub lat_stream: u32,
    /// Parameter buffer: fixed part; cycles, 0 to 2^32-1.
    pub gpb_b: u32,
    /// Parameter buffer: per calling thread; cycles, 0 to 2^32-1.
    pub gpb_a: u32,
    /// Device launch call: fixed part; cycles, 0 to 2^32-1.
    pub ld_b: u32,
    /// Device launch call: per calling thread; cycles, 0 to 2^32-1.
    pub ld_a: u32,
    /// From the KMU to the kernel distributor; cycles, 0 to 2^32-1.
    pub lat_dispatch: u32,
    /// From one KMU dispatch to the next; 1 = pipelined; cycles, 1 to 2^32-1.
    pub kmu_interval: u32,
    /// Eligible-kernel search, per entry; cycles, 0 to 65536.
    pub kde_scan: u32,
    /// AGT probe, per group; cycles, 0 to 65536.
    pub agt_probe: u32,
    /// Load of a spilled group, with `load_mode` fixed; cycles, 0 to 2^32-1.
    pub load_cycles: u32,
    /// Groups after which a kernel lets the next one have a turn; 0 = never; groups, 0 to 2^32-1.
    pub turn_groups: u32,
    /// Classes of gate K; classes, 0 to 8.
    pub n_class: u32,
    /// gpusched_kmu_arb.
    pub kmu_arb: u32,
    /// gpusched_hash_scope.
    pub hash_scope: u32,
    /// gpusched_agt_miss.
    pub agt_miss: u32,
    /// gpusched_fallback.
    pub fallback: u32,
    /// gpusched_load_mode.
    pub load_mode: u32,
    /// gpusched_policy.
    pub policy: u32,
    /// Work behind a kernel that only a class cap keeps out may go ahead; 0 or 1.
    pub pass_capped: u32,
    /// An SMX holds TBs of one (pc, TB shape, registers, shared memory) at a time; 0 or 1.
    pub exclusive: u32,
    /// Decisions that can wait to be read, 0 to 2^20. 0 is enough if they are read once in each cycle; more lets many cycles pass
    /// between two reads; 1 takes the least memory, and is enough if they are read after each call.
    pub decisions: u32,
}

/// A parameter: what gpusched_frontend_config_check says is wrong, and what gpusched_frontend_parameter tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_parameter {
    /// Its name: that of the field in gpusched_frontend_config. Static.
    pub name: *const c_char,
    /// Its value.
    pub value: u32,
    /// Least value.
    pub min: u32,
    /// Greatest value.
    pub max: u32,
    /// 1 if only powers of two are allowed, else 0.
    pub power_of_two: u32,
}

/// Size of gpusched_frontend_config in the first version of the interface.
const FIRST_SIZE: usize = 140;
/// No version of the struct will be larger: what claims to be is not one.
const MAX_SIZE: usize = 4096;
/// Most decisions that a queue can be asked to hold.
const MAX_DECISIONS: u32 = 1 << 20;

const _: () = assert!(size_of::<gpusched_frontend_config>() >= FIRST_SIZE);

fn is_struct_size(size: usize) -> bool {
    (FIRST_SIZE..=MAX_SIZE).contains(&size) && size.is_multiple_of(4)
}

macro_rules! numbers {
    ($($name:ident)*) => {
        impl gpusched_frontend_config {
            fn of(config: &Config) -> Self {
                let &Config { $($name,)* kmu_arb, hash_scope, agt_miss, fallback, load_mode, policy, pass_capped, exclusive, laperm: _, bubble: _ } =
                    config;
                Self {
                    struct_size: size_of::<Self>() as u32,
                    $($name,)*
                    kmu_arb: match kmu_arb {
                        KmuArb::Fcfs => gpusched_kmu_arb::Fcfs,
                        KmuArb::Rr => gpusched_kmu_arb::Rr,
                    } as u32,
                    hash_scope: match hash_scope {
                        HashScope::Smx => gpusched_hash_scope::Smx,
                        HashScope::Global => gpusched_hash_scope::Global,
                    } as u32,
                    agt_miss: match agt_miss {
                        AgtMiss::Spill => gpusched_agt_miss::Spill,
                        AgtMiss::Device => gpusched_agt_miss::Device,
                    } as u32,
                    fallback: match fallback {
                        Fallback::Direct => gpusched_fallback::Direct,
                        Fallback::Full => gpusched_fallback::Full,
                    } as u32,
                    load_mode: match load_mode {
                        LoadMode::Fixed => gpusched_load_mode::Fixed,
                        LoadMode::External => gpusched_load_mode::External,
                    } as u32,
                    policy: match policy {
                        Policy::FcfsRr => gpusched_policy::FcfsRr,
                        Policy::LaPerm => gpusched_policy::LaPerm,
                    } as u32,
                    pass_capped: pass_capped.into(),
                    exclusive: exclusive.into(),
                    decisions: 0,
                }
            }

            /// The core's configuration, unchecked but for what it could not hold.
            fn to_core(self) -> Result<Config, gpusched_parameter> {
                Ok(Config {
                    $($name: self.$name,)*
                    kmu_arb: self.choice(c"kmu_arb", self.kmu_arb, &[KmuArb::Fcfs, KmuArb::Rr])?,
                    hash_scope: self.choice(c"hash_scope", self.hash_scope, &[HashScope::Smx, HashScope::Global])?,
                    agt_miss: self.choice(c"agt_miss", self.agt_miss, &[AgtMiss::Spill, AgtMiss::Device])?,
                    fallback: self.choice(c"fallback", self.fallback, &[Fallback::Direct, Fallback::Full])?,
                    load_mode: self.choice(c"load_mode", self.load_mode, &[LoadMode::Fixed, LoadMode::External])?,
                    policy: self.choice(c"policy", self.policy, &[Policy::FcfsRr])?,
                    pass_capped: self.choice(c"pass_capped", self.pass_capped, &[false, true])?,
                    exclusive: self.choice(c"exclusive", self.exclusive, &[false, true])?,
                    laperm: None,
                    bubble: None,
                })
            }
        }
    };
}

numbers! {
    n_smx tb_slots threads regs smem warp n_hwq n_kde hwq_depth pend_limit susp_cap sync_depth agt_size
    lat_stream gpb_b gpb_a ld_b ld_a lat_dispatch kmu_interval kde_scan agt_probe load_cycles turn_groups
    n_class
}

impl gpusched_frontend_config {
    /// The value that the number of an enumeration stands for.
    fn choice<V: Copy>(&self, name: &'static CStr, value: u32, values: &[V]) -> Result<V, gpusched_parameter> {
        let wrong = || gpusched_parameter {
            name: name.as_ptr(),
            value,
            min: 0,
            max: (values.len() as u32).wrapping_sub(1),
            power_of_two: 0,
        };
        values.get(value as usize).copied().ok_or_else(wrong)
    }

    /// What a block is built from, or the first parameter that is wrong.
    fn setup(&self) -> Result<Setup, gpusched_parameter> {
        let machine = self.to_core()?;
        machine.check().map_err(|error| gpusched_parameter::of(error.parameter, error.value))?;
        if self.decisions > MAX_DECISIONS {
            let name = c"decisions".as_ptr();
            return Err(gpusched_parameter {
                name,
                value: self.decisions,
                min: 0,
                max: MAX_DECISIONS,
                power_of_two: 0,
            });
        }
        let decisions = match self.decisions {
            0 => machine.decisions_per_cycle(),
            n => machine.decisions_per_call().max(n as usize),
        };
        Ok(Setup { machine, decisions })
    }
}

impl gpusched_parameter {
    fn of(parameter: &Parameter, value: u32) -> Self {
        let &Parameter { c_name, min, max, power_of_two, .. } = parameter;
        Self { name: c_name.as_ptr(), value, min, max, power_of_two: power_of_two.into() }
    }
}

/// Reads a configuration of any version: fields that the caller's header did not know have their default.
///
/// # Safety
/// `config`, if neither null nor misaligned, points to readable memory of the size that its first field tells.
unsafe fn read(config: *const gpusched_frontend_config) -> Result<gpusched_frontend_config, Status> {
    let config = writable(config.cast_mut())?;
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { (*config).struct_size } as usize;
    if !is_struct_size(size) {
        return Err(Status::BadStructSize);
    }
    let known = size.min(size_of::<gpusched_frontend_config>());
    let mut copy = gpusched_frontend_config::of(&Config::K20C);
    // SAFETY: `known` bytes are in both; numbers take any bytes. What lies behind, a newer program's fields, must be off.
    unsafe {
        ptr::copy_nonoverlapping(config.cast::<u8>(), (&raw mut copy).cast(), known);
        let rest = core::slice::from_raw_parts(config.cast::<u8>().add(known), size - known);
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Status::WrongVersion);
        }
    }
    Ok(copy)
}

/// As [`read`], and checked.
///
/// # Safety
/// As [`read`].
pub(crate) unsafe fn read_setup(config: *const gpusched_frontend_config) -> Result<Setup, Status> {
    // SAFETY: the caller's contract.
    unsafe { read(config) }?.setup().map_err(|_| Status::BadConfig)
}

/// Writes the parameters of a machine as far as the caller's version of the struct reaches.
///
/// # Safety
/// `config`, if neither null nor misaligned, points to `size` writable bytes.
pub(crate) unsafe fn write(
    config: *mut gpusched_frontend_config,
    size: usize,
    machine: &Config,
    decisions: u32,
) -> Result<(), Status> {
    let config = writable(config)?;
    if !is_struct_size(size) {
        return Err(Status::BadStructSize);
    }
    let values =
        gpusched_frontend_config { struct_size: size as u32, decisions, ..gpusched_frontend_config::of(machine) };
    let known = size.min(size_of::<gpusched_frontend_config>());
    // SAFETY: `known` bytes are in both. A newer program's fields are off.
    unsafe {
        ptr::copy_nonoverlapping((&raw const values).cast::<u8>(), config.cast(), known);
        config.cast::<u8>().add(known).write_bytes(0, size - known);
    }
    Ok(())
}

/// Fills a configuration with a preset.
///
/// @param config  Written.
/// @param size    sizeof(gpusched_frontend_config) in the caller's header.
/// @param gpu     A gpusched_gpu.
/// @return Null, Misaligned, BadStructSize; BadEnum: no such preset.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_init(
    config: *mut gpusched_frontend_config,
    size: usize,
    gpu: u32,
) -> gpusched_status {
    let Some(spec) = GpuSpec::ALL.get(gpu as usize) else { return Status::BadEnum };
    // SAFETY: the caller's contract.
    status(unsafe { write(config, size, &spec.config, 0) })
}

/// Switches every launch latency off: the ideal modes CDPI and DTBLI of the source (4.6.2.2).
///
/// @param config  An initialised configuration; changed.
/// @return Null, Misaligned, BadStructSize, WrongVersion; BadConfig: a value is out of its range.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_ideal(config: *mut gpusched_frontend_config) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|old| {
            let machine = old.to_core().map_err(|_| Status::BadConfig)?;
            write(config, old.struct_size as usize, &machine.ideal(), old.decisions)
        })
    })
}

/// Says whether every value is in its range.
///
/// @param config  An initialised configuration.
/// @param wrong   Receives the first parameter that is not, if the result is BadConfig. May be null.
/// @return BadConfig; Null, Misaligned, BadStructSize; WrongVersion: fields that this library does not know are not 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_config_check(
    config: *const gpusched_frontend_config,
    wrong: *mut gpusched_parameter,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        read(config).and_then(|config| match config.setup() {
            Ok(_) => Ok(()),
            Err(parameter) => {
                if !wrong.is_null() {
                    put(wrong, parameter)?;
                }
                Err(Status::BadConfig)
            }
        })
    })
}

/// Tells a numeric parameter: name, default (that of the K20c) and range.
///
/// @param index      From 0.
/// @param parameter  Written.
/// @return Null, Misaligned; BadIndex: there are not so many.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_frontend_parameter(
    index: u32,
    parameter: *mut gpusched_parameter,
) -> gpusched_status {
    let Some((about, value)) = Config::K20C.values().nth(index as usize) else { return Status::BadIndex };
    // SAFETY: the caller's contract.
    status(unsafe { put(parameter, gpusched_parameter::of(about, value)) })
}
