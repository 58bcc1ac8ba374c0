// Sheet `launch2`, used as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

static uint32_t u32_out;
static gpusched_device_launch launch;

OBJECT(gpusched_frontend_device_launch_named, 0, 0, &launch, 1, &u32_out)
OBJECT(gpusched_frontend_grid, 0, OUT)
OBJECT(gpusched_frontend_n_grid, &u32_out)
OBJECT(gpusched_frontend_grid_of, 0, &u32_out)
OBJECT(gpusched_frontend_grid_stats, OUT)

static const struct function functions[] = {
    F(gpusched_frontend_device_launch_named), F(gpusched_frontend_grid),       F(gpusched_frontend_n_grid),
    F(gpusched_frontend_grid_of),             F(gpusched_frontend_grid_stats),
};

// Named streams, three levels and three grids of the device.
static gpusched_frontend_config grid_config(void) {
    gpusched_frontend_config c = small_config();
    c.cdp2 = 1, c.cdp2_max_depth = 2, c.cdp2_grids = 3;
    return c;
}

static void objects(void) {
    const gpusched_frontend_config c = grid_config();
    struct machine m = build(&c);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

// Without named streams there is none of it.
static void others(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    watch(&m);
    IS(NO_CDP2, gpusched_frontend_device_launch_named(m.fe, 0, 0, &launch, 1, NULL));
    IS(BAD_INDEX, gpusched_frontend_grid(m.fe, 0, OUT));
    IS(OK, gpusched_frontend_n_grid(m.fe, &u32_out));
    TRUE(u32_out == 0);
    IS(OK, gpusched_frontend_grid_of(m.fe, 0, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NO_CDP2, gpusched_frontend_grid_stats(m.fe, OUT));
    unwatch();
    discard(&m);
}

// Streams that there are not, kernels that are too deep or too many, and pointers that lead nowhere.
static void arguments(void) {
    const gpusched_frontend_config c = grid_config();
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    IS(OK, gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    IS(OK, gpusched_frontend_tick(fe, NULL));
    TRUE(read_all(fe) > 0);
    watch(&m);
    gpusched_device_launch four[4];
    for (size_t i = 0; i < COUNT(four); i++) four[i] = (gpusched_device_launch){kernel, (uint32_t)i};
    IS(NULL, gpusched_frontend_device_launch_named(fe, 0, 0, NULL, 1, NULL));
    IS(MISALIGNED, gpusched_frontend_device_launch_named(fe, 0, 0, ODD(four), 1, NULL));
    IS(BAD_SMX, gpusched_frontend_device_launch_named(fe, c.n_smx, 0, four, 1, NULL));
    IS(NO_TB, gpusched_frontend_device_launch_named(fe, 1, 0, four, 1, NULL));
    IS(BAD_COUNT, gpusched_frontend_device_launch_named(fe, 0, 0, four, 0, NULL));
    IS(BAD_STREAM, gpusched_frontend_device_launch_named(fe, 0, 0, four, 3, NULL));
    four[1].kernel.grid.x = 0;
    IS(EMPTY_GRID, gpusched_frontend_device_launch_named(fe, 0, 0, four, 3, NULL));
    four[1].kernel.grid.x = 1, four[2].stream = four[3].stream = 0;
    IS(PENDING_LIMIT, gpusched_frontend_device_launch_named(fe, 0, 0, four, 4, NULL));
    IS(NO_JOIN, gpusched_frontend_suspend(fe, 99, NULL));
    IS(NO_DTBL, gpusched_frontend_agg_launch(fe, 0, 0, &group, 1, NULL));
    unwatch();

    uint32_t records[2];
    IS(OK, gpusched_frontend_device_launch_named(fe, 0, 0, four, 2, records));
    gpusched_record record;
    IS(OK, gpusched_frontend_record(fe, records[1], &record));
    TRUE(record.state == GPUSCHED_RECORD_STATE_TAIL && record.depth == 1);
    gpusched_grid grid;
    IS(OK, gpusched_frontend_grid_of(fe, 0, &u32_out));
    IS(OK, gpusched_frontend_grid(fe, u32_out, &grid));
    TRUE(grid.kids == 1 && grid.tails == 1 && grid.queue == 0 && grid.parent == GPUSCHED_NONE && !grid.is_ended);
    watch(&m);
    IS(OK, gpusched_frontend_n_grid(fe, &u32_out));
    IS(BAD_INDEX, gpusched_frontend_grid(fe, u32_out, &grid));
    IS(BAD_INDEX, gpusched_frontend_grid(fe, UINT32_MAX, &grid));
    IS(NULL, gpusched_frontend_grid(fe, 0, NULL));
    IS(OK, gpusched_frontend_grid_of(fe, c.n_kde, &u32_out));
    TRUE(u32_out == GPUSCHED_NONE);
    IS(NULL, gpusched_frontend_grid_of(fe, 0, NULL));
    IS(NULL, gpusched_frontend_grid_stats(fe, NULL));
    unwatch();
    discard(&m);
}

// What a configuration with named streams must be.
static void configurations(void) {
    gpusched_parameter wrong;
    gpusched_frontend_config c = small_config();
    c.flush_cycles = 1;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "flush_cycles") == 0);
    c.cdp2 = 1;
    IS(OK, gpusched_frontend_config_check(&c, &wrong));
    c.cdp2_max_depth = 256;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "max_depth") == 0 && wrong.value == 256 && wrong.max == 255);
    c.cdp2_max_depth = 1, c.policy = GPUSCHED_POLICY_LA_PERM;
    IS(LAUNCH2_WITH_LAPERM, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "cdp2") == 0);
}

int main(void) {
    objects();
    others();
    arguments();
    configurations();
    puts("all as promised");
    return EXIT_SUCCESS;
}
