//! What holds of a front end between two calls.

use crate::base::invariant::{Violation, invariant};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    /// What holds between any two calls, of the board of what is launched and what runs, and of each part beside it: the invariants of
    /// sheets `dtbl` and `frontend` that a state can tell, and those of `laperm`, `bubble_dvfs` and `dats` for their parts.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { board, kmu, fcfs_rr, laperm, told, modern, grids, graphs, bubble, quiet: _, launched: _ } = self;
        board.validate()?;
        kmu.validate(board)?;
        fcfs_rr.validate(board)?;
        if let Some(line) = laperm.as_ref() {
            line.validate(board)?;
        }
        if let Some(modern) = modern.as_ref() {
            modern.validate(board)?;
        }
        if let Some(grids) = grids.as_ref() {
            grids.validate(board)?;
        }
        if let Some(told) = told.as_ref() {
            told.validate(board, fcfs_rr, graphs)?;
        }
        let groups = board.records.iter().filter(|(_, record)| record.group().is_some()).count();
        let listed = laperm.as_ref().map_or(0, |line| line.pending());
        let tails = grids.as_ref().map_or(0, |grids| grids.closed().count());
        let known = board.records.waiting() + groups + listed + tails == board.records.in_use() as usize;
        invariant("a launch waits, is a group, or is in a list (dtbl-A16)", known)?;
        if let Some(graphs) = graphs.as_ref() {
            graphs.validate(board)?;
        }
        bubble.as_ref().map_or(Ok(()), |bubble| bubble.validate(board))
    }
}
