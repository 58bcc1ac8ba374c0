// Start-up of a Cortex-M4F: the vector table, and the floating-point unit on.
#include <stdint.h>

#include "board.h"

extern uint32_t stack_top[];
_Noreturn void board_start(void);
_Noreturn void reset(void);

_Noreturn void reset(void) {
    // CPACR: full access to coprocessors 10 and 11.
    *(volatile uint32_t *)0xe000ed88 |= 0xfu << 20;
    __asm__ volatile("dsb\nisb");
    board_start();
}

static _Noreturn void fault(void) {
    say("fault\n");
    board_exit(100);
}

// The initial stack pointer, reset, and the exceptions of the core. Nothing enables an interrupt.
__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {
    stack_top, (const void *)reset, (const void *)fault, (const void *)fault, (const void *)fault, (const void *)fault,
    (const void *)fault, 0, 0, 0, 0, (const void *)fault, (const void *)fault, 0, (const void *)fault, (const void *)fault,
};
