//! catalogue-X1 on a front end: policies that name the TBs they send decide on units in pieces as they do on whole ones, and what they
//! name can be split off.

use std::collections::BTreeMap;

use gpusched::catalogue::{Amount, CatalogueConfig, Order, Policy as Name};
use gpusched::{
    Choice, Config, Cycle, Descriptor, Dim3, GroupLaunch, Offer, OfferKind, Policy, Resident, Resources, SmxId, State,
    ToldPart, Units, View,
};
use gpusched_heap::{catalogue, front_end};
use gpusched_tests::events::Told;
use proptest::prelude::*;
use proptest::sample::select;

use crate::properties::configs::Machine;
use crate::told::script::{Digits, offers};

type Checked = Result<(), TestCaseError>;

const GPU: Config = Config {
    n_smx: 5,
    tb_slots: 2,
    threads: 64,
    regs: 0,
    smem: 0,
    warp: 32,
    n_hwq: 3,
    n_kde: 3,
    pend_limit: 8,
    policy: Policy::Told(ToldPart { units: Units::Free, split_cap: 128, ..ToldPart::CHAIN }),
    ..Config::K20C.ideal()
};

/// The front end as a host whose units are never split: one offer for each.
struct Whole<'a>(&'a Machine);

impl View for Whole<'_> {
    fn now(&self) -> Cycle {
        self.0.now()
    }

    fn offers(&self) -> impl Iterator<Item = Offer> {
        let mut units: Vec<Offer> = Vec::new();
        for offer in offers(self.0) {
            match units.iter_mut().find(|unit| unit.row == offer.row) {
                Some(unit) => unit.left += offer.left,
                None => units.push(offer),
            }
        }
        units.into_iter()
    }

    fn free(&self, smx: SmxId) -> Resources {
        self.0.policy_view().expect("the policy is the host's").free(smx)
    }

    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident> {
        self.0.residents(smx).into_iter().flatten()
    }
}

/// Unit and TB of an answer.
fn meant(view: &impl View, choice: Choice) -> Option<(u64, Option<u32>, SmxId)> {
    let offer = view.offers().find(|offer| offer.id == choice.id)?;
    Some((offer.key.no, choice.blkid.or(offer.blkid), choice.smx))
}

fn kernel(tbs: u32) -> Descriptor {
    Descriptor { pc: 1, grid: Dim3::linear(tbs), tb: Dim3::linear(32), ..Descriptor::default() }
}

/// Kernels of these sizes, whose TBs launch groups, and run for as long as the seed says. What was sent, by unit.
fn sent_by(config: &CatalogueConfig, sizes: [u32; 3], seed: u64) -> Result<BTreeMap<u64, Vec<u32>>, TestCaseError> {
    let mut gpu = front_end(&GPU).expect("the configuration is good");
    let mut policy = catalogue::machine(config).expect("the policy is good");
    let mut of_whole = policy.clone();
    let (mut sent, mut digits) = (BTreeMap::<_, Vec<_>>::new(), Digits(seed));
    for (stream, &tbs) in (0..).zip(&sizes) {
        gpu.host_launch(stream, &kernel(tbs), false).expect("there is a queue for it");
    }
    while gpu.status() != State::Drained {
        prop_assert!(gpu.now().0 < 5000, "{config:?} does not go on");
        for tb in gpu.resident_tbs().collect::<Vec<_>>() {
            if digits.rarely(16) {
                let groups = [GroupLaunch { kernel: kernel(1 + digits.below(9) as u32), hw_tid: 0 }];
                let _ = gpu.agg_launch(tb.smx, tb.slot, &groups);
            }
            if digits.rarely(3) {
                let completion = gpu.completion(tb.smx, tb.slot).expect("it runs");
                for policy in [&mut policy, &mut of_whole] {
                    prop_assert_eq!(policy.done(&completion), Ok(()));
                }
                prop_assert_eq!(gpu.tb_done(tb.smx, tb.slot, &mut ()), Ok(()));
            }
        }
        let told = &mut Told::default();
        gpu.begin(told).expect("a cycle begins");
        let theirs = of_whole.choose(&Whole(&gpu)).and_then(|choice| meant(&Whole(&gpu), choice));
        let choice = policy.choose(&gpu.policy_view().expect("the policy is the host's"));
        let mine = choice.and_then(|choice| meant(&gpu.policy_view().ok()?, choice));
        prop_assert_eq!(mine, theirs, "{:?} at {:?}", config, gpu.now());
        if let (Some(Choice { id, smx, blkid }), Some((unit, tb, _))) = (choice, mine) {
            let piece = blkid.map_or(Ok(id), |at| gpu.split(id, at));
            let started = piece.and_then(|piece| gpu.send(piece, smx, told));
            prop_assert_eq!(started.map(|started| Some(started.blkid)), Ok(tb), "{:?}: {:?}", config, choice);
            sent.entry(unit).or_default().extend(tb);
        }
        gpu.end(Some(gpu.now().after(1)), told).expect("a cycle ends");
        prop_assert_eq!(gpu.validate(), Ok(()));
        prop_assert_eq!(policy.validate(), Ok(()));
    }
    Ok(sent)
}

