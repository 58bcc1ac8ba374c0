// Events of TLP modulation: each unit, and the functions of a configuration.
#include "packed.h"

// ---- types of kernels and first targets: the object is the configuration

static gpusched_status tlp_fit_event(void *object, uint8_t op, reader *from) {
    const gpusched_tlp_config *config = object;
    switch (op) {
    case OP_TLP_CATEGORISE: {
        LIST(uint64_t, profile, count);
        ANSWER(gpusched_tlp_category, gpusched_tlp_categorise(config, profile, count, &out));
    }
    case OP_TLP_STATIC: {
        IN(uint32_t first);
        ARGUMENT(gpusched_tlp_kernel, k0);
        ARGUMENT(gpusched_tlp_kernel, k1);
        ANSWER(gpusched_tlp_targets, gpusched_tlp_static(config, &k0, &k1, in.first, &out));
    }
    case OP_TLP_MAX: {
        ARGUMENT(gpusched_tlp_kernel, kernel);
        ANSWER(uint32_t, gpusched_tlp_max(config, &kernel, &out));
    }
    case OP_TLP_REMAIN: {
        IN(uint32_t n);
        ARGUMENT(gpusched_tlp_kernel, kernel);
        ARGUMENT(gpusched_tlp_kernel, other);
        ANSWER(uint32_t, gpusched_tlp_remain(config, &kernel, &other, in.n, &out));
    }
    default: return unknown_event(from);
    }
}

static gpusched_status tlp_fit_layout(const void *config, gpusched_layout *layout) {
    *layout = (gpusched_layout){.size = sizeof(gpusched_tlp_config), .align = _Alignof(gpusched_tlp_config)};
    return gpusched_tlp_config_check(config, NULL);
}

static gpusched_status tlp_fit_init(void *storage, size_t size, const void *config, void **object) {
    (void)size;
    *object = memcpy(storage, config, sizeof(gpusched_tlp_config));
    return GPUSCHED_STATUS_OK;
}

const machine_type tlp_fit_machine = {tlp_fit_layout, tlp_fit_init, save_nothing, restore_nothing, tlp_fit_event};

// ---- an SM

