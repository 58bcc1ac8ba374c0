use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn options(columns: u32, rows: u32, pyramid: u32, spread: Spread) -> PathfinderOptions {
    PathfinderOptions { columns, rows, pyramid, spread, ..PathfinderOptions::default() }
}

fn run(options: PathfinderOptions, room: usize, turns: Turns) -> (Pathfinder, Tally) {
    let (path, tally) = finished(Pathfinder::new(options), room, turns);
    assert_eq!(tally.load_waits, 0);
    (path, tally)
}

#[test]
fn grid_and_loops_of_any_number_of_threads_give_the_costs_of_a_sequential_program() {
    for (columns, rows) in [(500, 23), (1, 9), (217, 2), (216, 42), (33, 64)] {
        let sum = run(options(columns, rows, 20, Spread::Grid), 2, Turns::Together).0.check().unwrap();
        for pyramid in [1, 7, 20, 127] {
            for turns in [Turns::FirstAhead, Turns::LastAhead] {
                let path = run(options(columns, rows, pyramid, Spread::Grid), 3, turns).0;
                assert_eq!(path.check(), Ok(sum), "{columns} x {rows}, {pyramid} at once");
            }
        }
        for threads in [1, 31, 32, 100, 128, 1000, 1024] {
            for turns in [Turns::FirstAhead, Turns::LastAhead] {
                let path = run(options(columns, rows, 20, Spread::Loop(threads)), 1, turns).0;
                assert_eq!(path.check(), Ok(sum), "{columns} x {rows}, {threads} threads");
            }
        }
    }
}

#[test]
fn a_row_is_the_sheets_list_for_lanes_that_shrink_by_two() {
    let (_, tally) = run(options(5 * 216, 41, 20, Spread::Grid), 9, Turns::Together);
    assert_eq!(tally.kernels.iter().map(|k| (k.grid.x, k.regs, k.smem)).collect::<Vec<_>>(), [(5, 16 * 256, 2048); 2]);
    // 2 kernels of 5 TBs of 20 steps, 8 warps. All warps have columns that compute, in all steps.
    let steps = 2 * 5 * 20 * 8;
    let once = 2 * 5 * 8;
    let classes = [
        Class::Int,
        Class::LoadShared,
        Class::StoreShared,
        Class::Fp,
        Class::LoadGlobal,
        Class::StoreGlobal,
        Class::Barrier,
    ];
    let wanted = [steps * (4 + 2 + 2), steps * 4, steps * 2 + once, steps, steps + once, once, steps * 2 + once];
    assert_eq!(classes.map(|class| tally.of(class)), wanted);
    // Neighbouring lanes use neighbouring words.
    assert_eq!([Class::LoadShared, Class::StoreShared].map(|class| tally.transactions_each(class)), [1.0; 2]);
    // A TB inside the grid computes 256 - 2 - 2 step columns; those outside of it fall away from the outer two.
    let inside: u64 = (0..20).map(|step| 256 - 2 - 2 * step).sum();
    let outside: u64 = (0..20).map(|step| 20 - 1 - step).sum();
    assert_eq!(tally.by_class[&Class::Fp][1], 2 * (5 * inside - 2 * outside));
}

#[test]
fn a_loop_is_its_list() {
    let (path, tally) = run(options(640, 11, 20, Spread::Loop(128)), 1, Turns::Together);
    let (turns, rows) = (10 * 640 / 32, 10);
    let classes = [Class::Int, Class::LoadGlobal, Class::Fp, Class::StoreGlobal, Class::Barrier];
    assert_eq!(classes.map(|class| tally.of(class)), [turns * 8 + rows * 4 * 2, turns * 4, turns, turns, rows * 4]);
    assert_eq!(tally.kernels.iter().map(|k| (k.grid.x, k.tb.x, k.regs)).collect::<Vec<_>>(), [(1, 128, 16 * 128)]);
    // A row of 20 warps: one line for the own cost and the wall, two for neighbours but at the edge.
    assert_eq!(tally.transactions[&Class::LoadGlobal], rows * (2 * 20 + 2 * (2 * 20 - 1)));
    assert_eq!(tally.transactions_each(Class::StoreGlobal), 1.0);
    // Every column but the first is somebody's E neighbour, every one but the last a W neighbour.
    let loads = |column: u32| [0, 1].map(|array| tally.loads[&path.memory.cost[array].at(column)]);
    assert_eq!([loads(0), loads(1), loads(639)], [[10; 2], [15; 2], [10; 2]]);
}

#[test]
fn wrong_values_are_found_with_their_place() {
    let (path, _) = run(options(300, 8, 3, Spread::Grid), 2, Turns::Together);
    let mut wrong = path.clone();
    wrong.cost[0][299] += 1.0;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.want), ("cost[299]", path.costs()[299].to_string()));
    assert!(Pathfinder::new(options(300, 8, 3, Spread::Grid)).unwrap().check().is_err());
}

#[test]
fn seeds_change_the_input_and_bad_options_are_refused() {
    let sum = |seed| {
        let options = PathfinderOptions { seed, ..options(99, 9, 2, Spread::Grid) };
        run(options, 1, Turns::Together).0.check().unwrap().checksum
    };
    assert_ne!(sum(1), sum(2));
    let error = |columns, rows, pyramid, spread| {
        Pathfinder::new(options(columns, rows, pyramid, spread)).unwrap_err().to_string()
    };
    assert_eq!(error(0, 9, 2, Spread::Grid), "option `columns`: expected 1 to 2^20 columns, found 0");
    assert_eq!(error(9, 1, 2, Spread::Grid), "option `rows`: expected 2 to 65536 rows, found 1");
    assert_eq!(error(9, 9, 128, Spread::Grid), "option `pyramid`: expected 1 to 127 rows, found 128");
    assert_eq!(
        error(1 << 20, 257, 2, Spread::Grid),
        "option `rows`: expected at most 2^28 places in all, found 269484032"
    );
    assert!(error(9, 9, 2, Spread::Loop(0)).contains("`spread`"));
    assert!(toml::from_str::<PathfinderOptions>("row = 64").is_err());
}
