//! Rules and hazards that no vector shows whole.

use gpusched::tlp::{
    Action, Category, Dispatch, HistoryRule, Job, Kernel, KernelId, KernelType, Learn, LeftOver, Metrics, Mode, Order,
    Phase, Pipe, Pool, Pref, Proposal, PuhpTie, Sampled, Sent, SmartEven, Smc, SoloTlp, Stall, StallNorm, TbNeeds,
    TlpConfig, TlpSm, UpUp,
};
use gpusched::{Cycle, SlotId, SmxId};

const K0: KernelId = KernelId(0);
const K1: KernelId = KernelId(1);

fn kernel(threads: u32, kind: KernelType, opt: u8) -> Kernel {
    Kernel { needs: TbNeeds { threads, regs: 0, smem: 0 }, category: Category { kind, opt } }
}

/// A host of two kernels with work for ever.
struct Host {
    sm: TlpSm,
    now: u64,
}

impl Host {
    fn new(config: &TlpConfig, kernels: [Kernel; 2]) -> Self {
        let mut sm = TlpSm::new(config).unwrap();
        for (k, kernel) in (0..).zip(kernels) {
            sm.attach(Cycle(0), KernelId(k), kernel).unwrap();
        }
        Self { sm, now: 0 }
    }

    fn now(&self) -> Cycle {
        Cycle(self.now)
    }

    /// Sends what the SM takes, and says why it takes no more.
    fn fill(&mut self) -> Stall {
        loop {
            match self.sm.dispatch(self.now(), [true, true]).unwrap() {
                Dispatch::Placed(_) => {}
                Dispatch::Stall(stall) => return stall,
            }
        }
    }

    /// All residents end after so many cycles; whether a period ends with them.
    fn end_all(&mut self, cycles: u64) -> bool {
        self.now += cycles;
        let slots = self.sm.slots().map(|(slot, _)| slot).collect::<Vec<_>>();
        let ends = slots.into_iter().map(|slot| self.sm.finish(self.now(), slot).unwrap().period_end);
        ends.filter(|end| *end).count() > 0
    }

    /// A period of 1000 cycles with these counters.
    fn period(&mut self, sp: [u64; 2], ldst: [u64; 2], stall: u64) -> Sampled {
        // A target that shrank drains first.
        for _ in 0..3 {
            self.fill();
            if self.end_all(1000) {
                let metrics = Metrics { sp, ldst, stall_mem: stall, stall_struct: 0, avail: [true, true] };
                return self.sm.sample(self.now(), &metrics).unwrap();
            }
        }
        panic!("no period ends: {:?}", self.sm);
    }
}

const PLAIN: TlpConfig = TlpConfig { bypass: false, ..TlpConfig::GTX480 };

/// tlp-O3: ties are compute; units count.
#[test]
fn preference_is_by_utilisation() {
    let pref = |sp_units, ldst_units, sp, ldst| TlpConfig { sp_units, ldst_units, ..PLAIN }.pref(sp, ldst);
    assert_eq!(pref(1, 1, 5, 5), Pref::Compute);
    assert_eq!(pref(1, 1, 5, 6), Pref::Memory);
    assert_eq!(pref(2, 1, 9, 5), Pref::Memory);
    assert_eq!(pref(1, 2, 3, 6), Pref::Compute);
    assert_eq!(pref(1, 65535, u64::MAX, u64::MAX), Pref::Compute);
    assert_eq!(pref(65535, 1, u64::MAX, u64::MAX), Pref::Memory);
}

/// tlp-C1 with a tolerance: wide arithmetic, and 1000 thousandths make everything good.
#[test]
fn a_tolerance_takes_the_lowest() {
    let max = u64::MAX;
    let of = |tol_permille, profile: &[u64]| TlpConfig { tol_permille, ..PLAIN }.categorise(profile).unwrap();
    assert_eq!(of(0, &[max - 1, max]), Category { kind: KernelType::Up, opt: 2 });
    assert_eq!(of(1, &[max - 1, max]), Category { kind: KernelType::Down, opt: 1 });
    assert_eq!(of(1000, &[0, max, 5]), Category { kind: KernelType::Down, opt: 1 });
    assert_eq!(of(500, &[49, 50, 100, 99]), Category { kind: KernelType::Optimal, opt: 2 });
}

