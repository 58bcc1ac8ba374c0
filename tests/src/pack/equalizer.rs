//! Vectors of Equalizer: an SM, and the frequency manager.

use anyhow::Result;
use gpusched::Fault;
use gpusched::equalizer::{Fm, Sm};
use gpusched_abi::equalizer::records::{gpusched_equalizer_classified, gpusched_equalizer_decision};
use gpusched_packed::{Bytes, Machine as Kind, Op, Record};
use serde_json::Value;

use super::tape::{self, Recorded, packed};
use crate::equalizer::{FmAnswer, FmEvent, FmView, Machine, SmAnswer, SmEvent, SmView};
use crate::replay::{Outcome, equalizer::replay_on};
use crate::through_c::equalizer::{c_counts, c_fm_config, c_sm_config, c_warp};

/// Replays a vector on machines that write down what they are asked and answer.
pub fn replay(vector: &Value) -> Result<Outcome> {
    replay_on(
        vector,
        |of| Recorded::new(Kind::EqualizerSm, of, &c_sm_config(of), Sm::new(of).map_err(Fault::from)),
        |of| Recorded::new(Kind::EqualizerFm, of, &c_fm_config(of), Fm::new(of).map_err(Fault::from)),
    )
}

impl Machine for Recorded<Sm> {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    type Mark = Sm;

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        if !matches!(event, SmEvent::Classify(_) | SmEvent::Decide { .. }) {
            return self.take(write(event), |sm| sm.take(event));
        }
        let (packed, answer, mut expected) = (write(event), self.0.take(event), Bytes::default());
        match &answer {
            Ok(SmAnswer::Classified(classified)) => gpusched_equalizer_classified::from(*classified).put(&mut expected),
            Ok(SmAnswer::Decision(decision)) => gpusched_equalizer_decision::from(*decision).put(&mut expected),
            Ok(other) => panic!("no answer of a function: {other:?}"),
            Err(_) => {}
        }
        tape::function(&mut self.0, packed, answer.as_ref().map(drop).map_err(|fault| *fault), &expected);
        answer
    }

    fn view(&self) -> SmView {
        self.0.view()
    }

    fn mark(&self) -> Sm {
        self.0.mark()
    }
}

fn write(event: &SmEvent) -> (Op, Bytes) {
    match event {
        SmEvent::KernelStart { now, w_cta, limit, keep } => packed!(EqSmKernelStart, now, w_cta, limit, keep),
        SmEvent::Grant { now, block } => packed!(EqSmGrant, now, block),
        SmEvent::Deny { now } => packed!(EqSmDeny, now),
        SmEvent::Refill { now } => packed!(EqSmRefill, now),
        SmEvent::BlockEnd { now, slot } => packed!(EqSmBlockEnd, now, slot),
        SmEvent::Sample { now, counts } => packed!(EqSmSample, now, c_counts(counts)),
        SmEvent::SetObjective { now, objective } => packed!(EqSmSetObjective, now, objective),
        SmEvent::Resync { now } => packed!(EqSmResync, now),
        SmEvent::Classify(warp) => packed!(EqSmClassify, c_warp(warp)),
        SmEvent::Decide { sums, samples, w_cta } => packed!(EqSmDecide, samples, w_cta, c_counts(sums)),
    }
}

impl Machine for Recorded<Fm> {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmView;
    type Mark = Fm;

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        let packed = match event {
            FmEvent::Vote { now, sm, votes } => packed!(EqFmVote, now, sm, votes.0, votes.1),
            FmEvent::Close { now } => packed!(EqFmClose, now),
            FmEvent::Enable { now, sm, on } => packed!(EqFmEnable, now, sm, on),
            FmEvent::Levels { now } => packed!(EqFmLevels, now),
        };
        self.take(packed, |fm| fm.take(event))
    }

    fn view(&self) -> FmView {
        self.0.view()
    }

    fn mark(&self) -> Fm {
        self.0.mark()
    }
}
