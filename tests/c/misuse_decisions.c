// Decisions that are not read, rings and images that are none: nothing is lost, and nothing touched that is not the front end's own.
#include "misuse_frontend.h"

// ---- Decisions ----

static void unread(void) {
    const gpusched_frontend_config c = small_config();
    struct machine lazy = build(&c), diligent = build(&c);
    const gpusched_kernel many = {.pc = 1, .grid = {3000, 1, 1}, .tb = {64, 1, 1}};
    IS(OK, gpusched_frontend_host_launch(lazy.fe, 0, &many, 0, NULL));
    IS(OK, gpusched_frontend_host_launch(diligent.fe, 0, &many, 0, NULL));

    // Until the decisions of one more cycle might find no room.
    size_t waiting, count;
    unsigned char place[1 << 15];
    while (gpusched_frontend_tick(lazy.fe, NULL) == GPUSCHED_STATUS_OK) continue;
    watch(&lazy);
    IS(UNREAD, gpusched_frontend_tick(lazy.fe, NULL));
    IS(UNREAD, gpusched_frontend_advance(lazy.fe, 1000, NULL));
    IS(UNREAD, gpusched_frontend_run(lazy.fe, 1000, NULL));
    IS(UNREAD, gpusched_frontend_save(lazy.fe, place, sizeof place, &count));
    IS(OK, gpusched_frontend_unread(lazy.fe, &waiting));
    gpusched_decision all[128];
    TRUE(waiting > 10 && waiting < COUNT(all));

    // Completions and suspensions, until they find no room either.
    for (uint32_t smx = 0; gpusched_frontend_tb_done(lazy.fe, smx, 0) == GPUSCHED_STATUS_OK;) smx++;
    memcpy(watched.copy, watched.bytes, watched.size);
    IS(OK, gpusched_frontend_unread(lazy.fe, &count));
    TRUE(count == waiting);

    // Nothing is lost, whatever the pieces are in which it is read.
    for (size_t i = 0, piece = 0; i < waiting; i += count, piece = (piece + 1) % 8) {
        IS(OK, gpusched_frontend_read(lazy.fe, all + i, piece, &count));
        TRUE(count == (piece < waiting - i ? piece : waiting - i));
    }
    IS(OK, gpusched_frontend_unread(lazy.fe, &count));
    TRUE(count == 0);
    unwatch();
    for (size_t i = 0; i < waiting; i += count) {
        const gpusched_decision *first;
        IS(OK, gpusched_frontend_tick(diligent.fe, NULL));
        IS(OK, gpusched_frontend_take(diligent.fe, &first, &count));
        TRUE(i + count <= waiting && memcmp(all + i, first, count * sizeof *first) == 0);
    }

    // `run` stops where the queue is full and goes on when it was read.
    gpusched_words words;
    uint64_t now = 0;
    int rounds = 0;
    for (; now < 5000; rounds++) {
        IS(OK, gpusched_frontend_run(lazy.fe, 5000, &words));
        IS(OK, gpusched_frontend_now(lazy.fe, &now));
        TRUE(now == 5000 || read_all(lazy.fe) > 0);
    }
    TRUE(rounds > 2);
    (void)read_all(lazy.fe);

    // The end of time, and a wait without an end.
    IS(OK, gpusched_frontend_run(lazy.fe, GPUSCHED_NEVER, &words));
    IS(TIME_OVERFLOW, gpusched_frontend_advance(lazy.fe, GPUSCHED_NEVER, &words));
    IS(OK, gpusched_frontend_advance(lazy.fe, GPUSCHED_NEVER - 1, &words));
    IS(OK, gpusched_frontend_now(lazy.fe, &now));
    TRUE(now == GPUSCHED_NEVER - 1);
    discard(&lazy);
    discard(&diligent);
}

