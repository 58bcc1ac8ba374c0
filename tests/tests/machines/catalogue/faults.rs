//! Faults of a policy, after which it is as it was; and configurations that are refused.

use gpusched::policy::catalogue::{About, CatalogueConfig, List, Policy, TableSizes};
use gpusched::policy::seam::offer::Completion;
use gpusched::{BuildError, Cycle, Fault, SmxId};
use gpusched_tests::catalogue::harness::{Pace, Scene};
use gpusched_tests::catalogue::{UNITS, config, machine};
use proptest::prelude::*;
use serde_json::json;

use super::cases::cases;
use crate::every::{Row, runs};

proptest! {
    #![proptest_config(runs(300))]

    #[test]
    fn a_refused_call_changes_nothing(case in cases(), cycles in 0..60) {
        let (mut machine, mut harness) = (case.machine(), case.harness());
        for _ in 0..cycles {
            if !harness.is_over() {
                harness.cycle(&mut machine, Pace::Step).unwrap();
            }
        }
        let before = machine.clone();
        let n = case.scene.n_smx as u16;
        let (smx, start, end) = (SmxId(n - 1), Cycle(4), Cycle(4));
        let good = Completion { smx, row: UNITS - 1, start, end, unit: u64::MAX, ..Completion::default() };
        for (ended, fault) in [
            (Completion { row: UNITS, ..good }, Fault::BadUnit),
            (Completion { smx: SmxId(n), ..good }, Fault::BadSmx),
            (Completion { end: Cycle(3), ..good }, Fault::TimeBackwards),
        ] {
            prop_assert_eq!(machine.done(&ended), Err(fault));
        }
        prop_assert_eq!(machine.forget(UNITS, 0), Err(Fault::BadUnit));
        // Of a unit that it does not know it has nothing to keep, or to forget.
        prop_assert_eq!((machine.done(&good), machine.forget(0, u64::MAX)), (Ok(()), Ok(())));
        prop_assert_eq!(&machine, &before);
        // What is forgotten is gone, and leaves a policy that goes on.
        for row in 0..UNITS {
            if let Some(unit) = machine.unit(row) {
                prop_assert_eq!(machine.forget(row, unit.unit), Ok(()));
                prop_assert_eq!(machine.unit(row), None);
            }
        }
        prop_assert_eq!(machine.validate(), Ok(()));
    }
}

const TABLE: &[Row] = &[
    ("n_smx", 13, 1, 256),
    ("units", 2080, 1, 1_048_640),
    ("slots", 16, 1, 1024),
    ("threads", 2048, 1, 1_048_576),
    ("regs", 65536, 0, 16_777_216),
    ("smem", 49152, 0, 16_777_216),
    ("block", 2, 1, 64),
    ("samples", 1, 1, 255),
    ("chunk", 0, 0, i32::MAX as u32),
    ("warp", 32, 1, 64),
    ("grain", 0, 0, i32::MAX as u32),
    ("probe", 255, 0, 255),
    ("streams", 32, 1, 64),
    ("quantum", 1, 1, 65536),
    ("min_steal", 1, 1, 65535),
];

#[test]
fn ranges_are_those_of_the_sheet() {
    let listed = CatalogueConfig::PARAMETERS.iter().map(|p| (p.name, p.min, p.max));
    assert!(listed.eq(TABLE.iter().map(|&(name, _, min, max)| (name, min, max))));
    for &(name, value, min, max) in TABLE {
        let policies = About::ALL.iter().filter(|about| about.has(name));
        let of = policies.map(|about| CatalogueConfig::of(about.policy)).next().unwrap_or_default();
        let with = |value: u64| {
            let mut all = serde_json::to_value(of).unwrap();
            all[name] = json!(value);
            serde_json::from_value::<CatalogueConfig>(all)
                .map_or(Err(Fault::BadConfig), |config| config.check().map_err(Fault::from))
        };
        assert_eq!(serde_json::to_value(of).unwrap()[name], json!(value), "{name}");
        assert_eq!((with(min.into()), with(max.into())), (Ok(()), Ok(())), "{name}");
        assert_eq!(with(u64::from(max) + 1), Err(Fault::BadConfig), "{name}");
        assert!(min == 0 || with(u64::from(min) - 1) == Err(Fault::BadConfig), "{name}");
    }
}

/// catalogue-C7, and the rules of the sheet about the topology.
#[test]
fn what_is_wrong_is_named() {
    fn list<const N: usize>(numbers: &[u8]) -> List<N> {
        List::new(numbers).unwrap()
    }
    let rr = CatalogueConfig { n_smx: 4, ..CatalogueConfig::of(Policy::Rr) };
    let spatial = CatalogueConfig { streams: 4, ..CatalogueConfig::of(Policy::Spatial) };
    assert_eq!((rr.check(), spatial.check()), (Ok(()), Ok(())));
    for (name, wrong) in [
        ("tpc", CatalogueConfig { tpc: list(&[0, 0, 1]), ..rr }),
        ("tpc", CatalogueConfig { tpc: list(&[0, 0, 2, 2]), ..rr }),
        ("tpc", CatalogueConfig { tpc: list(&[1, 1, 2, 2]), ..rr }),
        ("gpc", CatalogueConfig { gpc: list(&[0, 1, 1, 1]), ..rr }),
        ("gpc", CatalogueConfig { gpc: list(&[0, 0, 3, 3]), ..rr }),
        ("block", CatalogueConfig { block: 3, ..rr }),
        ("streams", CatalogueConfig { streams: 3, ..rr }),
        ("weights", CatalogueConfig { weights: list(&[1, 1, 1, 1]), ..spatial }),
        ("seed", CatalogueConfig { seed: 1, ..rr }),
    ] {
        let error = wrong.check().unwrap_err();
        assert_eq!((error.parameter.name, error.fault), (name, Fault::BadConfig));
        assert!(matches!(machine(&wrong), Err(BuildError::Config(of)) if of == error));
    }
    assert_eq!(CatalogueConfig { tpc: list(&[1, 0, 1, 0]), gpc: list(&[0, 0, 0, 0]), ..rr }.check(), Ok(()));
    let unknown = config("rr", &json!({"blocks": 2}), &Scene::default(), UNITS);
    assert_eq!(
        (unknown, config("first", &json!({}), &Scene::default(), UNITS)),
        (Err(Fault::BadConfig), Err(Fault::BadConfig))
    );
}

/// A policy has the tables that it needs, and no others.
#[test]
fn tables_are_as_large_as_needed() {
    let sizes = |of: CatalogueConfig| TableSizes::of(&CatalogueConfig { n_smx: 5, units: 7, ..of });
    let none = sizes(CatalogueConfig::of(Policy::Rr));
    assert_eq!(none.layouts().map(|layout| layout.unwrap().size()).sum::<usize>(), 0);
    assert_eq!(sizes(CatalogueConfig::of(Policy::Bcs)), TableSizes { homes: 7, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::Lcs)), TableSizes { rates: 7, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::Srk)), none);
    assert_eq!(sizes(CatalogueConfig::of(Policy::Steal)), TableSizes { splits: 7, ranges: 35, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::Spatial)), TableSizes { owners: 5, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::FairStreams)), TableSizes { deficits: 32, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::Dist)), TableSizes { pointers: 2, ..none });
    assert_eq!(sizes(CatalogueConfig::of(Policy::GpcFirst)), TableSizes { pointers: 2 + 3, ..none });
}
