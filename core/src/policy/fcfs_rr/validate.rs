//! What holds of the baseline policy between two calls.

use super::{FcfsRr, next_in_line};
use crate::base::id::{Id, KernelSlot};
use crate::base::invariant::{Violation, invariant};
use crate::config::LoadMode;
use crate::launch::board::{Board, BoardTables};
use crate::launch::cursor::{Cursor, Load};

impl FcfsRr {
    /// What holds of the policy over this board. dtbl-I15: every record in the load buffer is in line behind what some kernel sends, and
    /// nothing was followed beyond a record that is not here.
    pub(crate) fn validate<T: BoardTables>(&self, board: &Board<T>) -> Result<(), Violation> {
        let Board { config, now, .. } = board;
        let Self { rr, load_buffer } = self;
        invariant("the SMX that is tried first is there (dtbl-T4)", rr.index() < config.n_smx as usize)?;
        let fixed = config.load_mode == LoadMode::Fixed;
        let latest = now.after(config.load_cycles.into());
        let is_possible = |load| match load {
            Load::NotAsked => false,
            Load::Waiting(at) => at <= latest,
            Load::Here => !fixed,
        };
        invariant("the load buffer holds what it can (dtbl-T4a)", load_buffer.is_within(config.load_ahead))?;
        invariant("what has a place was asked for (dtbl-T4a)", load_buffer.iter().all(|(_, load)| is_possible(load)))?;
        let is_here = |load| matches!(load, Load::Here) || matches!(load, Load::Waiting(at) if fixed && at <= *now);
        let asked_by = |k: KernelSlot| {
            let Cursor { group, load, .. } = self.cursor_of(board, k);
            let (tried, at_hand) = (board.kd.get(k).cursor().is_some(), !group.is_some_and(|r| board.is_spilled(r)));
            let behind = next_in_line(board, k, group).filter(|_| at_hand || is_here(load));
            let of_start = group.filter(|_| !tried && !at_hand);
            let spilled = of_start.into_iter().chain(behind.filter(|&r| board.is_spilled(r)));
            let mut followed = true;
            let asked = spilled.take_while(move |&r| {
                let (load, seen) = (load_buffer.get(r), followed);
                followed &= is_here(load);
                seen && load != Load::NotAsked
            });
            asked.count()
        };
        let in_line = board.kd.fifo().map(asked_by).sum::<usize>();
        invariant("what was fetched ahead is in line (dtbl-I15)", in_line == load_buffer.iter().count())
    }
}
