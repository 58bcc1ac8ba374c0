use super::*;
use crate::device::slot_of;
use crate::footprint::footprint;
use crate::functional::{Tally, run};
use gpusched_refgpu::program::{Class, Workload};

/// Programs there are, by name.
const VARIANTS: [(&str, Mode, u32); 4] =
    [("flat", Mode::Flat, 0), ("groups", Mode::Dtbl, 0), ("kernels", Mode::Cdp, 3), ("ideal", Mode::DtblIdeal, 0)];

fn of(side: u32, depth: u32) -> AmrOptions {
    AmrOptions { side, depth, ..AmrOptions::default() }
}

fn refine(mode: Mode, options: AmrOptions, room: usize) -> (Amr, Tally) {
    let mut amr = Amr::new(mode, options).unwrap();
    let tally = run(&mut amr, room);
    (amr, tally)
}

/// Turns of Newton's method for a temperature, and whether a cell of this level with it is refined, by the sheet's formulas
/// (workloads-AM2).
fn turns(temperature: f32) -> u64 {
    let (mut root, mut turns) = (1.0_f32, 0);
    loop {
        let step = (root * root * root + root - temperature / 100.0) / (3.0 * root * root + 1.0);
        (root, turns) = (root - step, turns + 1);
        if step.abs() <= 1e-4 * root || turns == 20 {
            return turns;
        }
    }
}

fn is_hot(cell: &Cell) -> bool {
    (f64::from(cell.temperature) / 300.0).powi(6) / 64_f64.powi(cell.level as i32) > 1.5
}

#[test]
fn every_variant_gives_the_cells_of_a_recursion() {
    for (side, depth) in [(1, 3), (2, 3), (4, 2), (16, 1), (32, 0)] {
        let options = of(side, depth);
        let wanted = reference::cells(&options);
        for (variant, mode, launch_insts) in VARIANTS {
            for room in [1, 5, 1000] {
                let (amr, _) = refine(mode, AmrOptions { launch_insts, ..options }, room);
                assert_eq!(amr.in_order(), wanted, "{side} {depth} {variant} {room}");
                let words = wanted.iter().flat_map(|seen| {
                    [seen.level, seen.at[0].to_bits(), seen.at[1].to_bits(), seen.temperature.to_bits()]
                });
                assert_eq!(amr.check(), Ok(Verified { checksum: fnv1a(words) }));
                let cells = wanted.len() as u64;
                assert_eq!((Workload::progress(&amr), options.cells()), ((cells, cells), cells));
                assert!(amr.device.is_empty());
            }
        }
    }
}

/// workloads-AM1, workloads-AM2: what is above the threshold is refined, as far as the depth says, and nothing else; and the flame is a ring.
#[test]
fn cells_are_refined_where_the_flame_is() {
    let (amr, _) = refine(Mode::Flat, of(8, 2), 100);
    for cell in &amr.cells {
        assert_eq!(cell.child != NO_CHILD, cell.level < 2 && is_hot(cell), "{cell:?}");
        let [x, y] = cell.at.map(|place| f64::from(place) - 0.5);
        let flame = 300.0 + 1700.0 / (1.0 + ((x.hypot(y) - 0.3) / 0.02).powi(2));
        assert!((f64::from(cell.temperature) - flame).abs() < 5.01, "{cell:?} {flame}");
    }
    assert!(amr.cells.iter().any(|cell| cell.temperature > 1900.0));
    for parent in amr.cells.iter().filter(|cell| cell.child != NO_CHILD) {
        let children = &amr.cells[parent.child as usize..][..64];
        let mean = |axis: usize| children.iter().map(|cell| f64::from(cell.at[axis])).sum::<f64>() / 64.0;
        assert_eq!([mean(0), mean(1)], parent.at.map(f64::from), "children lie around the middle of their parent");
    }
    let noise = |seed| AmrOptions { seed, ..of(8, 0) }.base_cell(0).temperature;
    assert_ne!(noise(1), noise(2), "the noise is the seed's");
    assert_eq!(noise(1), noise(1 + (1 << 24)), "and of its lowest 24 bits");
    let refused = AmrOptions { seed: 1 << 24, ..of(8, 0) }.check().unwrap_err().to_string();
    assert!(refused.contains("`seed`: expected a seed below 2^24"), "{refused}");
}

/// workloads-AM3: the lists counted by hand, in one warp of the base grid and 24 of its refinement.
#[test]
fn instructions_of_flat_are_those_of_the_lists() {
    let (amr, flat) = refine(Mode::Flat, of(4, 1), 10);
    let (base, refined) = amr.cells.split_at(16);
    assert_eq!((refined.len(), base.iter().filter(|cell| is_hot(cell)).count()), (768, 12), "the case counted here");
    // I4 L L L, turns of F8 X1 I2, F6, I2 and exit for a warp with cells; I4 and exit for one without.
    let look = |warp: &[Cell]| 4 + 3 + 11 * warp.iter().map(|cell| turns(cell.temperature)).max().unwrap() + 6 + 2 + 1;
    let looks = look(base) + 7 * 5 + refined.chunks(32).map(look).sum::<u64>();
    // A S, and 64 turns of I8 F6 X F2 X F4 S S S S I2.
    assert_eq!(flat.issued, looks + 2 + 64 * 28);
    assert_eq!(flat.mean_lanes(Class::AtomicGlobal), 12.0);
    let shapes: Vec<_> = flat.kernels.iter().map(|k| (k.grid.x, k.tb.x, k.regs, k.smem)).collect();
    assert_eq!(shapes, [(1, 256, 32 * 256, 0), (3, 256, 32 * 256, 0)], "a kernel per level");
    assert!(flat.launches.is_empty());
}

