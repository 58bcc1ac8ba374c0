//! The states of SMXs over time, as a picture wants them: spans without a change, one after the other.
//!
//! [`Power`](crate::power::Power) keeps the changes; a run without the bubble controller has none but bubbles that came and went.

use crate::power::{SmxState, StateTrace};

/// A stretch of time in which an SMX does not change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First cycle.
    pub from: u64,
    /// The cycle behind the last.
    pub to: u64,
    /// The state.
    pub state: SmxState,
    /// Whether the SMX is in a bubble: its occupancy was below the threshold at the sample that ends this span.
    pub bubble: bool,
}

impl StateTrace {
    /// Every SMX, of `smxs`, from cycle 0 to the end of the run, cycle `end`.
    #[must_use]
    pub fn spans(&self, smxs: usize, end: u64) -> Vec<Vec<Span>> {
        let start = Span { from: 0, to: end, state: SmxState::High, bubble: false };
        let mut all = vec![Vec::new(); smxs];
        let mut open = vec![start; smxs];
        for change in &self.changes {
            let smx = usize::from(change.smx);
            let (Some(spans), Some(span)) = (all.get_mut(smx), open.get_mut(smx)) else { continue };
            let at = (change.cycle + 1).min(end);
            if span.from < at {
                spans.push(Span { to: at, ..*span });
            }
            *span = Span { from: at, to: end, state: change.state, bubble: change.bubble };
        }
        for (spans, last) in all.iter_mut().zip(open) {
            if last.from < last.to {
                spans.push(last);
            }
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::power::StateChange;

    #[test]
    fn spans_cover_the_run_without_a_gap() {
        let change = |cycle, state, bubble| StateChange { cycle, smx: 1, state, bubble };
        let changes = vec![
            change(999, SmxState::High, true),
            change(1499, SmxState::Draining, true),
            change(1499, SmxState::GoingDown, true),
        ];
        let trace = StateTrace { changes, dropped: 0 };
        let spans: Vec<Vec<_>> = trace
            .spans(2, 2300)
            .into_iter()
            .map(|spans| spans.into_iter().map(|s| (s.from, s.to, s.state, s.bubble)).collect())
            .collect();
        assert_eq!(spans[0], [(0, 2300, SmxState::High, false)]);
        let expected = [
            (0, 1000, SmxState::High, false),
            (1000, 1500, SmxState::High, true),
            (1500, 2300, SmxState::GoingDown, true),
        ];
        assert_eq!(spans[1], expected);
        assert!(trace.spans(2, 0).iter().all(Vec::is_empty), "a run of no cycles");
    }
}
