// plugin.hpp: a policy in a file, a shared library that exports the table of gpusched_plugin.h. It is the same file as for the command
// gpusched. What it answers is checked (policy.hpp); its code is trusted, for it runs in the simulator's process.
#ifndef GPUSCHED_GPGPUSIM_PLUGIN_HPP
#define GPUSCHED_GPGPUSIM_PLUGIN_HPP

#include <gpusched_gpgpusim/policy.hpp>

#include <gpusched_plugin.h>

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace gpusched {
namespace gpgpusim {

// A file that is loaded, and its table.
class Plugin {
public:
    // Null: `why` says what is wrong. Loading runs what the file does when it is loaded.
    static std::shared_ptr<const Plugin> load(const std::string& file, std::string& why) {
        std::shared_ptr<Plugin> plugin(new Plugin);
        // Without a folder it is one of the working folder, not of those in which the system keeps libraries.
        const std::string path = file.find('/') == std::string::npos ? "./" + file : file;
        plugin->library_ = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
        const char* const said = plugin->library_ == nullptr ? dlerror() : nullptr;
        if (plugin->library_ == nullptr) why = said == nullptr ? file + ": it cannot be loaded" : said;
        else if (const std::string wrong = plugin->take_table(); !wrong.empty()) why = file + ": " + wrong;
        else return plugin;
        return nullptr;
    }
    ~Plugin() {
        if (library_ != nullptr) dlclose(library_);
    }
    Plugin(const Plugin&) = delete;
    Plugin& operator=(const Plugin&) = delete;

    const gpusched_plugin& table() const { return table_; }

private:
    Plugin() = default;

    // Empty, or what is wrong.
    std::string take_table() {
        const auto get = reinterpret_cast<const gpusched_plugin* (*)()>(dlsym(library_, "gpusched_plugin_table"));
        const gpusched_plugin* const table = get == nullptr ? nullptr : get();
        if (table == nullptr) return "it exports no gpusched_plugin_table, so it is no policy";
        // A table begins with its size and version, whatever its version is.
        std::uint32_t begins[2];
        std::memcpy(begins, table, sizeof begins);
        const auto [size, version] = begins;
        if (version != GPUSCHED_PLUGIN_VERSION) {
            return "its table is of version " + std::to_string(version) + ", and this program's is " + std::to_string(GPUSCHED_PLUGIN_VERSION);
        }
        if (size < sizeof table_) return "its table has no struct_size of this version";
        std::memcpy(&table_, table, sizeof table_);
        const char* const missing = table_.name == nullptr         ? "name"
                                    : table_.state_size == nullptr ? "state_size"
                                    : table_.init == nullptr       ? "init"
                                    : table_.choose == nullptr     ? "choose"
                                                                   : nullptr;
        if (missing != nullptr) return std::string("its table has no ") + missing;
        const bool is_known = table_.units == GPUSCHED_PLUGIN_CHAIN || table_.units == GPUSCHED_PLUGIN_FREE;
        return is_known ? "" : "units of its table is " + std::to_string(table_.units) + ", not 0 or 1";
    }

    void* library_ = nullptr;
    gpusched_plugin table_{};
};

// Such a policy at work.
class OfFile : public Chooser {
public:
    struct Release {
        void operator()(void* state) const { std::free(state); }
    };
    using State = std::unique_ptr<void, Release>;

    // The state was initialised.
    OfFile(std::shared_ptr<const Plugin> plugin, State state) : plugin_(std::move(plugin)), state_(std::move(state)) {}
    ~OfFile() override {
        if (plugin_->table().end != nullptr) plugin_->table().end(state_.get());
    }

    bool looks_at_residents() const override { return true; }
    void done(const Completion& ended) override {
        if (plugin_->table().done != nullptr) plugin_->table().done(state_.get(), &ended.raw());
    }
    Result<Answer> choose(const Sight& sight) override {
        const gpusched_plugin_view view{sizeof(gpusched_plugin_view), static_cast<std::uint32_t>(sight.free.size()), sight.now, sight.offers.data(),
                                        sight.offers.size(), sight.free.data(), sight.residents.data(), sight.residents_end.data()};
        gpusched_plugin_choice choice{GPUSCHED_NEVER, GPUSCHED_NONE, 0};
        plugin_->table().choose(state_.get(), &view, &choice);
        return {Code::Ok, Answer{choice.offer, choice.smx, GPUSCHED_NONE, choice.wake}};
    }

private:
    std::shared_ptr<const Plugin> plugin_;
    State state_;
};

// Such a policy, with its parameters.
class FromFile : public Decider {
public:
    // Whether a word is a file's name.
    static bool names(const std::string& word) {
        const auto ends = [&](const std::string& with) {
            return word.size() >= with.size() && word.compare(word.size() - with.size(), with.size(), with) == 0;
        };
        return word.find('/') != std::string::npos || ends(".so") || ends(".dylib") || ends(".dll");
    }

    // Of a file's name, and parameters for the policy to read. Null: `why` says what is wrong.
    static std::shared_ptr<const Decider> make(const std::string& file, const std::string& parameters, std::string& why) {
        if ((file + parameters).find('\0') != std::string::npos) return why = "it holds a NUL", nullptr;
        auto plugin = Plugin::load(file, why);
        if (plugin == nullptr) return nullptr;
        std::string name = *plugin->table().name == '\0' ? file : plugin->table().name;
        if (!parameters.empty()) (name += ':') += parameters;
        return std::shared_ptr<const Decider>(new FromFile(std::move(name), std::move(plugin), parameters));
    }

    std::unique_ptr<Chooser> start(const Facts& facts, std::string& why) const override {
        const gpusched_plugin_machine machine{sizeof(gpusched_plugin_machine), static_cast<std::uint32_t>(facts.tpc.size()), facts.units, facts.capacity,
                                              facts.tpc.data(), facts.gpc.data()};
        const gpusched_plugin& table = plugin_->table();
        // Zeroed, and aligned for anything.
        OfFile::State state(std::calloc(std::max<std::size_t>(table.state_size(&machine), 1), 1));
        if (state == nullptr) return why = "there is no memory for its state", nullptr;
        if (const char* const refused = table.init(state.get(), &machine, parameters_.c_str()); refused != nullptr) return why = refused, nullptr;
        return std::make_unique<OfFile>(plugin_, std::move(state));
    }

private:
    FromFile(std::string name, std::shared_ptr<const Plugin> plugin, std::string parameters)
        : Decider(std::move(name), plugin->table().units == GPUSCHED_PLUGIN_FREE ? Units::Free : Units::Chain), plugin_(std::move(plugin)),
          parameters_(std::move(parameters)) {}

    std::shared_ptr<const Plugin> plugin_;
    std::string parameters_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_PLUGIN_HPP
