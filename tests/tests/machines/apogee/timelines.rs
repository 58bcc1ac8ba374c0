//! The sheet's timelines (apogee-H2; h10, h11), with a host of its own: a load each 150 cycles, memory of 400 cycles, a cache that keeps
//! everything.

use std::collections::HashMap;

use gpusched::Cycle;
use gpusched::apogee::{Access, Apogee, ApogeeConfig, Lanes, RowId, Verdict, WarpId};
use gpusched_tests::apogee::{HeapTables, machine};

const PERIOD: u64 = 150;
const MEMORY: u64 = 400;

/// An SM that does nothing but this loop.
struct Host {
    sm: Apogee<HeapTables>,
    /// When each line is there.
    lines: HashMap<u64, u64>,
    /// Fills on their way, in order of time.
    fills: Vec<(u64, gpusched::apogee::Request)>,
}

impl Host {
    fn new(gap_fill: bool) -> Self {
        let config = ApogeeConfig { warps: 1, warp_size: 8, threads: 8, gap_fill, ..ApogeeConfig::APOGEE_4 };
        Self { sm: machine(&config).unwrap(), lines: HashMap::new(), fills: Vec::new() }
    }

    /// Pops what is ready and delivers what has come back, until a time.
    fn pass(&mut self, until: u64) {
        loop {
            let pop = self.sm.next_event().map(|at| at.0).filter(|&at| at <= until);
            let fill = self.fills.first().map(|&(at, _)| at).filter(|&at| at <= until);
            match (pop, fill) {
                (Some(at), _) if fill.is_none_or(|fill| at < fill) => {
                    let request = self.sm.pf_pop(Cycle(at)).unwrap().expect("the head is ready");
                    let is_absent = !self.lines.contains_key(&request.line);
                    self.sm.pf_reply(is_absent).unwrap();
                    if is_absent {
                        self.lines.insert(request.line, at + MEMORY);
                        self.fills.push((at + MEMORY, request));
                    }
                }
                (_, Some(_)) => {
                    let (_, request) = self.fills.remove(0);
                    self.sm.pf_fill(request.entry, request.generation, request.warp).unwrap();
                }
                _ => return,
            }
        }
    }

    /// The loop's load number `i`: the cache's answer, and the distance afterwards.
    fn load(&mut self, i: u64) -> (Verdict, u16) {
        let now = 1000 + PERIOD * i;
        self.pass(now);
        let verdict = match self.lines.get(&(32 * i)) {
            Some(&at) if at <= now => Verdict::Hit,
            Some(_) => Verdict::Pending,
            None => Verdict::Absent,
        };
        self.lines.entry(32 * i).or_insert(now + MEMORY);
        let addresses: [u64; 8] = std::array::from_fn(|lane| 32 * i + 4 * lane as u64);
        let lanes = Lanes::Dense { mask: 0xff, addresses: &addresses };
        self.sm.load(Cycle(now), &Access { pc: 5, warp: WarpId(0), verdict, lanes }, &mut ()).unwrap();
        (verdict, self.sm.row(RowId(0)).unwrap().load().unwrap().distance)
    }

    fn run(gap_fill: bool) -> Vec<(Verdict, u16)> {
        let mut host = Self::new(gap_fill);
        (0..200).map(|i| host.load(i)).collect()
    }
}

fn hits(trace: &[(Verdict, u16)]) -> usize {
    trace.iter().filter(|(verdict, _)| *verdict == Verdict::Hit).count()
}

/// Without gap filling the distance swings between 2 and 3 for ever, and two loads of five hit.
#[test]
fn the_distance_swings_and_two_in_five_hit() {
    let trace = Host::run(false);
    let late = &trace[100..];
    assert_eq!(hits(late), 40, "{late:?}");
    let distances = late.iter().map(|&(_, distance)| distance);
    assert!(
        distances.clone().all(|d| d == 2 || d == 3)
            && distances.clone().any(|d| d == 2)
            && distances.clone().any(|d| d == 3)
    );
}

/// With it the distance settles at 3, and then every load hits.
#[test]
fn gap_filling_settles_and_always_hits() {
    let trace = Host::run(true);
    let settled = &trace[20..];
    assert!(settled.iter().all(|&(verdict, distance)| (verdict, distance) == (Verdict::Hit, 3)), "{trace:?}");
}

/// apogee-H1: the climb stops, however short the loop, because any return counts.
#[test]
fn the_climb_of_a_short_loop_stops() {
    for gap_fill in [false, true] {
        let highest = Host::run(gap_fill).iter().map(|&(_, distance)| distance).max();
        assert!(highest <= Some(4), "{highest:?}");
    }
}
