//! Whatever a file holds that is read as a graph or as a list of dependencies, reading it comes to an end with what is whole, or says
//! in which line what is wrong; and it takes no more memory than it was given.

#![no_main]

use gpusched_workloads::depgraph;
use gpusched_workloads::graph::read::{self, Format, Wanted, Weights};
use libfuzzer_sys::fuzz_target;
use std::ops::ControlFlow;
use std::path::Path;

/// What the graph may take while it is built.
const MEMORY: u64 = 256 << 20;

const FORMATS: [Option<Format>; 5] =
    [None, Some(Format::Metis), Some(Format::Dimacs), Some(Format::MatrixMarket), Some(Format::EdgeList)];

fn graph(how: u8, bytes: &[u8]) {
    let weights = [Weights::Ignored, Weights::Whole, Weights::Times(1.5)][usize::from(how >> 4) % 3];
    let format = FORMATS[usize::from(how) % FORMATS.len()];
    let wanted = Wanted { weights, undirected: how & 8 != 0, format, memory: MEMORY };
    match read::from_reader(bytes, bytes.len() as u64, Path::new("fuzz"), &wanted, &mut |_| ControlFlow::Continue(())) {
        Ok(read) => {
            let csr = read.csr;
            assert_eq!(csr.row().len(), csr.vertices() as usize + 1);
            assert!(csr.row().is_sorted());
            assert!(csr.col().iter().all(|&v| v < csr.vertices()));
            assert!(csr.weights().is_none_or(|weights| weights.len() == csr.col().len()));
        }
        Err(error) => assert!(error.to_string().contains("fuzz") || error.to_string().contains("memory"), "{error}"),
    }
}

fn dependencies(how: u8, bytes: &[u8]) {
    let name = ["fuzz.txt", "fuzz.dot", "fuzz"][usize::from(how >> 4) % 3];
    match depgraph::read::from_reader(bytes, bytes.len() as u64, Path::new(name), &mut |_| ControlFlow::Continue(())) {
        Ok(graph) => assert!(graph.iter().count() > 0),
        Err(error) => assert!(error.to_string().contains("fuzz"), "{error}"),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((&how, rest)) = bytes.split_first() else { return };
    if how & 4 != 0 { dependencies(how, rest) } else { graph(how, rest) }
});
