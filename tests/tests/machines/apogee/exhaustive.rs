//! Every order of events on tiny machines, of one warp to the last reachable state: the core answers as the model, and the invariants
//! hold.
//!
//! Times and generations grow for ever: times pass only in pops, of which the latency is 0, and sequences of events are followed only to
//! rows that were allocated a few times.

use gpusched::Cycle;
use gpusched::apogee::{Apogee, ApogeeConfig, LalScope, Merge, Verdict, WarpId};
use gpusched_tests::apogee::invariants::check_event;
use gpusched_tests::apogee::{Apogees, Event, Form, HeapTables, Load, Machine, View};

use crate::every::{Ways, explore};

type Sm = Apogee<HeapTables>;

/// Three PCs for two rows, a warp of two threads, a queue of two requests.
const TINY: ApogeeConfig = ApogeeConfig {
    entries: 2,
    warps: 1,
    warp_size: 2,
    threads: 2,
    addr_bits: 8,
    conf_bits: 1,
    dist_bits: 2,
    line_bytes: 16,
    pfq: 2,
    issue_latency: 0,
    ..ApogeeConfig::APOGEE_4
};

/// States of a warp are fewer.
const MOST: usize = 200_000;

/// Rows are followed through so many allocations.
const GENERATIONS: u32 = 2;

fn alphabet(sm: &Sm) -> Vec<Event> {
    let mut events = vec![
        Event::PfPop { now: Cycle(0) },
        Event::PfReply { sent: true },
        Event::PfReply { sent: false },
        Event::Flush,
    ];
    for (pc, lanes) in
        [(1, vec![(0, 16), (1, 20)]), (2, vec![(0, 64), (1, 64)]), (2, vec![(1, 64)]), (3, vec![(0, 0), (1, 255)])]
    {
        for warp in 0..sm.config().warps as u16 {
            for verdict in [Verdict::Hit, Verdict::Absent] {
                let (warp, result, lanes) = (WarpId(warp), Some(verdict), lanes.clone());
                events.push(Event::Load(Load {
                    now: Cycle(0),
                    pc,
                    warp,
                    result,
                    lanes,
                    form: if verdict == Verdict::Hit { Form::Dense } else { Form::Affine },
                }));
            }
        }
    }
    for (entry, row) in sm.rows() {
        let warps = 0..sm.config().warps as u16;
        events.extend(warps.map(|warp| Event::PfFill { entry, generation: row.generation, warp: WarpId(warp) }));
    }
    events
}

/// States, nearest first, until there are `most`.
fn states(config: &ApogeeConfig, most: usize) -> usize {
    let ways = Ways::<Apogees, View> {
        key: |sm, _| {
            let view = sm.view();
            let is_old = view.table.iter().any(|(_, row)| row.generation > GENERATIONS);
            (!is_old).then_some(view)
        },
        event: |sm, event, answered, before, now| check_event(sm.config(), event, answered, before, now),
        future: |_| Ok(()),
        most,
    };
    explore(config, &ways, alphabet)
}

#[test]
fn every_order_of_events_of_a_warp() {
    let ways = [
        TINY,
        ApogeeConfig { merge: Merge::Group, gap_fill: true, ..TINY },
        ApogeeConfig { entries: 1, pfq: 1, ..TINY },
    ];
    for config in ways {
        let states = states(&config, MOST);
        assert!((100..MOST).contains(&states), "{states} states");
    }
}

/// Two warps: the states that are nearest to the start.
#[test]
fn every_short_order_of_events_of_two_warps() {
    let two = ApogeeConfig { warps: 2, threads: 4, ..TINY };
    for config in [two, ApogeeConfig { lal: LalScope::Sm, ..two }] {
        assert_eq!(states(&config, 20_000), 20_000);
    }
}
