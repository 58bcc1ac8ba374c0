// Every function of the catalogue's policies, called as it must not be: the right status, nothing changed, nothing touched that is not its
// own.
#include "misuse_catalogue_table.h"

// `bcs` on four SMXs.
static gpusched_catalogue_config small_config(void) {
    gpusched_catalogue_config c;
    IS(OK, gpusched_catalogue_config_init(&c, sizeof c, GPUSCHED_CATALOGUE_PRESET_BCS));
    c.n_smx = 4, c.units = 4;
    return c;
}

static const gpusched_resources empty[4] = {{2048, 65536, 49152, 16}, {2048, 65536, 49152, 16}};

// A kernel of four TBs that may go to SMXs 0 and 1, which are empty.
static gpusched_offer kernel(uint32_t next) {
    gpusched_offer offer;
    memset(&offer, 0, sizeof offer);
    offer.parent.no = GPUSCHED_NEVER, offer.psmx = GPUSCHED_NONE;
    offer.res.threads = 256, offer.res.slots = 1;
    offer.blkid = next, offer.left = 4 - next, offer.total = 4, offer.row = 1;
    offer.open.words[0] = 3;
    return offer;
}

static gpusched_catalogue_view view_of(const gpusched_offer *offer) {
    const gpusched_catalogue_view view = {7, offer, 1, empty, NULL, NULL, 0};
    return view;
}

// Where the next TB goes.
static uint32_t chosen_smx(gpusched_catalogue *policy, uint32_t next) {
    const gpusched_offer offer = kernel(next);
    const gpusched_catalogue_view view = view_of(&offer);
    gpusched_catalogue_choice choice;
    uint32_t chosen = 9;
    IS(OK, gpusched_catalogue_choose(policy, &view, &choice, &chosen));
    TRUE(chosen == 1 && choice.offer == 0 && choice.blkid == next);
    return choice.smx;
}

// A policy that has sent the first TB of a pair to SMX 0.
static struct machine busy(const gpusched_catalogue_config *config) {
    struct machine m = build(config);
    TRUE(chosen_smx(m.object, 0) == 0);
    return m;
}

