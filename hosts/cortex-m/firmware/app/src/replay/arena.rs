//! Memory for the tables of one vector's machine.

use bumpalo::Bump;
use gpusched::RowSource;

/// Takes tables from memory that is given back as a whole.
#[derive(Clone)]
pub(crate) struct Arena<'a>(&'a Bump);

impl<'a> Arena<'a> {
    pub(crate) fn new(memory: &'a Bump) -> Self {
        Self(memory)
    }

    /// So many rows; `None` if there is no room for them.
    pub(crate) fn take<R: Default>(&self, n: usize) -> Option<&'a mut [R]> {
        self.0.try_alloc_slice_fill_default(n).ok()
    }
}

impl<'a> RowSource<'a> for Arena<'a> {
    fn rows<R: Default + 'a>(&mut self, n: usize) -> Option<&'a mut [R]> {
        self.take(n)
    }
}
