//! The program from end to end: its arguments, what it prints, the files it leaves, how it ends.

mod against;
mod chain;
mod clusters;
mod commands;
mod depgraphs;
mod kept;
mod kernels;
mod logs;
mod machines;
mod microbench;
mod models;
mod pictures;
mod place;
mod policies;
mod probe;
mod published;
mod ranking;
mod robustness;
mod scheduling;
mod sharing;
mod speed;
mod study;
mod timelines;
mod traces;
mod wavefronts;
mod workloads;
