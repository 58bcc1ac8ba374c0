// Accesses, whose transactions are a list and a flag.
static gpusched_status access(const gpusched_coalescer_config *config, reader *from) {
    static gpusched_coalescer_segment segments[128];
    IN(uint64_t mask; uint32_t size);
    LIST(uint64_t, addresses, lanes);
    size_t count;
    uint32_t coalesced;
    const gpusched_status status =
        gpusched_coalescer_access(config, in.mask, addresses, lanes, in.size, segments, sizeof segments / sizeof *segments,
                          &count, &coalesced);
    if (status != GPUSCHED_STATUS_OK) return status;
    PUT_NUMBER(coalesced);
    put_list(segments, count, sizeof *segments);
    return status;
}
