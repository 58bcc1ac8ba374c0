// The coalescer, called as it must not be: the right status.
#include "misuse_coalescer_table.h"

int main(void) {
    gpusched_coalescer_config c;
    gpusched_parameter p;
    uint64_t addresses[33] = {0};
    gpusched_coalescer_segment segments[2];
    size_t count;
    uint32_t coalesced;
    const size_t size = sizeof c;
    IS(NULL, gpusched_coalescer_config_init(NULL, size));
    IS(MISALIGNED, gpusched_coalescer_config_init(ODD(&c), size));
    IS(BAD_STRUCT_SIZE, gpusched_coalescer_config_init(&c, size - 4));
    IS(OK, gpusched_coalescer_config_init(&c, size));
    IS(OK, gpusched_coalescer_config_check(&c, NULL));
    IS(NULL, gpusched_coalescer_config_check(NULL, NULL));
    for (uint32_t i = 0; i < 2; i++) IS(OK, gpusched_coalescer_parameter(i, &p));
    IS(BAD_INDEX, gpusched_coalescer_parameter(2, &p));
    IS(NULL, gpusched_coalescer_parameter(0, NULL));
    derived_pointers(&c);
    c.segment = 48;
    derived_bad_config(&c);
    IS(BAD_CONFIG, gpusched_coalescer_config_check(&c, &p));
    TRUE(strcmp(p.name, "segment") == 0 && p.value == 48 && p.power_of_two == 1);
    IS(BAD_CONFIG, gpusched_coalescer_access(&c, 1, addresses, 32, 4, segments, 2, &count, &coalesced));
    c.segment = 128, c.mode = 2;
    IS(BAD_CONFIG, gpusched_coalescer_access(&c, 1, addresses, 32, 4, segments, 2, &count, &coalesced));
    c.mode = GPUSCHED_COALESCER_MODE_COMBINE;

    count = 77, coalesced = 77;
    IS(BAD_MASK, gpusched_coalescer_access(&c, 1ull << 32, addresses, 33, 3, segments, 2, &count, &coalesced));
    const uint32_t sizes[] = {0, 3, 5, 32, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        IS(BAD_SIZE, gpusched_coalescer_access(&c, 1, addresses, 33, sizes[i], segments, 2, &count, &coalesced));
    }
    IS(BAD_ARG, gpusched_coalescer_access(&c, 1, addresses, 31, 4, segments, 2, &count, &coalesced));
    IS(BAD_ARG, gpusched_coalescer_access(&c, 1, addresses, 33, 4, segments, 2, &count, &coalesced));
    IS(BAD_ARG, gpusched_coalescer_access(&c, 1, NULL, 0, 4, segments, 2, &count, &coalesced));
    addresses[1] = 2, addresses[2] = UINT64_MAX - 2;
    IS(ADDRESS_WRAP, gpusched_coalescer_access(&c, 4, addresses, 32, 4, segments, 2, &count, &coalesced));
    IS(MISALIGNED_ARRAY, gpusched_coalescer_access(&c, 6, addresses, 32, 4, segments, 2, &count, &coalesced));
    IS(NULL, gpusched_coalescer_access(NULL, 1, addresses, 32, 4, segments, 2, &count, &coalesced));
    IS(NULL, gpusched_coalescer_access(&c, 1, NULL, 32, 4, segments, 2, &count, &coalesced));
    IS(NULL, gpusched_coalescer_access(&c, 1, addresses, 32, 4, NULL, 2, &count, &coalesced));
    IS(NULL, gpusched_coalescer_access(&c, 1, addresses, 32, 4, segments, 2, NULL, &coalesced));
    IS(MISALIGNED, gpusched_coalescer_access(ODD(&c), 1, addresses, 32, 4, segments, 2, &count, &coalesced));
    IS(MISALIGNED, gpusched_coalescer_access(&c, 1, ODD(addresses), 32, 4, segments, 2, &count, &coalesced));
    IS(MISALIGNED, gpusched_coalescer_access(&c, 1, addresses, 32, 4, ODD(segments), 2, &count, &coalesced));
    IS(MISALIGNED, gpusched_coalescer_access(&c, 1, addresses, 32, 4, segments, 2, ODD(&count), &coalesced));
    IS(MISALIGNED, gpusched_coalescer_access(&c, 1, addresses, 32, 4, segments, 2, &count, ODD(&coalesced)));
    IS(CAPACITY, gpusched_coalescer_access(&c, 1, addresses, SIZE_MAX, 4, segments, 2, &count, &coalesced));
    TRUE(count == 77 && coalesced == 77);
    addresses[1] = 4096, addresses[2] = 8192;
    memset(segments, PATTERN, sizeof segments);
    IS(CAPACITY, gpusched_coalescer_access(&c, 7, addresses, 32, 4, segments, 1, &count, NULL));
    TRUE(count == 3 && segments[0].base == 0 && segments[0].lanes == 1 && segments[1].lanes != 2);
    IS(CAPACITY, gpusched_coalescer_access(&c, 7, addresses, 32, 4, NULL, 0, &count, NULL));
    IS(OK, gpusched_coalescer_access(&c, 0, addresses, 32, 4, NULL, 0, &count, &coalesced));
    TRUE(count == 0 && coalesced == 1);
    puts("all as promised");
    return EXIT_SUCCESS;
}
