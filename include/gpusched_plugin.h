// Generated from the documentation of crate gpusched-abi; do not edit. Anew: cargo run -p gpusched-gen

#ifndef GPUSCHED_PLUGIN_H
#define GPUSCHED_PLUGIN_H

#include "gpusched_base.h"
#include "gpusched_frontend.h"

// The version of the table. A host refuses a file with another one.
#define GPUSCHED_PLUGIN_VERSION 1

// Offered is of each kernel its next TB, in the order of the FCFS controller's chains.
#define GPUSCHED_PLUGIN_CHAIN 0

// Offered are a kernel's native TBs and each of its groups by themselves.
#define GPUSCHED_PLUGIN_FREE 1

// What a policy is told of the machine before it begins. It may keep what it needs, but not the pointers.
typedef struct gpusched_plugin_machine {
    // Bytes of this struct.
    uint32_t struct_size;
    // SMXs.
    uint32_t n_smx;
    // Units that there can be at once: the row of an offer is below.
    uint32_t units;
    // What is free on an SMX that holds no TB.
    struct gpusched_resources capacity;
    // The TPC of each SMX.
    const uint32_t *tpc;
    // The GPC of each SMX.
    const uint32_t *gpc;
} gpusched_plugin_machine;

// Bytes that the state of a policy takes on a machine. The host provides them, zeroed and aligned for anything.
typedef size_t (*gpusched_plugin_state_size)(const struct gpusched_plugin_machine *machine);

// Makes a state. `parameters` is what stands behind the file's name, `key=value` by colons, empty if there is nothing. Null if all is well,
// else why the policy cannot run so, a text that stays.
typedef const char *(*gpusched_plugin_init)(void *state,
                                            const struct gpusched_plugin_machine *machine,
                                            const char *parameters);

// What a policy sees in a cycle. All pointers hold until it has answered.
typedef struct gpusched_plugin_view {
    // Bytes of this struct.
    uint32_t struct_size;
    // SMXs.
    uint32_t n_smx;
    // The cycle.
    uint64_t now;
    // Units with TBs to send, in the host's order. What is being loaded is not among them.
    const struct gpusched_offer *offers;
    // How many.
    size_t offers_count;
    // What is free on each SMX.
    const struct gpusched_resources *free;
    // The TBs that run, by SMX.
    const struct gpusched_resident *residents;
    // Where those of each SMX end in that list; they begin where those of the SMX before it end.
    const uint32_t *residents_end;
} gpusched_plugin_view;

// What a policy answers. It is handed over with `offer` = GPUSCHED_NONE and `wake` = GPUSCHED_NEVER, which says that the policy would send
// nothing until something happens.
typedef struct gpusched_plugin_choice {
    // The cycle in which it wants to be asked again, if it sends nothing now and nothing happens; GPUSCHED_NEVER for none.
    uint64_t wake;
    // The place in `offers` of the unit whose next TB is to be sent; GPUSCHED_NONE for none.
    uint32_t offer;
    // The SMX, one of those in the offer's `open`.
    uint32_t smx;
} gpusched_plugin_choice;

// What is to be done in this cycle.
typedef void (*gpusched_plugin_choose)(void *state,
                                       const struct gpusched_plugin_view *view,
                                       struct gpusched_plugin_choice *choice);

// A TB has ended; before the policy is asked in the same cycle.
typedef void (*gpusched_plugin_done)(void *state, const struct gpusched_completion *completion);

// Writes the state into `capacity` bytes, if they are enough, and says how many it takes.
typedef size_t (*gpusched_plugin_save)(const void *state, void *bytes, size_t capacity);

// Makes a state that was initialised what the saved one was; not 0 if the bytes are none.
typedef uint32_t (*gpusched_plugin_restore)(void *state, const void *bytes, size_t size);

// The state is not used any more; its bytes are the host's.
typedef void (*gpusched_plugin_end)(void *state);

// The table that a file exports: `const gpusched_plugin *gpusched_plugin_table(void);`. It lives as long as the file is loaded. Its functions
// may be called on several threads at once, each with a state of its own.
typedef struct gpusched_plugin {
    // Bytes of this struct: sizeof(gpusched_plugin).
    uint32_t struct_size;
    // GPUSCHED_PLUGIN_VERSION.
    uint32_t version;
    // GPUSCHED_PLUGIN_CHAIN or GPUSCHED_PLUGIN_FREE: what it is offered.
    uint32_t units;
    // What it is called in tables.
    const char *name;
    // Must be there.
    gpusched_plugin_state_size state_size;
    // Must be there.
    gpusched_plugin_init init;
    // Must be there.
    gpusched_plugin_choose choose;
    // May be null.
    gpusched_plugin_done done;
    // May be null: then a checkpoint is refused.
    gpusched_plugin_save save;
    // May be null, as save.
    gpusched_plugin_restore restore;
    // May be null.
    gpusched_plugin_end end;
} gpusched_plugin;

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // GPUSCHED_PLUGIN_H
