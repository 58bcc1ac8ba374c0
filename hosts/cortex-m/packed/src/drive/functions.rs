//! What needs no machine.

use alloc::vec::Vec;

use gpusched::models::Refusal;
use gpusched::models::monte::Generator;

use super::{Driven, Refused, graphs, models};
use crate::{Bytes, Op, Reader, Record};

/// What needs no machine: the analytical models, random numbers, and what comes with the dependency-graph buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Functions;

/// The answer, or the name of the field to blame is written.
pub(super) fn blamed<A>(answer: Result<A, Refusal>, to: &mut Bytes) -> Result<A, Refused> {
    answer.map_err(|Refusal { fault, field }| {
        field.map_or("", |field| field.name()).put(to);
        fault.into()
    })
}

impl Driven for Functions {
    fn image(&self) -> Vec<u8> {
        Vec::new()
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::MonteRng => rng(from, to),
            Op::DgbNew | Op::DgbStorage | Op::Admit | Op::Build => graphs::function(op, from, to),
            _ => models::event(op, from, to),
        }
    }
}

/// Random numbers of a run.
fn rng(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let (seed, below, run, count) = (from.get()?, from.get()?, from.get()?, from.get::<u32>()?);
    let mut random = Generator::of_run(seed, run);
    let mut next = || if below == 0 { random.next() } else { random.below(below) };
    (0..count).map(|_| next()).collect::<Vec<_>>()[..].put(to);
    Ok(())
}
