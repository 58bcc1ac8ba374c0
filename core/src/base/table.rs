//! Where rows live: one table type over inline arrays, borrowed slices or a host's vectors.
//!
//! A machine is written once over [`Rows`]; `[R; N]` makes it one plain value, `&mut [R]` puts it into memory that somebody
//! else owns, and a host with an allocator may bring `Vec<R>`.

use core::marker::PhantomData;
use core::ops::{Index, IndexMut};

use crate::base::id::Id;

/// A home for rows of type `R`: any array, slice reference or vector of them.
pub trait Rows<R>: AsRef<[R]> + AsMut<[R]> {}
impl<R, S: AsRef<[R]> + AsMut<[R]>> Rows<R> for S {}

/// Room for rows that are not there yet.
pub type Reserve<R, const N: usize> = heapless::Vec<R, N>;

/// Makes the rows where they lie, as many as there is room for.
pub fn fill<R: Default, const N: usize>(reserve: &mut Reserve<R, N>) -> &mut [R] {
    while reserve.push(R::default()).is_ok() {}
    reserve
}

/// Rows of type `R`, named by ids of type `I`, living in `S`.
///
/// Indexing cannot panic: an id beyond the table reaches a spare row that no rule reads. Ids are checked where they enter the
/// machine, so this is never seen; it keeps panic paths out of bare-metal and C builds.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Table<I, R, S> {
    rows: S,
    spare: R,
    id: PhantomData<I>,
}

impl<I: Id, R: Default, S: Rows<R>> Table<I, R, S> {
    /// Takes over `rows`. All become empty, also those that no id of the machine names: two machines in equal states are equal.
    pub(crate) fn new(mut rows: S) -> Self {
        rows.as_mut().fill_with(R::default);
        Self::over(rows)
    }

    /// Takes over `rows` as they are.
    pub(crate) fn over(rows: S) -> Self {
        Self { rows, spare: R::default(), id: PhantomData }
    }

    /// The rows, given back.
    pub(crate) fn into_rows(self) -> S {
        self.rows
    }

    /// The first `n` rows, if there are as many.
    pub(crate) fn first(&self, n: usize) -> Option<&[R]> {
        self.rows.as_ref().get(..n)
    }

    /// A row, where it is no loss to do without.
    #[inline]
    pub(crate) fn get(&self, id: I) -> Option<&R> {
        self.rows.as_ref().get(id.index())
    }

    /// The same, to be changed.
    #[inline]
    pub(crate) fn get_mut(&mut self, id: I) -> Option<&mut R> {
        self.rows.as_mut().get_mut(id.index())
    }

    /// Whether all rows from `n` on are empty: no id of the machine names them.
    pub(crate) fn ends_by(&self, n: usize) -> bool
    where
        R: PartialEq,
    {
        let empty = R::default();
        self.rows.as_ref().get(n..).is_none_or(|rows| rows.iter().all(|row| *row == empty))
    }

    /// `n` rows from one on, if there are as many, to be changed.
    pub(crate) fn slice_mut(&mut self, from: usize, n: usize) -> Option<&mut [R]> {
        self.rows.as_mut().get_mut(from..from.checked_add(n)?)
    }

    /// All rows, in order.
    #[cfg(feature = "image")]
    pub(crate) fn rows(&self) -> &[R] {
        self.rows.as_ref()
    }

    /// The same, to be changed.
    #[cfg(feature = "image")]
    pub(crate) fn rows_mut(&mut self) -> &mut [R] {
        self.rows.as_mut()
    }

    /// Every row with its id.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (I, &R)> + Clone {
        self.rows.as_ref().iter().enumerate().map(|(i, row)| (I::from_index(i), row))
    }
}

impl<I: Id, R: Default, const N: usize> Default for Table<I, R, [R; N]> {
    fn default() -> Self {
        Self::over(core::array::from_fn(|_| R::default()))
    }
}

impl<I: Id, R, S: Rows<R>> Index<I> for Table<I, R, S> {
    type Output = R;

    fn index(&self, id: I) -> &R {
        debug_assert!(id.index() < self.rows.as_ref().len(), "row {} of a smaller table", id.index());
        self.rows.as_ref().get(id.index()).unwrap_or(&self.spare)
    }
}

impl<I: Id, R, S: Rows<R>> IndexMut<I> for Table<I, R, S> {
    fn index_mut(&mut self, id: I) -> &mut R {
        debug_assert!(id.index() < self.rows.as_ref().len(), "row {} of a smaller table", id.index());
        match self.rows.as_mut().get_mut(id.index()) {
            Some(row) => row,
            None => &mut self.spare,
        }
    }
}
