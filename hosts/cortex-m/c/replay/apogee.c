// Events of APOGEE.
#include "packed.h"

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

static gpusched_status apogee_event(void *object, uint8_t op, reader *from) {
    gpusched_apogee *apogee = object;
    switch (op) {
    case OP_APOGEE_LOAD: return load(apogee, from);
    case OP_APOGEE_PF_POP: {
        IN(uint64_t now);
        gpusched_apogee_request request;
        uint32_t popped;
        const gpusched_status status = gpusched_apogee_pf_pop(apogee, in.now, &request, &popped);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(popped);
        if (status == GPUSCHED_STATUS_OK && popped) PUT_NUMBER(request);
        return status;
    }
    case OP_APOGEE_PF_REPLY: {
        IN(uint32_t sent);
        ANSWER(uint32_t, gpusched_apogee_pf_reply(apogee, in.sent, &out));
    }
    case OP_APOGEE_PF_FILL: {
        IN(uint32_t entry, generation, warp);
        ANSWER(uint32_t, gpusched_apogee_pf_fill(apogee, in.entry, in.generation, in.warp, &out));
    }
    case OP_APOGEE_SET_THREADS: {
        IN(uint32_t n);
        return gpusched_apogee_set_threads(apogee, in.n);
    }
    case OP_APOGEE_FLUSH: ANSWER(uint32_t, gpusched_apogee_flush(apogee, &out));
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(apogee);
