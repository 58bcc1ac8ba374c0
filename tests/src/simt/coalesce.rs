//! The coalescer: what an access answers, and a plain model.

use gpusched::Fault;
use gpusched::simt::coalesce::{CoalesceMode, Coalescer, CoalescerConfig, Segment, Segments, TouchProbe};

use crate::calls::coalescer::{Answer, Event};
use crate::through_c::coalescer::ThroughC;

pub use crate::calls::coalescer::hand::Access;

/// What an access answers.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Coalesced {
    pub segs: Vec<Segment>,
    pub coalesced: bool,
}

/// The bytes that lanes touch of each transaction.
struct Touched(Vec<(u8, u32, u32)>);

impl TouchProbe for Touched {
    fn touched(&mut self, transaction: u8, from: u32, to: u32) {
        self.0.push((transaction, from, to));
    }
}

/// The core's answer.
///
/// # Errors
/// The sheet's named errors.
///
/// # Panics
/// If a refused access changes the list, or the probe is told of other transactions.
pub fn core(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let coalescer = Coalescer::new(config)?;
    let Access { mask, addrs, size } = access;
    // What was there before must not matter.
    let mut segments = Segments::default();
    let lanes = config.lanes as usize;
    coalescer.access(1, &vec![0; lanes], 1, &mut segments)?;
    let before = segments.clone();
    let mut touched = Touched(Vec::new());
    let answer = coalescer.access_and_tell(*mask, addrs, *size, &mut segments, &mut touched);
    if answer.is_err() {
        assert_eq!(segments, before, "a refused access changed the list");
        assert_eq!(touched.0, []);
    }
    let coalesced = answer?;
    let segs = segments.as_slice().to_vec();
    let bytes: u64 = touched.0.iter().map(|&(_, from, to)| u64::from(to - from + 1)).sum();
    assert_eq!(bytes, u64::from(mask.count_ones()) * u64::from(*size), "each lane touches its bytes");
    assert!(touched.0.iter().all(|&(at, _, to)| usize::from(at) < segs.len() && to < config.segment));
    Ok(Coalesced { segs, coalesced })
}

/// The answer of C.
///
/// # Errors
/// The sheet's named errors.
pub fn through_c(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let mut machine = ThroughC::new(config).map_err(crate::through_c::fault)?;
    let Answer::Access(answer) = machine.take(&Event::Access(access.clone()))?;
    Ok(answer)
}

/// A plain model of models-C1 to C3.
///
/// # Errors
/// The sheet's named errors.
pub fn model(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let Access { mask, addrs, size } = access;
    let (size, segment) = (u128::from(*size), u128::from(config.segment));
    let lane_count = config.lanes as usize;
    if u128::from(*mask) >= 1_u128 << lane_count {
        return Err(Fault::BadMask);
    }
    if ![1, 2, 4, 8, 16].contains(&size) {
        return Err(Fault::BadSize);
    }
    if addrs.len() != lane_count {
        return Err(Fault::BadArg);
    }
    let active: Vec<_> =
        (0..lane_count).filter(|i| mask >> i & 1 == 1).map(|i| (i as u128, u128::from(addrs[i]))).collect();
    for &(_, address) in &active {
        if address + size > 1 << 64 {
            return Err(Fault::AddressWrap);
        }
        if !config.allow_misaligned && address % size != 0 {
            return Err(Fault::Misaligned);
        }
    }
    let sequence = active.first().is_none_or(|&(first, address)| {
        address >= first * size
            && (address - first * size) % segment == 0
            && active.iter().all(|&(lane, of)| of == address - first * size + lane * size)
    });
    let coalesced = config.mode == CoalesceMode::Combine || sequence;
    let mut segs: Vec<Segment> = Vec::new();
    for (lane, address) in active {
        let mut touched = vec![address / segment, (address + size - 1) / segment];
        touched.dedup();
        for number in touched {
            let (base, bit) = ((number * segment) as u64, 1 << lane);
            match segs.iter_mut().find(|seg| coalesced && seg.base == base) {
                Some(seg) => seg.lanes |= bit,
                None => segs.push(Segment { base, lanes: bit }),
            }
        }
    }
    Ok(Coalesced { segs, coalesced })
}
