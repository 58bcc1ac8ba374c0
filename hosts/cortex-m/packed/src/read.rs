//! Reading: numbers, lists, and the vectors of a file.

use alloc::vec::Vec;
use core::fmt;

use gpusched::dats::{Node, NodeId};
use gpusched::{Cycle, Id};
use gpusched_abi::config::Choice;

use crate::{MAGIC, Machine, VERSION};

/// The file is not in this form, or ends too early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damaged;

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the packed vectors are damaged")
    }
}

impl core::error::Error for Damaged {}

/// What is left to be read.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a>(&'a [u8]);

/// What a reader can read.
pub trait Item<'a>: Sized {
    /// Reads it.
    ///
    /// # Errors
    /// The file ends before.
    fn read(from: &mut Reader<'a>) -> Result<Self, Damaged>;
}

macro_rules! numbers {
    ($($N:ty)*) => {
        $(impl Item<'_> for $N {
            fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
                let (bytes, rest) = from.0.split_first_chunk().ok_or(Damaged)?;
                from.0 = rest;
                Ok(Self::from_le_bytes(*bytes))
            }
        })*
    };
}

numbers!(u8 u16 u32 u64 i32 f64);

impl<'a> Item<'a> for &'a [u8] {
    fn read(from: &mut Reader<'a>) -> Result<Self, Damaged> {
        let length = from.get::<u16>()?;
        from.take(length.into())
    }
}

impl<'a> Item<'a> for &'a str {
    fn read(from: &mut Reader<'a>) -> Result<Self, Damaged> {
        core::str::from_utf8(from.get()?).map_err(|_| Damaged)
    }
}

impl Item<'_> for bool {
    fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        Ok(from.get::<u32>()? != 0)
    }
}

impl Item<'_> for Node {
    fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        from.get().map(Self::from_bits)
    }
}

impl Item<'_> for NodeId {
    fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        from.get().map(Self)
    }
}

impl Item<'_> for Cycle {
    fn read(from: &mut Reader<'_>) -> Result<Self, Damaged> {
        from.get().map(Self)
    }
}

/// As in a struct of C: an array has no count.
impl<'a, I: Item<'a> + Copy + Default, const N: usize> Item<'a> for [I; N] {
    fn read(from: &mut Reader<'a>) -> Result<Self, Damaged> {
        let mut all = [I::default(); N];
        for item in &mut all {
            *item = from.get()?;
        }
        Ok(all)
    }
}

impl<'a, I: Item<'a>> Item<'a> for Vec<I> {
    fn read(from: &mut Reader<'a>) -> Result<Self, Damaged> {
        from.list(Reader::get)
    }
}

impl<'a> Reader<'a> {
    /// A reader of these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// Whether everything was read.
    #[must_use]
    pub fn is_at_end(&self) -> bool {
        self.0.is_empty()
    }

    /// The row with the next number; for one that its id cannot hold, the id's last one, which no machine has.
    ///
    /// # Errors
    /// The file ends before.
    pub fn row<I: Id>(&mut self) -> Result<I, Damaged> {
        let number = self.get::<u32>()? as usize;
        let id = I::from_index(number);
        Ok(if id.index() == number { id } else { I::from_index(usize::MAX) })
    }

    /// A number of a smaller type than rows and counts have in the form.
    ///
    /// # Errors
    /// The file ends before, or the number is too large.
    pub fn narrow<N: TryFrom<u32>>(&mut self) -> Result<N, Damaged> {
        N::try_from(self.get()?).map_err(|_| Damaged)
    }

    /// The value that C's next number stands for, if it stands for one.
    ///
    /// # Errors
    /// The file ends before.
    pub fn choice<V: Choice>(&mut self) -> Result<Option<V>, Damaged> {
        let number = self.get::<u32>()?;
        Ok(V::ALL.get(number as usize).copied())
    }

    /// The next item.
    ///
    /// # Errors
    /// The file ends before.
    pub fn get<I: Item<'a>>(&mut self) -> Result<I, Damaged> {
        I::read(self)
    }

    /// Whether there is an item, and that item, which is read all the same.
    ///
    /// # Errors
    /// The file ends before.
    pub fn optional<I: Item<'a>>(&mut self) -> Result<Option<I>, Damaged> {
        let (is_given, item) = (self.get::<bool>()?, self.get()?);
        Ok(is_given.then_some(item))
    }

    /// The items of the next list, each as `read` reads it.
    ///
    /// # Errors
    /// The file ends before.
    pub fn list<I, C>(&mut self, mut read: impl FnMut(&mut Self) -> Result<I, Damaged>) -> Result<C, Damaged>
    where
        C: FromIterator<I>,
    {
        let count = self.get::<u16>()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8], Damaged> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(Damaged)?;
        self.0 = rest;
        Ok(bytes)
    }
}

/// One vector of a file.
#[derive(Clone, Copy, Debug)]
pub struct Vector<'a> {
    /// `mechanism/vector`.
    pub name: &'a str,
    /// What it drives.
    pub machine: Machine,
    /// What follows.
    pub rest: Reader<'a>,
}

/// The vectors of a file.
///
/// # Errors
/// It is no such file.
pub fn vectors(file: &[u8]) -> Result<impl Iterator<Item = Result<Vector<'_>, Damaged>>, Damaged> {
    let mut file = Reader(file);
    if file.take(MAGIC.len())? != MAGIC || file.get::<u32>()? != VERSION {
        return Err(Damaged);
    }
    let count = file.get::<u32>()?;
    Ok((0..count).map(move |_| {
        let length = file.get::<u32>()?;
        let mut rest = Reader(file.take(length as usize)?);
        let name = rest.get()?;
        let machine = Machine::of(rest.get()?).ok_or(Damaged)?;
        Ok(Vector { name, machine, rest })
    }))
}
