//! The reconvergence stack, the scoreboard and the coalescer, and the models: through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::Fault;
use gpusched::models::exec::{ExecConfig, ExecInputs, SizeUnit};
use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig};
use gpusched::simt::scoreboard::{RegId, Scoreboard, ScoreboardConfig, WarpId, scoreboard_image_config};
use gpusched::simt::stack::{Branch, FirstPath, Running, Stack, StackConfig, stack_image_config};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::models::{Core, Models};
use gpusched_tests::simt::coalesce::{self, Access};
use gpusched_tests::simt::{scoreboard, stack};
use gpusched_tests::through_c;
use libfuzzer_sys::fuzz_target;

struct Stacks {
    c: through_c::stack::ThroughC,
    rust: Stack<stack::HeapTables>,
}

impl Twins for Stacks {
    type Event = stack::Event;
    type Answer = std::result::Result<Running, Fault>;
    type Mark = (stack::View, Vec<u8>);
    type Config = StackConfig;

    fn config(u: Bytes) -> Result<StackConfig> {
        Ok(StackConfig {
            lanes: if u.ratio(1, 8)? { 64 } else { u.int_in_range(1..=5)? },
            depth: u.int_in_range(1..=9)?,
            first: *u.choose(&[FirstPath::Fall, FirstPath::Taken])?,
            compact: u.arbitrary()?,
        })
    }

