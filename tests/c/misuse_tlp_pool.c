// Every function of the pool of kernels, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_tlp_pool_table.h"

static uint32_t u32_out;

static gpusched_tlp_config small_config(void) {
    gpusched_tlp_config c = preset();
    c.threads = 4, c.pool_cap = 4;
    return c;
}

// Three kernels wait, one of them for another; entry 1 is free again.
static struct machine busy(const gpusched_tlp_config *config) {
    struct machine m = build(config);
    for (uint32_t i = 0; i < 4; i++) {
        IS(OK, gpusched_tlp_pool_add(m.object, i % 3, i % 2, i != 2, &u32_out));
        TRUE(u32_out == i);
    }
    gpusched_tlp_next next;
    IS(OK, gpusched_tlp_pool_pick_next(m.object, GPUSCHED_TLP_TYPE_UP, GPUSCHED_TLP_PREF_COMPUTE, &next));
    TRUE(next.present == 1 && next.i == 1 && next.complementary == 1);
    return m;
}

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_pool *const o = m.object;
    watch_block(&m.block);
    derived_pointers(o);
    IS(OK, gpusched_tlp_pool_get_config(o, &c, sizeof c));
    TRUE(c.threads == 4 && c.op_cycles == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_pool *const o = m.object;
    watch_block(&m.block);
    IS(BAD_ENUM, gpusched_tlp_pool_add(o, 3, 0, 1, &u32_out));
    IS(BAD_ENUM, gpusched_tlp_pool_add(o, 0, 2, 1, &u32_out));
    IS(BAD_ENUM, gpusched_tlp_pool_pick_next(o, kEverything, 0, OUT));
    IS(BAD_ENUM, gpusched_tlp_pool_pick_next(o, 0, kEverything, OUT));
    const uint32_t beyond[] = {1, 4, 64, 255, 256, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_POOL_INDEX, gpusched_tlp_pool_ready(o, beyond[i]));
        IS(BAD_POOL_INDEX, gpusched_tlp_pool_pending(o, beyond[i], OUT));
    }
    IS(OK, gpusched_tlp_pool_add(o, 0, 0, 1, &u32_out));
    IS(POOL_FULL, gpusched_tlp_pool_add(o, 0, 0, 1, &u32_out));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.pool_cap = 5;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint32_t i = 0; i < 3; i++) {
        gpusched_tlp_picked one, two;
        IS(OK, gpusched_tlp_pool_pick_pair(m.object, &one));
        IS(OK, gpusched_tlp_pool_pick_pair(same.object, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
        IS(OK, gpusched_tlp_pool_add(m.object, i % 3, 1, 1, &u32_out));
        IS(OK, gpusched_tlp_pool_add(same.object, i % 3, 1, 1, &u32_out));
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
