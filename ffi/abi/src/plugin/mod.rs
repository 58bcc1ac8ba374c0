//! A policy of somebody else's, in a shared library of its own: the table of functions that such a file exports, for the command
//! (`--sched ./libmine.so`) and for any other host that loads it.
//!
//! Nothing here is called by this library. A host asks the file for its table by the name `gpusched_plugin_table`, gives it room for its state, and
//! asks it once in each cycle which TB goes where. What it answers is checked; its code is trusted, as any code of a program is: a crash of it
//! is the program's.

use core::ffi::{c_char, c_void};

use crate::frontend::{gpusched_completion, gpusched_offer, gpusched_resident};
use crate::smx::gpusched_resources;

/// The version of the table. A host refuses a file with another one.
pub const GPUSCHED_PLUGIN_VERSION: u32 = 1;

/// Offered is of each kernel its next TB, in the order of the FCFS controller's chains.
pub const GPUSCHED_PLUGIN_CHAIN: u32 = 0;
/// Offered are a kernel's native TBs and each of its groups by themselves.
pub const GPUSCHED_PLUGIN_FREE: u32 = 1;

/// What a policy is told of the machine before it begins. It may keep what it needs, but not the pointers.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gpusched_plugin_machine {
    /// Bytes of this struct.
    pub struct_size: u32,
    /// SMXs.
    pub n_smx: u32,
    /// Units that there can be at once: the row of an offer is below.
    pub units: u32,
    /// What is free on an SMX that holds no TB.
    pub capacity: gpusched_resources,
    /// The TPC of each SMX.
    pub tpc: *const u32,
    /// The GPC of each SMX.
    pub gpc: *const u32,
}

/// What a policy sees in a cycle. All pointers hold until it has answered.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gpusched_plugin_view {
    /// Bytes of this struct.
    pub struct_size: u32,
    /// SMXs.
    pub n_smx: u32,
    /// The cycle.
    pub now: u64,
    /// Units with TBs to send, in the host's order. What is being loaded is not among them.
    pub offers: *const gpusched_offer,
    /// How many.
    pub offers_count: usize,
    /// What is free on each SMX.
    pub free: *const gpusched_resources,
    /// The TBs that run, by SMX.
    pub residents: *const gpusched_resident,
    /// Where those of each SMX end in that list; they begin where those of the SMX before it end.
    pub residents_end: *const u32,
}

/// What a policy answers. It is handed over with `offer` = GPUSCHED_NONE and `wake` = GPUSCHED_NEVER, which says that the policy would send
/// nothing until something happens.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gpusched_plugin_choice {
    /// The cycle in which it wants to be asked again, if it sends nothing now and nothing happens; GPUSCHED_NEVER for none.
    pub wake: u64,
    /// The place in `offers` of the unit whose next TB is to be sent; GPUSCHED_NONE for none.
    pub offer: u32,
    /// The SMX, one of those in the offer's `open`.
    pub smx: u32,
}

/// Bytes that the state of a policy takes on a machine. The host provides them, zeroed and aligned for anything.
pub type gpusched_plugin_state_size = Option<unsafe extern "C" fn(machine: *const gpusched_plugin_machine) -> usize>;

/// Makes a state. `parameters` is what stands behind the file's name, `key=value` by colons, empty if there is nothing. Null if all is well,
/// else why the policy cannot run so, a text that stays.
pub type gpusched_plugin_init = Option<
    unsafe extern "C" fn(
        state: *mut c_void,
        machine: *const gpusched_plugin_machine,
        parameters: *const c_char,
    ) -> *const c_char,
>;

/// What is to be done in this cycle.
pub type gpusched_plugin_choose = Option<
    unsafe extern "C" fn(state: *mut c_void, view: *const gpusched_plugin_view, choice: *mut gpusched_plugin_choice),
>;

/// A TB has ended; before the policy is asked in the same cycle.
pub type gpusched_plugin_done =
    Option<unsafe extern "C" fn(state: *mut c_void, completion: *const gpusched_completion)>;

/// Writes the state into `capacity` bytes, if they are enough, and says how many it takes.
pub type gpusched_plugin_save =
    Option<unsafe extern "C" fn(state: *const c_void, bytes: *mut c_void, capacity: usize) -> usize>;

/// Makes a state that was initialised what the saved one was; not 0 if the bytes are none.
pub type gpusched_plugin_restore =
    Option<unsafe extern "C" fn(state: *mut c_void, bytes: *const c_void, size: usize) -> u32>;

/// The state is not used any more; its bytes are the host's.
pub type gpusched_plugin_end = Option<unsafe extern "C" fn(state: *mut c_void)>;

/// The table that a file exports: `const gpusched_plugin *gpusched_plugin_table(void);`. It lives as long as the file is loaded. Its functions
/// may be called on several threads at once, each with a state of its own.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct gpusched_plugin {
    /// Bytes of this struct: sizeof(gpusched_plugin).
    pub struct_size: u32,
    /// GPUSCHED_PLUGIN_VERSION.
    pub version: u32,
    /// GPUSCHED_PLUGIN_CHAIN or GPUSCHED_PLUGIN_FREE: what it is offered.
    pub units: u32,
    /// What it is called in tables.
    pub name: *const c_char,
    /// Must be there.
    pub state_size: gpusched_plugin_state_size,
    /// Must be there.
    pub init: gpusched_plugin_init,
    /// Must be there.
    pub choose: gpusched_plugin_choose,
    /// May be null.
    pub done: gpusched_plugin_done,
    /// May be null: then a checkpoint is refused.
    pub save: gpusched_plugin_save,
    /// May be null, as save.
    pub restore: gpusched_plugin_restore,
    /// May be null.
    pub end: gpusched_plugin_end,
}
