//! Homes for the entries of a [`Stack`](super::Stack).

use super::Entry;
use super::config::StackConfig;
use crate::base::home::tables;

tables! {
    /// Entries: `depth`.
    Entries entries: Entry;
}

impl TableSizes {
    /// What a configuration within its ranges needs.
    #[must_use]
    pub const fn of(config: &StackConfig) -> Self {
        Self { entries: config.depth as usize }
    }
}

/// Makes a home of inline arrays for one configuration, a constant.
///
/// ```
/// use gpusched::inline_stack_tables;
/// use gpusched::simt::stack::{Stack, StackConfig};
///
/// inline_stack_tables! {
///     /// A warp of 32 lanes.
///     pub struct Warp = StackConfig::WARP_32;
/// }
/// let warp = Stack::<Warp>::new(&StackConfig::WARP_32).unwrap();
/// assert_eq!(warp, warp.clone());
/// ```
#[macro_export]
macro_rules! inline_stack_tables {
    ($(#[$meta:meta])* $vis:vis struct $name:ident = $config:expr;) => {
        $crate::inline_tables! { @home [$(#[$meta])*] $vis $name }
        const _: () = {
            use $crate::simt::stack::tables as __machine;
            $crate::inline_tables! { @tables $name $config, __machine,
                Entries entries: $crate::simt::stack::Entry;
            }
        };
    };
}
