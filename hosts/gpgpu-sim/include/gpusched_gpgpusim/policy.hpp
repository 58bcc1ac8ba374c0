// policy.hpp: a policy that decides in the front end's place which TB goes to which SMX: one of the catalogue (catalogue.hpp), or one in a
// file (plugin.hpp). In a cycle in which there may be something to do it sees the units with TBs to send, and answers with one of them and
// an SMX, or with nothing. Whatever it answers, no TB is lost, sent twice or put where a gate forbids: an answer that the front end refuses
// is counted under the name of the fault, and nothing is sent in that cycle.
//
//   D1  Each cycle of the simulator is one of the front end's, and has at most one question and one TB.
//   D2  The policy is asked when something happened that could be of use to it, in the cycle that it named, and in the cycle behind one
//       in which it sent something or was refused.
//   D3  Under chain units the information of spilled groups is asked for as soon as they are offered, so that no policy has to. What cannot
//       be sent yet is not shown: a group that is being loaded, a graph whose next node is not known.
//   D4  A TB that ends is told before the question of its cycle, in the order of SMX and slot.
#ifndef GPUSCHED_GPGPUSIM_POLICY_HPP
#define GPUSCHED_GPGPUSIM_POLICY_HPP

#include <gpusched_gpgpusim/host.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// What a policy is told of the GPU before it begins.
struct Facts {
    // What is free on an SMX without TBs.
    Resources capacity;
    // By SMX.
    std::vector<std::uint32_t> tpc, gpc;
    // Units that there can be at once: the row of an offer is below.
    std::uint32_t units = 0;

    // A cluster of the simulator is a TPC; of GPCs it knows nothing, so as many clusters as have four SMs are one.
    Facts(const Machine& machine, const Config& config)
        : capacity{config.threads, config.regs, config.smem, config.tb_slots}, units(config.n_kde + config.pend_limit) {
        const std::uint32_t clusters_of_gpc = (machine.sms_per_cluster + 3) / machine.sms_per_cluster;
        for (std::uint32_t sm = 0; sm < machine.sms(); sm++) {
            tpc.push_back(sm / machine.sms_per_cluster);
            gpc.push_back(tpc.back() / clusters_of_gpc);
        }
    }
};

// What it sees in a cycle.
struct Sight {
    std::uint64_t now = 0;
    // Units with TBs to send, in the front end's order.
    std::vector<gpusched_offer> offers;
    // By SMX.
    std::vector<Resources> free;
    // TBs by SMX, and where those of each SMX end. Empty for a policy that does not look at them.
    std::vector<Resident> residents;
    std::vector<std::uint32_t> residents_end;
};

// What it answers.
struct Answer {
    // The place in Sight::offers of the unit whose next TB is sent, and where to; GPUSCHED_NONE: nothing is.
    std::uint32_t offer = GPUSCHED_NONE, smx = 0;
    // If something is sent: the TB, if it is not the unit's next one. What is unsent is split there.
    std::uint32_t blkid = GPUSCHED_NONE;
    // If nothing is sent: the cycle in which it wants to be asked again although nothing has happened.
    std::uint64_t wake = GPUSCHED_NEVER;
};

// A policy at work.
class Chooser {
public:
    virtual ~Chooser() = default;
    virtual bool looks_at_residents() const = 0;
    virtual void done(const Completion& ended) = 0;
    // A status that is not ok is counted as a wrong answer.
    virtual Result<Answer> choose(const Sight& sight) = 0;
};

// A policy by name, as it was asked for.
class Decider {
public:
    Decider(std::string name, Units units) : name_(std::move(name)), units_(units) {
        // It is a line of logs and statistics.
        for (char& c : name_) {
            if (static_cast<unsigned char>(c) < ' ') c = '_';
        }
    }
    virtual ~Decider() = default;
    Decider(const Decider&) = delete;
    Decider& operator=(const Decider&) = delete;

    // With its parameters.
    const std::string& name() const { return name_; }
    Units units() const { return units_; }
    // Whether it names TBs that are not the next ones of their units.
    virtual bool splits() const { return false; }
    // Null: `why` says why it cannot run so.
    virtual std::unique_ptr<Chooser> start(const Facts& facts, std::string& why) const = 0;

private:
    std::string name_;
    Units units_;
};

// The policy of a run: its cycles, and what became of its answers.
class Deciding {
public:
    Deciding(std::unique_ptr<Chooser> chooser, const Config& config) : chooser_(std::move(chooser)) {
        sight_.free.resize(config.n_smx);
        slots_.resize(config.tb_slots);
        loads_ = config.told_units == number(Units::Chain);
        // A graph that can never go on is told by the word of a cycle, so none is skipped.
        skips_ = config.dats == 0;
    }

    // TBs that the policy has sent, and answers that were refused, by the name of the fault.
    std::uint64_t sent() const { return sent_; }
    const std::map<std::string, std::uint64_t>& wrong() const { return wrong_; }

