// Every function of an SM's scoreboard, called as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_scoreboard_table.h"

static const uint32_t source[] = {5};

static gpusched_scoreboard_config small_config(void) {
    gpusched_scoreboard_config c = preset();
    c.warps = 4, c.regs = 16, c.entries = 2;
    return c;
}

// Warp 1 waits for register 3 from memory, and for register 7.
static struct machine busy(const gpusched_scoreboard_config *config) {
    struct machine m = build(config);
    gpusched_scoreboard_outcome issue;
    IS(OK, gpusched_scoreboard_issue(m.object, 1, source, 1, 3, 1, &issue));
    IS(OK, gpusched_scoreboard_issue(m.object, 1, NULL, 0, 7, 0, &issue));
    TRUE(issue.stall == GPUSCHED_SCOREBOARD_STALL_NONE && issue.reg == GPUSCHED_NONE && issue.pending == 2 && issue.mem_in_flight == 1);
    return m;
}

static void pointers(void) {
    gpusched_scoreboard_config c = small_config();
    struct machine m = busy(&c);
    gpusched_scoreboard *const board = m.object;
    watch_block(&m.block);
    derived_pointers(board);
    IS(CAPACITY, gpusched_scoreboard_issue(board, 0, source, SIZE_MAX, 1, 0, OUT));
    // Results that nobody wants.
    IS(OK, gpusched_scoreboard_writeback(board, 1, 3, NULL));
    IS(OK, gpusched_scoreboard_flush(board, 1, NULL));
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_scoreboard_config c = small_config();
    struct machine m = busy(&c);
    gpusched_scoreboard *const board = m.object;
    const uint32_t five[] = {0, 1, 2, 4, 5};
    gpusched_scoreboard_outcome issue;
    watch_block(&m.block);
    // Each is beyond every warp and register; some would be one if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {16, 256, 257, 259, 65536, 65539, 1u << 31, kEverything - 1};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_WARP, gpusched_scoreboard_issue(board, beyond[i], five, 5, beyond[i], 0, OUT));
        IS(BAD_WARP, gpusched_scoreboard_writeback(board, beyond[i], 3, OUT));
        IS(BAD_WARP, gpusched_scoreboard_flush(board, beyond[i], OUT));
        IS(BAD_WARP, gpusched_scoreboard_get_waits(board, beyond[i], OUT));
        IS(BAD_REG, gpusched_scoreboard_issue(board, 1, &beyond[i], 1, 1, 0, OUT));
        IS(BAD_REG, gpusched_scoreboard_issue(board, 1, NULL, 0, beyond[i], 0, OUT));
        IS(BAD_REG, gpusched_scoreboard_writeback(board, 1, beyond[i], OUT));
    }
    IS(BAD_ARG, gpusched_scoreboard_issue(board, 1, five, 5, 99, 0, OUT));
    IS(NOT_PENDING, gpusched_scoreboard_writeback(board, 1, 4, OUT));
    IS(NOT_PENDING, gpusched_scoreboard_writeback(board, 0, 3, OUT));
    // Stalls change nothing, either.
    unsigned char *const before = malloc(m.block.size);
    TRUE(before != NULL);
    memcpy(before, storage_in(&m.block), m.block.size);
    const uint32_t waits[] = {0, 7, 3};
    IS(OK, gpusched_scoreboard_issue(board, 1, waits, 3, 3, 0, &issue));
    TRUE(issue.stall == GPUSCHED_SCOREBOARD_STALL_RAW && issue.reg == 7 && issue.pending == 0);
    IS(OK, gpusched_scoreboard_issue(board, 1, waits, 1, 3, 0, &issue));
    TRUE(issue.stall == GPUSCHED_SCOREBOARD_STALL_WAW && issue.reg == 3);
    IS(OK, gpusched_scoreboard_issue(board, 1, waits, 1, 4, 0, &issue));
    TRUE(issue.stall == GPUSCHED_SCOREBOARD_STALL_FULL && issue.reg == GPUSCHED_NONE);
    TRUE(memcmp(before, storage_in(&m.block), m.block.size) == 0);
    free(before);
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_scoreboard_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.entries = 3;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    gpusched_scoreboard_waits one, two;
    IS(OK, gpusched_scoreboard_get_waits(m.object, 1, &one));
    IS(OK, gpusched_scoreboard_get_waits(same.object, 1, &two));
    TRUE(memcmp(&one, &two, sizeof one) == 0 && one.pending[0] == (1 << 3 | 1 << 7) && one.memory[0] == 1 << 3);
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const CONFIG c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
