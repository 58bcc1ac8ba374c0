//! What the U-list phase computes and issues, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

const BASELINE: FmmOptions = FmmOptions::BASELINE;
const SMALL: FmmOptions = FmmOptions { level: 1, q: 40, seed: 3, ..BASELINE };

fn run(options: FmmOptions, turns: Turns) -> (Fmm, Tally) {
    finished(Fmm::new(options), 3, turns)
}

/// Every set of the five options that are on or off.
fn sets(of: FmmOptions) -> impl Iterator<Item = FmmOptions> {
    (0..32).map(move |bits| {
        let [shmem, rsqrt, vecpack, pref, tight] = std::array::from_fn(|bit| bits >> bit & 1 == 1);
        FmmOptions { shmem, rsqrt, vecpack, pref, tight, ..of }
    })
}

#[test]
fn every_set_of_options_gives_the_potentials() {
    for ujam in 1..=4 {
        // With a tile and a warp that are not full; with fewer points than the tile and the unrolled loop take.
        for q in [40, 3] {
            for options in sets(FmmOptions { ujam, q, ..SMALL }) {
                let [sum, ahead] = [Turns::Together, Turns::LastAhead].map(|turns| run(options, turns).0.check());
                assert!(sum.is_ok() && sum == ahead, "{options:?}: {sum:?}");
            }
        }
    }
}

#[test]
fn options_but_rsqrt_change_no_bit() {
    let sum = |options| run(options, Turns::Together).0.check().unwrap();
    let [root, rsqrt] = [false, true].map(|rsqrt| sum(FmmOptions { rsqrt, ..SMALL }));
    assert_ne!(root, rsqrt);
    for options in sets(FmmOptions { ujam: 2, ..SMALL }) {
        assert_eq!(sum(options), if options.rsqrt { rsqrt } else { root }, "{options:?}");
    }
}

/// What a run of `options` issued, by class: integer, floating point, special functions, loads, stores, shared loads and stores, barriers.
fn issued(options: FmmOptions) -> [u64; 8] {
    let (_, tally) = run(options, Turns::Together);
    let classes = [
        Class::Int,
        Class::Fp,
        Class::Sfu,
        Class::LoadGlobal,
        Class::StoreGlobal,
        Class::LoadShared,
        Class::StoreShared,
        Class::Barrier,
    ];
    assert_eq!(classes.iter().map(|&class| tally.of(class)).sum::<u64>(), tally.issued - tally.of(Class::Exit));
    classes.map(|class| tally.of(class))
}

#[test]
fn the_lists_are_the_sheets() {
    // 8 boxes with 8 in each U-list; 64 points: two warps, 512 sources for each target.
    let of = FmmOptions { q: 64, ..SMALL };
    let (warps, boxes, sources) = (16, 8, 512);
    let each = |counts: [u64; 8]| counts.map(|count| count * warps);
    let baseline = [6 + boxes * 4 + sources * 3, sources * 7, sources * 2, 1 + boxes * 3 + sources, 1, 0, 0, 0];
    assert_eq!(issued(of), each(baseline));
    // One special function and a product more.
    let [i, f, x, l, s, ..] = baseline;
    assert_eq!(issued(FmmOptions { rsqrt: true, ..of }), each([i, f + sources, x - sources, l, s, 0, 0, 0]));
    assert_eq!(issued(FmmOptions { vecpack: true, ..of }), each([i, f, x, l + 3 + 3 * sources, s, 0, 0, 0]));
    // The count and branch of four turns at once.
    assert_eq!(issued(FmmOptions { tight: true, ..of }), each([i - sources / 4 * 6, f, x, l, s, 0, 0, 0]));
    // For every source an instruction more, and for every box the first source.
    assert_eq!(issued(FmmOptions { pref: true, ..of }), each([i + sources + boxes, f, x, l + boxes, s, 0, 0, 0]));
    // Two tiles of a box, each copied by one warp of the two.
    let tiles = 2 * boxes;
    let copies = tiles * warps / 2;
    let [i, f, x, l, s, ..] = each([i + 2 * tiles, f, x, l - sources, s, 0, 0, 0]);
    let tiled = [i + copies, f, x, l + copies, s, sources * warps, copies, 2 * tiles * warps];
    assert_eq!(issued(FmmOptions { shmem: true, ..of }), tiled);
    // Half the warps, each with two targets for a source that it loads once.
    let jammed = [6 + boxes * 4 + sources * 3, sources * 14, sources * 4, 2 + boxes * 3 + sources, 2, 0, 0, 0];
    assert_eq!(issued(FmmOptions { ujam: 2, ..of }), jammed.map(|count| count * warps / 2));
}

