// What the programs of misuse share: calls that must have a certain status, objects between guards, and calls on objects that are
// none. Each program calls every function of its machine as it must not be called.
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

// Places for results of any function.
static union {
    uint64_t align;
    unsigned char bytes[1 << 17];
} out;
#define OUT ((void *)&out)

// A function of an object, called rightly but for the object.
struct function {
    const char *name;
    gpusched_status (*call)(void *);
};

#define OBJECT(function, ...) \
    static gpusched_status of_##function(void *object) { return function(object, __VA_ARGS__); }
#define F(function) {#function, of_##function}

static inline void all_say(const struct function *functions, size_t count, gpusched_status expected, void *object, const char *what) {
    for (size_t i = 0; i < count; i++) {
        const gpusched_status status = functions[i].call(object);
        if (status == expected) continue;
        fprintf(stderr, "%s of %s is %s\n", functions[i].name, what, gpusched_status_str(status));
        exit(EXIT_FAILURE);
    }
}

// Objects that are none. The one that is given is none afterwards.
static inline void no_objects(const struct function *functions, size_t count, const struct block *block) {
    unsigned char *const object = storage_in(block);
    unsigned char *const elsewhere = malloc(block->size + 16);
    TRUE(elsewhere != NULL);
#define ALL_SAY(name, object, what) all_say(functions, count, GPUSCHED_STATUS_##name, object, what)
    ALL_SAY(NULL, NULL, "nothing");
    ALL_SAY(MISALIGNED, object + 1, "half an address");
    memset(elsewhere, 0, block->size + 16);
    ALL_SAY(NOT_INITIALISED, elsewhere, "zeroes");
    memset(elsewhere, PATTERN, block->size + 16);
    ALL_SAY(NOT_INITIALISED, elsewhere, "garbage");
    memcpy(elsewhere, object, block->size);
    ALL_SAY(MOVED, elsewhere, "a copy");
    memcpy(elsewhere + 16, object, block->size);
    ALL_SAY(MOVED, elsewhere + 16, "a copy beside");

    // What an object begins with: tag, type and version, and a seal over all of them and the address.
    enum { TAG = 0, TYPE = 4, VERSION = 6, SEAL = 8, END = 16 };
    for (size_t at = 0; at < END; at++) {
        const gpusched_status expected = at < TYPE      ? GPUSCHED_STATUS_NOT_INITIALISED
                                         : at < VERSION ? GPUSCHED_STATUS_WRONG_TYPE
                                         : at < SEAL    ? GPUSCHED_STATUS_WRONG_VERSION
                                                        : GPUSCHED_STATUS_MOVED;
        const size_t seal = at < SEAL ? SEAL + at : at;
        const unsigned char kept[] = {object[at], object[seal]};
        object[at] ^= 0x10;
        if (at < SEAL) object[seal] ^= 0x10;
        all_say(functions, count, expected, object, "an object of another kind");
        object[at] = kept[0], object[seal] = kept[1];
    }
    memset(object + SEAL, 0, END - SEAL);
    ALL_SAY(NOT_INITIALISED, object, "an object without a seal");
    memset(object, 0, END);
    ALL_SAY(NOT_INITIALISED, object, "what was an object");
#undef ALL_SAY
    free(elsewhere);
}

#endif
