//! A first address and a stride say the same as the list of all addresses: the answer, the refusal and the state.

use gpusched::Cycle;
use gpusched::apogee::{Access, ApogeeConfig, Lanes, Verdict, WarpId};
use gpusched_tests::apogee::{LoadAnswer, machine};
use proptest::prelude::*;

use crate::apogee::script::configs;
use crate::every::runs;

/// A load, and whether the requests that wait are served after it.
#[derive(Clone, Debug)]
struct Loading {
    pc: u64,
    warp: u16,
    verdict: Verdict,
    mask: u64,
    first: u64,
    stride: i64,
    serves: bool,
}

prop_compose! {
    fn loading(config: ApogeeConfig)(
        pc in 0..3u64,
        warp in 0..=config.warps as u16,
        verdict in prop_oneof![4 => Just(Verdict::Hit), 1 => Just(Verdict::Pending), 1 => Just(Verdict::Absent)],
        mask in prop_oneof![
            8 => Just(u64::MAX >> (64 - config.warp_size)),
            2 => 0..=u64::MAX >> (64 - config.warp_size),
            1 => any::<u64>(),
            1 => (0..64u32).prop_map(|lane| 1 << lane),
        ],
        // Also near both ends of the address space, and beyond.
        first in prop_oneof![
            4 => 0..1u64 << config.addr_bits,
            2 => 0..64u64,
            2 => (0..400u64).prop_map(move |below| (1 << config.addr_bits) + 40 - below.min(1 << config.addr_bits)),
            1 => any::<u64>(),
        ],
        stride in prop_oneof![
            8 => Just(4i64), 2 => Just(-4i64), 1 => Just(0i64), 2 => -9..=9i64, 1 => any::<i32>().prop_map(i64::from),
            1 => any::<i64>(), 1 => Just(i64::MIN), 1 => Just(1i64 << 62),
        ],
        serves: bool,
    ) -> Loading {
        Loading { pc, warp, verdict, mask, first, stride, serves }
    }
}

fn runs_of_loads() -> impl Strategy<Value = (ApogeeConfig, Vec<Loading>)> {
    let config = prop_oneof![1 => configs(), 1 => Just(ApogeeConfig::APOGEE_4)];
    config.prop_flat_map(|config| (Just(config), prop::collection::vec(loading(config), 1..40)))
}

/// The list of an affine load. What is no address of 64 bits is outside of every address space, as the greatest one is.
fn listed(load: &Loading) -> Vec<(u8, u64)> {
    let lowest = load.mask.trailing_zeros();
    let address = |lane| i128::from(load.first) + i128::from(lane - lowest) * i128::from(load.stride);
    let active = (0..64u32).filter(|lane| load.mask >> lane & 1 == 1);
    active.map(|lane| (lane as u8, u64::try_from(address(lane)).unwrap_or(u64::MAX))).collect()
}

proptest! {
    #![proptest_config(runs(2000))]

    #[test]
    fn a_stride_is_a_list((config, loads) in runs_of_loads()) {
        let (mut affine, mut plain) = (machine(&config).unwrap(), machine(&config).unwrap());
        for (i, load) in (0..).zip(&loads) {
            let now = Cycle(70_000 * i);
            let list = listed(load);
            let &Loading { pc, warp, verdict, mask, first, stride, .. } = load;
            let access = |lanes| Access { pc, warp: WarpId(warp), verdict, lanes };
            let (mut by_stride, mut by_list) = (LoadAnswer::default(), LoadAnswer::default());
            let answer = affine.load(now, &access(Lanes::Affine { mask, first, stride }), &mut by_stride);
            prop_assert_eq!(&answer, &plain.load(now, &access(Lanes::List(&list)), &mut by_list), "{:?}", load);
            prop_assert_eq!(by_stride, by_list);
            while load.serves && let Some(request) = affine.pf_pop(Cycle(now.0 + 66_000)).unwrap() {
                prop_assert_eq!(plain.pf_pop(Cycle(now.0 + 66_000)).unwrap(), Some(request));
                for sm in [&mut affine, &mut plain] {
                    sm.pf_reply(true).unwrap();
                    sm.pf_fill(request.entry, request.generation, request.warp).unwrap();
                }
            }
            if load.serves {
                prop_assert_eq!(plain.pf_pop(Cycle(now.0 + 66_000)).unwrap(), None);
            }
            prop_assert!(affine.queue().eq(plain.queue()) && affine.rows().eq(plain.rows()));
            prop_assert!((0..config.warps as u16).all(|w| affine.last_load(WarpId(w)) == plain.last_load(WarpId(w))));
        }
    }
}
