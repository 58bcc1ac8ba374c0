use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn options(width: u32, height: u32, pyramid: u32, spread: Spread) -> HotspotOptions {
    HotspotOptions { width, height, steps: 5, pyramid, spread, ..HotspotOptions::default() }
}

fn run(options: HotspotOptions, room: usize, turns: Turns) -> (Hotspot, Tally) {
    let (hotspot, tally) = finished(Hotspot::new(options), room, turns);
    assert_eq!(tally.load_waits, 0);
    (hotspot, tally)
}

#[test]
fn grid_and_loops_of_any_number_of_threads_give_the_temperatures_of_a_sequential_program() {
    for (width, height) in [(33, 50), (1, 1), (12, 24), (70, 1), (1, 13)] {
        let sum = run(options(width, height, 2, Spread::Grid), 2, Turns::Together).0.check().unwrap();
        for pyramid in [1, 2, 5, 7] {
            for turns in [Turns::FirstAhead, Turns::LastAhead] {
                let hotspot = run(options(width, height, pyramid, Spread::Grid), 3, turns).0;
                assert_eq!(hotspot.check(), Ok(sum), "{width} x {height}, {pyramid} at once");
            }
        }
        for threads in [1, 31, 32, 100, 128, 1000, 1024] {
            for turns in [Turns::FirstAhead, Turns::LastAhead] {
                let hotspot = run(options(width, height, 2, Spread::Loop(threads)), 1, turns).0;
                assert_eq!(hotspot.check(), Ok(sum), "{width} x {height}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_chip_cools_down_to_the_air_and_its_own_power() {
    let options = HotspotOptions { steps: 5000, ..options(8, 8, 1, Spread::Loop(64)) };
    let (hotspot, _) = run(options, 1, Turns::Together);
    // All power leaves to the air: a mean power below 1 is below 16 degrees over the air's 80.
    let mean = hotspot.temperatures().iter().sum::<f32>() / 64.0;
    let power = hotspot.power.iter().sum::<f32>() / 64.0;
    assert!((mean - (80.0 + power / 0.0625)).abs() < 0.01, "{mean} {power}");
}

#[test]
fn a_step_is_the_sheets_list_for_tiles_that_lose_their_rims() {
    let (_, tally) = run(HotspotOptions { steps: 4, ..options(36, 24, 2, Spread::Grid) }, 9, Turns::Together);
    let kernels: Vec<_> = tally.kernels.iter().map(|k| (k.grid.x, k.tb.x, k.regs, k.smem)).collect();
    assert_eq!(kernels, [(6, 256, 36 * 256, 3072); 2]);
    // Warps are two rows of a tile. All have cells in the first step, but in the second the first and the last have none; nor have
    // the first ones of a tile at the N side of the chip and the last ones of one at the S side, in any step.
    let tbs = 2 * 6;
    let inside = tbs * 7;
    let steps = tbs * 7 + tbs * 6;
    let classes = [
        Class::LoadShared,
        Class::Fp,
        Class::StoreShared,
        Class::LoadGlobal,
        Class::StoreGlobal,
        Class::Barrier,
        Class::Int,
    ];
    let wanted =
        [steps * 7, steps * 12, steps * 2 + inside * 2, inside * 2, tbs * 6, tbs * 8 * (2 * 2 + 1), tbs * 8 * 2 * 2];
    assert_eq!(classes.map(|class| tally.of(class)), wanted);
    assert_eq!([Class::LoadShared, Class::StoreShared].map(|class| tally.transactions_each(class)), [1.0; 2]);
    let cells = 2 * (cells_of_step(36, 24, 0) + cells_of_step(36, 24, 1));
    assert_eq!(tally.by_class[&Class::Fp][1], 12 * cells);
}

/// Cells that all tiles compute in a step, with a pyramid of 2: told cell by cell.
fn cells_of_step(width: i64, height: i64, step: i64) -> u64 {
    let along = |length: i64| -> u64 {
        let tiles = (length + 11) / 12;
        let of =
            |tile: i64| (step + 1..15 - step).filter(|x| (0..length).contains(&(tile * 12 - 2 + x))).count() as u64;
        (0..tiles).map(of).sum()
    };
    along(width) * along(height)
}

#[test]
fn a_loop_is_its_list() {
    let (_, tally) = run(options(64, 32, 2, Spread::Loop(128)), 1, Turns::Together);
    let (turns, steps) = (5 * 64 * 32 / 32, 5);
    // The first and the last row have neighbours on one side only.
    let rows = steps * 2 * 2;
    let classes = [Class::Int, Class::LoadGlobal, Class::Fp, Class::StoreGlobal, Class::Barrier];
    let wanted = [turns * 6 + steps * 4 * 2, turns * 6 - rows, turns * 12, turns, steps * 4];
    assert_eq!(classes.map(|class| tally.of(class)), wanted);
    // Of the two warps of a row, one has W neighbours in two lines and the other E neighbours.
    assert_eq!(tally.transactions[&Class::LoadGlobal], turns * 4 - rows + 2 * (turns + turns / 2));
    assert_eq!(tally.transactions_each(Class::StoreGlobal), 1.0);
    assert_eq!(tally.kernels.iter().map(|k| (k.grid.x, k.tb.x, k.regs)).collect::<Vec<_>>(), [(1, 128, 16 * 128)]);
}

#[test]
fn wrong_values_are_found_with_their_place() {
    let (hotspot, _) = run(options(20, 10, 2, Spread::Grid), 2, Turns::Together);
    let mut wrong = hotspot.clone();
    wrong.heat[0][199] += 1.0;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.want), ("cell[199]", hotspot.temperatures()[199].to_string()));
    assert!(Hotspot::new(options(20, 10, 2, Spread::Grid)).unwrap().check().is_err());
}

#[test]
fn seeds_change_the_input_and_bad_options_are_refused() {
    let sum = |seed| {
        let options = HotspotOptions { seed, ..options(9, 9, 2, Spread::Grid) };
        run(options, 1, Turns::Together).0.check().unwrap().checksum
    };
    assert_ne!(sum(1), sum(2));
    let error = |options| Hotspot::new(options).unwrap_err().to_string();
    let fine = HotspotOptions::default();
    assert_eq!(error(HotspotOptions { width: 0, ..fine }), "option `width`: expected 1 to 4096 columns, found 0");
    assert_eq!(error(HotspotOptions { height: 4097, ..fine }), "option `height`: expected 1 to 4096 rows, found 4097");
    assert_eq!(error(HotspotOptions { steps: 0, ..fine }), "option `steps`: expected 1 to 65536 steps, found 0");
    assert_eq!(error(HotspotOptions { pyramid: 8, ..fine }), "option `pyramid`: expected 1 to 7 steps, found 8");
    assert!(error(HotspotOptions { spread: Spread::Loop(0), ..fine }).contains("`spread`"));
    assert!(toml::from_str::<HotspotOptions>("step = 64").is_err());
}
