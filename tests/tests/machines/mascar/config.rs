//! The parameters: their defaults, ranges and relations, as the sheet's table has them; and what they cost in storage.

use gpusched::mascar::{
    CacheConfig, Mascar, MascarConfig, MascarStorageBits, Order, Priority, Sources, mascar_storage_bits,
};
use gpusched::{BuildError, Fault, inline_mascar_tables};
use gpusched_tests::mascar::machine;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::every::{Row, assert_are_of_the_sheet};

const TABLE: &[Row] = &[
    ("warps", 48, 1, 63),
    ("schedulers", 2, 1, 8),
    ("rexq", 32, 0, 255),
    ("warp_size", 32, 1, 64),
    ("owner_timeout", 4096, 0, u32::MAX),
    ("starve_limit", 0, 0, 65535),
];
const CACHE: &[Row] = &[
    ("mshr", 64, 1, 65535),
    ("missq", 8, 1, 65535),
    ("mshr_sat", 60, 1, 65535),
    ("missq_sat", 7, 1, 65535),
    ("mshr_clear", 60, 1, 65535),
    ("missq_clear", 7, 1, 65535),
];

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let listed = CacheConfig::PARAMETERS.iter().map(|p| (p.name, p.min, p.max));
    assert!(listed.eq(CACHE.iter().map(|&(name, _, min, max)| (name, min, max))));
    let cache: Value = CACHE.iter().map(|&(name, value, ..)| (name.to_owned(), json!(value))).collect();
    let choices = json!({
        "sources": [cache],
        "per_pipe": false,
        "enable": true,
        "ep_priority": "mem",
        "ep_mem_order": "gto",
        "ep_comp_order": "gto",
        "mp_priority": "comp",
        "mp_mem_order": "oldest",
        "mp_comp_order": "oldest",
        "owner_first": false,
        "relinquish_waits": true,
        "relinquish_sync": true,
        "rescue": true,
        "retry_owner": true,
        "nonowner_merge": false,
    });
    let wide = |_: &str, _| MascarConfig::GTX480;
    assert_are_of_the_sheet(MascarConfig::PARAMETERS, TABLE, &choices, wide, MascarConfig::check);
}

/// mascar-H7: 1 <= clear <= sat <= size <= 65535, of every cache.
#[test]
fn marks_of_a_cache_are_in_order() {
    let check = |cache: CacheConfig| {
        let sources = Sources::new(&[CacheConfig::FERMI, cache]).unwrap();
        MascarConfig { sources, ..MascarConfig::GTX480 }.check()
    };
    let at = CacheConfig { mshr: 9, missq: 5, mshr_sat: 9, missq_sat: 5, mshr_clear: 9, missq_clear: 5 };
    assert_eq!(check(at), Ok(()));
    let whole = CacheConfig { mshr: 65535, missq: 65535, mshr_sat: 1, missq_sat: 1, mshr_clear: 1, missq_clear: 1 };
    assert_eq!(check(whole), Ok(()));
    let wrong = [
        ("mshr", CacheConfig { mshr: 65536, ..at }),
        ("missq", CacheConfig { missq: 65536, ..at }),
        ("mshr_sat", CacheConfig { mshr_sat: 10, ..at }),
        ("mshr_sat", CacheConfig { mshr_sat: 0, ..at }),
        ("missq_sat", CacheConfig { missq_sat: 6, ..at }),
        ("missq_sat", CacheConfig { missq_sat: 0, ..at }),
        ("mshr_clear", CacheConfig { mshr_sat: 8, ..at }),
        ("mshr_clear", CacheConfig { mshr_clear: 0, ..at }),
        ("missq_clear", CacheConfig { missq_sat: 4, ..at }),
        ("missq_clear", CacheConfig { missq_clear: 0, ..at }),
    ];
    for (name, cache) in wrong {
        let error = check(cache).unwrap_err();
        assert_eq!((error.parameter.name, error.fault), (name, Fault::BadConfig), "{cache:?}");
    }
}

#[test]
fn there_are_one_to_three_caches() {
    for n in 0..6 {
        let sources = Sources::new(&vec![CacheConfig::FERMI; n]);
        assert_eq!(sources.is_ok(), (1..=3).contains(&n));
        let text = json!({"sources": vec![CacheConfig::FERMI; n]});
        assert_eq!(MascarConfig::deserialize(text).is_ok(), (1..=3).contains(&n));
    }
    let error = Sources::new(&[]).unwrap_err();
    assert_eq!(error.to_string(), "sources = 0: expected a value from 1 to 3");
    // What lies behind the last one makes no difference.
    let two = Sources::new(&[CacheConfig::FERMI; 2]).unwrap();
    assert_eq!(two.caches().len(), 2);
    assert_ne!(two, Sources::FERMI);
}

#[test]
fn baselines_are_those_of_the_sheet() {
    let lrr = MascarConfig::LRR;
    assert_eq!((lrr.enable, lrr.ep_priority, lrr.ep_mem_order, lrr.rexq), (false, Priority::Merged, Order::Rr, 0));
    assert_eq!(MascarConfig::GTO.ep_mem_order, Order::Gto);
    assert_eq!((lrr.check(), MascarConfig::GTO.check()), (Ok(()), Ok(())));
}

const TWO: MascarConfig = MascarConfig { rexq: 2, ..MascarConfig::GTX480 };
inline_mascar_tables! {
    struct Two = TWO;
}

#[test]
fn a_machine_is_not_built_of_what_is_wrong() {
    let wrong = MascarConfig { schedulers: 9, ..TWO };
    assert!(matches!(Mascar::<Two>::new(&wrong), Err(BuildError::Config(e)) if e.parameter.name == "schedulers"));
    assert!(machine(&wrong).is_err());
    let three = MascarConfig { rexq: 3, ..TWO };
    let Err(BuildError::Tables(small)) = Mascar::<Two>::new(&three) else { panic!("two rows for three entries") };
    assert_eq!((small.table, small.have, small.need), ("rexq", 2, 3));
}

/// The sheet's Structures: Table 4.2 of the source in bits, and 1 + 12 bytes as printed.
#[test]
fn storage_is_that_of_the_sheet() {
    let bits = mascar_storage_bits(&MascarConfig::GTX480);
    assert_eq!(bits, MascarStorageBits { wrc: 6, wst: 96, rexq: 9632 });
    assert_eq!((bits.total(), bits.rexq.div_ceil(8), bits.rexq / 32), (9734, 1204, 301));
    assert_eq!((bits.wrc.div_ceil(8), bits.wst.div_ceil(8)), (1, 12));
    // Each entry padded to bytes gives the source's 1216 bytes.
    assert_eq!(32 * 301_u64.div_ceil(8), 1216);
    let least = MascarConfig { warps: 1, rexq: 1, warp_size: 1, ..MascarConfig::GTX480 };
    assert_eq!(mascar_storage_bits(&least), MascarStorageBits { wrc: 1, wst: 2, rexq: 71 + 7 });
    assert_eq!(mascar_storage_bits(&MascarConfig::LRR).rexq, 0);
}
