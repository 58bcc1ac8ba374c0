// Every function of a warp's reconvergence stack, called as it must not be: the right status, nothing changed, nothing touched that is
// not its own.
#include "misuse_stack_table.h"

static const gpusched_stack_branching split = {0xc, 30, 20, 40, 0};

static gpusched_stack_config small_config(void) {
    gpusched_stack_config c = preset();
    IS(OK, gpusched_stack_config_of_lanes(&c, sizeof c, 4));
    TRUE(c.lanes == 4 && c.depth == 6 && c.first == GPUSCHED_STACK_FIRST_FALL);
    return c;
}

// A warp of which lanes 0 and 1 run B at 20, and lanes 2 and 3 wait.
static struct machine busy(const gpusched_stack_config *config) {
    struct machine m = build(config);
    gpusched_stack_running running;
    IS(WARP_DONE, gpusched_stack_advance(m.object, 1, &running));
    IS(OK, gpusched_stack_start(m.object, 10, 0xf, &running));
    IS(OK, gpusched_stack_branch(m.object, &split, &running));
    TRUE(running.pc == 20 && running.mask == 3 && running.depth == 2 && running.pops == 0 && running.done == 0);
    return m;
}

static void pointers(void) {
    gpusched_stack_config c = small_config();
    struct machine m = busy(&c);
    gpusched_stack *const stack = m.object;
    gpusched_stack_entry entries[3];
    watch_block(&m.block);
    derived_pointers(stack);
    IS(NULL, gpusched_stack_config_of_lanes(NULL, sizeof c, 4));
    IS(MISALIGNED, gpusched_stack_config_of_lanes(ODD(OUT), sizeof c, 4));
    IS(BAD_STRUCT_SIZE, gpusched_stack_config_of_lanes(&c, sizeof c - 4, 4));
    const uint32_t warps[] = {0, 65, 256, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(warps); i++) IS(BAD_CONFIG, gpusched_stack_config_of_lanes(&c, sizeof c, warps[i]));
    IS(CAPACITY, gpusched_stack_entries(stack, NULL, 0, &size_out));
    TRUE(size_out == 2);
    memset(entries, PATTERN, sizeof entries);
    IS(CAPACITY, gpusched_stack_entries(stack, entries, 1, &size_out));
    TRUE(size_out == 2 && entries[0].reconv == 40 && entries[0].mask == 0xf && entries[1].reconv != 40);
    IS(OK, gpusched_stack_entries(stack, entries, 3, &size_out));
    TRUE(size_out == 2 && entries[1].mask == 0xc && entries[1].next == 30);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    gpusched_stack_config c = small_config();
    c.depth = 3;
    struct machine m = busy(&c);
    gpusched_stack *const stack = m.object;
    watch_block(&m.block);
    IS(BAD_PC, gpusched_stack_start(stack, GPUSCHED_NONE, 0, OUT));
    IS(BAD_MASK, gpusched_stack_start(stack, 1, 0, OUT));
    IS(BAD_MASK, gpusched_stack_start(stack, 1, 0x10, OUT));
    IS(BAD_MASK, gpusched_stack_start(stack, 1, UINT64_MAX, OUT));
    IS(BAD_PC, gpusched_stack_advance(stack, GPUSCHED_NONE, OUT));
    gpusched_stack_branching branch = {4, GPUSCHED_NONE, 1, 1, 0};
    IS(BAD_PC, gpusched_stack_branch(stack, &branch, OUT));
    branch.taken_pc = 1, branch.fall_pc = GPUSCHED_NONE;
    IS(BAD_PC, gpusched_stack_branch(stack, &branch, OUT));
    branch.fall_pc = 2;
    IS(BAD_MASK, gpusched_stack_branch(stack, &branch, OUT));
    branch.taken = 1, branch.reconv = 50;
    IS(STACK_OVERFLOW, gpusched_stack_branch(stack, &branch, OUT));
    IS(BAD_MASK, gpusched_stack_exit(stack, 0, OUT));
    IS(BAD_MASK, gpusched_stack_exit(stack, 4, OUT));
    IS(BAD_MASK, gpusched_stack_exit(stack, UINT64_MAX, OUT));
    // No join: one entry, for which there is room.
    branch.reconv = GPUSCHED_NONE;
    IS(OK, gpusched_stack_branch(stack, &branch, OUT));
    gpusched_stack_running running;
    for (uint64_t lane = 0; lane < 4; lane++) {
        IS(OK, gpusched_stack_get_running(stack, &running));
        IS(OK, gpusched_stack_exit(stack, running.mask & (~running.mask + 1), &running));
    }
    TRUE(running.done == 1 && running.mask == 0 && running.depth == 0);
    IS(WARP_DONE, gpusched_stack_advance(stack, 1, OUT));
    IS(WARP_DONE, gpusched_stack_branch(stack, &branch, OUT));
    IS(WARP_DONE, gpusched_stack_exit(stack, 1, OUT));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_stack_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.compact = 1;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_stack_running one, two;
    for (uint32_t pc = 21; pc <= 41; pc++) {
        IS(OK, gpusched_stack_advance(m.object, pc, &one));
        IS(OK, gpusched_stack_advance(same.object, pc, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
    }
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
