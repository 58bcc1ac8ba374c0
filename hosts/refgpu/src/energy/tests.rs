//! The checks of refgpu-E18.

use std::sync::LazyLock;

use proptest::prelude::*;

use super::*;
use crate::config::preset_names;

/// The prices of the presets that have some, read once.
static PRICES: LazyLock<Vec<(&str, Prices)>> = LazyLock::new(|| {
    let configs = preset_names().map(|name| (name, GpuConfig::preset(name).unwrap()));
    configs
        .filter(|(_, config)| config.energy.known)
        .map(|(name, config)| (name, Prices::of(&config).unwrap()))
        .collect()
});

fn prices(preset: &str) -> &'static Prices {
    &PRICES.iter().find(|(name, _)| *name == preset).unwrap().1
}

fn smx(prices: &Prices, supply: Supply, interval: Interval) -> Parts {
    prices.smx(&SmxLedger::at(supply, interval).supplies)
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

fn events() -> impl Strategy<Value = SmEvents> {
    prop::array::uniform11(0..1u64 << 40).prop_map(|n| SmEvents {
        instructions: n[0],
        register_reads: n[1],
        register_writes: n[2],
        sp_lanes: n[3],
        sfu_lanes: n[4],
        shared_cycles: n[5],
        l1_hits: n[6],
        l1_misses: n[7],
        l1_stores: n[8],
        issue_cycles: n[9],
        queue_accesses: n[10],
    })
}

fn interval() -> impl Strategy<Value = Interval> {
    (0..1u64 << 40, events()).prop_map(|(cycles, events)| Interval { cycles, events })
}

fn ledger() -> impl Strategy<Value = SmxLedger> {
    prop::array::uniform4(interval()).prop_map(|supplies| {
        let mut bubble = supplies;
        bubble[0] = Interval::default();
        SmxLedger { supplies, bubble }
    })
}

fn memory_events() -> impl Strategy<Value = MemoryEvents> {
    prop::array::uniform7(0..1u64 << 40).prop_map(|n| MemoryEvents {
        packets: n[0],
        data_units: n[1],
        l2_reads: n[2],
        l2_writes: n[3],
        dram_read_bytes: n[4],
        dram_write_bytes: n[5],
        activations: n[6],
    })
}

fn memory() -> impl Strategy<Value = MemoryLedger> {
    let level = (0..1u64 << 40, memory_events()).prop_map(|(cycles, events)| Interval { cycles, events });
    prop::array::uniform3(level).prop_map(|levels| MemoryLedger { levels })
}

proptest! {
    #[test]
    fn the_parts_are_the_total_and_a_split_adds_up(
        (a, b) in (prop::collection::vec(ledger(), 1..20), prop::collection::vec(ledger(), 20)),
        (m, n) in (memory(), memory()),
    ) {
        for (_, prices) in &*PRICES {
            let (first, then) = (prices.energy(&a, &m), prices.energy(&b[..a.len()], &n));
            prop_assert!(close(first.parts_j.sum(), first.total_j));
            let mut whole = a.clone();
            whole.iter_mut().zip(&b).for_each(|(sum, more)| *sum += *more);
            let mut beyond = m;
            beyond += n;
            prop_assert!(close(prices.energy(&whole, &beyond).total_j, first.total_j + then.total_j));
            prop_assert_eq!(prices.energy(&[whole[0] - a[0]], &(beyond - m)), prices.energy(&b[..1], &n));
        }
    }

    /// However an interval was used, a lower level would have cost no more.
    #[test]
    fn lower_levels_never_cost_more(
        (interval, events) in (interval(), memory_events()),
        (leakage_exponent, standby_permille) in (0..=3u32, 0..=999u32),
    ) {
        let mut config = GpuConfig::preset("gtx480").unwrap();
        config.energy.leakage_exponent = leakage_exponent;
        config.vf.standby_permille = standby_permille;
        let prices = Prices::of(&config).unwrap();
        let sm = VfLevel::ALL.map(|level| prices.smx(&SmxLedger::at(Supply::of(false, level), interval).supplies));
        let interval = Interval { cycles: interval.cycles, events };
        let memory = VfLevel::ALL.map(|level| prices.memory(&MemoryLedger::at(level, interval)));
        for levels in [sm, memory] {
            let rises = |pair: &[Parts]| pair[0].values().iter().zip(pair[1].values()).all(|(&low, high)| low <= high);
            prop_assert!(levels.windows(2).all(rises));
        }
    }

    /// However an interval was used, it would have cost no less at the high P-state.
    #[test]
    fn low_never_costs_more_than_high(
        interval in interval(),
        (v_low_mv, f_low_mhz, leakage_exponent) in (300..=1000u32, 50..=700u32, 0..=3u32),
    ) {
        let mut config = GpuConfig::preset("k20c").unwrap();
        (config.bubble.v_low_mv, config.bubble.f_low_mhz) = (v_low_mv, f_low_mhz);
        config.energy.leakage_exponent = leakage_exponent;
        let prices = Prices::of(&config).unwrap();
        let (high, low) = (smx(&prices, Supply::Normal, interval), smx(&prices, Supply::Asleep, interval));
        prop_assert!(low.values().iter().zip(high.values()).all(|(&low, high)| low <= high));
    }
}

#[test]
fn an_idle_gpu_costs_leakage_base_and_standby() {
    for (preset, sms, watts) in [("k20c", 13, 41.9 + 13.0 * 3.1 + 4.0), ("gtx480", 15, 41.9 + 15.0 * 1.59 + 3.0)] {
        let idle = SmxLedger::at(Supply::Normal, Interval { cycles: 12_345, ..Interval::default() });
        let memory = MemoryLedger::at(VfLevel::Normal, Interval { cycles: 12_345, ..Interval::default() });
        let energy = prices(preset).energy(&vec![idle; sms], &memory);
        assert!(close(energy.mean_w, watts), "{preset}: {} W", energy.mean_w);
        assert!(energy.smxs.iter().all(|smx| smx.dynamic_j == 0.0));
    }
}

#[test]
fn the_low_p_state_of_k20c_saves_82_percent() {
    let prices = prices("k20c");
    let interval = Interval { cycles: 706_000_000, ..Interval::default() };
    let [high, low] = [Supply::Normal, Supply::Asleep].map(|supply| smx(prices, supply, interval).sum());
    assert!((high - 6.32).abs() < 0.01 && (low - 1.11).abs() < 0.01, "{high} {low}");
    assert!((1.0 - low / high - 0.82).abs() < 0.005);
}

/// refgpu-E16: voltage follows frequency by 15 %, leakage does not follow at all (k = 0), standby current by 10 %.
#[test]
fn a_level_changes_events_base_power_and_standby() {
    let prices = prices("gtx480");
    let busy = SmEvents { instructions: 1_000_000, sp_lanes: 32_000_000, ..SmEvents::default() };
    let at = |level, cycles, events| {
        let parts = smx(prices, Supply::of(false, level), Interval { cycles, events });
        (parts.scheduling + parts.execution, parts.base, parts.leakage)
    };
    let normal = at(VfLevel::Normal, 700_000, busy);
    for (level, ratio) in [(VfLevel::Low, 0.85f64), (VfLevel::High, 1.15)] {
        let (events, base, leakage) = at(level, 700_000, busy);
        assert!(
            close(events, normal.0 * ratio.powi(2)) && close(base, normal.1 * ratio.powi(3)) && leakage == normal.2
        );
        let interval = Interval { cycles: 700_000, events: MemoryEvents { packets: 1000, ..MemoryEvents::default() } };
        let [one, other] = [level, VfLevel::Normal].map(|level| prices.memory(&MemoryLedger::at(level, interval)));
        let current = 1.0 + 0.1 * f64::from(level.steps());
        assert!(close(one.network, other.network * ratio.powi(2)));
        assert!(close(one.dram_standby, other.dram_standby * ratio * current), "{level:?}");
    }
}

#[test]
fn each_event_costs_its_price() {
    let price = |change: fn(&mut SmEvents)| {
        let mut interval = Interval::default();
        change(&mut interval.events);
        smx(prices("k20c"), Supply::Normal, interval).sum() * 1e12
    };
    assert!(close(price(|n| n.register_reads = 10), 73.0));
    assert!(close(price(|n| n.sfu_lanes = 1), 120.0));
    assert!(close(price(|n| n.l1_misses = 1), 2200.0));
    let memory = |change: fn(&mut MemoryEvents)| {
        let mut interval = Interval::default();
        change(&mut interval.events);
        prices("k20c").memory(&MemoryLedger::at(VfLevel::Normal, interval)).sum() * 1e12
    };
    assert!(close(memory(|n| n.dram_read_bytes = 128), 54_000.0));
    assert!(close(memory(|n| (n.packets, n.data_units) = (1, 4)), 5.0 * 1900.0));
}

#[test]
fn a_run_of_nothing_costs_nothing() {
    let energy = prices("k20c").energy(&[], &MemoryLedger::default());
    assert_eq!((energy.total_j, energy.mean_w, energy.ideal_saving), (0.0, 0.0, 0.0));
}
