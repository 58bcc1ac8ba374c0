//! What C tells, back in the core's terms: each value has one form, and what has not is found.

use gpusched::apogee::{RowId as ApogeeRow, WarpId as ApogeeWarp};
use gpusched::catalogue::StreamSlot;
use gpusched::dats::{GraphPolicy, Node, NodeId};
use gpusched::equalizer::Step;
use gpusched::mascar::WarpId as MascarWarp;
use gpusched::models::monte::SiteId;
use gpusched::simt::scoreboard::{RegId, WarpId as ScoreboardWarp};
use gpusched::tlp::KernelId;
use gpusched::{
    AgeId, ClassId, Cluster, ContextId, Cycle, Dim3, DrainId, GpcId, GpcSet, GridId, GroupRef, HwqId, Id, InstanceId,
    KernelNodeId, KernelSlot, KgraphId, OfferId, RecordId, Resources, SlotId, SmxId, SmxSet, SuspId, TbRef, UnitId,
    UnitKey,
};
use gpusched_abi::convert::{ToC, from_c};
use gpusched_abi::decision::{gpusched_part, gpusched_unit};
use gpusched_abi::offer::gpusched_unit_key;
use gpusched_abi::smx::{
    gpusched_cluster, gpusched_dim3, gpusched_energy, gpusched_gpc_set, gpusched_resources, gpusched_smx_set,
};

use super::decision::{group_ref, tb_ref};
use super::records::{flag, narrow, number, time};

/// A value that C tells.
pub trait Told: ToC {
    /// It in the core's terms.
    ///
    /// # Panics
    /// If it is none.
    fn told(c: &Self::C) -> Self;
}

/// [`Told::told`], of the type that is asked for.
pub fn told<T: Told>(c: &T::C) -> T {
    T::told(c)
}

/// A list that C tells in an array.
///
/// # Panics
/// If it is longer than the array, or something stands behind it.
pub fn told_list<T, L>(array: &[T::C], count: u32) -> L
where
    T: Told<C: Default + PartialEq>,
    L: FromIterator<T>,
{
    let (list, rest) = array.split_at(count as usize);
    assert!(rest.iter().all(|c| *c == T::C::default()), "something stands behind a list");
    list.iter().map(told).collect()
}

/// As [`told_list`], of names of rows, which stand there in their own width.
///
/// # Panics
/// As there.
pub fn told_ids<I, N, L>(array: &[N], count: u32) -> L
where
    I: Id,
    N: Copy + Into<usize>,
    L: FromIterator<I>,
{
    let (list, rest) = array.split_at(count as usize);
    assert!(rest.iter().all(|&number| number.into() == 0), "something stands behind a list");
    list.iter().map(|&number| I::from_index(number.into())).collect()
}

macro_rules! tell {
    ($($T:ty = |$c:ident: $C:ty| $told:expr;)*) => {
        $(impl Told for $T {
            fn told($c: &$C) -> Self {
                $told
            }
        })*
    };
}

tell! {
    u8 = |c: u32| narrow(*c);
    u16 = |c: u32| narrow(*c);
    u32 = |c: u32| *c;
    u64 = |c: u64| *c;
    Option<u32> = |c: u32| number(*c);
    i32 = |c: i32| *c;
    f64 = |c: f64| *c;
    bool = |c: u32| flag(*c);
    u128 = |c: gpusched_energy| Self::from(c.hi) << 64 | Self::from(c.lo);
    Cycle = |c: u64| Self(*c);
    Option<Cycle> = |c: u64| time(*c).map(Cycle);
    Step = |c: i32| Self::try_from(*c).expect("a step is -1, 0 or 1");
    GpcSet = |c: gpusched_gpc_set| Self::from_words(c.words);
    Cluster = |c: gpusched_cluster| from_c(*c);
    Dim3 = |c: gpusched_dim3| Self { x: c.x, y: c.y, z: c.z };
    SmxSet = |c: gpusched_smx_set| Self::from_words(c.words);
    Node = |c: u64| Self::from_bits(*c);
    GraphPolicy = |c: u32| number(*c).map_or(Self::Lrr, |bound: u32| Self::Lvl { bound: narrow(bound) });
    Resources = |c: gpusched_resources| from_c(*c);
}

tell! {
    TbRef = |c: gpusched_part| tb_ref(c.unit, c.row);
    GroupRef = |c: gpusched_part| group_ref(c.unit, c.row);
    OfferId = |c: u32| from_c(*c);
    UnitKey = |c: gpusched_unit_key| Self { ready: Cycle(c.ready), no: c.no };
    Option<UnitKey> = |c: gpusched_unit_key| (*c != gpusched_unit_key::none()).then(|| told(c));
    Option<GroupRef> = |c: gpusched_part| (c.unit != gpusched_unit::None as u32).then(|| group_ref(c.unit, c.row));
}

macro_rules! rows {
    ($($Id:ident)*) => {
        tell! {
            $($Id = |c: u32| Self(narrow(*c));
            Option<$Id> = |c: u32| number(*c).map($Id);)*
        }
    };
}

rows!(SmxId SlotId UnitId KernelSlot KernelId ApogeeRow ApogeeWarp MascarWarp);
rows!(GpcId ContextId DrainId GridId KgraphId InstanceId KernelNodeId);
rows!(ScoreboardWarp RegId NodeId SiteId AgeId ClassId HwqId RecordId SuspId StreamSlot);

impl<T: Told, const N: usize> Told for [T; N] {
    fn told(c: &[T::C; N]) -> Self {
        c.each_ref().map(T::told)
    }
}
