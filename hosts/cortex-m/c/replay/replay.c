// Replays the packed golden vectors through the C interface and prints how many passed, and every failure by name and event. Ends with 0
// only if none failed.
//
// Each machine is built from its configuration and must have the state that the file says; then each event must have its status, its
// records and the state behind it. Half-way the machine is saved and restored into another block, and goes on there.
#include "../board.h"
#include "packed.h"

// The file, which vectors.S includes.
extern const uint8_t vectors_start[], vectors_end[];

// Where the machine is, and where it goes half-way.
#define BLOCK (1u << 20)
static union {
    uint64_t align;
    uint8_t bytes[BLOCK];
} blocks[2];
static uint8_t image[1u << 19];

static uint32_t passed, events_passed, failed, skipped;

// Not one byte of the records, but all there is.
#define WHOLE UINT32_MAX

// How far a vector has come, for the report of a failure.
typedef struct {
    const uint8_t *name;
    uint8_t name_length;
    bool is_built;
    uint32_t event;
    uint8_t op;
} place;

static void say_name(const place *at) {
    for (const uint8_t *c = at->name; c < at->name + at->name_length; c++) say((const char[]){(char)*c, '\0'});
    say(": ");
}

static void differs(const place *at, const char *what, uint32_t expected, uint32_t got, uint32_t byte) {
    failed++;
    say_name(at);
    if (at->is_built) {
        say("event ");
        say_number(at->event);
        say(", op ");
        say_number(at->op);
    } else {
        say("building");
    }
    say(": ");
    say(what);
    if (byte != WHOLE) say_number(byte);
    say(": expected ");
    say_hex(expected);
    say(", got ");
    say_hex(got);
    say("\n");
}

static void skip(const place *at, const char *why, size_t length) {
    skipped++;
    say_name(at);
    say("skipped: ");
    for (size_t i = 0; i < length; i++) say((const char[]){why[i], '\0'});
    say("\n");
}

// The checksum of a machine's image: its last word. Where it cannot be saved, what no image has as its length.
static uint32_t state_of(const machine_type *machine, const void *object, size_t *length) {
    uint32_t sum = 0;
    *length = 0;
    if (machine->save(object, image, sizeof image, length) == GPUSCHED_STATUS_OK) memcpy(&sum, image + *length - 4, 4);
    return sum;
}

static void replay_on(const machine_type *machine, place *at, reader *from) {
    static union {
        uint32_t align;
        uint8_t bytes[1024];
    } config;
    read_bytes(from, read_u16(from)); // The form for Rust.
    const uint16_t config_size = read_u16(from);
    if (config_size > sizeof config) {
        from->is_damaged = true;
        return;
    }
    read_struct(from, &config, config_size);
    uint32_t expected = read_u16(from);

    gpusched_layout layout;
    void *object = NULL;
    gpusched_status status = machine->layout(&config, &layout);
    if (status == GPUSCHED_STATUS_OK) {
        static const char no_memory[] = "its machine takes more memory than there is";
        if (layout.size > BLOCK) {
            skip(at, no_memory, sizeof no_memory - 1);
            return;
        }
        status = machine->init(&blocks[0], BLOCK, &config, &object);
    }
    if (status != expected) {
        differs(at, "status", expected, status, WHOLE);
        return;
    }
    if (status != GPUSCHED_STATUS_OK) {
        passed++;
        return;
    }
    size_t length;
    uint32_t state = state_of(machine, object, &length);
    expected = read_u32(from);
    if (state != expected) {
        differs(at, "state", expected, state, WHOLE);
        return;
    }
    at->is_built = true;
    bool is_restored = false;
    const uint32_t events = read_u16(from);
    for (at->event = 0; at->event < events; at->event++) {
        at->op = read_u8(from);
        begin_event();
        status = machine->event(object, at->op, from);
        expected = read_u16(from);
        const uint16_t count = read_u16(from);
        const uint8_t *bytes = read_bytes(from, count);
        if (from->is_damaged) return;
        if (status != expected) {
            differs(at, "status", expected, status, WHOLE);
            return;
        }
        if (records_length != count) {
            differs(at, "bytes of records", count, (uint32_t)records_length, WHOLE);
            return;
        }
        for (uint32_t i = 0; i < count; i++) {
            if (records[i] == bytes[i]) continue;
            differs(at, "records, byte ", bytes[i], records[i], i);
            return;
        }
        // From the middle on, at the first event behind which it can be saved.
        if (!is_restored && at->event >= events / 2 && (state_of(machine, object, &length), length > 0)) {
            is_restored = true;
            status = machine->init(&blocks[1], BLOCK, &config, &object);
            if (status == GPUSCHED_STATUS_OK) status = machine->restore(object, image, length);
            if (status != GPUSCHED_STATUS_OK) {
                differs(at, "restoring", GPUSCHED_STATUS_OK, status, WHOLE);
                return;
            }
        }
        state = state_of(machine, object, &length);
        expected = read_u32(from);
        if (state != expected) {
            differs(at, "state", expected, state, WHOLE);
            return;
        }
    }
    passed++;
    events_passed += events;
}

