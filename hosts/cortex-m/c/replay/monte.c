// Events of the stochastic memory hierarchy.
#include "packed.h"

static gpusched_status put_level(const gpusched_monte *monte, uint32_t level) {
    static uint32_t bins[256];
    gpusched_monte_tally tally;
    size_t count;
    gpusched_status status = gpusched_monte_level(monte, level, &tally);
    if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(tally);
    if (status == GPUSCHED_STATUS_OK)
        status = gpusched_monte_histogram(monte, level, bins, sizeof bins / sizeof *bins, &count);
    if (status == GPUSCHED_STATUS_OK) put_list(bins, count, sizeof *bins);
    return status;
}

// Puts what the runs came to.
static gpusched_status put_distributions(const gpusched_monte *monte) {
    gpusched_monte_config config;
    gpusched_monte_summary summary;
    gpusched_status status = gpusched_monte_get_config(monte, &config, sizeof config);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_monte_get_summary(monte, &summary);
    if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(summary);
    for (uint32_t level = 1; status == GPUSCHED_STATUS_OK && level <= 2; level++) status = put_level(monte, level);
    if (status != GPUSCHED_STATUS_OK) return status;
    put_list(NULL, config.sites, 0);
    for (uint32_t site = 0; status == GPUSCHED_STATUS_OK && site < config.sites; site++) {
        gpusched_monte_site tally;
        status = gpusched_monte_get_site(monte, site, &tally);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(tally);
    }
    return status;
}

static gpusched_status simulate(gpusched_monte *monte, reader *from) {
    IN(uint64_t seed; uint32_t runs);
    const size_t count = read_u16(from);
    size_t slots = 0;
    gpusched_monte_warp *warps = scratch(from, count * sizeof *warps);
    for (size_t i = 0; i < count && !from->is_damaged; i++) {
        warps[i].sm = read_u32(from);
        warps[i].requests = read_list(from, sizeof *warps[i].requests, &warps[i].count);
        slots += warps[i].count;
    }
    if (from->is_damaged) return GPUSCHED_STATUS_OK;
    const gpusched_monte_trace trace = {warps, count, scratch(from, slots * sizeof(gpusched_monte_slot)), slots};
    const gpusched_status status = gpusched_monte_simulate(monte, &trace, in.runs, in.seed);
    return status == GPUSCHED_STATUS_OK ? put_distributions(monte) : status;
}

static gpusched_status monte_event(void *object, uint8_t op, reader *from) {
    switch (op) {
    case OP_MONTE_SIMULATE: return simulate(object, from);
    case OP_MONTE_RNG: {
        IN(uint64_t seed, below; uint32_t run, count);
        uint64_t *numbers = scratch(from, in.count * sizeof *numbers);
        if (from->is_damaged) return GPUSCHED_STATUS_OK;
        const gpusched_status status = gpusched_monte_rng(in.seed, in.run, in.below, numbers, in.count);
        if (status == GPUSCHED_STATUS_OK) put_list(numbers, in.count, sizeof *numbers);
        return status;
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(monte);
