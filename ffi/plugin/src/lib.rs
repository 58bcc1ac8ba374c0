//! Scheduling policies from shared libraries: who loads one, gives it its state and asks it which thread block (TB) goes where.
//!
//! A file exports `gpusched_plugin_table`, a versioned table of C functions ([`gpusched_abi::plugin`]). What a policy answers is checked by
//! whoever asks; **its code is trusted**: a plug-in runs in the process that loads it, and what it breaks there is broken.
//!
//! A policy in Rust exports itself without a line of `unsafe` of its own: [`mod@export`].
//!
//! ```no_run
//! use gpusched_plugin::{Answer, Machine, Plugin};
//!
//! let plugin = Plugin::load("./libmine.so".as_ref())?;
//! let machine = Machine { capacity: Default::default(), tpc: vec![0; 13], gpc: vec![0; 13], units: 2080 };
//! let mut state = plugin.start(&machine, "pause=7")?;
//! # fn view() -> gpusched_plugin::Seen { Default::default() }
//! match state.choose(&view()) {
//!     Answer::Send { offer, smx } => println!("the {offer}th offer to SMX {}", smx.0),
//!     Answer::Wait(wake) => println!("nothing before {wake:?}"),
//! }
//! # Ok::<(), gpusched_plugin::LoadError>(())
//! ```

pub mod export;

use std::ffi::{CStr, CString, c_void};
use std::fmt;
use std::mem::size_of;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gpusched::{Completion, Cycle, Offer, Resident, Resources, SmxId};
use gpusched_abi::convert::ToC;
use gpusched_abi::frontend::{gpusched_offer, gpusched_resident};
use gpusched_abi::plugin::{
    GPUSCHED_PLUGIN_CHAIN, GPUSCHED_PLUGIN_FREE, GPUSCHED_PLUGIN_VERSION, gpusched_plugin, gpusched_plugin_choice,
    gpusched_plugin_machine, gpusched_plugin_view,
};
use gpusched_abi::smx::gpusched_resources;
use gpusched_abi::{GPUSCHED_NEVER, GPUSCHED_NONE};
use libloading::{Library, Symbol};

/// The name under which a file exports its table.
const TABLE: &str = "gpusched_plugin_table";

/// Why a file is not taken as a policy.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is no shared library that this machine loads.
    #[error("{}: {}", path.display(), reason(why))]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: libloading::Error,
    },
    /// It exports no function for its table, or one that gives none.
    #[error("{}: it exports no {TABLE} that gives a table, so it is no policy", path.display())]
    NoTable {
        /// The file.
        path: PathBuf,
    },
    /// Its table is of another version.
    #[error("{}: its table is of version {found}, and this program's is {GPUSCHED_PLUGIN_VERSION}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// A field of its table that must be there is not.
    #[error("{}: its table has no {field}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
    },
    /// A field of its table has a value that means nothing.
    #[error("{}: {field} of its table is {found}, not 0 or 1", path.display())]
    Value {
        /// The file.
        path: PathBuf,
        /// The field.
        field: &'static str,
        /// Its value.
        found: u32,
    },
    /// The policy says that it cannot run so.
    #[error("{name}: {why}")]
    Refused {
        /// Its name.
        name: String,
        /// Its words.
        why: String,
    },
}

/// What the system says, in its own words if it has any.
fn reason(why: &libloading::Error) -> String {
    let of_system = std::error::Error::source(why).map(ToString::to_string);
    of_system.unwrap_or_else(|| why.to_string())
}

/// What a policy is told of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Machine {
    /// What is free on an SMX that holds no TB.
    pub capacity: Resources,
    /// The TPC of each SMX.
    pub tpc: Vec<u16>,
    /// The GPC of each SMX.
    pub gpc: Vec<u16>,
    /// Units that there can be at once: the row of an offer is below.
    pub units: u32,
}

/// What a policy sees in a cycle.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// The cycle.
    pub now: Cycle,
    /// Units with TBs to send, in order.
    pub offers: Vec<Offer>,
    /// What is free on each SMX.
    pub free: Vec<Resources>,
    /// The TBs on each SMX.
    pub residents: Vec<Vec<Resident>>,
}

/// What a policy answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The next TB of the offer at this place goes to this SMX. Neither need exist.
    Send {
        /// The place in [`Seen::offers`].
        offer: usize,
        /// The SMX.
        smx: SmxId,
    },
    /// Nothing, before this cycle or something happens.
    Wait(Option<Cycle>),
}

/// A file's table.
#[derive(Clone, Copy, Debug)]
pub struct Table(pub gpusched_plugin);

