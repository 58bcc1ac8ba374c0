//! Parts that a machine may lack. Whether it can have one is said by its home, at compile time; whether it has one, by its
//! configuration. A part that the home leaves out costs neither code nor state: what asks for it is told at compile time that it
//! is not there.

use core::fmt;
use core::hash::{Hash, Hasher};

/// Whether a part can be there: [`Given`] true or false.
pub trait Presence {
    /// Where the part lies, if it is there.
    type Slot<V>: Slot<V>;
    /// Whether it can be.
    const IS_POSSIBLE: bool;
}

/// A place for what may be missing.
pub trait Slot<V> {
    /// The place with what `make` makes, if it is asked.
    fn new(make: impl FnOnce() -> Option<V>) -> Self;
    /// What is there.
    fn get(&self) -> Option<&V>;
    /// What is there, to be changed.
    fn get_mut(&mut self) -> Option<&mut V>;
}

/// A part that can be there, if the flag is set, or cannot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Given<const IS_POSSIBLE: bool>;

impl Presence for Given<true> {
    type Slot<V> = Option<V>;
    const IS_POSSIBLE: bool = true;
}

impl Presence for Given<false> {
    type Slot<V> = ();
    const IS_POSSIBLE: bool = false;
}

impl<V> Slot<V> for Option<V> {
    #[inline(always)]
    fn new(make: impl FnOnce() -> Option<V>) -> Self {
        make()
    }

    #[inline(always)]
    fn get(&self) -> Option<&V> {
        self.as_ref()
    }

    #[inline(always)]
    fn get_mut(&mut self) -> Option<&mut V> {
        self.as_mut()
    }
}

impl<V> Slot<V> for () {
    #[inline(always)]
    fn new(_: impl FnOnce() -> Option<V>) -> Self {}

    #[inline(always)]
    fn get(&self) -> Option<&V> {
        None
    }

    #[inline(always)]
    fn get_mut(&mut self) -> Option<&mut V> {
        None
    }
}

/// Which parts the machines of a home can have. [`Linked`] has every choice.
pub trait Parts {
    /// LaPerm.
    type LaPerm: Presence;
    /// The occupancy-bubble controller.
    type Bubble: Presence;
    /// The dependency-graph buffer.
    type Dats: Presence;
    /// A host that decides which TB goes where.
    type Told: Presence;
    /// Topology, clusters, priorities, partitions, preemption.
    type Modern: Presence;
    /// Grids that are complete later than they end.
    type Grids: Presence;
}

/// The parts with a flag can be there: LaPerm, the occupancy-bubble controller, the dependency-graph buffer, a host that decides which
/// TB goes where, what GPUs of today add (sheet `modern`), grids (sheet `launch2`). The others cost neither code nor state, and a
/// configuration that asks for one is refused.
///
/// ```
/// use gpusched::{Config, DatsPart, FrontEnd, inline_tables, presets::K20c};
///
/// const GRAPHS: Config = Config { dats: Some(DatsPart::GTX480), ..Config::K20C };
/// inline_tables! {
///     struct WithGraphs = GRAPHS;
/// }
/// // A home has the parts of its configuration, and front ends on it the parts of theirs.
/// assert!(FrontEnd::<WithGraphs>::new(&GRAPHS).is_ok_and(|gpu| gpu.dgb().is_some()));
/// assert!(FrontEnd::<WithGraphs>::new(&Config::K20C).is_ok_and(|gpu| gpu.dgb().is_none()));
/// let error = FrontEnd::<K20c>::new(&GRAPHS).unwrap_err();
/// assert_eq!(error.to_string(), "dats = 1: the home leaves this part out");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Linked<
    const LAPERM: bool,
    const BUBBLE: bool,
    const DATS: bool,
    const TOLD: bool,
    const MODERN: bool,
    const GRIDS: bool,
>;

/// Whatever the configuration asks for.
pub type AnyParts = Linked<true, true, true, true, true, true>;
/// Round robin alone.
pub type NoParts = Linked<false, false, false, false, false, false>;

impl<const LAPERM: bool, const BUBBLE: bool, const DATS: bool, const TOLD: bool, const MODERN: bool, const GRIDS: bool>
    Parts for Linked<LAPERM, BUBBLE, DATS, TOLD, MODERN, GRIDS>
where
    Given<LAPERM>: Presence,
    Given<BUBBLE>: Presence,
    Given<DATS>: Presence,
    Given<TOLD>: Presence,
    Given<MODERN>: Presence,
    Given<GRIDS>: Presence,
{
    type LaPerm = Given<LAPERM>;
    type Bubble = Given<BUBBLE>;
    type Dats = Given<DATS>;
    type Told = Given<TOLD>;
    type Modern = Given<MODERN>;
    type Grids = Given<GRIDS>;
}

/// A part of a machine, with the verbs of an `Option`.
pub(crate) struct Part<P: Presence, V>(P::Slot<V>);

impl<P: Presence, V> Part<P, V> {
    /// The part that `make` makes, unless the home leaves it out.
    #[inline(always)]
    pub(crate) fn new(make: impl FnOnce() -> Option<V>) -> Self {
        Self(P::Slot::new(make))
    }

    #[inline(always)]
    pub(crate) fn as_ref(&self) -> Option<&V> {
        self.0.get()
    }

    #[inline(always)]
    pub(crate) fn as_mut(&mut self) -> Option<&mut V> {
        self.0.get_mut()
    }

    #[inline(always)]
    pub(crate) fn is_some(&self) -> bool {
        self.as_ref().is_some()
    }
}

impl<P: Presence, V: Clone> Clone for Part<P, V> {
    fn clone(&self) -> Self {
        Self::new(|| self.as_ref().cloned())
    }
}

impl<P: Presence, V: fmt::Debug> fmt::Debug for Part<P, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_ref().fmt(f)
    }
}

impl<P: Presence, V: PartialEq> PartialEq for Part<P, V> {
    fn eq(&self, other: &Self) -> bool {
        self.as_ref() == other.as_ref()
    }
}

impl<P: Presence, V: Eq> Eq for Part<P, V> {}

impl<P: Presence, V: Hash> Hash for Part<P, V> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.as_ref().hash(state);
    }
}
