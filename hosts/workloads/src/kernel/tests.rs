//! What parametric kernels compute and touch, without a machine.

use super::*;
use crate::functional::{Turns, run_in_turns};
use crate::{FmmOptions, catalogue};
use gpusched_refgpu::coalesce::Transactions;
use std::collections::{BTreeMap, BTreeSet};

const TEST: Request =
    Request { size: Size::Test, loop_warps: None, seed: 1, fmm: FmmOptions::BASELINE, memory: u64::MAX };

fn parse(text: &str) -> App {
    App::from_toml(text).unwrap()
}

/// A kernel of 4 TBs of 4 warps, with 40 iterations of `phase`.
fn kernel(phase: &str) -> App {
    parse(&format!(
        "[[kernel]]\nname = 'k'\ngrid = 4\nthreads = 128\nregs = 8\nsmem = 4096\n[[kernel.phase]]\niters = 40\n{phase}"
    ))
}

const FULL: Request = Request { size: Size::Times(1), ..TEST };

#[test]
fn every_kernel_verifies_in_any_order_of_warps() {
    for (name, app) in built_in() {
        let run = |room, turns| {
            let mut work = Parametric::new(app, TEST).unwrap();
            let tally = run_in_turns(&mut work, room, turns);
            let (done, total) = work.progress();
            assert_eq!(done, total, "{name}");
            (tally.issued, work.check().unwrap())
        };
        let runs = [(1, Turns::Together), (99, Turns::FirstAhead), (3, Turns::LastAhead)];
        let results = runs.map(|(room, turns)| run(room, turns));
        assert!(results.iter().all(|result| *result == results[0]), "{name}");
    }
}

#[test]
fn seeds_change_what_is_loaded() {
    let sum = |seed| {
        let mut work = Parametric::new(&kernel("n = 8\nloads = ['st(4)']"), Request { seed, ..TEST }).unwrap();
        run_in_turns(&mut work, 2, Turns::Together);
        work.check().unwrap().checksum
    };
    assert_ne!(sum(1), sum(2));
}

#[test]
fn a_wrong_load_or_store_is_told() {
    let app = kernel("n = 8\nloads = ['st(4)']\nstores = ['st(4)']");
    let mut work = Parametric::new(&app, TEST).unwrap();
    run_in_turns(&mut work, 2, Turns::Together);
    let mut wrong = work.clone();
    wrong.kernels[0].folds[77] ^= 1;
    assert_eq!(wrong.check().unwrap_err().place, "k: fold[77]");
    work.kernels[0].stored ^= 1;
    assert_eq!(work.check().unwrap_err().place, "k: sum of stores");
}

/// Lines that an access touches: per warp and iteration in the mean, and different ones in all.
fn lines(access: &str) -> (f64, usize) {
    let app = kernel(&format!("n = 20\nloads = ['{access}']"));
    let mut work = Parametric::new(&app, FULL).unwrap();
    let [mut touched, mut accesses] = [0usize; 2];
    let mut all = BTreeSet::new();
    each_access(&mut work, |_, _, inst, effects| {
        if inst.class == Class::LoadGlobal {
            let mut lines = Transactions::default();
            assert!(lines.combine(inst.mask, &effects.addr, effects.bytes));
            touched += lines.as_slice().len();
            accesses += 1;
            all.extend(lines.as_slice().iter().map(|line| line.line));
        }
    });
    work.check().unwrap();
    (touched as f64 / accesses as f64, all.len())
}

