//! Homes: where the tables of a machine live.
//!
//! Every machine has a trait `Tables` that names one storage type per table, the sizes that a configuration needs, and the set of
//! all its tables; [`tables!`] makes them of one list. [`inline_tables!`](crate::inline_tables) makes a home of arrays for a
//! configuration known at compile time, so that the whole machine is one plain value; a host with an allocator may implement
//! `Tables` with vectors sized by `TableSizes`; [`SliceTables`] are for memory that belongs to somebody else.

use core::fmt;
use core::marker::PhantomData;

use crate::base::parameter::ConfigError;
use crate::frontend::parts::AnyParts;

/// Declares the tables of one machine: `Tables`, `TableSet`, `TableSizes` and `InlineTables` of the module that calls it.
macro_rules! tables {
    ($([$Parts:ident: $PartsOf:ident])? $($(#[$doc:meta])* $Assoc:ident $field:ident: $Row:ty;)*) => {
        /// Where each table lives.
        pub trait Tables {
            $(
                /// Parts that machines of this home can have.
                type $Parts: $PartsOf;
            )?
            $($(#[$doc])* type $Assoc: $crate::Rows<$Row>;)*
        }

        /// The storage of every table, to be handed to the machine's `with_tables`. Contents do not matter; sizes are at least
        /// those of [`TableSizes`].
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
            pub fn layouts(&self) -> impl Iterator<Item = Option<core::alloc::Layout>> + use<> {
                [$(core::alloc::Layout::array::<$Row>(self.$field).ok()),*].into_iter()
            }
        }

        impl<'a $(, $Parts: $PartsOf)?> Tables for $crate::SliceTables<'a $(, $Parts)?> {
            $(type $Parts = $Parts;)?
            $(type $Assoc = &'a mut [$Row];)*
        }

        impl<'a $(, $Parts: $PartsOf)?> TableSet<$crate::SliceTables<'a $(, $Parts)?>> {
            /// Takes each table, in order, from `source`; `None` as soon as it has no more.
            pub fn take_from(source: &mut impl $crate::RowSource<'a>, sizes: &TableSizes) -> Option<Self> {
                Some(Self { $($field: source.rows(sizes.$field)?,)* })
            }
        }

        impl<T: Tables> TableSet<T> {
            /// The first table that is smaller than needed.
            pub(crate) fn shortage(&self, need: &TableSizes) -> Option<$crate::TableTooSmall> {
                $(
                    let have = AsRef::<[$Row]>::as_ref(&self.$field).len();
                    if have < need.$field {
                        return Some($crate::TableTooSmall { table: stringify!($field), have, need: need.$field });
                    }
                )*
                None
            }
        }

        /// A home that brings its own storage.
        pub trait InlineTables: Tables + Sized {
            /// Storage of its size; contents do not matter.
            fn empty() -> TableSet<Self>;
        }
    };
}
pub(crate) use tables;

/// Tables in memory that belongs to somebody else, such as a block that a C program provides.
/// `P` says which parts front ends on it can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SliceTables<'a, P = AnyParts>(PhantomData<(&'a mut (), P)>);

/// Memory from which tables are taken, one behind the other.
pub trait RowSource<'a> {
    /// The next `n` rows; `None` if there is no room for them.
    fn rows<R: Default + 'a>(&mut self, n: usize) -> Option<&'a mut [R]>;
}

/// A table that does not hold what the configuration asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TableTooSmall {
    /// The table, a field of the machine's `TableSizes`.
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

/// Why a machine was not built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuildError {
    /// A value is out of its range: the fault `BadConfig`.
    Config(ConfigError),
    /// The storage is smaller than the configuration needs.
    Tables(TableTooSmall),
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Config(e) => e.fmt(f),
            Self::Tables(e) => e.fmt(f),
        }
    }
}

impl core::error::Error for BuildError {}

/// Makes a home of inline arrays for one configuration, a constant; `name: laperm` makes one for [`laperm`](crate::laperm).
///
/// ```
/// use gpusched::{Config, FrontEnd, inline_tables, laperm};
///
/// const SMALL: Config = Config { n_smx: 4, pend_limit: 64, agt_size: 16, hwq_depth: 4, ..Config::K20C };
/// const QUEUES: laperm::Config = laperm::Config { smxs: 4, pool_cap: 64, ..laperm::Config::K20C };
/// inline_tables! {
///     /// A GPU for a microcontroller.
///     pub struct Small = SMALL;
/// }
/// inline_tables! {
///     /// Its LaPerm alone.
///     pub struct SmallQueues: laperm = QUEUES;
/// }
/// let gpu = FrontEnd::<Small>::new(&SMALL).unwrap();
/// assert_eq!(gpu, gpu.clone());
/// assert!(laperm::LaPerm::<SmallQueues>::new(&QUEUES).is_ok());
/// ```
#[macro_export]
macro_rules! inline_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::frontend::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                [$crate::Linked<
                    { $config.laperm().is_some() }, { $config.bubble.is_some() }, { $config.dats.is_some() }
                >]
                Smxs smxs: $crate::rows::Smx;
                Tbcrs tbcrs: $crate::rows::Tbcr;
                Hwqs hwqs: $crate::rows::Hwq;
                HostKernels host_kernels: $crate::rows::HostKernel;
                Records records: $crate::rows::Record;
                FreeWords free_words: u64;
                LaunchFifos launch_fifos: $crate::rows::LaunchFifo;
                Kdes kdes: $crate::rows::Kde;
                SuspendedKernels suspended: $crate::rows::Suspended;
                Ages ages: $crate::rows::Age;
                BlockCaps block_caps: u8;
                ClassCaps class_caps: $crate::rows::ClassCap;
                LapEntries lap_entries: $crate::laperm::Entry<$crate::rows::UnitWork>;
                LapFreeWords lap_free_words: u64;
                LapSections lap_sections: $crate::laperm::Section;
                LapUnits lap_units: $crate::laperm::UnitQueue;
                Backups backups: $crate::laperm::Backup;
                Powers powers: $crate::rows::SmxPower;
                Activities activities: u16;
                HostGraphs host_graphs: $crate::dats::GraphHeader;
                DgbNodes dgb_nodes: $crate::dats::LocalNode;
                DgbEdges dgb_edges: $crate::dats::NodeId;
                DgbUpdates dgb_updates: $crate::dats::NodeId;
                DgbInsertions dgb_insertions: $crate::dats::Node;
                DgbWords dgb_words: u64;
            }
        };
    };
    ($(#[$meta:meta])* $vis:vis struct $name:ident: laperm = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::laperm as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Entries entries: $crate::laperm::Entry<$crate::laperm::Work>;
                FreeWords free_words: u64;
                Sections sections: $crate::laperm::Section;
                Units units: $crate::laperm::UnitQueue;
                Smxs smxs: $crate::laperm::Resources;
                Backups backups: $crate::laperm::Backup;
                Kdes kdes: $crate::laperm::Kde;
            }
        };
    };
    (@home [$($meta:tt)*] $vis:vis $name:ident) => {
        $($meta)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis struct $name;
    };
    (@tables $name:ident $config:expr, $machine:ident, $([$Parts:ty])? $($Assoc:ident $field:ident: $Row:ty;)*) => {
        impl $machine::Tables for $name {
            $(type Parts = $Parts;)?
            $(type $Assoc = [$Row; $machine::TableSizes::of(&$config).$field];)*
        }

        impl $machine::InlineTables for $name {
            fn empty() -> $machine::TableSet<Self> {
                $machine::TableSet {
                    $($field: ::core::array::from_fn(|_| ::core::default::Default::default()),)*
                }
            }
        }
    };
}