    // D4: this TB is about to end.
    Status done(const FrontEnd& gpu, SmxId smx, SlotId slot) {
        const auto ended = gpu.completion(smx, slot);
        if (ended) chooser_->done(*ended);
        return ended.status();
    }

    // Carries out a cycle, or those before `until` in which there is nothing to ask. Tells its word, Told for those.
    Result<Sched> cycle(FrontEnd& gpu, std::uint64_t until) {
        const std::uint64_t now = *gpu.now();
        if (skips_ && now < wake_) {  // D2
            const auto gone = gpu.skip(std::min(until, wake_));
            if (!gone || *gone > 0) return {gone.status(), Sched::Told};
        }
        if (const auto begun = gpu.begin(); !begun) return begun.status();
        if (const Status seen = look(gpu, now); !seen) return seen;
        wake_ = std::max(ask(gpu, now), now + 1);
        return gpu.end(wake_ == GPUSCHED_NEVER ? std::nullopt : std::optional(wake_));
    }

private:
    // The cycle of the next question, if nothing happens before.
    std::uint64_t ask(FrontEnd& gpu, std::uint64_t now) {
        const auto answer = chooser_->choose(sight_);
        if (answer && answer->offer == GPUSCHED_NONE) return answer->wake;
        Status status = answer.status();
        if (status && answer->offer >= sight_.offers.size()) status = Code::BadOffer;
        if (status) status = send(gpu, sight_.offers[answer->offer], *answer);
        if (status) sent_++;
        else wrong_[status.name()]++;
        return now + 1;
    }

    static Status send(FrontEnd& gpu, const gpusched_offer& offer, const Answer& answer) {
        if (answer.blkid == GPUSCHED_NONE || answer.blkid == offer.blkid) return gpu.send(OfferId{offer.id}, SmxId{answer.smx}).status();
        const auto piece = gpu.split(OfferId{offer.id}, answer.blkid);
        return piece ? gpu.send(*piece, SmxId{answer.smx}).status() : piece.status();
    }

    Status look(FrontEnd& gpu, std::uint64_t now) {
        sight_.now = now;
        if (const Status listed = list(gpu); !listed) return listed;
        const auto needed = [](const gpusched_offer& offer) { return offer.load == number(OfferLoad::Needed); };
        if (loads_ && std::any_of(sight_.offers.begin(), sight_.offers.end(), needed)) {  // D3
            for (const gpusched_offer& offer : sight_.offers) {
                if (!needed(offer)) continue;
                if (const Status asked = gpu.load(OfferId{offer.id}); !asked) return asked;
            }
            if (const Status listed = list(gpu); !listed) return listed;
        }
        const auto is_yet_to_come = [](const gpusched_offer& offer) {
            return offer.load == number(OfferLoad::Needed) || offer.load == number(OfferLoad::Waiting) || offer.blkid == GPUSCHED_NONE;
        };
        sight_.offers.erase(std::remove_if(sight_.offers.begin(), sight_.offers.end(), is_yet_to_come), sight_.offers.end());
        return look_at_smxs(gpu);
    }

    Status list(const FrontEnd& gpu) {
        constexpr std::size_t piece = 8;
        auto& offers = sight_.offers;
        offers.clear();
        for (std::optional<OfferId> from;;) {
            const std::size_t before = offers.size();
            offers.resize(before + piece);
            const auto more = gpu.offers({offers.data() + before, piece}, from);
            offers.resize(before + more->size());
            from = more->next();
            if (!more || !from) return more.status();
        }
    }

    Status look_at_smxs(const FrontEnd& gpu) {
        sight_.residents.clear(), sight_.residents_end.clear();
        for (std::uint32_t sm = 0; sm < sight_.free.size(); sm++) {
            gpusched_smx smx{};
            if (const Status seen = gpusched_frontend_smx(gpu.c(), sm, &smx); !seen) return seen;
            std::uint32_t slots = 0;
            for (std::uint64_t left = smx.slots; left != 0; left &= left - 1) slots++;
            sight_.free[sm] = {smx.threads, smx.regs, smx.smem, slots};
            if (!chooser_->looks_at_residents()) continue;
            const auto tbs = gpu.residents(SmxId{sm}, slots_);
            if (!tbs) return tbs.status();
            sight_.residents.insert(sight_.residents.end(), tbs->raw().begin(), tbs->raw().end());
            sight_.residents_end.push_back(static_cast<std::uint32_t>(sight_.residents.size()));
        }
        return {};
    }

    std::unique_ptr<Chooser> chooser_;
    bool loads_ = false, skips_ = false;
    std::uint64_t wake_ = 0, sent_ = 0;
    std::map<std::string, std::uint64_t> wrong_;
    // Used again and again.
    Sight sight_;
    std::vector<Resident> slots_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_POLICY_HPP
