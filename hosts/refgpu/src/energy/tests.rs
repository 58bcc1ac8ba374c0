//! The checks of 6.3.

use proptest::prelude::*;

use super::*;
use crate::config::preset_names;

fn prices(preset: &str) -> Prices {
    Prices::of(&GpuConfig::preset(preset).unwrap())
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().max(b.abs())
}

fn events() -> impl Strategy<Value = SmEvents> {
    prop::array::uniform10(0..1u64 << 40).prop_map(|n| SmEvents {
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
    })
}

fn interval() -> impl Strategy<Value = Interval> {
    (0..1u64 << 40, events()).prop_map(|(cycles, events)| Interval { cycles, events })
}

fn ledger() -> impl Strategy<Value = SmxLedger> {
    (interval(), interval()).prop_map(|(high, low)| SmxLedger { high, low, bubble: [high, Interval::default()] })
}

fn memory() -> impl Strategy<Value = MemoryEvents> {
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

proptest! {
    #[test]
    fn the_parts_are_the_total_and_a_split_adds_up(
        (a, b) in (prop::collection::vec(ledger(), 1..20), prop::collection::vec(ledger(), 20)),
        (m, n) in (memory(), memory()),
        (s, t) in (0..1u64 << 40, 0..1u64 << 40),
    ) {
        for preset in preset_names() {
            let prices = prices(preset);
            let (first, then) = (prices.energy(s, &a, &m), prices.energy(t, &b[..a.len()], &n));
            prop_assert!(close(first.parts_j.sum(), first.total_j));
            let mut whole = a.clone();
            for (sum, more) in whole.iter_mut().zip(&b) {
                sum.high += more.high;
                sum.low += more.low;
            }
            let mut beyond = m;
            beyond += n;
            prop_assert!(close(prices.energy(s + t, &whole, &beyond).total_j, first.total_j + then.total_j));
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
        let prices = Prices::of(&config);
        let (high, low) = (prices.smx(&interval, HIGH), prices.smx(&interval, prices.low));
        prop_assert!(low.values().iter().zip(high.values()).all(|(&low, high)| low <= high));
    }
}

#[test]
fn an_idle_gpu_costs_leakage_base_and_standby() {
    for (preset, sms, watts) in [("k20c", 13, 41.9 + 13.0 * 3.1 + 4.0), ("gtx480", 15, 41.9 + 15.0 * 1.59 + 3.0)] {
        let idle = SmxLedger { high: Interval { cycles: 12_345, ..Interval::default() }, ..SmxLedger::default() };
        let energy = prices(preset).energy(12_345, &vec![idle; sms], &MemoryEvents::default());
        assert!(close(energy.mean_w, watts), "{preset}: {} W", energy.mean_w);
        assert!(energy.smxs.iter().all(|smx| smx.dynamic_j == 0.0));
    }
}

#[test]
fn the_low_p_state_of_k20c_saves_82_percent() {
    let prices = prices("k20c");
    let interval = Interval { cycles: 706_000_000, ..Interval::default() };
    let (high, low) = (prices.smx(&interval, HIGH).sum(), prices.smx(&interval, prices.low).sum());
    assert!((high - 6.32).abs() < 0.01 && (low - 1.11).abs() < 0.01, "{high} {low}");
    assert!((1.0 - low / high - 0.82).abs() < 0.005);
}

#[test]
fn each_event_costs_its_price() {
    let price = |change: fn(&mut SmEvents)| {
        let mut interval = Interval::default();
        change(&mut interval.events);
        prices("k20c").smx(&interval, HIGH).sum() * 1e12
    };
    assert!(close(price(|n| n.register_reads = 10), 73.0));
    assert!(close(price(|n| n.sfu_lanes = 1), 120.0));
    assert!(close(price(|n| n.l1_misses = 1), 2200.0));
    let memory = |change: fn(&mut MemoryEvents)| {
        let mut n = MemoryEvents::default();
        change(&mut n);
        prices("k20c").memory(0.0, &n).sum() * 1e12
    };
    assert!(close(memory(|n| n.dram_read_bytes = 128), 54_000.0));
    assert!(close(memory(|n| (n.packets, n.data_units) = (1, 4)), 5.0 * 1900.0));
}

#[test]
fn a_run_of_nothing_costs_nothing() {
    let energy = prices("k20c").energy(0, &[], &MemoryEvents::default());
    assert_eq!((energy.total_j, energy.mean_w, energy.ideal_saving), (0.0, 0.0, 0.0));
}
