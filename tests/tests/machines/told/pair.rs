//! Two machines that must do the same: one under another policy, or asked in every cycle, and one whose host decides.

use gpusched::seam::{self, Policy};
use gpusched::{Choice, Config, Cycle, Decided, Decision, State, Stats, Tick, Words};
use gpusched_heap::{HeapTables, tables};
use gpusched_tests::events::{Answer, Event, Value};
use gpusched_tests::view::View;

use crate::properties::configs::{Machine, machine};
use crate::told::hosts::Host;

/// A cycle of a machine whose host decides: what it has answered in all, and the words of its halves.
pub fn cycle(gpu: &mut Machine, host: &mut Host) -> (Answer, Tick) {
    let mut all = Answer { value: Ok(Value::Done), decisions: Vec::new(), samples: Vec::new() };
    let mut note = |answer: Answer| {
        all.decisions.extend(answer.decisions);
        all.samples.extend(answer.samples);
        answer.value.expect("this host answers well")
    };
    let Value::Kmu(kmu) = note(Event::Begin.apply(gpu)) else { unreachable!("a begin answers with a word") };
    let (mut wake, mut sent) = (Some(gpu.now().0 + 1), 0);
    while sent < gpu.config().told().map_or(0, |told| told.dispatch_per_cycle) {
        let answer = host.choose(&gpu.policy_view().expect("the host decides"));
        let event = match answer {
            seam::Answer::Load(id) => Event::Load(id),
            seam::Answer::Send(Choice { id, smx, .. }) => {
                sent += 1;
                Event::Send { id, smx: smx.into() }
            }
            seam::Answer::Wait(until) => {
                wake = until.map(|at| at.0);
                break;
            }
        };
        note(event.apply(gpu));
    }
    let Value::Sched(sched) = note(Event::End(wake).apply(gpu)) else { unreachable!("an end answers with a word") };
    (all, Tick { sched, kmu })
}

/// What an equality speaks of: no decision that only one of the two policies has.
fn decisions(all: &[(Cycle, Decision)]) -> Vec<(Cycle, Decision)> {
    let is_own = |decision: &Decision| {
        matches!(decision, Decision::Place { .. } | Decision::Lap { .. } | Decision::Refill { .. } | Decision::Stalled)
    };
    all.iter().copied().filter(|(_, decision)| !is_own(decision)).collect()
}

/// What an equality speaks of, priorities up to `levels`: all state but rr, cursors, status, and what only one of the two has.
fn specified(gpu: &Machine, levels: u8) -> View {
    let mut view = View::of(gpu);
    view.rr = gpusched::SmxId(0);
    view.status = State::Drained;
    view.stats = Stats { gated: 0, capped: 0, told: 0, stalled: 0, rescued: 0, ..view.stats };
    (view.told, view.laperm) = (None, None);
    view.waiting_heads.clear();
    view.kdes.values_mut().for_each(|entry| entry.cursor = None);
    let of_kernels = view.kdes.values_mut().map(|entry| &mut entry.prio);
    let of_groups = view.records.values_mut().map(|record| &mut record.prio);
    let all = of_kernels.chain(of_groups).chain(view.tbs.iter_mut().map(|tb| &mut tb.prio));
    all.for_each(|prio| *prio = (*prio).min(levels));
    view
}

/// A machine under another policy, and one that is to do the same because its policy, which is asked, does what that one would.
pub struct Pair<P> {
    other: Machine,
    told: Decided<HeapTables, P>,
    /// Whether the other policy has the words of this one.
    same_words: bool,
    /// The deepest priority of the other policy.
    levels: u8,
}

impl<P: Policy> Pair<P> {
    /// Two machines.
    pub fn of(other: &Config, told: &Config, policy: P) -> Self {
        let policy = Decided::with_tables(told, tables(told), policy).expect("the host decides");
        let levels = other.laperm().map_or(u8::MAX, |part| part.levels as u8);
        Self { other: machine(other), told: policy, same_words: other.laperm().is_none(), levels }
    }

    /// The machine under the other policy.
    pub fn other(&mut self) -> &mut Machine {
        &mut self.other
    }

    fn cycles(&mut self, n: u64) -> Answer {
        let mut all = Answer { value: Ok(Value::Done), decisions: Vec::new(), samples: Vec::new() };
        let mut words = Words::default();
        let mut note = |answer: Answer| {
            let Ok(Value::Words(of)) = answer.value else { unreachable!("time is short of its end") };
            words += of;
            all.decisions.extend(answer.decisions);
            all.samples.extend(answer.samples);
        };
        let until = self.other.now().after(n);
        while self.other.now() < until {
            let now = self.other.now();
            let next = self.told.next_event().map_or(until, |at| at.min(until));
            if next > now {
                // policy-P13: nothing falls due, so that nothing is decided.
                let answer = Event::Run(next.since(now)).apply(&mut self.other);
                assert_eq!(decisions(&answer.decisions), [], "nothing was announced before {next:?}");
                assert_eq!(self.told.skip(next), Ok(next.since(now)));
                note(answer);
            } else {
                let answer = Event::Tick.apply(&mut self.other);
                let (mine, tick) = Event::tick_seen(&mut self.told);
                assert_eq!(decisions(&mine.decisions), decisions(&answer.decisions), "in {now:?}");
                assert_eq!(mine.samples, answer.samples, "in {now:?}");
                let Ok(Value::Words(theirs)) = answer.value else { unreachable!("it was no last cycle") };
                self.compare_words(&tick, theirs);
                note(answer);
            }
            self.compare_states(&now);
        }
        Answer { value: Ok(Value::Words(words)), ..all }
    }

    fn compare_states(&self, after: &impl std::fmt::Debug) {
        let [mine, theirs] = [&*self.told, &self.other].map(|gpu| specified(gpu, self.levels));
        assert_eq!(mine, theirs, "after {after:?}");
    }

    fn compare_words(&self, tick: &Tick, theirs: Words) {
        let mut mine = Words::default();
        mine.count(tick, 1);
        let kmu = |w: Words| [w.issue, w.empty, w.busy, w.kdfull, w.dgbusy];
        assert_eq!(kmu(mine), kmu(theirs));
        if mine.told == 0 && self.same_words {
            assert_eq!(mine, theirs, "the words of {:?}", self.other.now());
        }
        assert_eq!(mine.tb, theirs.tb);
    }
}

impl<P: Policy> gpusched_tests::machine::Machine for Pair<P> {
    type Event = Event;
    type Answered = Answer;
    type View = View;
    type Mark = Machine;

    fn take(&mut self, event: &Event) -> Answer {
        match *event {
            Event::Tick if self.other.now() < Cycle::MAX => self.cycles(1),
            Event::Run(n) if n <= Cycle::MAX.since(self.other.now()) => self.cycles(n),
            Event::Tick | Event::Run(_) | Event::WaitingHead(_) => self.other.take(event),
            _ => {
                let (theirs, mine) = (self.other.take(event), event.apply_seen(&mut self.told));
                assert_eq!(mine.value, theirs.value, "{event:?}");
                assert_eq!(decisions(&mine.decisions), decisions(&theirs.decisions), "{event:?}");
                self.compare_states(event);
                theirs
            }
        }
    }

    fn view(&self) -> View {
        View::of(&self.other)
    }

    fn mark(&self) -> Machine {
        self.other.clone()
    }
}
