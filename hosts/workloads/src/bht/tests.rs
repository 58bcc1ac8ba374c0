use super::*;
use crate::functional::{Tally, Turns, finished};
use crate::{Cover, Shape};
use gpusched::Dim3;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::program::Class;

fn bodies(bodies: u32) -> BhtOptions {
    BhtOptions { bodies, ..BhtOptions::default() }
}

/// Every program there is, by name.
fn variants(count: u32) -> Vec<(&'static str, Mode, BhtOptions)> {
    let default = bodies(count);
    let all = BhtOptions { min_child: 9, cover: Cover::All, launch_insts: 3, ..default };
    vec![
        ("flat", Mode::Flat, default),
        ("floor", Mode::Cdp, default),
        ("all", Mode::Dtbl, all),
        ("var", Mode::CdpIdeal, BhtOptions { shape: Shape::Var, ..default }),
        ("odd", Mode::DtblIdeal, BhtOptions { shape: Shape::Fixed(45), ..all }),
        ("rest", Mode::Cdp2, BhtOptions { shape: Shape::Fixed(20), min_child: 20, ..default }),
    ]
}

fn walk(mode: Mode, options: BhtOptions, room: usize, turns: Turns) -> (Bht, Tally) {
    finished(Bht::new(mode, options), room, turns)
}

/// workloads-BH5: the same nodes act, and a child is launched wherever the rule says.
#[test]
fn every_variant_gives_the_forces_of_a_recursive_walk() {
    for count in [1, 2, 9, 300] {
        for (variant, mode, options) in variants(count) {
            for room in [1, 1000] {
                let (bht, tally) = walk(mode, options, room, Turns::Together);
                bht.check().unwrap_or_else(|wrong| panic!("{count} {variant} {room}: {wrong}"));
                assert_eq!(tally.launches.len() as u64, bht.reference.launches, "{count} {variant}");
            }
        }
    }
}

/// What is far away acts as one body, so the forces are nearly those of all pairs; a tree of two bodies has no cell that does.
#[test]
fn forces_are_nearly_those_of_all_pairs() {
    for (count, most) in [(2, 1e-6), (700, 0.03)] {
        for (variant, mode, options) in variants(count) {
            let Bht { tree, reference, .. } = Bht::new(mode, options).unwrap();
            let mut off = 0.0;
            for (&at, force) in tree.places.iter().zip(&reference.forces) {
                let mut pairs = [0.0; 3];
                for body in 0..count {
                    let distance = distances(at, tree.body(body)).map(f64::from);
                    let square = distance.iter().map(|d| d * d).sum::<f64>() + 1e-6;
                    (0..3).for_each(|axis| pairs[axis] += distance[axis] / square.powf(1.5) / f64::from(count));
                }
                off += (0..3).map(|axis| (force[axis] - pairs[axis]).powi(2)).sum::<f64>();
            }
            let off = (off / f64::from(count)).sqrt() / reference.rms();
            assert!(off <= most, "{count} {variant}: {off}");
        }
    }
}

/// workloads-BH2: whole numbers are added, so the order does not matter.
#[test]
fn forces_do_not_depend_on_who_adds_first() {
    let options = BhtOptions { min_child: 9, cover: Cover::All, ..bodies(300) };
    let orders = [(1, Turns::Together), (1000, Turns::Together), (9, Turns::FirstAhead), (9, Turns::LastAhead)];
    let forces = orders.map(|(room, turns)| walk(Mode::Dtbl, options, room, turns).0.forces);
    assert!(forces.iter().all(|of| *of == forces[0]));
}

#[test]
fn the_machine_gives_the_same_forces_in_every_mode_that_launches_and_skipping_changes_nothing() {
    let options = BhtOptions { min_child: 16, cover: Cover::All, ..bodies(200) };
    let mut checksums = Vec::new();
    for mode in Mode::COMMON {
        let [run, stepped] = [false, true].map(|step| {
            let mut bht = Bht::new(mode, options).unwrap();
            let options = RunOptions { step, ..RunOptions::from(mode) };
            let machine = GpuConfig::preset("k20c").unwrap();
            let stats = Gpu::new(&machine, options).unwrap().run(&mut bht, &mut ()).unwrap().stats;
            let launches = bht.reference.launches;
            assert_eq!(stats.sm.launches, launches, "{mode}");
            assert_eq!(launches > 0, mode.is_dynamic());
            if mode.is_dynamic() {
                checksums.push(bht.check().unwrap().checksum);
            }
            bht.check().unwrap();
            stats
        });
        assert_eq!(run, stepped, "{mode}");
    }
    assert!(checksums.iter().all(|&checksum| checksum == checksums[0]));
}

