//! The policy that is asked what it would do. It is asked for each TB that the log places, and then made to go the log's way, so that the
//! next question finds it where it would be if it had decided as the log did.

use crate::scheduler::{OfFile, Sched};
use gpusched::catalogue::Catalogue;
use gpusched::seam::{Answer, FcfsRr, Policy, View, ask};
use gpusched::{Choice, Completion};
use gpusched_heap::catalogue::HeapTables;
use gpusched_refgpu::front::Machine;

/// A policy on the log's machine.
#[derive(Debug)]
pub enum Asked {
    /// First come, first served, and round robin.
    Fcfs(FcfsRr),
    /// One of the catalogue.
    Catalogue(Box<Catalogue<HeapTables>>),
    /// One of a file.
    File(Box<OfFile>),
}

impl Asked {
    /// The policy that is called so, or why it cannot be asked about this machine.
    pub fn new(sched: &Sched, machine: &Machine) -> Result<Self, String> {
        match sched {
            Sched::Fcfs => Ok(Self::Fcfs(FcfsRr::new(&machine.front))),
            Sched::Catalogue(policy) => policy.on(machine).map(|policy| Self::Catalogue(Box::new(policy))),
            Sched::File(policy) => policy.on(machine).map(|policy| Self::File(Box::new(policy))),
            Sched::Own(_) => Err("a log is held against named schedulers".to_owned()),
            Sched::LaPerm(_) => Err("it goes by queues inside the front end, of which a log does not tell".to_owned()),
        }
    }

    /// What it would send. A policy of a file has no copy that could be asked in its place: it takes the question for the truth.
    pub fn would(&mut self, view: &impl View) -> Option<Choice> {
        sent(match self {
            Self::Fcfs(policy) => ask(&mut policy.clone(), view),
            Self::Catalogue(policy) => ask(&mut (**policy).clone(), view),
            Self::File(policy) => ask(&mut **policy, view),
        })
    }

    /// The same for good. Answers whether it sends anything.
    pub fn follow(&mut self, view: &impl View) -> bool {
        let answer = match self {
            Self::Fcfs(policy) => ask(policy, view),
            Self::Catalogue(policy) => ask(&mut **policy, view),
            Self::File(policy) => ask(&mut **policy, view),
        };
        sent(answer).is_some()
    }

    /// A TB has ended.
    pub fn done(&mut self, completion: &Completion) {
        match self {
            Self::Fcfs(policy) => Policy::done(policy, completion),
            Self::Catalogue(policy) => Policy::done(&mut **policy, completion),
            Self::File(policy) => Policy::done(&mut **policy, completion),
        }
    }

    /// Whether a question has moved it already.
    pub const fn is_moved_by_questions(&self) -> bool {
        matches!(self, Self::File(_))
    }
}

fn sent(answer: Answer) -> Option<Choice> {
    if let Answer::Send(choice) = answer { Some(choice) } else { None }
}
