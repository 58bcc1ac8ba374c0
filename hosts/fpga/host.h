// The host program: drives a gpusched front end from the events of a GPU in logic, and posts its decisions, through the map of
// registers.toml. C11, freestanding: it needs an integrator's read and write of a register, and memcpy. One thread drives one host.
//
//   gpusched_fpga_host host;                          // static or anywhere else; nothing is allocated
//   gpusched_frontend_init(block, size, &config, &frontend);
//   if (gpusched_fpga_start(&host, &bus, frontend, origin) != 0) ...
//   for (;;) {
//       status = gpusched_fpga_service(&host);        // at each interrupt, and when none came for a while
//       if (status != 0 && status != GPUSCHED_FPGA_STATUS_BLOCKED) ...   // it has stopped; HOST_FAULT says why
//       wait_for_interrupt_or(a_millisecond);
//   }
//
// README.md says what the entries mean, what must be written before what, and why.
#ifndef GPUSCHED_FPGA_HOST_H
#define GPUSCHED_FPGA_HOST_H

#include <gpusched.h>

#include "events.h"
#include "generated/gpusched_fpga_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

// How the integrator reaches the map. `offset` is in bytes from its start, a multiple of 4. Both are called only from
// gpusched_fpga_start and gpusched_fpga_service, and must reach the device in the order in which they are called: memory that is
// mapped as a device's keeps that order by itself, other memory needs a barrier in front of every write of an index.
typedef struct gpusched_fpga_bus {
    uint32_t (*read)(void *context, uint32_t offset);
    void (*write)(void *context, uint32_t offset, uint32_t value);
    void *context;
} gpusched_fpga_bus;

// What it did since it was started.
typedef struct gpusched_fpga_counts {
    // Calls of gpusched_fpga_service, and those that ended at a full decision ring.
    uint64_t services, blocked;
    // Entries that were read, and those of them that had been read before and were dropped.
    uint64_t entries, repeated;
    // Events, and those of them that were refused.
    uint64_t events, refused;
    // Entries that were posted.
    uint64_t posted;
} gpusched_fpga_counts;

// A host program's whole state. Read `counts` and `frontend`; the rest is its own.
typedef struct gpusched_fpga_host {
    gpusched_fpga_bus bus;
    gpusched_frontend *frontend;
    gpusched_fpga_counts counts;

    // The event ring: its length, entries taken, the number that comes next, and the event that is being taken or carried out.
    uint32_t event_entries, event_head, event_number;
    gpusched_fpga_event event;
    // The greatest cycle of the GPU that was seen.
    uint64_t cycle;

    // The decision ring: its length, entries posted, entries that the logic was seen to have read, and an entry that is due.
    uint32_t decision_entries, decision_tail, decision_head;
    uint32_t due[GPUSCHED_FPGA_ENTRY_WORDS];
    // Whether IRQ.ROOM is enabled.
    uint32_t wants_room;
    // HOST_CYCLE as it was published.
    uint64_t published_cycle;

    // Why it has stopped, or 0. Whether there is a dependency-graph buffer that wants to be asked.
    uint32_t fault;
    uint32_t dats;
} gpusched_fpga_host;

// Checks that the logic is what this host was built for, and starts a session: both rings empty, numbers from `origin`. Take another
// origin in each session, so that no entry of an earlier one is taken for one of this.
//
// @param host      Written; its former content does not matter.
// @param bus       Copied.
// @param frontend  Initialised, its decisions read; the host's alone from now on, but for queries between two services.
// @return OK; a status of the host program (WRONG_...); TOLD: the policy of `frontend` is `told`, and no event says where a TB goes; what
// gpusched_frontend_get_config says of `frontend`. If it is not OK, nothing was written to the map.
uint32_t gpusched_fpga_start(gpusched_fpga_host *host, const gpusched_fpga_bus *bus, gpusched_frontend *frontend, uint32_t origin);

// Carries out every event that was posted before the call, and posts what was decided. Calls without need do no harm. One call takes at
// most as many entries as the event ring holds; how long it takes has no bound, since an event may lie any number of cycles after the one
// before it and the logic may read decisions while it goes on. Post TIME often where calls must be short.
//
// @return OK: everything is done, the next doorbell will tell of more. BLOCKED: the decision ring is full, call again when the logic has
// read (IRQ.ROOM). All else: the host has stopped for good, and says so in HOST_FAULT.
uint32_t gpusched_fpga_service(gpusched_fpga_host *host);

// The name of a status, a gpusched_status or one of the host program; "Unknown" if it is neither. Static.
const char *gpusched_fpga_status_str(uint32_t status);

#ifdef __cplusplus
}
#endif

#endif
