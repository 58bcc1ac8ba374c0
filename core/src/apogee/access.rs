//! What a load reports: the addresses of its active threads, and what the cache said. Here they are checked, in one pass that also
//! finds whether they are an arithmetic sequence over the thread index: all that offset detection has to know (apogee-O1 to O5).

use super::config::ApogeeConfig;
use crate::base::error::Fault;
use crate::base::id::{id, rows_in};

id! {
    /// A warp of the SM, 0..warps.
    pub WarpId(u16)
}

id! {
    /// A thread of a warp, 0..warp_size.
    pub(super) Lane(u8)
}

/// What the cache answered to all lines of a load.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Verdict {
    /// All are present.
    Hit,
    /// None is absent, some are on their way.
    Pending,
    /// Some are absent.
    Absent,
}

/// The active threads of a load and their byte addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Lanes<'a> {
    /// Active threads, ascending: lane and address.
    List(&'a [(u8, u64)]),
    /// An address per lane. Those of lanes that are not active are not looked at.
    Dense {
        /// Active lanes: bit i is lane i.
        mask: u64,
        /// Addresses from lane 0 up to the last active one, or more.
        addresses: &'a [u64],
    },
    /// Addresses in steps over the lanes, as a coalescer knows them: no address is compared with another one.
    Affine {
        /// Active lanes: bit i is lane i.
        mask: u64,
        /// Address of the first active lane.
        first: u64,
        /// Bytes from the address of one lane to that of the next one, whether these are active or not.
        stride: i64,
    },
}

/// One load of a warp, as the cache has answered it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access<'a> {
    /// Instruction index, below 2^`pc_bits`.
    pub pc: u64,
    /// Warp.
    pub warp: WarpId,
    /// The cache's answer.
    pub verdict: Verdict,
    /// Active threads.
    pub lanes: Lanes<'a>,
}

/// How the addresses of consecutive active threads differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// There is one thread: no pair.
    None,
    /// By this much for each thread index, in every pair.
    Even(i64),
    /// Differently, or not by whole numbers: no offset fits every pair.
    Uneven,
}

/// The active threads of a checked load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Threads {
    /// A: how many.
    pub(super) count: u32,
    /// Bit i is lane i.
    pub(super) mask: u64,
    /// The first one: lane and address.
    pub(super) first: (u8, u64),
    /// The last one.
    pub(super) last: (u8, u64),
    pub(super) steps: Steps,
}

impl Lanes<'_> {
    /// Checks lanes and addresses.
    ///
    /// # Errors
    /// `NoActiveLanes`, `BadLanes`, `AddressRange`.
    #[inline]
    pub(super) fn check(&self, config: &ApogeeConfig) -> Result<Threads, Fault> {
        match *self {
            Lanes::List(list) => check_list(list, config),
            Lanes::Dense { mask, addresses } => check_dense(mask, addresses, config),
            Lanes::Affine { mask, first, stride } => check_affine(mask, first, stride, config),
        }
    }
}

fn check_list(list: &[(u8, u64)], config: &ApogeeConfig) -> Result<Threads, Fault> {
    if list.is_empty() {
        return Err(Fault::NoActiveLanes);
    }
    let ascending = list.iter().zip(list.iter().skip(1)).all(|(a, b)| a.0 < b.0);
    let inside = list.iter().all(|&(lane, _)| u32::from(lane) < config.warp_size);
    if !ascending || !inside {
        return Err(Fault::BadLanes);
    }
    let mask = list.iter().fold(0, |mask, &(lane, _)| mask | 1 << (lane % 64));
    summary(mask, list.iter().copied(), config)
}

#[inline]
fn check_dense(mask: u64, addresses: &[u64], config: &ApogeeConfig) -> Result<Threads, Fault> {
    if mask == 0 {
        return Err(Fault::NoActiveLanes);
    }
    let (lowest, beyond) = (mask.trailing_zeros(), u64::BITS - mask.leading_zeros());
    let Some(run) = addresses.get(lowest as usize..beyond as usize) else { return Err(Fault::BadLanes) };
    if beyond > config.warp_size {
        return Err(Fault::BadLanes);
    }
    let lanes = (lowest as u8, (beyond - 1) as u8);
    // Mostly the active lanes are neighbours, and their addresses a sequence.
    if (mask >> lowest).wrapping_add(1) & (mask >> lowest) == 0
        && let Some(threads) = sequence(mask, lanes, run, config)
    {
        return Ok(threads);
    }
    let address = |lane: Lane| addresses.get(usize::from(lane.0)).copied().unwrap_or_default();
    summary(mask, rows_in(mask).map(|lane: Lane| (lane.0, address(lane))), config)
}

