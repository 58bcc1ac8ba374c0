// log.hpp: the decision log, one line per event. docs/log.md has the format.
#ifndef GPUSCHED_GPGPUSIM_LOG_HPP
#define GPUSCHED_GPGPUSIM_LOG_HPP

#include <gpusched.hpp>

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
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
    Log() = default;
    ~Log() { close(); }
    Log(const Log&) = delete;
    Log& operator=(const Log&) = delete;

    // False: the file cannot be written.
    bool open(const std::string& name) {
        close();
        file_.reset(std::fopen(name.c_str(), "w"));
        if (!file_) return false;
        events_ = 0, checksum_ = 0xcbf29ce484222325;
        opened().insert(this);
        line_ = "gpusched-log 2";
        end();
        return true;
    }
    // Ends the log. A simulator that calls exit() need not: what is open then is closed.
    void close() {
        if (!file_) return;
        char sum[17];
        std::snprintf(sum, sizeof sum, "%016" PRIx64, checksum_);
        header("end", std::to_string(events_) + ' ' + sum);
        file_.reset();
        opened().erase(this);
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
        events_++;
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

    // Logs that have no end yet. The simulator leaves by exit(), and does not delete its adapter.
    static std::set<Log*>& opened() {
        static std::set<Log*> logs;
        static const bool listens = std::atexit([] {
            const std::set<Log*> all = opened();
            for (Log* const log : all) log->close();
        }) == 0;
        (void)listens;
        return logs;
    }

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
        for (const char c : line_) checksum_ = (checksum_ ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        std::fwrite(line_.data(), 1, line_.size(), file_.get());
    }

    std::unique_ptr<std::FILE, Close> file_;
    std::string line_;
    // Of all that was written: its events, and FNV-1a 64 over its bytes.
    std::uint64_t events_ = 0, checksum_ = 0;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_LOG_HPP
