// log.hpp: the decision log, one line per event. docs/log.md has the format.
#ifndef GPUSCHED_GPGPUSIM_LOG_HPP
#define GPUSCHED_GPGPUSIM_LOG_HPP

#include <gpusched.hpp>

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace gpusched {
namespace gpgpusim {

// The columns behind cycle and kind. What is empty is written as `-`.
struct Columns {
    std::optional<std::uint64_t> uid;
    std::optional<std::uint32_t> tb, smx, slot;
};

class Log {
public:
    // False: the file cannot be written.
    bool open(const std::string& name) {
        file_.reset(std::fopen(name.c_str(), "w"));
        if (file_) std::fputs("gpusched-log 1\n", file_.get());
        return file_ != nullptr;
    }
    bool is_open() const { return file_ != nullptr; }

    template <class Value>
    void header(const char* name, const Value& value) {
        if (!file_) return;
        line_.clear();
        ((line_ += "! ") += name) += ' ';
        word(value);
        end();
    }

    // Keys follow as pairs of a name and a value: event(now, "issue", {uid}, "from", "hwq", "kde", 3).
    template <class... Keys>
    void event(std::uint64_t cycle, const char* kind, const Columns& columns, const Keys&... keys) {
        if (!file_) return;
        line_.clear();
        word(cycle);
        (line_ += ' ') += kind;
        column(columns.uid), column(columns.tb), column(columns.smx), column(columns.slot);
        pairs(keys...);
        end();
    }

    // Letters that a value may not have become `_`.
    static std::string name(const std::string& any) {
        std::string clean;
        for (const char c : any) {
            const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
            clean += letter || std::string("_.:,()<>+-").find(c) != std::string::npos ? c : '_';
        }
        return clean.empty() ? "-" : clean;
    }

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };

    void pairs() {}
    template <class Value, class... More>
    void pairs(const char* key, const Value& value, const More&... more) {
        ((line_ += ' ') += key) += '=';
        word(value);
        pairs(more...);
    }
    template <class T>
    void column(const std::optional<T>& value) {
        line_ += ' ';
        word(value);
    }
    void word(const char* text) { line_ += text; }
    void word(const std::string& text) { line_ += text; }
    void word(std::uint64_t number) { line_ += std::to_string(number); }
    void word(std::uint32_t number) { word(std::uint64_t{number}); }
    template <class T>
    void word(const std::optional<T>& value) {
        if (value) word(*value);
        else line_ += '-';
    }
    void end() {
        line_ += '\n';
        std::fwrite(line_.data(), 1, line_.size(), file_.get());
    }

    std::unique_ptr<std::FILE, Close> file_;
    std::string line_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_LOG_HPP
