// Every function of the prefetcher of one SM, called as it must not be: the right status, nothing changed, nothing touched that is not
// its own.
#include "misuse_apogee_table.h"

static uint32_t u32_out;

static gpusched_apogee_config small_config(void) {
    gpusched_apogee_config c = preset();
    c.entries = 4, c.pfq = 4;
    return c;
}

// A full warp from `base` on, 4 bytes apart.
static gpusched_apogee_access walk(uint64_t *addresses, uint64_t base) {
    for (uint64_t lane = 0; lane < 32; lane++) addresses[lane] = base + 4 * lane;
    const gpusched_apogee_access access = {1, UINT32_MAX, addresses, NULL, 32, 0, GPUSCHED_APOGEE_VERDICT_ABSENT, 0, 0};
    return access;
}

// A machine that has seen a load in cycle 100; its queue is full, and the first of its four requests was popped.
static struct machine busy(const gpusched_apogee_config *config) {
    struct machine m = build(config);
    uint64_t addresses[32];
    const gpusched_apogee_access access = walk(addresses, 0);
    gpusched_apogee_loaded loaded;
    gpusched_apogee_request request;
    IS(OK, gpusched_apogee_load(m.object, 100, &access, &loaded, NULL));
    TRUE(loaded.pushed == 4 && loaded.confirmed == 1 && loaded.tia_entry == GPUSCHED_NONE);
    IS(OK, gpusched_apogee_pf_pop(m.object, 110, &request, &u32_out));
    TRUE(u32_out == 1 && request.line == 512 && request.generation == 1);
    return m;
}

