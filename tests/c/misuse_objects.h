// Calls on objects that are none.
#ifndef MISUSE_OBJECTS_H
#define MISUSE_OBJECTS_H

#include "misuse.h"

// Places for results of any function.
static union {
    uint64_t align;
    unsigned char bytes[1 << 17];
} out;
#define OUT ((void *)&out)

// An entry of a node array.
#define NODE(start, childless, parents, level) \
    ((uint64_t)(start) | (uint64_t)(childless) << 31 | (uint64_t)(parents) << 32 | (uint64_t)(level) << 48)

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