/// tlp-D1: a kernel alone has all that fits, or what it runs best with; the types of the pair decide, not the order of attaching.
#[test]
fn a_kernel_alone() {
    let solo = |solo_tlp, opt| {
        let mut sm = TlpSm::new(&TlpConfig { solo_tlp, ..PLAIN }).unwrap();
        let attached = sm.attach(Cycle(0), K1, kernel(512, KernelType::Optimal, opt)).unwrap();
        assert_eq!(attached.mode, Mode::Solo);
        attached.tb
    };
    assert_eq!(solo(SoloTlp::Max, 2), [0, 3]);
    assert_eq!(solo(SoloTlp::Opt, 2), [0, 2]);
    assert_eq!(solo(SoloTlp::Opt, 255), [0, 3]);
    let mut sm = TlpSm::new(&TlpConfig { solo_tlp: SoloTlp::Opt, ..PLAIN }).unwrap();
    sm.attach(Cycle(0), K1, kernel(128, KernelType::Optimal, 2)).unwrap();
    assert_eq!(sm.attach(Cycle(0), K0, kernel(128, KernelType::Up, 8)).unwrap().tb, [6, 2]);
    assert_eq!(sm.first(), K1);
    // Left alone it is the first one again.
    let gone = sm.done(Cycle(0), K1).unwrap();
    assert_eq!((gone.mode, gone.tb, gone.aborted, sm.first()), (Mode::Solo, [8, 0], false, K0));
    assert_eq!((sm.done(Cycle(0), K0).unwrap().mode, sm.tb()), (Mode::Idle, [0, 0]));
}

/// tlp-S3 with `half`: the younger gets what remains; if that is nothing, it waits.
#[test]
fn halves_of_two_of_type_up() {
    let config = TlpConfig { upup: UpUp::Half, ..PLAIN };
    let of = |t0, t1, first| {
        let targets = config.static_tlp(kernel(t0, KernelType::Up, 8), kernel(t1, KernelType::Up, 8), first).unwrap();
        (targets.tb, targets.mode, targets.a)
    };
    assert_eq!(of(256, 128, K0), ([3, 5], Mode::Pair, K0));
    assert_eq!(of(256, 128, K1), ([4, 4], Mode::Pair, K1));
    assert_eq!(of(1536, 128, K0), ([1, 0], Mode::Leftover, K0));
    assert_eq!(of(1024, 1024, K1), ([0, 1], Mode::Leftover, K1));
}

/// tlp-D2, tlp-H11: the growing kernel stalls until enough TBs of the other have drained.
#[test]
fn a_growing_kernel_waits_for_room() {
    let mut host = Host::new(&PLAIN, [kernel(384, KernelType::Optimal, 1), kernel(384, KernelType::Optimal, 3)]);
    assert_eq!((host.sm.tb(), host.fill()), ([1, 3], Stall::AtTarget));
    host.sm.override_tlp(host.now(), [3, 1]).unwrap();
    assert_eq!(host.fill(), Stall::NoRoom);
    // No TB to send either: the stall that is reported is the room.
    assert_eq!(host.sm.dispatch(Cycle(0), [true, false]), Ok(Dispatch::Stall(Stall::NoRoom)));
    assert_eq!(host.sm.dispatch(Cycle(0), [false, true]), Ok(Dispatch::Stall(Stall::NoWork)));
    host.now = 5;
    host.sm.finish(host.now(), SlotId(2)).unwrap();
    assert!(matches!(host.sm.dispatch(host.now(), [true, true]), Ok(Dispatch::Placed(tb)) if tb.k == K0));
    // Kernel 1 is above its target, so no period starts before it has drained.
    assert_eq!((host.sm.resident(), host.sm.period().phase()), ([2, 2], Phase::Waiting));
    host.sm.finish(host.now(), SlotId(1)).unwrap();
    assert_eq!(host.fill(), Stall::AtTarget);
    assert_eq!(host.sm.period().phase(), Phase::Sampling);
}

