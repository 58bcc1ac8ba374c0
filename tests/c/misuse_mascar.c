// Every function of Mascar, called as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_mascar_table.h"

static const gpusched_mascar_request request = {0x80, 0xf, {0x0fffffff, 0, 0, 0, 0, 0, 0}};
static const gpusched_mascar_request no_request;

static gpusched_mascar_config small_config(void) {
    gpusched_mascar_config c = preset();
    c.warps = 4, c.rexq = 2, c.warp_size = 4;
    return c;
}

// A request of warp 0 is in the queue; the LSU waits for warp 1, after the pick of cycle 20. Warp 2 is resident.
static struct machine awaiting(const gpusched_mascar_config *config) {
    struct machine m = build(config);
    gpusched_mascar_decision decision;
    gpusched_mascar_next next;
    gpusched_mascar_reply reply;
    uint64_t age;
    for (uint32_t w = 0; w < 3; w++) {
        IS(OK, gpusched_mascar_warp_start(m.object, w, &age));
        TRUE(age == w);
        if (w == 2) continue;
        IS(OK, gpusched_mascar_set_head(m.object, w, GPUSCHED_MASCAR_KIND_MEM, 1, 0));
        IS(OK, gpusched_mascar_pick(m.object, 10 + 10 * w, 1, GPUSCHED_MASCAR_ALL, &decision));
        TRUE(decision.count == 1 && decision.issues[0].warp == w && decision.issues[0].pipe == GPUSCHED_MASCAR_PIPE_MEM);
        if (w == 1) continue;
        IS(OK, gpusched_mascar_lsu_begin(m.object, w, 1, GPUSCHED_MASCAR_STORE));
        IS(OK, gpusched_mascar_lsu_next(m.object, &next));
        TRUE(next.src == GPUSCHED_MASCAR_SRC_NEW && next.warp == w);
        IS(OK, gpusched_mascar_lsu_reply(m.object, GPUSCHED_MASCAR_LOOKUP_MISS, 0, &request, &reply));
        TRUE(reply.action == GPUSCHED_MASCAR_ACTION_QUEUED && reply.ack == 0);
    }
    return m;
}

// The same, a request of warp 1 is presented.
static struct machine presented(const gpusched_mascar_config *config) {
    struct machine m = awaiting(config);
    gpusched_mascar_next next;
    IS(OK, gpusched_mascar_lsu_begin(m.object, 1, 2, 0));
    IS(OK, gpusched_mascar_lsu_next(m.object, &next));
    TRUE(next.src == GPUSCHED_MASCAR_SRC_NEW && next.warp == 1);
    TRUE(next.index == 0 && next.dst == 0 && memcmp(&next.request, &no_request, sizeof no_request) == 0);
    return m;
}

// What is not in the list of numeric parameters of the machine.
static void caches(void) {
    gpusched_mascar_config c;
    gpusched_parameter p;
    IS(BAD_INDEX, gpusched_mascar_config_init(&c, sizeof c, 3));
    IS(BAD_INDEX, gpusched_mascar_config_init(&c, sizeof c, kEverything));
    IS(OK, gpusched_mascar_config_init(&c, sizeof c, GPUSCHED_MASCAR_PRESET_LRR));
    TRUE(c.rexq == 0 && c.ep_mem_order == GPUSCHED_MASCAR_ORDER_RR);
    IS(OK, gpusched_mascar_config_init(&c, sizeof c, GPUSCHED_MASCAR_PRESET_GTO));
    TRUE(c.ep_mem_order == GPUSCHED_MASCAR_ORDER_GTO && c.ep_priority == GPUSCHED_MASCAR_PRIORITY_MERGED);
    const uint32_t counts[] = {0, 4, 5, kEverything};
    for (size_t i = 0; i < COUNT(counts); i++) {
        c = preset(), c.sources = counts[i];
        IS(BAD_CONFIG, gpusched_mascar_config_check(&c, &p));
        TRUE(strcmp(p.name, "sources") == 0 && p.value == counts[i] && p.min == 1 && p.max == 3);
    }
    uint32_t n = 0;
    for (; gpusched_mascar_cache_parameter(n, &p) == GPUSCHED_STATUS_OK; n++) {
        const uint32_t beyond[] = {0, 65536, kEverything};
        for (size_t i = 0; i < COUNT(beyond); i++) {
            // Of the last cache that counts; behind it anything may be written.
            c = preset(), c.sources = 2, memset(&c.caches[2], PATTERN, sizeof c.caches[2]);
            IS(OK, gpusched_mascar_config_check(&c, NULL));
            memcpy((char *)&c.caches[1] + n * sizeof *beyond, &beyond[i], sizeof *beyond);
            IS(BAD_CONFIG, gpusched_mascar_config_check(&c, &p));
            TRUE(p.value == beyond[i] && p.min == 1);
        }
    }
    TRUE(n == 6);
    IS(BAD_INDEX, gpusched_mascar_cache_parameter(kEverything, &p));
    IS(NULL, gpusched_mascar_cache_parameter(0, NULL));
    IS(MISALIGNED, gpusched_mascar_cache_parameter(0, ODD(&p)));
}

