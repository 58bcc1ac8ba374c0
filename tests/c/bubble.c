/* The occupancy-bubble controller alone: an empty SMX is set to the low P-state. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

#define OK(call) ((call) == GPUSCHED_STATUS_OK ? (void)0 : exit(EXIT_FAILURE))

int main(void) {
    gpusched_bubble_config config;
    gpusched_layout layout;
    gpusched_bubble *bubble;
    OK(gpusched_bubble_config_init(&config, sizeof config));
    config.smxs = 2;
    OK(gpusched_bubble_layout(&config, &layout));
    void *const block = malloc(layout.size);
    OK(gpusched_bubble_init(block, layout.size, &config, &bubble));

    /* Four TBs run on SMX 1, none on SMX 0. */
    const gpusched_resources tb = {256, 0, 0, 1};
    for (int i = 0; i < 4; i++) OK(gpusched_bubble_dispatched(bubble, 0, 1, &tb, NULL));

    /* A sample every 500 cycles. No TB waits; in the last interval the SMXs were active for 1 % and 25 % of the time. */
    const uint16_t activity[] = {10, 250};
    gpusched_bubble_record record;
    OK(gpusched_bubble_sample(bubble, 0, NULL, NULL, 0, &record));
    OK(gpusched_bubble_sample(bubble, 500, NULL, NULL, 0, &record));
    if (record.low_done.words[0] & 1) printf("cycle  500: SMX 0 is low\n");
    OK(gpusched_bubble_sample(bubble, 1000, NULL, activity, 2, &record));

    gpusched_bubble_smx smx;
    OK(gpusched_bubble_get_smx(bubble, 0, &smx));
    printf("SMX 0 took %" PRIu64 " mW x cycles, of which %" PRIu64 " in bubbles\n", smx.energy.lo, smx.energy_bubble.lo);
    free(block);
}