fn check_affine(mask: u64, first: u64, stride: i64, config: &ApogeeConfig) -> Result<Threads, Fault> {
    if mask == 0 {
        return Err(Fault::NoActiveLanes);
    }
    let (lowest, highest) = (mask.trailing_zeros(), u64::BITS - 1 - mask.leading_zeros());
    if highest >= config.warp_size {
        return Err(Fault::BadLanes);
    }
    // With the ends inside, so is what lies between. What overflows is outside.
    let last = i64::from(highest - lowest).checked_mul(stride).and_then(|way| first.checked_add_signed(way));
    match last {
        Some(last) if (first | last) >> config.addr_bits == 0 => {
            let count = mask.count_ones();
            let steps = if count == 1 { Steps::None } else { Steps::Even(stride) };
            Ok(Threads { count, mask, first: (lowest as u8, first), last: (highest as u8, last), steps })
        }
        _ => Err(Fault::AddressRange),
    }
}

/// Neighbours whose addresses are an arithmetic sequence inside the address space.
#[inline(always)]
fn sequence(mask: u64, lanes: (u8, u8), run: &[u64], config: &ApogeeConfig) -> Option<Threads> {
    let (&[first, second, ..], &[.., last]) = (run, run) else { return None };
    let step = second.wrapping_sub(first);
    // With the ends inside, so is what lies between: 63 steps of less than 2^48 do not wrap.
    if (first | second | last) >> config.addr_bits != 0 || differs(run, first, step) != 0 {
        return None;
    }
    let steps = Steps::Even(step.cast_signed());
    Some(Threads { count: run.len() as u32, mask, first: (lanes.0, first), last: (lanes.1, last), steps })
}

/// Not 0 if `run` is anything but `first`, `first + step`, `first + 2 step` ... Without a branch per address, so that it is done in
/// vectors.
#[inline(always)]
pub(super) fn differs(run: &[u64], first: u64, step: u64) -> u64 {
    let mut expected = first;
    let mut wrong = 0;
    for &address in run {
        wrong |= address ^ expected;
        expected = expected.wrapping_add(step);
    }
    wrong
}

/// The plain way, thread by thread, for active threads on checked lanes.
#[inline(never)]
fn summary(mask: u64, threads: impl Iterator<Item = (u8, u64)>, config: &ApogeeConfig) -> Result<Threads, Fault> {
    let mut all = Threads { count: 0, mask, first: (0, 0), last: (0, 0), steps: Steps::None };
    for thread in threads {
        if thread.1 >> config.addr_bits != 0 {
            return Err(Fault::AddressRange);
        }
        if all.count == 0 {
            all.first = thread;
        } else {
            let step = thread.1.cast_signed() - all.last.1.cast_signed();
            let lanes = i64::from(thread.0) - i64::from(all.last.0);
            all.steps = match (step.checked_div(lanes), step.checked_rem(lanes)) {
                (Some(q), Some(0)) if all.steps == Steps::None || all.steps == Steps::Even(q) => Steps::Even(q),
                _ => Steps::Uneven,
            };
        }
        (all.count, all.last) = (all.count + 1, thread);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_list() {
        let config = ApogeeConfig { warp_size: 64, tidx_bits: 8, addr_bits: 12, ..ApogeeConfig::APOGEE_4 };
        let ways: [&[u64]; 5] =
            [&[8, 16, 24, 32], &[32, 24, 16, 8], &[8, 8, 8, 8], &[8, 16, 25, 32], &[0, 2048, 4096, 1]];
        for addresses in ways {
            for mask in 1..16_u64 {
                let list: [_; 4] = core::array::from_fn(|i| (i as u8, addresses[i]));
                let mut active = heapless::Vec::<_, 4>::new();
                active.extend(list.into_iter().filter(|&(lane, _)| mask >> lane & 1 == 1));
                assert_eq!(
                    Lanes::Dense { mask, addresses }.check(&config),
                    Lanes::List(&active).check(&config),
                    "{mask:b} of {addresses:?}"
                );
            }
        }
    }
}
