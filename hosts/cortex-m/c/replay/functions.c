// Functions without a machine: the analytical models, random numbers, and what comes with the dependency-graph buffer.
#include "packed.h"

void put_text(const char *text) {
    size_t length = 0;
    while (text != NULL && text[length] != '\0') length++;
    put_list(text, length, 1);
}

gpusched_status function_event(uint8_t op, reader *from) {
    switch (op) {
    case OP_MONTE_RNG: {
        IN(uint64_t seed, below; uint32_t run, count);
        uint64_t *numbers = scratch(from, in.count * sizeof *numbers);
        if (from->is_damaged) return GPUSCHED_STATUS_OK;
        const gpusched_status status = gpusched_monte_rng(in.seed, in.run, in.below, numbers, in.count);
        if (status == GPUSCHED_STATUS_OK) put_list(numbers, in.count, sizeof *numbers);
        return status;
    }
    case OP_DGB_NEW:
    case OP_DGB_STORAGE:
    case OP_ADMIT:
    case OP_BUILD: return graph_function(op, from);
    default: return models_event(op, from);
    }
}

static gpusched_status functions_event(void *object, uint8_t op, reader *from) {
    (void)object;
    return function_event(op, from);
}

static gpusched_status functions_layout(const void *config, gpusched_layout *layout) {
    (void)config;
    *layout = (gpusched_layout){.size = 0, .align = 1};
    return GPUSCHED_STATUS_OK;
}

static gpusched_status functions_init(void *storage, size_t size, const void *config, void **object) {
    (void)size, (void)config;
    *object = storage;
    return GPUSCHED_STATUS_OK;
}

const machine_type functions_machine = {functions_layout, functions_init, save_nothing, restore_nothing,
                                        functions_event};