/// A policy on that machine.
fn on(config: CatalogueConfig) -> CatalogueConfig {
    let Config { n_smx, n_kde, pend_limit, tb_slots, threads, regs, smem, .. } = GPU;
    CatalogueConfig { n_smx, units: n_kde + pend_limit, slots: tb_slots, threads, regs, smem, ..config }
}

fn named() -> impl Strategy<Value = CatalogueConfig> {
    let own = select(vec![Name::Chunked, Name::Strided, Name::Dist, Name::BatchRr]);
    let own = own.prop_map(|name| CatalogueConfig { order: Order::Own, ..CatalogueConfig::of(name) });
    let steal = (select(vec![Amount::Half, Amount::One]), 1..3u32).prop_map(|(amount, min_steal)| CatalogueConfig {
        amount,
        min_steal,
        ..CatalogueConfig::of(Name::Steal)
    });
    prop_oneof![own.boxed(), steal.boxed()].prop_map(on)
}

#[test]
fn policies_that_name_tbs_send_each_of_them_once() {
    let sizes = [1..40u32, 1..40, 1..40];
    let mut out_of_order = 0;
    crate::every::check(300, (named(), sizes, any::<u64>()), |(config, sizes, seed)| -> Checked {
        for tbs in sent_by(&config, sizes, seed)?.into_values() {
            let mut sorted = tbs.clone();
            sorted.sort_unstable();
            prop_assert_eq!(&sorted, &(0..tbs.len() as u32).collect::<Vec<_>>(), "{:?}", config);
        }
        Ok(())
    });
    for seed in 0..20 {
        let chunked = on(CatalogueConfig { order: Order::Own, ..CatalogueConfig::of(Name::Chunked) });
        let sent = sent_by(&chunked, [30, 1, 1], seed).expect("it is as above");
        out_of_order += sent.values().filter(|tbs| !tbs.is_sorted()).count();
    }
    assert!(out_of_order > 10, "{out_of_order}");
}

/// A kernel that comes back begins with what is unsent of it, in order; until then its saved TBs go in theirs.
#[test]
fn a_resumed_kernel_goes_on_with_what_is_unsent() {
    for name in [Name::Chunked, Name::Steal] {
        let order = if name == Name::Steal { Order::Ascending } else { Order::Own };
        let config = on(CatalogueConfig { order, ..CatalogueConfig::of(name) });
        let mut policy = catalogue::machine(&config).expect("the policy is good");
        let told = &mut Told::default();
        let mut gpu = front_end(&GPU).expect("the configuration is good");
        gpu.host_launch(0, &kernel(20), false).expect("there is a queue for it");
        gpu.begin(told).expect("a cycle begins");
        let first = offers(&gpu)[0].id;
        gpu.send(first, SmxId(4), told).expect("it is open");
        gpu.end(None, told).expect("a cycle ends");
        let kept = gpu.suspend(gpusched::KernelSlot(0), &mut ()).expect("it is not in pieces");
        gpu.resume(kept).expect("it is there");
        let mut sent = Vec::new();
        while sent.len() < 20 {
            gpu.begin(told).expect("a cycle begins");
            let choice = policy.choose(&gpu.policy_view().expect("the policy is the host's"));
            if let Some(Choice { id, smx, blkid }) = choice {
                let kind = offers(&gpu).into_iter().find(|offer| offer.id == id).map(|offer| offer.kind);
                assert!(kind != Some(OfferKind::Restored) || blkid.is_none());
                let piece = blkid.map_or(Ok(id), |at| gpu.split(id, at)).expect("what it names is unsent");
                let tb = gpu.send(piece, smx, told).expect("it is open");
                sent.push((kind == Some(OfferKind::Restored), tb.blkid));
                gpu.end(None, told).expect("a cycle ends");
                gpu.tb_done(tb.smx, tb.slot, &mut ()).expect("it runs");
            } else {
                gpu.end(None, told).expect("a cycle ends");
            }
        }
        assert_eq!(sent.remove(0), (true, 0), "{name:?}");
        sent.sort_unstable();
        assert_eq!(sent, (1..20).map(|tb| (false, tb)).collect::<Vec<_>>(), "{name:?}");
    }
}
