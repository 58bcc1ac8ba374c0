//! A front end with a policy in Rust that decides for it: one machine, one value (sheet [`policy`](crate::sheets::policy)).
//!
//! It is driven as a front end under another policy is, by [`Decided::tick`], [`Decided::run`] and the verbs; the two halves of a cycle
//! and what lies between them are inside. The policy is part of the machine's state: where it is a plain value, the machine is cloned, compared, hashed and saved
//! with it.
//!
//! ```
//! use gpusched::seam::{Answer, Policy, View};
//! use gpusched::{Choice, Config, Decided, Descriptor, Dim3, SmxId, ToldPart, inline_tables};
//!
//! /// Round robin, as the baseline does.
//! #[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
//! struct RoundRobin(SmxId);
//! impl Policy for RoundRobin {
//!     fn choose(&mut self, view: &impl View) -> Answer {
//!         let first = view.offers().next();
//!         let Some((id, smx)) = first.and_then(|offer| Some((offer.id, offer.open.iter_from(self.0).next()?))) else {
//!             return Answer::Wait(None);
//!         };
//!         self.0 = SmxId((smx.0 + 1) % 13);
//!         Answer::Send(Choice::next_of(id, smx))
//!     }
//! }
//!
//! const GPU: Config =
//!     Config { pend_limit: 16, policy: gpusched::Policy::Told(ToldPart::CHAIN), ..Config::K20C };
//! inline_tables! {
//!     struct Small = GPU;
//! }
//! let mut gpu = Decided::<Small, _>::new(&GPU, RoundRobin::default())?;
//! gpu.host_launch(0, &Descriptor { grid: Dim3::linear(30), tb: Dim3::linear(64), ..Descriptor::default() }, false)?;
//! let mut copy = gpu.clone();
//! gpu.run(1000, &mut ())?;
//! copy.run(500, &mut ())?;
//! assert_ne!(copy, gpu);
//! copy.run(500, &mut ())?;
//! assert_eq!((copy.stats().tbs, copy), (30, gpu));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use core::ops::{Deref, DerefMut};

use crate::base::cycle::Cycle;
use crate::base::error::Fault;
use crate::base::home::BuildError;
use crate::base::id::{ClassId, KernelSlot, SlotId, SmxId, SuspId};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::config::parts::expect_told;
use crate::dats::{GraphError, Node, NodeId, Report};
use crate::frontend::tables::{InlineTables, TableSet, Tables};
use crate::frontend::told::sight::Sight;
use crate::frontend::{FrontEnd, Tick};
use crate::policy::seam::offer::Completion;
use crate::policy::seam::policy::{Answer, Policy, ask};
use crate::power::Sample;
use crate::probe::{Decision, Probe};

#[cfg(feature = "image")]
mod image;
#[cfg(feature = "image")]
pub use image::decided_image_config;

/// A front end and the policy that decides for it. All verbs of the front end are its own; those of the two halves of a cycle are the
/// policy's to use.
pub struct Decided<T: Tables, P> {
    front: FrontEnd<T>,
    policy: P,
    /// When the policy wants to be asked, whatever is there to be sent then.
    wake: Option<Cycle>,
    refused: Refused,
}

super::as_its_parts! {
    [T: Tables, P] Decided<T, P> {
        front: FrontEnd<T>,
        policy: P,
        wake: Option<Cycle>,
        refused: Refused,
    }
}

/// Answers of a policy that the front end has refused.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Refused {
    /// How many.
    pub count: u64,
    /// The last one's fault.
    pub last: Option<Fault>,
}

/// Shows a policy what is decided.
struct Seen<'p, P, Q> {
    policy: &'p mut P,
    probe: &'p mut Q,
}

impl<P: Policy, Q: Probe> Probe for Seen<'_, P, Q> {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.policy.saw(at, &decision);
        self.probe.decide(at, decision);
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        self.probe.sample(at, record);
    }
}

/// What came of a cycle in which a policy was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    /// The words of the cycle.
    pub tick: Tick,
    /// TBs that were sent for it.
    pub sent: u32,
    /// When it wants to be asked again if nothing happens before.
    pub wake: Option<Cycle>,
    /// The fault of its last answer, if that was refused.
    pub refused: Option<Fault>,
}