#[test]
fn rests_of_unrolled_loops_take_their_turns_one_by_one() {
    // 7 points: four turns at once and three, of which pairs leave one.
    let of = FmmOptions { q: 7, ..SMALL };
    let [plain, tight, pref, both] =
        [(false, false), (false, true), (true, false), (true, true)].map(|(pref, tight)| {
            let [int, _, _, loads, ..] = issued(FmmOptions { pref, tight, ..of });
            (int, loads)
        });
    // Of each warp and box: three counts of two instructions less; an instruction of each turn and one more, and a load.
    let of_box = 8 * 8;
    assert_eq!((plain.0 - tight.0, tight.1), (of_box * 6, plain.1));
    assert_eq!((pref.0 - plain.0, pref.1 - plain.1), (of_box * (7 + 1), of_box));
    assert_eq!((pref.0 - both.0, both.1), (of_box * 6, pref.1));
}

#[test]
fn sources_are_one_address_and_targets_their_own() {
    let of = FmmOptions { q: 64, level: 0, ..SMALL };
    let lines = |options| run(options, Turns::Together).1.transactions[&Class::LoadGlobal];
    // Of a warp: four lines of targets; list, two bounds; a line for each source.
    assert_eq!(lines(of), 2 * (4 + 3 + 64));
    assert_eq!(lines(FmmOptions { vecpack: true, ..of }), 2 * (4 + 3 + 4 * 64));
    // Two tiles for both warps.
    for vecpack in [false, true] {
        let (_, tally) = run(FmmOptions { shmem: true, vecpack, ..of }, Turns::Together);
        assert_eq!(tally.transactions[&Class::LoadGlobal], 2 * (4 + 3) + 2 * 4);
        assert_eq!(tally.transactions_each(Class::LoadShared), 1.0, "one address for all lanes");
        // 16 bytes for each lane are four words of a bank.
        assert_eq!(tally.transactions[&Class::StoreShared], 2 * 4);
    }
}

#[test]
fn registers_threads_and_shared_memory_are_those_of_the_options() {
    let kernel = |options: FmmOptions| {
        let kernel = Fmm::new(options).unwrap().next_kernel().unwrap();
        (kernel.grid.x, kernel.tb.x, kernel.regs / kernel.tb.x, kernel.smem)
    };
    assert_eq!(kernel(BASELINE), (512, 64, 16, 0));
    assert_eq!(kernel(FmmOptions { q: 65, shmem: true, ..BASELINE }), (512, 96, 16, 512));
    for ujam in 2..=4 {
        assert_eq!(kernel(FmmOptions { ujam, ..BASELINE }), (512, 32, 16 + 6 * ujam, 0));
    }
    assert_eq!(kernel(FmmOptions { pref: true, ujam: 2, q: 128, ..BASELINE }), (512, 64, 16 + 12 + 4, 0));
    assert_eq!(kernel(FmmOptions { cubes: 3, level: 2, ..BASELINE }), (192, 64, 16, 0));
}

#[test]
fn a_periodic_cube_has_27_neighbours_for_every_box() {
    let (fmm, tally) = run(FmmOptions { level: 2, q: 5, periodic: true, ..SMALL }, Turns::Together);
    fmm.check().unwrap();
    assert_eq!(fmm.options.interactions(), 64 * 27 * 25);
    assert_eq!(tally.of(Class::Sfu), 64 * 27 * 5 * 2);
}

#[test]
fn a_wrong_potential_is_told_with_its_place() {
    let (mut fmm, _) = run(SMALL, Turns::Together);
    let potential = fmm.targets[17][3];
    fmm.targets[17][3] = potential * 1.0002;
    assert_eq!(fmm.check().unwrap_err().place, "potential[17]");
    fmm.targets[17][3] = potential * 1.00005;
    assert!(fmm.check().is_ok());
    fmm.targets[200][3] = f32::NAN;
    assert_eq!(fmm.check().unwrap_err().place, "potential[200]");
    assert_eq!(Fmm::new(SMALL).unwrap().check().unwrap_err().place, "potential[0]");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let error = |options| Fmm::new(options).unwrap_err().to_string();
    for (options, expected) in [
        (FmmOptions { level: 6, ..SMALL }, "option `level`: expected 0 to 5, found 6"),
        (
            FmmOptions { periodic: true, ..SMALL },
            "option `level`: expected 2 to 5 if periodic: 27 different neighbours, found 1",
        ),
        (FmmOptions { q: 0, ..SMALL }, "option `q`: expected 1 to 1024 points of a box, found 0"),
        (FmmOptions { q: 1025, ..SMALL }, "option `q`: expected 1 to 1024 points of a box, found 1025"),
        (FmmOptions { cubes: 0, ..SMALL }, "option `cubes`: expected 1 to 1000 unit cubes, found 0"),
        (FmmOptions { ujam: 5, ..SMALL }, "option `ujam`: expected 1 to 4 targets of a thread, found 5"),
        (
            FmmOptions { level: 5, q: 513, ..SMALL },
            "option `q`: expected at most 2^24 points in all boxes, found 16809984",
        ),
    ] {
        assert_eq!(error(options), expected);
    }
    assert!(toml::from_str::<FmmOptions>("ujam = 2\nunroll = 4").is_err());
    let request = Request { loop_warps: Some(4), ..Request::default() };
    assert!(Fmm::requested(request).unwrap_err().to_string().contains("`loop_warps`"));
}
