//! The C ABI in the hands of C and C++ programs: the header, the layout of what is exchanged, and the programs in `tests/c` and
//! `tests/cpp`, linked with the release library. Needs a C and a C++ compiler.

mod build;
mod header;
mod layout;
mod mini_simulator;
mod parameters;
mod programs;
mod status;