/// Runs warp by warp and shows each instruction with its TB and warp.
fn each_access(work: &mut Parametric, mut see: impl FnMut(u32, u32, Inst, &Effects)) {
    let mut effects = Effects { addr: [0; 32], bytes: 0, rank: 0, launches: Vec::new() };
    while let Some(kernel) = work.next_kernel() {
        for blkid in 0..kernel.grid.x {
            for number in 0..kernel.tb.x / WARP {
                let mut warp = Warp::default();
                work.begin(&TbContext { tag: kernel.tag, blkid, threads: kernel.tb.x }, number, &mut warp);
                loop {
                    let inst = work.fetch(&warp);
                    work.execute(&mut warp, &mut effects);
                    see(blkid, number, inst, &effects);
                    if inst.class == Class::Exit {
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn patterns_touch_the_lines_of_the_sheets_table() {
    // 16 warps, 40 iterations.
    let warps = 16;
    let new = warps * 40;
    assert_eq!(lines("st(4)"), (1.0, new));
    assert_eq!(lines("st(1)"), (1.0, new / 4));
    assert_eq!(lines("st(8)"), (2.0, 2 * new));
    assert_eq!(lines("st(16)"), (4.0, 4 * new));
    assert_eq!(lines("sd(4)"), (1.0, new));
    assert_eq!(lines("sd(8)"), (2.0, 2 * new));
    assert_eq!(lines("sd(32)"), (8.0, 8 * new));
    assert_eq!(lines("sd(128)"), (32.0, 32 * new));
    assert_eq!(lines("sd(512)"), (32.0, 32 * new));
    assert_eq!(lines("sd(4) offset 4"), (2.0, new + 1));
    // 512 rows of 64 words: 32 lines, the same for 32 iterations, then the next.
    assert_eq!(lines("row(64)"), (32.0, 2 * 512));
    assert_eq!(lines("tin(1)"), (1.0, 40));
    assert_eq!(lines("tin(8)"), (1.0, 5));
    // Items 0, 32, ... 20448 in batches of 96.
    assert_eq!(lines("tia(96)"), (1.0, 20480usize.div_ceil(96)));
    assert_eq!(lines("own(8)"), (1.0, 8 * warps));
    assert_eq!(lines("cta(2)"), (1.0, 2 * 4));
    assert_eq!(lines("pair"), (1.0, new / 2));
    let (touched, all) = lines("ga(8, 256 KB)");
    assert!(touched == 8.0 && all > 1800 && all <= 2048, "{all} of 2048 lines by 5120 draws");
    let (touched, all) = lines("zip(12, 8 MB)");
    assert!(touched == 12.0 && all < 7600, "fewer of 7680 draws are new than of even ones: {all}");
}

#[test]
fn the_lines_of_a_warp_a_tb_and_a_pair_are_theirs() {
    let owners = |access: &str, owner: fn(u32, u32) -> u32| {
        let mut work = Parametric::new(&kernel(&format!("n = 20\nloads = ['{access}']")), FULL).unwrap();
        let mut of: BTreeMap<u64, BTreeSet<u32>> = BTreeMap::new();
        each_access(&mut work, |tb, warp, inst, effects| {
            if inst.class == Class::LoadGlobal {
                of.entry(effects.addr[0] / 128).or_default().insert(owner(tb, warp));
            }
        });
        of.values().map(BTreeSet::len).max().unwrap()
    };
    assert_eq!(owners("own(8)", |tb, warp| tb * 4 + warp), 1);
    assert_eq!(owners("cta(2)", |tb, _| tb), 1);
    assert_eq!(owners("cta(2)", |tb, warp| tb * 4 + warp), 4);
    assert_eq!(owners("pair", |tb, warp| tb * 2 + warp / 2), 1);
    assert_eq!(owners("pair", |tb, warp| tb * 4 + warp), 2);
    assert_eq!(owners("tin(1)", |tb, warp| tb * 4 + warp), 16);
}

#[test]
fn skewed_draws_prefer_the_first_lines() {
    let half = |access: &str| {
        let mut work = Parametric::new(&kernel(&format!("n = 20\nloads = ['{access}']")), FULL).unwrap();
        let (mut first, mut all) = (0, 0);
        each_access(&mut work, |_, _, inst, effects| {
            if inst.class == Class::LoadGlobal {
                let low = effects.addr.iter().filter(|&&address| address < (1 << 32) + (512 << 10)).count();
                (first, all) = (first + low, all + 32);
            }
        });
        first as f64 / f64::from(all)
    };
    // u * u < 1/2 for u < 0.707.
    assert!((half("zip(8, 1 MB)") - 0.707).abs() < 0.01);
    assert!((half("ga(8, 1 MB)") - 0.5).abs() < 0.01);
}

#[test]
fn a_chain_goes_where_the_last_load_says() {
    let addresses = |seed, access: &str| {
        let app = kernel(&format!("n = 20\nloads = ['st(4)', '{access}']"));
        let mut work = Parametric::new(&app, Request { seed, ..FULL }).unwrap();
        let mut seen = Vec::new();
        each_access(&mut work, |_, _, inst, effects| {
            seen.extend((inst.class == Class::LoadGlobal).then_some(effects.addr[0]))
        });
        work.check().unwrap();
        seen
    };
    let (free, chained) = (addresses(1, "zip(12, 8 MB)"), addresses(1, "zip(12, 8 MB) chained"));
    assert_eq!(free[0], chained[0]);
    let same = free.iter().zip(&chained).skip(1).step_by(2).filter(|(a, b)| a == b).count();
    assert!(same < 20, "{same} of 640");
}

#[test]
fn lanes_are_drawn_around_their_mean() {
    let active = |lanes: u32| {
        let mut work = Parametric::new(&kernel(&format!("n = 4\nlanes = {lanes}")), FULL).unwrap();
        let mut counts = BTreeSet::new();
        let tally = {
            let mut sum = (0, 0);
            each_access(&mut work, |_, _, inst, _| {
                if inst.class == Class::Int {
                    counts.insert(inst.mask.count_ones());
                    sum = (sum.0 + inst.mask.count_ones(), sum.1 + 1);
                    assert!(inst.mask.wrapping_add(1) & inst.mask == 0, "the first lanes");
                }
            });
            f64::from(sum.0) / f64::from(sum.1)
        };
        (counts.first().copied().unwrap(), counts.last().copied().unwrap(), tally)
    };
    assert_eq!(active(32), (32, 32, 32.0));
    let (low, high, mean) = active(18);
    assert!((low, high) == (10, 26) && (mean - 18.0).abs() < 0.7, "{mean}");
    assert_eq!((active(3).0, active(30).1), (1, 32));
}

#[test]
fn the_first_block_has_a_tail_and_warps_may_start_later() {
    let app = parse(
        "[[kernel]]\nname = 'k'\ngrid = 3\nthreads = 64\nregs = 8\ntail = 4\nstagger = 5\n[[kernel.phase]]\niters = 2\nn = 10",
    );
    let mut work = Parametric::new(&app, FULL).unwrap();
    let mut issued = BTreeMap::new();
    each_access(&mut work, |tb, warp, _, _| *issued.entry((tb, warp)).or_insert(0) += 1);
    assert_eq!(issued.into_values().collect::<Vec<_>>(), [81, 86, 21, 26, 21, 26]);
    let spec = &app.kernels[0];
    assert_eq!((spec.iterations(), spec.instructions()), ((8, 2), 2 * 20 * (4 + 2)));
}

#[test]
fn shared_accesses_have_their_degree_of_conflicts() {
    for degree in [1, 2, 4, 8] {
        let mut work = Parametric::new(&kernel(&format!("n = 9\nshared = 4\nconflict = {degree}")), FULL).unwrap();
        let tally = run_in_turns(&mut work, 9, Turns::Together);
        for class in [Class::LoadShared, Class::StoreShared] {
            assert_eq!(tally.transactions_each(class), f64::from(degree));
            assert_eq!(tally.of(class), 16 * 40 * 2);
        }
    }
}

#[test]
fn an_alternate_order_gives_odd_lanes_the_other_loads() {
    let app = kernel("n = 20\nloads = ['sd(32) bytes 16', 'tin(1)']\norder = 'alternate(4)'");
    let mut work = Parametric::new(&app, FULL).unwrap();
    let mut uneven = BTreeMap::new();
    each_access(&mut work, |_, _, inst, effects| {
        if inst.class == Class::LoadGlobal {
            let even = effects.addr[2].abs_diff(effects.addr[1]) == effects.addr[1].abs_diff(effects.addr[0]);
            let even = even && effects.addr[3].abs_diff(effects.addr[2]) == effects.addr[1].abs_diff(effects.addr[0]);
            let of: &mut (u32, u32) = uneven.entry(inst.pc).or_default();
            *of = (of.0 + u32::from(!even), of.1 + 1);
        }
    });
    work.check().unwrap();
    assert_eq!(uneven.into_values().collect::<Vec<_>>(), [(160, 640), (160, 640)]);
}

#[test]
fn each_static_load_has_a_number_of_its_own() {
    for (name, app) in built_in() {
        let mut work = Parametric::new(app, TEST).unwrap();
        let mut pcs: BTreeMap<usize, BTreeSet<u32>> = BTreeMap::new();
        while let Some(kernel) = work.next_kernel() {
            let mut warp = Warp::default();
            let mut effects = Effects { addr: [0; 32], bytes: 0, rank: 0, launches: Vec::new() };
            work.begin(&TbContext { tag: kernel.tag, blkid: 0, threads: kernel.tb.x }, 0, &mut warp);
            while !warp.over {
                let inst = work.fetch(&warp);
                if matches!(inst.class, Class::LoadGlobal | Class::LoadTexture) {
                    pcs.entry(warp.kernel).or_default().insert(inst.pc);
                }
                work.execute(&mut warp, &mut effects);
            }
        }
        for (of, spec) in pcs.into_values().zip(&app.kernels) {
            let loads = |phase: &Phase| {
                let (every, once) = (TEST_ITERATIONS, if phase.reload { 2 } else { 1 });
                let there = phase.loads.iter().filter(|load| load.every <= every);
                there.map(|load| load.count as usize * once).sum::<usize>()
            };
            assert_eq!(of.len(), spec.phases.iter().map(loads).sum::<usize>(), "{name}: {}", spec.name);
        }
    }
}

#[test]
fn what_a_store_drops_is_loaded_again() {
    let app = kernel("n = 20\nloads = ['cta(2)', 'sd(8)']\nstores = ['back(1)']\nreload = true");
    let mut work = Parametric::new(&app, FULL).unwrap();
    let mut order = Vec::new();
    each_access(&mut work, |_, _, inst, effects| {
        if matches!(inst.class, Class::LoadGlobal | Class::StoreGlobal) {
            order.push((inst.class, effects.addr[0]));
        }
    });
    for turn in order.chunks(5) {
        let [first, second, back, again, last] = turn else { panic!("five accesses") };
        assert_eq!((first.1, first.1, second.1), (back.1, again.1, last.1));
        assert_eq!(back.0, Class::StoreGlobal);
    }
    work.check().unwrap();
}

#[test]
fn conditions_pick_iterations_and_warps() {
    let app = kernel("n = 20\nloads = ['st(4) every 10', 'cta(8) warps 1/3']\nstores = ['back(1)']");
    let mut work = Parametric::new(&app, FULL).unwrap();
    let tally = run_in_turns(&mut work, 9, Turns::Together);
    // 4 of 40 iterations; warps 0 and 3 of each TB.
    assert_eq!(tally.of(Class::StoreGlobal), 16 * 4);
    assert_eq!(tally.of(Class::LoadGlobal), 16 * 4 + 8 * 40);
    assert_eq!(tally.issued, 16 * (40 * 20 + 3 * 4 + 1) + 8 * 2 * 40);
    work.check().unwrap();
}

#[test]
fn a_grid_stride_loop_does_the_same_work_with_fewer_threads() {
    let (_, app) = built_in().iter().find(|(name, _)| *name == "hs").unwrap();
    let touched = |loop_warps| {
        let mut work = Parametric::new(app, Request { loop_warps, ..FULL }).unwrap();
        let mut seen = BTreeSet::new();
        each_access(&mut work, |_, _, inst, effects| {
            if inst.class == Class::LoadGlobal {
                seen.extend(effects.addr);
            }
        });
        work.check().unwrap();
        (seen, work.specs().map(|spec| (spec.grid, spec.threads, spec.phases[0].iters)).next().unwrap())
    };
    let (all, (four, shape)) = (touched(None), touched(Some(4)));
    assert_eq!((all.1, shape), ((1, 1024, 4), (1, 128, 32)));
    assert!(all.0 == four);
}

/// Also the iterations that TB 0 has more than others (`tail`).
#[test]
fn a_grid_stride_loop_has_the_instructions_of_the_tail_once() {
    let app = parse(
        "[[kernel]]\nname = 'k'\ngrid = 4\nthreads = 128\nregs = 8\ntail = 5\n[[kernel.phase]]\niters = 40\nn = 30\nloads = ['st(4)']",
    );
    let instructions = |loop_warps| {
        let work = Parametric::new(&app, Request { loop_warps, ..FULL }).unwrap();
        work.specs().map(KernelSpec::instructions).sum::<u64>()
    };
    assert_eq!([None, Some(2), Some(4)].map(instructions), [40 * 30 * 4 * 8; 3]);
}

#[test]
fn what_a_kernel_does_in_all_is_counted_beyond_64_bits() {
    let phases = "[[kernel.phase]]\niters = 1048576\nn = 65536\n".repeat(32);
    for grid in [131_072, 262_144] {
        let text = format!("[[kernel]]\nname = 'k'\ngrid = {grid}\nthreads = 1024\nregs = 8\n{phases}");
        let error = App::from_toml(&text).unwrap_err();
        assert!(error.to_string().contains("at most 2^42 instructions"), "{error}");
    }
}

/// Shares are of all instructions, those of accesses included; how decimals are rounded does not decide.
#[test]
fn shares_leave_room_for_accesses() {
    let fits = |phase: &str| {
        let text = format!(
            "[[kernel]]\nname = 'k'\ngrid = 4\nthreads = 128\nregs = 8\n[[kernel.phase]]\niters = 4\nn = 20\n{phase}"
        );
        App::from_toml(&text).is_ok()
    };
    let shares =
        ["fp = 0.7", "fp = 0.95", "fp = 1.0", "fp = 0.7\nsfu = 0.2\ndp = 0.1", "fp = 0.1\nsfu = 0.2\ndp = 0.7"];
    assert_eq!(shares.map(|shares| fits(&format!("{shares}\nloads = ['st(4)']"))), [true, false, false, false, false]);
    assert_eq!(shares.map(fits), [true; 5], "beside nothing");
}

#[test]
fn a_sixth_of_what_shaders_read_is_thread_invariant() {
    // Lines of 32 bytes that a batch's vertices share, of all that are read.
    let share = |name: &str| {
        let (_, app) = built_in().iter().find(|(app, _)| *app == name).unwrap();
        let mut work = Parametric::new(app, FULL).unwrap();
        let (mut shared, mut own) = (BTreeSet::new(), BTreeSet::new());
        each_access(&mut work, |_, _, inst, effects| {
            if inst.class == Class::LoadGlobal {
                let into = if effects.addr[0] == effects.addr[2] { &mut shared } else { &mut own };
                into.extend(effects.addr.map(|address| address / 32));
            }
        });
        shared.len() as f64 / (shared.len() + own.len()) as f64
    };
    let shares = ["hs", "es", "rs", "wt", "it", "st", "wf"].map(share);
    let mean = shares.iter().sum::<f64>() / 7.0;
    assert!((0.08..0.20).contains(&mean), "{mean} {shares:?}");
}

#[test]
fn descriptors_are_refused_by_key_value_and_range() {
    let error = |text: &str| App::from_toml(text).unwrap_err().to_string();
    let head = "[[kernel]]\nname = 'k'\ngrid = 4\nthreads = 128\nregs = 8\n";
    let phase = |rest: &str| error(&format!("{head}[[kernel.phase]]\niters = 1\n{rest}"));
    assert!(error("").contains("missing field `kernel`"));
    assert!(error(&format!("{head}warps = 3\n")).contains("warps"));
    assert!(phase("n = 3\nload = []").contains("unknown field `load`"));
    assert!(phase("n = 3\nloads = ['lru(1)']").contains("`lru(1)`: expected st(b)"));
    assert!(phase("n = -3").contains("-3"));
    assert_eq!(phase("n = 0"), "k: phase[0].n = 0: expected 1 to 65536");
    assert_eq!(
        phase("n = 4\nloads = ['st(4)']\nstores = ['st(4)']"),
        "k: phase[0].n = 4: expected 5 or more, for the accesses with an address instruction each, a use, shared accesses, \
         barriers and shares"
    );
    assert_eq!(phase("n = 9\nfp = 1.5"), "k: phase[0].fp = 1.5: expected a share, 0 to 1");
    assert_eq!(
        phase("n = 9\nfp = 0.5\nsfu = 0.6"),
        "k: phase[0].fp = 0.5: expected at most 1 together with sfu and dp"
    );
    assert_eq!(phase("n = 9\nshared = 1"), "k: phase[0].shared = 1: expected smem of 128 bytes or more for them");
    assert_eq!(phase("n = 9\nconflict = 3"), "k: phase[0].conflict = 3: expected 1, 2, 4, 8, 16 or 32");
    assert_eq!(phase("n = 9\nlanes = 33"), "k: phase[0].lanes = 33: expected 1 to 32");
    assert_eq!(phase("n = 9\nchains = 5"), "k: phase[0].chains = 5: expected 1 to 4");
    assert_eq!(phase("n = 9\nloads = ['back(1)']"), "k: phase[0].loads = back(1): expected back(k) only for stores");
    assert_eq!(
        phase("n = 9\nloads = ['st(4) in 1']"),
        "k: phase[0].loads = st(4) in 1: expected in N the number of an earlier load with an array of its own"
    );
    assert_eq!(
        phase("n = 9\nstores = ['back(1)']"),
        "k: phase[0].stores = back(1): expected the number of a load, not a chained one"
    );
    assert_eq!(
        phase("n = 9\nloads = ['st(4) every 2']\norder = 'alternate(4)'"),
        "k: phase[0].order = alternate(4): expected loads that are always there and not chained"
    );
    assert!(phase("n = 9\norder = 'random'").contains("expected given or alternate(k)"));
    let with = |key: &str, value: &str| {
        let head = head.lines().filter(|line| !line.starts_with(key)).collect::<Vec<_>>().join("\n");
        error(&format!("{head}\n{key} = {value}\n[[kernel.phase]]\niters = 1\nn = 5"))
    };
    assert_eq!(with("name", "'a b'"), "a b: name = a b: expected letters, digits and `-`");
    assert_eq!(with("grid", "0"), "k: grid = 0: expected 1 to 1048576");
    assert_eq!(with("threads", "48"), "k: threads = 48: expected whole warps of 32");
    assert_eq!(with("threads", "1056"), "k: threads = 1056: expected 32 to 1024");
    assert_eq!(with("regs", "256"), "k: regs = 256: expected 1 to 255");
    assert_eq!(with("line", "96"), "k: line = 96: expected 32, 64 or 128 bytes");
    assert_eq!(with("calibrated", "{ n = [], ipm = 1.0 }"), "k: calibrated.n = []: expected a number for each phase");
    let twice = format!("{0}{0}", format!("{head}[[kernel.phase]]\niters = 1\nn = 5\n"));
    assert_eq!(error(&twice), "application: name = k: expected a name of its own for each kernel");
    assert_eq!(error("kernel = []"), "application: kernels = 0: expected 1 to 64");
}

#[test]
fn arrays_beyond_the_address_space_are_refused() {
    let app = parse(
        "[[kernel]]\nname = 'k'\ngrid = 100000\nthreads = 1024\nregs = 8\n[[kernel.phase]]\niters = 9000\nn = 5\nloads = ['st(16)']",
    );
    let error = Parametric::new(&app, FULL).unwrap_err();
    assert!(matches!(error, SetupError::TooBig { .. }), "{error}");
}

#[test]
fn every_row_of_the_tables_that_is_not_functional_is_in_the_catalogue() {
    let rows = [
        "bp-1",
        "bp-2",
        "cfd-1",
        "cfd-2",
        "cutcp",
        "histo-1",
        "histo-2",
        "histo-3",
        "histogram-p",
        "lavaMD",
        "lbm",
        "leuko-1",
        "leuko-2",
        "leuko-3",
        "mri-g-1",
        "mri-g-2",
        "mri-g-3",
        "mri-q",
        "mummer",
        "particle-1",
        "particle-2",
        "sad-1",
        "sad-2",
        "sc",
        "srad-1",
        "srad-2",
        "tpacf",
        "srd",
        "blk",
        "hs",
        "es",
        "rs",
        "wt",
        "it",
        "st",
        "wf",
    ];
    for name in rows {
        let entry = catalogue::find(name).unwrap();
        let [spec] = entry.specs().unwrap() else { panic!("{name} is one kernel") };
        assert_eq!(spec.row.warps.unwrap_or(spec.warps()), spec.warps(), "{name}: threads = 32 x warps");
    }
}