// SAFETY: nothing changes in a table; its pointers are of functions and of a text that stays. Its functions may be called on several
// threads at once, each with a state of its own, as the documentation of the table says.
#[expect(unsafe_code, reason = "a table of constants")]
unsafe impl Send for Table {}
// SAFETY: as before.
#[expect(unsafe_code, reason = "a table of constants")]
unsafe impl Sync for Table {}

/// A file with a policy.
#[derive(Clone)]
pub struct Plugin {
    table: Table,
    name: String,
    /// The table's functions are in it.
    _library: Arc<Library>,
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin").field("name", &self.name).finish_non_exhaustive()
    }
}

impl Plugin {
    /// Loads a file, which runs what it does when it is loaded.
    ///
    /// # Errors
    /// [`LoadError`], but for `Refused`.
    #[expect(unsafe_code, reason = "a file of somebody else's is trusted to be what its table says")]
    pub fn load(path: &Path) -> Result<Self, LoadError> {
        let of = || path.to_owned();
        // Of the working folder: a name alone would be looked for where the system keeps its libraries.
        let file = if path.parent() == Some(Path::new("")) { Path::new(".").join(path) } else { of() };
        // SAFETY: the user names the file and trusts its code, constructors included.
        let library = unsafe { Library::new(file) }.map_err(|why| LoadError::File { path: of(), why })?;
        // SAFETY: a file that exports this name exports a function of this type; the documentation of the table asks for it.
        let table = unsafe {
            let get: Symbol<'_, unsafe extern "C" fn() -> *const gpusched_plugin> =
                library.get(TABLE).map_err(|_| LoadError::NoTable { path: of() })?;
            get()
        };
        if table.is_null() {
            return Err(LoadError::NoTable { path: of() });
        }
        // SAFETY: it is not null; a table begins with its size and version, whatever its version is, and lives as long as the library.
        let [size, version] = unsafe { table.cast::<[u32; 2]>().read_unaligned() };
        if version != GPUSCHED_PLUGIN_VERSION {
            return Err(LoadError::Version { path: of(), found: version });
        }
        if (size as usize) < size_of::<gpusched_plugin>() {
            return Err(LoadError::Missing { path: of(), field: "struct_size of this version" });
        }
        // SAFETY: it is as large as it says.
        let table = unsafe { table.read_unaligned() };
        let fields = [
            ("name", table.name.is_null()),
            ("state_size", table.state_size.is_none()),
            ("init", table.init.is_none()),
            ("choose", table.choose.is_none()),
        ];
        if let Some(&(field, _)) = fields.iter().find(|(_, is_missing)| *is_missing) {
            return Err(LoadError::Missing { path: of(), field });
        }
        if ![GPUSCHED_PLUGIN_CHAIN, GPUSCHED_PLUGIN_FREE].contains(&table.units) {
            return Err(LoadError::Value { path: of(), field: "units", found: table.units });
        }
        // SAFETY: a name ends with a NUL and lives as long as the table.
        let name = unsafe { CStr::from_ptr(table.name) }.to_string_lossy().into_owned();
        Ok(Self { table: Table(table), name, _library: Arc::new(library) })
    }

    /// What the policy calls itself.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is offered a kernel's native TBs and each of its groups by themselves, rather than each kernel's next TB.
    #[must_use]
    pub fn takes_free_units(&self) -> bool {
        self.table.0.units == GPUSCHED_PLUGIN_FREE
    }

    /// A state of the policy on a machine. `parameters` is for the policy to read.
    ///
    /// # Errors
    /// `Refused` if it says so, or if a parameter holds a NUL.
    #[expect(unsafe_code, reason = "functions of the table")]
    pub fn start(&self, machine: &Machine, parameters: &str) -> Result<State, LoadError> {
        let refused = |why: String| LoadError::Refused { name: self.name.clone(), why };
        let parameters = CString::new(parameters).map_err(|_| refused("a parameter holds a NUL".into()))?;
        let wide = |of: &[u16]| of.iter().map(|&number| number.into()).collect::<Vec<u32>>();
        let (tpc, gpc) = (wide(&machine.tpc), wide(&machine.gpc));
        let told = gpusched_plugin_machine {
            struct_size: size_of::<gpusched_plugin_machine>() as u32,
            n_smx: tpc.len() as u32,
            units: machine.units,
            capacity: machine.capacity.to_c(),
            tpc: tpc.as_ptr(),
            gpc: gpc.as_ptr(),
        };
        let (Some(state_size), Some(init)) = (self.table.0.state_size, self.table.0.init) else {
            return Err(refused("its table has changed".into()));
        };
        // SAFETY: the struct and its arrays live; the function is the table's.
        let size = unsafe { state_size(&told) };
        // In 16 byte pieces, so aligned for anything; one at least, so that the pointer is one.
        let (mut bytes, pieces) = (Vec::<u128>::new(), size.div_ceil(16).max(1));
        bytes
            .try_reserve_exact(pieces)
            .map_err(|_| refused(format!("there is no memory for a state of {size} bytes")))?;
        bytes.resize(pieces, 0);
        // SAFETY: as before, and there are as many zeroed bytes as were asked for.
        let why = unsafe { init(bytes.as_mut_ptr().cast(), &told, parameters.as_ptr()) };
        if !why.is_null() {
            // SAFETY: what is said ends with a NUL and stays.
            return Err(refused(unsafe { CStr::from_ptr(why) }.to_string_lossy().into_owned()));
        }
        Ok(State {
            plugin: self.clone(),
            bytes,
            offers: Vec::new(),
            free: Vec::new(),
            residents: Vec::new(),
            ends: Vec::new(),
        })
    }
}