impl<T: Tables> FrontEnd<T> {
    /// Carries out a cycle in which a policy decides: `choose` is asked until it waits, is refused, or has sent all that a cycle may. Unless
    /// it `loads` itself, each load that is needed is asked for before.
    ///
    /// # Errors
    /// `NotTold`, `TwiceBegun`; `TimeOverflow` in the last cycle.
    pub fn decide<Q: Probe>(
        &mut self,
        loads: bool,
        probe: &mut Q,
        mut choose: impl FnMut(&Sight<'_, T>, &mut Q) -> Answer,
    ) -> Result<Asked, Fault> {
        let kmu = self.begin(probe)?;
        let most = self.config().told().map_or(0, |told| told.dispatch_per_cycle);
        let next = self.now().after(1);
        // There may be more to send in the next cycle, unless the policy waits.
        let (mut wake, mut sent, mut refused) = (Some(next), 0, None);
        while sent < most && refused.is_none() {
            if !loads {
                self.load_needed(probe)?;
            }
            let answer = choose(&self.policy_view()?, probe);
            refused = match answer {
                Answer::Wait(until) => {
                    wake = until.map(|at| at.max(next));
                    break;
                }
                Answer::Load(id) => self.load(id, probe).err(),
                Answer::Send(choice) => {
                    let fault = self.send_choice(choice, probe).err();
                    sent += u32::from(fault.is_none());
                    fault
                }
            };
        }
        let sched = self.end(wake, probe)?;
        Ok(Asked { tick: Tick { sched, kmu }, sent, wake, refused })
    }
}

impl<T: InlineTables, P: Policy> Decided<T, P> {
    /// A machine that brings its own tables.
    ///
    /// # Errors
    /// As [`FrontEnd::new`]; `BuildError::Config` with `NotTold` if the configuration's policy is another one.
    pub fn new(config: &Config, policy: P) -> Result<Self, BuildError> {
        Self::with_tables(config, T::empty(), policy)
    }
}

impl<T: Tables, P: Policy> Decided<T, P> {
    /// A machine on the given tables.
    ///
    /// # Errors
    /// As [`FrontEnd::with_tables`]; `BuildError::Config` with `NotTold` if the configuration's policy is another one.
    pub fn with_tables(config: &Config, tables: TableSet<T>, policy: P) -> Result<Self, BuildError> {
        expect_told(config).map_err(BuildError::Config)?;
        Ok(Self { front: FrontEnd::with_tables(config, tables)?, policy, wake: None, refused: Refused::default() })
    }

    /// The policy.
    #[must_use]
    pub fn policy(&self) -> &P {
        &self.policy
    }

    /// Answers of the policy that were refused. Each ends its cycle, and changes nothing else.
    #[must_use]
    pub fn refused(&self) -> Refused {
        self.refused
    }

    /// Carries out a cycle: the policy is asked until it waits, is refused, or has sent all that a cycle may.
    ///
    /// # Errors
    /// `TimeOverflow` in the last cycle.
    pub fn tick(&mut self, probe: &mut impl Probe) -> Result<Tick, Fault> {
        let Self { front, policy, wake, refused } = self;
        let loads = policy.loads();
        let asked = front.decide(loads, &mut Seen { policy, probe }, |view, seen| ask(seen.policy, view))?;
        *wake = asked.wake;
        if asked.refused.is_some() {
            *refused = Refused { count: refused.count.saturating_add(1), last: asked.refused };
        }
        Ok(asked.tick)
    }

    /// Carries out `n` cycles without any event between them; those in which nothing happens and the policy waits go by at once. A policy
    /// that keeps its promises does what it would in as many calls of [`Decided::tick`] (policy-E4).
    ///
    /// # Errors
    /// `TimeOverflow` if the span reaches the last cycle; then none is carried out.
    pub fn run(&mut self, n: u64, probe: &mut impl Probe) -> Result<(), Fault> {
        if n > Cycle::MAX.since(self.now()) {
            return Err(Fault::TimeOverflow);
        }
        let end = self.now().after(n);
        while self.now() < end {
            let until = self.wake.filter(|&wake| wake >= self.now()).map_or(end, |wake| wake.min(end));
            if self.front.skip(until)? == 0 {
                self.tick(probe)?;
            }
        }
        Ok(())
    }