static void replay(reader *from) {
    place at = {0};
    at.name_length = (uint8_t)read_u16(from);
    at.name = read_bytes(from, at.name_length);
    static const machine_type *const machines[] = {
        [MACHINE_FRONTEND] = &frontend_machine,
        [MACHINE_LAPERM] = &laperm_machine,
        [MACHINE_BUBBLE] = &bubble_machine,
        [MACHINE_DGB] = &dgb_machine,
        [MACHINE_FUNCTIONS] = &functions_machine,
        [MACHINE_COALESCER] = &coalescer_machine,
        [MACHINE_STACK] = &stack_machine,
        [MACHINE_SCOREBOARD] = &scoreboard_machine,
        [MACHINE_MONTE] = &monte_machine,
        [MACHINE_MASCAR] = &mascar_machine,
        [MACHINE_APOGEE] = &apogee_machine,
        [MACHINE_EQUALIZER_SM] = &equalizer_sm_machine,
        [MACHINE_EQUALIZER_FM] = &equalizer_fm_machine,
        [MACHINE_TLP_FIT] = &tlp_machine,
        [MACHINE_TLP_SM] = &tlp_sm_machine,
        [MACHINE_TLP_POOL] = &tlp_pool_machine,
        [MACHINE_TLP_LEFTOVER] = &tlp_leftover_machine,
        [MACHINE_TLP_SMART_EVEN] = &tlp_smart_even_machine,
        [MACHINE_TLP_SMC] = &tlp_smc_machine,
    };
    const uint8_t number = read_u8(from);
    if (number == MACHINE_NOT_PACKED) {
        const uint16_t length = read_u16(from);
        const char *why = (const char *)read_bytes(from, length);
        if (!from->is_damaged) skip(&at, why, length);
        return;
    }
    if (number >= sizeof machines / sizeof *machines) from->is_damaged = true;
    if (!from->is_damaged) replay_on(machines[number], &at, from);
}

int main(void) {
    reader file = {vectors_start, vectors_end, false};
    bool is_damaged = read_u32(&file) != PACKED_MAGIC || read_u32(&file) != PACKED_VERSION;
    for (uint32_t left = read_u32(&file); left > 0 && !is_damaged; left--) {
        const uint32_t length = read_u32(&file);
        reader vector = {file.at, file.at + length, false};
        is_damaged = read_bytes(&file, length) == NULL;
        if (!is_damaged) {
            replay(&vector);
            is_damaged = vector.is_damaged;
        }
    }
    if (is_damaged) say("the packed vectors are damaged\n");
    say(board_name);
    say(": C: ");
    say_number(passed);
    say(" passed (");
    say_number(events_passed);
    say(" events), ");
    say_number(failed);
    say(" failed, ");
    say_number(skipped);
    say(" skipped\n");
    say(board_name);
    say(": C: stack ");
    say_number(stack_high_water());
    say(" bytes\n");
    return is_damaged || failed > 0 || passed == 0;
}
