// Tests of single properties of the logic and of the host program: what registers say, what is refused, what stops the host.
#ifndef DIRECTED_HPP
#define DIRECTED_HPP

#include "board.hpp"

namespace bench {

// The first claim that did not hold.
class Claims {
public:
    void that(bool holds, const std::string& claim) {
        if (!holds && wrong_.empty()) wrong_ = claim;
    }
    const std::string& wrong() const { return wrong_; }

private:
    std::string wrong_;
};

inline gpusched_frontend_config small_machine(std::uint32_t n_smx) {
    gpusched::Config c = gpusched::Config().ideal();
    c.n_smx = n_smx;
    c.tb_slots = Board::kSlots;
    return c;
}

// What a reset leaves, whenever it comes.
inline void after_reset(Claims& claim, Board& b) {
    for (const std::uint32_t at : {GPUSCHED_FPGA_CONTROL, GPUSCHED_FPGA_ORIGIN, GPUSCHED_FPGA_ERROR, GPUSCHED_FPGA_IRQ,
                                   GPUSCHED_FPGA_IRQ_ENABLE, GPUSCHED_FPGA_EVENT_TAIL, GPUSCHED_FPGA_EVENT_HEAD,
                                   GPUSCHED_FPGA_DECISION_TAIL, GPUSCHED_FPGA_DECISION_HEAD, GPUSCHED_FPGA_DOORBELL,
                                   GPUSCHED_FPGA_HOST_CYCLE_LO, GPUSCHED_FPGA_HOST_CYCLE_HI, GPUSCHED_FPGA_HOST_FAULT,
                                   GPUSCHED_FPGA_HOST_FAULT_EVENT, GPUSCHED_FPGA_STALE_WRITES})
        claim.that(b.read(at) == 0 && b.response() == 0, "after a reset " + std::to_string(at) + " is 0");
}

// A reset in the middle of a session ends it: nothing of it is left.
inline void reset(Claims& claim) {
    Board b(4);
    const std::uint32_t origin = 40, all = 7;
    b.write(GPUSCHED_FPGA_ORIGIN, origin);
    b.write(GPUSCHED_FPGA_CONTROL, 1);
    b.attach(nullptr, {}, false, origin);
    b.write(GPUSCHED_FPGA_IRQ_ENABLE, all);
    for (const std::uint32_t at : {GPUSCHED_FPGA_HOST_CYCLE_LO, GPUSCHED_FPGA_HOST_CYCLE_HI, GPUSCHED_FPGA_HOST_FAULT,
                                   GPUSCHED_FPGA_HOST_FAULT_EVENT}) {
        b.write(at, at);
        claim.that(b.read(at) == at, "what the host writes to " + std::to_string(at) + " can be read");
    }
    claim.that(b.read(GPUSCHED_FPGA_IRQ_ENABLE) == all && b.read(GPUSCHED_FPGA_CONTROL) == 1, "IRQ_ENABLE and CONTROL can be read");
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin + 1); // ERROR, IRQ and the interrupt
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin - 1); // STALE_WRITES
    claim.that(b.read(GPUSCHED_FPGA_STALE_WRITES) == 1 && b.logic().irq, "a session with something of everything");
    b.reset();
    claim.that(!b.logic().irq && !b.logic().enabled, "a reset ends the session and the interrupt");
    after_reset(claim, b);

    // The next session counts anew, reset or not.
    for (int session = 0; session < 2; session++) {
        b.write(GPUSCHED_FPGA_CONTROL, 1);
        b.write(GPUSCHED_FPGA_EVENT_HEAD, 0xffffffff);
        claim.that(b.read(GPUSCHED_FPGA_STALE_WRITES) == 1, "STALE_WRITES counts those of the session");
        b.write(GPUSCHED_FPGA_CONTROL, 0);
    }
    claim.that(b.failure().empty(), b.failure());
}

