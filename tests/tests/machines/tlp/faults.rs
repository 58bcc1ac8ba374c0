//! Faults: each condition has its name, in the sheet's order, and changes nothing (tlp-I6).

use gpusched::tlp::{
    Category, Job, Kernel, KernelId, KernelType, LeftOver, Metrics, Pool, Pref, SmartEven, Smc, TbNeeds, TlpConfig,
    TlpSm,
};
use gpusched::{Cycle, Fault, SlotId, SmxId};

const K0: KernelId = KernelId(0);
const K1: KernelId = KernelId(1);

pub fn kernel(threads: u32, kind: KernelType, opt: u8) -> Kernel {
    Kernel { needs: TbNeeds { threads, regs: 0, smem: 0 }, category: Category { kind, opt } }
}

/// A refused call says why, and leaves all as it was.
fn refused<M: Clone + PartialEq, T>(machine: &mut M, call: impl FnOnce(&mut M) -> Result<T, Fault>) -> Option<Fault> {
    let before = machine.clone();
    let fault = call(machine).err();
    assert!(*machine == before, "{fault:?} changed the state");
    fault
}

/// A pair of two TBs each, all resident since cycle 10, and the first period over at cycle 30.
fn awaiting() -> TlpSm {
    let mut sm = TlpSm::new(&TlpConfig::GTX480).unwrap();
    for k in [K0, K1] {
        sm.attach(Cycle(10), k, kernel(128, KernelType::Optimal, 2)).unwrap();
    }
    for _ in 0..4 {
        sm.dispatch(Cycle(10), [true, true]).unwrap();
    }
    for slot in 0..4 {
        sm.finish(Cycle(30), SlotId(slot)).unwrap();
    }
    sm
}

#[test]
fn kernels_that_cannot_come() {
    let mut sm = awaiting();
    let good = kernel(128, KernelType::Up, 1);
    for k in [2, 255] {
        assert_eq!(refused(&mut sm, |sm| sm.attach(Cycle(0), KernelId(k), good)), Some(Fault::BadArg));
        assert_eq!(refused(&mut sm, |sm| sm.done(Cycle(0), KernelId(k))), Some(Fault::BadArg));
    }
    // Time before the index, the index before the kernel, its form before its size.
    assert_eq!(refused(&mut sm, |sm| sm.attach(Cycle(29), K0, None)), Some(Fault::TimeBackwards));
    assert_eq!(refused(&mut sm, |sm| sm.attach(Cycle(30), K0, None)), Some(Fault::SlotBusy));
    sm.done(Cycle(30), K0).unwrap();
    let (empty, never) = (kernel(0, KernelType::Up, 1), kernel(1537, KernelType::Down, 0));
    for bad in [None, Some(empty), Some(never)] {
        assert_eq!(refused(&mut sm, |sm| sm.attach(Cycle(30), K0, bad)), Some(Fault::BadKernel));
    }
    for needs in [
        TbNeeds { threads: 1537, regs: 0, smem: 0 },
        TbNeeds { threads: 1, regs: 32769, smem: 0 },
        TbNeeds { threads: 1, regs: 0, smem: 49153 },
    ] {
        let big = Kernel { needs, ..kernel(1, KernelType::Down, 1) };
        assert_eq!(refused(&mut sm, |sm| sm.attach(Cycle(30), K0, big)), Some(Fault::TbTooBig));
    }
}

#[test]
fn kernels_that_cannot_go() {
    let mut sm = awaiting();
    sm.dispatch(Cycle(31), [true, false]).unwrap();
    assert_eq!(refused(&mut sm, |sm| sm.done(Cycle(30), K0)), Some(Fault::TimeBackwards));
    assert_eq!(refused(&mut sm, |sm| sm.done(Cycle(31), K0)), Some(Fault::KernelStillResident));
    sm.done(Cycle(31), K1).unwrap();
    assert_eq!(refused(&mut sm, |sm| sm.done(Cycle(31), K1)), Some(Fault::NotLive));
}

#[test]
fn tbs_that_cannot_come_or_go() {
    let mut sm = awaiting();
    assert_eq!(refused(&mut sm, |sm| sm.dispatch(Cycle(29), [true, true])), Some(Fault::TimeBackwards));
    assert_eq!(refused(&mut sm, |sm| sm.finish(Cycle(29), SlotId(99))), Some(Fault::TimeBackwards));
    for slot in [0, 7, 8, 31, 32, 255] {
        assert_eq!(refused(&mut sm, |sm| sm.finish(Cycle(30), SlotId(slot))), Some(Fault::BadSlot));
    }
}

