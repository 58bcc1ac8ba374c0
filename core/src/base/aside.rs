//! What a machine keeps beside its value: notes that it could do without.

use core::fmt;
use core::hash::{Hash, Hasher};
use core::ops::{Deref, DerefMut};

/// A note: no part of the value of what it is kept in. Two values that differ in it are equal.
#[derive(Clone, Default)]
pub(crate) struct Aside<V>(pub(crate) V);

impl<V> Deref for Aside<V> {
    type Target = V;

    #[inline(always)]
    fn deref(&self) -> &V {
        &self.0
    }
}

impl<V> DerefMut for Aside<V> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut V {
        &mut self.0
    }
}

impl<V> fmt::Debug for Aside<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("..")
    }
}

impl<V> PartialEq for Aside<V> {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<V> Eq for Aside<V> {}

impl<V> Hash for Aside<V> {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