/// The lists of workloads-BH3 and workloads-BH4 counted by hand, of one body in a cell.
#[test]
fn instructions_are_those_of_the_lists() {
    let exits = 8;
    // Seven warps have no body. L L L s, then the cell: l I2 L L F10 I2 L L, a turn of I2 s I2 for the kid, I3; then the body.
    let body = 1 + 2 + 4 + 10 + 2 + 1 + 8 + 3;
    let begin = 8 * 4 + 3 + 1;
    let cell = 1 + 2 + 2 + 10 + 2;
    let (_, flat) = walk(Mode::Flat, bodies(1), 10, Turns::Together);
    let end = 3 + 3 + exits;
    assert_eq!(flat.issued, begin + cell + 2 + 5 + 3 + body + end);

    // In place of the kids: L L I2 S K I3. The child: I3 L, L, L L L s, the body, s B, five steps of I2 l F3 s B, F3 A A A.
    let all = BhtOptions { min_child: 1, cover: Cover::All, ..bodies(1) };
    let (_, given) = walk(Mode::Dtbl, all, 10, Turns::Together);
    let child = 3 + 1 + 1 + 4 + body + 2 + 5 * 8 + 6 + 1;
    assert_eq!(given.issued, begin + cell + 2 + 2 + 2 + 3 + end + child);
    assert_eq!([flat.of(Class::AtomicGlobal), given.of(Class::AtomicGlobal)], [0, 6]);
    assert_eq!([flat.of(Class::StoreGlobal), given.of(Class::StoreGlobal)], [3, 1]);
    assert_eq!(flat.of(Class::Sfu), 1);

    // A child that has less than all: a turn of I1 L s I2 for each node of the rest.
    let rest = |tb| BhtOptions { min_child: 3, shape: Shape::Fixed(tb), ..bodies(3) };
    let [two, three] = [2, 3].map(|tb| walk(Mode::Dtbl, rest(tb), 10, Turns::Together).1);
    let grid = |tally: &Tally| tally.launches[0].grid.x * tally.launches[0].tb.x;
    assert_eq!([grid(&two), grid(&three)], [2, 3]);
    assert!(two.load_waits == 0 && three.load_waits == 0);
}

/// workloads-BH1 and workloads-BH4: all bodies launch where they open the cube, over its 64 grandchildren.
#[test]
fn the_default_bodies_launch_as_the_sheet_expects() {
    let (_, tally) = walk(Mode::Dtbl, BhtOptions::default(), 100, Turns::Together);
    let parent = tally.kernels[0];
    assert_eq!((parent.grid, parent.tb, parent.regs, parent.smem), (Dim3::linear(8), Dim3::linear(256), 40 * 256, 0));
    let child = tally.launches[0];
    assert_eq!((child.grid, child.tb, child.regs, child.smem), (Dim3::linear(2), Dim3::linear(32), 32 * 32, 512));
    let threads: u32 = tally.launches.iter().map(|launch| launch.grid.x * launch.tb.x).sum();
    assert_eq!((tally.launches.len(), threads), (2537, 146_720));
}

/// workloads-BH2.
#[test]
fn walks_of_the_size_of_the_source_fit_on_the_stack() {
    let tree = Tree::new(65_536, 1);
    for launch in [None, Some(LaunchOptions::default()), Some(LaunchOptions::cage())] {
        let needs = stack(&tree, launch);
        assert!((8..=STACK_SLOTS).contains(&needs), "{needs}");
    }
}

#[test]
fn what_is_out_of_range_is_refused() {
    let error = |mode, options| Bht::new(mode, options).unwrap_err().to_string();
    assert_eq!(error(Mode::Flat, bodies(0)), "option `bodies`: expected 1 to 2^20 bodies, found 0");
    assert_eq!(error(Mode::Flat, bodies((1 << 20) + 1)), "option `bodies`: expected 1 to 2^20 bodies, found 1048577");
    let none = BhtOptions { min_child: 0, ..bodies(9) };
    assert_eq!(error(Mode::Flat, none), "option `min_child`: expected 1 or more, found 0");
    assert_eq!(error(Mode::Persistent, bodies(9)), "mode pt: only the breadth-first search has it");
    let rest = BhtOptions { shape: Shape::Fixed(33), ..bodies(65_536) };
    assert_eq!(error(Mode::Cdp, rest), "a walk needs a stack of 70 nodes: expected at most 64");
    let read = toml::from_str::<BhtOptions>;
    assert_eq!(read("bodies = 65536\ncover = 'floor'").unwrap(), bodies(65_536));
    assert!(read("body = 1").unwrap_err().to_string().contains("body"));
}

#[test]
fn a_wrong_force_is_told_with_its_place() {
    let (mut bht, _) = walk(Mode::Flat, bodies(40), 1, Turns::Together);
    let right = bht.forces[41];
    bht.forces[41] = right + 65_536;
    let wrong = bht.check().unwrap_err().to_string();
    assert!(wrong.starts_with("wrong result: force[41] is "), "{wrong}");
    bht.forces[41] = right;
    bht.interactions -= 1;
    let wrong = bht.check().unwrap_err().to_string();
    assert!(wrong.starts_with("wrong result: interactions is "), "{wrong}");
}
