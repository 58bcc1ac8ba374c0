// Every function of SMC, called as it must not be: the right status, nothing changed, nothing touched that
// is not its own.
// The first parameter may have any value but 0.
#define BAD_FIELD 3
#include "misuse_tlp_smc_table.h"


static gpusched_tlp_config small_config(void) {
    gpusched_tlp_config c = preset();
    c.threads = 4, c.sms = 5;
    return c;
}

// The first trial is being measured.
static struct machine busy(const gpusched_tlp_config *config) {
    struct machine m = build(config);
    gpusched_tlp_proposal proposal;
    gpusched_tlp_reported reported;
    IS(OK, gpusched_tlp_smc_start(m.object, 3, 2, &proposal));
    TRUE(proposal.sm[0] == 3 && proposal.sm[1] == 2 && proposal.b[0] == 3 && proposal.b[1] == 2);
    IS(OK, gpusched_tlp_smc_report(m.object, 100, &reported));
    TRUE(reported.done == 0 && reported.proposal.b[0] == 2);
    return m;
}

static void pointers(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_smc *const o = m.object;
    watch_block(&m.block);
    derived_pointers(o);
    IS(OK, gpusched_tlp_smc_get_config(o, &c, sizeof c));
    TRUE(c.threads == 4 && c.op_cycles == 4);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    gpusched_tlp_smc *const o = m.object;
    watch_block(&m.block);
    IS(BUSY, gpusched_tlp_smc_start(o, 0, 0, OUT));
    gpusched_tlp_reported reported = {{{0, 0}, {0, 0}}, 0};
    while (!reported.done) IS(OK, gpusched_tlp_smc_report(o, 0, &reported));
    TRUE(reported.proposal.b[0] == 3 && reported.proposal.sm[0] == 3);
    IS(NO_PROPOSAL, gpusched_tlp_smc_report(o, 1, OUT));
    IS(BAD_ARG, gpusched_tlp_smc_start(o, 0, 1, OUT));
    IS(BAD_ARG, gpusched_tlp_smc_start(o, 1, 0, OUT));
    IS(OK, gpusched_tlp_smc_start(o, kEverything, kEverything, OUT));
    // A search needs two SMs.
    gpusched_tlp_config one = c;
    one.sms = 1;
    gpusched_layout layout;
    gpusched_tlp_smc *none = NULL;
    IS(OK, gpusched_tlp_smc_layout(&one, &layout));
    void *const block = malloc(layout.size);
    TRUE(block != NULL);
    IS(TOO_FEW_SMS, gpusched_tlp_smc_init(block, layout.size, &one, &none));
    TRUE(none == NULL);
    free(block);
    unwatch();
    release(&m.block);
}

static void images(void) {
    gpusched_tlp_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.sms = 6;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint64_t perf = 0; perf < 3; perf++) {
        gpusched_tlp_reported one, two;
        IS(OK, gpusched_tlp_smc_report(m.object, perf, &one));
        IS(OK, gpusched_tlp_smc_report(same.object, perf, &two));
        TRUE(memcmp(&one, &two, sizeof one) == 0);
    }
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_tlp_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