/// tlp-H7: it starves until the other is done; learning skips it, and then all is as for one alone.
#[test]
fn a_kernel_without_room_starves() {
    let config = TlpConfig { dynamic: false, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(1024, KernelType::Down, 1), kernel(1024, KernelType::Down, 1)]);
    assert_eq!((host.sm.mode(), host.sm.tb()), (Mode::Pair, [1, 0]));
    for (stall, learn, by) in [(9, Learn::S2, [1, 0]), (5, Learn::Done, [1, 0])] {
        let sampled = host.period([0, 0], [0, 0], stall);
        assert_eq!((sampled.learn, sampled.by), (learn, by));
    }
    host.fill();
    host.end_all(10);
    host.sm.done(host.now(), K0).unwrap();
    assert_eq!((host.sm.tb(), host.fill()), ([0, 1], Stall::AtTarget));
}

/// tlp-L6 also where no target moves in the sample: a kernel that was tried may have no target by then.
#[test]
fn bypassing_stays_within_the_target() {
    let config = TlpConfig { dynamic: false, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
    host.period([0, 0], [0, 0], 100);
    assert_eq!(host.period([0, 0], [0, 0], 10).by, [0, 1]);
    // Kernel 0 was the best, and loses its target while kernel 1 is tried.
    assert_eq!(host.sm.override_tlp(host.now(), [0, 2]).unwrap().by, [0, 1]);
    let sampled = host.period([0, 0], [0, 0], 50);
    assert_eq!((sampled.learn, sampled.by), (Learn::Done, [0, 0]));
}

/// tlp-D6 on a trial: what was good is kept, as far as the new target reaches.
#[test]
fn an_override_ends_a_trial_that_is_too_large() {
    let config = TlpConfig { dynamic: false, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 4); 2]);
    let stalls = [100, 90, 95, 80, 70];
    let last = stalls.map(|stall| host.period([0, 0], [0, 0], stall)).into_iter().last().unwrap();
    assert_eq!((last.learn, last.by), (Learn::S4, [4, 0]));
    assert_eq!(host.sm.override_tlp(host.now(), [3, 4]).unwrap().by, [3, 0]);
    assert_eq!(host.sm.learn(), Learn::Done);
    // Learning is over: no further period is for it.
    assert_eq!((host.fill(), host.sm.period().phase()), (Stall::AtTarget, Phase::Waiting));
}

/// tlp-H9: without `wait_by` a trial may be measured without a bypassing TB.
#[test]
fn without_waiting_a_trial_may_lack_its_tbs() {
    for (wait_by, phase) in [(true, Phase::Waiting), (false, Phase::Sampling)] {
        let config = TlpConfig { wait_by, ..TlpConfig::GTX480 };
        let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
        host.fill();
        // The successors come before the sample, untagged.
        for slot in 0..4 {
            host.now += 10;
            host.sm.finish(host.now(), SlotId(slot)).unwrap();
            host.fill();
        }
        host.sm.sample(host.now(), &Metrics { avail: [true; 2], ..Metrics::default() }).unwrap();
        assert_eq!((host.sm.by(), host.sm.bypassing(), host.sm.period().phase()), ([1, 0], [0, 0], phase));
    }
}

