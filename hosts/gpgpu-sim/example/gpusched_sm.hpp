// What is attached inside the SMs, as GPUSCHED_SM in the environment says: words with commas between them,
//
//     equalizer:energy, equalizer:performance, mascar, mascar:lrr, mascar:gto, apogee
//
// Without it the simulator is as it was. To be copied to src/gpgpu-sim with the files that include it.
#ifndef GPUSCHED_SM_HPP
#define GPUSCHED_SM_HPP

#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>

namespace gpusched {
namespace gpgpusim {

[[noreturn]] inline void stop(const std::string &why) {
  std::fprintf(stderr, "%s\n", why.c_str());
  std::exit(1);
}

// Whether this word stands in GPUSCHED_SM.
inline bool attached(const std::string &word) {
  static const std::set<std::string> known{"equalizer:energy", "equalizer:performance", "mascar", "mascar:lrr", "mascar:gto", "apogee"};
  static const std::set<std::string> asked = [] {
    std::set<std::string> words;
    const char *const given = std::getenv("GPUSCHED_SM");
    std::string rest = given == nullptr ? "" : given;
    for (std::size_t comma = 0; !rest.empty(); rest.erase(0, comma == std::string::npos ? rest.size() : comma + 1)) {
      comma = rest.find(',');
      const std::string one = rest.substr(0, comma);
      if (known.count(one) == 0) stop("GPUSCHED_SM: `" + one + "`: expected one of equalizer:energy, equalizer:performance, mascar, mascar:lrr, mascar:gto, apogee");
      words.insert(one);
    }
    return words;
  }();
  return asked.count(word) != 0;
}

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_SM_HPP