// Registers after a reset, and accesses that there must not be.
inline void registers(Claims& claim) {
    Board b(1);
    claim.that(b.read(GPUSCHED_FPGA_ID) == GPUSCHED_FPGA_ID_VALUE_RESET, "ID");
    claim.that(b.read(GPUSCHED_FPGA_VERSION) == 0x10000, "VERSION");
    claim.that(b.read(GPUSCHED_FPGA_CAPACITY) == (GPUSCHED_FPGA_ENTRY_WORDS << 16 | 8 << 8 | 16), "CAPACITY");
    claim.that(b.read(GPUSCHED_FPGA_GEOMETRY) == (Board::kSlots << 16 | Board::kSmxs), "GEOMETRY");
    const std::uint32_t indices[] = {GPUSCHED_FPGA_EVENT_TAIL, GPUSCHED_FPGA_EVENT_HEAD, GPUSCHED_FPGA_DECISION_TAIL,
                                     GPUSCHED_FPGA_DECISION_HEAD};
    after_reset(claim, b);
    for (const std::uint32_t at : {GPUSCHED_FPGA_ID, GPUSCHED_FPGA_GEOMETRY, GPUSCHED_FPGA_EVENT_TAIL, GPUSCHED_FPGA_STALE_WRITES}) {
        const std::uint32_t before = b.read(at);
        b.write(at, ~before);
        claim.that(b.read(at) == before, "a register that is ro stays");
    }
    b.write(GPUSCHED_FPGA_ORIGIN, 0xfffffff7);
    for (const std::uint32_t at : indices)
        claim.that(b.read(at) == 0xfffffff7, "indices stand at ORIGIN");
    // The cycle does not tear: the upper half is that of the last read of the lower.
    b.set_cycle(0xffffffff);
    claim.that(b.read(GPUSCHED_FPGA_CYCLE_LO) == 0xffffffff, "CYCLE_LO");
    b.set_cycle(0x500000000);
    claim.that(b.read(GPUSCHED_FPGA_CYCLE_HI) == 0, "CYCLE_HI is that of the last read of CYCLE_LO");
    claim.that(b.read(GPUSCHED_FPGA_CYCLE_LO) == 0 && b.read(GPUSCHED_FPGA_CYCLE_HI) == 5, "CYCLE");
    b.write(GPUSCHED_FPGA_HOST_CYCLE_LO, 5);
    claim.that(b.logic().host_cycle == 0, "HOST_CYCLE_LO waits for HOST_CYCLE_HI");
    b.write(GPUSCHED_FPGA_HOST_CYCLE_HI, 7);
    claim.that(b.logic().host_cycle == (std::uint64_t{7} << 32 | 5), "HOST_CYCLE");

    const std::uint32_t bus = GPUSCHED_FPGA_PUT(1u, ERROR_BUS), bad_reads[] = {2, 0x200, 0x1800, GPUSCHED_FPGA_DECISIONS, 0x3000};
    for (const std::uint32_t at : bad_reads) {
        b.read(at);
        claim.that(b.response() == 2, "SLVERR for a read of " + std::to_string(at));
        claim.that(b.read(GPUSCHED_FPGA_ERROR) == bus, "ERROR.BUS after a read of " + std::to_string(at));
        b.write(GPUSCHED_FPGA_ERROR, bus);
        claim.that(b.read(GPUSCHED_FPGA_ERROR) == 0, "ERROR is cleared by writing it");
    }
    const std::uint32_t bad_writes[] = {GPUSCHED_FPGA_EVENTS, 0x200, 0x2400, 0x11, 0x3000};
    for (const std::uint32_t at : bad_writes) {
        b.write(at, 1);
        claim.that(b.response() == 2, "SLVERR for a write of " + std::to_string(at));
    }
    b.write(GPUSCHED_FPGA_CONTROL, 1, 3);
    claim.that(b.response() == 2 && b.read(GPUSCHED_FPGA_CONTROL) == 0, "a write of half a word is refused");
    claim.that(b.read(GPUSCHED_FPGA_IRQ) == GPUSCHED_FPGA_PUT(1u, IRQ_ERROR), "IRQ.ERROR");
    claim.that(!b.logic().irq, "no interrupt that is not enabled");
    b.write(GPUSCHED_FPGA_IRQ_ENABLE, GPUSCHED_FPGA_PUT(1u, IRQ_ENABLE_ERROR));
    b.clock();
    claim.that(b.logic().irq, "an interrupt that is enabled");
    claim.that(b.failure().empty(), b.failure());
}

