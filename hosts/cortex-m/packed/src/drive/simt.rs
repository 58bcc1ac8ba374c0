//! The scoreboard.

use alloc::vec::Vec;

use gpusched::simt::scoreboard::{self, Instruction, Scoreboard};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::simt::scoreboard::verbs::gpusched_issue;

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

impl<T: scoreboard::Tables> Driven for Scoreboard<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::ScoreboardIssue => {
                let w = from.row()?;
                let has_destination = { *from }.get::<u32>()? != GPUSCHED_NONE;
                let destination = has_destination.then_some(from.row()?);
                let (memory, sources) = (from.get()?, from.list::<_, Vec<_>>(Reader::row)?);
                let instruction = Instruction { sources: &sources, destination, memory };
                put::<gpusched_issue>(self.issue(w, &instruction)?, to);
            }
            Op::ScoreboardWriteback => put::<gpusched_issue>(self.writeback(from.row()?, from.row()?)?, to),
            Op::ScoreboardFlush => self.flush(from.row()?)?.put(to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
