// Events of Equalizer: an SM, and the frequency manager.
#include "packed.h"

typedef gpusched_equalizer_change change;

static gpusched_status equalizer_sm_event(void *object, uint8_t op, reader *from) {
    gpusched_equalizer_sm *sm = object;
    switch (op) {
    case OP_EQ_SM_KERNEL_START: {
        IN(uint64_t now; uint32_t w_cta, limit, keep);
        struct {
            uint32_t target, requests;
        } started;
        const gpusched_status status = gpusched_equalizer_sm_kernel_start(sm, in.now, in.w_cta, in.limit, in.keep,
                                                                          &started.target, &started.requests);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(started);
        return status;
    }
    case OP_EQ_SM_GRANT: {
        IN(uint64_t now, block);
        uint32_t slot;
        change change;
        const gpusched_status status = gpusched_equalizer_sm_grant(sm, in.now, in.block, &slot, &change);
        if (status != GPUSCHED_STATUS_OK) return status;
        PUT_NUMBER(slot);
        PUT_NUMBER(change);
        return status;
    }
    case OP_EQ_SM_DENY: {
        IN(uint64_t now);
        ANSWER(change, gpusched_equalizer_sm_deny(sm, in.now, &out));
    }
    case OP_EQ_SM_REFILL: {
        IN(uint64_t now);
        ANSWER(change, gpusched_equalizer_sm_refill(sm, in.now, &out));
    }
    case OP_EQ_SM_BLOCK_END: {
        IN(uint64_t now; uint32_t slot);
        uint64_t block;
        change change;
        const gpusched_status status = gpusched_equalizer_sm_block_end(sm, in.now, in.slot, &block, &change);
        if (status != GPUSCHED_STATUS_OK) return status;
        PUT_NUMBER(block);
        PUT_NUMBER(change);
        return status;
    }
    case OP_EQ_SM_SAMPLE: {
        IN(uint64_t now);
        ARGUMENT(gpusched_equalizer_counts, counts);
        ANSWER(gpusched_equalizer_epoch, gpusched_equalizer_sm_sample(sm, in.now, &counts, &out));
    }
    case OP_EQ_SM_SET_OBJECTIVE: {
        IN(uint64_t now; uint32_t objective);
        return gpusched_equalizer_sm_set_objective(sm, in.now, in.objective);
    }
    case OP_EQ_SM_RESYNC: {
        IN(uint64_t now);
        ANSWER(uint64_t, gpusched_equalizer_sm_resync(sm, in.now, &out));
    }
    case OP_EQ_SM_CLASSIFY: {
        ARGUMENT(gpusched_equalizer_warp, warp);
        ANSWER(gpusched_equalizer_classified, gpusched_equalizer_sm_classify(sm, &warp, &out));
    }
    case OP_EQ_SM_DECIDE: {
        IN(uint32_t samples, w_cta);
        ARGUMENT(gpusched_equalizer_counts, sums);
        ANSWER(gpusched_equalizer_decision, gpusched_equalizer_sm_decide(sm, &sums, in.samples, in.w_cta, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(equalizer_sm);

static gpusched_status equalizer_fm_event(void *object, uint8_t op, reader *from) {
    gpusched_equalizer_fm *fm = object;
    switch (op) {
    case OP_EQ_FM_VOTE: {
        IN(uint64_t now; uint32_t sm; int32_t sm_vote, mem_vote);
        ANSWER(gpusched_equalizer_round,
               gpusched_equalizer_fm_vote(fm, in.now, in.sm, in.sm_vote, in.mem_vote, &out));
    }
    case OP_EQ_FM_CLOSE: {
        IN(uint64_t now);
        ANSWER(gpusched_equalizer_round, gpusched_equalizer_fm_close(fm, in.now, &out));
    }
    case OP_EQ_FM_ENABLE: {
        IN(uint64_t now; uint32_t sm, on);
        return gpusched_equalizer_fm_enable(fm, in.now, in.sm, in.on);
    }
    case OP_EQ_FM_LEVELS: {
        IN(uint64_t now);
        ANSWER(gpusched_equalizer_levels, gpusched_equalizer_fm_levels(fm, in.now, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(equalizer_fm);
