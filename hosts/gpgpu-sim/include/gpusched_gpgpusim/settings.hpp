// settings.hpp: the configuration file of the adapter, in TOML: what is attached, and every parameter under the name that it has in the
// command gpusched (`--set dtbl.agt_size=512`). Needs toml++ (Debian: libtomlplusplus-dev). docs/settings.md lists the keys.
//
//   Settings settings;
//   if (!settings.read("gpusched.toml")) fail(settings.error());     // "gpusched.toml:7: dtbl.agt_size = 1000: expected a power ..."
//   if (!settings.set("laperm.policy=smx_bind")) fail(settings.error());
#ifndef GPUSCHED_GPGPUSIM_SETTINGS_HPP
#define GPUSCHED_GPGPUSIM_SETTINGS_HPP

#include <gpusched_gpgpusim/catalogue.hpp>
#include <gpusched_gpgpusim/parameters.hpp>
#include <gpusched_gpgpusim/plugin.hpp>

#ifndef TOML_EXCEPTIONS
#define TOML_EXCEPTIONS 0
#endif
#include <toml++/toml.h>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// Who decides which TB starts where.
enum class Dispatch {
    // The simulator's own rules, as exactly as stock.hpp can say them.
    Stock,
    // The front end of gpusched, by rules of its own or as a policy decides.
    Gpusched,
};

// What becomes of launches by TBs.
enum class Device {
    // The simulator's streams bring them, as kernels from the host.
    Simulator,
    // Kernels of the front end: CDP.
    Kernels,
    // Aggregated groups of the front end: DTBL.
    Groups,
};

// TBs of a kernel that an SM holds at most, and how many of them bypass the L1 cache.
struct Limit {
    std::uint32_t tbs = 0, bypass = 0;
};

class Settings {
public:
    Dispatch dispatch = Dispatch::Stock;
    // Who decides in the front end's place, if somebody does.
    std::shared_ptr<const Decider> decider;
    Device device = Device::Simulator;
    // Launch latencies are the simulator's business: those of gpusched are 0.
    bool ideal = true;
    // The decision log; none if empty.
    std::string log;
    // Cycles until the memory of dependency graphs answers.
    std::uint32_t graph_latency = 0;
    dgb::Policy graph_policy;
    // By name of the kernel: `wavefront`, or a file of edges.
    std::map<std::string, std::string> graphs;
    std::map<std::string, Limit> limits;
    // Parameters of the front end. What an SMX holds is filled in by the adapter.
    Config config;

    // Whether this parameter, SECTION.KEY, was set by hand.
    bool is_set(const std::string& parameter) const { return lines_.count(parameter) != 0; }

    // Where it was read from; empty if from nowhere.
    const std::string& file() const { return file_; }
    // Why the last call failed: with file and line, or with the setting.
    const std::string& error() const { return error_; }

    bool read(const std::string& file) {
        file_ = file;
        return take(toml::parse_file(file));
    }
    // From text; `name` is what errors call it.
    bool parse(std::string_view text, const std::string& name) {
        file_ = name;
        return take(toml::parse(text, name));
    }
    // SECTION.KEY=VALUE, later than what the file says.
    bool set(const std::string& setting) {
        const auto equals = setting.find('=');
        const auto dot = setting.find('.');
        place_ = setting + ": ";
        if (equals == std::string::npos || dot == std::string::npos || dot > equals) return fail("expected SECTION.KEY=VALUE");
        const std::string value = setting.substr(equals + 1);
        // A word needs no quotes here.
        auto parsed = toml::parse("v=" + value);
        if (!parsed) parsed = toml::parse("v='''" + value + "'''");
        if (!parsed || !parsed.table().contains("v")) return fail("no value that can be read");
        return assign(setting.substr(0, dot), setting.substr(dot + 1, equals - dot - 1), *parsed.table().get("v"));
    }

    // Whether the parameters go together. Wrong ones are told with the line that set them, if one did.
    bool check(const Config& whole) {
        const auto wrong = whole.check();
        place_ = file_.empty() ? std::string() : file_ + ": ";
        if (wrong) return true;
        if (wrong->name == nullptr) return fail(wrong.status().text());
        std::string key = wrong->name;
        for (const Field& field : fields()) {
            if (key != field.field()) continue;
            key = std::string(field.section) + '.' + field.key;
            if (const auto line = lines_.find(key); line != lines_.end()) place_ = line->second;
            break;
        }
        const std::string what = key + " = " + std::to_string(wrong->value) + ": ";
        if (wrong.status() != Code::BadConfig) return fail(what + wrong.status().text());
        if (wrong->rule != nullptr) return fail(what + wrong->rule);
        return fail(what + "expected " + range(wrong->min, wrong->max, wrong->power_of_two != 0));
    }

private:
    bool fail(const std::string& why) {
        error_ = place_ + why;
        return false;
    }