    /// The next cycle in which the front end has something to do, or the policy wants to be asked ([`FrontEnd::next_event`]). A policy may
    /// keep books in cycles in which nothing can be sent, of which the front end alone knows nothing.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        let wake = self.wake.filter(|&wake| wake >= self.now());
        self.front.next_event().into_iter().chain(wake).min()
    }

    /// The TB at `smx`, `slot` has ended, and nobody has counted its instructions.
    ///
    /// # Errors
    /// As [`FrontEnd::tb_done`].
    pub fn tb_done(&mut self, smx: SmxId, slot: SlotId, probe: &mut impl Probe) -> Result<(), Fault> {
        self.tb_done_after(smx, slot, (0, 0), probe)
    }

    /// The TB at `smx`, `slot` has ended; it has issued so many warp instructions, and all TBs of its unit on that SMX so many meanwhile.
    ///
    /// # Errors
    /// As [`FrontEnd::tb_done`].
    pub fn tb_done_after(
        &mut self,
        smx: SmxId,
        slot: SlotId,
        (issued, all): (u64, u64),
        probe: &mut impl Probe,
    ) -> Result<(), Fault> {
        let ended = self.front.completion(smx, slot);
        let Self { front, policy, .. } = self;
        front.tb_done(smx, slot, &mut Seen { policy, probe })?;
        if let Some(ended) = ended {
            policy.done(&Completion { issued, all, ..ended });
        }
        Ok(())
    }
}

/// Verbs of the front end that the policy sees.
macro_rules! seen {
    ($($name:ident($($argument:ident: $Type:ty),*) -> $Answer:ty;)*) => {
        impl<T: Tables, P: Policy> Decided<T, P> {
            $(
                #[doc = concat!("[`FrontEnd::", stringify!($name), "`]; the policy sees what is decided.")]
                ///
                /// # Errors
                /// As there.
                pub fn $name(&mut self, $($argument: $Type,)* probe: &mut impl Probe) -> $Answer {
                    let Self { front, policy, .. } = self;
                    front.$name($($argument,)* &mut Seen { policy, probe })
                }
            )*
        }
    };
}
seen! {
    unretain(kde: KernelSlot) -> Result<(), Fault>;
    suspend(kde: KernelSlot) -> Result<SuspId, Fault>;
    abort_graph(kde: KernelSlot) -> Result<(), Fault>;
    graph_nodes(tag: u32, entries: &[Node]) -> Result<Report, GraphError>;
    graph_edges(tag: u32, targets: &[NodeId]) -> Result<Report, GraphError>;
    graph_spilled(tag: u32) -> Result<Report, GraphError>;
}

/// Gates, of whose change the policy is told.
macro_rules! regated {
    ($($name:ident($($argument:ident: $Type:ty),*);)*) => {
        impl<T: Tables, P: Policy> Decided<T, P> {
            $(
                #[doc = concat!("[`FrontEnd::", stringify!($name), "`]; the policy is told.")]
                ///
                /// # Errors
                /// As there.
                pub fn $name(&mut self, $($argument: $Type),*) -> Result<(), Fault> {
                    self.front.$name($($argument),*)?;
                    self.policy.regated();
                    Ok(())
                }
            )*
        }
    };
}
regated! {
    set_eligible(eligible: SmxSet);
    set_block_cap(smx: SmxId, cap: u32);
    set_class(cls: ClassId, pc: u64);
    clear_class(cls: ClassId);
    set_class_cap(cls: ClassId, smx: SmxId, cap: u32, by: u32);
}

impl<T: Tables, P> Deref for Decided<T, P> {
    type Target = FrontEnd<T>;

    fn deref(&self) -> &FrontEnd<T> {
        &self.front
    }
}

/// The verbs that no policy needs to see.
impl<T: Tables, P> DerefMut for Decided<T, P> {
    fn deref_mut(&mut self) -> &mut FrontEnd<T> {
        &mut self.front
    }
}
