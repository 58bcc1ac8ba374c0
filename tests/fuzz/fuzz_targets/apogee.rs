//! The prefetcher of one SM, through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::apogee::{
    Apogee, ApogeeConfig, Early, LalScope, LaneSet, Merge, RowId, SlowRule, Verdict, WarpId, apogee_image_config,
};
use gpusched::{Cycle, Fault};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::apogee::{Answer, Event, Form, HeapTables, Load, Machine, View, machine, tables};
use gpusched_tests::through_c::apogee::{self, ThroughC};
use libfuzzer_sys::fuzz_target;

struct Pair {
    c: ThroughC,
    rust: Apogee<HeapTables>,
}

impl Pair {
    /// Threads: a sequence under a mask, or anything.
    fn lanes(&self, u: Bytes) -> Result<Vec<(u8, u64)>> {
        let config = self.rust.config();
        if u.ratio(1, 8)? {
            let lane = |u: Bytes| Ok((u.int_in_range(0..=config.warp_size as u8)?, u64::from(number(u)?)));
            return (0..u.int_in_range(0..=9)?).map(|_| lane(u)).collect();
        }
        let mask: u64 = if u.arbitrary()? { u64::MAX } else { u.arbitrary()? };
        let (base, step): (u64, i64) = (u.int_in_range(0..=1 << config.addr_bits)?, u.int_in_range(-40..=40)?);
        let active = (0..config.warp_size as u8).filter(|lane| mask >> lane & 1 == 1);
        Ok(active.map(|lane| (lane, base.wrapping_add_signed(step * i64::from(lane)))).collect())
    }

    fn now(&self, u: Bytes) -> Result<Cycle> {
        let now = self.rust.now().0;
        Ok(Cycle(match u.int_in_range(0..=31u8)? {
            0 => now.wrapping_sub(1),
            1 => now.wrapping_add(u64::from(number(u)?)),
            2 => u.arbitrary()?,
            n => now.saturating_add((n % 4).into()),
        }))
    }
}

impl Twins for Pair {
    type Event = Event;
    type Answer = std::result::Result<Answer, Fault>;
    type Mark = (View, Vec<u8>);
    type Config = ApogeeConfig;

    fn config(u: Bytes) -> Result<ApogeeConfig> {
        Ok(ApogeeConfig {
            entries: u.int_in_range(1..=6)?,
            warps: if u.ratio(1, 8)? { 64 } else { u.int_in_range(1..=3)? },
            warp_size: u.int_in_range(2..=9)?,
            threads: u.int_in_range(1..=40)?,
            pc_bits: u.int_in_range(2..=8)?,
            addr_bits: u.int_in_range(8..=16)?,
            offset_bits: u.int_in_range(2..=8)?,
            conf_bits: u.int_in_range(3..=8)?,
            dist_bits: u.int_in_range(1..=4)?,
            line_bytes: 1 << u.int_in_range(0..=7)?,
            pfq: u.int_in_range(1..=9)?,
            issue_latency: u.int_in_range(0..=3)?,
            min_conf: u.int_in_range(0..=7)?,
            lanes: *u.choose(&[LaneSet::All, LaneSet::Active])?,
            lal: *u.choose(&[LalScope::Warp, LalScope::Sm])?,
            early: *u.choose(&[Early::Pattern, Early::Literal])?,
            slow_rule: *u.choose(&[SlowRule::Any, SlowRule::Miss])?,
            merge: *u.choose(&[Merge::Queue, Merge::Group])?,
            gap_fill: u.arbitrary()?,
            ..ApogeeConfig::APOGEE_4
        })
    }

    fn new(config: &ApogeeConfig) -> Self {
        let c = ThroughC::new(config).expect("it is valid");
        Self { c, rust: machine(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<Event> {
        let config = self.rust.config();
        Ok(match u.int_in_range(0..=15u8)? {
            0..=6 => Event::Load(Load {
                now: self.now(u)?,
                pc: if u.ratio(1, 32)? { u.arbitrary()? } else { u.int_in_range(0..=3)? },
                warp: WarpId(u.int_in_range(0..=config.warps as u16)?),
                result: *u.choose(&[Some(Verdict::Hit), Some(Verdict::Pending), Some(Verdict::Absent), None])?,
                lanes: self.lanes(u)?,
                form: *u.choose(&Form::ALL)?,
            }),
            7..=9 => Event::PfPop { now: self.now(u)? },
            10..=12 => Event::PfReply { sent: u.arbitrary()? },
            13 => Event::PfFill {
                entry: RowId(u.int_in_range(0..=config.entries as u16)?),
                generation: u.int_in_range(0..=5)?,
                warp: WarpId(u.int_in_range(0..=config.warps as u16)?),
            },
            14 => Event::SetThreads { n: number(u)? },
            _ => Event::Flush,
        })
    }

    fn call(&mut self, event: &Event) -> [Self::Answer; 2] {
        [self.c.take(event), self.rust.take(event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!(Machine::next_event(&self.c), self.rust.next_event());
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<ApogeeConfig, Status>; 2] {
        [apogee::image_config(image), status(apogee_image_config(image))]
    }

    fn restore(&mut self, config: &ApogeeConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Apogee::restore(image, tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run::<Pair>(&mut Unstructured::new(data));
});
