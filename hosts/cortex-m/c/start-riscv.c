// Start-up of a RISC-V hart in machine mode: stack and trap vector.
#include "board.h"

_Noreturn void board_start(void);

__attribute__((used, aligned(4))) static _Noreturn void trap(void) {
    say("trap\n");
    board_exit(100);
}

__attribute__((section(".vectors"), naked, used)) void _start(void) {
    __asm__ volatile("la sp, stack_top\nla t0, trap\ncsrw mtvec, t0\nj board_start");
}
