// What the programs of this folder have in common: what went wrong, and what was seen.
#ifndef SM_REPORT_HPP
#define SM_REPORT_HPP

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>

namespace test {

inline int failures = 0;
// What the programs had in them, summed. What was never seen was not tested.
inline std::map<std::string, std::uint64_t> seen;

inline void failed(const char* kind, std::uint64_t seed, const std::string& why) {
    if (failures++ < 10) std::printf("FAILED %s %llu: %s\n", kind, static_cast<unsigned long long>(seed), why.c_str());
}

inline void expect_error(const char* kind, const std::string& got, const char* wanted) {
    if (got.find(wanted) == std::string::npos) failed(kind, 0, "expected \"" + std::string(wanted) + "\", got \"" + got + '"');
    seen["errors"]++;
}

}  // namespace test

#endif  // SM_REPORT_HPP
