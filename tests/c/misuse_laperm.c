// Every function of LaPerm alone, called as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_laperm_table.h"

static const gpusched_resources tb = {256, 1024, 0, 1};
static uint32_t u32_out;

static gpusched_laperm_config small_config(uint32_t model) {
    gpusched_laperm_config c = preset();
    c.smxs = 4, c.queue_cap = 1, c.pool_cap = 4, c.kdu_entries = 2, c.model = model;
    return c;
}

// A machine with a host kernel whose first TB runs on SMX 0, and four children of it: one on chip, three in memory.
static struct machine busy(const gpusched_laperm_config *config) {
    struct machine m = build(config);
    gpusched_laperm_sent sent;
    IS(OK, gpusched_laperm_push_host(m.object, 0, 1, 9, &tb, NULL));
    if (config->model == GPUSCHED_LAPERM_MODEL_CDP) {
        IS(OK, gpusched_laperm_kmu_tick(m.object, 0, OUT));
        IS(OK, gpusched_laperm_tick(m.object, 1000, &sent));
    } else {
        IS(OK, gpusched_laperm_tick(m.object, 1, &sent));
    }
    TRUE(sent.sched == GPUSCHED_LAPERM_SCHED_TB && sent.smx == 0 && sent.tag == 1);
    const uint64_t now = config->model == GPUSCHED_LAPERM_MODEL_CDP ? 1000 : 1;
    for (uint64_t tag = 2; tag < 6; tag++) {
        IS(OK, gpusched_laperm_push_child(m.object, now, tag, 2, &tb, sent.smx, sent.prio, NULL));
    }
    return m;
}

