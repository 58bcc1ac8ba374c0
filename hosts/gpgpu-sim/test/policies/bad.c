// Files that are no policies: what is wrong with the table is said when this is compiled.
#include <stddef.h>

#include "gpusched_plugin.h"

#ifndef SIZE
#define SIZE sizeof(gpusched_plugin)
#endif
#ifndef VERSION
#define VERSION GPUSCHED_PLUGIN_VERSION
#endif
#ifndef UNITS
#define UNITS GPUSCHED_PLUGIN_CHAIN
#endif
#ifndef INIT
#define INIT init
#endif

static size_t state_size(const gpusched_plugin_machine *machine) {
    (void)machine;
    return 0;
}

static const char *init(void *state, const gpusched_plugin_machine *machine, const char *parameters) {
    (void)state, (void)machine, (void)parameters;
    return NULL;
}

static void choose(void *state, const gpusched_plugin_view *view, gpusched_plugin_choice *choice) {
    (void)state, (void)view, (void)choice;
}

#ifndef NOTHING
const gpusched_plugin *gpusched_plugin_table(void) {
    static const gpusched_plugin table = {
        .struct_size = SIZE, .version = VERSION, .name = "bad", .units = UNITS, .state_size = state_size, .init = INIT, .choose = choose};
    return &table;
}
#endif
