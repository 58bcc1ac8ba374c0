// Files that are no policies: what is wrong with the table is said when this is compiled.
#include <stddef.h>

#include "gpusched_plugin.h"

#ifndef SIZE
#define SIZE sizeof(gpusched_plugin)
#endif
#ifndef VERSION
#define VERSION GPUSCHED_PLUGIN_VERSION
#endif

static size_t state_size(const gpusched_plugin_machine *machine) {
    (void)machine;
    return 0;
}

#ifndef NOTHING
const gpusched_plugin *gpusched_plugin_table(void) {
    static const gpusched_plugin table = {.struct_size = SIZE, .version = VERSION, .name = "bad", .state_size = state_size};
    return &table;
}
#endif