    bool take(const toml::parse_result& parsed) {
        if (!parsed) {
            // A file that cannot be opened has no line.
            const auto& problem = parsed.error();
            place_ = file_ + (problem.source().begin ? ':' + std::to_string(problem.source().begin.line) : std::string()) + ": ";
            return fail(std::string(problem.description()));
        }
        // The preset first: the rest changes it.
        if (const auto* base = parsed.table().get("base"); base != nullptr && !take_base(*base)) return false;
        for (const auto& [section, node] : parsed.table()) {
            if (section.str() == "base") continue;
            mark(node);
            const auto* table = node.as_table();
            if (table == nullptr) return fail(std::string(section.str()) + ": expected a section [" + std::string(section.str()) + "]");
            for (const auto& [key, value] : *table) {
                mark(value);
                if (!assign(std::string(section.str()), std::string(key.str()), value)) return false;
            }
        }
        return true;
    }

    void mark(const toml::node& node) { place_ = file_ + ':' + std::to_string(node.source().begin.line) + ": "; }

    bool take_base(const toml::node& node) {
        static constexpr std::array names{"gtx480", "gtx680", "k20c", "titan", "k40", "gtx980", "v100", "a100", "h100"};
        mark(node);
        const auto name = node.value<std::string>().value_or("");
        for (std::uint32_t i = 0; i < names.size(); i++) {
            if (name != names[i]) continue;
            config = Config(static_cast<Gpu>(i));
            return true;
        }
        return fail("base: expected one of" + list(names));
    }

    template <class Words>
    static std::string list(const Words& words) {
        std::string text;
        for (const char* const word : words) text += word == nullptr ? "" : std::string(text.empty() ? " `" : ", `") + word + '`';
        return text;
    }

    bool assign(const std::string& section, const std::string& key, const toml::node& given) {
        // The command's own files say where a value comes from, too: { value = 13, from = "paper", ... }.
        const auto* table = given.as_table();
        const toml::node& node = table != nullptr && table->contains("value") ? *table->get("value") : given;
        if (section == "adapter") return assign_adapter(key, node);
        if (section == "graphs") return assign_graph(key, node);
        if (section == "limits") return assign_limit(key, node);
        if (section == "sm") return fail("sm." + key + ": not set here; it follows the simulator's configuration");
        // What the sheet calls it is a keyword.
        const std::string name = section == "dats" && key == "pub" ? "pub_entries" : key;
        for (const Field& field : fields()) {
            if (section == field.section && name == field.key) return assign_field(field, node);
        }
        if (section == "told" && key == "units") return fail("told.units: not set here; it is the policy's");
        if (section == "told" && key == "dispatch_per_cycle") return fail("told.dispatch_per_cycle: not set here; a policy is asked once in a cycle");
        if (section == "dtbl" && key == "load_mode") return fail("dtbl.load_mode: the adapter knows `fixed` only");
        static constexpr std::array sections{"adapter", "dtbl", "laperm", "told", "bubble", "dats", "graphs", "limits"};
        for (const char* const known : sections) {
            if (section == known) return fail(section + '.' + key + ": no such parameter");
        }
        return fail("no section `" + section + "`; there are" + list(sections));
    }

    bool assign_field(const Field& field, const toml::node& node) {
        const std::string what = std::string(field.section) + '.' + field.key + " = ";
        lines_[std::string(field.section) + '.' + field.key] = place_;
        const bool is_switch = field.words[0] != nullptr && std::string_view(field.words[0]) == "false";
        if (is_switch) {
            const auto value = node.value_exact<bool>();
            if (!value) return fail(what + text(node) + ": expected `true` or `false`");
            config.*field.member = *value ? 1 : 0;
            return true;
        }
        if (field.words[0] != nullptr) {
            const auto word = node.value_exact<std::string>().value_or("");
            for (std::uint32_t i = 0; i < field.words.size() && field.words[i] != nullptr; i++) {
                if (word != field.words[i]) continue;
                config.*field.member = i;
                return true;
            }
            return fail(what + text(node) + ": expected one of" + list(field.words));
        }
        const auto limits = range_of(field);
        const std::uint32_t min = limits ? limits->min : 0, max = limits ? limits->max : 0xffffffff;
        const bool power = limits && limits->power_of_two != 0;
        const auto value = node.value_exact<std::int64_t>();
        if (!value || *value < min || *value > max || (power && (*value & (*value - 1)) != 0)) {
            return fail(what + text(node) + ": expected " + range(min, max, power));
        }
        config.*field.member = static_cast<std::uint32_t>(*value);
        return true;
    }