static void tracing(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = build(&c);
    enum { RING = 7 };
    gpusched_decision ring[RING + 1], all[256];
    memset(ring, PATTERN, sizeof ring);
    gpusched_trace trace = {NULL, RING, 77};
    IS(NULL, gpusched_frontend_trace(m.fe, &trace));
    trace.events = ODD(ring);
    IS(MISALIGNED, gpusched_frontend_trace(m.fe, &trace));
    trace.events = ring, trace.capacity = 0;
    IS(CAPACITY, gpusched_frontend_trace(m.fe, &trace));
    TRUE(trace.written == 77);

    trace.capacity = RING;
    IS(OK, gpusched_frontend_trace(m.fe, &trace));
    TRUE(trace.written == 0);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &kernel, 0, NULL));
    size_t n = 0, count;
    for (int i = 0; i < 20; i++) {
        IS(OK, gpusched_frontend_tick(m.fe, NULL));
        IS(OK, gpusched_frontend_read(m.fe, all + n, COUNT(all) - n, &count));
        n += count;
        TRUE(trace.written == n);
        for (size_t k = n > RING ? n - RING : 0; k < n; k++) TRUE(memcmp(&ring[k % RING], &all[k], sizeof *all) == 0);
    }
    TRUE(n > 2 * RING);
    TRUE(*(unsigned char *)&ring[RING] == PATTERN);

    // A bad ring does not take the place of a good one.
    gpusched_trace bad = {NULL, 1, 0};
    IS(NULL, gpusched_frontend_trace(m.fe, &bad));
    IS(OK, gpusched_frontend_tb_done(m.fe, 0, 0));
    IS(OK, gpusched_frontend_trace(m.fe, NULL));
    const uint64_t written = trace.written;
    uint32_t state;
    memset(ring, 0, sizeof ring);
    while (IS(OK, gpusched_frontend_get_status(m.fe, &state)), state == GPUSCHED_FRONTEND_STATUS_RUNNING) {
        gpusched_tb tb;
        if (gpusched_frontend_resident_tbs(m.fe, &tb, 1, &count) == GPUSCHED_STATUS_OK && count == 0) break;
        IS(OK, gpusched_frontend_tb_done(m.fe, tb.smx, tb.slot));
        (void)read_all(m.fe);
    }
    TRUE(trace.written == written && ring[0].kind == 0);
    discard(&m);
}

// ---- Images ----

static void images(void) {
    gpusched_frontend_config c = small_config(), told;
    struct machine m = busy(&c), same = build(&c);
    c.n_smx = 9;
    struct machine other = build(&c);
    size_t size, told_size;
    IS(OK, gpusched_frontend_image_size(m.fe, &size));
    unsigned char *const image = malloc(size), *const damaged = malloc(size + 1);
    TRUE(image != NULL && damaged != NULL);

    watch(&m);
    IS(IMAGE_TOO_SMALL, gpusched_frontend_save(m.fe, NULL, 0, &told_size));
    TRUE(told_size == size);
    IS(IMAGE_TOO_SMALL, gpusched_frontend_save(m.fe, image, size - 1, &told_size));
    TRUE(told_size == size);
    IS(OK, gpusched_frontend_save(m.fe, image, size, &told_size));
    unwatch();

    IS(OK, gpusched_frontend_image_config(image, size, &told, sizeof told));
    TRUE(told.n_smx == 8 && told.agt_size == 64);
    IS(NULL, gpusched_frontend_image_config(NULL, size, &told, sizeof told));
    IS(NULL, gpusched_frontend_image_config(image, size, NULL, sizeof told));
    IS(MISALIGNED, gpusched_frontend_image_config(image, size, ODD(&told), sizeof told));
    IS(BAD_STRUCT_SIZE, gpusched_frontend_image_config(image, size, &told, 4));
    IS(IMAGE_TRUNCATED, gpusched_frontend_image_config(image, 0, &told, sizeof told));

    watch(&same);
    for (size_t n = 0; n < size; n++) {
        TRUE(gpusched_frontend_restore(same.fe, image, n) != GPUSCHED_STATUS_OK);
        // At the end of its memory, so that a read behind it is found.
        unsigned char *const prefix = malloc(n + 1);
        TRUE(prefix != NULL);
        memcpy(prefix, image, n);
        TRUE(gpusched_frontend_image_config(prefix, n, &told, sizeof told) != GPUSCHED_STATUS_OK);
        free(prefix);
        memcpy(damaged, image, size);
        damaged[n] ^= 0x40;
        TRUE(gpusched_frontend_restore(same.fe, damaged, size) != GPUSCHED_STATUS_OK);
        TRUE(memcmp(watched.copy, watched.bytes, watched.size) == 0);
    }
    memset(damaged, PATTERN, size);
    IS(NOT_AN_IMAGE, gpusched_frontend_restore(same.fe, damaged, size));
    IS(IMAGE_TRUNCATED, gpusched_frontend_restore(same.fe, image, size - 1));
    IS(IMAGE_TRUNCATED, gpusched_frontend_restore(same.fe, NULL, 0));
    unwatch();
    watch(&other);
    IS(IMAGE_OTHER, gpusched_frontend_restore(other.fe, image, size));
    unwatch();

    // At an odd address, too, and it goes on where the saved one stood.
    memcpy(damaged + 1, image, size);
    IS(OK, gpusched_frontend_restore(same.fe, damaged + 1, size));
    IS(OK, gpusched_frontend_unretain(same.fe, 0));
    IS(OK, gpusched_frontend_unretain(m.fe, 0));
    IS(OK, gpusched_frontend_tb_done(same.fe, 0, 0));
    IS(OK, gpusched_frontend_tb_done(m.fe, 0, 0));
    TRUE(drain(same.fe) == drain(m.fe));
    free(image), free(damaged);
    discard(&m), discard(&same), discard(&other);
}

int main(void) {
    unread();
    tracing();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
