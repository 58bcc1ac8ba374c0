// Steps of golden vectors as lines of words, answered in JSON as the vectors write it. tests/tests/vectors/comparator.rs makes the lines.
//
//   machine frontend|bind|graph [PARAMETER VALUE]...   begins a vector; `unsupported PARAMETER` if it is not modelled here
//   EVENT FIELDS                                       the answer; a call that is refused is {"err": FAULT}
#pragma once

#include <iosfwd>
#include <memory>
#include <string>

namespace comparator {

class Machine {
public:
    virtual ~Machine() = default;

    // Carries out an event; false if there is none of this name.
    virtual bool step(const std::string& event, std::istream& fields, std::ostream& answer) = 0;
};

class Replay {
public:
    void step(const std::string& event, std::istream& fields, std::ostream& answer);

private:
    std::unique_ptr<Machine> machine;
};

}  // namespace comparator
