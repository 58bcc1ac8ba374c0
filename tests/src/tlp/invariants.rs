//! The invariants of the sheet of one event, by number; those of a state are the units' own (`validate`).

use gpusched::Fault;
use gpusched::tlp::{Action, Learn, TlpConfig};

use super::{Answer, Event, View, sm};

/// The invariants of what happens on an SM.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Samples since learning started, while the targets stay.
    samples: u32,
}

impl Watch {
    /// tlp-I5, tlp-I7 and tlp-I8, and what a void sample may change.
    ///
    /// # Errors
    /// The first that does not hold.
    pub fn note(
        &mut self,
        config: &TlpConfig,
        event: &Event,
        answer: &Result<Answer, Fault>,
        before: &View,
        after: &View,
    ) -> Result<(), String> {
        let (View::TlpSm(before), View::TlpSm(after), Event::TlpSm(event)) = (before, after, event) else {
            return Ok(());
        };
        let (before, after) = (&before.state, &after.state);
        let moves = matches!(
            event,
            sm::Event::Attach { .. }
                | sm::Event::Done { .. }
                | sm::Event::OverrideTlp { .. }
                | sm::Event::Sample { .. }
        );
        if !moves && (before.tb != after.tb || before.by != after.by) {
            return Err(format!("tlp-I5: {event:?} moved targets"));
        }
        let restarts =
            matches!(event, sm::Event::Attach { .. } | sm::Event::Done { .. } | sm::Event::OverrideTlp { .. });
        if restarts || before.tb != after.tb {
            self.samples = 0;
        }
        let Ok(Answer::TlpSm(sm::Answer::Sampled(told))) = answer else {
            let jumps = !restarts && before.learn != after.learn;
            return if jumps { Err(format!("{event:?} learnt")) } else { Ok(()) };
        };
        if told.action == Action::Void {
            let same = before.tb == after.tb && before.by == after.by && before.learn == after.learn;
            return if same { Ok(()) } else { Err("a void sample changed something".into()) };
        }
        let rank = |learn: Learn| learn as u32;
        let is_on = |learn: Learn| !matches!(learn, Learn::Off | Learn::Done);
        if rank(after.learn) < rank(before.learn) {
            return Err(format!("tlp-I7: from {:?} to {:?}", before.learn, after.learn));
        }
        if is_on(before.learn) && before.tb == after.tb {
            self.samples += 1;
            let bound = 3 + after.tb.iter().max().unwrap_or(&0).saturating_sub(1);
            if is_on(after.learn) && self.samples >= bound {
                return Err(format!("tlp-I7: {} samples, and still learning", self.samples));
            }
        }
        if told.action == Action::Moved {
            let g = told.grow.map_or(2, |k| usize::from(k.0));
            let holds = g < 2 && after.tb[g] == before.tb[g] + config.grow_step && after.tb[1 - g] <= before.tb[1 - g];
            if !holds {
                return Err(format!("tlp-I8: from {:?} to {:?}", before.tb, after.tb));
            }
        } else if before.tb != after.tb {
            return Err(format!("{:?} moved targets", told.action));
        }
        Ok(())
    }
}
