// What the programs of misuse share: calls that must have a certain status, and objects between guards. Together the programs of a
// machine call every function of it as it must not be called.
#ifndef MISUSE_H
#define MISUSE_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gpusched.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))
// A call, and the status that it must have. A refused call must leave the watched storage as it was.
#define IS(name, call) expect(__FILE__, __LINE__, #call, GPUSCHED_STATUS_##name, (call))
#define TRUE(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))
// A pointer of the right type to no place at all.
#define ODD(pointer) ((void *)((char *)(pointer) + 1))
// Results of calls with the bad pointer, null or at an odd address: each call must say which it is.
#define REFUSED_FOR(pointer, what, results) refused_for(__FILE__, __LINE__, what, pointer, results, COUNT(results))

static const uint32_t kEverything = UINT32_MAX;

static struct {
    unsigned char *bytes, *copy;
    size_t size;
} watched;

static inline void fail(const char *file, int line, const char *what) {
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    exit(EXIT_FAILURE);
}

static inline void expect(const char *file, int line, const char *call, gpusched_status expected, gpusched_status status) {
    if (status != expected) {
        fprintf(stderr, "%s:%d: %s is %s\n", file, line, call, gpusched_status_str(status));
        exit(EXIT_FAILURE);
    }
    if (watched.size == 0) return;
    if (status == GPUSCHED_STATUS_OK) memcpy(watched.copy, watched.bytes, watched.size);
    else if (memcmp(watched.copy, watched.bytes, watched.size) != 0) fail(file, line, "a refused call changed the object");
}

static inline void refused_for(const char *file, int line, const char *what, const void *pointer, const gpusched_status *results,
                               size_t count) {
    const gpusched_status expected = pointer == NULL ? GPUSCHED_STATUS_NULL : GPUSCHED_STATUS_MISALIGNED;
    for (size_t i = 0; i < count; i++) expect(file, line, what, expected, results[i]);
}

enum { GUARD = 64, PATTERN = 0xa5 };

// Storage between guards.
struct block {
    unsigned char *bytes;
    size_t size;
};

static inline struct block block_of(gpusched_layout layout) {
    const struct block b = {malloc(layout.size + 2 * GUARD), layout.size};
    TRUE(b.bytes != NULL && GUARD % layout.align == 0);
    memset(b.bytes, PATTERN, layout.size + 2 * GUARD);
    return b;
}

static inline unsigned char *storage_in(const struct block *b) { return b->bytes + GUARD; }

// From now on a second copy of its bytes is kept.
static inline void watch_block(const struct block *b) {
    watched.bytes = storage_in(b);
    watched.size = b->size;
    watched.copy = malloc(b->size);
    TRUE(watched.copy != NULL);
    memcpy(watched.copy, watched.bytes, b->size);
}

static inline void unwatch(void) {
    free(watched.copy);
    watched.size = 0;
}

static inline void release(struct block *b) {
    for (size_t i = 0; i < GUARD; i++) {
        TRUE(b->bytes[i] == PATTERN);
        TRUE(b->bytes[GUARD + b->size + i] == PATTERN);
    }
    free(b->bytes);
}

#endif