static void pointers(void) {
    gpusched_apogee_config c = small_config();
    struct machine m = busy(&c);
    gpusched_apogee *const apogee = m.object;
    uint64_t addresses[32], lines[4];
    gpusched_apogee_triggered rows[4];
    gpusched_apogee_lane lanes[2] = {{0, 0, 0}, {4, 1, 0}};
    gpusched_apogee_waiting waiting[4];
    const gpusched_apogee_access dense = walk(addresses, 128);
    gpusched_apogee_access a = dense;
    gpusched_apogee_lists lists = {lines, 4, rows, 4};
    watch_block(&m.block);
    derived_pointers(apogee);
    IS(NULL, gpusched_apogee_load(apogee, 110, NULL, OUT, NULL));
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, ODD(&a), OUT, NULL));
    IS(NULL, gpusched_apogee_load(apogee, 110, &a, NULL, NULL));
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, ODD(OUT), NULL));
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, OUT, ODD(&lists)));
    a.addresses = ODD(addresses);
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, a.count = SIZE_MAX;
    IS(CAPACITY, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, a.addresses = NULL;
    IS(NULL, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a.lanes = ODD(lanes);
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a.lanes = lanes, a.count = SIZE_MAX;
    IS(CAPACITY, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense;
    lists.lines = NULL;
    IS(NULL, gpusched_apogee_load(apogee, 110, &a, OUT, &lists));
    lists.lines = ODD(lines);
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, OUT, &lists));
    lists.lines = lines, lists.rows = ODD(rows);
    IS(MISALIGNED, gpusched_apogee_load(apogee, 110, &a, OUT, &lists));
    lists.rows = rows, lists.row_capacity = SIZE_MAX;
    IS(CAPACITY, gpusched_apogee_load(apogee, 110, &a, OUT, &lists));
    IS(OK, gpusched_apogee_pf_reply(apogee, 1, NULL));
    IS(OK, gpusched_apogee_get_config(apogee, &c, sizeof c));
    TRUE(c.entries == 4 && c.issue_latency == 10);
    IS(CAPACITY, gpusched_apogee_queue(apogee, waiting, 2, &size_out));
    TRUE(size_out == 3 && waiting[1].request.line == 576);
    // Lists that are too short lose what does not fit, and nothing else.
    gpusched_apogee_loaded loaded;
    lists.line_capacity = 0, lists.lines = NULL, lists.row_capacity = 0, lists.rows = NULL;
    IS(OK, gpusched_apogee_load(apogee, 110, &a, &loaded, &lists));
    TRUE(loaded.pushed == 1 && loaded.dropped == 3);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_apogee_config c = small_config();
    struct machine m = busy(&c);
    gpusched_apogee *const apogee = m.object;
    uint64_t addresses[65];
    const gpusched_apogee_access dense = walk(addresses, 128);
    gpusched_apogee_access a = dense;
    watch_block(&m.block);
    IS(REPLY_PENDING, gpusched_apogee_pf_pop(apogee, 110, OUT, &u32_out));
    IS(REPLY_PENDING, gpusched_apogee_flush(apogee, NULL));
    IS(TIME_BACKWARDS, gpusched_apogee_pf_pop(apogee, 109, OUT, &u32_out));
    IS(TIME_BACKWARDS, gpusched_apogee_load(apogee, 109, &a, OUT, NULL));
    IS(TIME_OVERFLOW, gpusched_apogee_load(apogee, 1ull << 63, &a, OUT, NULL));
    IS(TIME_OVERFLOW, gpusched_apogee_pf_pop(apogee, UINT64_MAX, OUT, &u32_out));
    a.pc = 1024;
    IS(PC_RANGE, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a.pc = 1ull << 32;
    IS(PC_RANGE, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, a.mask = 0;
    IS(NO_ACTIVE_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, a.mask = 1ull << 32, a.count = 33;
    IS(BAD_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, a.count = 31;
    IS(BAD_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a = dense, addresses[31] = 1u << 28;
    IS(ADDRESS_RANGE, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    addresses[31] = UINT64_MAX;
    IS(ADDRESS_RANGE, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    addresses[31] = addresses[30] + 4;
    a.verdict = 3;
    IS(BAD_RESULT, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a.verdict = kEverything;
    IS(BAD_RESULT, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    IS(TIME_BACKWARDS, gpusched_apogee_load(apogee, 109, &a, OUT, NULL));
    // Lists: none, too long, not ascending, beyond the warp.
    gpusched_apogee_lane lanes[66];
    for (uint32_t i = 0; i < COUNT(lanes); i++) lanes[i].address = 4 * i, lanes[i].lane = i, lanes[i].reserved = 0;
    a = dense, a.addresses = NULL, a.lanes = lanes, a.count = 0;
    IS(NO_ACTIVE_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    for (a.count = 33; a.count <= COUNT(lanes); a.count++) IS(BAD_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    a.count = 2;
    const uint32_t wrong[] = {0, 32, 255, 256, 257, 65536, kEverything};
    for (size_t i = 0; i < COUNT(wrong); i++) {
        lanes[1].lane = wrong[i];
        IS(BAD_LANES, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
    }
    // Each is beyond every table; some would be row 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {8, 255, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        a = dense, a.warp = beyond[i];
        IS(BAD_WARP, gpusched_apogee_load(apogee, 110, &a, OUT, NULL));
        IS(BAD_ENTRY, gpusched_apogee_pf_fill(apogee, beyond[i], 1, 0, NULL));
        IS(BAD_WARP, gpusched_apogee_pf_fill(apogee, 0, 1, beyond[i], NULL));
        IS(BAD_ENTRY, gpusched_apogee_get_row(apogee, beyond[i], OUT));
        IS(BAD_WARP, gpusched_apogee_get_last_load(apogee, beyond[i], OUT));
        if (beyond[i] != 8 && beyond[i] != 255 && beyond[i] != 256 && beyond[i] != 257 && beyond[i] != 65535)
            IS(BAD_THREADS, gpusched_apogee_set_threads(apogee, beyond[i]));
    }
    IS(BAD_THREADS, gpusched_apogee_set_threads(apogee, 0));
    IS(OK, gpusched_apogee_pf_reply(apogee, 2, &u32_out));
    TRUE(u32_out == 0);
    IS(NO_REPLY_PENDING, gpusched_apogee_pf_reply(apogee, 0, NULL));
    IS(OK, gpusched_apogee_set_threads(apogee, 65535));
    IS(OK, gpusched_apogee_flush(apogee, &u32_out));
    TRUE(u32_out == 3);
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_apogee_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.issue_latency = 11;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    uint64_t addresses[32];
    for (uint64_t now = 200; now < 900; now += 100) {
        const gpusched_apogee_access access = walk(addresses, now * 128);
        gpusched_apogee_loaded one, two;
        IS(OK, gpusched_apogee_load(m.object, now, &access, &one, NULL));
        IS(OK, gpusched_apogee_load(same.object, now, &access, &two, NULL));
        TRUE(memcmp(&one, &two, sizeof one) == 0 && one.confirmed == 1);
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_apogee_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
