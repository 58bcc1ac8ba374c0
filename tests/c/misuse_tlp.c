// Every function of a configuration of TLP modulation, called as it must not be: the right status.
#include "misuse_tlp_table.h"

static const gpusched_tlp_kernel kernel = {{1, 0, 0}, {GPUSCHED_TLP_TYPE_OPTIMAL, 2}};

int main(void) {
    gpusched_tlp_config c, bad_config;
    IS(OK, gpusched_tlp_config_init(&c, sizeof c));
    c.threads = 4, c.slots = 4, bad_config = c, bad_config.slots = 33;
    derived_pointers(&c);
    derived_bad_config(&bad_config);
    uint32_t u32_out;
    const uint64_t profile[33] = {1, 2, 3};
    IS(BAD_PROFILE, gpusched_tlp_categorise(&c, NULL, 0, OUT));
    IS(BAD_PROFILE, gpusched_tlp_categorise(&c, profile, 33, OUT));
    IS(CAPACITY, gpusched_tlp_categorise(&c, profile, SIZE_MAX, OUT));
    gpusched_tlp_kernel bad = kernel, big = kernel;
    bad.needs.threads = 0, big.needs.threads = 5;
    IS(BAD_KERNEL, gpusched_tlp_max(&c, &bad, &u32_out));
    IS(BAD_KERNEL, gpusched_tlp_remain(&c, &bad, &kernel, 1, &u32_out));
    IS(BAD_KERNEL, gpusched_tlp_remain(&c, &kernel, &bad, 1, &u32_out));
    IS(BAD_KERNEL, gpusched_tlp_static(&c, &kernel, &bad, 9, OUT));
    IS(BAD_ARG, gpusched_tlp_static(&c, &kernel, &big, 2, OUT));
    IS(BAD_ARG, gpusched_tlp_static(&c, &kernel, &kernel, kEverything, OUT));
    IS(TB_TOO_BIG, gpusched_tlp_static(&c, &kernel, &big, 1, OUT));
    IS(OK, gpusched_tlp_remain(&c, &kernel, &kernel, kEverything, &u32_out));
    TRUE(u32_out == 0);
    IS(OK, gpusched_tlp_pref_of(&c, UINT64_MAX, UINT64_MAX, &u32_out));
    TRUE(u32_out == GPUSCHED_TLP_PREF_COMPUTE);
    for (uint32_t i = 0; i < 4; i++) {
        bad = kernel;
        if (i == 0) bad.category.opt = 0;
        if (i == 1) bad.category.opt = 256;
        if (i == 2) bad.category.kind = 3;
        if (i == 3) bad.category.kind = kEverything;
        IS(BAD_KERNEL, gpusched_tlp_max(&c, &bad, &u32_out));
        IS(BAD_KERNEL, gpusched_tlp_remain(&c, &kernel, &bad, 1, &u32_out));
        IS(BAD_KERNEL, gpusched_tlp_static(&c, &kernel, &bad, 9, OUT));
    }
    puts("all as promised");
    return EXIT_SUCCESS;
}
