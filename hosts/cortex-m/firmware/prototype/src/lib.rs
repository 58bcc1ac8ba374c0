//! The GPU of the smallest firmwares: a front end of 8 SMXs with DTBL and 64 AGEs, in static memory, and the kernel that it works on. `minimal`
//! drives it in a loop, `embassy` from tasks, `rtic` from interrupts.
//!
//! Its home leaves out LaPerm, the occupancy-bubble controller and dependency graphs, so none of their code is linked; features add
//! them ([`parts`]).
#![no_std]

use gpusched::{
    BuildError, Config, Descriptor, Dim3, Fault, GroupLaunch, InlineTables, Probe, Reserved, SliceTables, Tables,
    TbPlacement, inline_tables,
};
use static_cell::ConstStaticCell;

#[cfg(feature = "defmt")]
pub mod log;
pub mod parts;

/// SMXs.
pub const SMXS: usize = CONFIG.n_smx as usize;
/// TB slots of an SMX.
pub const TB_SLOTS: usize = CONFIG.tb_slots as usize;
/// TBs that run at once.
pub const RESIDENT: usize = SMXS * TB_SLOTS;

/// The configuration.
pub const CONFIG: Config = parts::added_to(Config {
    n_smx: 8,
    tb_slots: 8,
    n_hwq: 4,
    n_kde: 8,
    hwq_depth: 2,
    pend_limit: 32,
    susp_cap: 0,
    agt_size: 64,
    n_class: 0,
    ..Config::K20C
});

inline_tables! {
    /// Its tables.
    pub struct Home = CONFIG;
}
/// They lie in static memory, so that no copy of them ever lies on the stack.
static TABLES: ConstStaticCell<Reserved<Home>> = ConstStaticCell::new(Home::RESERVED);

/// The front end: some hundred bytes that borrow the tables.
pub type Gpu = parts::Machine<SliceTables<'static, <Home as Tables>::Parts>>;
/// Bytes of it and of its tables.
pub const MACHINE: usize = size_of::<Gpu>() + size_of::<Reserved<Home>>();

/// TBs of the kernel. With DTBL each launches a group before it ends.
const PARENTS: u32 = if parts::DTBL { 32 } else { 96 };
/// TBs of a group.
const CHILDREN: u32 = 2;
/// TBs in all.
pub const TBS: u64 = (if parts::DTBL { PARENTS * (1 + CHILDREN) } else { PARENTS } + parts::TBS) as u64;
/// Cycles that a TB takes.
pub const TB_CYCLES: u64 = 100;

/// The front end. To be called once.
///
/// # Errors
/// The configuration does not fit its tables.
///
/// # Panics
/// The tables are taken.
pub fn new() -> Result<Gpu, BuildError> {
    parts::machine(&CONFIG, Home::lend(TABLES.take()))
}

/// Launches all that the host launches.
///
/// # Errors
/// The front end refuses it.
#[inline]
pub fn launch(gpu: &mut Gpu) -> Result<(), Fault> {
    gpu.host_launch(0, &kernel(), false)?;
    parts::launch(gpu)
}

/// The kernel.
fn kernel() -> Descriptor {
    Descriptor { pc: 0x400, grid: Dim3::linear(PARENTS), tb: Dim3::linear(64), ..Descriptor::default() }
}

/// What an SMX does when a TB ends: one of the kernel launches its group first.
///
/// # Errors
/// The front end refuses it.
pub fn end(gpu: &mut Gpu, tb: &TbPlacement, probe: &mut impl Probe) -> Result<(), Fault> {
    let kernel = kernel();
    // A group that found no kernel to join comes as a kernel of its own; it launches nothing.
    if parts::DTBL && tb.tag == kernel.tag {
        let kernel = Descriptor { grid: Dim3::linear(CHILDREN), tag: 1 + u64::from(tb.blkid), ..kernel };
        let hw_tid = u32::from(tb.slot) * kernel.tb.x;
        gpu.agg_launch(tb.smx, tb.slot, &[GroupLaunch { kernel, hw_tid }])?;
    }
    gpu.tb_done(tb.smx, tb.slot, probe)
}
