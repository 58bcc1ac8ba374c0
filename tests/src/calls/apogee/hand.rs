//! Loads, whose threads come in one of three forms, and what they decide with its lists.

use gpusched::apogee::{Access, Apogee, Lanes, LoadProbe, Loaded, Tables, Triggered, Verdict, WarpId};
use gpusched::{Cycle, Fault};

/// A load of a warp.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Load {
    pub now: Cycle,
    pub pc: u64,
    pub warp: WarpId,
    /// `None` is no answer of a cache.
    pub result: Option<Verdict>,
    pub lanes: Vec<(u8, u64)>,
    /// How the lanes are handed over.
    pub form: Form,
}

/// How the threads of a load are handed over. Those that cannot be told so are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// As a list.
    List,
    /// As a mask and an address per lane.
    Dense,
    /// As a mask, an address and a stride.
    Affine,
}

impl Form {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::List, Self::Dense, Self::Affine];
}

/// The active threads of a load as a mask, the address of the first one and the bytes from lane to lane.
#[must_use]
pub fn affine(lanes: &[(u8, u64)]) -> Option<(u64, u64, i64)> {
    let (mask, _) = dense(lanes)?;
    let &[(lane, first), ..] = lanes else { return None };
    let way = |&(l, a): &(u8, u64)| (i128::from(l - lane), i128::from(a) - i128::from(first));
    let stride = lanes.get(1).map_or(0, |second| way(second).1 / way(second).0);
    let is_even = lanes.iter().map(way).all(|(lanes, bytes)| lanes * stride == bytes);
    Some((mask, first, i64::try_from(stride).ok().filter(|_| is_even)?))
}

/// The active threads of a load as a mask and an address per lane.
#[must_use]
pub fn dense(lanes: &[(u8, u64)]) -> Option<(u64, Vec<u64>)> {
    let &(last, _) = lanes.last()?;
    if last >= 64 || lanes.windows(2).any(|pair| pair[0].0 >= pair[1].0) {
        return None;
    }
    // What is at lanes that are not active must not matter.
    let (mut mask, mut addresses) = (0, vec![u64::MAX; usize::from(last) + 1]);
    for &(lane, address) in lanes {
        mask |= 1 << lane;
        addresses[usize::from(lane)] = address;
    }
    Some((mask, addresses))
}

/// What a load decided, with its lists.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct LoadAnswer {
    pub loaded: Loaded,
    pub pushed: Vec<u64>,
    pub trig: Vec<Triggered>,
}

impl LoadProbe for LoadAnswer {
    fn pushed(&mut self, line: u64) {
        self.pushed.push(line);
    }

    fn triggered(&mut self, row: Triggered) {
        self.trig.push(row);
    }
}

impl Load {
    /// Makes the call.
    ///
    /// # Errors
    /// The machine's fault.
    pub fn apply<T: Tables>(&self, m: &mut Apogee<T>) -> Result<LoadAnswer, Fault> {
        let Self { now, pc, warp, result, lanes, form } = self;
        let dense = dense(lanes);
        let lanes = match (form, &dense, affine(lanes)) {
            (Form::Dense, Some((mask, addresses)), _) => Lanes::Dense { mask: *mask, addresses },
            (Form::Affine, _, Some((mask, first, stride))) => Lanes::Affine { mask, first, stride },
            _ => Lanes::List(lanes),
        };
        let access = Access { pc: *pc, warp: *warp, verdict: result.unwrap_or(Verdict::Hit), lanes };
        // In Rust there is no other answer of a cache; a host that reads one from elsewhere does this.
        if result.is_none() {
            m.check_load(*now, &access)?;
            return Err(Fault::BadResult);
        }
        let mut answer = LoadAnswer::default();
        answer.loaded = m.load(*now, &access, &mut answer)?;
        Ok(answer)
    }
}

#[cfg(feature = "tools")]
mod written {
    use anyhow::{Result, bail};
    use gpusched::apogee::Verdict;
    use gpusched_abi::apogee::gpusched_apogee_lane;
    use gpusched_abi::convert::ToC;
    use gpusched_packed::{Bytes, Op};
    use serde::Deserialize;
    use serde_json::Value;

    use super::{Form, Load};
    use crate::pack::tape::{UNKNOWN, packed};
    use crate::replay::argument::{Argument, given};

    impl Load {
        /// The load that a step of a vector says, as a list.
        ///
        /// # Errors
        /// A step that does not have the form of the vectors.
        pub fn read(step: &Value) -> Result<Self> {
            Ok(Self {
                now: given(step, "now")?,
                pc: given(step, "pc")?,
                warp: given(step, "warp")?,
                result: Verdict::deserialize(&step["result"]).ok(),
                lanes: given(step, "lanes")?,
                form: Form::List,
            })
        }

        /// The load as boards get it.
        pub fn packed(&self) -> (Op, Bytes) {
            let Self { now, pc, warp, result, lanes, form: _ } = self;
            let verdict = result.map_or(UNKNOWN, |verdict| verdict.to_c());
            let lane = |&(lane, address): &(u8, u64)| gpusched_apogee_lane { address, lane: lane.to_c(), reserved: 0 };
            let lanes: Vec<_> = lanes.iter().map(lane).collect();
            packed!(ApogeeLoad, now.to_c(), pc, warp.to_c(), verdict, lanes[..])
        }
    }

    /// A lane and its address.
    impl Argument for (u8, u64) {
        fn read(value: &Value) -> Result<Self> {
            let [lane, address] = value.as_array().map_or(&[][..], Vec::as_slice) else {
                bail!("is not two numbers: {value}");
            };
            Ok((Argument::read(lane)?, Argument::read(address)?))
        }
    }
}