static void pointers(void) {
    // A policy that has rows of everything that is asked for.
    gpusched_catalogue_config c;
    IS(OK, gpusched_catalogue_config_init(&c, sizeof c, GPUSCHED_CATALOGUE_PRESET_CHUNKED));
    c.n_smx = 4, c.units = 4, c.order = GPUSCHED_CATALOGUE_ORDER_OWN;
    struct machine m = busy(&c);
    const gpusched_offer offer = kernel(1);
    const gpusched_catalogue_view good = view_of(&offer);
    gpusched_catalogue_choice choice;
    uint32_t chosen;
    watch_block(&m.block);
    derived_pointers(m.object);
    IS(NULL, gpusched_catalogue_choose(m.object, NULL, &choice, &chosen));
    IS(NULL, gpusched_catalogue_choose(m.object, &good, NULL, &chosen));
    IS(NULL, gpusched_catalogue_choose(m.object, &good, &choice, NULL));
    IS(MISALIGNED, gpusched_catalogue_choose(m.object, ODD(&good), &choice, &chosen));
    IS(MISALIGNED, gpusched_catalogue_choose(m.object, &good, ODD(OUT), &chosen));
    gpusched_catalogue_view view = good;
    view.offers = NULL;
    IS(NULL, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    view = good, view.free = NULL;
    IS(NULL, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    view = good, view.resident_count = 1;
    IS(NULL, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    view = good, view.offer_count = SIZE_MAX;
    IS(CAPACITY, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    IS(OK, gpusched_catalogue_get_config(m.object, &c, sizeof c));
    TRUE(c.n_smx == 4 && c.units == 4 && c.order == GPUSCHED_CATALOGUE_ORDER_OWN);
    unwatch();
    release(&m.block);
}

static void faults(void) {
    const gpusched_catalogue_config c = small_config();
    struct machine m = busy(&c);
    const gpusched_offer good = kernel(1);
    gpusched_offer offer = good;
    gpusched_catalogue_view view = view_of(&offer);
    gpusched_catalogue_choice choice;
    uint32_t chosen;
    gpusched_completion ended;
    memset(&ended, 0, sizeof ended);
    watch_block(&m.block);
    const uint32_t counts[4] = {1, 0, 0, 0};
    view.counts = counts;
    IS(BAD_LENGTH, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    view.counts = NULL, offer.left = 0;
    IS(EMPTY_GROUP, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    offer = good, offer.kind = GPUSCHED_OFFER_KIND_NODE + 1;
    IS(BAD_INDEX, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    const uint32_t beyond[] = {4, 255, 256, 257, 65535, 65536, 65537, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        offer = good, offer.row = beyond[i];
        IS(BAD_UNIT, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
        IS(BAD_UNIT, gpusched_catalogue_forget(m.object, beyond[i], 0));
        IS(BAD_INDEX, gpusched_catalogue_get_unit(m.object, beyond[i], OUT));
        IS(BAD_INDEX, gpusched_catalogue_pointer(m.object, beyond[i], OUT));
        ended.row = beyond[i], ended.smx = 0;
        IS(BAD_UNIT, gpusched_catalogue_done(m.object, &ended));
        ended.row = 0, ended.smx = beyond[i];
        IS(BAD_SMX, gpusched_catalogue_done(m.object, &ended));
    }
    ended.smx = 0, ended.start = 1;
    IS(TIME_BACKWARDS, gpusched_catalogue_done(m.object, &ended));
    // What no SMX is open to is no fault.
    gpusched_catalogue_unit unit;
    IS(OK, gpusched_catalogue_get_unit(m.object, 1, &unit));
    TRUE(unit.unit == 0 && unit.home == 0 && unit.limit == GPUSCHED_NONE);
    unwatch();
    offer = good, offer.open.words[0] = 0;
    IS(OK, gpusched_catalogue_choose(m.object, &view, &choice, &chosen));
    TRUE(chosen == 0 && choice.smx == 0 && choice.blkid == 0);
    TRUE(chosen_smx(m.object, 1) == 0 && chosen_smx(m.object, 2) == 1);
    release(&m.block);

    // Lists are all or none, and no longer than there may be SMXs.
    gpusched_catalogue_config bad = c;
    gpusched_parameter p;
    bad.tpc.count = 1;
    IS(BAD_CONFIG, gpusched_catalogue_config_check(&bad, &p));
    TRUE(strcmp(p.name, "tpc") == 0);
    bad = c, bad.listed.count = GPUSCHED_CATALOGUE_SMXS + 1;
    IS(BAD_CONFIG, gpusched_catalogue_config_check(&bad, &p));
    TRUE(strcmp(p.name, "listed") == 0 && p.value == 257 && p.max == 256);
    bad = c, bad.weights.count = 2;
    IS(BAD_CONFIG, gpusched_catalogue_config_check(&bad, &p));
    TRUE(strcmp(p.name, "weights") == 0);
    bad = c, bad.what = GPUSCHED_CATALOGUE_WHAT_BOTH;
    IS(BAD_CONFIG, gpusched_catalogue_config_check(&bad, &p));
    TRUE(strcmp(p.name, "what") == 0);
}

static void images(void) {
    gpusched_catalogue_config c = small_config();
    struct machine m = busy(&c), same = build(&c);
    c.units = 5;
    struct machine other = build(&c);
    images_of(&m, &same, &other);
    // Both go on alike.
    for (uint32_t next = 1; next < 4; next++) TRUE(chosen_smx(m.object, next) == chosen_smx(same.object, next));
    release(&m.block), release(&same.block), release(&other.block);
}

int main(void) {
    configurations();
    storage();
    const gpusched_catalogue_config c = small_config();
    struct machine m = busy(&c);
    no_objects(functions, COUNT(functions), &m.block);
    release(&m.block);
    pointers();
    faults();
    images();
    puts("all as promised");
    return EXIT_SUCCESS;
}
