// Policies that do harm: `never` answers nothing, `nonsense` names offers and SMXs at random, whether there are such or not, and wants to
// be asked again in the past.
#include <stddef.h>
#include <string.h>

#include "gpusched_plugin.h"

typedef struct {
    uint64_t x;
    uint32_t talks;
} state;

static size_t state_size(const gpusched_plugin_machine *machine) {
    (void)machine;
    return sizeof(state);
}

static const char *init(void *mine, const gpusched_plugin_machine *machine, const char *parameters) {
    (void)machine;
    ((state *)mine)->talks = strcmp(parameters, "nonsense") == 0;
    return ((state *)mine)->talks || strcmp(parameters, "never") == 0 ? NULL : "never or nonsense";
}

static void choose(void *mine, const gpusched_plugin_view *view, gpusched_plugin_choice *choice) {
    state *s = mine;
    if (!s->talks) return;
    s->x = s->x * 6364136223846793005u + 1442695040888963407u;
    const uint32_t draw = (uint32_t)(s->x >> 33);
    if (draw % 4 == 0) {
        choice->wake = view->now / 2;
        return;
    }
    choice->offer = draw % 64 == 1 ? 0x7fffffff : (draw >> 6) % ((uint32_t)view->offers_count + 1);
    choice->smx = draw % 64 == 2 ? 0xffffffff : (draw >> 16) % (view->n_smx + 1);
}

const gpusched_plugin *gpusched_plugin_table(void) {
    static const gpusched_plugin table = {
        .struct_size = sizeof(gpusched_plugin),
        .version = GPUSCHED_PLUGIN_VERSION,
        .units = GPUSCHED_PLUGIN_FREE,
        .name = "wrong",
        .state_size = state_size,
        .init = init,
        .choose = choose,
    };
    return &table;
}
