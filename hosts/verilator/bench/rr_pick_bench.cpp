// The core's side of rr_pick_bench.sv: a front end that always has a kernel with TBs to send. TBs end at random. Now and then
// there is a reset, and with it a new front end.
#include "golden.hpp"
#include <svdpi.h>

#include <optional>

using bench::run;

static bench::Rule pick("an SMX from rr upward"), wrap("the search wraps"), none("no SMX has room"), reset("reset, with the pointer elsewhere");

static gpusched_frontend_config config() {
    gpusched_frontend_config c;
    MUST(gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    MUST(gpusched_frontend_config_ideal(&c));
    c.n_smx = SIZE_SMXS;
    return c;
}

// The pointer, which the sheet names among the pointers and does not count.
uint64_t bench::storage_bits() { return 0; }

extern "C" void rr_step(svBit *rst, svBit *tick, svBitVecVal *fits, svBit *sent, uint32_t *smx, uint32_t *rr) {
    static const gpusched_frontend_config c = config();
    static std::optional<bench::Object<gpusched_frontend>> machine;
    static gpusched_kernel kernel{};
    kernel.grid = {1u << 20, 1, 1};
    kernel.tb = {640, 1, 1};

    *rst = !machine || run().random.chance(1, 1000);
    if (*rst) {
        if (machine) MUST(gpusched_frontend_rr(*machine, rr)), reset.hit(*rr != 0);
        machine.emplace(c, gpusched_frontend_layout, gpusched_frontend_init);
        *tick = *sent = 0, *fits = 0, *rr = 0;
        return;
    }
    gpusched_frontend *gpu = *machine;

    // Events of this cycle: every TB ends with the same chance, now high, now low; a new kernel when the last one is over.
    gpusched_tb tbs[SIZE_SMXS * 16];
    size_t count;
    MUST(gpusched_frontend_resident_tbs(gpu, tbs, SIZE_SMXS * 16, &count));
    const uint32_t odds = run().cycles / 64 % 2 == 0 ? 8 : 60;
    for (size_t i = 0; i < count; i++)
        if (run().random.chance(1, odds)) MUST(gpusched_frontend_tb_done(gpu, tbs[i].smx, tbs[i].slot));
    size_t marked;
    uint32_t head;
    MUST(gpusched_frontend_fcfs(gpu, &head, 1, &marked));
    if (marked == 0) MUST(gpusched_frontend_host_launch(gpu, 0, &kernel, 0, nullptr));

    // What the RTL is told: which SMXs have room for a TB of 640 threads.
    *fits = 0;
    for (uint32_t s = 0; s < SIZE_SMXS; s++) {
        gpusched_smx free;
        MUST(gpusched_frontend_smx(gpu, s, &free));
        *fits |= static_cast<uint32_t>(free.slots >= 1 && free.threads >= 640) << s;
    }
    uint32_t before;
    MUST(gpusched_frontend_rr(gpu, &before));

    // What the core does.
    gpusched_tick did;
    gpusched_decision decision;
    *tick = 1;
    *sent = 0;
    MUST(gpusched_frontend_tick(gpu, &did));
    while (gpusched_frontend_read(gpu, &decision, 1, &count), count == 1)
        if (decision.kind == GPUSCHED_DECISION_KIND_TB) *sent = 1, *smx = decision.smx;
    MUST(gpusched_frontend_rr(gpu, rr));

    pick.hit(*sent && *smx >= before);
    wrap.hit(*sent && *smx < before);
    none.hit(did.sched == GPUSCHED_SCHED_NO_ROOM);
}