    bool assign_adapter(const std::string& key, const toml::node& node) {
        const auto word = node.value_exact<std::string>();
        const auto refuse = [&](const char* expected) { return fail("adapter." + key + " = " + text(node) + ": expected " + expected); };
        if (key == "dispatch") {
            if (!take_dispatch(word.value_or(""))) {
                std::vector<const char*> names{"gpgpusim_stock", "gpusched"};
                for (const auto& about : FromCatalogue::all()) names.push_back(about.name);
                return refuse(("one of" + list(names) + ", or the file of a policy (`./libmine.so`)").c_str());
            }
            if (!why_.empty()) return fail("adapter.dispatch = " + text(node) + ": " + why_);
        } else if (key == "device") {
            if (word != "simulator" && word != "kernels" && word != "groups") return refuse("one of `simulator`, `kernels`, `groups`");
            device = *word == "simulator" ? Device::Simulator : *word == "kernels" ? Device::Kernels : Device::Groups;
        } else if (key == "ideal") {
            const auto value = node.value_exact<bool>();
            if (!value) return refuse("`true` or `false`");
            ideal = *value;
        } else if (key == "log") {
            if (!word || word->empty()) return refuse("the name of a file");
            log = *word;
        } else if (key == "graph_latency") {
            const auto value = node.value_exact<std::int64_t>();
            if (!value || *value < 0 || *value > 1000000) return refuse("an integer from 0 to 1000000");
            graph_latency = static_cast<std::uint32_t>(*value);
        } else if (key == "graph_policy") {
            if (!take_policy(word.value_or(""))) return refuse("lrr, or lvl:BOUND with a bound from 0 to 65535");
        } else {
            return fail("adapter." + key + ": no such parameter");
        }
        return true;
    }

    // A name or a file, perhaps with parameters behind a colon. False if it is neither; what is wrong with it is in why_.
    bool take_dispatch(const std::string& word) {
        const std::size_t colon = end_of_name(word);
        const std::string name = word.substr(0, colon), parameters = word.substr(std::min(colon + 1, word.size()));
        why_.clear();
        decider = nullptr;
        dispatch = word == "gpgpusim_stock" ? Dispatch::Stock : Dispatch::Gpusched;
        if (word == "gpgpusim_stock" || word == "gpusched") return true;
        if (FromFile::names(name)) decider = FromFile::make(name, parameters, why_);
        else if (FromCatalogue::names(name)) decider = FromCatalogue::make(name, parameters, why_);
        else return false;
        return true;
    }

    // Where parameters begin: at the first colon, but behind a file that is there, whose path may have colons.
    static std::size_t end_of_name(const std::string& word) {
        std::error_code ignored;
        for (std::size_t end = 0; end < word.size(); end++) {
            end = std::min(word.find(':', end), word.size());
            const std::string file = word.substr(0, end);
            if (FromFile::names(file) && std::filesystem::is_regular_file(file, ignored)) return end;
        }
        return std::min(word.find(':'), word.size());
    }

    bool take_policy(const std::string& word) {
        if (word == "lrr") {
            graph_policy = dgb::Policy::lrr();
            return true;
        }
        const std::string bound = word.substr(0, 4) == "lvl:" ? word.substr(4) : "";
        if (bound.empty() || bound.size() > 5 || bound.find_first_not_of("0123456789") != std::string::npos) return false;
        if (std::stoul(bound) > 65535) return false;
        graph_policy = dgb::Policy::lvl(static_cast<std::uint32_t>(std::stoul(bound)));
        return true;
    }

    bool assign_graph(const std::string& kernel, const toml::node& node) {
        const auto word = node.value_exact<std::string>();
        if (!word || word->empty()) return fail("graphs." + kernel + " = " + text(node) + ": expected `wavefront`, or the name of a file");
        graphs[kernel] = *word;
        return true;
    }

    bool assign_limit(const std::string& kernel, const toml::node& node) {
        const char* const expected = ": expected { tbs = N } or { tbs = N, bypass = M } with M at most N, both from 0 to 64";
        const auto* table = node.as_table();
        Limit limit;
        bool has_tbs = false;
        if (table == nullptr) return fail("limits." + kernel + " = " + text(node) + expected);
        for (const auto& [key, value] : *table) {
            const auto n = value.value_exact<std::int64_t>();
            if ((key.str() != "tbs" && key.str() != "bypass") || !n || *n < 0 || *n > 64) return fail("limits." + kernel + expected);
            (key.str() == "tbs" ? limit.tbs : limit.bypass) = static_cast<std::uint32_t>(*n);
            has_tbs = has_tbs || key.str() == "tbs";
        }
        if (!has_tbs || limit.bypass > limit.tbs) return fail("limits." + kernel + expected);
        limits[kernel] = limit;
        return true;
    }

    static std::string text(const toml::node& node) {
        if (const auto word = node.value_exact<std::string>()) return '"' + *word + '"';
        if (const auto number = node.value_exact<std::int64_t>()) return std::to_string(*number);
        if (const auto flag = node.value_exact<bool>()) return *flag ? "true" : "false";
        return "(" + std::string(node.is_table() ? "a table" : node.is_array() ? "a list" : "something else") + ")";
    }

    std::string file_, error_, place_, why_;
    // Where a parameter was set.
    std::map<std::string, std::string> lines_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SETTINGS_HPP