/// tlp-D3: the tag of a TB never changes, and a TB that ends leaves its tag to its successor.
#[test]
fn tags_last_as_long_as_their_tbs() {
    let config = TlpConfig { dynamic: false, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
    host.period([0, 0], [0, 0], 9);
    host.fill();
    let tags = |host: &Host| host.sm.slots().filter(|(_, tb)| tb.bypass).map(|(slot, _)| slot.0).collect::<Vec<_>>();
    assert_eq!(tags(&host), [0]);
    host.sm.finish(host.now(), SlotId(1)).unwrap();
    host.fill();
    assert_eq!(tags(&host), [0]);
    let ended = host.sm.finish(host.now(), SlotId(0)).unwrap();
    assert_eq!((ended.k, ended.bypass), (K0, true));
    host.fill();
    assert_eq!(tags(&host), [0]);
    // The other kernel comes to the SM anew: no TB loses its tag.
    host.sm.finish(host.now(), SlotId(2)).unwrap();
    host.sm.finish(host.now(), SlotId(3)).unwrap();
    let gone = host.sm.done(host.now(), K1).unwrap();
    assert_eq!((gone.aborted, tags(&host), host.sm.by()), (true, vec![0], [0, 0]));
}

/// tlp-H4: with a steady load the literal rule finds a pipeline critical in every period; `hold_on_equal` holds.
#[test]
fn a_steady_load_holds_only_with_hold_on_equal() {
    for (hold_on_equal, action, cost) in [(false, Action::Moved, 16), (true, Action::Hold, 8)] {
        let config = TlpConfig { hold_on_equal, ..PLAIN };
        let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
        let load = |host: &mut Host| host.period([300, 100], [100, 100], 0);
        assert_eq!(load(&mut host).action, Action::First);
        let second = load(&mut host);
        assert_eq!((second.action, second.cost), (action, cost));
        assert_eq!(second.tb, if hold_on_equal { [2, 2] } else { [3, 2] });
    }
}

/// tlp-M3, tlp-M4: an idle pipeline is never critical; one without a history is rising; equal falls are SP's.
#[test]
fn which_pipeline_is_critical() {
    let critical = |his: [u64; 2], cur: [u64; 2]| {
        let config = TlpConfig { his_shift: 0, puhp_tie: PuhpTie::Hold, ..PLAIN };
        let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
        host.period([his[0], 0], [his[1], 0], 0);
        host.period([cur[0], 0], [cur[1], 0], 0).critical
    };
    let (sp, ldst) = (Some(Pipe::Sp), Some(Pipe::Ldst));
    assert_eq!(critical([500, 0], [400, 0]), sp);
    assert_eq!(critical([0, 500], [0, 400]), ldst);
    assert_eq!(critical([0, 500], [7, 400]), ldst);
    assert_eq!(critical([500, 0], [400, 7]), sp);
    assert_eq!(critical([500, 500], [600, 400]), ldst);
    assert_eq!(critical([500, 500], [400, 600]), sp);
    assert_eq!(critical([500, 500], [250, 250]), sp);
    assert_eq!(critical([500, 400], [0, 0]), sp);
    assert_eq!(critical([0, 0], [0, 0]), None);
    assert_eq!(critical([0, 0], [5, 0]), None);
    assert_eq!(critical([500, 500], [501, 501]), None);
}

/// tlp-M6: the histories of all rules, to the last bit.
#[test]
fn histories_are_exact() {
    let history = |config: TlpConfig| {
        let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
        for busy in [1000, 0, 333, 1000] {
            host.period([busy, 0], [0, busy], 0);
        }
        (host.sm.history().load.sp, host.sm.history().load.ldst_of[1], host.sm.history().periods)
    };
    let u = |busy: u64| busy * 65536 / 1000;
    let ewma =
        |s: u32| [0, 333, 1000].into_iter().fold(u(1000), |his, busy| (his * ((1 << s) - 1) + u(busy)) >> s) as u32;
    for his_shift in 0..=8 {
        let expected = ewma(his_shift);
        assert_eq!(history(TlpConfig { his_shift, ..PLAIN }), (expected, expected, 4));
    }
    let mean = (1u64..).zip([0, 333, 1000]).fold(u(1000), |his, (n, busy)| (his * n + u(busy)) / (n + 1)) as u32;
    assert_eq!(history(TlpConfig { his_rule: HistoryRule::Mean, ..PLAIN }), (mean, mean, 4));
}

/// Under `bypass_first` targets move only in periods that nothing is learnt from.
#[test]
fn targets_wait_for_learning() {
    let config = TlpConfig { order: Order::BypassFirst, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(128, KernelType::Optimal, 2); 2]);
    let actions = (0..6).map(|i| host.period([900 - 100 * i, 0], [0, 100], 9).action).collect::<Vec<_>>();
    assert_eq!(actions[..4], [Action::Frozen, Action::Frozen, Action::Frozen, Action::First]);
    assert_eq!(actions[4], Action::Moved);
}

