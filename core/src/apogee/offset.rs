//! Offset detection: whether the threads of a load follow the offset of its row (apogee-O1 to O5).

use super::access::{Steps, Threads};
use super::config::ApogeeConfig;
use super::row::{LoadRow, Row, RowKind};

/// What offset detection says of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Detection {
    pub(super) mismatch: bool,
    /// The offset, if it is confirmed.
    pub(super) confirmed: Option<i32>,
}

impl Row {
    /// Compares the threads of a load with the row, pair after pair, and notes where the last one was.
    #[inline]
    pub(super) fn detect(&mut self, threads: &Threads, config: &ApogeeConfig) -> Detection {
        let RowKind::Load(load) = &mut self.kind else { return Detection { mismatch: false, confirmed: None } };
        let pairs = threads.count - 1;
        let matches = match (threads.steps, load.offset) {
            // apogee-H7: no pair.
            (Steps::None, _) => Some(0),
            (Steps::Even(q), Some(offset)) if q == i64::from(offset) => Some(pairs), // apogee-O2
            // apogee-H6: an offset that does not fit is none.
            (Steps::Even(q), None) if config.has_offset(q) => {
                load.offset = Some(q as i32); // apogee-O1
                Some(pairs - 1)
            }
            _ => None,
        };
        match matches {
            Some(n) => {
                self.confidence = (u32::from(self.confidence) + n).min(config.max_confidence()) as u16;
            }
            // apogee-O3; nothing is learnt from the rest of the access (apogee-A3).
            None => (self.confidence, load.offset) = (0, None),
        }
        // apogee-O4.
        (load.thread, self.address) = threads.last;
        // apogee-O5, as apogee-A1 reads the source.
        let least = threads.count.saturating_sub(2).max(config.min_conf);
        let confirmed = load.offset.filter(|_| u32::from(self.confidence) >= least);
        if confirmed == Some(0) {
            load.thread = config.scalar() as u8;
        }
        Detection { mismatch: matches.is_none(), confirmed }
    }
}

impl LoadRow {
    /// A row that has seen nothing.
    pub(super) const fn new(config: &ApogeeConfig) -> Self {
        Self { offset: None, thread: 0, distance: config.init_distance as u16 }
    }
}
