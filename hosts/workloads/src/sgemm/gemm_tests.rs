//! What the three ways from tiles to TBs compute and issue, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

/// A product of so many tiles and steps, on a machine that holds `wave` TBs and has `room` of them going.
fn run(dispatch: Dispatch, tiles: [u32; 2], steps: u32, wave: u32, (room, turns): (usize, Turns)) -> (Sgemm, Tally) {
    let options = GemmOptions { columns: tiles[0], rows: tiles[1], inner: steps * STEP, seed: 3 };
    let product = Sgemm::gemm(options, dispatch).map(|mut product| {
        product.fill(wave);
        product
    });
    finished(product, room, turns)
}

#[test]
fn every_way_has_the_elements_of_a_sequential_program_on_any_machine() {
    // Who waits for another TB spins, so warps run ahead only where one TB runs at a time.
    let orders = [(1, Turns::FirstAhead), (1, Turns::LastAhead), (4, Turns::Together)];
    for (tiles, steps) in [([1, 1], 1), ([1, 1], 9), ([3, 1], 2), ([2, 3], 5)] {
        let sum = run(Dispatch::Hardware, tiles, steps, 1, orders[0]).0.check().unwrap();
        for dispatch in Dispatch::ALL {
            for wave in [1, 2, 5, 7, 100] {
                for order in orders {
                    let (product, _) = run(dispatch, tiles, steps, wave, order);
                    assert_eq!(product.check(), Ok(sum), "{dispatch} {tiles:?} {steps} {wave} {order:?}");
                }
            }
        }
    }
}

#[test]
fn a_queue_costs_an_atomic_and_two_barriers_at_most_for_each_tile() {
    let order = (4, Turns::Together);
    let (_, hardware) = run(Dispatch::Hardware, [3, 2], 4, 1, order);
    let (_, queue) = run(Dispatch::Persistent, [3, 2], 4, 4, order);
    assert_eq!(queue.kernels[0].grid.x, 4);
    // Six tiles are taken, and each of four TBs finds that there are no more.
    let (warps, taken, asked) = (4, 6, 6 + 4);
    assert_eq!(queue.of(Class::AtomicGlobal), asked);
    assert_eq!(queue.of(Class::Barrier) - hardware.of(Class::Barrier), warps * asked);
    // I2 to see who leads, A s, B l, I2 to go on, I2 of the turn; fewer warps exit.
    let more = asked * (warps * (2 + 1 + 1 + 2 + 2) + 2);
    assert_eq!(queue.issued, hardware.issued + more - warps * (taken - 4));
    assert_eq!(queue.transactions[&Class::LoadGlobal], hardware.transactions[&Class::LoadGlobal]);
}

#[test]
fn shares_are_even_and_a_tb_leaves_one_part_at_most() {
    // Six tiles of five steps for four TBs: 7, 8, 7 and 8 steps. They share tiles 1 and 4.
    let (product, tally) = run(Dispatch::StreamK, [3, 2], 5, 4, (4, Turns::Together));
    let first: Vec<u64> = (0..=4).map(|tb| product.first_step(tb)).collect();
    assert_eq!(first, [0, 7, 15, 22, 30]);
    assert_eq!(product.flags, [true, false, true, false], "the second share ends where a tile does");
    let (warps, parts) = (4, 2);
    let (_, hardware) = run(Dispatch::Hardware, [3, 2], 5, 1, (4, Turns::Together));
    let more = |class| tally.of(class) - hardware.of(class);
    // What is left and added, beside the same steps of all tiles.
    assert_eq!(more(Class::StoreGlobal), warps * parts * 16);
    assert_eq!(more(Class::LoadGlobal), warps * parts * 16);
    assert_eq!(more(Class::Fp), warps * parts * 16);
    assert_eq!(more(Class::Barrier), warps * parts * 2);
    assert_eq!(tally.load_waits, 0, "parts are loaded four at a time");
    assert_eq!([Class::StoreGlobal, Class::LoadShared].map(|class| tally.transactions_each(class)), [1.0; 2]);
}

#[test]
fn a_tile_may_be_shared_by_many() {
    let (product, tally) = run(Dispatch::StreamK, [1, 1], 64, 10, (10, Turns::Together));
    assert_eq!(product.flags, [true, true, true, true, true, true, true, true, true, false]);
    assert_eq!(tally.kernels[0].grid.x, 10);
}

#[test]
fn a_wrong_element_is_told_with_its_place() {
    let (mut product, _) = run(Dispatch::StreamK, [1, 1], 2, 2, (2, Turns::Together));
    product.c[5] += 1.0;
    assert_eq!(product.check().unwrap_err().place, "c[5]");
}