/// tlp-B7 per cycle: with products of more than 64 bits.
#[test]
fn stalls_per_cycle_are_wide() {
    let config = TlpConfig { stall_norm: StallNorm::PerCycle, dynamic: false, ..TlpConfig::GTX480 };
    let mut host = Host::new(&config, [kernel(128, KernelType::Down, 1); 2]);
    let mut sample = |cycles: u64, stall: u64| {
        host.fill();
        assert!(host.end_all(cycles));
        let metrics = Metrics { stall_mem: stall, avail: [true; 2], ..Metrics::default() };
        host.sm.sample(host.now(), &metrics).unwrap()
    };
    // The same share of the cycles, but for one stall.
    sample(1 << 60, (1 << 63) + 1);
    sample(1 << 61, u64::MAX);
    assert_eq!(sample(1 << 50, 1 << 53).by, [1, 0]);
}

/// tlp-H5: its sample is dropped, whichever state it is in, and dispatching goes on.
#[test]
fn a_kernel_may_end_in_a_period() {
    for await_sample in [false, true] {
        let mut host = Host::new(&PLAIN, [kernel(128, KernelType::Optimal, 2); 2]);
        host.fill();
        host.now = 50;
        for slot in 0..if await_sample { 4 } else { 2 } {
            host.sm.finish(host.now(), SlotId(slot)).unwrap();
        }
        let gone = host.sm.done(host.now(), K0).unwrap();
        assert_eq!((gone.aborted, gone.mode, gone.tb), (true, Mode::Solo, [0, 8]));
        assert_eq!((host.sm.period().phase(), host.sm.cohort()), (Phase::Waiting, 0));
        assert_eq!((host.fill(), host.sm.resident()), (Stall::AtTarget, [0, 8]));
        assert!(!host.end_all(10));
    }
}

