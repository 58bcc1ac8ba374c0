//! Arguments of the calls in vectors: what each type looks like in JSON.

use anyhow::{Context, Result, anyhow, bail};
use gpusched::apogee::{RowId as ApogeeRow, WarpId as ApogeeWarp};
use gpusched::mascar::WarpId as MascarWarp;
use gpusched::simt::scoreboard::{RegId, WarpId as ScoreboardWarp};
use gpusched::tlp::KernelId;
use gpusched::{Cycle, KernelSlot, Resources, SlotId, SmxId, UnitId};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a vector can say.
pub trait Argument: Sized {
    /// It, of a value that is null if nothing is said.
    ///
    /// # Errors
    /// A value that says something else: what it is not.
    fn read(value: &Value) -> Result<Self>;
}

/// The argument of a step that is called so.
pub fn given<T: Argument>(step: &Value, key: &str) -> Result<T> {
    T::read(&step[key]).map_err(|error| anyhow!("`{key}` {error}"))
}

/// The argument that a step is.
pub fn whole<T: Argument>(step: &Value) -> Result<T> {
    T::read(step)
}

/// As [`given`], of an argument that may be left out.
pub fn given_or<T: Argument>(step: &Value, key: &str, missing: impl Into<Value>) -> Result<T> {
    if step[key].is_null() { T::read(&missing.into()) } else { given(step, key) }
}

/// The value of an enumeration, or `None` if it has no such name.
pub fn named<E: DeserializeOwned>(step: &Value, key: &str) -> Option<E> {
    E::deserialize(&step[key]).ok()
}

/// The value of an enumeration.
pub fn chosen<E: DeserializeOwned>(step: &Value, key: &str) -> Result<E> {
    named(step, key).with_context(|| format!("`{key}` has no such value: {}", step[key]))
}

fn number(value: &Value) -> Result<u64> {
    let negative = value.is_i64().then_some(u64::MAX);
    value.as_u64().or(negative).with_context(|| format!("is not a number: {value}"))
}

/// Numbers that their type cannot hold, too large or negative, are beyond every range, too.
macro_rules! numbers {
    ($($N:ty)*) => {
        $(impl Argument for $N {
            fn read(value: &Value) -> Result<Self> {
                Ok(Self::try_from(number(value)?).unwrap_or(Self::MAX))
            }
        })*
    };
}

numbers!(u8 u16 u32 u64);

impl Argument for i32 {
    fn read(value: &Value) -> Result<Self> {
        let number = value.as_i64().with_context(|| format!("is not a number: {value}"))?;
        Ok(Self::try_from(number).unwrap_or(Self::MAX))
    }
}

impl Argument for bool {
    fn read(value: &Value) -> Result<Self> {
        value.as_bool().with_context(|| format!("is not a flag: {value}"))
    }
}

macro_rules! around {
    ($($Id:ident)*) => {
        $(impl Argument for $Id {
            fn read(value: &Value) -> Result<Self> {
                Argument::read(value).map(Self)
            }
        })*
    };
}

around!(Cycle SmxId SlotId UnitId KernelSlot KernelId ApogeeRow ApogeeWarp MascarWarp);
around!(ScoreboardWarp RegId);

impl<T: Argument> Argument for Option<T> {
    fn read(value: &Value) -> Result<Self> {
        if value.is_null() { Ok(None) } else { T::read(value).map(Some) }
    }
}

impl<T: Argument> Argument for Vec<T> {
    fn read(value: &Value) -> Result<Self> {
        value.as_array().with_context(|| format!("is not a list: {value}"))?.iter().map(T::read).collect()
    }
}

impl<T: Argument, const N: usize> Argument for [T; N] {
    fn read(value: &Value) -> Result<Self> {
        Vec::read(value)?.try_into().map_err(|_| anyhow!("is not a list of {N}: {value}"))
    }
}

impl Argument for Resources {
    fn read(value: &Value) -> Result<Self> {
        let [threads, regs, smem, slots] = Vec::<u32>::read(value)?[..] else {
            bail!("is not a list of four numbers: {value}");
        };
        Ok(Self { threads, regs, smem, slots })
    }
}
