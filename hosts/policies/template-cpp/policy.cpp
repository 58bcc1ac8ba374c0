// A scheduling policy of your own, in C++17: the unit with the least left to send goes first, round robin over the SMXs.
//
//     c++ -std=c++17 -O2 -shared -fPIC -I../../../include policy.cpp -o libmine.so
//     gpusched compare bfs --sched fcfs,./libmine.so

#include <new>

#include "gpusched_plugin.h"

namespace {

class Policy {
public:
    explicit Policy(const gpusched_plugin_machine &machine) : smxs_(machine.n_smx) {}

    // Offers come in the order of the host, the first one first. Nothing needs to be sent.
    void choose(const gpusched_plugin_view &view, gpusched_plugin_choice &choice) {
        uint32_t least = GPUSCHED_NONE;
        for (size_t i = 0; i < view.offers_count; i++) {
            const gpusched_offer &offer = view.offers[i];
            const uint32_t smx = next(offer);
            if (smx == smxs_ || offer.left >= least) continue;
            least = offer.left;
            choice.offer = static_cast<uint32_t>(i);
            choice.smx = smx;
        }
        if (choice.offer != GPUSCHED_NONE) turn_ = (choice.smx + 1) % smxs_;
    }

    // A TB has ended: which one, where, when it was sent.
    void done(const gpusched_completion &) { ended_++; }

private:
    // The first SMX from the turn on that is open; `smxs_` if there is none.
    uint32_t next(const gpusched_offer &offer) const {
        for (uint32_t i = 0; i < smxs_; i++) {
            const uint32_t smx = (turn_ + i) % smxs_;
            if (offer.open.words[smx / 64] >> (smx % 64) & 1) return smx;
        }
        return smxs_;
    }

    uint32_t smxs_;
    uint32_t turn_ = 0;
    uint64_t ended_ = 0;
};

Policy &of(void *mine) { return *static_cast<Policy *>(mine); }

}  // namespace

extern "C" const gpusched_plugin *gpusched_plugin_table() {
    static const gpusched_plugin table = [] {
        gpusched_plugin t{};
        t.struct_size = sizeof(gpusched_plugin);
        t.version = GPUSCHED_PLUGIN_VERSION;
        t.units = GPUSCHED_PLUGIN_FREE;
        t.name = "least-left";
        t.state_size = [](const gpusched_plugin_machine *) { return sizeof(Policy); };
        t.init = [](void *mine, const gpusched_plugin_machine *machine, const char *parameters) -> const char * {
            if (*parameters) return "it has no parameters";
            new (mine) Policy(*machine);
            return nullptr;
        };
        t.choose = [](void *mine, const gpusched_plugin_view *view, gpusched_plugin_choice *choice) {
            of(mine).choose(*view, *choice);
        };
        t.done = [](void *mine, const gpusched_completion *completion) { of(mine).done(*completion); };
        t.end = [](void *mine) { of(mine).~Policy(); };
        return t;
    }();
    return &table;
}
