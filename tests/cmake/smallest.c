// The smallest host: a GPU of 8 SMXs in a static array runs one kernel of 100 thread blocks, each of which ends at once.
// Needs no libc, so that the same file is built for a desktop and for a microcontroller. Ends with 0 if all TBs ran.
#include <gpusched.h>

#define TBS 100u

static union {
    uint64_t align;
    unsigned char bytes[64 * 1024];
} storage;

// How much of the storage is used.
gpusched_layout layout;

int main(void) {
    if (gpusched_abi_version() != GPUSCHED_ABI_VERSION) return 1;

    gpusched_frontend_config config;
    if (gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C) != GPUSCHED_STATUS_OK) return 2;
    config.n_smx = 8;
    config.n_hwq = 4;
    config.hwq_depth = 4;
    config.agt_size = 64;
    config.pend_limit = 64;

    gpusched_frontend *gpu;
    if (gpusched_frontend_layout(&config, &layout) != GPUSCHED_STATUS_OK) return 3;
    if (gpusched_frontend_init(&storage, sizeof storage, &config, &gpu) != GPUSCHED_STATUS_OK) return 4;

    gpusched_kernel kernel = {.pc = 0x400, .grid = {TBS, 1, 1}, .tb = {256, 1, 1}};
    if (gpusched_frontend_host_launch(gpu, 0, &kernel, 0, NULL) != GPUSCHED_STATUS_OK) return 5;

    uint32_t ran = 0;
    for (uint32_t status = GPUSCHED_FRONTEND_STATUS_RUNNING; status != GPUSCHED_FRONTEND_STATUS_DRAINED;) {
        gpusched_decision decision;
        size_t count;
        if (gpusched_frontend_tick(gpu, NULL) != GPUSCHED_STATUS_OK) return 6;
        while (gpusched_frontend_read(gpu, &decision, 1, &count) == GPUSCHED_STATUS_OK && count == 1) {
            if (decision.kind != GPUSCHED_DECISION_KIND_TB) continue;
            if (gpusched_frontend_tb_done(gpu, decision.smx, decision.slot) != GPUSCHED_STATUS_OK) return 7;
            ran++;
        }
        if (gpusched_frontend_get_status(gpu, &status) != GPUSCHED_STATUS_OK) return 8;
    }
    return ran == TBS ? 0 : 9;
}
