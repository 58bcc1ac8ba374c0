//! Replays the packed golden vectors and prints how many passed, and every failure by name and event. Ends with 0 only if none failed.
//!
//! The file is that which `GPUSCHED_VECTORS` named when this was built.
#![no_std]
#![no_main]

use embedded_alloc::LlffHeap;
use gpusched_board::{NAME, entry, exit, println, stack};
use gpusched_firmware::replay::{Outcome, replay};
use gpusched_packed::{Damaged, vectors};

static VECTORS: &[u8] =
    include_bytes!(env!("GPUSCHED_VECTORS", "names the packed vectors; see hosts/cortex-m/README.md"));

/// Of the 4 MB of data memory; the rest is for the stack.
const HEAP_SIZE: usize = 3 << 20;

#[global_allocator]
static HEAP: LlffHeap = LlffHeap::empty();

fn all() -> Result<bool, Damaged> {
    let (mut passed, mut events, mut failed, mut skipped) = (0, 0, 0, 0);
    for vector in vectors(VECTORS)? {
        let vector = vector?;
        match replay(vector)? {
            Outcome::Passed(n) => {
                passed += 1;
                events += u32::from(n);
            }
            Outcome::Differs(difference) => {
                failed += 1;
                println!("{}: {difference}", vector.name);
            }
            Outcome::Skipped(why) => {
                skipped += 1;
                println!("{}: skipped: {why}", vector.name);
            }
        }
    }
    println!("{NAME}: {passed} passed ({events} events), {failed} failed, {skipped} skipped");
    Ok(failed == 0 && passed > 0)
}

#[entry]
fn main() -> ! {
    stack::paint();
    // SAFETY: the heap is initialised once, here, before anything allocates.
    unsafe {
        embedded_alloc::init!(HEAP, HEAP_SIZE);
    }
    let result = all();
    println!("{NAME}: stack {} bytes", stack::high_water());
    match result {
        Ok(passed) => exit(i32::from(!passed)),
        Err(damaged) => {
            println!("{damaged}");
            exit(1)
        }
    }
}
