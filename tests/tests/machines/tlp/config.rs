//! Parameters: defaults, ranges, and what the hardware would cost.

use gpusched::tlp::{
    LeftOver, Pool, SmartEven, Smc, TlpConfig, TlpSm, TlpSmStorageBits, TlpStorageBits, tlp_storage_bits,
};
use gpusched::{Fault, Provenance};
use gpusched_tests::tlp::{Kind, Unit};

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let max = u32::MAX;
    let expected = [
        ("threads", 1536, 1, max),
        ("regs", 32768, 0, max),
        ("smem", 49152, 0, max),
        ("slots", 8, 1, 32),
        ("sms", 15, 1, 256),
        ("tlp_cap", 16, 1, 32),
        ("tol_permille", 0, 0, 1000),
        ("grow_step", 1, 1, 32),
        ("min_tlp", 1, 1, 32),
        ("his_shift", 1, 0, 8),
        ("sp_units", 1, 1, 65535),
        ("ldst_units", 1, 1, 65535),
        ("op_cycles", 4, 0, 65535),
        ("pool_cap", 16, 1, 64),
        ("qcap", 8, 1, 32),
    ];
    let told = TlpConfig::GTX480.values().map(|(p, value)| (p.name, value, p.min, p.max)).collect::<Vec<_>>();
    assert_eq!(told, expected);
    assert!(TlpConfig::PARAMETERS.iter().all(|p| !p.origin.is_empty() && !p.power_of_two));
    let ours = TlpConfig::PARAMETERS.iter().filter(|p| p.provenance == Provenance::Ours).map(|p| p.name);
    let silent = ["tol_permille", "min_tlp", "his_shift", "sp_units", "ldst_units", "pool_cap", "qcap"];
    assert!(ours.eq(silent));
    assert_eq!(TlpConfig::default(), TlpConfig::GTX480);
}

/// A value beyond its range builds no unit, and the error says which; the least and the greatest build all.
#[test]
fn values_out_of_range_build_nothing() {
    for (i, parameter) in TlpConfig::PARAMETERS.iter().enumerate() {
        let with = |value: u32| {
            let mut json = serde_json::to_value(TlpConfig::GTX480).unwrap();
            json[parameter.name] = value.into();
            serde_json::from_value::<TlpConfig>(json).unwrap()
        };
        let beyond = [parameter.min.checked_sub(1), parameter.max.checked_add(1)];
        for value in beyond.into_iter().flatten() {
            let config = with(value);
            let error = config.check().unwrap_err();
            assert_eq!((error.fault, error.parameter.name, error.value), (Fault::BadConfig, parameter.name, value));
            assert!(Kind::ALL.iter().all(|&kind| Unit::new(kind, &config) == Err(Fault::BadConfig)));
        }
        for value in [parameter.min, parameter.max] {
            let config = with(value);
            assert!(config.check().is_ok(), "parameter {i}");
            let smc_only = parameter.name == "sms" && value == 1;
            for kind in Kind::ALL {
                let expected = if smc_only && kind == Kind::Smc { Err(Fault::TooFewSms) } else { Ok(()) };
                assert_eq!(Unit::new(kind, &config).map(drop), expected, "{kind:?}, {} = {value}", parameter.name);
            }
        }
    }
}

#[test]
fn a_search_needs_two_sms() {
    let error = Smc::new(&TlpConfig { sms: 1, ..TlpConfig::GTX480 }).unwrap_err();
    assert_eq!((error.fault, error.to_string()), (Fault::TooFewSms, "sms = 1: expected a value from 2 to 256".into()));
}

/// The source's count, and what the algorithm takes, field by field as in the sheet's table.
#[test]
fn storage_is_that_of_the_sheet() {
    let of = |config: TlpConfig| tlp_storage_bits(&config);
    let TlpStorageBits { sm, pool, left_over, smart_even, smc } = of(TlpConfig::GTX480);
    assert_eq!((TlpSmStorageBits::OF_SOURCE / 8, 15 * TlpSmStorageBits::OF_SOURCE / 8), (43, 645));
    assert_eq!(sm.kernels, 2 * (3 * 32 + 2 + 8 + 1) + 1 + 2);
    assert_eq!(sm.targets, 8 * 6);
    assert_eq!(sm.slots, 4 * 8);
    assert_eq!(sm.period, 2 + 3 * 64);
    assert_eq!(sm.history, 6 * 32 + 16);
    assert_eq!(sm.learning, 3 + 1 + 6 + 4 * (64 + 64));
    assert_eq!(sm.total(), 1221);
    assert_eq!(pool, 16 * (1 + 1 + 2 + 1 + 64));
    assert_eq!(left_over, 8 * (1 + 3 * 32 + 3 * 32 + 64) + 15 * 8 * 6 + 4);
    assert_eq!(smart_even, 15 * (4 + 6) + 8 * (6 + 3 * 32) + 4);
    assert_eq!(smc, 2 * (4 + 2 * 6) + 64 + 3);
    assert_eq!(of(TlpConfig { slots: 32, ..TlpConfig::GTX480 }).sm.slots, 128);
    assert_eq!(of(TlpConfig { pool_cap: 1, ..TlpConfig::GTX480 }).pool, 69);
}

/// What a unit is built from can be asked for again.
#[test]
fn units_know_their_configuration() {
    let config = TlpConfig { sms: 7, ..TlpConfig::GTX480 };
    assert_eq!(*TlpSm::new(&config).unwrap().config(), config);
    assert_eq!(*Pool::new(&config).unwrap().config(), config);
    assert_eq!(*LeftOver::new(&config).unwrap().config(), config);
    assert_eq!(*SmartEven::new(&config).unwrap().config(), config);
    assert_eq!(*Smc::new(&config).unwrap().config(), config);
}
