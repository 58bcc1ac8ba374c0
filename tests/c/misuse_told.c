// The seam at which the host decides, used as it must not be: the right status, nothing changed, nothing touched that is not its own.
#include "misuse_frontend.h"
#include "misuse_objects.h"

static size_t size_out;
static uint32_t u32_out;
static uint64_t u64_out;

OBJECT(gpusched_frontend_begin, &u32_out)
OBJECT(gpusched_frontend_offers, GPUSCHED_NONE, GPUSCHED_NONE, OUT, 1, &size_out, &u32_out)
OBJECT(gpusched_frontend_load, 0)
OBJECT(gpusched_frontend_send, 0, 0, OUT)
OBJECT(gpusched_frontend_split, 0, 1, &u32_out)
OBJECT(gpusched_frontend_end, NULL, &u32_out)
OBJECT(gpusched_frontend_skip, 9, &u64_out)
OBJECT(gpusched_frontend_told_state, OUT)
OBJECT(gpusched_frontend_completion, 0, 0, OUT)
OBJECT(gpusched_frontend_residents, 0, OUT, 9, &size_out)

static const struct function functions[] = {
    F(gpusched_frontend_begin), F(gpusched_frontend_offers), F(gpusched_frontend_load), F(gpusched_frontend_send),
    F(gpusched_frontend_split), F(gpusched_frontend_end), F(gpusched_frontend_skip), F(gpusched_frontend_told_state),
    F(gpusched_frontend_completion), F(gpusched_frontend_residents),
};

static gpusched_frontend_config told_config(void) {
    gpusched_frontend_config c = small_config();
    c.policy = GPUSCHED_POLICY_TOLD;
    return c;
}

// All offers of a piece, from one on.
static gpusched_status offers(const gpusched_frontend *fe, uint32_t from, uint32_t smx, size_t capacity) {
    return gpusched_frontend_offers(fe, from, smx, OUT, capacity, &size_out, &u32_out);
}

static void objects(void) {
    const gpusched_frontend_config c = told_config();
    struct machine m = build(&c);
    no_objects(functions, COUNT(functions), &m.block);
    discard(&m);
}

// Under another policy there is no seam.
static void others(void) {
    const gpusched_frontend_config c = small_config();
    struct machine m = busy(&c);
    watch(&m);
    IS(NOT_TOLD, gpusched_frontend_begin(m.fe, NULL));
    IS(NOT_TOLD, offers(m.fe, GPUSCHED_NONE, GPUSCHED_NONE, 1));
    IS(NOT_TOLD, gpusched_frontend_load(m.fe, 0));
    IS(NOT_TOLD, gpusched_frontend_send(m.fe, 0, 0, NULL));
    IS(NOT_TOLD, gpusched_frontend_split(m.fe, 0, 1, NULL));
    IS(NOT_TOLD, gpusched_frontend_end(m.fe, NULL, NULL));
    IS(NOT_TOLD, gpusched_frontend_skip(m.fe, 9, NULL));
    IS(NOT_TOLD, gpusched_frontend_told_state(m.fe, OUT));
    IS(NOT_TOLD, gpusched_frontend_completion(m.fe, 0, 0, OUT));
    IS(NOT_TOLD, gpusched_frontend_residents(m.fe, 0, OUT, 1, &size_out));
    unwatch();
    discard(&m);
}

