//! Units whose images are stored and forged.

use gpusched::tlp::{Category, Kernel, KernelId, KernelType, Learn, Metrics, Pref, TbNeeds, TlpConfig};
use gpusched::{Cycle, SlotId, SmxId};
use gpusched_tests::calls::{tlp_leftover, tlp_pool, tlp_sm, tlp_smart_even, tlp_smc};
use gpusched_tests::images::{HEADER, Saved, forged, image};
use gpusched_tests::machine::Machine;
use gpusched_tests::tlp::{Answer, Event, Kind, Unit};

const CONFIG: TlpConfig = TlpConfig { sms: 4, ..TlpConfig::GTX480 };

fn kernel(threads: u32, opt: u8) -> Option<Kernel> {
    let category = Category { kind: KernelType::Optimal, opt };
    Some(Kernel { needs: TbNeeds { threads, regs: 40, smem: 0 }, category })
}

/// The answer to a call that is not refused.
fn take(unit: &mut Unit, event: impl Into<Event>) -> Answer {
    let event = event.into();
    unit.take(&event).unwrap_or_else(|fault| panic!("{event:?}: {fault}"))
}

/// One TB of kernel 0 is tried when the host takes that kernel's target away, and gives it another one: the trial goes on without a
/// bypassing TB (tlp-L6, tlp-I12).
pub fn tried_without_a_target() -> Unit {
    let mut unit = Unit::new(Kind::TlpSm, &CONFIG).unwrap();
    let mut take = |event: tlp_sm::Event| match take(&mut unit, event) {
        Answer::TlpSm(answer) => answer,
        other => panic!("{other:?}"),
    };
    for k in [KernelId(0), KernelId(1)] {
        take(tlp_sm::Event::Attach { now: Cycle(0), k, kernel: kernel(128, 2) });
    }
    for _ in 0..4 {
        take(tlp_sm::Event::Dispatch { now: Cycle(0), avail: [true; 2] });
    }
    for slot in (0..4).map(SlotId) {
        take(tlp_sm::Event::Finish { now: Cycle(9), slot });
    }
    let sample = tlp_sm::Event::Sample { now: Cycle(9), metrics: Metrics::default() };
    let tlp_sm::Answer::Sampled(sampled) = take(sample) else { unreachable!() };
    assert_eq!((sampled.learn, sampled.by), (Learn::S2, [1, 0]));
    for tb in [[0, 4], [2, 4]] {
        let set = take(tlp_sm::Event::OverrideTlp { now: Cycle(9), tb });
        let tlp_sm::Answer::Overridden(set) = set else { unreachable!() };
        assert_eq!(set.by, [0, 0]);
    }
    unit
}

/// A unit in the middle of things.
pub fn busy(kind: Kind) -> Unit {
    let mut unit = Unit::new(kind, &CONFIG).unwrap();
    let of = &mut unit;
    let needs = TbNeeds { threads: 300, regs: 7, smem: 9 };
    match kind {
        Kind::Pure => {}
        Kind::TlpSm => {
            // The fifth period: two TBs of kernel 0 bypass on trial, and some of the TBs have ended.
            for k in [KernelId(0), KernelId(1)] {
                take(of, tlp_sm::Event::Attach { now: Cycle(5), k, kernel: kernel(128, 3) });
            }
            for (i, stall_mem) in (0..).zip([100, 50, 60]) {
                let now = Cycle(10 + 1000 * i);
                (0..6).for_each(|_| drop(take(of, tlp_sm::Event::Dispatch { now, avail: [true; 2] })));
                let end = Cycle(now.0 + 500);
                (0..6).map(SlotId).for_each(|slot| drop(take(of, tlp_sm::Event::Finish { now: end, slot })));
                let metrics =
                    Metrics { sp: [70 + i, 40], ldst: [30, 33 + i], stall_mem, stall_struct: 1, avail: [true; 2] };
                take(of, tlp_sm::Event::Sample { now: end, metrics });
            }
            let now = Cycle(4000);
            (0..6).for_each(|_| drop(take(of, tlp_sm::Event::Dispatch { now, avail: [true; 2] })));
            for slot in [SlotId(1), SlotId(4)] {
                take(of, tlp_sm::Event::Finish { now: Cycle(4100), slot });
            }
        }
        Kind::Pool => {
            for (i, kind) in
                [KernelType::Up, KernelType::Down, KernelType::Optimal, KernelType::Up].into_iter().enumerate()
            {
                let pref = if i % 2 == 0 { Pref::Compute } else { Pref::Memory };
                take(of, tlp_pool::Event::Add { kind, pref, ready: i != 2 });
            }
            take(of, tlp_pool::Event::PickNext { kind: KernelType::Up, pref: Pref::Compute });
        }
        Kind::LeftOver => {
            take(of, tlp_leftover::Event::Submit { needs, n_tb: 9 });
            take(of, tlp_leftover::Event::Submit { needs, n_tb: 400 });
            (0..11).for_each(|_| drop(take(of, tlp_leftover::Event::Dispatch)));
            for sm in [3, 0, 1].map(SmxId) {
                take(of, tlp_leftover::Event::Finish { sm, k: KernelId(0) });
            }
        }
        Kind::SmartEven => {
            let job = |n_tb| gpusched::tlp::Job { needs, n_tb };
            take(of, tlp_smart_even::Event::Start { jobs: vec![job(90), job(2), job(3)] });
            (0..9).for_each(|_| drop(take(of, tlp_smart_even::Event::Dispatch)));
            for sm in [2, 3, 2, 0].map(SmxId) {
                take(of, tlp_smart_even::Event::Finish { sm });
            }
        }
        Kind::Smc => {
            take(of, tlp_smc::Event::Start { max: [5, 3] });
            for perf in [10, 11, 12, 9] {
                take(of, tlp_smc::Event::Report { perf });
            }
        }
    }
    unit
}

/// tlp-V2, tlp-V3: a kernel that has not ended has an SM, from which alone it can go on.
#[test]
fn an_image_of_a_kernel_without_an_sm_is_refused() {
    let mut unit = Unit::new(Kind::SmartEven, &TlpConfig { sms: 2, ..CONFIG }).unwrap();
    let needs = TbNeeds { threads: 300, regs: 7, smem: 9 };
    let jobs = vec![gpusched::tlp::Job { needs, n_tb: 100 }];
    take(&mut unit, tlp_smart_even::Event::Start { jobs });
    let image = image(&unit);
    let body = &image[HEADER..image.len() - 4];
    // Some rows less: their number, and what they are.
    for (at, less) in (0..body.len()).flat_map(|at| (1..=8).map(move |less| (at, less))) {
        for rows in 0..2 {
            let mut body = body.to_vec();
            body[at] = rows;
            body.drain((at + 1).min(body.len())..(at + 1 + less).min(body.len()));
            if let Ok(Unit::SmartEven(other)) = unit.restored(&forged(&image, &body)) {
                let has_sm = |k: usize| other.sms().any(|sm| sm.owner == Some(KernelId(k as u8)));
                let kernels = other.kernels().iter().enumerate();
                assert!(
                    kernels.filter(|(_, kernel)| kernel.finished < kernel.n_tb).all(|(k, _)| has_sm(k)),
                    "{other:?}"
                );
            }
        }
    }
}
