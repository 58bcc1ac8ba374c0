// catalogue.hpp: the policies of gpusched's catalogue, by name and with parameters, as the command gpusched has them: `most-room`,
// `bcs:block=4:pass=any`. `gpusched policies` lists them.
#ifndef GPUSCHED_GPGPUSIM_CATALOGUE_HPP
#define GPUSCHED_GPGPUSIM_CATALOGUE_HPP

#include <gpusched_gpgpusim/policy.hpp>

#include <gpusched_catalogue.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <type_traits>

namespace gpusched {
namespace gpgpusim {

// Such a policy at work.
class OfCatalogue : public Chooser {
public:
    OfCatalogue(catalogue::Catalogue policy, std::uint32_t number) : policy_(std::move(policy)) {
        looks_ = number == GPUSCHED_CATALOGUE_POLICY_MOST_ROOM || number == GPUSCHED_CATALOGUE_POLICY_SPATIAL;
    }

    bool looks_at_residents() const override { return looks_; }
    void done(const Completion& ended) override { (void)policy_.done(ended); }
    Result<Answer> choose(const Sight& sight) override {
        counts_.clear();
        std::uint32_t before = 0;
        for (const std::uint32_t end : sight.residents_end) counts_.push_back(end - before), before = end;
        const catalogue::View view{sight.now, sight.offers.data(), sight.offers.size(), sight.free.data(), looks_ ? counts_.data() : nullptr,
                                   sight.residents.data(), sight.residents.size()};
        const auto chosen = policy_.choose(view);
        if (!chosen) return chosen.status();
        if (*chosen) return {Code::Ok, Answer{(*chosen)->offer, (*chosen)->smx, (*chosen)->blkid, GPUSCHED_NEVER}};
        return {Code::Ok, Answer{GPUSCHED_NONE, 0, GPUSCHED_NONE, *policy_.is_settled() ? GPUSCHED_NEVER : sight.now + 1}};
    }

private:
    catalogue::Catalogue policy_;
    bool looks_ = false;
    // Used again and again.
    std::vector<std::uint32_t> counts_;
};

// Such a policy, with its parameters.
class FromCatalogue : public Decider {
public:
    // What a policy is called, and what it reads, in the library's order of policies.
    struct About {
        const char* name;
        std::vector<std::string> parameters;
    };
    static const std::vector<About>& all() {
        static const std::vector<std::string> of_domains{"pass", "domain", "chunk", "order", "spill"};
        static const std::vector<About> all{
            {"round-robin", {"pass"}},
            {"lowest-first", {"pass"}},
            {"leftover-tbs", {"pass", "place", "prio_first"}},
            {"most-room", {"pass", "prio_first", "order", "listed", "warp"}},
            {"bcs", {"pass", "block"}},
            {"lcs", {"pass", "samples"}},
            {"chunked", of_domains},
            {"strided", of_domains},
            {"dist", of_domains},
            {"batch-rr", of_domains},
            {"gpc-first", {"pass"}},
            {"tpc-first", {"pass"}},
            {"oldest-parent", {"pass", "place"}},
            {"affinity", {"pass", "seed", "grain", "probe"}},
            {"srk", {"pass", "metric", "place"}},
            {"fair-streams", {"pass", "streams", "weights", "cost", "quantum", "place"}},
            {"random", {"pass", "seed", "what"}},
            {"depth-first", {"pass", "place", "tie"}},
            {"breadth-first", {"pass", "place"}},
            {"steal", {"pass", "amount", "min_steal"}},
            {"spatial", {"pass", "streams"}},
        };
        return all;
    }
    static bool names(const std::string& word) {
        return std::any_of(all().begin(), all().end(), [&](const About& about) { return word == about.name; });
    }

    // Of a policy's name, and its parameters, NAME=VALUE, joined by colons. Null: `why` says what is wrong.
    static std::shared_ptr<const Decider> make(const std::string& name, const std::string& parameters, std::string& why) {
        const auto about = std::find_if(all().begin(), all().end(), [&](const About& about) { return name == about.name; });
        catalogue::Config config(static_cast<catalogue::Preset>(about - all().begin()));
        std::vector<std::string> given;
        for (const std::string& parameter : split(parameters, ':')) {
            why = set(config, *about, parameter);
            if (!why.empty()) return nullptr;
            const std::string key = parameter.substr(0, parameter.find('='));
            if (std::find(given.begin(), given.end(), key) != given.end()) return why = name + ": " + key + " is given twice", nullptr;
            given.push_back(key);
        }
        if (config.policy == GPUSCHED_CATALOGUE_POLICY_LCS) {
            why = name + ": it counts the instructions of each TB (catalogue-X3), which the simulator does not tell";
            return nullptr;
        }
        // Of the SMXs nothing is known yet: here there are those that are listed, and each has room for any quantum of threads.
        catalogue::Config somewhere = config.with(&catalogue::Config::threads, 1);
        if (config.listed.count > 0) somewhere.n_smx = config.listed.count;
        if (why = wrong(somewhere); why.empty()) {
            return std::shared_ptr<const Decider>(new FromCatalogue(parameters.empty() ? name : name + ':' + parameters, config));
        }
        return nullptr;
    }

    bool splits() const override { return config_.policy == GPUSCHED_CATALOGUE_POLICY_STEAL || config_.order == GPUSCHED_CATALOGUE_ORDER_OWN; }

