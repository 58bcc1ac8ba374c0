//! Reading: numbers, lists, and the vectors of a file.

use core::fmt;

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

numbers!(u8 u16 u32 u64);

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

impl<'a> Reader<'a> {
    /// The next item.
    ///
    /// # Errors
    /// The file ends before.
    pub fn get<I: Item<'a>>(&mut self) -> Result<I, Damaged> {
        I::read(self)
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
