//! Homes for the tables of [`BubbleDvfs`](super::BubbleDvfs).

use super::config::BubbleConfig;
use super::ledger::SmxLedger;
use super::registers::SmxPower;
use crate::base::home::tables;

tables! {
    /// Where each SMX stands: `smxs`.
    Powers powers: SmxPower;
    /// What each SMX holds: `smxs`.
    Ledgers ledgers: SmxLedger;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &BubbleConfig) -> Self {
        Self { powers: config.smxs as usize, ledgers: config.smxs as usize }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::inline_bubble_tables;
/// use gpusched::power::{BubbleConfig, BubbleDvfs};
///
/// const SMALL: BubbleConfig = BubbleConfig { smxs: 4, ..BubbleConfig::K20C };
/// inline_bubble_tables! {
///     /// Four SMXs.
///     pub struct Small = SMALL;
/// }
/// let machine = BubbleDvfs::<Small>::new(&SMALL).unwrap();
/// assert_eq!(machine, machine.clone());
/// ```
#[macro_export]
macro_rules! inline_bubble_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::power::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Powers powers: $crate::rows::SmxPower;
                Ledgers ledgers: $crate::rows::SmxLedger;
            }
        };
    };
}
