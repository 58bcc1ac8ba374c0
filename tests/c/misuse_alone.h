// What every machine that stands alone must refuse alike: configurations, storage, images. Written for a machine whose functions
// have these names: CONFIG, CONFIG_INIT, CONFIG_CHECK, PARAMETER, LAYOUT, INIT, STORAGE, STORAGE_BITS, MACHINE, GET_CONFIG,
// IMAGE_SIZE, IMAGE_CONFIG, SAVE, RESTORE.
#include "misuse_objects.h"

// What the configuration has gained since its first form, in bytes. A program of that time may still say how long it was then.
#ifndef GAINED
#define GAINED 0
#endif

// A parameter that cannot be UINT32_MAX, if the first one can.
#ifndef BAD_FIELD
#define BAD_FIELD 0
#endif

// A machine between guards.
struct machine {
    struct block block;
    MACHINE *object;
};

static CONFIG preset(void) {
    CONFIG c;
    IS(OK, CONFIG_INIT(&c, sizeof c));
    return c;
}

static struct machine build(const CONFIG *config) {
    gpusched_layout layout;
    IS(OK, LAYOUT(config, &layout));
    struct machine m = {block_of(layout), NULL};
    IS(OK, INIT(storage_in(&m.block), layout.size, config, &m.object));
    TRUE((void *)m.object == (void *)storage_in(&m.block));
    return m;
}

static void set(CONFIG *config, size_t offset, uint32_t value) {
    memcpy((char *)config + offset, &value, sizeof value);
}

static void configurations(void) {
    CONFIG c;
    gpusched_parameter p;
    gpusched_layout layout;
    STORAGE bits;
    const size_t size = sizeof c;

    IS(NULL, CONFIG_INIT(NULL, size));
    IS(MISALIGNED, CONFIG_INIT(ODD(&c), size));
    const size_t bad_sizes[] = {0, 1, size - GAINED - 4, size - 1, size + 1, size + 2, 4100, SIZE_MAX - 3};
    for (size_t i = 0; i < COUNT(bad_sizes); i++) IS(BAD_STRUCT_SIZE, CONFIG_INIT(&c, bad_sizes[i]));
    IS(OK, CONFIG_INIT(&c, size));
    IS(OK, CONFIG_CHECK(&c, NULL));
    IS(OK, STORAGE_BITS(&c, &bits));

    // Each reader of a configuration.
    IS(NULL, CONFIG_CHECK(NULL, NULL));
    IS(NULL, LAYOUT(NULL, &layout));
    IS(NULL, LAYOUT(&c, NULL));
    IS(NULL, STORAGE_BITS(NULL, &bits));
    IS(NULL, STORAGE_BITS(&c, NULL));
    IS(MISALIGNED, CONFIG_CHECK(ODD(&c), NULL));
    IS(MISALIGNED, LAYOUT(ODD(&c), &layout));
    IS(MISALIGNED, LAYOUT(&c, ODD(&layout)));
    IS(MISALIGNED, STORAGE_BITS(ODD(&c), &bits));
    IS(MISALIGNED, STORAGE_BITS(&c, ODD(&bits)));
    for (size_t i = 0; i < COUNT(bad_sizes); i++) {
        c.struct_size = (uint32_t)bad_sizes[i];
        IS(BAD_STRUCT_SIZE, CONFIG_CHECK(&c, &p));
        IS(BAD_STRUCT_SIZE, LAYOUT(&c, &layout));
        IS(BAD_STRUCT_SIZE, STORAGE_BITS(&c, &bits));
    }

    // A struct of a newer header: what this library does not know must be 0.
    struct {
        CONFIG known;
        uint32_t newer[3];
    } longer;
    memset(&longer, PATTERN, sizeof longer);
    IS(OK, CONFIG_INIT(&longer.known, sizeof longer));
    TRUE(longer.newer[0] == 0 && longer.newer[2] == 0);
    IS(OK, CONFIG_CHECK(&longer.known, NULL));
    IS(OK, LAYOUT(&longer.known, &layout));
    longer.newer[2] = 1;
    IS(WRONG_VERSION, CONFIG_CHECK(&longer.known, &p));
    IS(WRONG_VERSION, LAYOUT(&longer.known, &layout));
    IS(WRONG_VERSION, STORAGE_BITS(&longer.known, &bits));

    // Every parameter beyond each end of its range.
    uint32_t n = 0;
    for (; PARAMETER(n, &p) == GPUSCHED_STATUS_OK; n++) {
        const gpusched_parameter told = p;
        const uint32_t values[] = {told.min - 1, told.max + 1, kEverything};
        for (size_t i = 0; i < COUNT(values); i++) {
            if (values[i] >= told.min && values[i] <= told.max) continue;
            c = preset();
            set(&c, numbers[n], values[i]);
            IS(BAD_CONFIG, CONFIG_CHECK(&c, &p));
            TRUE(strcmp(p.name, told.name) == 0 && p.value == values[i] && p.min == told.min && p.max == told.max);
            IS(BAD_CONFIG, LAYOUT(&c, &layout));
            IS(BAD_CONFIG, STORAGE_BITS(&c, &bits));
        }
    }
    TRUE(n > 1 && n == COUNT(numbers));
    IS(BAD_INDEX, PARAMETER(n, &p));
    IS(BAD_INDEX, PARAMETER(kEverything, &p));
    IS(NULL, PARAMETER(0, NULL));
    IS(MISALIGNED, PARAMETER(0, ODD(&p)));

    // Enumerations and flags.
    for (size_t i = 0; choices[i] != 0; i++) {
        c = preset();
        set(&c, choices[i], 40);
        IS(BAD_CONFIG, CONFIG_CHECK(&c, &p));
        TRUE(p.value == 40 && p.min == 0 && p.max < 40);
    }
    IS(MISALIGNED, CONFIG_CHECK(&c, ODD(&p)));
}

