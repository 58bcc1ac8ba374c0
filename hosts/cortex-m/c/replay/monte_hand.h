// Runs over a trace, and what they come to.
static gpusched_status put_level(const gpusched_monte *monte, uint32_t level) {
    static uint32_t bins[256];
    gpusched_monte_tally tally;
    size_t count;
    gpusched_status status = gpusched_monte_get_level(monte, level, &tally);
    if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(tally);
    if (status == GPUSCHED_STATUS_OK)
        status = gpusched_monte_histogram(monte, level, bins, sizeof bins / sizeof *bins, &count);
    if (status == GPUSCHED_STATUS_OK) put_list(bins, count, sizeof *bins);
    return status;
}

// Puts what the runs came to.
static gpusched_status put_distributions(const gpusched_monte *monte) {
    gpusched_monte_config config;
    uint64_t seed, stores;
    uint32_t runs;
    gpusched_status status = gpusched_monte_get_config(monte, &config, sizeof config);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_monte_seed(monte, &seed);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_monte_stores(monte, &stores);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_monte_runs(monte, &runs);
    if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(seed), PUT_NUMBER(stores), PUT_NUMBER(runs);
    for (uint32_t level = 0; status == GPUSCHED_STATUS_OK && level < 2; level++) status = put_level(monte, level);
    if (status != GPUSCHED_STATUS_OK) return status;
    put_list(NULL, config.sites, 0);
    for (uint32_t site = 0; status == GPUSCHED_STATUS_OK && site < config.sites; site++) {
        gpusched_monte_site_tally tally;
        status = gpusched_monte_site(monte, site, &tally);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(tally);
    }
    return status;
}

// What warps access, with a slot per request.
static gpusched_monte_trace read_trace(reader *from) {
    const size_t count = read_u16(from);
    size_t slots = 0;
    gpusched_monte_warp *warps = scratch(from, count * sizeof *warps);
    for (size_t i = 0; i < count && !from->is_damaged; i++) {
        warps[i].sm = read_u32(from);
        warps[i].requests = read_list(from, sizeof *warps[i].requests, &warps[i].count);
        slots += warps[i].count;
    }
    return (gpusched_monte_trace){warps, count, scratch(from, slots * sizeof(gpusched_monte_slot)), slots};
}

static gpusched_status simulate(gpusched_monte *monte, reader *from) {
    IN(uint64_t seed; uint32_t runs);
    const gpusched_monte_trace trace = read_trace(from);
    if (from->is_damaged) return GPUSCHED_STATUS_OK;
    const gpusched_status status = gpusched_monte_simulate(monte, &trace, in.runs, in.seed);
    return status == GPUSCHED_STATUS_OK ? put_distributions(monte) : status;
}

static gpusched_status run(gpusched_monte *monte, reader *from) {
    const uint32_t slots = read_u32(from);
    gpusched_monte_trace trace = read_trace(from);
    trace.slots = slots, trace.scratch = scratch(from, slots * sizeof(gpusched_monte_slot));
    return from->is_damaged ? GPUSCHED_STATUS_OK : gpusched_monte_run(monte, &trace);
}