/// workloads-AM4, likewise: twelve children of two warps.
#[test]
fn instructions_of_launches_are_those_of_the_lists() {
    let (amr, dynamic) = refine(Mode::Dtbl, of(4, 1), 10);
    let (base, refined) = amr.cells.split_at(16);
    let solve = |warp: &[Cell]| 11 * warp.iter().map(|cell| turns(cell.temperature)).max().unwrap() + 6 + 2 + 1;
    // I4 L L L and the rest of a warp with cells, with A S S K; I4 and exit for the other one.
    let parents = 4 + 3 + solve(base) + 4 + 5;
    // I4 L, I8 F6 X F2 X F4 S S S S and the rest.
    let children = 24 * (4 + 1 + 26) + refined.chunks(32).map(solve).sum::<u64>();
    assert_eq!(dynamic.issued, parents + children);
}

/// workloads-AM4: a TB of 64 threads for each cell that is refined, of the code of the base grid's kernel, at any depth.
#[test]
fn every_refinement_is_a_tb_of_the_kernel_that_runs() {
    for mode in [Mode::Cdp, Mode::Dtbl] {
        let options = of(8, 2);
        let (amr, tally) = refine(mode, options, 100);
        let [base] = tally.kernels[..] else { panic!("one kernel") };
        assert_eq!((base.grid.x, slot_of(base.tag)), (1, None));
        let refined = |level| amr.cells.iter().filter(|cell| cell.level == level && cell.child != NO_CHILD).count();
        assert!(refined(1) > 0, "launches nest");
        assert_eq!(tally.launches.len(), refined(0) + refined(1));
        for child in tally.launches {
            assert_eq!((child.grid.x, child.tb.x, child.regs, child.smem), (1, 64, 32 * 64, 0));
            assert_eq!((child.pc, child.tb, child.regs, child.smem), (base.pc, base.tb, base.regs, base.smem));
            assert!(slot_of(child.tag).is_some());
        }
        assert!(tally.loads[&amr.device.address(0)] >= 64, "every thread reads its parameters");
    }
}

/// workloads-A2, workloads-AM4: siblings share the line of the counter, parents also the parameters with their children.
#[test]
fn children_work_on_memory_of_their_own() {
    let report = footprint(&mut Amr::new(Mode::Dtbl, of(8, 2)).unwrap(), &mut ()).unwrap();
    let [with_parents, with_siblings] = [report.parent_child.mean, report.child_sibling.mean].map(Option::unwrap);
    assert!(with_siblings < 0.005 && with_parents > 10.0 * with_siblings, "{with_parents} {with_siblings}");
}

#[test]
fn launches_pay_for_their_call() {
    let (_, free) = refine(Mode::Dtbl, of(4, 1), 10);
    let (_, paid) = refine(Mode::Dtbl, AmrOptions { launch_insts: 5, ..of(4, 1) }, 10);
    assert_eq!(paid.issued, free.issued + 12 * 5);
}

/// workloads-IN4: what the sizes amount to.
#[test]
fn the_sizes_are_those_of_the_sheet() {
    assert_eq!(AmrOptions::default(), of(32, 2));
    let cells = [of(32, 2), of(64, 2)].map(|options| options.cells());
    assert_eq!(cells, [675_584, 2_704_960]);
}

#[test]
fn what_is_out_of_range_is_refused() {
    let error = |options| Amr::new(Mode::Flat, options).unwrap_err().to_string();
    assert_eq!(error(of(0, 2)), "option `side`: expected a power of two, 1 to 128 cells, found 0");
    assert_eq!(error(of(24, 2)), "option `side`: expected a power of two, 1 to 128 cells, found 24");
    assert_eq!(error(of(256, 2)), "option `side`: expected a power of two, 1 to 128 cells, found 256");
    assert_eq!(error(of(32, 4)), "option `depth`: expected 0 to 3 levels, found 4");
    let cells = of(64, 3).cells();
    assert_eq!(error(of(64, 3)), format!("option `depth`: expected at most 2^24 cells in all, found {cells}"));
    let error = Amr::new(Mode::Persistent, of(4, 1)).unwrap_err();
    assert_eq!(error.to_string(), "mode pt: only the breadth-first search has it");
}

#[test]
fn a_wrong_mesh_is_told_with_its_place() {
    let (right, _) = refine(Mode::Flat, of(2, 1), 1);
    let told = |change: fn(&mut Vec<Cell>)| {
        let mut amr = right.clone();
        change(&mut amr.cells);
        amr.check().unwrap_err().to_string()
    };
    let at = "level 0 at (0.75, 0.25) with";
    let want = right.cells[1].temperature;
    let wrong = told(|cells| cells[1].temperature = 300.0);
    let cell = right.in_order().iter().position(|seen| seen.level == 0 && seen.at == [0.75, 0.25]).unwrap();
    assert_eq!(wrong, format!("wrong result: cell[{cell}] is {at} 300 K, want {at} {want} K"));
    assert!(told(|cells| cells.truncate(100)).starts_with("wrong result: number of cells is 100, want "));
    // A loop in the tree, and one that leads out of the pool.
    assert!(told(|cells| cells[4].child = 4).starts_with("wrong result: cell["));
    assert!(told(|cells| cells[3].child = u32::MAX).starts_with("wrong result: "));
}