static void storage(void) {
    const CONFIG c = preset();
    CONFIG bad = c;
    MACHINE *object = NULL;
    gpusched_layout layout;
    IS(OK, LAYOUT(&c, &layout));
    printf("the preset: %zu bytes\n", layout.size);
    unsigned char *block = malloc(layout.size + 1);
    TRUE(block != NULL);
    memset(block, PATTERN, layout.size + 1);
    IS(NULL, INIT(NULL, layout.size, &c, &object));
    IS(NULL, INIT(block, layout.size, NULL, &object));
    IS(NULL, INIT(block, layout.size, &c, NULL));
    IS(MISALIGNED, INIT(block + 1, layout.size, &c, &object));
    IS(MISALIGNED, INIT(block, layout.size, ODD(&c), &object));
    IS(MISALIGNED, INIT(block, layout.size, &c, ODD(&object)));
    IS(STORAGE_TOO_SMALL, INIT(block, layout.size - 1, &c, &object));
    IS(STORAGE_TOO_SMALL, INIT(block, 0, &c, &object));
    bad.struct_size = 8;
    IS(BAD_STRUCT_SIZE, INIT(block, layout.size, &bad, &object));
    bad = c, set(&bad, numbers[BAD_FIELD], kEverything);
    IS(BAD_CONFIG, INIT(block, layout.size, &bad, &object));
    TRUE(object == NULL);
    for (size_t i = 0; i <= layout.size; i++) TRUE(block[i] == PATTERN);
    free(block);
}

// Images of a machine that is not new; `same` is a new one, `other` has another configuration. Afterwards `same` is what `m` is.
static void images_of(struct machine *m, struct machine *same, struct machine *other) {
    size_t size, told_size;
    CONFIG told;
    IS(OK, IMAGE_SIZE(m->object, &size));
    unsigned char *const image = malloc(size), *const damaged = malloc(size + 1);
    TRUE(image != NULL && damaged != NULL);

    watch_block(&m->block);
    IS(NULL, SAVE(m->object, NULL, 1, &told_size));
    IS(NULL, SAVE(m->object, image, size, NULL));
    IS(MISALIGNED, SAVE(m->object, image, size, ODD(&told_size)));
    IS(IMAGE_TOO_SMALL, SAVE(m->object, NULL, 0, &told_size));
    TRUE(told_size == size);
    IS(IMAGE_TOO_SMALL, SAVE(m->object, image, size - 1, &told_size));
    TRUE(told_size == size);
    IS(OK, SAVE(m->object, image, size, &told_size));
    unwatch();

    IS(OK, IMAGE_CONFIG(image, size, &told, sizeof told));
    // The first parameter of every machine's small configuration.
    uint32_t first;
    memcpy(&first, (const char *)&told + sizeof first, sizeof first);
    TRUE(first == 4);
    IS(NULL, IMAGE_CONFIG(NULL, size, &told, sizeof told));
    IS(NULL, IMAGE_CONFIG(image, size, NULL, sizeof told));
    IS(MISALIGNED, IMAGE_CONFIG(image, size, ODD(&told), sizeof told));
    IS(BAD_STRUCT_SIZE, IMAGE_CONFIG(image, size, &told, 4));
    IS(IMAGE_TRUNCATED, IMAGE_CONFIG(image, 0, &told, sizeof told));
    IS(CAPACITY, IMAGE_CONFIG(image, SIZE_MAX, &told, sizeof told));

    watch_block(&same->block);
    for (size_t n = 0; n < size; n++) {
        // At the end of its memory, so that a read behind it is found.
        unsigned char *const prefix = malloc(n + 1);
        TRUE(prefix != NULL);
        memcpy(prefix, image, n);
        TRUE(RESTORE(same->object, prefix, n) != GPUSCHED_STATUS_OK);
        TRUE(IMAGE_CONFIG(prefix, n, &told, sizeof told) != GPUSCHED_STATUS_OK);
        free(prefix);
        memcpy(damaged, image, size);
        damaged[n] ^= 0x40;
        TRUE(RESTORE(same->object, damaged, size) != GPUSCHED_STATUS_OK);
        TRUE(memcmp(watched.copy, watched.bytes, watched.size) == 0);
    }
    memset(damaged, PATTERN, size);
    IS(NOT_AN_IMAGE, RESTORE(same->object, damaged, size));
    IS(IMAGE_TRUNCATED, RESTORE(same->object, image, size - 1));
    IS(IMAGE_TRUNCATED, RESTORE(same->object, NULL, 0));
    IS(NULL, RESTORE(same->object, NULL, 100));
    IS(CAPACITY, RESTORE(same->object, image, SIZE_MAX));
    unwatch();
    watch_block(&other->block);
    IS(IMAGE_OTHER, RESTORE(other->object, image, size));
    unwatch();

    // At an odd address, too.
    memcpy(damaged + 1, image, size);
    IS(OK, RESTORE(same->object, damaged + 1, size));
    IS(OK, SAVE(same->object, damaged, size, &told_size));
    TRUE(told_size == size && memcmp(damaged, image, size) == 0);
    free(image), free(damaged);
}
