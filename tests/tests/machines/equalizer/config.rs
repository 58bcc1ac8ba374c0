//! The parameters: their defaults, ranges and relations, as the sheet's table has them; and what they cost in storage.

use gpusched::equalizer::{
    Fm, FmConfig, FmStorageBits, Sm, SmConfig, SmStorageBits, Step, VfMap, Votes, fm_storage_bits, sm_storage_bits,
};
use serde_json::json;

use crate::every::{Row, assert_are_of_the_sheet};

const SM: &[Row] = &[
    ("max_warps", 48, 1, 128),
    ("max_blocks", 8, 1, 32),
    ("sample_interval", 128, 1, 1 << 16),
    ("epoch_cycles", 4096, 1, 1 << 24),
    ("counter_bits", 11, 1, 32),
    ("bw_threshold", 2, 0, 128),
    ("hysteresis", 3, 1, 255),
    ("min_blocks", 1, 1, 32),
    ("watchdog", 0, 0, 65535),
];
const FM: &[Row] = &[
    ("sms", 15, 1, 256),
    ("sm_transition", 512, 0, 1 << 24),
    ("mem_transition", 512, 0, 1 << 24),
    ("quorum", 0, 0, 256),
    ("step_permille", 150, 1, 999),
];

fn wide(name: &str) -> SmConfig {
    let wide = SmConfig { max_warps: 1, max_blocks: 32, sample_interval: 1, epoch_cycles: 1, ..SmConfig::GTX480 };
    match name {
        // Every length divides the epoch.
        "sample_interval" => SmConfig { epoch_cycles: 1 << 16, counter_bits: 32, ..wide },
        "epoch_cycles" | "max_warps" => SmConfig { counter_bits: 32, ..wide },
        _ => wide,
    }
}

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let choices = json!({
        "alu_inclusive": false,
        "average": "exact",
        "hyst_mode": "same",
        "objective": "performance",
        "vf_map": {
            "energy": {"comp": [0, -1], "mem": [-1, 0]},
            "performance": {"comp": [1, 0], "mem": [0, 1]},
        },
        "pause_pick": "youngest",
        "unpause_pick": "oldest",
        "xmem_rule": "accept",
        "sync_active": true,
    });
    assert_are_of_the_sheet(SmConfig::PARAMETERS, SM, &choices, |name, _| wide(name), SmConfig::check);
    let choices = json!({"majority": "strict", "idle": "hold"});
    assert_are_of_the_sheet(FmConfig::PARAMETERS, FM, &choices, |_, _| FmConfig::GTX480, FmConfig::check);
}

/// equalizer-A5: the printed line of Table 3.1 can be had, and a step is -1, 0 or 1.
#[test]
fn the_map_of_votes_is_free() {
    let printed = json!({"vf_map": {"energy": {"comp": [0, -1], "mem": [-1, -1]}}});
    let config: SmConfig = serde_json::from_value(printed).unwrap();
    assert_eq!(config, SmConfig { vf_map: VfMap::PRINTED, ..SmConfig::GTX480 });
    assert_eq!(VfMap::PRINTED.energy.mem, Votes { sm: Step::Down, mem: Step::Down });
    let wrong = json!({"vf_map": {"energy": {"comp": [0, -2], "mem": [-1, -1]}}});
    assert!(serde_json::from_value::<SmConfig>(wrong).is_err());
}

#[test]
fn numbers_fit_each_other() {
    let error = |config: SmConfig| {
        let error = config.check().unwrap_err();
        assert_eq!(Sm::new(&config).unwrap_err(), error);
        (error.parameter.name, error.value, error.max)
    };
    let base = SmConfig::GTX480;
    assert_eq!(error(SmConfig { min_blocks: 9, ..base }), ("min_blocks", 9, 8));
    assert_eq!(SmConfig { min_blocks: 8, ..base }.check(), Ok(()));
    assert_eq!(error(SmConfig { epoch_cycles: 4000, ..base }), ("epoch_cycles", 4000, 0));
    assert_eq!(error(SmConfig { epoch_cycles: 64, ..base }), ("epoch_cycles", 64, 0));
    assert_eq!(error(SmConfig { counter_bits: 10, ..base }), ("counter_bits", 10, 0));
    // 2^11 - 1 is the most that 11 bits hold.
    let tight = SmConfig { sample_interval: 1, epoch_cycles: 2047, max_warps: 1, ..base };
    assert_eq!(tight.check(), Ok(()));
    assert_eq!(error(SmConfig { epoch_cycles: 2048, ..tight }), ("counter_bits", 11, 0));
    let most = SmConfig { max_warps: 128, sample_interval: 1, epoch_cycles: 1 << 24, counter_bits: 32, ..base };
    assert_eq!(most.check(), Ok(()));
    assert_eq!(error(SmConfig { counter_bits: 31, ..most }), ("counter_bits", 31, 0));
    let error = SmConfig { epoch_cycles: 4000, ..base }.check().unwrap_err();
    assert_eq!(
        error.to_string(),
        "epoch_cycles = 4000: expected a multiple of `sample_interval`: an epoch is a whole number of samples"
    );
    assert_eq!(Fm::new(&FmConfig { sms: 0, ..FmConfig::GTX480 }).unwrap_err().parameter.name, "sms");
}

/// The sheet's Structures.
#[test]
fn storage_is_that_of_the_sheet() {
    let bits = sm_storage_bits(&SmConfig::GTX480);
    assert_eq!(bits, SmStorageBits { sums: 44, cycle: 12, control: 30, slots: 40, pause_bits: 48 });
    // The source: 7 bytes per SM, 105 for 15 SMs.
    assert_eq!((bits.of_source(), bits.of_source() / 8 * 15), (56, 105));
    assert_eq!((bits.control + bits.slots, bits.total()), (70, 174));
    let watched = sm_storage_bits(&SmConfig { watchdog: 3, ..SmConfig::GTX480 });
    assert_eq!(watched.control, 30 + 2 + 1);
    let bits = fm_storage_bits(&FmConfig::GTX480);
    assert_eq!((bits, bits.total()), (FmStorageBits { domains: 28, votes: 90 }, 118));
    let at_once = FmConfig { sms: 1, sm_transition: 0, mem_transition: 1, ..FmConfig::GTX480 };
    assert_eq!(fm_storage_bits(&at_once), FmStorageBits { domains: 9, votes: 6 });
}
