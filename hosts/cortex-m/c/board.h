// What the firmware needs of a board: text to the host, an end, how deep the stack has been. The start-up code of each target
// (start-arm.c, start-riscv.c) zeroes and copies data, paints the stack and calls main.
#ifndef BOARD_H
#define BOARD_H

#include <stddef.h>
#include <stdint.h>

// The board's name, as QEMU has it.
extern const char board_name[];

// Text, and numbers: decimal, and 8 hexadecimal digits.
void say(const char *text);
void say_number(uint64_t number);
void say_hex(uint32_t number);

// Ends the program. The debugger ends with this status.
_Noreturn void board_exit(int status);

// Bytes of the stack that were used at most, and bytes that there are for it.
size_t stack_high_water(void);
size_t stack_room(void);

// The program.
int main(void);

#endif
