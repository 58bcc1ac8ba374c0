//! What the occupancy-bubble controller had each SMX do: its state over time, and when it was in a bubble.
//!
//! The front end's side of the machine says after every sample of the controller what each SMX is in from then on
//! ([`States::set`]); a picture asks for the spans. Only changes are kept, so an SMX that nothing happens to costs nothing. A run
//! without the controller sets nothing: its SMXs are in [`SmxState::High`] throughout.

use serde::Serialize;

/// What an SMX is in (sheet `bubble_dvfs`, Structures). While the GPU level is in force, every SMX is in its state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SmxState {
    /// The high P-state: takes TBs.
    #[default]
    High,
    /// Diverted: the high P-state, runs its TBs and takes none.
    Draining,
    /// On its way to the low P-state, at the clock of the high one.
    GoingDown,
    /// The low P-state.
    Low,
    /// On its way back, at the clock of the low one.
    GoingUp,
}

/// From `cycle` on an SMX is in `state`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Change {
    /// Cycle, of the clock at the high P-state.
    pub cycle: u64,
    /// The state.
    pub state: SmxState,
    /// Whether the SMX is in a bubble: its occupancy at the last sample was below the threshold.
    pub bubble: bool,
}

/// A stretch of time in which an SMX does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First cycle.
    pub from: u64,
    /// The cycle behind the last.
    pub to: u64,
    /// The state.
    pub state: SmxState,
    /// Whether the SMX is in a bubble.
    pub bubble: bool,
}

/// The states of all SMXs over time.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct States {
    changes: Vec<Vec<Change>>,
}

impl States {
    /// `sms` SMXs in the high P-state, out of bubbles.
    #[must_use]
    pub fn new(sms: usize) -> Self {
        Self { changes: vec![Vec::new(); sms] }
    }

    /// From `cycle` on, which is not before the last change, SMX `sm` is in `state`, in a bubble or not. Kept if it is news.
    pub fn set(&mut self, cycle: u64, sm: usize, state: SmxState, bubble: bool) {
        let Some(changes) = self.changes.get_mut(sm) else { return };
        let last = changes.last().map_or((SmxState::High, false), |last| (last.state, last.bubble));
        if last != (state, bubble) {
            changes.push(Change { cycle, state, bubble });
        }
    }

    /// Whether no SMX ever changed: no controller, or nothing for it to do.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.changes.iter().all(Vec::is_empty)
    }

    /// The changes of SMX `sm`; it starts in the high P-state, out of bubbles.
    #[must_use]
    pub fn changes(&self, sm: usize) -> &[Change] {
        self.changes.get(sm).map_or(&[], Vec::as_slice)
    }

    /// SMX `sm` from cycle 0 to the end of the run, cycle `end`.
    pub fn spans(&self, sm: usize, end: u64) -> impl Iterator<Item = Span> {
        let changes = self.changes(sm);
        let start = Change { cycle: 0, state: SmxState::High, bubble: false };
        let ends = changes.iter().map(|change| change.cycle).chain([end]);
        std::iter::once(&start).chain(changes).copied().zip(ends).collect::<Vec<_>>().into_iter().filter_map(
            move |(Change { cycle, state, bubble }, to)| {
                let (from, to) = (cycle.min(end), to.min(end));
                (from < to).then_some(Span { from, to, state, bubble })
            },
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_news_is_kept_and_spans_cover_the_run() {
        let mut states = States::new(2);
        assert!(states.is_empty());
        for (cycle, state, bubble) in [
            (500, SmxState::High, false),
            (1000, SmxState::Draining, true),
            (1500, SmxState::Draining, true),
            (2000, SmxState::GoingDown, true),
        ] {
            states.set(cycle, 1, state, bubble);
        }
        assert_eq!((states.changes(0).len(), states.changes(1).len()), (0, 2));
        let spans: Vec<_> = states.spans(1, 2300).map(|s| (s.from, s.to, s.state, s.bubble)).collect();
        let expected = [
            (0, 1000, SmxState::High, false),
            (1000, 2000, SmxState::Draining, true),
            (2000, 2300, SmxState::GoingDown, true),
        ];
        assert_eq!(spans, expected);
        assert_eq!(states.spans(0, 2300).collect::<Vec<_>>().len(), 1);
        assert_eq!(states.spans(1, 0).count(), 0, "a run of no cycles");
    }
}
