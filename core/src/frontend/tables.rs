//! Homes for the front end's tables.
//!
//! [`Tables`] names one storage type per table. [`inline_tables!`](crate::inline_tables) makes a home of arrays for a
//! configuration known at compile time, so that the whole machine is one plain value; a host with an allocator may implement
//! [`Tables`] with vectors sized by [`TableSizes`]; [`SliceTables`] are for memory that belongs to somebody else.

use core::alloc::Layout;
use core::fmt;
use core::marker::PhantomData;

use crate::dtbl::agt::Age;
use crate::frontend::config::Config;
use crate::frontend::gates::ClassCap;
use crate::launch::distributor::Kde;
use crate::launch::hwq::{HostKernel, Hwq};
use crate::launch::record::{LaunchFifo, Record};
use crate::launch::suspended::Suspended;
use crate::launch::{free_map, record};
use crate::residency::{Smx, Tbcr};
use crate::table::Rows;

macro_rules! tables {
    ($($(#[$doc:meta])* $Assoc:ident $field:ident: $Row:ty;)*) => {
        /// Where each table lives.
        pub trait Tables {
            $($(#[$doc])* type $Assoc: Rows<$Row>;)*
        }

        /// The storage of every table, to be handed to [`FrontEnd::with_tables`](crate::FrontEnd::with_tables). Contents do
        /// not matter; sizes are at least those of [`TableSizes`].
        pub struct TableSet<T: Tables> {
            $($(#[$doc])* pub $field: T::$Assoc,)*
        }

        /// Rows of each table that a configuration needs.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct TableSizes {
            $($(#[$doc])* pub $field: usize,)*
        }

        impl TableSizes {
            /// Memory that each table needs, in order; `None` where it is more than an address can tell.
            pub fn layouts(&self) -> impl Iterator<Item = Option<Layout>> + use<> {
                [$(Layout::array::<$Row>(self.$field).ok()),*].into_iter()
            }
        }

        impl<'a> Tables for SliceTables<'a> {
            $(type $Assoc = &'a mut [$Row];)*
        }

        impl<'a> TableSet<SliceTables<'a>> {
            /// Takes each table, in order, from `source`; `None` as soon as it has no more.
            pub fn take_from(source: &mut impl RowSource<'a>, sizes: &TableSizes) -> Option<Self> {
                Some(Self { $($field: source.rows(sizes.$field)?,)* })
            }
        }

        impl<T: Tables> TableSet<T> {
            /// The first table that is smaller than needed.
            pub(crate) fn shortage(&self, need: &TableSizes) -> Option<TableTooSmall> {
                $(
                    let have = AsRef::<[$Row]>::as_ref(&self.$field).len();
                    if have < need.$field {
                        return Some(TableTooSmall { table: stringify!($field), have, need: need.$field });
                    }
                )*
                None
            }
        }
    };
}

tables! {
    /// SMX resources: `n_smx`.
    Smxs smxs: Smx;
    /// TB control registers: `n_smx` x `tb_slots`.
    Tbcrs tbcrs: Tbcr;
    /// Hardware work queues: `n_hwq`.
    Hwqs hwqs: Hwq;
    /// Host kernels in them: `n_hwq` x `hwq_depth`.
    HostKernels host_kernels: HostKernel;
    /// Launch records: `pend_limit`.
    Records records: Record;
    /// Map of free launch records.
    FreeWords free_words: u64;
    /// FIFOs of waiting launches: 3 x `warp`.
    LaunchFifos launch_fifos: LaunchFifo;
    /// Kernel distributor entries: `n_kde`.
    Kdes kdes: Kde;
    /// Suspended kernels: `susp_cap`.
    SuspendedKernels suspended: Suspended;
    /// Aggregated group table: `agt_size`.
    Ages ages: Age;
    /// Gate X: `n_smx`.
    BlockCaps block_caps: u8;
    /// Gate K: `n_class` x `n_smx`.
    ClassCaps class_caps: ClassCap;
}

/// Tables in memory that belongs to somebody else, such as a block that a C program provides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SliceTables<'a>(PhantomData<&'a mut ()>);

/// Memory from which tables are taken, one behind the other.
pub trait RowSource<'a> {
    /// The next `n` rows; `None` if there is no room for them.
    fn rows<R: Default + 'a>(&mut self, n: usize) -> Option<&'a mut [R]>;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &Config) -> Self {
        Self {
            smxs: config.n_smx as usize,
            tbcrs: config.n_smx as usize * config.tb_slots as usize,
            hwqs: config.n_hwq as usize,
            host_kernels: config.n_hwq as usize * config.hwq_depth as usize,
            records: config.pend_limit as usize,
            free_words: free_map::words(config.pend_limit),
            launch_fifos: record::fifos(config.warp),
            kdes: config.n_kde as usize,
            suspended: config.susp_cap as usize,
            ages: config.agt_size as usize,
            block_caps: config.n_smx as usize,
            class_caps: config.n_class as usize * config.n_smx as usize,
        }
    }
}

/// A table that does not hold what the configuration asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TableTooSmall {
    /// The table, a field of [`TableSizes`].
    pub table: &'static str,
    /// Its rows.
    pub have: usize,
    /// The rows needed.
    pub need: usize,
}

impl fmt::Display for TableTooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table {}: {} rows where the configuration needs {}", self.table, self.have, self.need)
    }
}

impl core::error::Error for TableTooSmall {}

/// A home that brings its own storage.
pub trait InlineTables: Tables + Sized {
    /// Storage of its size; contents do not matter.
    fn empty() -> TableSet<Self>;
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::{Config, FrontEnd, inline_tables};
///
/// const SMALL: Config = Config { n_smx: 4, pend_limit: 64, agt_size: 16, hwq_depth: 4, ..Config::K20C };
/// inline_tables! {
///     /// A GPU for a microcontroller.
///     pub struct Small = SMALL;
/// }
/// let gpu = FrontEnd::<Small>::new(&SMALL).unwrap();
/// assert_eq!(gpu, gpu.clone());
/// ```
#[macro_export]
macro_rules! inline_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $name;

        impl $crate::Tables for $name {
            type Smxs = [$crate::rows::Smx; $crate::TableSizes::of(&$config).smxs];
            type Tbcrs = [$crate::rows::Tbcr; $crate::TableSizes::of(&$config).tbcrs];
            type Hwqs = [$crate::rows::Hwq; $crate::TableSizes::of(&$config).hwqs];
            type HostKernels = [$crate::rows::HostKernel; $crate::TableSizes::of(&$config).host_kernels];
            type Records = [$crate::rows::Record; $crate::TableSizes::of(&$config).records];
            type FreeWords = [u64; $crate::TableSizes::of(&$config).free_words];
            type LaunchFifos = [$crate::rows::LaunchFifo; $crate::TableSizes::of(&$config).launch_fifos];
            type Kdes = [$crate::rows::Kde; $crate::TableSizes::of(&$config).kdes];
            type SuspendedKernels = [$crate::rows::Suspended; $crate::TableSizes::of(&$config).suspended];
            type Ages = [$crate::rows::Age; $crate::TableSizes::of(&$config).ages];
            type BlockCaps = [u8; $crate::TableSizes::of(&$config).block_caps];
            type ClassCaps = [$crate::rows::ClassCap; $crate::TableSizes::of(&$config).class_caps];
        }

        impl $crate::InlineTables for $name {
            fn empty() -> $crate::TableSet<Self> {
                use ::core::array::from_fn;
                use ::core::default::Default;
                $crate::TableSet {
                    smxs: from_fn(|_| Default::default()),
                    tbcrs: from_fn(|_| Default::default()),
                    hwqs: from_fn(|_| Default::default()),
                    host_kernels: from_fn(|_| Default::default()),
                    records: from_fn(|_| Default::default()),
                    free_words: from_fn(|_| Default::default()),
                    launch_fifos: from_fn(|_| Default::default()),
                    kdes: from_fn(|_| Default::default()),
                    suspended: from_fn(|_| Default::default()),
                    ages: from_fn(|_| Default::default()),
                    block_caps: from_fn(|_| Default::default()),
                    class_caps: from_fn(|_| Default::default()),
                }
            }
        }
    };
}
