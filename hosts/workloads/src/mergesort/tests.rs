use super::*;
use crate::functional::{Tally, Turns, finished, run_in_turns};
use gpusched_refgpu::program::Class;

fn options(keys: u32, spread: Spread) -> MergesortOptions {
    MergesortOptions { keys, spread, ..MergesortOptions::default() }
}

fn run(options: MergesortOptions, room: usize, turns: Turns) -> (Mergesort, Tally) {
    let (sort, tally) = finished(Mergesort::new(options), room, turns);
    assert_eq!(tally.load_waits, 0);
    (sort, tally)
}

#[test]
fn grid_and_loops_of_any_number_of_threads_sort() {
    for blocks in [1, 2, 3, 5, 8] {
        let keys = 512 * blocks;
        let (grid, _) = run(options(keys, Spread::Grid), 2, Turns::Together);
        let sum = grid.check().unwrap();
        assert!(grid.keys().is_sorted());
        for turns in [Turns::FirstAhead, Turns::LastAhead] {
            assert_eq!(run(options(keys, Spread::Grid), 3, turns).0.check(), Ok(sum));
            for threads in [1, 31, 32, 100, 128, 256, 600, 1024] {
                let looped = run(options(keys, Spread::Loop(threads)), 1, turns).0;
                assert_eq!(looped.check(), Ok(sum), "{keys} keys, {threads} threads");
            }
        }
    }
}

#[test]
fn equal_and_ordered_keys_are_sorted_too() {
    let inputs: [fn(u32) -> u32; 4] = [|_| 7, |at| at, |at| u32::MAX - at, |at| at % 3 * (u32::MAX / 2)];
    for spread in [Spread::Grid, Spread::Loop(96)] {
        for input in inputs {
            let mut sort = Mergesort::new(options(2560, spread)).unwrap();
            sort.keys = (0..2560).map(input).collect();
            let mut want = sort.keys.clone();
            want.sort_unstable();
            run_in_turns(&mut sort, 2, Turns::LastAhead);
            assert_eq!(sort.keys(), want);
        }
    }
}

#[test]
fn a_block_takes_45_steps_of_a_pair_for_each_thread() {
    let (_, tally) = run(options(512, Spread::Grid), 1, Turns::Together);
    assert_eq!(tally.kernels.iter().map(|k| (k.grid.x, k.regs, k.smem)).collect::<Vec<_>>(), [(1, 20 * 256, 2048)]);
    let warps = 8;
    // Two keys for each thread, then two keys of a pair in every step.
    assert_eq!(tally.of(Class::LoadShared), warps * (45 * 2 + 2));
    // Pairs nearer than 32 words meet in banks: two lanes in each. 35 steps have such pairs.
    assert_eq!(tally.transactions[&Class::LoadShared], warps * (2 * (35 * 2 + 10) + 2));
    assert_eq!([Class::LoadGlobal, Class::StoreGlobal].map(|class| tally.of(class)), [warps * 2; 2]);
    assert_eq!(tally.of(Class::Barrier), warps * (45 + 2));
    assert_eq!(tally.of(Class::Int), warps * (2 * 4 * 2 + 45 * (4 + 2 + 2 + 2) + 2));
    assert_eq!([Class::LoadGlobal, Class::StoreGlobal].map(|class| tally.transactions_each(class)), [1.0; 2]);
    // Every key is loaded once.
    assert!(tally.loads.values().all(|&loads| loads == 1) && tally.loads.len() == 512);
}

#[test]
fn loops_sort_as_many_blocks_at_once_as_they_have_threads_for() {
    for (threads, blocks) in [(128, 1), (256, 1), (512, 2), (1024, 4)] {
        let (_, tally) = run(options(4096, Spread::Loop(threads)), 1, Turns::Together);
        let kernels: Vec<_> = tally.kernels.iter().map(|k| (k.grid.x, k.tb.x, k.regs, k.smem)).collect();
        assert_eq!(kernels[0], (1, threads, 16 * threads, 2048 * blocks));
        assert_eq!(kernels[1..], [(1, threads, 16 * threads, 0); 3]);
        let warps = u64::from(threads / 32);
        assert_eq!(tally.of(Class::Barrier), warps * (45 + 2) * u64::from(8 / blocks));
    }
}

#[test]
fn a_merge_is_its_list() {
    let (sort, both) = run(options(1024, Spread::Grid), 2, Turns::Together);
    let (_, block) = run(options(512, Spread::Grid), 2, Turns::Together);
    let merge = |class| both.of(class) - 2 * block.of(class);
    // 256 threads, four keys each.
    let warps = 8;
    assert_eq!((merge(Class::StoreGlobal), merge(Class::Barrier)), (warps * 4, 0));
    assert_eq!(both.kernels.iter().map(|k| (k.grid.x, k.smem)).collect::<Vec<_>>(), [(2, 2048), (1, 0)]);
    // A search among up to 512 keys takes 9 turns at most; two first keys; up to three others.
    let loads = merge(Class::LoadGlobal);
    assert!((warps * (2 + 3)..=warps * (9 * 2 + 2 + 3)).contains(&loads), "{loads}");
    let turns = (loads - warps * 5) / 2;
    assert_eq!(merge(Class::Int), warps * (4 + 4 * 4) + turns * 7);
    // Stores of four neighbours each touch four lines.
    assert_eq!(both.transactions[&Class::StoreGlobal] - 2 * block.transactions[&Class::StoreGlobal], warps * 4 * 4);
    // Keys that the chunks take are all loaded, by their chunk.
    assert!((0..1024).all(|key| both.loads.contains_key(&sort.memory[1].at(key))));
}

#[test]
fn wrong_values_are_found_with_their_place() {
    let (sort, _) = run(options(1024, Spread::Grid), 2, Turns::Together);
    let mut wrong = sort.clone();
    wrong.keys[1023] -= 1;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.want), ("key[1023]", sort.keys()[1023].to_string()));
    assert!(Mergesort::new(options(1024, Spread::Grid)).unwrap().check().is_err());
}

#[test]
fn seeds_change_the_input_and_bad_options_are_refused() {
    let sum = |seed| {
        let options = MergesortOptions { seed, ..options(512, Spread::Grid) };
        run(options, 1, Turns::Together).0.check().unwrap().checksum
    };
    assert_ne!(sum(1), sum(2));
    for keys in [0, 511, 513, (1 << 24) + 512] {
        assert_eq!(
            Mergesort::new(options(keys, Spread::Grid)).unwrap_err().to_string(),
            format!("option `keys`: expected a multiple of 512, up to 2^24, found {keys}")
        );
    }
    assert!(Mergesort::new(options(512, Spread::Loop(2000))).unwrap_err().to_string().contains("`spread`"));
    assert!(toml::from_str::<MergesortOptions>("key = 64").is_err());
}
