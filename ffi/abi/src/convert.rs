//! Values on their way between the core's types and C's.
//!
//! Each type of the core has one form in C. Numbers below 64 bits, rows, flags and enumerations are 32-bit numbers; where there is no row,
//! GPUSCHED_NONE, and where a cycle will not come, GPUSCHED_NEVER; where there is no value of an enumeration, 0, with the others behind.

use gpusched::apogee::{RowId as ApogeeRow, WarpId as ApogeeWarp};
use gpusched::catalogue::StreamSlot;
use gpusched::dats::{Node, NodeId};
use gpusched::equalizer::Step;
use gpusched::mascar::WarpId as MascarWarp;
use gpusched::models::monte::SiteId;
use gpusched::simt::scoreboard::{RegId, WarpId as ScoreboardWarp};
use gpusched::tlp::KernelId;
use gpusched::{
    AgeId, ClassId, Cluster, ContextId, Cycle, Dim3, DrainId, GpcId, GpcSet, GridId, HwqId, InstanceId, KernelNodeId,
    KernelSlot, KgraphId, RecordId, SlotId, SmxId, SmxSet, SuspId, UnitId,
};

use crate::config::Choice;
use crate::smx::{gpusched_cluster, gpusched_dim3, gpusched_energy, gpusched_gpc_set, gpusched_smx_set};
use crate::{GPUSCHED_NEVER, GPUSCHED_NONE};

/// What C can be told.
pub trait ToC {
    /// Its form in C.
    type C;

    /// It in C.
    fn to_c(&self) -> Self::C;
}

/// What C can say. Whatever C says has a meaning, if only that there is no such thing: the machine itself refuses that.
pub trait FromC {
    /// Its form in C.
    type C;

    /// It in the core.
    fn from_c(c: Self::C) -> Self;
}

/// [`FromC::from_c`], of the type that is asked for.
#[inline]
pub fn from_c<T: FromC>(c: T::C) -> T {
    T::from_c(c)
}

/// An optional value in C where another field says whether there is one.
#[inline]
pub fn or_default<T: ToC + Copy + Default>(value: &Option<T>) -> T::C {
    value.unwrap_or_default().to_c()
}

/// The value of an enumeration that C's number names, if it names one.
#[inline]
#[must_use]
pub fn named<E: Choice>(number: u32) -> Option<E> {
    E::ALL.get(number as usize).copied()
}

/// The number that names a value of an enumeration, or one that names none.
#[inline]
#[must_use]
pub fn number_of<E: Choice>(value: Option<E>) -> u32 {
    value.map_or(GPUSCHED_NONE, Choice::code)
}

/// A list in C's array, which has room for it; behind it everything is 0.
#[inline]
pub(crate) fn in_array<T: ToC<C: Copy + Default>, const N: usize>(list: &[T]) -> [T::C; N] {
    let mut array = [T::C::default(); N];
    array.iter_mut().zip(list).for_each(|(to, from)| *to = from.to_c());
    array
}

/// A list that has another form in the core, of which there may be `N - 1`: one more is as bad as any.
#[inline]
pub(crate) fn copied<T: FromC<C: Copy>, const N: usize>(list: &[T::C]) -> heapless::Vec<T, N> {
    list.iter().take(N).map(|c| from_c(*c)).collect()
}

/// As [`copied`], of items with an enumeration; none if C says one that names nothing.
#[inline]
pub(crate) fn all_named<T, const N: usize>(list: &[<Option<T> as FromC>::C]) -> Option<heapless::Vec<T, N>>
where
    Option<T>: FromC<C: Copy>,
{
    list.iter().take(N).map(|c| from_c(*c)).collect()
}

impl<T: ToC, const N: usize> ToC for [T; N] {
    type C = [T::C; N];

    #[inline]
    fn to_c(&self) -> Self::C {
        self.each_ref().map(ToC::to_c)
    }
}

impl<T: FromC, const N: usize> FromC for [T; N] {
    type C = [T::C; N];

    #[inline]
    fn from_c(c: Self::C) -> Self {
        c.map(T::from_c)
    }
}

/// The name of a row in an array, where it is no wider than it is.
pub(crate) trait Narrow: Copy {
    /// The number in it.
    type Number: Copy + Default;

    /// The number.
    fn narrow(self) -> Self::Number;
}

/// As [`in_array`], of names of rows.
#[inline]
pub(crate) fn ids_in_array<I: Narrow, const N: usize>(list: &[I]) -> [I::Number; N] {
    let mut array = [I::Number::default(); N];
    array.iter_mut().zip(list).for_each(|(to, from)| *to = from.narrow());
    array
}

macro_rules! themselves {
    ($($N:ty)*) => {
        $(impl ToC for $N {
            type C = Self;

            #[inline]
            fn to_c(&self) -> Self {
                *self
            }
        }

        impl FromC for $N {
            type C = Self;

            #[inline]
            fn from_c(c: Self) -> Self {
                c
            }
        })*
    };
}

themselves!(u32 u64 i32 f64);

/// What a small number cannot hold becomes its greatest value, which is beyond every range.
macro_rules! small {
    ($($N:ty)*) => {
        $(impl ToC for $N {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                (*self).into()
            }
        }

        impl FromC for $N {
            type C = u32;

            #[inline]
            fn from_c(c: u32) -> Self {
                c.min(Self::MAX.into()) as Self
            }
        })*
    };
}

small!(u8 u16);