#[test]
fn overrides_that_cannot_be() {
    let mut sm = awaiting();
    assert_eq!(refused(&mut sm, |sm| sm.override_tlp(Cycle(29), [1, 1])), Some(Fault::TimeBackwards));
    assert_eq!(refused(&mut sm, |sm| sm.override_tlp(Cycle(30), [0, 0])), Some(Fault::BadArg));
    for tb in [[5, 4], [9, 0], [u32::MAX, u32::MAX], [u32::MAX, 1], [17, 0]] {
        assert_eq!(refused(&mut sm, |sm| sm.override_tlp(Cycle(30), tb)), Some(Fault::DoesNotFit), "{tb:?}");
    }
    sm.done(Cycle(30), K1).unwrap();
    assert_eq!(refused(&mut sm, |sm| sm.override_tlp(Cycle(30), [0, 0])), Some(Fault::NotPaired));
    let mut wide = TlpSm::new(&TlpConfig { slots: 32, tlp_cap: 3, ..TlpConfig::GTX480 }).unwrap();
    for k in [K0, K1] {
        wide.attach(Cycle(0), k, kernel(1, KernelType::Optimal, 2)).unwrap();
    }
    assert_eq!(refused(&mut wide, |sm| sm.override_tlp(Cycle(0), [4, 0])), Some(Fault::DoesNotFit));
    assert!(wide.override_tlp(Cycle(0), [3, 3]).is_ok());
}

#[test]
fn samples_that_cannot_be() {
    let mut sm = awaiting();
    let max = u64::MAX;
    let none = Metrics::default();
    assert_eq!(refused(&mut sm, |sm| sm.sample(Cycle(29), &none)), Some(Fault::TimeBackwards));
    let bad = [
        Metrics { stall_mem: max, stall_struct: 1, ..none },
        Metrics { sp: [20, 1], ..none },
        Metrics { sp: [max, max], ..none },
        Metrics { ldst: [0, 21], ..none },
        Metrics { ldst: [1, max], ..none },
    ];
    for metrics in &bad {
        assert_eq!(refused(&mut sm, |sm| sm.sample(Cycle(30), metrics)), Some(Fault::BadMetrics));
    }
    let most = Metrics { sp: [20, 0], ldst: [7, 13], stall_mem: max, ..none };
    sm.sample(Cycle(30), &most).unwrap();
    assert_eq!(sm.history().load.sp, 65536);
    for metrics in bad.iter().chain([&none]) {
        assert_eq!(refused(&mut sm, |sm| sm.sample(Cycle(30), metrics)), Some(Fault::NoSampleDue));
    }
}

/// Busy cycles may reach the length of the period times the pipelines, also where the product has more than 64 bits.
#[test]
fn wide_metrics() {
    let config = TlpConfig { sp_units: 65535, ldst_units: 2, bypass: false, ..TlpConfig::GTX480 };
    let mut sm = TlpSm::new(&config).unwrap();
    for k in [K0, K1] {
        sm.attach(Cycle(0), k, kernel(128, KernelType::Down, 1)).unwrap();
        sm.dispatch(Cycle(0), [true, true]).unwrap();
    }
    for slot in 0..2 {
        sm.finish(Cycle::MAX, SlotId(slot)).unwrap();
    }
    let max = u64::MAX;
    let metrics = Metrics { sp: [max, max], ldst: [max, max], stall_mem: max, stall_struct: 0, avail: [true; 2] };
    sm.sample(Cycle::MAX, &metrics).unwrap();
    let load = sm.history().load;
    assert_eq!((load.sp, load.sp_of), (2 * 65536 / 65535, [1, 1]));
    assert_eq!((load.ldst, load.ldst_of), (65536, [32768, 32768]));
}

#[test]
fn functions_without_a_state() {
    let config = TlpConfig::GTX480;
    assert_eq!(config.categorise(&[]), Err(Fault::BadProfile));
    assert_eq!(config.categorise(&[1; 33]), Err(Fault::BadProfile));
    assert!(config.categorise(&[u64::MAX; 32]).is_ok());
    let (good, none, big) =
        (kernel(1, KernelType::Up, 1), kernel(0, KernelType::Up, 1), kernel(2000, KernelType::Up, 1));
    assert_eq!(config.max(none), Err(Fault::BadKernel));
    assert_eq!(config.max(None), Err(Fault::BadKernel));
    assert_eq!(config.max(big), Ok(0));
    assert_eq!(config.remain(none, good, 1), Err(Fault::BadKernel));
    assert_eq!(config.remain(good, none, 1), Err(Fault::BadKernel));
    assert_eq!(config.remain(good, good, u32::MAX), Ok(0));
    let wide = TlpConfig { threads: u32::MAX, regs: u32::MAX, smem: u32::MAX, slots: 32, tlp_cap: 32, ..config };
    let whole = Kernel { needs: TbNeeds { threads: u32::MAX, regs: u32::MAX, smem: u32::MAX }, ..good };
    assert_eq!(
        (wide.max(whole), wide.remain(whole, whole, 1), wide.remain(whole, whole, u32::MAX)),
        (Ok(1), Ok(0), Ok(0))
    );
    // Kernels, then `first`, then sizes.
    assert_eq!(config.static_tlp(good, none, KernelId(2)), Err(Fault::BadKernel));
    assert_eq!(config.static_tlp(none, big, KernelId(2)), Err(Fault::BadKernel));
    assert_eq!(config.static_tlp(good, big, KernelId(2)), Err(Fault::BadArg));
    assert_eq!(config.static_tlp(good, big, K1), Err(Fault::TbTooBig));
    assert_eq!(config.static_tlp(big, good, K0), Err(Fault::TbTooBig));
}

