//! What an image holds of it.

use super::{Modern, ModernTables};
use crate::base::id::{DrainId, GpcId, Id};
use crate::base::image::{ImageError, possible};
use crate::base::saved::saved;
use crate::config::Config;
use crate::launch::board::{Board, BoardTables};
use crate::modern::contexts::Context;

saved!([T: ModernTables] Modern<T> { gpcs, grr, places, saved, streams, contexts, drains } but { tb_slots, n_tb, n_kde, n_gpc, asked });

impl<T: BoardTables + ModernTables> Modern<T> {
    /// Computes what the rows and the board say.
    pub(crate) fn rebuild(&mut self, board: &Board<T>) -> Result<(), ImageError> {
        let config: &Config = &board.config;
        self.asked = 0;
        for i in (0..config.preempt.map_or(0, |part| part.drain_max)).map(|i| DrainId(i as u8)) {
            let Some(mut drain) = self.drains[i] else { continue };
            possible(drain.smxs.without(&board.all_smxs()).is_empty())?;
            drain.left = self.count(board, &drain.smxs, drain.victim);
            self.drains[i] = Some(drain);
            self.asked |= 1 << i.0;
        }
        for c in config.contexts() {
            if let Some(context) = self.contexts.get_mut(c) {
                context.limit = Context::limit(context.quota, &context.smxs, config);
            }
        }
        // Where SMXs lie is the configuration's.
        for (g, smxs) in config.topology.iter().flat_map(|topology| topology.gpcs()).enumerate() {
            self.gpcs[GpcId::from_index(g)].smxs = smxs;
        }
        Ok(())
    }
}