/// What has one way there and one back.
macro_rules! both_ways {
    ($($T:ty: $C:ty = |$value:ident| $to:expr, |$c:ident| $from:expr;)*) => {
        $(impl ToC for $T {
            type C = $C;

            #[inline]
            fn to_c(&self) -> $C {
                let $value = *self;
                $to
            }
        }

        impl FromC for $T {
            type C = $C;

            #[inline]
            fn from_c($c: $C) -> Self {
                $from
            }
        })*
    };
}

both_ways! {
    bool: u32 = |flag| flag.into(), |c| c != 0;
    Cycle: u64 = |cycle| cycle.0, |c| Self(c);
    SmxSet: gpusched_smx_set = |set| gpusched_smx_set { words: set.words() }, |c| Self::from_words(c.words);
    GpcSet: gpusched_gpc_set = |set| gpusched_gpc_set { words: set.words() }, |c| Self::from_words(c.words);
    Cluster: gpusched_cluster = |of| gpusched_cluster { x: of.x, y: of.y, z: of.z, nonportable: of.nonportable },
        |c| Self { x: c.x, y: c.y, z: c.z, nonportable: c.nonportable };
    Dim3: gpusched_dim3 = |of| gpusched_dim3 { x: of.x, y: of.y, z: of.z }, |c| Self { x: c.x, y: c.y, z: c.z };
}

impl ToC for Option<Cycle> {
    type C = u64;

    #[inline]
    fn to_c(&self) -> u64 {
        self.map_or(GPUSCHED_NEVER, |at| at.0)
    }
}

/// Where a number may be missing it is not GPUSCHED_NONE, which is said of a missing one: the greatest one stands for it.
impl ToC for Option<u32> {
    type C = u32;

    #[inline]
    fn to_c(&self) -> u32 {
        self.map_or(GPUSCHED_NONE, |number| number.min(GPUSCHED_NONE - 1))
    }
}

impl FromC for Option<u32> {
    type C = u32;

    #[inline]
    fn from_c(c: u32) -> Self {
        (c != GPUSCHED_NONE).then_some(c)
    }
}

/// Names of rows. What an id cannot hold becomes its greatest value, which no machine has.
macro_rules! rows {
    ($($Id:ident($repr:ty))*) => {
        $(impl ToC for $Id {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                self.0.into()
            }
        }

        impl FromC for $Id {
            type C = u32;

            #[inline]
            fn from_c(c: u32) -> Self {
                Self(from_c::<$repr>(c))
            }
        }

        impl ToC for Option<$Id> {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                self.map_or(GPUSCHED_NONE, |id| id.0.into())
            }
        }

        impl Narrow for $Id {
            type Number = $repr;

            #[inline]
            fn narrow(self) -> $repr {
                self.0
            }
        })*
    };
}

rows!(SmxId(u16) SlotId(u8) UnitId(u16) KernelSlot(u8) KernelId(u8) ApogeeRow(u16) ApogeeWarp(u16) MascarWarp(u8));
rows!(ScoreboardWarp(u8) RegId(u16) NodeId(u16) SiteId(u16) AgeId(u32) ClassId(u8) HwqId(u8) RecordId(u32) SuspId(u8) StreamSlot(u8));
rows!(GpcId(u8) ContextId(u8) DrainId(u8) GridId(u32) KgraphId(u8) InstanceId(u8) KernelNodeId(u16));

impl ToC for Node {
    type C = u64;

    #[inline]
    fn to_c(&self) -> u64 {
        self.to_bits()
    }
}

/// Rows that C may leave out.
macro_rules! rows_or_none {
    ($($Id:ident)*) => {
        $(impl FromC for Option<$Id> {
            type C = u32;

            #[inline]
            fn from_c(c: u32) -> Self {
                (c != GPUSCHED_NONE).then(|| from_c(c))
            }
        })*
    };
}

rows_or_none!(RegId SmxId UnitId ContextId);

/// There may be as many entries as the id can name: what it cannot hold is none.
impl FromC for Option<KernelSlot> {
    type C = u32;

    #[inline]
    fn from_c(c: u32) -> Self {
        u8::try_from(c).ok().map(KernelSlot)
    }
}

/// -1, 0 or 1.
impl ToC for Step {
    type C = i32;

    #[inline]
    fn to_c(&self) -> i32 {
        self.number().into()
    }
}

impl ToC for u128 {
    type C = gpusched_energy;

    #[inline]
    fn to_c(&self) -> gpusched_energy {
        gpusched_energy { lo: *self as u64, hi: (*self >> 64) as u64 }
    }
}

/// Ties enumerations of C to those of the core, which have the same names.
macro_rules! numbers {
    ($($CEnum:ident = $Enum:ident { $($variant:ident)* };)*) => {
        $(impl $crate::convert::ToC for $Enum {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                match self {
                    $(Self::$variant { .. } => $CEnum::$variant as u32,)*
                }
            }
        })*
    };
}
pub(crate) use numbers;

/// As [`numbers`], of enumerations that C also has for "none".
macro_rules! optional_numbers {
    ($($CEnum:ident = $Enum:ident { $($variant:ident)* };)*) => {
        $(impl $crate::convert::ToC for Option<$Enum> {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                match self {
                    None => $CEnum::None as u32,
                    $(Some($Enum::$variant) => $CEnum::$variant as u32,)*
                }
            }
        })*
    };
}
pub(crate) use optional_numbers;