#[test]
fn pools_refuse() {
    let mut pool = Pool::new(&TlpConfig { pool_cap: 2, ..TlpConfig::GTX480 }).unwrap();
    pool.add(KernelType::Up, Pref::Compute, true).unwrap();
    for i in [1, 2, 63, 64, 255] {
        assert_eq!(refused(&mut pool, |pool| pool.ready(KernelId(i))), Some(Fault::BadIndex));
    }
    pool.add(KernelType::Up, Pref::Compute, true).unwrap();
    assert_eq!(refused(&mut pool, |pool| pool.add(KernelType::Up, Pref::Compute, true)), Some(Fault::PoolFull));
}

#[test]
fn leftover_refuses() {
    let config = TlpConfig { sms: 2, qcap: 1, ..TlpConfig::GTX480 };
    let mut gpu = LeftOver::new(&config).unwrap();
    let needs = |threads| TbNeeds { threads, regs: 0, smem: 0 };
    for (threads, n_tb, fault) in [(0, 1, Fault::BadKernel), (2000, 0, Fault::BadKernel), (2000, 1, Fault::TbTooBig)] {
        assert_eq!(refused(&mut gpu, |gpu| gpu.submit(needs(threads), n_tb)), Some(fault));
    }
    gpu.submit(needs(1), 2).unwrap();
    assert_eq!(refused(&mut gpu, |gpu| gpu.submit(needs(2000), 2)), Some(Fault::TbTooBig));
    assert_eq!(refused(&mut gpu, |gpu| gpu.submit(needs(1), 2)), Some(Fault::QueueFull));
    gpu.dispatch();
    for (sm, k) in [(1, 0), (0, 1), (2, 0), (0, 32), (256, 0), (65535, 255)] {
        assert_eq!(refused(&mut gpu, |gpu| gpu.finish(SmxId(sm), KernelId(k))), Some(Fault::NotResident));
    }
    assert_eq!(gpu.finish(SmxId(0), K0), Ok(false));
    assert_eq!(refused(&mut gpu, |gpu| gpu.finish(SmxId(0), K0)), Some(Fault::NotResident));
}

#[test]
fn smart_even_refuses() {
    let mut gpu = SmartEven::new(&TlpConfig { sms: 2, ..TlpConfig::GTX480 }).unwrap();
    let job = |threads, n_tb| Job { needs: TbNeeds { threads, regs: 0, smem: 0 }, n_tb };
    let (good, none, big, empty) = (job(1, 1), job(0, 1), job(2000, 1), job(1, 0));
    let cases: [(&[Job], Fault); 7] = [
        (&[], Fault::BadArg),
        (&[none; 9], Fault::BadArg),
        (&[none; 3], Fault::TooFewSms),
        (&[none, big], Fault::BadKernel),
        (&[big, none], Fault::TbTooBig),
        (&[good, empty], Fault::BadKernel),
        (&[good, big], Fault::TbTooBig),
    ];
    for (jobs, fault) in cases {
        assert_eq!(refused(&mut gpu, |gpu| gpu.start(jobs)), Some(fault));
    }
    gpu.start(&[good]).unwrap();
    assert_eq!(refused(&mut gpu, |gpu| gpu.start(&[])), Some(Fault::Busy));
    gpu.dispatch();
    for sm in [1, 2, 256, 65535] {
        assert_eq!(refused(&mut gpu, |gpu| gpu.finish(SmxId(sm))), Some(Fault::NotResident));
    }
    gpu.finish(SmxId(0)).unwrap();
    assert_eq!(refused(&mut gpu, |gpu| gpu.finish(SmxId(0))), Some(Fault::NotResident));
    assert_eq!(gpu.start(&[good, good]), Ok(()));
}

#[test]
fn searches_refuse() {
    let mut search = Smc::new(&TlpConfig { sms: 2, ..TlpConfig::GTX480 }).unwrap();
    assert_eq!(refused(&mut search, |search| search.report(1)), Some(Fault::NoProposal));
    assert_eq!(refused(&mut search, |search| search.start([0, 1])), Some(Fault::BadArg));
    assert_eq!(refused(&mut search, |search| search.start([1, 0])), Some(Fault::BadArg));
    search.start([1, 1]).unwrap();
    assert_eq!(refused(&mut search, |search| search.start([0, 1])), Some(Fault::Busy));
    // Two SMs, one TB each: there is nothing to try.
    assert!(search.report(7).unwrap().done);
    assert_eq!(refused(&mut search, |search| search.report(8)), Some(Fault::NoProposal));
    assert!(search.start([1, 2]).is_ok());
}
