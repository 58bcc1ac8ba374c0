use super::*;
use crate::functional::{Tally, run};
use gpusched_refgpu::program::Class;

fn options(width: u32, height: u32, spread: Spread) -> FilterOptions {
    FilterOptions { width, height, spread, ..FilterOptions::default() }
}

fn filter(options: FilterOptions) -> (Filter, Tally) {
    let mut filter = Filter::new(options).unwrap();
    let tally = run(&mut filter, 3);
    let (done, all) = Algorithm::progress(&filter);
    assert_eq!((done, tally.load_waits), (all, 0));
    (filter, tally)
}

#[test]
fn grid_and_loops_of_any_number_of_threads_give_the_slopes_of_a_sequential_program() {
    for (width, height) in [(64, 48), (1, 1), (1, 40), (77, 1), (33, 51)] {
        let sum = filter(options(width, height, Spread::Grid)).0.check().unwrap();
        for threads in [1, 31, 32, 100, 128, 1000, 1024] {
            let looped = filter(options(width, height, Spread::Loop(threads))).0.check();
            assert_eq!(looped, Ok(sum), "{width} x {height}, {threads} threads");
        }
    }
}

#[test]
fn a_plain_is_flat_and_a_step_is_an_edge() {
    let mut filter = Filter::new(options(8, 8, Spread::Grid)).unwrap();
    for (at, pixel) in filter.image.iter_mut().enumerate() {
        *pixel = if at % 8 < 4 { 0.0 } else { 200.0 };
    }
    run(&mut filter, 1);
    for (at, &edge) in filter.edges().iter().enumerate() {
        assert_eq!(edge > 0.0, at % 8 == 3, "{at}");
    }
}

#[test]
fn a_turn_is_the_sheets_list() {
    for spread in [Spread::Grid, Spread::Loop(128)] {
        let (_, tally) = filter(options(128, 64, spread));
        let turns = 128 * 64 / 32;
        let classes = [Class::Int, Class::LoadGlobal, Class::Fp, Class::Sfu, Class::StoreGlobal];
        // The last row has no neighbours below.
        let below = 2 * 128 / 32;
        let wanted = [turns * 6, turns * 8 - below, turns * 14, turns, turns];
        assert_eq!(classes.map(|class| tally.of(class)), wanted);
        assert_eq!(tally.transactions_each(Class::StoreGlobal), 1.0);
    }
    let (_, tally) = filter(options(128, 64, Spread::Grid));
    assert_eq!((tally.kernels.len(), tally.kernels[0].grid.x), (1, 128 * 64 / (256 * 4)));
}

#[test]
fn neighbours_share_lines_and_weights_are_one_address() {
    let (filter, tally) = filter(options(128, 64, Spread::Loop(128)));
    for weight in 0..4 {
        assert_eq!(tally.loads[&filter.memory.weights.at(weight)], 128 * 64);
    }
    // A load of an E or SE neighbour goes beyond its line, but for the last of a row.
    let turns = 128 * 64 / 32;
    let lines = tally.transactions[&Class::LoadGlobal];
    assert_eq!(lines, turns * 8 - 2 * 4 + 3 * 64 + 3 * 63);
}

#[test]
fn wrong_values_are_found_with_their_place() {
    let (filter, _) = filter(options(20, 10, Spread::Grid));
    let mut wrong = filter.clone();
    wrong.edges[133] += 0.5;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.want), ("edge[133]", filter.edges[133].to_string()));
    assert_eq!(Filter::new(options(20, 10, Spread::Grid)).unwrap().check().unwrap_err().place, "edge[0]");
}

#[test]
fn seeds_change_the_input_and_bad_options_are_refused() {
    let sum = |seed| filter(FilterOptions { seed, ..options(9, 9, Spread::Grid) }).0.check().unwrap().checksum;
    assert_ne!(sum(1), sum(2));
    let error = |width, height, spread| Filter::new(options(width, height, spread)).unwrap_err().to_string();
    assert_eq!(error(0, 9, Spread::Grid), "option `width`: expected 1 to 8192 columns, found 0");
    assert_eq!(error(9, 8193, Spread::Grid), "option `height`: expected 1 to 8192 rows, found 8193");
    assert!(error(9, 9, Spread::Loop(1025)).contains("`spread`"));
    assert!(toml::from_str::<FilterOptions>("widht = 64").is_err());
}