/// A policy at work.
#[derive(Debug)]
pub struct State {
    plugin: Plugin,
    bytes: Vec<u128>,
    // Room for what it sees, used again and again.
    offers: Vec<gpusched_offer>,
    free: Vec<gpusched_resources>,
    residents: Vec<gpusched_resident>,
    ends: Vec<u32>,
}

impl State {
    fn state(&mut self) -> *mut c_void {
        self.bytes.as_mut_ptr().cast()
    }

    /// A TB has ended.
    #[expect(unsafe_code, reason = "a function of the table")]
    pub fn done(&mut self, completion: &Completion) {
        if let Some(done) = self.plugin.table.0.done {
            let told = completion.to_c();
            // SAFETY: the state was initialised, and the struct lives.
            unsafe { done(self.state(), &told) };
        }
    }

    /// What is to be done in this cycle.
    #[expect(unsafe_code, reason = "a function of the table")]
    pub fn choose(&mut self, seen: &Seen) -> Answer {
        self.offers.clear();
        self.offers.extend(seen.offers.iter().map(ToC::to_c));
        self.free.clear();
        self.free.extend(seen.free.iter().map(ToC::to_c));
        self.residents.clear();
        self.ends.clear();
        for residents in &seen.residents {
            self.residents.extend(residents.iter().map(ToC::to_c));
            self.ends.push(self.residents.len() as u32);
        }
        let view = gpusched_plugin_view {
            struct_size: size_of::<gpusched_plugin_view>() as u32,
            n_smx: self.free.len() as u32,
            now: seen.now.0,
            offers: self.offers.as_ptr(),
            offers_count: self.offers.len(),
            free: self.free.as_ptr(),
            residents: self.residents.as_ptr(),
            residents_end: self.ends.as_ptr(),
        };
        let mut choice = gpusched_plugin_choice { wake: GPUSCHED_NEVER, offer: GPUSCHED_NONE, smx: 0 };
        if let Some(choose) = self.plugin.table.0.choose {
            // SAFETY: the state was initialised; the structs and their arrays live.
            unsafe { choose(self.state(), &view, &mut choice) };
        }
        if choice.offer == GPUSCHED_NONE {
            return Answer::Wait((choice.wake != GPUSCHED_NEVER).then_some(Cycle(choice.wake)));
        }
        // An SMX that no machine has stays one.
        Answer::Send { offer: choice.offer as usize, smx: SmxId(u16::try_from(choice.smx).unwrap_or(u16::MAX)) }
    }

    /// The state as bytes; `None` if the policy has no way to save it.
    #[must_use]
    #[expect(unsafe_code, reason = "a function of the table")]
    pub fn save(&self) -> Option<Vec<u8>> {
        let save = self.plugin.table.0.save.filter(|_| self.plugin.table.0.restore.is_some())?;
        let state = self.bytes.as_ptr().cast();
        // SAFETY: the state was initialised; no byte is written into no room.
        let size = unsafe { save(state, std::ptr::null_mut(), 0) };
        let mut bytes = vec![0; size];
        // SAFETY: as before, with as much room as was asked for.
        let written = unsafe { save(state, bytes.as_mut_ptr().cast(), size) };
        (written == size).then_some(bytes)
    }

    /// Makes the state what the saved one was. Whether it did.
    #[expect(unsafe_code, reason = "a function of the table")]
    pub fn restore(&mut self, bytes: &[u8]) -> bool {
        let Some(restore) = self.plugin.table.0.restore else { return false };
        // SAFETY: the state was initialised, and the bytes live.
        unsafe { restore(self.state(), bytes.as_ptr().cast(), bytes.len()) == 0 }
    }
}

impl Drop for State {
    #[expect(unsafe_code, reason = "a function of the table")]
    fn drop(&mut self) {
        if let Some(end) = self.plugin.table.0.end {
            // SAFETY: the state was initialised, and nobody uses it any more.
            unsafe { end(self.state()) };
        }
    }
}
