// tests/c/policy.c in C++: the kernel with the fewest blocks left goes first, to the open SMX with the most free threads.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include <gpusched.hpp>

using namespace gpusched;

// What may be sent, and has an SMX that is open to it.
std::optional<Offer> best(const FrontEnd& gpu) {
    std::array<gpusched_offer, 32> buffer;
    std::optional<Offer> best;
    for (const Offer offer : *gpu.offers(buffer)) {
        if (offer.open().raw().words[0] != 0 && (!best || offer.left() < best->left())) best = offer;
    }
    return best;
}

int main() {
    const Config config = Config(Gpu::K20c).ideal().with(&Config::n_smx, 3).with(Units::Chain);
    auto made = FrontEnd::create(config);
    if (!made) return EXIT_FAILURE;
    FrontEnd gpu = *std::move(made);
    if (!gpu.host_launch(0, kernel(1, dim3(8), dim3(512), 8))) return EXIT_FAILURE;
    if (!gpu.host_launch(1, kernel(2, dim3(4), dim3(1024), 4))) return EXIT_FAILURE;

    std::vector<Placement> running;
    for (std::size_t ended = 0; ended < 12;) {
        (void)gpu.begin();
        const auto offer = best(gpu);
        if (offer) {
            SmxId to{};
            std::uint32_t most = 0;
            for (std::uint32_t smx = 0; smx < config.n_smx; smx++) {
                const std::uint32_t threads = gpu.smx(SmxId{smx})->threads;
                if (offer->open().contains(SmxId{smx}) && threads > most) most = threads, to = SmxId{smx};
            }
            const auto tb = gpu.send(offer->id(), to);
            if (!tb) return EXIT_FAILURE;
            std::printf("TB %u of %u -> SMX %u\n", tb->blkid(), unsigned(tb->tag()), number(to));
            running.push_back(*tb);
        }
        if (!gpu.end() || !gpu.take()) return EXIT_FAILURE;
        if (!offer && ended < running.size()) {
            if (!gpu.tb_done(running[ended].smx(), running[ended].slot())) return EXIT_FAILURE;
            ended++;
        }
    }
}