static void pointers(void) {
    gpusched_laperm_config c = small_config(GPUSCHED_LAPERM_MODEL_CDP);
    struct machine m = busy(&c);
    watch_block(&m.block);
    derived_pointers(m.object);
    IS(OK, gpusched_laperm_get_config(m.object, &c, sizeof c));
    TRUE(c.smxs == 4 && c.kdu_entries == 2);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_laperm_config c = small_config(GPUSCHED_LAPERM_MODEL_DTBL);
    struct machine m = busy(&c);
    gpusched_laperm *const laperm = m.object;
    const gpusched_resources none = {0, 1, 1, 1}, slotless = {1, 1, 1, 0}, large = {2049, 0, 0, 1}, wide = {1, 0, kEverything, 1};
    watch_block(&m.block);
    IS(TIME_BACKWARDS, gpusched_laperm_push_host(laperm, 0, 9, 1, &tb, NULL));
    IS(TIME_BACKWARDS, gpusched_laperm_push_child(laperm, 0, 9, 1, &tb, 0, 0, NULL));
    IS(TIME_BACKWARDS, gpusched_laperm_tick(laperm, 0, OUT));
    IS(TIME_BACKWARDS, gpusched_laperm_tb_done(laperm, 0, 0, &tb, 0, NULL));
    IS(TIME_BACKWARDS, gpusched_laperm_set_mask(laperm, 0, 0, 1));
    IS(TIME_BACKWARDS, gpusched_laperm_refilled(laperm, 0, 1));
    IS(NO_LOAD, gpusched_laperm_refilled(laperm, 1, 1));
    IS(TIME_BACKWARDS, gpusched_laperm_waiting_head(laperm, 0, 0, OUT));
    IS(SAME_CYCLE, gpusched_laperm_tick(laperm, 1, OUT));
    IS(WRONG_MODEL, gpusched_laperm_kmu_tick(laperm, 1, OUT));
    IS(EMPTY_GROUP, gpusched_laperm_push_host(laperm, 1, 9, 0, &tb, NULL));
    IS(BAD_RESOURCES, gpusched_laperm_push_host(laperm, 1, 9, 1, &none, NULL));
    IS(BAD_RESOURCES, gpusched_laperm_push_child(laperm, 1, 9, 1, &slotless, 0, 0, NULL));
    IS(TB_TOO_BIG, gpusched_laperm_push_host(laperm, 1, 9, 1, &large, NULL));
    IS(TB_TOO_BIG, gpusched_laperm_push_child(laperm, 1, 9, 1, &wide, 0, 0, NULL));
    IS(RELEASE_UNDERFLOW, gpusched_laperm_tb_done(laperm, 1, 3, &tb, 0, NULL));
    // Each is beyond every table; some would be row 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 255, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        const uint32_t row = beyond[i];
        IS(BAD_SMX, gpusched_laperm_push_child(laperm, 1, 9, 1, &tb, row, 0, NULL));
        IS(BAD_PRIORITY, gpusched_laperm_push_child(laperm, 1, 9, 1, &tb, 0, row == 4 ? 5 : row, NULL));
        IS(BAD_SMX, gpusched_laperm_tb_done(laperm, 1, row, &tb, 0, NULL));
        IS(BAD_SMX, gpusched_laperm_set_mask(laperm, 1, row, 1));
        IS(BAD_SMX, gpusched_laperm_free(laperm, row, OUT));
        IS(BAD_SMX, gpusched_laperm_get_backup(laperm, row, OUT));
        IS(BAD_KDE, gpusched_laperm_get_kde(laperm, row, OUT));
        IS(BAD_UNIT, gpusched_laperm_waiting_head(laperm, 1, row, OUT));
        if (row == GPUSCHED_NONE) continue;
        IS(BAD_UNIT, gpusched_laperm_queue(laperm, row, OUT, 9, &size_out));
        IS(BAD_UNIT, gpusched_laperm_off_chip(laperm, row, OUT, 9, &size_out));
    }
    IS(OK, gpusched_laperm_push_child(laperm, 1, 9, 1, &tb, 0, 0, NULL));
    IS(POOL_FULL, gpusched_laperm_push_child(laperm, 1, 9, 1, &tb, 0, 0, NULL));
    // Where no kernel has an entry, none is looked at.
    IS(OK, gpusched_laperm_tb_done(laperm, 1, 0, &tb, kEverything, NULL));

    // Lists go as far as the array reaches, and not a byte further.
    gpusched_laperm_entry entries[5];
    memset(entries, PATTERN, sizeof entries);
    IS(CAPACITY, gpusched_laperm_off_chip(laperm, 0, NULL, 0, &size_out));
    TRUE(size_out == 4);
    IS(CAPACITY, gpusched_laperm_off_chip(laperm, 0, entries, 3, &size_out));
    TRUE(size_out == 4 && *(unsigned char *)&entries[3] == PATTERN);
    IS(OK, gpusched_laperm_off_chip(laperm, 0, entries, 5, &size_out));
    TRUE(size_out == 4 && entries[0].tag == 3 && *(unsigned char *)&entries[4] == PATTERN);
    IS(OK, gpusched_laperm_queue(laperm, GPUSCHED_NONE, entries, 5, &size_out));
    TRUE(size_out == 1 && entries[0].tag == 1 && entries[0].next == 1);
    unwatch();
    release(&m.block);

    // The same tests where kernels have entries, as many as there can be.
    gpusched_laperm_config cdp = small_config(GPUSCHED_LAPERM_MODEL_CDP);
    cdp.kdu_entries = 256;
    m = busy(&cdp);
    watch_block(&m.block);
    IS(BAD_KDE, gpusched_laperm_tb_done(m.object, 1000, 0, &tb, 255, NULL));
    IS(BAD_KDE, gpusched_laperm_tb_done(m.object, 1000, 0, &tb, 256, NULL));
    IS(BAD_KDE, gpusched_laperm_tb_done(m.object, 1000, 0, &tb, kEverything, NULL));
    IS(NO_KERNEL, gpusched_laperm_get_kde(m.object, 255, OUT));
    IS(BAD_KDE, gpusched_laperm_get_kde(m.object, 256, OUT));
    IS(OK, gpusched_laperm_tb_done(m.object, 1000, 0, &tb, 0, &u32_out));
    TRUE(u32_out == 0);
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_laperm_config c = small_config(GPUSCHED_LAPERM_MODEL_DTBL);
    struct machine m = busy(&c), same = build(&c);
    c.pool_cap = 5;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_laperm_sent one, two;
    memset(&one, 0, sizeof one), memset(&two, 0, sizeof two);
    for (uint64_t now = 2; now < 9; now++) {
        IS(OK, gpusched_laperm_tick(m.object, now, &one));
        IS(OK, gpusched_laperm_tick(same.object, now, &two));
        TRUE(one.sched == two.sched && one.smx == two.smx && one.tag == two.tag && one.tb == two.tb);
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_laperm_config c = small_config(GPUSCHED_LAPERM_MODEL_DTBL);
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
