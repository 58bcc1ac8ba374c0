// Events of LaPerm alone.
#include "packed.h"

static gpusched_status laperm_event(void *object, uint8_t op, reader *from) {
    gpusched_laperm *laperm = object;
    const uint64_t now = read_u64(from);
    gpusched_resources res;
    gpusched_status status;
    switch (op) {
    case OP_LAP_PUSH_HOST:
    case OP_LAP_PUSH_CHILD: {
        const uint64_t tag = read_u64(from);
        const uint32_t tbs = read_u32(from);
        read_struct(from, &res, sizeof res);
        gpusched_laperm_placed placed;
        if (op == OP_LAP_PUSH_HOST) {
            status = gpusched_laperm_push_host(laperm, now, tag, tbs, &res, &placed);
        } else {
            const uint32_t smx = read_u32(from), prio = read_u32(from);
            status = gpusched_laperm_push_child(laperm, now, tag, tbs, &res, smx, prio, &placed);
        }
        if (status == GPUSCHED_STATUS_OK) PUT(placed, evicts);
        return status;
    }
    case OP_LAP_TICK: {
        gpusched_laperm_sent sent;
        status = gpusched_laperm_tick(laperm, now, &sent);
        if (status == GPUSCHED_STATUS_OK) PUT(sent, refills);
        return status;
    }
    case OP_LAP_TB_DONE: {
        const uint32_t smx = read_u32(from);
        read_struct(from, &res, sizeof res);
        uint32_t freed;
        status = gpusched_laperm_tb_done(laperm, now, smx, &res, read_u32(from), &freed);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(freed);
        return status;
    }
    case OP_LAP_KMU_TICK: {
        gpusched_laperm_moved moved;
        status = gpusched_laperm_kmu_tick(laperm, now, &moved);
        if (status == GPUSCHED_STATUS_OK) PUT(moved, cost);
        return status;
    }
    case OP_LAP_REFILLED: return gpusched_laperm_refilled(laperm, now, read_u64(from));
    case OP_LAP_SET_MASK: {
        const uint32_t smx = read_u32(from), masked = read_u32(from);
        return gpusched_laperm_set_mask(laperm, now, smx, masked);
    }
    case OP_LAP_WAITING_HEAD: {
        gpusched_laperm_head head;
        status = gpusched_laperm_waiting_head(laperm, now, read_u32(from), &head);
        if (status == GPUSCHED_STATUS_OK) PUT(head, present);
        return status;
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(laperm);