static void cycle(void) {
    const gpusched_frontend_config c = told_config();
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    const uint64_t now = 0, next = 1;
    IS(OK, gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    (void)read_all(fe);

    // Between cycles.
    watch(&m);
    IS(TOLD, gpusched_frontend_tick(fe, NULL));
    IS(TOLD, gpusched_frontend_run(fe, 9, NULL));
    IS(TOLD, gpusched_frontend_advance(fe, 9, NULL));
    IS(NOT_BEGUN, offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, 1));
    IS(NOT_BEGUN, gpusched_frontend_send(fe, 0, 0, NULL));
    IS(NOT_BEGUN, gpusched_frontend_load(fe, 0));
    IS(NOT_BEGUN, gpusched_frontend_split(fe, 0, 1, NULL));
    IS(NOT_BEGUN, gpusched_frontend_end(fe, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_begin(fe, ODD(&u32_out)));
    IS(MISALIGNED, gpusched_frontend_skip(fe, 9, ODD(&u64_out)));
    unwatch();

    // Within one: pointers, places. Asking changes nothing.
    IS(OK, gpusched_frontend_begin(fe, NULL));
    (void)read_all(fe);
    watch(&m);
    IS(TWICE_BEGUN, gpusched_frontend_begin(fe, NULL));
    IS(MID_CYCLE, gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    IS(MID_CYCLE, gpusched_frontend_skip(fe, 9, NULL));
    IS(MID_CYCLE, gpusched_frontend_save(fe, OUT, sizeof out, &size_out));
    IS(OK, offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, 9));
    TRUE(size_out == 1 && u32_out == GPUSCHED_NONE);
    const gpusched_offer offer = *(const gpusched_offer *)OUT;
    TRUE(offer.id == 0 && offer.left == 20 && offer.open.words[0] == 0xff && offer.parent.no == GPUSCHED_NEVER);
    IS(OK, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, NULL, 0, &size_out, &u32_out));
    TRUE(size_out == 0 && u32_out == offer.id);
    IS(OK, gpusched_frontend_offers(fe, offer.id, 7, OUT, 1, &size_out, NULL));
    TRUE(size_out == 1);
    IS(BAD_OFFER, offers(fe, 1, GPUSCHED_NONE, 1));
    IS(BAD_OFFER, offers(fe, GPUSCHED_OFFER_RECORD, GPUSCHED_NONE, 1));
    IS(BAD_OFFER, offers(fe, GPUSCHED_NONE - 1, GPUSCHED_NONE, 1));
    IS(BAD_SMX, offers(fe, GPUSCHED_NONE, 8, 1));
    IS(BAD_SMX, offers(fe, GPUSCHED_NONE, 1 << 16, 1));
    IS(NULL, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, NULL, 1, &size_out, NULL));
    IS(NULL, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, OUT, 1, NULL, NULL));
    IS(MISALIGNED, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, ODD(OUT), 1, &size_out, NULL));
    IS(MISALIGNED, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, OUT, 1, ODD(&size_out), NULL));
    IS(MISALIGNED, gpusched_frontend_offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, OUT, 1, &size_out, ODD(&u32_out)));
    IS(NO_LOAD, gpusched_frontend_load(fe, offer.id));
    IS(BAD_OFFER, gpusched_frontend_load(fe, 300));
    IS(BAD_OFFER, gpusched_frontend_send(fe, 7, 0, NULL));
    IS(BAD_OFFER, gpusched_frontend_send(fe, GPUSCHED_NONE, 0, NULL));
    IS(BAD_SMX, gpusched_frontend_send(fe, offer.id, 8, NULL));
    IS(BAD_SMX, gpusched_frontend_send(fe, offer.id, GPUSCHED_NONE, NULL));
    IS(MISALIGNED, gpusched_frontend_send(fe, offer.id, 0, ODD(OUT)));
    IS(BAD_OFFER, gpusched_frontend_split(fe, 7, 1, NULL));
    IS(NO_SPLIT, gpusched_frontend_split(fe, offer.id, 1, NULL)); // Chains send in order.
    IS(MISALIGNED, gpusched_frontend_split(fe, offer.id, 1, ODD(&u32_out)));
    IS(BAD_WAKE, gpusched_frontend_end(fe, &now, NULL));
    IS(MISALIGNED, gpusched_frontend_end(fe, ODD(&next), NULL));
    IS(MISALIGNED, gpusched_frontend_end(fe, NULL, ODD(&u32_out)));
    IS(NO_TB, gpusched_frontend_completion(fe, 3, 0, OUT));
    unwatch();

    gpusched_placement tb;
    IS(OK, gpusched_frontend_send(fe, offer.id, 3, &tb));
    TRUE(tb.smx == 3 && tb.slot == 0 && tb.kde == 0 && tb.blkid == 0 && tb.tag == 1 && tb.tb_ref.unit == GPUSCHED_UNIT_NATIVE);
    (void)read_all(fe);
    watch(&m);
    IS(CYCLE_FULL, gpusched_frontend_send(fe, offer.id, 3, NULL));
    IS(BAD_SMX, gpusched_frontend_completion(fe, 8, 0, OUT));
    IS(BAD_SLOT, gpusched_frontend_completion(fe, 3, 8, OUT));
    IS(NULL, gpusched_frontend_completion(fe, 3, 0, NULL));
    IS(OK, gpusched_frontend_completion(fe, 3, 0, OUT));
    const gpusched_completion end = *(const gpusched_completion *)OUT;
    TRUE(end.smx == 3 && end.blkid == 0 && end.row == offer.row && end.unit == offer.key.no && end.start == 0);
    IS(BAD_SMX, gpusched_frontend_residents(fe, 8, OUT, 1, &size_out));
    IS(CAPACITY, gpusched_frontend_residents(fe, 3, NULL, 0, &size_out));
    IS(OK, gpusched_frontend_residents(fe, 3, OUT, 1, &size_out));
    TRUE(size_out == 1 && ((const gpusched_resident *)OUT)->threads == 64);
    unwatch();
    IS(OK, gpusched_frontend_end(fe, &next, &u32_out));
    TRUE(u32_out == GPUSCHED_SCHED_TB);
    gpusched_told state;
    IS(OK, gpusched_frontend_told_state(fe, &state));
    TRUE(!state.is_begun && state.has_declined && state.wakes && state.wake == 1 && state.units == 1);
    discard(&m);
}

