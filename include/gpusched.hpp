// gpusched.hpp: the C++17 face of gpusched.h. Header only; needs neither exceptions nor RTTI, and allocates only the storage that a
// machine owns. The front end is in gpusched_frontend.hpp, and so are LaPerm, the occupancy-bubble controller
// and the dependency-graph buffer, which it may have; what stands alone besides has headers of its own.
//
//   auto made = gpusched::FrontEnd::create(gpusched::Config(gpusched::Gpu::K20c).with(&gpusched::Config::n_smx, 8));
//   if (!made) return fail(made.status().text());
//   gpusched::FrontEnd gpu = std::move(*made);
//
// Each function is the C function of its name: gpusched.h says what it does and which statuses it gives. What differs:
// - Results come back as a Result: a status, and a value if it is ok.
// - Row numbers and enumerations are types of their own. SmxId{3} makes a row number, number(id) reads it.
// - Records are views with typed accessors; raw() is the plain record of C.
// - GPUSCHED_NONE and GPUSCHED_NEVER are an empty std::optional.
#ifndef GPUSCHED_HPP
#define GPUSCHED_HPP

#include <gpusched_frontend.hpp>

#endif  // GPUSCHED_HPP
