//! The invariants of the sheet, by number, on what can be seen.

use gpusched::Fault;
use gpusched::tlp::{Action, KernelCode, Learn, Mode, Phase, Sharer, TlpConfig};

use super::model::fit;
use super::{Answer, Event, SmView, View};

/// The invariants of a state.
///
/// # Errors
/// The first that does not hold.
pub fn check(config: &TlpConfig, view: &View) -> Result<(), String> {
    let holds = match view {
        View::Pure | View::Smc { .. } => Ok(()),
        View::TlpSm(sm) => check_sm(config, sm),
        View::Pool { entries, added } => {
            let mut seqs = entries.iter().flatten().map(|kernel| kernel.seq).collect::<Vec<_>>();
            seqs.sort_unstable();
            seqs.dedup();
            let distinct = seqs.len() == entries.iter().flatten().count();
            (distinct && seqs.iter().all(|seq| seq < added)).then_some(()).ok_or("tlp-O1: the order of kernels")
        }
        View::LeftOver { entries, resident, .. } => {
            let alone = |row: &Vec<u32>| !config.idle_only || row.iter().filter(|n| **n > 0).count() <= 1;
            let needs = |k: usize| entries[k].map(|kernel| kernel.needs).unwrap_or_default();
            let fits = |row: &Vec<u32>| {
                fit::within(config, &row.iter().enumerate().map(|(k, n)| (*n, needs(k))).collect::<Vec<_>>())
            };
            if !resident.iter().all(alone) {
                Err("tlp-I11: an SMX is mixed")
            } else if !resident.iter().all(fits) {
                Err("tlp-I1: more TBs than fit")
            } else {
                Ok(())
            }
        }
        View::SmartEven { kernels, owners, resident, .. } => {
            let ended = |kernel: &Sharer| kernel.finished == kernel.n_tb;
            let must_own = kernels.iter().any(ended) && !kernels.iter().all(ended);
            let within = owners.iter().zip(resident).all(|(owner, &n)| match owner {
                Some(k) => n <= kernels[usize::from(k.0)].max && !ended(&kernels[usize::from(k.0)]),
                None => n == 0,
            });
            if must_own && owners.iter().any(Option::is_none) {
                Err("tlp-I10: an SM without an owner")
            } else if !within {
                Err("tlp-V2: more TBs than an SM holds, or of a kernel that has ended")
            } else {
                Ok(())
            }
        }
    };
    holds.map_err(|wrong| format!("{wrong}: {view:?}"))
}

fn check_sm(config: &TlpConfig, sm: &SmView) -> Result<(), &'static str> {
    let needs = sm.kernels.map(|kernel: Option<KernelCode>| kernel.map(|kernel| kernel.needs).unwrap_or_default());
    let count = |k: u8, tagged: bool| {
        sm.slots.iter().flatten().filter(|tb| tb.k.0 == k && (!tagged || tb.bypass)).count() as u32
    };
    let occupied = (0..32).filter(|&s| sm.slots.get(s).copied().flatten().is_some()).map(|s| 1u32 << s).sum::<u32>();
    let live = sm.kernels.iter().flatten().count();
    let mode = match sm.mode {
        Mode::Idle => live == 0,
        Mode::Solo => live == 1,
        Mode::Pair | Mode::Leftover => live == 2,
    };
    let rules: [(bool, &str); 9] = [
        (fit::within(config, &[(sm.res[0], needs[0]), (sm.res[1], needs[1])]), "tlp-I1: more TBs than fit"),
        (fit::fits(config, needs, sm.tb), "tlp-I1: the targets do not fit"),
        ((0..2).all(|k| sm.by[k] <= sm.tb[k]) && sm.by.contains(&0), "tlp-I2: By"),
        (sm.res == [count(0, false), count(1, false)], "tlp-I3: res"),
        (sm.bycur == [count(0, true), count(1, true)], "tlp-I3: By_cur"),
        (sm.cohort & !occupied == 0 && (sm.cohort != 0) == (sm.phase == Phase::Sampling), "tlp-I4: the cohort"),
        (mode && (0..2).all(|k| sm.kernels[k].is_some() || (sm.res[k] == 0 && sm.tb[k] == 0)), "the mode"),
        (sm.learn == Learn::Off || sm.mode == Mode::Pair, "learning without a pair"),
        (sm.period.0.is_none_or(|start| start <= sm.now) && sm.period.1.is_none_or(|end| end <= sm.now), "the period"),
    ];
    rules.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, wrong)| Err(wrong))
}

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
        let (View::TlpSm(before), View::TlpSm(after)) = (before, after) else { return Ok(()) };
        let moves =
            matches!(event, Event::Attach { .. } | Event::Done { .. } | Event::Override { .. } | Event::Sample { .. });
        if !moves && (before.tb != after.tb || before.by != after.by) {
            return Err(format!("tlp-I5: {event:?} moved targets"));
        }
        let restarts = matches!(event, Event::Attach { .. } | Event::Done { .. } | Event::Override { .. });
        if restarts || before.tb != after.tb {
            self.samples = 0;
        }
        let Ok(Answer::Sampled(told)) = answer else {
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
