//! What stands in for something that the machine lacks (workloads-RP3): told beside every result.

use super::decode::MOST_BYTES;
use gpusched_traces::isa::{Class, Isa, Space, base};
use gpusched_traces::{Program, Traced};
use std::collections::BTreeSet;

/// Sentences, each with its numbers; of what the program does not have none.
pub fn assumed(program: &Program) -> Vec<String> {
    let mut told = Vec::new();
    let mut tell = |number: u64, text: &dyn Fn(u64) -> String| {
        if number > 0 {
            told.push(text(number));
        }
    };
    let class = |class| program.sum(|summary| summary.classes.get(&class).copied().unwrap_or_default());
    tell(class(Class::Tensor), &|n| format!("{n} tensor instructions take as long as ones of single precision"));
    tell(class(Class::Texture), &|n| {
        format!("{n} texture instructions take as long as special functions, and access nothing")
    });
    tell(class(Class::Bulk), &|n| {
        format!("{n} bulk copies (TMA) take as long as integer instructions, and access nothing")
    });
    tell(class(Class::Fence), &|n| format!("{n} fences wait for nothing"));
    let opcodes = program.counts(|summary| &summary.opcodes);
    let named = |test: &dyn Fn(&str) -> bool| -> u64 {
        opcodes.iter().filter(|(opcode, _)| test(opcode)).map(|(_, n)| n).sum()
    };
    let local = named(&|opcode| Space::of(opcode) == Some(Space::Local));
    tell(local, &|n| format!("{n} accesses of local memory find it in L1, as fast as shared memory"));
    let constants = named(&|opcode| Space::of(opcode) == Some(Space::Constant));
    tell(constants, &|n| format!("{n} loads of constants take as long as integer instructions"));
    let barriers = class(Class::Barrier) - named(&|opcode| base(opcode) == "BAR");
    tell(barriers, &|n| format!("{n} barriers of clusters and in memory wait for nothing"));
    tell(program.sum(|summary| summary.wide), &|n| {
        format!("{n} accesses of more than {MOST_BYTES} bytes per lane are of {MOST_BYTES}")
    });
    tell(program.sum(|summary| summary.clusters), &|_| "TBs of clusters start one by one".to_owned());
    let streams: BTreeSet<u64> = program.kernels.iter().map(|kernel| kernel.header.stream).collect();
    tell(streams.len() as u64 - 1, &|n| format!("kernels of {} streams run one after the other", n + 1));
    let missing = program.kernels.iter().map(|Traced { header, summary, .. }| header.tbs() - summary.tbs).sum();
    tell(missing, &|n| format!("{n} TBs that are not in the trace end at once"));
    let unknown = program.counts(|summary| &summary.unknown);
    let names: Vec<String> = unknown.iter().map(|(opcode, n)| format!("{opcode} ({n})")).collect();
    tell(names.len() as u64, &|_| {
        format!("opcodes that are not known run as integer instructions: {}", names.join(", "))
    });
    let versions: BTreeSet<u32> = program.kernels.iter().map(|kernel| kernel.header.binary_version).collect();
    for version in versions.into_iter().filter(|&version| !Isa::of(version).knows(version)) {
        told.push(format!(
            "sm_{version} is not known; its opcodes are taken to be those of {}",
            Isa::of(version).generation
        ));
    }
    told
}
