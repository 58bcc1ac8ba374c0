// Two contexts on halves of a GPU, and one whose SMXs are drained: what C++ says of them in one expression each.
#include <cstdio>
#include <cstdlib>

#include <gpusched_frontend.hpp>

using namespace gpusched;

int main() {
    auto made = FrontEnd::create(Config().with(&Config::n_smx, 4).with_contexts(2).with_preemption().ideal());
    if (!made) return EXIT_FAILURE;
    FrontEnd gpu = *std::move(made);
    const ContextId first{0}, second{1};
    SmxSet upper;
    upper.insert(SmxId{2}).insert(SmxId{3});
    const Status status[] = {
        gpu.set_context(first, context_spec(SmxSet::first(2))),
        gpu.set_context(second, context_spec(upper, 50, 1)),
        gpu.set_context(second, context_spec(GpcSet::first(1))),  // Nothing says where SMXs lie.
        gpu.set_context(first, context_spec(75)),
        gpu.drain(upper, victim(second)).status(),
        gpu.drain(upper, everybody()).status(),
        gpu.drain(upper, victim(KernelSlot{0})).status(),  // It runs nothing.
    };
    for (const Status s : status) std::printf("%s\n", s.name());
    const Context half = *gpu.context(second), all = *gpu.context(first);
    std::printf("%u %% and %u entry of one, %u %% of the other\n", *half.quota(), *half.kdes(), *all.quota());
}
