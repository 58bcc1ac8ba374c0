//! The parameters: their defaults, ranges and relations, as the sheet's table has them; and what they cost in storage.

use gpusched::power::{BubbleConfig, BubbleDvfs, BubbleStorageBits, bubble_storage_bits};
use gpusched::{BuildError, inline_bubble_tables};
use gpusched_tests::bubble::machine;
use serde_json::json;

use crate::every::{Row, assert_are_of_the_sheet, with};

const TABLE: &[Row] = &[
    ("smxs", 13, 1, 256),
    ("t_num", 1, 0, 65535),
    ("t_den", 16, 1, 65535),
    ("sample_cycles", 500, 1, 1 << 20),
    ("drain_samples", 10, 1, 65535),
    ("transition_samples", 1, 1, 65535),
    ("gpu_idle_samples", 1, 1, 65535),
    ("warp_size", 32, 1, 1024),
    ("smx_threads", 2048, 1, 1 << 20),
    ("smx_regs", 65536, 1, 1 << 24),
    ("smx_smem", 49152, 0, 1 << 24),
    ("smx_slots", 16, 1, 1024),
    ("v_high_mv", 1000, 1, 5000),
    ("v_low_mv", 550, 1, 5000),
    ("f_high_mhz", 700, 1, 5000),
    ("f_low_mhz", 100, 1, 5000),
    ("leak_exp", 1, 0, 3),
    ("p_leak_mw", 1400, 0, 1_000_000),
    ("p_idle_mw", 4900, 0, 1_000_000),
    ("p_dyn_mw", 8000, 0, 1_000_000),
    ("p_uncore_mw", 20000, 0, 1_000_000),
];

/// A configuration in which no parameter limits another one.
const WIDE: BubbleConfig = BubbleConfig { t_num: 0, v_low_mv: 1, f_low_mhz: 1, warp_size: 1, ..BubbleConfig::K20C };

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let choices = json!({
        "enabled": true,
        "inclusive": false,
        "draining": true,
        "gpu_level": true,
        "resume_draining": true,
        "resume_hold": false,
        "retrigger": "rearm",
    });
    // The high P-state's values limit those of the low one, and T's denominator its numerator.
    let wide = |name: &str, _| match name {
        "t_num" => BubbleConfig { t_den: 65535, ..WIDE },
        "v_low_mv" => BubbleConfig { v_high_mv: 5000, ..WIDE },
        "f_low_mhz" => BubbleConfig { f_high_mhz: 5000, ..WIDE },
        "warp_size" => BubbleConfig { smx_threads: 1024, ..WIDE },
        _ => WIDE,
    };
    assert_are_of_the_sheet(BubbleConfig::PARAMETERS, TABLE, &choices, wide, BubbleConfig::check);
}

#[test]
fn a_value_at_its_limit_is_good_and_one_above_is_not() {
    for (name, limit, at) in [("t_num", "t_den", 7), ("v_low_mv", "v_high_mv", 7), ("f_low_mhz", "f_high_mhz", 7)] {
        assert_eq!(with(WIDE, &[(limit, at), (name, at)]).check(), Ok(()));
        let error = with(WIDE, &[(limit, at), (name, at + 1)]).check().unwrap_err();
        assert_eq!((error.parameter.name, error.value, error.max), (name, at + 1, at));
    }
    let error = with(WIDE, &[("warp_size", 32), ("smx_threads", 2047)]).check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "smx_threads = 2047: expected a multiple of `warp_size`: an occupancy of 1 is a whole number of warps"
    );
}

const TWO: BubbleConfig = BubbleConfig { smxs: 2, ..BubbleConfig::K20C };
inline_bubble_tables! {
    struct Two = TWO;
}

#[test]
fn a_machine_is_not_built_of_what_is_wrong() {
    let wrong = BubbleConfig { drain_samples: 0, ..TWO };
    assert!(
        matches!(BubbleDvfs::<Two>::new(&wrong), Err(BuildError::Config(e)) if e.parameter.name == "drain_samples")
    );
    assert!(machine(&wrong).is_err());
    let three = BubbleConfig { smxs: 3, ..TWO };
    let Err(BuildError::Tables(small)) = BubbleDvfs::<Two>::new(&three) else { panic!("two rows for three SMXs") };
    assert_eq!((small.table, small.have, small.need), ("powers", 2, 3));
}

/// The sheet's Structures, at S = 13, W = 10, P = 20 and 1.
#[test]
fn storage_is_that_of_the_sheet() {
    let slow = BubbleConfig { transition_samples: 20, ..BubbleConfig::K20C };
    let bits = bubble_storage_bits(&slow);
    let expected =
        BubbleStorageBits { dvr: 13, drn: 13, dvfs: 14, drain_counters: 52, timers: 65, armed: 13, gpu_level: 7 };
    assert_eq!(bits, expected);
    // The source's 6 bytes are whole bytes per register; packed they are 5.
    assert_eq!((bits.register_bytes(), (bits.total() - bits.uncounted()).div_ceil(8)), (6, 5));
    assert_eq!((bits.uncounted(), bits.uncounted().div_ceil(8)), (137, 18));
    assert_eq!(bubble_storage_bits(&BubbleConfig::K20C).timers, 13);
}
