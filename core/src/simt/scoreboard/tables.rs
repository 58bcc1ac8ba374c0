//! Homes for the warps of a [`Scoreboard`](super::Scoreboard).

use super::WarpRegs;
use super::config::ScoreboardConfig;
use crate::base::home::tables;

tables! {
    /// Warps: `warps`.
    Warps warps: WarpRegs;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &ScoreboardConfig) -> Self {
        Self { warps: config.warps as usize }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::inline_scoreboard_tables;
/// use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig};
///
/// inline_scoreboard_tables! {
///     /// An SM of a GTX 480.
///     pub struct Gtx480 = ScoreboardConfig::GTX480;
/// }
/// let board = Scoreboard::<Gtx480>::new(&ScoreboardConfig::GTX480).unwrap();
/// assert_eq!(board, board.clone());
/// ```
#[macro_export]
macro_rules! inline_scoreboard_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::simt::scoreboard::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Warps warps: $crate::simt::scoreboard::WarpRegs;
            }
        };
    };
}
