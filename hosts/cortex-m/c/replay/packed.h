// Packed golden vectors, as ../../packed/src/lib.rs describes them: reading, the records of an answer, and the machines that take events.
#ifndef PACKED_H
#define PACKED_H

#include <gpusched.h>
#include <stdbool.h>
#include <stddef.h>

#include "packed_numbers.h"

// There is no libc. The compiler wants these functions all the same, and libgpusched has them.
void *memcpy(void *to, const void *from, size_t count);
void *memset(void *to, int byte, size_t count);

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "records are compared as they lie in memory");

// What is left of a file. Reading beyond its end gives zeros and marks it as damaged.
typedef struct {
    const uint8_t *at, *end;
    bool is_damaged;
} reader;

// The next bytes, or null.
const uint8_t *read_bytes(reader *from, size_t count);
uint8_t read_u8(reader *from);
uint16_t read_u16(reader *from);
uint32_t read_u32(reader *from);
uint64_t read_u64(reader *from);
// A struct of C whose fields follow each other.
void read_struct(reader *from, void *to, size_t size);
// A list of numbers of one size, in memory that is given back with the event; `count` says how many.
const void *read_list(reader *from, size_t size, size_t *count);

// Memory that is given back with the event, at an alignment of 8; null, and the file marked, if there is not so much.
void *scratch(reader *from, size_t size);

// The records of an answer: as many as were put since the event began.
extern uint8_t records[65536];
extern size_t records_length;
void begin_event(void);
void put_bytes(const void *bytes, size_t count);
// A record up to and including its last field, so without what pads it at the end.
#define PUT(record, last) put_bytes(&(record), offsetof(__typeof__(record), last) + sizeof(record).last)
#define PUT_NUMBER(number) put_bytes(&(number), sizeof(number))
// A list: how many, and so many items of one size.
void put_list(const void *list, size_t count, size_t size);
// A text; null is an empty one.
void put_text(const char *text);

// Within a case of a switch over events: the numbers that come next, as fields of `in`.
#define IN(...)                            \
    struct __attribute__((packed)) {       \
        __VA_ARGS__;                       \
    } in;                                  \
    read_struct(from, &in, sizeof in)
// The struct that comes next.
#define ARGUMENT(type, name) \
    type name;               \
    read_struct(from, &name, sizeof name)
// The same, of a struct that is padded behind its last field.
#define RECORD(type, name, last) \
    type name;                   \
    read_struct(from, &name, offsetof(type, last) + sizeof name.last)
// The list that comes next, and how many items it has.
#define LIST(type, name, count) \
    size_t count;               \
    const type *name = read_list(from, sizeof *name, &count)
// Ends the event with a call that writes `out`, which has no padding and is the answer.
#define ANSWER(type, call)                                \
    do {                                                  \
        type out;                                         \
        const gpusched_status status = (call);            \
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(out); \
        return status;                                    \
    } while (0)
// Events that need no machine, and among them those of graphs.
gpusched_status graph_function(uint8_t op, reader *from);
// What is no event at all.
gpusched_status unknown_event(reader *from);

// A machine, reached through the C interface.
typedef struct {
    gpusched_status (*layout)(const void *config, gpusched_layout *layout);
    gpusched_status (*init)(void *storage, size_t size, const void *config, void **object);
    gpusched_status (*save)(const void *object, void *image, size_t capacity, size_t *size);
    gpusched_status (*restore)(void *object, const void *image, size_t size);
    // Carries out an event whose arguments are read from `from`, and puts the records of its answer.
    gpusched_status (*event)(void *object, uint8_t op, reader *from);
} machine_type;

extern const machine_type frontend_machine, laperm_machine, bubble_machine, dgb_machine, functions_machine, coalescer_machine, stack_machine,
    scoreboard_machine, monte_machine, catalogue_machine, mascar_machine, apogee_machine, equalizer_sm_machine, equalizer_fm_machine, tlp_machine,
    tlp_sm_machine, tlp_pool_machine, tlp_leftover_machine, tlp_smart_even_machine, tlp_smc_machine;

// The analytical models, which are functions without an object.
gpusched_status models_event(uint8_t op, reader *from);
// All functions without an object: what is no event of a machine may be one.
gpusched_status function_event(uint8_t op, reader *from);

// What keeps nothing has an image all the same: four zeros, the checksum of its state.
gpusched_status save_nothing(const void *object, void *image, size_t capacity, size_t *size);
gpusched_status restore_nothing(void *object, const void *image, size_t size);

// Defines one of them: the functions of all have the same names.
#define MACHINE_TYPE(name)                                                                                         \
    static gpusched_status name##_layout(const void *config, gpusched_layout *layout) {                           \
        return gpusched_##name##_layout(config, layout);                                                           \
    }                                                                                                              \
    static gpusched_status name##_init(void *storage, size_t size, const void *config, void **object) {           \
        gpusched_##name *built = NULL;                                                                             \
        const gpusched_status status = gpusched_##name##_init(storage, size, config, &built);                      \
        *object = built;                                                                                           \
        return status;                                                                                             \
    }                                                                                                              \
    static gpusched_status name##_save(const void *object, void *image, size_t capacity, size_t *size) {          \
        return gpusched_##name##_save(object, image, capacity, size);                                              \
    }                                                                                                              \
    static gpusched_status name##_restore(void *object, const void *image, size_t size) {                         \
        return gpusched_##name##_restore(object, image, size);                                                     \
    }                                                                                                              \
    const machine_type name##_machine = {name##_layout, name##_init, name##_save, name##_restore, name##_event}

// The same, of a machine that is no object but its configuration, whose functions keep nothing.
#define CONFIG_TYPE(name)                                                                                          \
    static gpusched_status name##_layout(const void *config, gpusched_layout *layout) {                           \
        *layout = (gpusched_layout){.size = sizeof(gpusched_##name##_config), .align = _Alignof(gpusched_##name##_config)}; \
        return gpusched_##name##_config_check(config, NULL);                                                       \
    }                                                                                                              \
    static gpusched_status name##_init(void *storage, size_t size, const void *config, void **object) {           \
        (void)size;                                                                                                \
        *object = memcpy(storage, config, sizeof(gpusched_##name##_config));                                       \
        return GPUSCHED_STATUS_OK;                                                                                 \
    }                                                                                                              \
    const machine_type name##_machine = {name##_layout, name##_init, save_nothing, restore_nothing, name##_event}

#endif