    std::unique_ptr<Chooser> start(const Facts& facts, std::string& why) const override {
        catalogue::Config config = config_;
        config.n_smx = static_cast<std::uint32_t>(facts.tpc.size());
        config.units = facts.units;
        config.slots = facts.capacity.slots, config.threads = facts.capacity.threads;
        config.regs = facts.capacity.regs, config.smem = facts.capacity.smem;
        config.tpc.count = config.gpc.count = config.n_smx;
        for (std::uint32_t sm = 0; sm < std::min<std::uint32_t>(config.n_smx, GPUSCHED_CATALOGUE_SMXS); sm++) {
            config.tpc.numbers[sm] = static_cast<std::uint8_t>(facts.tpc[sm]);
            config.gpc.numbers[sm] = static_cast<std::uint8_t>(facts.gpc[sm]);
        }
        if (why = wrong(config); !why.empty()) return nullptr;
        auto made = catalogue::Catalogue::create(config);
        if (!made) return why = made.status().text(), nullptr;
        return std::make_unique<OfCatalogue>(*std::move(made), config.policy);
    }

    // Sets one parameter. Empty, or what is wrong.
    static std::string set(catalogue::Config& config, const About& about, const std::string& parameter) {
        const auto equals = parameter.find('=');
        if (equals == std::string::npos) return parameter + ": not NAME=VALUE";
        const std::string name = parameter.substr(0, equals), value = parameter.substr(equals + 1);
        std::string has;
        for (const std::string& other : about.parameters) has += (has.empty() ? "" : ", ") + other;
        if (std::find(about.parameters.begin(), about.parameters.end(), name) == about.parameters.end()) {
            return std::string(about.name) + ": no parameter " + name + "; it has: " + has;
        }
        const std::string what = std::string(about.name) + ": " + parameter + ": expected ";
        if (name == "seed") return number_of(value, config.seed) ? "" : what + "an integer from 0 to 2^64-1";
        if (name == "weights") return numbers(value, config.weights) ? "" : what + "up to 64 integers from 0 to 255, joined by +";
        if (name == "listed") return numbers(value, config.listed) ? "" : what + "up to 256 integers from 0 to 255, joined by +";
        const auto field = std::find_if(fields().begin(), fields().end(), [&](const Field& field) { return name == field.name; });
        const auto& words = field->words;
        if (words[0] == nullptr) {
            std::uint64_t number = 0;
            if (!number_of(value, number) || number > 0xffffffff) return what + "an integer";
            config.*field->member = static_cast<std::uint32_t>(number);
            return "";
        }
        std::string list;
        for (std::uint32_t i = 0; i < words.size() && words[i] != nullptr; i++) {
            if (value == words[i]) return config.*field->member = i, "";
            list += (list.empty() ? "`" : ", `") + std::string(words[i]) + '`';
        }
        return what + "one of " + list;
    }

private:
    FromCatalogue(std::string name, const catalogue::Config& config) : Decider(std::move(name), Units::Free), config_(config) {}

    // A parameter: its name, its field, its words (none: a number).
    struct Field {
        const char* name;
        std::uint32_t gpusched_catalogue_config::* member;
        std::array<const char*, 5> words;
    };
    static const std::vector<Field>& fields() {
        using C = gpusched_catalogue_config;
        constexpr std::array<const char*, 5> number{}, yes{"false", "true"};
        static const std::vector<Field> all{
            {"pass", &C::pass, {"head", "capped", "any"}},
            {"place", &C::place, {"rr", "lowest", "parent"}},
            {"prio_first", &C::prio_first, yes},
            {"order", &C::order, {"ascending", "own", "asc", "even_odd", "listed"}},
            {"warp", &C::warp, number},
            {"block", &C::block, number},
            {"samples", &C::samples, number},
            {"domain", &C::domain, {"smx", "tpc", "gpc"}},
            {"chunk", &C::chunk, number},
            {"spill", &C::spill, yes},
            {"grain", &C::grain, number},
            {"probe", &C::probe, number},
            {"metric", &C::metric, {"tbs", "threads", "time"}},
            {"streams", &C::streams, number},
            {"cost", &C::cost, {"tbs", "threads"}},
            {"quantum", &C::quantum, number},
            {"what", &C::what, {"smx", "offer", "both"}},
            {"tie", &C::tie, {"newest", "oldest"}},
            {"amount", &C::amount, {"half", "one"}},
            {"min_steal", &C::min_steal, number},
        };
        return all;
    }

    // Empty, or the parameter that is wrong.
    static std::string wrong(const catalogue::Config& config) {
        const auto checked = config.check();
        if (checked) return "";
        if (checked->name == nullptr) return checked.status().text();
        const std::string name = checked->name;
        if (checked->min == checked->max) return name + ": it does not go with the policy's other parameters";
        return name + " = " + std::to_string(checked->value) + ": expected a value from " + std::to_string(checked->min) + " to " + std::to_string(checked->max);
    }

    static std::vector<std::string> split(const std::string& text, char by) {
        std::vector<std::string> parts;
        for (std::size_t at = 0; !text.empty() && at <= text.size();) {
            const std::size_t end = std::min(text.find(by, at), text.size());
            parts.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        return parts;
    }

    static bool number_of(const std::string& text, std::uint64_t& number) {
        if (text.empty() || text.find_first_not_of("0123456789") != std::string::npos) return false;
        errno = 0;
        number = std::strtoull(text.c_str(), nullptr, 10);
        return errno == 0;
    }

    // A list of small numbers: its `count`, and an array of `numbers`.
    template <class List>
    static bool numbers(const std::string& text, List& list) {
        const auto parts = split(text, '+');
        if (parts.empty() || parts.size() > std::extent<decltype(list.numbers)>::value) return false;
        list.count = static_cast<std::uint32_t>(parts.size());
        for (std::size_t i = 0; i < parts.size(); i++) {
            std::uint64_t number = 0;
            if (!number_of(parts[i], number) || number > 255) return false;
            list.numbers[i] = static_cast<std::uint8_t>(number);
        }
        return true;
    }

    catalogue::Config config_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_CATALOGUE_HPP