static void pointers(void) {
    gpusched_mascar_config c = small_config();
    struct machine m = awaiting(&c);
    gpusched_mascar *const mascar = m.object;
    watch_block(&m.block);
    IS(OK, gpusched_mascar_warp_start(mascar, 3, NULL));
    IS(OK, gpusched_mascar_warp_exit(mascar, 3, NULL));
    IS(OK, gpusched_mascar_l1_state(mascar, 0, 0, 0, NULL));
    IS(NULL, gpusched_mascar_by_age(mascar, NULL, 1, &size_out));
    IS(NULL, gpusched_mascar_by_age(mascar, OUT, 1, NULL));
    IS(CAPACITY, gpusched_mascar_by_age(mascar, OUT, 2, &size_out));
    TRUE(size_out == 3);
    IS(CAPACITY, gpusched_mascar_by_age(mascar, NULL, 0, &size_out));
    IS(OK, gpusched_mascar_get_config(mascar, &c, sizeof c));
    TRUE(c.warps == 4 && c.sources == 1 && c.caches[0].mshr_sat == 60);
    unwatch();
    release(&m.block);

    // Two requests wait, and one is presented.
    m = presented(&c);
    watch_block(&m.block);
    const uint32_t hit = GPUSCHED_MASCAR_LOOKUP_HIT;
    IS(OK, gpusched_mascar_lsu_reply(m.object, GPUSCHED_MASCAR_LOOKUP_MISS, 0, &request, OUT));
    IS(OK, gpusched_mascar_lsu_next(m.object, OUT));
    derived_pointers(m.object);
    IS(NULL, gpusched_mascar_lsu_reply(m.object, hit, 1, &request, NULL));
    IS(BAD_REQUEST, gpusched_mascar_lsu_reply(m.object, hit, 1, NULL, OUT));
    IS(OK, gpusched_mascar_lsu_reply(m.object, hit, 1, &request, OUT));
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_mascar_config c = small_config();
    struct machine m = awaiting(&c);
    gpusched_mascar *const mascar = m.object;
    const uint32_t alu = GPUSCHED_MASCAR_KIND_ALU, sync = GPUSCHED_MASCAR_KIND_SYNC;
    watch_block(&m.block);
    // Each is beyond every table; some would be warp 0 or 1 if they were cut to 8 or 16 bits.
    const uint32_t beyond[] = {4, 63, 64, 255, 256, 257, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        IS(BAD_WARP, gpusched_mascar_warp_start(mascar, beyond[i], NULL));
        IS(BAD_WARP, gpusched_mascar_warp_exit(mascar, beyond[i], NULL));
        IS(BAD_WARP, gpusched_mascar_set_head(mascar, beyond[i], 9, 1, 1));
        IS(BAD_WARP, gpusched_mascar_get_warp(mascar, beyond[i], OUT));
        IS(WRONG_WARP, gpusched_mascar_lsu_begin(mascar, beyond[i], 99, 999));
        IS(BAD_SOURCE, gpusched_mascar_l1_state(mascar, beyond[i], kEverything, kEverything, NULL));
        IS(BAD_HEAD, gpusched_mascar_set_head(mascar, 2, beyond[i], 0, 0));
        IS(BAD_MASK, gpusched_mascar_pick(mascar, 21, 1, (beyond[i] - 1) | 4, OUT));
        IS(BAD_INDEX, gpusched_mascar_get_rexq(mascar, beyond[i], OUT));
        IS(NO_REPLY_PENDING, gpusched_mascar_lsu_reply(mascar, beyond[i], 1, NULL, OUT));
    }
    IS(WARP_RESIDENT, gpusched_mascar_warp_start(mascar, 0, NULL));
    IS(WARP_NOT_RESIDENT, gpusched_mascar_warp_exit(mascar, 3, NULL));
    IS(WARP_NOT_RESIDENT, gpusched_mascar_set_head(mascar, 3, 9, 0, 0));
    IS(WARP_NOT_RESIDENT, gpusched_mascar_get_warp(mascar, 3, OUT));
    IS(WARP_HAS_REQUESTS, gpusched_mascar_warp_exit(mascar, 0, NULL));
    IS(WARP_HAS_REQUESTS, gpusched_mascar_warp_exit(mascar, 1, NULL));
    IS(BAD_HEAD, gpusched_mascar_set_head(mascar, 2, alu, 1, 1));
    IS(BAD_HEAD, gpusched_mascar_set_head(mascar, 2, alu, 2, kEverything));
    IS(BAD_HEAD, gpusched_mascar_set_head(mascar, 2, sync, 1, 0));
    IS(BAD_SOURCE, gpusched_mascar_l1_state(mascar, 1, 0, 0, NULL));
    IS(BAD_OCCUPANCY, gpusched_mascar_l1_state(mascar, 0, 65, 0, NULL));
    IS(BAD_OCCUPANCY, gpusched_mascar_l1_state(mascar, 0, 0, 9, NULL));
    IS(TIME_OVERFLOW, gpusched_mascar_pick(mascar, 1ull << 63, 1, 4, OUT));
    IS(TIME_BACKWARDS, gpusched_mascar_pick(mascar, 20, 1, 4, OUT));
    IS(BAD_COUNT, gpusched_mascar_lsu_begin(mascar, 1, 5, 128));
    IS(BAD_REGISTER, gpusched_mascar_lsu_begin(mascar, 1, 4, 128));
    unwatch();
    release(&m.block);

    m = presented(&c);
    watch_block(&m.block);
    const uint32_t miss = GPUSCHED_MASCAR_LOOKUP_MISS;
    gpusched_mascar_request bad = request;
    IS(REPLY_PENDING, gpusched_mascar_lsu_next(m.object, OUT));
    IS(LSU_NOT_AWAITING, gpusched_mascar_lsu_begin(m.object, 1, 1, 0));
    IS(BAD_REPLY, gpusched_mascar_lsu_reply(m.object, 3, 1, &request, OUT));
    IS(BAD_REPLY, gpusched_mascar_lsu_reply(m.object, kEverything, 1, NULL, OUT));
    bad.mask = 0;
    IS(BAD_REQUEST, gpusched_mascar_lsu_reply(m.object, miss, 1, &bad, OUT));
    bad.mask = 0x10;
    IS(BAD_REQUEST, gpusched_mascar_lsu_reply(m.object, miss, 1, &bad, OUT));
    bad = request, bad.offs[0] |= 1u << 28;
    IS(BAD_REQUEST, gpusched_mascar_lsu_reply(m.object, miss, 1, &bad, OUT));
    bad = request, bad.offs[6] = 1ull << 63;
    IS(BAD_REQUEST, gpusched_mascar_lsu_reply(m.object, miss, 1, &bad, OUT));
    IS(OK, gpusched_mascar_lsu_reply(m.object, miss, kEverything, &request, OUT));
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_mascar_config c = small_config();
    struct machine m = presented(&c), same = build(&c);
    c.owner_timeout = 11;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    gpusched_mascar_reply one, two;
    gpusched_mascar_next next;
    for (uint32_t i = 0; i < 9; i++) {
        IS(OK, gpusched_mascar_lsu_reply(m.object, GPUSCHED_MASCAR_LOOKUP_MISS, i % 2, &request, &one));
        IS(OK, gpusched_mascar_lsu_reply(same.object, GPUSCHED_MASCAR_LOOKUP_MISS, i % 2, &request, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
        IS(OK, gpusched_mascar_lsu_next(m.object, &next));
        IS(OK, gpusched_mascar_lsu_next(same.object, &next));
        if (next.src == GPUSCHED_MASCAR_SRC_IDLE) break;
    }
    TRUE(next.src == GPUSCHED_MASCAR_SRC_IDLE && next.warp == GPUSCHED_NONE);
    TRUE(next.index == 0 && next.dst == 0 && memcmp(&next.request, &no_request, sizeof no_request) == 0);
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    caches();
    storage();
    const gpusched_mascar_config c = small_config();
    struct machine m = awaiting(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
