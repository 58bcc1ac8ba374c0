//! LaPerm alone, through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::laperm::{Config, LaPerm, Resources, image_config};
use gpusched::{Cycle, Fault, KernelSlot, SmxId, UnitId};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::choose;
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::laperm::event::{Answer, Event, Queries};
use gpusched_tests::laperm::heap::{self, HeapTables};
use gpusched_tests::laperm::machine::Machine;
use gpusched_tests::laperm::view::View;
use gpusched_tests::through_c::laperm::{self, ThroughC};
use libfuzzer_sys::fuzz_target;

struct Pair {
    c: ThroughC,
    rust: LaPerm<HeapTables>,
}

fn need(u: Bytes) -> Result<Resources> {
    Ok(Resources { threads: number(u)?, regs: number(u)?, smem: number(u)?, slots: u.int_in_range(0..=2)? })
}

fn smx(u: Bytes) -> Result<SmxId> {
    Ok(SmxId(number(u)? as u16))
}

impl Twins for Pair {
    type Event = Event;
    type Answer = std::result::Result<Answer, Fault>;
    type Mark = (View, Vec<u8>);
    type Config = Config;

    fn config(u: Bytes) -> Result<Config> {
        choose::laperm(u)
    }

    fn new(config: &Config) -> Self {
        let c = ThroughC::new(config).expect("it is valid");
        Self { c, rust: heap::machine(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<Event> {
        let now = self.rust.now().0;
        let now = Cycle(match u.int_in_range(0..=31u8)? {
            0 => now.saturating_sub(1),
            1 => now.saturating_add(u64::from(number(u)?)),
            _ => now.saturating_add(u.int_in_range(0..=2)?),
        });
        let (tag, tbs) = (u.int_in_range(0..=9)?, u.int_in_range(0..=3)?);
        Ok(match u.int_in_range(0..=17u8)? {
            0..=1 => Event::PushHost { now, tag, tbs, res: need(u)? },
            2..=6 => {
                let (res, parent_smx, parent_prio) = (need(u)?, smx(u)?, u.int_in_range(0..=6)?);
                Event::PushChild { now, tag, tbs, res, parent_smx, parent_prio }
            }
            7..=10 => Event::Tick { now },
            11..=12 => {
                let (smx, res, kde) = (smx(u)?, need(u)?, u.arbitrary::<Option<u8>>()?.map(KernelSlot));
                Event::TbDone { now, smx, res, kde }
            }
            13 => Event::KmuTick { now },
            14..=15 => Event::Refilled { now, tag },
            16 => Event::SetMask { now, smx: smx(u)?, masked: u.arbitrary()? },
            _ => Event::WaitingHead { now, start: UnitId(number(u)? as u16) },
        })
    }

    fn call(&mut self, event: &Event) -> [Self::Answer; 2] {
        [self.c.take(event), event.apply(&mut self.rust)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, View::of(&self.rust));
        assert_eq!((self.c.next_event(), self.c.is_idle()), (self.rust.next_event(), self.rust.is_idle()));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<Config, Status>; 2] {
        [laperm::image_config(image), status(image_config(image))]
    }

    fn restore(&mut self, config: &Config, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(LaPerm::restore(image, heap::tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| heap::machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run::<Pair>(&mut Unstructured::new(data));
});
