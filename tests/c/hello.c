// The example of the README: which SMX each of four thread blocks goes to, and when. For brevity it tests no status;
// tests/c/quickstart.c does, and ends what it starts.
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

int main(void) {
    gpusched_frontend_config config;
    gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C);
    gpusched_layout layout; // What this configuration needs; the memory is yours.
    gpusched_frontend_layout(&config, &layout);
    gpusched_frontend *gpu;
    gpusched_frontend_init(malloc(layout.size), layout.size, &config, &gpu);

    const gpusched_kernel kernel = {.pc = 0x400, .grid = {4, 1, 1}, .tb = {256, 1, 1}};
    gpusched_frontend_host_launch(gpu, 0, &kernel, 0, NULL); // On stream 0.
    const gpusched_decision *made;
    size_t count;
    for (int cycle = 0; cycle < 300; cycle++) {
        gpusched_frontend_tick(gpu, NULL);
        gpusched_frontend_take(gpu, &made, &count);
        for (size_t i = 0; i < count; i++)
            if (made[i].kind == GPUSCHED_DECISION_KIND_TB)
                printf("cycle %d: TB %u -> SMX %u\n", cycle, (unsigned)made[i].blkid, (unsigned)made[i].smx);
    }
    free(gpu);
}