// What is unsent of a kernel, in two pieces, of which the second is sent first.
static void pieces(void) {
    gpusched_frontend_config c = told_config();
    c.told_units = GPUSCHED_TOLD_UNITS_FREE, c.told_split_cap = 1, c.told_dispatch_per_cycle = 2;
    struct machine m = build(&c);
    gpusched_frontend *const fe = m.fe;
    IS(OK, gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    IS(OK, gpusched_frontend_begin(fe, NULL));
    (void)read_all(fe);
    watch(&m);
    IS(BAD_OFFER, gpusched_frontend_split(fe, GPUSCHED_OFFER_PIECE, 1, NULL));
    IS(BAD_OFFER, gpusched_frontend_split(fe, GPUSCHED_NONE, 1, NULL));
    IS(NO_SPLIT, gpusched_frontend_split(fe, 0, 0, NULL));
    IS(NO_SPLIT, gpusched_frontend_split(fe, 0, 20, NULL));
    IS(NO_SPLIT, gpusched_frontend_split(fe, 0, GPUSCHED_NONE, NULL));
    IS(MISALIGNED, gpusched_frontend_split(fe, 0, 5, ODD(&u32_out)));
    unwatch();
    uint32_t piece;
    IS(OK, gpusched_frontend_split(fe, 0, 5, &piece));
    TRUE(piece == GPUSCHED_OFFER_PIECE);
    watch(&m);
    IS(SPLIT_FULL, gpusched_frontend_split(fe, piece, 7, NULL));
    IS(BAD_OFFER, gpusched_frontend_split(fe, piece + 1, 7, NULL));
    IS(OK, offers(fe, GPUSCHED_NONE, GPUSCHED_NONE, 9));
    const gpusched_offer *const two = (const gpusched_offer *)OUT;
    TRUE(size_out == 2 && two[0].id == 0 && two[0].left == 5 && two[0].row == two[1].row);
    TRUE(two[1].id == piece && two[1].left == 15 && two[1].blkid == 5 && two[1].total == 20);
    unwatch();
    gpusched_placement tb;
    IS(OK, gpusched_frontend_send(fe, piece, 3, &tb));
    TRUE(tb.blkid == 5);
    IS(OK, gpusched_frontend_send(fe, 0, 3, &tb));
    TRUE(tb.blkid == 0);
    (void)read_all(fe);
    IS(OK, gpusched_frontend_end(fe, NULL, NULL));
    watch(&m);
    IS(SPLIT, gpusched_frontend_suspend(fe, 0, NULL));
    unwatch();
    discard(&m);
}

// Decisions that are not read: no call decides anything that would find no room.
static void unread(void) {
    const gpusched_frontend_config c = told_config();
    struct machine m = build(&c);
    const gpusched_kernel many = {.pc = 1, .grid = {3000, 1, 1}, .tb = {64, 1, 1}};
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &many, 0, NULL));
    size_t waiting, told;
    uint32_t sent = 0;
    while (gpusched_frontend_begin(m.fe, NULL) == GPUSCHED_STATUS_OK) {
        if (gpusched_frontend_send(m.fe, 0, sent % 8, NULL) == GPUSCHED_STATUS_OK) sent++;
        IS(OK, gpusched_frontend_end(m.fe, NULL, NULL));
    }
    watch(&m);
    IS(UNREAD, gpusched_frontend_begin(m.fe, NULL));
    unwatch();
    IS(OK, gpusched_frontend_unread(m.fe, &waiting));
    told = read_all(m.fe);
    TRUE(sent > 0 && told == waiting && told >= sent);
    IS(OK, gpusched_frontend_begin(m.fe, NULL));
    discard(&m);
}

// Parameters of the part.
static void parameters(void) {
    gpusched_frontend_config c = told_config();
    gpusched_parameter wrong;
    IS(OK, gpusched_frontend_config_check(&c, &wrong));
    c.told_units = 2;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    c.told_units = GPUSCHED_TOLD_UNITS_FREE, c.told_rescue = GPUSCHED_TOLD_RESCUE_RR;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    c.told_stall_limit = 5, c.told_dispatch_per_cycle = 65;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    TRUE(strcmp(wrong.name, "told_dispatch_per_cycle") == 0 && wrong.value == 65 && wrong.max == 64);
    c.told_dispatch_per_cycle = 64;
    c.told_units = GPUSCHED_TOLD_UNITS_CHAIN, c.told_split_cap = 1;
    IS(FREE_ONLY, gpusched_frontend_config_check(&c, &wrong));
    c.told_units = GPUSCHED_TOLD_UNITS_FREE, c.told_split_cap = 65536;
    IS(BAD_CONFIG, gpusched_frontend_config_check(&c, &wrong));
    c.told_split_cap = 65535;
    IS(OK, gpusched_frontend_config_check(&c, &wrong));
    struct machine m = build(&c);
    gpusched_frontend_config told;
    IS(OK, gpusched_frontend_get_config(m.fe, &told, sizeof told));
    TRUE(told.told_units == c.told_units && told.told_rescue == c.told_rescue && told.told_stall_limit == 5);
    TRUE(told.told_split_cap == 65535 && told.told_dispatch_per_cycle == 64 && told.policy == GPUSCHED_POLICY_TOLD);
    discard(&m);
}

int main(void) {
    objects();
    others();
    cycle();
    pieces();
    unread();
    parameters();
    puts("all as promised");
    return EXIT_SUCCESS;
}
