//! The occupancy-bubble controller alone, through C and in Rust.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::power::{BubbleConfig, BubbleDvfs, Resources, Waiting, bubble_image_config};
use gpusched::{Cycle, Fault, SmxId, SmxSet};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, number};
use gpusched_fuzz::choose;
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::bubble::invariants::check_state;
use gpusched_tests::bubble::{Answer, Event, HeapTables, Machine, Queries, View, machine, tables};
use gpusched_tests::through_c::bubble::{self, ThroughC};
use libfuzzer_sys::fuzz_target;

struct Pair {
    c: ThroughC,
    rust: BubbleDvfs<HeapTables>,
}

fn res(u: Bytes) -> Result<Resources> {
    Ok(Resources { threads: number(u)?, regs: number(u)?, smem: u.int_in_range(0..=2)?, slots: u.int_in_range(0..=2)? })
}

impl Pair {
    fn activity(&self, u: Bytes) -> Result<Option<Vec<u16>>> {
        let smxs = self.rust.controller().config().smxs as usize;
        let value = |u: Bytes| if u.ratio(1, 16)? { u.arbitrary() } else { u.int_in_range(0..=1000) };
        match u.int_in_range(0..=7u8)? {
            0..=3 => Ok(None),
            4 => Ok(Some(vec![0; u.int_in_range(0..=6)?])),
            _ => Ok(Some((0..smxs).map(|_| value(u)).collect::<Result<_>>()?)),
        }
    }

    fn waiting(u: Bytes) -> Result<Option<Waiting>> {
        let allowed = match u.int_in_range(0..=7u8)? {
            0..=2 => return Ok(None),
            3..=4 => None,
            5 => Some(SmxSet::from_words([u.arbitrary()?, 0, 0, u.arbitrary()?])),
            _ => Some(SmxSet::from_words([u.int_in_range(0..=31)?, 0, 0, 0])),
        };
        Ok(Some(Waiting { res: res(u)?, allowed }))
    }
}

impl Twins for Pair {
    type Event = Event;
    type Answer = std::result::Result<Answer, Fault>;
    type Mark = (View, Vec<u8>);
    type Config = BubbleConfig;

    fn config(u: Bytes) -> Result<BubbleConfig> {
        choose::bubble(u)
    }

    fn new(config: &BubbleConfig) -> Self {
        let c = ThroughC::new(config).expect("it is valid");
        Self { c, rust: machine(config).expect("it is valid") }
    }

    fn event(&self, u: Bytes) -> Result<Event> {
        let controller = self.rust.controller();
        let now = match u.int_in_range(0..=31u8)? {
            0 => controller.now().0.saturating_sub(1),
            1 => controller.now().0.saturating_add(u64::from(number(u)?)),
            _ => controller.now().0,
        };
        let (now, smx) = (Cycle(now), SmxId(number(u)? as u16));
        Ok(match u.int_in_range(0..=15u8)? {
            0..=4 => Event::Dispatched { now, smx, res: res(u)? },
            5..=7 => Event::Completed { now, smx, res: res(u)? },
            8 => Event::Account { now, activity: self.activity(u)? },
            n => {
                let due = controller.next_sample().filter(|_| n > 9).unwrap_or(now);
                Event::Sample { now: due, waiting: Self::waiting(u)?, activity: self.activity(u)? }
            }
        })
    }

    fn call(&mut self, event: &Event) -> [Self::Answer; 2] {
        [self.c.take(event), self.rust.take(event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        let controller = self.rust.controller();
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        check_state(&self.rust.view(), false).unwrap_or_else(|wrong| panic!("{wrong}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, self.rust.view());
        assert_eq!((self.c.now(), self.c.next_sample()), (controller.now(), controller.next_sample()));
        mark
    }

    fn image(&self) -> Vec<u8> {
        let mut image = vec![0; self.rust.image_len()];
        assert_eq!(self.rust.save(&mut image), Ok(image.len()));
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<BubbleConfig, Status>; 2] {
        [bubble::image_config(image), status(bubble_image_config(image))]
    }

    fn restore(&mut self, config: &BubbleConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(BubbleDvfs::restore(image, tables(config)));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| machine(config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run::<Pair>(&mut Unstructured::new(data));
});