// Indices go forward only, and not too far; entries are what their number says.
inline void indices(Claims& claim) {
    Board b(2);
    const auto at = [](std::uint32_t index, std::uint32_t word) { return GPUSCHED_FPGA_DECISIONS + (index % 8 * 32 + word) * 4; };
    const auto error = [&]() {
        const std::uint32_t bits = b.read(GPUSCHED_FPGA_ERROR);
        b.write(GPUSCHED_FPGA_ERROR, bits);
        return bits;
    };
    const std::uint32_t origin = 0xfffffffe;
    b.write(GPUSCHED_FPGA_ORIGIN, origin);
    b.write(GPUSCHED_FPGA_CONTROL, 1);
    b.attach(nullptr, {}, false, origin);
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin + 1);
    claim.that(error() == GPUSCHED_FPGA_PUT(1u, ERROR_EVENT_HEAD), "EVENT_HEAD beyond EVENT_TAIL");
    b.write(GPUSCHED_FPGA_DECISION_TAIL, origin + 9);
    claim.that(error() == GPUSCHED_FPGA_PUT(1u, ERROR_DECISION_TAIL), "DECISION_TAIL beyond the room");
    claim.that(b.read(GPUSCHED_FPGA_EVENT_HEAD) == origin && b.read(GPUSCHED_FPGA_DECISION_TAIL) == origin, "both are ignored");
    b.write(GPUSCHED_FPGA_DECISION_TAIL, origin);
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin - 3);
    claim.that(error() == 0 && b.read(GPUSCHED_FPGA_STALE_WRITES) == 2, "old indices are counted and ignored");

    // The index before the entry: the logic waits until it is there.
    b.write(GPUSCHED_FPGA_DECISION_TAIL, origin + 1);
    b.write(GPUSCHED_FPGA_DOORBELL, 1);
    for (int i = 0; i < 200; i++) b.clock();
    claim.that(error() == GPUSCHED_FPGA_PUT(1u, ERROR_DECISION_ENTRY) && b.log().empty(), "an entry that is not there is not obeyed");
    for (const std::uint32_t length : {3u, 33u, 4u}) {
        claim.that(b.log().empty(), "a decision of an impossible length is not obeyed");
        b.write(at(origin, 1), GPUSCHED_FPGA_PUT(7u, DECISION_KIND) | GPUSCHED_FPGA_PUT(length, DECISION_WORDS));
        b.write(at(origin, 0), origin);
        for (int i = 0; i < 200; i++) b.clock();
    }
    claim.that(b.log().size() == 1 && kind_of(b.log()[0]) == 7, "it is obeyed when it is there, with no other doorbell");
    claim.that(b.read(GPUSCHED_FPGA_DECISION_HEAD) == origin + 1, "DECISION_HEAD moves");
    claim.that((b.read(GPUSCHED_FPGA_IRQ) & GPUSCHED_FPGA_PUT(1u, IRQ_ROOM)) != 0, "IRQ.ROOM");
    // Nor is the entry of a round ago, in whose place it should be.
    for (std::uint32_t i = origin + 1; i != origin + 8; i++) {
        b.write(at(i, 1), GPUSCHED_FPGA_PUT(7u, DECISION_KIND) | GPUSCHED_FPGA_PUT(4u, DECISION_WORDS));
        b.write(at(i, 0), i);
    }
    error();
    b.write(GPUSCHED_FPGA_DECISION_TAIL, origin + 9);
    for (int i = 0; i < 500; i++) b.clock();
    claim.that(error() == GPUSCHED_FPGA_PUT(1u, ERROR_DECISION_ENTRY) && b.log().size() == 8, "an entry of a round ago is not obeyed");
    b.write(at(origin + 8, 0), origin + 8);
    for (int i = 0; i < 200; i++) b.clock();
    claim.that(b.log().size() == 9, "it is when it is written again");
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin + 1);
    b.write(GPUSCHED_FPGA_DECISION_TAIL, origin + 99);
    b.write(GPUSCHED_FPGA_ERROR, GPUSCHED_FPGA_PUT(1u, ERROR_EVENT_HEAD));
    claim.that((error() & 3) == GPUSCHED_FPGA_PUT(1u, ERROR_DECISION_TAIL), "an error is cleared alone");
    error();

    // A full event ring takes nothing more; an entry that is too long is cut.
    for (std::uint32_t i = 0; i < 17; i++) b.post(Words{origin + i}, 4);
    for (int i = 0; i < 500; i++) b.clock();
    claim.that(b.read(GPUSCHED_FPGA_EVENT_TAIL) == origin + 16 && !b.logic().event_ready, "a full event ring");
    for (std::uint32_t i = 0; i < 16; i++)
        claim.that(b.read(GPUSCHED_FPGA_EVENTS + ((origin + i) % 16) * 128) == origin + i, "entries wait in the event ring");
    b.write(GPUSCHED_FPGA_EVENT_HEAD, origin + 3);
    for (int i = 0; i < 20; i++) b.clock();
    claim.that(b.read(GPUSCHED_FPGA_EVENT_TAIL) == origin + 17, "room in the event ring is used");
    claim.that(b.read(GPUSCHED_FPGA_IRQ) & GPUSCHED_FPGA_PUT(1u, IRQ_EVENT), "IRQ.EVENT");
    b.post(Words{}, 40);
    for (int i = 0; i < 60; i++) b.clock();
    claim.that(error() == GPUSCHED_FPGA_PUT(1u, ERROR_EVENT_LENGTH), "an entry that is too long");
    claim.that(b.read(GPUSCHED_FPGA_EVENTS + ((origin + 3) % 16) * 128) == origin + 3, "does not run into the next one");
    claim.that(b.failure().empty(), b.failure());
}

