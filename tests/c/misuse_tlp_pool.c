// Every function of the pool of kernels, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
#define MACHINE gpusched_tlp_pool
#define CONFIG gpusched_tlp_config
#define CONFIG_INIT gpusched_tlp_config_init
#define CONFIG_CHECK gpusched_tlp_config_check
#define PARAMETER gpusched_tlp_parameter
#define LAYOUT gpusched_tlp_pool_layout
#define INIT gpusched_tlp_pool_init
#define STORAGE gpusched_tlp_storage
#define STORAGE_BITS gpusched_tlp_storage_bits
#define IMAGE_SIZE gpusched_tlp_pool_image_size
#define IMAGE_CONFIG gpusched_tlp_pool_image_config
#define SAVE gpusched_tlp_pool_save
#define RESTORE gpusched_tlp_pool_restore
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_alone.h"

static size_t size_out;
static uint64_t u64_out;
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
    TRUE(next.i == 1 && next.complementary == 1);
    return m;
}

OBJECT(gpusched_tlp_pool_add, 0, 0, 1, &u32_out)
OBJECT(gpusched_tlp_pool_ready, 0)
OBJECT(gpusched_tlp_pool_pick_pair, OUT)
OBJECT(gpusched_tlp_pool_pick_next, 0, 0, OUT)
OBJECT(gpusched_tlp_pool_added, &u64_out)
OBJECT(gpusched_tlp_pool_get_pending, 0, OUT)
OBJECT(gpusched_tlp_pool_get_config, OUT, sizeof(gpusched_tlp_config))
OBJECT(gpusched_tlp_pool_image_size, &size_out)
OBJECT(gpusched_tlp_pool_save, OUT, sizeof out, &size_out)
OBJECT(gpusched_tlp_pool_restore, OUT, sizeof out)

static const struct function functions[] = {
    F(gpusched_tlp_pool_add),
    F(gpusched_tlp_pool_ready),
    F(gpusched_tlp_pool_pick_pair),
    F(gpusched_tlp_pool_pick_next),
    F(gpusched_tlp_pool_added),
    F(gpusched_tlp_pool_get_pending),
    F(gpusched_tlp_pool_get_config),
    F(gpusched_tlp_pool_image_size),
    F(gpusched_tlp_pool_save),
    F(gpusched_tlp_pool_restore),
};

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_pool *const o = m.object;
    watch_block(&m.block);
    void *const nowhere[] = {NULL, ODD(OUT)};
    for (size_t i = 0; i < COUNT(nowhere); i++) {
        void *const bad = nowhere[i];
        const gpusched_status results[] = {
            gpusched_tlp_pool_add(o, 0, 0, 1, bad),
            gpusched_tlp_pool_pick_pair(o, bad),
            gpusched_tlp_pool_pick_next(o, 0, 0, bad),
            gpusched_tlp_pool_added(o, bad),
            gpusched_tlp_pool_get_pending(o, 0, bad),
            gpusched_tlp_pool_get_config(o, bad, sizeof c),
            gpusched_tlp_pool_image_size(o, bad),
        };
        REFUSED_FOR(bad, "a pointer", results);
    }
    IS(BAD_STRUCT_SIZE, gpusched_tlp_pool_get_config(o, &c, sizeof c - 4));
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
        IS(BAD_POOL_INDEX, gpusched_tlp_pool_get_pending(o, beyond[i], OUT));
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
