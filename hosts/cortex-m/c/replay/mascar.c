// Events of Mascar.
#include "packed.h"

static gpusched_status mascar_event(void *object, uint8_t op, reader *from) {
    gpusched_mascar *mascar = object;
    switch (op) {
    case OP_MASCAR_WARP_START: {
        IN(uint32_t w);
        ANSWER(uint64_t, gpusched_mascar_warp_start(mascar, in.w, &out));
    }
    case OP_MASCAR_WARP_EXIT: {
        IN(uint32_t w);
        ANSWER(uint32_t, gpusched_mascar_warp_exit(mascar, in.w, &out));
    }
    case OP_MASCAR_SET_HEAD: {
        IN(uint32_t w, kind, ready, dep_load);
        return gpusched_mascar_set_head(mascar, in.w, in.kind, in.ready, in.dep_load);
    }
    case OP_MASCAR_L1_STATE: {
        IN(uint32_t src, mshr, missq);
        ANSWER(gpusched_mascar_saturation, gpusched_mascar_l1_state(mascar, in.src, in.mshr, in.missq, &out));
    }
    case OP_MASCAR_PICK: {
        IN(uint64_t now; uint32_t lsu_accept, comp_accept);
        ANSWER(gpusched_mascar_decision, gpusched_mascar_pick(mascar, in.now, in.lsu_accept, in.comp_accept, &out));
    }
    case OP_MASCAR_LSU_BEGIN: {
        IN(uint32_t w, nreq, dst);
        return gpusched_mascar_lsu_begin(mascar, in.w, in.nreq, in.dst);
    }
    case OP_MASCAR_LSU_NEXT: ANSWER(gpusched_mascar_next, gpusched_mascar_lsu_next(mascar, &out));
    case OP_MASCAR_LSU_REPLY: {
        IN(uint32_t result, room, is_given);
        ARGUMENT(gpusched_mascar_request, given);
        const gpusched_mascar_request *request = in.is_given ? &given : NULL;
        ANSWER(gpusched_mascar_reply, gpusched_mascar_lsu_reply(mascar, in.result, in.room, request, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(mascar);
