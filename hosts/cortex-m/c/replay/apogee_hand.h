// Loads of APOGEE, with what they list.
static gpusched_status load(gpusched_apogee *apogee, reader *from) {
    static uint64_t lines[128];
    static gpusched_apogee_triggered rows[256];
    const gpusched_apogee_lists lists = {lines, sizeof lines / sizeof *lines, rows, sizeof rows / sizeof *rows};
    IN(uint64_t now, pc; uint32_t warp, verdict);
    LIST(gpusched_apogee_lane, lanes, count);
    const gpusched_apogee_access access = {
        .pc = in.pc, .lanes = lanes, .count = count, .warp = in.warp, .verdict = in.verdict};
    gpusched_apogee_loaded loaded;
    const gpusched_status status = gpusched_apogee_load(apogee, in.now, &access, &loaded, &lists);
    if (status != GPUSCHED_STATUS_OK) return status;
    PUT_NUMBER(loaded);
    put_list(lines, loaded.pushed, sizeof *lines);
    put_list(rows, loaded.triggered, sizeof *rows);
    return status;
}
