//! What needs no machine.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::models::Refusal;
use gpusched::models::monte::Generator;
use gpusched::simt::coalesce::{Coalescer, Segment, Segments};
use gpusched_abi::config::Parameters;
use gpusched_abi::simt::coalescer::{gpusched_coalescer_config, gpusched_segment};

use super::{Driven, Refused, dgb, models};
use crate::{Bytes, Op, Reader, Record};

/// What needs no machine: the analytical models, the coalescer, random numbers, and what comes with the dependency-graph buffer.
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
            Op::Coalesce => coalesce(from, to),
            Op::MonteRng => rng(from, to),
            Op::DgbNew | Op::DgbStorage | Op::Admit | Op::Build => dgb::function(op, from, to),
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

fn coalesce(from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let config = from.get::<gpusched_coalescer_config>()?;
    let (mask, size, addresses) = (from.get()?, from.get()?, from.get::<Vec<u64>>()?);
    let config = config.checked().map_err(|_| Fault::BadConfig)?;
    let coalescer = Coalescer::new(&config).map_err(Fault::from)?;
    let mut segments = Segments::EMPTY;
    coalescer.access(mask, &addresses, size, &mut segments)?.put(to);
    let segment = |&Segment { base, lanes }: &Segment| gpusched_segment { base, lanes };
    segments.as_slice().iter().map(segment).collect::<Vec<_>>()[..].put(to);
    Ok(())
}
