//! What SIMT execution does per instruction: the reconvergence stack and the scoreboard.

use alloc::vec::Vec;

use gpusched::simt::scoreboard::{self, Instruction, Scoreboard};
use gpusched::simt::stack::{self, Stack};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::simt::scoreboard::verbs::gpusched_issue;
use gpusched_abi::simt::stack::verbs::{gpusched_branch, gpusched_running};

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

impl<T: stack::Tables> Driven for Stack<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        let running = match op {
            Op::StackStart => {
                let (mask, pc) = (from.get()?, from.get()?);
                self.init(pc, mask)?
            }
            Op::StackAdvance => self.advance(from.get()?)?,
            Op::StackBranch => self.branch(&(&from.get::<gpusched_branch>()?).into())?,
            Op::StackExit => self.exit(from.get()?)?,
            _ => return Err(Refused::Damaged),
        };
        put::<gpusched_running>(running, to);
        Ok(())
    }
}

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
