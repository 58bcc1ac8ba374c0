//! Homes for the table of [`Mascar`](super::Mascar): the re-execution queue.

use super::config::MascarConfig;
use super::rexq::Entry;
use crate::base::home::tables;

tables! {
    /// Re-execution queue: `rexq`.
    Rexq rexq: Entry;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &MascarConfig) -> Self {
        Self { rexq: config.rexq as usize }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::inline_mascar_tables;
/// use gpusched::mascar::{Mascar, MascarConfig};
///
/// inline_mascar_tables! {
///     /// One SM of the GTX 480.
///     pub struct Gtx480 = MascarConfig::GTX480;
/// }
/// let machine = Mascar::<Gtx480>::new(&MascarConfig::GTX480).unwrap();
/// assert_eq!(machine, machine.clone());
/// ```
#[macro_export]
macro_rules! inline_mascar_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::mascar::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Rexq rexq: $crate::mascar::Entry;
            }
        };
    };
}
