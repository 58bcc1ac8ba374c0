// What both boards have in common: output and end through semihosting, the painted stack, the way to main.
#include "board.h"

enum { SYS_WRITEC = 0x03, SYS_EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

// Provided by the linker script.
extern uint32_t data_start[], data_end[], data_load[], bss_start[], bss_end[], stack_top[];

// One call to the host. Each target has its own sequence of instructions for it.
static uintptr_t semihosting(uintptr_t operation, const void *argument) {
#if defined(__arm__)
    register uintptr_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
    return r0;
#elif defined(__riscv)
    register uintptr_t a0 __asm__("a0") = operation;
    register const void *a1 __asm__("a1") = argument;
    __asm__ volatile(".option push\n.option norvc\n.balign 16\nslli x0, x0, 0x1f\nebreak\nsrai x0, x0, 7\n.option pop"
                     : "+r"(a0)
                     : "r"(a1)
                     : "memory");
    return a0;
#else
#error "no such board"
#endif
}

#if defined(__arm__)
const char board_name[] = "mps2-an386";
#else
const char board_name[] = "virt";
#endif

void say(const char *text) {
    for (; *text; text++) semihosting(SYS_WRITEC, text);
}

void say_number(uint64_t number) {
    char text[21];
    char *first = text + sizeof text - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    say(first);
}

void say_hex(uint32_t number) {
    char text[9];
    for (int i = 0; i < 8; i++) text[i] = "0123456789abcdef"[number >> (28 - 4 * i) & 15];
    text[8] = '\0';
    say(text);
}

void board_exit(int status) {
    const uintptr_t block[2] = {APPLICATION_EXIT, (uintptr_t)status};
    semihosting(SYS_EXIT_EXTENDED, block);
    for (;;) {}
}

// ---- the stack grows down from stack_top towards the end of the data

enum { PAINT = 0x5ac396a5, MARGIN = 256 };

size_t stack_room(void) { return (uintptr_t)stack_top - (uintptr_t)bss_end; }

size_t stack_high_water(void) {
    const volatile uint32_t *at = bss_end;
    while (at < stack_top && *at == PAINT) at++;
    return (uintptr_t)stack_top - (uintptr_t)at;
}

// Where start-up code goes once there is a stack.
_Noreturn void board_start(void) {
    const uint32_t *from = data_load;
    for (volatile uint32_t *to = data_start; to < data_end; to++) *to = *from++;
    for (volatile uint32_t *at = bss_start; at < bss_end; at++) *at = 0;
    const uintptr_t used = (uintptr_t)__builtin_frame_address(0) - MARGIN;
    for (volatile uint32_t *at = bss_end; (uintptr_t)at < used; at++) *at = PAINT;
    board_exit(main());
}
