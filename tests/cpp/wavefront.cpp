// The same wavefront as tests/c/wavefront.c.
#include <gpusched_dgb.hpp>

#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace gpusched;
using namespace gpusched::dgb;

int main() {
    const auto graph = build(dim3(4, 4), 2 * 16, [](Dim3 tb, Links& links) {
        links.add_dependency(tb.x - 1, tb.y);
        links.add_dependency(tb.x, tb.y - 1);
    });
    auto made = Buffer::create();
    if (!graph || !made || !made->launch(KernelSlot{0}, graph->header(0x10000, 0x20000))) return EXIT_FAILURE;
    Buffer dgb = *std::move(made);

    std::deque<NodeId> running;
    for (bool finished = false; !finished;) {
        while (const auto request = *dgb.poll()) {
            const bool nodes = request->kind() == Kind::Nodes;
            if (nodes && !dgb.nodes(request->tag(), asked(*request, graph->nodes()))) return EXIT_FAILURE;
            if (!nodes && !dgb.edges(request->tag(), asked(*request, graph->edges()))) return EXIT_FAILURE;
        }
        const auto selection = dgb.select(SmxSet::first(2));
        if (!selection) return EXIT_FAILURE;
        if (const auto sent = selection->dispatch()) {
            const std::uint32_t tb = graph->tb(sent->node());
            std::printf("TB (%u,%u) -> SMX %u\n", tb % 4, tb / 4, number(sent->smx()));
            running.push_back(sent->node());
        } else if (finished = selection->sched() == Sched::Finished; !finished) {
            if (running.empty() || !dgb.complete(running.front())) return EXIT_FAILURE;
            running.pop_front();
        }
    }
}
