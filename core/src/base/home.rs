//! Homes: where the tables of a machine live.
//!
//! Every machine has a trait `Tables` that names one storage type per table, the sizes that a configuration needs, and the set of
//! all its tables; [`tables!`] makes them of one list. [`inline_tables!`](crate::inline_tables) makes a home of arrays for a
//! configuration known at compile time, so that the whole machine is one plain value; a host with an allocator may implement
//! `Tables` with vectors sized by `TableSizes`; [`SliceTables`] are for memory that belongs to somebody else.

use core::fmt;
use core::marker::PhantomData;

use crate::base::parameter::ConfigError;
use crate::base::presence::AnyParts;

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

            /// The home of memory of that size that holds nothing yet.
            type Reserve: Tables;

            /// That memory. In a `static` it takes no room in a program's file, and it never lies on a stack.
            const RESERVED: TableSet<Self::Reserve>;

            /// The memory's rows, made where they lie.
            fn lend(reserved: &mut Reserved<Self>) -> TableSet<$crate::SliceTables<'_ $(, <Self as Tables>::$Parts)?>>;
        }

        /// Memory for the tables of an inline home, apart from the machine: [`InlineTables::RESERVED`].
        pub type Reserved<T> = TableSet<<T as InlineTables>::Reserve>;
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
