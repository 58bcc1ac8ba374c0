//! The parameters: their defaults, ranges and relations, as the sheet's table has them; and what they cost in storage.

use gpusched::apogee::{Apogee, ApogeeConfig, ApogeeStorageBits, apogee_storage_bits};
use gpusched::{BuildError, Fault, inline_apogee_tables};
use serde::Deserialize;
use serde_json::json;

use crate::every::{Row, assert_are_of_the_sheet, with};

const TABLE: &[Row] = &[
    ("entries", 64, 1, 256),
    ("warps", 4, 1, 64),
    ("warp_size", 32, 2, 64),
    ("threads", 128, 1, 65535),
    ("pc_bits", 10, 1, 32),
    ("addr_bits", 28, 8, 48),
    ("offset_bits", 8, 2, 32),
    ("conf_bits", 8, 1, 16),
    ("dist_bits", 6, 1, 16),
    ("tidx_bits", 6, 2, 8),
    ("init_distance", 1, 1, 65535),
    ("min_distance", 1, 1, 65535),
    ("line_bytes", 32, 1, 4096),
    ("pfq", 64, 1, 1024),
    ("issue_latency", 10, 0, 65535),
    ("min_conf", 0, 0, 65535),
];

/// A configuration in which no parameter limits that of this name.
fn wide(name: &str, _: u32) -> ApogeeConfig {
    let wide = [("warp_size", 2), ("conf_bits", 16), ("dist_bits", 16), ("tidx_bits", 8), ("init_distance", 65535)];
    // A distance of few bits is short.
    let short: &[_] = if name == "dist_bits" { &[("init_distance", 1)] } else { &[] };
    with(with(ApogeeConfig::APOGEE_4, &wide), short)
}

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let choices = json!({
        "lanes": "all",
        "lal": "warp",
        "early": "pattern",
        "slow_rule": "any",
        "merge": "queue",
        "gap_fill": false,
    });
    assert_are_of_the_sheet(ApogeeConfig::PARAMETERS, TABLE, &choices, wide, ApogeeConfig::check);
    let others = [("lanes", "active"), ("lal", "sm"), ("early", "literal"), ("slow_rule", "miss"), ("merge", "group")];
    for (name, value) in others {
        let mut config = serde_json::to_value(ApogeeConfig::default()).unwrap();
        config[name] = json!(value);
        assert!(ApogeeConfig::deserialize(config.clone()).is_ok());
        config[name] = json!("else");
        assert!(ApogeeConfig::deserialize(config).is_err());
    }
}

/// Relations, just kept and just broken: what is wrong, and its greatest value.
#[test]
fn relations_are_those_of_the_sheet() {
    let base = wide("", 0);
    let relations: [(&str, ApogeeConfig, u32); 7] = [
        // 2^tidx_bits - 1 is the mark of scalar rows: the greatest lane is below it.
        ("warp_size", ApogeeConfig { tidx_bits: 6, ..base }, 63),
        ("warp_size", ApogeeConfig { tidx_bits: 2, ..base }, 3),
        // A full warp can confirm.
        ("warp_size", ApogeeConfig { conf_bits: 1, ..base }, 3),
        ("warp_size", ApogeeConfig { conf_bits: 5, ..base }, 33),
        ("init_distance", ApogeeConfig { dist_bits: 3, ..base }, 7),
        ("min_distance", ApogeeConfig { init_distance: 5, ..base }, 5),
        ("min_conf", ApogeeConfig { conf_bits: 4, ..base }, 15),
    ];
    for (name, config, most) in relations {
        let set = |value: u32| with(config, &[(name, value)]);
        assert_eq!(set(most).check(), Ok(()), "{name} = {most}");
        let error = set(most + 1).check().unwrap_err();
        assert_eq!(
            (error.parameter.name, error.value, error.max, error.fault),
            (name, most + 1, most, Fault::BadConfig)
        );
    }
    for line_bytes in [3, 48, 4095] {
        assert_eq!(ApogeeConfig { line_bytes, ..base }.check().unwrap_err().parameter.name, "line_bytes");
    }
}

inline_apogee_tables! {
    struct Small = ApogeeConfig { entries: 8, ..ApogeeConfig::APOGEE_4 };
}

#[test]
fn a_home_that_is_too_small_is_refused() {
    let Err(BuildError::Tables(small)) = Apogee::<Small>::new(&ApogeeConfig::APOGEE_4) else { panic!("8 rows for 64") };
    assert_eq!((small.table, small.have, small.need), ("rows", 8, 64));
    let wrong = ApogeeConfig { line_bytes: 48, ..ApogeeConfig::APOGEE_4 };
    assert!(matches!(Apogee::<Small>::new(&wrong), Err(BuildError::Config(_))));
}

/// Table 5.3: 64 rows of 76 bits, 608 bytes; Table 5.4 would have 73 bits, which the fields do not fit. States of 32 warps are 64 bits.
#[test]
fn storage_is_that_of_the_sheet() {
    let four = ApogeeConfig::APOGEE_4;
    let ApogeeStorageBits { row, table, last_loads, queue } = apogee_storage_bits(&four);
    assert_eq!((row, table, table / 8), (10 + 28 + 8 + 8 + 6 + 6 + 2 + 8, 4864, 608));
    // A line of 23 bits, a row of 6, a warp of 2, a kind, up to 10 cycles; a PC and whether there is one.
    assert_eq!((queue, last_loads), (64 * (23 + 6 + 2 + 1 + 4), 4 * 11));
    let many = apogee_storage_bits(&ApogeeConfig { warps: 32, ..four });
    assert_eq!(many.row, row - 8 + 64);
    assert_eq!(apogee_storage_bits(&four).total(), table + last_loads + queue);
}
