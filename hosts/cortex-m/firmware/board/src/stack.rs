//! How deep the stack has been: it is painted at the start, and looked at in the end.
//!
//! The stack grows down from the end of RAM towards the end of the program's data. Nothing else is between them: the heap, where there
//! is one, is data.

use core::arch::asm;
use core::ptr;

/// What a word of unused stack holds.
const PAINT: u32 = 0x5ac3_96a5;
/// Bytes below the stack pointer that painting leaves alone: its own frame.
const MARGIN: usize = 256;

unsafe extern "C" {
    #[cfg_attr(target_arch = "riscv32", link_name = "__ebss")]
    #[cfg_attr(target_arch = "arm", link_name = "__sheap")]
    static mut END_OF_DATA: u32;
    #[link_name = "_stack_start"]
    static TOP: u32;
}

fn bounds() -> (*mut u32, usize) {
    let (end, top) = (&raw mut END_OF_DATA, (&raw const TOP).addr());
    (end.wrapping_byte_add(end.addr().wrapping_neg() & 3), top)
}

/// The bottom of the calling function's frame, or below.
#[inline(always)]
fn pointer() -> usize {
    let sp: usize;
    // SAFETY: reads a register.
    unsafe {
        #[cfg(target_arch = "arm")]
        asm!("mov {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags));
        #[cfg(target_arch = "riscv32")]
        asm!("mv {}, sp", out(reg) sp, options(nomem, nostack, preserves_flags));
    }
    sp
}

/// Paints what is unused.
#[inline(never)]
pub fn paint() {
    let (mut at, _) = bounds();
    let end = pointer() - MARGIN;
    while at.addr() < end {
        // SAFETY: from the end of the data to below the stack pointer is memory that nothing uses yet.
        unsafe { at.write_volatile(PAINT) };
        at = at.wrapping_add(1);
    }
}

/// Bytes of the stack that were used at most since it was painted: those above the last word that still has its paint from below.
#[must_use]
#[inline(never)]
pub fn high_water() -> usize {
    let (mut at, top) = bounds();
    // SAFETY: as in `paint`; reading stops at the latest at the top of the stack.
    while at.addr() < top && unsafe { ptr::read_volatile(at) } == PAINT {
        at = at.wrapping_add(1);
    }
    top - at.addr()
}

/// Bytes between the data and the top of the stack: if all of them were used, the stack may have run into the data.
#[must_use]
pub fn room() -> usize {
    let (end, top) = bounds();
    top - end.addr()
}
