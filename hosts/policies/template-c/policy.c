// A scheduling policy of your own, in C: every TB to the open SMX with the most free threads.
//
//     cc -std=c99 -O2 -shared -fPIC -I../../../include policy.c -o libmine.so
//     gpusched compare bfs --sched fcfs,./libmine.so

#include <string.h>

#include "gpusched_plugin.h"

// What the policy keeps from cycle to cycle. It must not hold pointers if it is to be saved.
typedef struct {
    uint64_t sent;
} state;

static size_t state_size(const gpusched_plugin_machine *machine) {
    (void)machine;
    return sizeof(state);
}

// The state is zeroed. The answer is null, or why the policy cannot run so.
static const char *init(void *mine, const gpusched_plugin_machine *machine, const char *parameters) {
    (void)mine, (void)machine;
    return *parameters ? "it has no parameters" : NULL;
}

static int is_open(const gpusched_offer *offer, uint32_t smx) {
    return offer->open.words[smx / 64] >> (smx % 64) & 1;
}

// Offers come in the order of the host, the first one first. Nothing needs to be sent.
static void choose(void *mine, const gpusched_plugin_view *view, gpusched_plugin_choice *choice) {
    for (size_t i = 0; i < view->offers_count; i++) {
        uint32_t most = 0;
        for (uint32_t smx = 0; smx < view->n_smx; smx++) {
            if (!is_open(&view->offers[i], smx) || view->free[smx].threads <= most) continue;
            most = view->free[smx].threads;
            choice->offer = (uint32_t)i;
            choice->smx = smx;
        }
        if (choice->offer != GPUSCHED_NONE) {
            ((state *)mine)->sent++;
            return;
        }
    }
}

static size_t save(const void *mine, void *bytes, size_t capacity) {
    if (capacity >= sizeof(state)) memcpy(bytes, mine, sizeof(state));
    return sizeof(state);
}

static uint32_t restore(void *mine, const void *bytes, size_t size) {
    if (size != sizeof(state)) return 1;
    memcpy(mine, bytes, size);
    return 0;
}

const gpusched_plugin *gpusched_plugin_table(void) {
    static const gpusched_plugin table = {
        .struct_size = sizeof(gpusched_plugin),
        .version = GPUSCHED_PLUGIN_VERSION,
        .units = GPUSCHED_PLUGIN_FREE,
        .name = "most-threads",
        .state_size = state_size,
        .init = init,
        .choose = choose,
        .save = save,
        .restore = restore,
    };
    return &table;
}