// What the host program says of a logic that it was not built for, and of an event that is missing.
inline void host_program(Claims& claim) {
    Board b(3);
    gpusched_fpga_host host;
    const gpusched_fpga_bus bus = b.bus();
    Machine other(small_machine(Board::kSmxs + 1)), machine(small_machine(Board::kSmxs));
    claim.that(gpusched_fpga_start(&host, &bus, other.c(), 0) == GPUSCHED_FPGA_STATUS_WRONG_GEOMETRY, "another number of SMXs is refused");
    claim.that(gpusched_fpga_service(&host) == GPUSCHED_FPGA_STATUS_WRONG_GEOMETRY, "a host that did not start does nothing");
    gpusched_frontend_config told = small_machine(Board::kSmxs);
    told.policy = GPUSCHED_POLICY_TOLD;
    Machine nobody_tells(told);
    claim.that(gpusched_fpga_start(&host, &bus, nobody_tells.c(), 0) == GPUSCHED_STATUS_TOLD, "the policy told is refused");
    const gpusched_fpga_bus no_bus = {};
    claim.that(gpusched_fpga_start(&host, &bus, nullptr, 0) == GPUSCHED_STATUS_NULL, "no front end");
    claim.that(gpusched_fpga_start(&host, nullptr, machine.c(), 0) == GPUSCHED_STATUS_NULL, "no bus");
    claim.that(gpusched_fpga_start(&host, &no_bus, machine.c(), 0) == GPUSCHED_STATUS_NULL, "a bus without functions");
    claim.that(gpusched_fpga_start(nullptr, &bus, machine.c(), 0) == GPUSCHED_STATUS_NULL, "no host");
    claim.that(gpusched_fpga_service(nullptr) == GPUSCHED_STATUS_NULL, "no host to serve");
    claim.that(b.read(GPUSCHED_FPGA_CONTROL) == 0, "nothing was started");

    // A fake map, in which one register is another.
    struct Fake {
        Board* board;
        std::uint32_t at, value;
    };
    const auto fake_read = [](void* context, std::uint32_t offset) {
        const auto& f = *static_cast<Fake*>(context);
        return offset == f.at ? f.value : f.board->read(offset);
    };
    const auto fake_write = [](void* context, std::uint32_t offset, std::uint32_t value) {
        static_cast<Fake*>(context)->board->write(offset, value);
    };
    const struct {
        std::uint32_t at, value, status;
    } maps[] = {{GPUSCHED_FPGA_ID, 0, GPUSCHED_FPGA_STATUS_WRONG_MAP},
                {GPUSCHED_FPGA_ID, 0xffffffff, GPUSCHED_FPGA_STATUS_WRONG_MAP},
                {GPUSCHED_FPGA_VERSION, 0x20000, GPUSCHED_FPGA_STATUS_WRONG_VERSION},
                {GPUSCHED_FPGA_CAPACITY, 32 << 16 | 8 << 8 | 12, GPUSCHED_FPGA_STATUS_WRONG_CAPACITY},
                {GPUSCHED_FPGA_CAPACITY, 32 << 16 | 64 << 8 | 16, GPUSCHED_FPGA_STATUS_WRONG_CAPACITY},
                {GPUSCHED_FPGA_CAPACITY, 16 << 16 | 8 << 8 | 16, GPUSCHED_FPGA_STATUS_WRONG_CAPACITY},
                {GPUSCHED_FPGA_CAPACITY, 0, GPUSCHED_FPGA_STATUS_WRONG_CAPACITY}};
    for (const auto& m : maps) {
        Fake fake{&b, m.at, m.value};
        const gpusched_fpga_bus wrong = {fake_read, fake_write, &fake};
        claim.that(gpusched_fpga_start(&host, &wrong, machine.c(), 0) == m.status, gpusched_fpga_status_str(m.status));
    }

    // A session; a gap stops it; another session, with other numbers, does not take the entries that the first left in the ring.
    const auto run = [&]() {
        for (int i = 0; i < 300; i++) b.clock();
        return gpusched_fpga_service(&host);
    };
    const auto numbered = [](std::uint32_t number, Words w) {
        w[0] = number;
        return w;
    };
    claim.that(gpusched_fpga_start(&host, &bus, machine.c(), 100) == 0, "start");
    b.attach(nullptr, {}, false, 100);
    Words launch = event_entry(kHOST_LAUNCH, 19, 0, true, false);
    put_kernel(launch, 6, gpusched::kernel(1, gpusched::dim3(1), gpusched::dim3(32), 77));
    b.post(numbered(100, launch), 19);
    claim.that(run() == 0 && host.counts.events == 1, "an event is carried out");
    b.post(numbered(102, launch), 19);
    claim.that(run() == GPUSCHED_FPGA_STATUS_GAP && host.counts.events == 1, "an event that is missing stops the host");
    claim.that(run() == GPUSCHED_FPGA_STATUS_GAP && host.counts.entries == 2, "for good");
    claim.that(b.read(GPUSCHED_FPGA_HOST_FAULT) == GPUSCHED_FPGA_STATUS_GAP, "HOST_FAULT");
    claim.that(b.read(GPUSCHED_FPGA_HOST_FAULT_EVENT) == 101, "HOST_FAULT_EVENT");
    Machine again(small_machine(Board::kSmxs));
    claim.that(gpusched_fpga_start(&host, &bus, again.c(), 5000) == 0, "another session");
    b.attach(nullptr, {}, false, 5000);
    claim.that(b.read(GPUSCHED_FPGA_HOST_FAULT) == 0, "it begins without fault");
    claim.that(run() == 0 && host.counts.entries == 0, "and without the entries of the last");
    b.post(numbered(100, launch), 19);
    b.post(numbered(5000, launch), 19);
    claim.that(run() == 0 && host.counts.events == 1 && host.counts.repeated == 1, "an entry of the last is dropped");
    for (int i = 0; i < 300; i++) b.clock();
    claim.that(b.log().size() == 1 && kind_of(b.log()[0]) == GPUSCHED_FPGA_DECISION_REPLY, "an answer that was asked for");
    claim.that(b.failure().empty(), b.failure());
}

inline std::string directed() {
    Claims claims;
    registers(claims);
    reset(claims);
    indices(claims);
    host_program(claims);
    return claims.wrong().empty() ? "" : "does not hold: " + claims.wrong();
}

}  // namespace bench

#endif
