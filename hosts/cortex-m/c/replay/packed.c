#include "packed.h"

// ---- reading

const uint8_t *read_bytes(reader *from, size_t count) {
    if (from->is_damaged || (size_t)(from->end - from->at) < count) {
        from->is_damaged = true;
        return NULL;
    }
    const uint8_t *bytes = from->at;
    from->at += count;
    return bytes;
}

void read_struct(reader *from, void *to, size_t size) {
    const uint8_t *bytes = read_bytes(from, size);
    if (bytes == NULL) {
        memset(to, 0, size);
    } else {
        memcpy(to, bytes, size);
    }
}

#define READ(name, type)                          \
    type name(reader *from) {                     \
        type number;                              \
        read_struct(from, &number, sizeof number); \
        return number;                            \
    }
READ(read_u8, uint8_t)
READ(read_u16, uint16_t)
READ(read_u32, uint32_t)
READ(read_u64, uint64_t)

const void *read_list(reader *from, size_t size, size_t *count) {
    *count = read_u16(from);
    void *list = scratch(from, *count * size);
    if (list == NULL) {
        *count = 0;
    } else {
        read_struct(from, list, *count * size);
    }
    return list;
}

// ---- memory that is given back with each event

static union {
    uint64_t align;
    uint8_t bytes[256 * 1024];
} memory;
static size_t used;

void *scratch(reader *from, size_t size) {
    const size_t start = used;
    size = (size + 7) & ~(size_t)7;
    if (size > sizeof memory - start) {
        from->is_damaged = true;
        return NULL;
    }
    used += size;
    return memory.bytes + start;
}

// ---- answers

uint8_t records[65536];
size_t records_length;

void put_bytes(const void *bytes, size_t count) {
    // What finds no room makes the answer longer than any that is expected.
    if (count <= sizeof records - records_length) memcpy(records + records_length, bytes, count);
    records_length += count;
}

void put_list(const void *list, size_t count, size_t size) {
    const uint16_t items = (uint16_t)count;
    PUT_NUMBER(items);
    put_bytes(list, count * size);
}

gpusched_status unknown_event(reader *from) {
    from->is_damaged = true;
    return GPUSCHED_STATUS_OK;
}

gpusched_status save_nothing(const void *object, void *image, size_t capacity, size_t *size) {
    (void)object, (void)capacity;
    memset(image, 0, 4);
    *size = 4;
    return GPUSCHED_STATUS_OK;
}

gpusched_status restore_nothing(void *object, const void *image, size_t size) {
    (void)object, (void)image, (void)size;
    return GPUSCHED_STATUS_OK;
}

void begin_event(void) {
    used = 0;
    records_length = 0;
}
