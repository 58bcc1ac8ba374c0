// Events of the occupancy-bubble controller alone.
#include "packed.h"

static gpusched_status bubble_event(void *object, uint8_t op, reader *from) {
    gpusched_bubble *bubble = object;
    const uint64_t now = read_u64(from);
    gpusched_status status;
    switch (op) {
    case OP_BUBBLE_DISPATCHED:
    case OP_BUBBLE_COMPLETED: {
        const uint32_t smx = read_u32(from);
        gpusched_resources res;
        gpusched_bubble_resident resident;
        read_struct(from, &res, sizeof res);
        status = op == OP_BUBBLE_DISPATCHED ? gpusched_bubble_dispatched(bubble, now, smx, &res, &resident)
                                            : gpusched_bubble_completed(bubble, now, smx, &res, &resident);
        if (status == GPUSCHED_STATUS_OK) PUT(resident, warps);
        return status;
    }
    case OP_BUBBLE_SAMPLE:
    case OP_BUBBLE_ACCOUNT: {
        gpusched_bubble_waiting waiting;
        bool waits = false;
        if (op == OP_BUBBLE_SAMPLE) {
            waits = read_u32(from) != 0;
            waiting.bound = read_u32(from);
            read_struct(from, &waiting.allowed, sizeof waiting.allowed);
            read_struct(from, &waiting.res, sizeof waiting.res);
        }
        const bool is_given = read_u32(from) != 0;
        size_t count;
        const uint16_t *activity = read_list(from, sizeof *activity, &count);
        if (!is_given) activity = NULL;
        if (op == OP_BUBBLE_ACCOUNT) return gpusched_bubble_account(bubble, now, activity, count);
        gpusched_bubble_record record;
        status = gpusched_bubble_sample(bubble, now, waits ? &waiting : NULL, activity, count, &record);
        if (status == GPUSCHED_STATUS_OK) PUT(record, starved);
        return status;
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(bubble);
