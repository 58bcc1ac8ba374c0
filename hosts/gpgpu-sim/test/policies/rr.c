// The front end's own rules (sheet policy, E1), as a policy from outside: the first offer that some SMX takes, round robin over the SMXs.
// `pass=head`: where the first offer cannot go, nobody goes. What is shown is held against itself: if it contradicts itself, an SMX is
// answered that there is not.
#include <stddef.h>
#include <string.h>

#include "gpusched_plugin.h"

typedef struct {
    struct gpusched_resources capacity;
    uint32_t n_smx, rr, units, head, wrong;
} state;

static size_t state_size(const gpusched_plugin_machine *machine) {
    (void)machine;
    return sizeof(state);
}

static const char *init(void *mine, const gpusched_plugin_machine *machine, const char *parameters) {
    state *s = mine;
    s->capacity = machine->capacity;
    s->n_smx = machine->n_smx;
    s->units = machine->units;
    s->head = strcmp(parameters, "pass=head") == 0;
    for (uint32_t i = 0; i < machine->n_smx; i++) s->wrong |= machine->gpc[i] > machine->tpc[i] || machine->tpc[i] > i;
    return *parameters == '\0' || s->head ? NULL : "pass=head is all that it knows";
}

static int is_in(const struct gpusched_smx_set *set, uint32_t smx) {
    return set->words[smx / 64] >> (smx % 64) & 1;
}

// Whether what is free and what runs add up.
static int adds_up(const state *s, const gpusched_plugin_view *view) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < view->n_smx; i++) {
        uint32_t threads = 0;
        const uint32_t tbs = view->residents_end[i] - at;
        for (; at < view->residents_end[i]; at++) threads += view->residents[at].threads;
        if (view->free[i].slots + tbs != s->capacity.slots || view->free[i].threads + threads != s->capacity.threads) return 0;
    }
    for (size_t i = 0; i < view->offers_count; i++) {
        const struct gpusched_offer *offer = &view->offers[i];
        if (offer->left == 0 || offer->left > offer->total || offer->row >= s->units || offer->key.ready > view->now) return 0;
    }
    return view->struct_size == sizeof *view && view->n_smx == s->n_smx;
}

static void choose(void *mine, const gpusched_plugin_view *view, gpusched_plugin_choice *choice) {
    state *s = mine;
    struct gpusched_smx_set left;
    memset(&left, 0xff, sizeof left);
    if (s->wrong || !adds_up(s, view)) {
        choice->offer = 0, choice->smx = 9999;
        return;
    }
    for (size_t i = 0; i < view->offers_count; i++) {
        const struct gpusched_offer *offer = &view->offers[i];
        for (uint32_t k = 0; k < s->n_smx; k++) {
            const uint32_t smx = (s->rr + k) % s->n_smx;
            if (!is_in(&offer->open, smx) || !is_in(&left, smx)) continue;
            choice->offer = (uint32_t)i, choice->smx = smx;
            s->rr = (smx + 1) % s->n_smx;
            return;
        }
        if (s->head) return;
        uint64_t some = 0;
        for (int w = 0; w < 4; w++) some |= left.words[w] &= offer->capped.words[w];
        if (some == 0) return;
    }
}

static void done(void *mine, const struct gpusched_completion *ended) {
    state *s = mine;
    s->wrong |= ended->smx >= s->n_smx || ended->row >= s->units || ended->start > ended->end;
}

const gpusched_plugin *gpusched_plugin_table(void) {
    static const gpusched_plugin table = {
        .struct_size = sizeof(gpusched_plugin),
        .version = GPUSCHED_PLUGIN_VERSION,
        .units = GPUSCHED_PLUGIN_CHAIN,
        .name = "rr",
        .state_size = state_size,
        .init = init,
        .choose = choose,
        .done = done,
    };
    return &table;
}