    fn new(config: &StackConfig) -> Self {
        let c = through_c::stack::ThroughC::new(config).expect("it is valid");
        Self { c, rust: stack::machine(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<stack::Event> {
        let some = |u: Bytes| -> Result<u64> {
            let lanes: u64 = u.arbitrary()?;
            Ok(if u.ratio(1, 16)? { lanes } else { lanes & self.rust.mask() })
        };
        let reconv = |u: Bytes| Ok::<_, arbitrary::Error>(if u.ratio(1, 8)? { None } else { Some(number(u)?) });
        Ok(match u.int_in_range(0..=15u8)? {
            0 => stack::Event::Init { pc: number(u)?, mask: u.arbitrary()? },
            1..=5 => stack::Event::Advance { pc: number(u)? },
            6..=13 => stack::Event::Branch {
                branch: Branch { taken: some(u)?, taken_pc: number(u)?, fall_pc: number(u)?, reconv: reconv(u)? },
            },
            _ => stack::Event::Exit { lanes: some(u)? },
        })
    }

    fn call(&mut self, event: &stack::Event) -> [Self::Answer; 2] {
        [stack::Machine::take(&mut self.c, event), stack::Machine::take(&mut self.rust, event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        let mark = stack::Machine::mark(&self.c);
        assert_eq!(mark.0, stack::Machine::view(&self.rust));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<StackConfig, Status>; 2] {
        [through_c::stack::image_config(image), status(stack_image_config(image))]
    }

    fn restore(&mut self, config: &StackConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Stack::restore(image, stack::tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| stack::machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

struct Boards {
    c: through_c::scoreboard::ThroughC,
    rust: Scoreboard<scoreboard::HeapTables>,
}

impl Twins for Boards {
    type Event = scoreboard::Event;
    type Answer = std::result::Result<scoreboard::Answer, Fault>;
    type Mark = (scoreboard::View, Vec<u8>);
    type Config = ScoreboardConfig;

    fn config(u: Bytes) -> Result<ScoreboardConfig> {
        Ok(ScoreboardConfig {
            warps: u.int_in_range(1..=3)?,
            regs: if u.ratio(1, 8)? { 256 } else { u.int_in_range(1..=6)? },
            entries: u.int_in_range(0..=3)?,
        })
    }

    fn new(config: &ScoreboardConfig) -> Self {
        let c = through_c::scoreboard::ThroughC::new(config).expect("it is valid");
        Self { c, rust: scoreboard::machine(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<scoreboard::Event> {
        let warp = |u: Bytes| Ok::<_, arbitrary::Error>(WarpId(number(u)?.min(u8::MAX.into()) as u8));
        let reg = |u: Bytes| Ok::<_, arbitrary::Error>(RegId(number(u)?.min(u16::MAX.into()) as u16));
        Ok(match u.int_in_range(0..=9u8)? {
            0..=5 => scoreboard::Event::Issue {
                warp: warp(u)?,
                sources: (0..u.int_in_range(0..=5)?).map(|_| reg(u)).collect::<Result<_>>()?,
                destination: if u.arbitrary()? { Some(reg(u)?) } else { None },
                memory: u.arbitrary()?,
            },
            6..=8 => scoreboard::Event::Writeback { warp: warp(u)?, reg: reg(u)? },
            _ => scoreboard::Event::Flush { warp: warp(u)? },
        })
    }

    fn call(&mut self, event: &scoreboard::Event) -> [Self::Answer; 2] {
        [scoreboard::Machine::take(&mut self.c, event), scoreboard::Machine::take(&mut self.rust, event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        let mark = scoreboard::Machine::mark(&self.c);
        assert_eq!(mark.0, scoreboard::Machine::view(&self.rust));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<ScoreboardConfig, Status>; 2] {
        [through_c::scoreboard::image_config(image), status(scoreboard_image_config(image))]
    }

    fn restore(&mut self, config: &ScoreboardConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Scoreboard::restore(image, scoreboard::tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| scoreboard::machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

/// Accesses of any shape: as the plain model says, in Rust and through C.
fn accesses(u: Bytes) -> Result<()> {
    let config = CoalescerConfig {
        lanes: u.int_in_range(1..=64)?,
        segment: 1 << u.int_in_range(4..=12)?,
        mode: *u.choose(&[CoalesceMode::Combine, CoalesceMode::Legacy])?,
        allow_misaligned: u.arbitrary()?,
    };
    while !u.is_empty() {
        let lanes = if u.ratio(1, 32)? { u.int_in_range(0..=66)? } else { config.lanes };
        let addrs = (0..lanes).map(|_| u.arbitrary()).collect::<Result<_>>()?;
        let size = if u.ratio(1, 16)? { u.arbitrary()? } else { 1 << u.int_in_range(0..=4)? };
        let access = Access { mask: u.arbitrary::<u64>()? >> (64 - config.lanes), addrs, size };
        let expected = coalesce::model(&config, &access);
        assert_eq!(coalesce::core(&config, &access), expected);
        assert_eq!(coalesce::through_c(&config, &access), expected);
    }
    Ok(())
}

/// Inputs of any bits: finite estimates or refusals, the same bits through C.
fn estimates(u: Bytes) -> Result<()> {
    let config = ExecConfig { size_unit: *u.choose(&[SizeUnit::Literal, SizeUnit::Bytes])?, clamp_bfp: u.arbitrary()? };
    let float = |u: Bytes| -> Result<f64> { if u.ratio(1, 8)? { u.arbitrary() } else { Ok(number(u)?.into()) } };
    let inputs = ExecInputs {
        insts: float(u)?,
        mem_insts: float(u)?,
        sync_insts: float(u)?,
        sfu_insts: float(u)?,
        fp_insts: float(u)?,
        total_warps: float(u)?,
        active_sms: float(u)?,
        n: float(u)?,
        avg_inst_lat: float(u)?,
        miss_ratio: float(u)?,
        delta: float(u)?,
        dram_lat: float(u)?,
        sfu_width: float(u)?,
        freq: float(u)?,
        mem_peak_bw: float(u)?,
        fp_lat: if u.arbitrary()? { Some(float(u)?) } else { None },
        amat: if u.arbitrary()? { Some(float(u)?) } else { None },
        ..ExecInputs::DEFAULT
    };
    let bits = |models: &dyn Fn() -> _| -> std::result::Result<_, gpusched_tests::models::Refused> {
        let estimate: gpusched::models::exec::ExecEstimate = models()?;
        assert!(estimate.values().iter().all(|value| value.is_finite()));
        Ok(estimate.values().map(f64::to_bits))
    };
    let through_c = through_c::models::ThroughC;
    assert_eq!(bits(&|| Core.exec(&config, &inputs)), bits(&|| through_c.exec(&config, &inputs)));
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    let Some((which, data)) = data.split_first() else { return };
    let mut u = Unstructured::new(data);
    // Bytes that end early end the run early.
    let _ = match which % 4 {
        0 => run::<Stacks>(&mut u),
        1 => run::<Boards>(&mut u),
        2 => accesses(&mut u),
        _ => estimates(&mut u),
    };
});