static gpusched_status tlp_sm_event(void *object, uint8_t op, reader *from) {
    gpusched_tlp_sm *sm = object;
    switch (op) {
    case OP_TLP_SM_ATTACH: {
        IN(uint64_t now; uint32_t k);
        ARGUMENT(gpusched_tlp_kernel, kernel);
        ANSWER(gpusched_tlp_attached, gpusched_tlp_sm_attach(sm, in.now, in.k, &kernel, &out));
    }
    case OP_TLP_SM_DONE: {
        IN(uint64_t now; uint32_t k);
        ANSWER(gpusched_tlp_detached, gpusched_tlp_sm_done(sm, in.now, in.k, &out));
    }
    case OP_TLP_SM_DISPATCH: {
        IN(uint64_t now; uint32_t avail0, avail1);
        ANSWER(gpusched_tlp_dispatched, gpusched_tlp_sm_dispatch(sm, in.now, in.avail0, in.avail1, &out));
    }
    case OP_TLP_SM_FINISH: {
        IN(uint64_t now; uint32_t slot);
        ANSWER(gpusched_tlp_finished, gpusched_tlp_sm_finish(sm, in.now, in.slot, &out));
    }
    case OP_TLP_SM_SAMPLE: {
        IN(uint64_t now);
        ARGUMENT(gpusched_tlp_metrics, metrics);
        ANSWER(gpusched_tlp_sampled, gpusched_tlp_sm_sample(sm, in.now, &metrics, &out));
    }
    case OP_TLP_SM_OVERRIDE: {
        IN(uint64_t now; uint32_t tb0, tb1);
        ANSWER(gpusched_tlp_overridden, gpusched_tlp_sm_override(sm, in.now, in.tb0, in.tb1, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(tlp_sm);

// ---- the pool

static gpusched_status tlp_pool_event(void *object, uint8_t op, reader *from) {
    gpusched_tlp_pool *pool = object;
    switch (op) {
    case OP_TLP_POOL_ADD: {
        IN(uint32_t kind, pref, ready);
        ANSWER(uint32_t, gpusched_tlp_pool_add(pool, in.kind, in.pref, in.ready, &out));
    }
    case OP_TLP_POOL_READY: {
        IN(uint32_t i);
        return gpusched_tlp_pool_ready(pool, in.i);
    }
    case OP_TLP_POOL_PICK_PAIR: ANSWER(gpusched_tlp_picked, gpusched_tlp_pool_pick_pair(pool, &out));
    case OP_TLP_POOL_PICK_NEXT: {
        IN(uint32_t kind, pref);
        ANSWER(gpusched_tlp_next, gpusched_tlp_pool_pick_next(pool, in.kind, in.pref, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(tlp_pool);

// ---- LeftOver

static gpusched_status tlp_leftover_event(void *object, uint8_t op, reader *from) {
    gpusched_tlp_leftover *gpu = object;
    switch (op) {
    case OP_TLP_LEFTOVER_SUBMIT: {
        IN(uint32_t n_tb);
        ARGUMENT(gpusched_tlp_needs, needs);
        ANSWER(uint32_t, gpusched_tlp_leftover_submit(gpu, &needs, in.n_tb, &out));
    }
    case OP_TLP_LEFTOVER_SEND: ANSWER(gpusched_tlp_sent, gpusched_tlp_leftover_dispatch(gpu, &out));
    case OP_TLP_LEFTOVER_FINISH: {
        IN(uint32_t sm, k);
        ANSWER(uint32_t, gpusched_tlp_leftover_finish(gpu, in.sm, in.k, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(tlp_leftover);

// ---- SMART-even

// Puts the owner of each SM.
static gpusched_status put_owners(const gpusched_tlp_smart_even *gpu, reader *from) {
    gpusched_tlp_config config;
    gpusched_status status = gpusched_tlp_smart_even_get_config(gpu, &config, sizeof config);
    if (status != GPUSCHED_STATUS_OK) return status;
    uint32_t *owners = scratch(from, config.sms * sizeof *owners);
    for (uint32_t i = 0; status == GPUSCHED_STATUS_OK && i < config.sms && owners != NULL; i++) {
        gpusched_tlp_owned_sm sm;
        status = gpusched_tlp_smart_even_get_sm(gpu, i, &sm);
        owners[i] = sm.owner;
    }
    put_list(owners, config.sms, sizeof *owners);
    return status;
}

static gpusched_status tlp_smart_even_event(void *object, uint8_t op, reader *from) {
    gpusched_tlp_smart_even *gpu = object;
    gpusched_status status;
    switch (op) {
    case OP_TLP_SMART_EVEN_START: {
        LIST(gpusched_tlp_job, jobs, count);
        status = gpusched_tlp_smart_even_start(gpu, jobs, count);
        return status == GPUSCHED_STATUS_OK ? put_owners(gpu, from) : status;
    }
    case OP_TLP_SMART_EVEN_SEND: ANSWER(gpusched_tlp_sent, gpusched_tlp_smart_even_dispatch(gpu, &out));
    case OP_TLP_SMART_EVEN_FINISH: {
        IN(uint32_t sm);
        gpusched_tlp_sharer_ended ended;
        status = gpusched_tlp_smart_even_finish(gpu, in.sm, &ended);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(ended);
        return status == GPUSCHED_STATUS_OK ? put_owners(gpu, from) : status;
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(tlp_smart_even);

// ---- SMC's search

static gpusched_status tlp_smc_event(void *object, uint8_t op, reader *from) {
    gpusched_tlp_smc *search = object;
    switch (op) {
    case OP_TLP_SMC_START: {
        IN(uint32_t max0, max1);
        ANSWER(gpusched_tlp_proposal, gpusched_tlp_smc_start(search, in.max0, in.max1, &out));
    }
    case OP_TLP_SMC_REPORT: {
        IN(uint64_t perf);
        ANSWER(gpusched_tlp_reported, gpusched_tlp_smc_report(search, in.perf, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(tlp_smc);