/// tlp-A1: 8 slots or 16; the rows of Table IV come out the same with either.
#[test]
fn table_4_does_not_tell_slots_apart() {
    let text = include_str!("../../../vectors/tlp/g01_table4_table3_regs.json");
    let vector: serde_json::Value = serde_json::from_str(text).unwrap();
    let kernel = |k: &serde_json::Value| {
        let of = |name: &str| k[name].as_u64().unwrap() as u32;
        let kind = serde_json::from_value(k["type"].clone()).unwrap();
        let needs = TbNeeds { threads: of("threads"), regs: of("regs"), smem: of("smem") };
        Kernel { needs, category: Category { kind, opt: of("opt") as u8 } }
    };
    let steps = vector["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 28);
    for step in steps {
        let (k0, k1) = (kernel(&step["in"]["k0"]), kernel(&step["in"]["k1"]));
        let of = |slots| TlpConfig { slots, ..PLAIN }.static_tlp(k0, k1, K0).unwrap();
        assert_eq!(of(8), of(16), "{}", step["note"]);
    }
}

/// tlp-O2 without `avoid_upup`: type does not matter.
#[test]
fn pools_may_pair_two_of_type_up() {
    for (avoid_upup, first) in [(true, 1), (false, 0)] {
        let mut pool = Pool::new(&TlpConfig { avoid_upup, ..PLAIN }).unwrap();
        pool.add(KernelType::Up, Pref::Memory, true).unwrap();
        pool.add(KernelType::Down, Pref::Memory, true).unwrap();
        let next = pool.pick_next(KernelType::Up, Pref::Compute).unwrap();
        assert_eq!((next.i, next.complementary), (KernelId(first), true));
    }
}

/// tlp-V1: the pointer goes on behind the SM that was served, and a kernel behind the head waits however much room there is.
#[test]
fn leftover_serves_only_the_head() {
    let config = TlpConfig { sms: 3, slots: 1, idle_only: false, ..PLAIN };
    let mut gpu = LeftOver::new(&config).unwrap();
    let needs = |threads| TbNeeds { threads, regs: 0, smem: 0 };
    gpu.submit(needs(1), 4).unwrap();
    gpu.submit(needs(1), 1).unwrap();
    let sms = (0..3).map(|_| gpu.dispatch()).collect::<Vec<_>>();
    assert!(sms.iter().zip(0..).all(|(sent, sm)| matches!(sent, Sent::Tb(tb) if tb.sm == SmxId(sm) && tb.k == K0)));
    assert_eq!(gpu.dispatch(), Sent::NoRoom);
    gpu.finish(SmxId(1), K0).unwrap();
    assert!(matches!(gpu.dispatch(), Sent::Tb(tb) if tb.sm == SmxId(1) && tb.tb == 3));
    assert_eq!(gpu.pointer(), SmxId(2));
    gpu.finish(SmxId(0), K0).unwrap();
    assert!(matches!(gpu.dispatch(), Sent::Tb(tb) if tb.sm == SmxId(0) && tb.k == K1));
    assert_eq!(gpu.dispatch(), Sent::Empty);
}

/// tlp-V2: shares with and without `smart`, and SMs that nobody owns.
#[test]
fn shares_of_smart_even() {
    let owners = |smart, tbs: &[u32]| {
        let mut gpu = SmartEven::new(&TlpConfig { sms: 10, slots: 2, smart, ..PLAIN }).unwrap();
        let job = |&n_tb| Job { needs: TbNeeds { threads: 1, regs: 0, smem: 0 }, n_tb };
        gpu.start(&tbs.iter().map(job).collect::<Vec<_>>()).unwrap();
        let mut shares = vec![0; tbs.len() + 1];
        gpu.sms().for_each(|sm| shares[sm.owner.map_or(tbs.len(), |k| usize::from(k.0))] += 1);
        shares
    };
    assert_eq!(owners(false, &[1, 1, 1]), [4, 3, 3, 0]);
    assert_eq!(owners(true, &[1, 1, 1]), [1, 1, 1, 7]);
    assert_eq!(owners(true, &[100, 1, 100]), [5, 1, 4, 0]);
    assert_eq!(owners(true, &[9, 1, 100]), [5, 1, 4, 0]);
    assert_eq!(owners(true, &[2, 3, 100]), [1, 2, 7, 0]);
}

/// tlp-V3: SMs go one by one to whoever has the fewest at that moment, and a kernel that ends last leaves them to nobody.
#[test]
fn sms_go_to_those_with_the_fewest() {
    let mut gpu = SmartEven::new(&TlpConfig { sms: 8, slots: 1, smart: false, ..PLAIN }).unwrap();
    let job = |n_tb| Job { needs: TbNeeds { threads: 1, regs: 0, smem: 0 }, n_tb };
    gpu.start(&[job(1), job(9), job(9)]).unwrap();
    let owner = |gpu: &SmartEven| gpu.sms().map(|sm| sm.owner.map_or(9, |k| k.0)).collect::<Vec<_>>();
    assert_eq!(owner(&gpu), [0, 0, 0, 1, 1, 1, 2, 2]);
    assert!(matches!(gpu.dispatch(), Sent::Tb(tb) if tb.sm == SmxId(0)));
    assert!(gpu.finish(SmxId(0)).unwrap().done);
    assert_eq!(owner(&gpu), [2, 1, 2, 1, 1, 1, 2, 2]);
    while gpu.is_running() {
        while let Sent::Tb(_) = gpu.dispatch() {}
        let busy = (0..8).map(SmxId).find(|&sm| gpu.sm(sm).unwrap().resident > 0).unwrap();
        gpu.finish(busy).unwrap();
    }
    assert_eq!(owner(&gpu), [9; 8]);
    assert_eq!(gpu.dispatch(), Sent::Empty);
}

/// tlp-V4: the search ends within max0 + max1 + S reports whatever it is told, and with the best that it has seen.
#[test]
fn searches_end() {
    for (sms, max, seed) in [(2, [1, 1], 1), (15, [8, 8], 2), (15, [8, 6], 3), (256, [16, 16], 4), (3, [2, 1], 5)] {
        for rising in [false, true] {
            let mut search = Smc::new(&TlpConfig { sms, ..PLAIN }).unwrap();
            let mut proposal = search.start(max).unwrap();
            let (mut reports, mut best) = (0, (0, Proposal::default()));
            loop {
                let perf = if rising { 100 + reports } else { (reports + 1) * seed * 0x9e37 % 101 };
                if reports == 0 || perf > best.0 {
                    best = (perf, proposal);
                }
                reports += 1;
                let reported = search.report(perf).unwrap();
                proposal = reported.proposal;
                if reported.done {
                    break;
                }
            }
            assert!(reports <= u64::from(max[0] + max[1] + sms), "{reports} reports");
            assert_eq!((search.best(), proposal), best);
        }
    }
}
