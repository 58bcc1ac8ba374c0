// The events of registers.toml on their way into the front end: one is put together of its entries, checked, and carried out with the
// call of its name. Rings and time are host.c's.
#ifndef GPUSCHED_FPGA_EVENTS_H
#define GPUSCHED_FPGA_EVENTS_H

#include <gpusched.h>
#include <stdbool.h>

#include "generated/gpusched_fpga_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

// What one event can carry at most: the lanes of a warp, a chunk of 1024 bytes, an activity per SMX.
enum {
    GPUSCHED_FPGA_LANES = 64,
    GPUSCHED_FPGA_CHUNK_NODES = 128,
    GPUSCHED_FPGA_CHUNK_EDGES = 512,
};

// An event.
typedef struct gpusched_fpga_event {
    // What its entries agree in.
    uint32_t kind, flags, about;
    uint64_t cycle;
    // Its first number, and how many entries there are. None: there is no event.
    uint32_t number, entries;
    // Whether its last entry is here; why it must be refused, or 0.
    bool whole;
    uint32_t wrong;
    // The first entry, and what it and the others carry: `count` of them.
    uint32_t words[GPUSCHED_FPGA_ENTRY_WORDS];
    uint32_t count;
    union {
        gpusched_kernel kernels[GPUSCHED_FPGA_LANES];
        gpusched_group groups[GPUSCHED_FPGA_LANES];
        uint64_t nodes[GPUSCHED_FPGA_CHUNK_NODES];
        uint16_t halves[GPUSCHED_FPGA_CHUNK_EDGES];
    } carried;
} gpusched_fpga_event;

// What became of it.
typedef struct gpusched_fpga_outcome {
    uint32_t status, value;
    gpusched_dgb_error error;
} gpusched_fpga_outcome;

// How many words of an entry there are to read, as its second word says: what an entry can have, whatever it says.
uint32_t gpusched_fpga_entry_words(uint32_t head);

// Takes one entry, the next of the event or the first of another. Entries that are wrong are taken, too: they make an event that is
// refused, of all entries up to the first without MORE.
void gpusched_fpga_event_take(gpusched_fpga_event *event, const uint32_t *words);

// Carries out a whole event that nothing is wrong with.
gpusched_fpga_outcome gpusched_fpga_event_apply(gpusched_fpga_event *event, gpusched_frontend *frontend);

#ifdef __cplusplus
}
#endif

#endif
