//! Equalizer's two machines, through C and in Rust: the first byte says which.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::equalizer::{
    Counts, Fm, FmConfig, FmState, Objective, Sm, SmConfig, Warp, fm_image_config, sm_image_config,
};
use gpusched::{Cycle, Fault};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::choose;
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::equalizer::{
    FmAnswer, FmEvent, FmQueries as _, Machine, SmAnswer, SmEvent, SmQueries as _, SmView, slot, smx,
};
use gpusched_tests::through_c::{equalizer_fm, equalizer_sm};
use libfuzzer_sys::fuzz_target;

struct Sms {
    c: equalizer_sm::ThroughC,
    rust: Sm,
}

struct Fms {
    c: equalizer_fm::ThroughC,
    rust: Fm,
}

/// Now, and now and then before it or later.
fn time(u: Bytes, now: Cycle) -> Result<Cycle> {
    Ok(Cycle(match u.int_in_range(0..=31u8)? {
        0 => now.0.saturating_sub(1),
        1 => u.arbitrary()?,
        2..=9 => now.0.saturating_add(u.int_in_range(0..=4)?),
        _ => now.0,
    }))
}

fn counts(u: Bytes, warps: u32) -> Result<Counts> {
    if u.ratio(1, 16)? {
        return Ok(Counts { active: number(u)?, waiting: number(u)?, xalu: number(u)?, xmem: number(u)? });
    }
    let active = u.int_in_range(0..=warps)?;
    let waiting = u.int_in_range(0..=active)?;
    let xalu = u.int_in_range(0..=active - waiting)?;
    Ok(Counts { active, waiting, xalu, xmem: u.int_in_range(0..=active - waiting - xalu)? })
}

impl Twins for Sms {
    type Event = SmEvent;
    type Answer = std::result::Result<SmAnswer, Fault>;
    type Mark = (SmView, Vec<u8>);
    type Config = SmConfig;

    fn config(u: Bytes) -> Result<SmConfig> {
        choose::equalizer_sm(u)
    }

    fn new(config: &SmConfig) -> Self {
        let c = equalizer_sm::ThroughC::new(config).expect("it is valid");
        Self { c, rust: Sm::new(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<SmEvent> {
        let now = time(u, self.rust.now())?;
        Ok(match u.int_in_range(0..=19u8)? {
            0..=2 => {
                let (w_cta, limit, keep) = (number(u)?, number(u)?, u.arbitrary()?);
                SmEvent::KernelStart { now, w_cta, limit, keep }
            }
            3..=6 => SmEvent::Grant { now, block: u.int_in_range(0..=40)? },
            7 => SmEvent::Deny { now },
            8 => SmEvent::Refill { now },
            9..=10 => SmEvent::BlockEnd { now, slot: slot(number(u)?) },
            11 => SmEvent::SetObjective {
                now,
                objective: *u.choose(&[Some(Objective::Energy), Some(Objective::Performance), None])?,
            },
            12 => SmEvent::Resync { now },
            13 => {
                let [resident, paused, issued, valid, sync, ready, mem, accept] = u.arbitrary()?;
                SmEvent::Classify { warp: Warp { resident, paused, issued, valid, sync, ready, mem, accept } }
            }
            14 => {
                let sums = Counts { active: number(u)?, waiting: number(u)?, xalu: number(u)?, xmem: number(u)? };
                SmEvent::Decide { sums, samples: number(u)?, w_cta: number(u)? }
            }
            n => {
                let now = if n == 15 { now } else { self.rust.next_sample() };
                SmEvent::Sample { now, counts: counts(u, self.rust.config().max_warps)? }
            }
        })
    }

    fn call(&mut self, event: &SmEvent) -> [Self::Answer; 2] {
        [self.c.take(event), self.rust.take(event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!(self.c.now(), self.rust.now());
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<SmConfig, Status>; 2] {
        [equalizer_sm::image_config(image), status(sm_image_config(image))]
    }

    fn restore(&mut self, config: &SmConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Sm::restore(image));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| Sm::new(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

impl Twins for Fms {
    type Event = FmEvent;
    type Answer = std::result::Result<FmAnswer, Fault>;
    type Mark = (FmState, Vec<u8>);
    type Config = FmConfig;

    fn config(u: Bytes) -> Result<FmConfig> {
        choose::equalizer_fm(u)
    }

    fn new(config: &FmConfig) -> Self {
        let c = equalizer_fm::ThroughC::new(config).expect("it is valid");
        Self { c, rust: Fm::new(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<FmEvent> {
        let (now, sm) = (time(u, self.rust.now())?, smx(number(u)?));
        Ok(match u.int_in_range(0..=15u8)? {
            0..=10 => {
                let wrong = u.ratio(1, 16)?;
                let vote = |u: Bytes| if wrong { u.arbitrary() } else { u.int_in_range(-1..=1) };
                FmEvent::Vote { now, sm, sm_vote: vote(u)?, mem_vote: vote(u)? }
            }
            11..=12 => FmEvent::Close { now },
            13 => FmEvent::Levels { now },
            14 => FmEvent::Reset { now },
            _ => FmEvent::Enable { now, sm, on: u.arbitrary()? },
        })
    }

    fn call(&mut self, event: &FmEvent) -> [Self::Answer; 2] {
        [self.c.take(event), self.rust.take(event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!((self.c.now(), self.c.next_event()), (self.rust.now(), self.rust.next_event()));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<FmConfig, Status>; 2] {
        [equalizer_fm::image_config(image), status(fm_image_config(image))]
    }

    fn restore(&mut self, config: &FmConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Fm::restore(image));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| Fm::new(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    // Bytes that end early end the run early.
    let _ = match u.ratio(2, 3) {
        Ok(true) => run::<Sms>(&mut u),
        _ => run::<Fms>(&mut u),
    };
});
