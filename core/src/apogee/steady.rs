//! The usual loads, in few instructions: of a full warp whose addresses have the offset of the PC's row, once its confidence is the
//! greatest. Either the warp prefetches lines side by side, all of them inside, none of them waiting; or its threads all load from one
//! address, and a trigger row, if it misses, prefetches that. All conditions are tested before anything is done; where one fails the
//! load goes the plain way, which does the same step by step.
//!
//! These are rules of the plain way a second time, for speed: some 190 instructions rather than 520. A test below holds that both give
//! the same answer and leave the same state, whatever the load and the state.

use super::Apogee;
use super::access::{Access, Lanes, Verdict, differs};
use super::answer::{LoadProbe, Loaded, Request, RequestKind};
use super::row::{LoadRow, PrefetchState, RowId, RowKind};
use super::tables::Tables;
use crate::base::cycle::Cycle;
use crate::base::error::Fault;

/// A load of a full warp as its row expects it.
pub(super) struct Expected {
    pub(super) row: RowId,
    pub(super) offset: i32,
    distance: u16,
    /// Address of lane 0.
    pub(super) first: u64,
}

impl<T: Tables> Apogee<T> {
    /// All up to offset detection (apogee-O5) of a load that is good but for its addresses, and changes nothing but its row's state,
    /// address and thread; else `None`.
    #[inline(always)]
    pub(super) fn expected(&self, now: Cycle, access: &Access<'_>) -> Option<Expected> {
        let (config, constants, warp) = (&self.config, &self.constants, access.warp);
        if self.check_time(now).is_err() || u32::from(warp) >= config.warps {
            return None;
        }
        // C, T: the PC's row is alone in its bucket, so there is no trigger. A PC beyond `pc_bits` has no row.
        let (id, row) = self.table.alone(access.pc)?;
        let RowKind::Load(LoadRow { offset: Some(offset), thread, distance }) = row.kind else { return None };
        // S: its last prefetch was neither late nor early.
        if !row.states.is_timely(warp, access.verdict == Verdict::Hit) {
            return None;
        }
        // O: every pair is a match, and changes neither confidence nor thread. No configuration asks for more confidence.
        let (mask, first) = match access.lanes {
            Lanes::Affine { mask, first, stride } if stride == i64::from(offset) => (mask, first),
            ref other => dense(other, offset.into(), config.warp_size)?,
        };
        let last_thread = thread == constants.last_lane || offset == 0;
        if mask != constants.full_mask || row.confidence != constants.max_confidence || !last_thread {
            return None;
        }
        Some(Expected { row: id, offset, distance, first })
    }

    /// Lines (apogee-F1 to F3) for such a load whose offset is below 0, or above 0; `None`, and nothing was done, if its lines cannot
    /// be queued at once.
    #[inline(always)]
    pub(super) fn steady_foa<const FALLS: bool>(
        &mut self,
        now: Cycle,
        access: &Access<'_>,
        Expected { row: id, offset, distance, first }: Expected,
        probe: &mut impl LoadProbe,
    ) -> Option<Loaded> {
        let (constants, step) = (&self.constants, i64::from(offset));
        // apogee-F1: the base, from the address of lane 0; the product is below 2^63. What wraps is outside: addresses have at most 48
        // bits, and a warp spans at most 37.
        let span = step * i64::from(constants.last_lane);
        let ahead = step * (i64::from(distance) * i64::from(self.threads));
        let last = first.wrapping_add_signed(span);
        let begin = first.wrapping_add_signed(ahead);
        let end = begin.wrapping_add_signed(span);
        let (from, to) = (begin >> constants.line_shift, end >> constants.line_shift);
        let (lowest, highest) = if FALLS { (to, from) } else { (from, to) };
        let others = highest.wrapping_sub(lowest);
        let line = begin & constants.line_mask;
        // apogee-F2. apogee-F3: if there are no more lines than threads, there is none in which no thread is.
        if (first | last | begin | end) & constants.outside != 0
            || others > constants.last_lane.into()
            || !self.queue.enter_word((lowest, highest))
        {
            return None;
        }
        self.now = now;
        let row = self.table.row_mut(id);
        row.states.queue(access.warp);
        row.address = last;
        let generation = row.generation;
        let request = Request { line, entry: id, generation, warp: access.warp, kind: RequestKind::Foa };
        let pushed = others as u16 + 1;
        self.append_run(request, pushed, FALLS, probe);
        self.queue.count(id, access.warp, pushed.into());
        self.note_last_load(access.warp, access.pc as u32);
        Some(Loaded { entry: id, confirmed: true, pushed: pushed.into(), ..Loaded::default() })
    }

    /// The chain (apogee-C3) for such a load of one address.
    #[inline(never)]
    pub(super) fn steady_scalar(
        &mut self,
        now: Cycle,
        probe: &mut impl LoadProbe,
        access: &Access<'_>,
        id: RowId,
        address: u64,
    ) -> Result<Loaded, Fault> {
        let is_scalar = |load: &LoadRow| load.thread == self.constants.scalar;
        if address & self.constants.outside != 0 || !self.table.row(id).load().is_some_and(is_scalar) {
            return self.plain(now, probe, access);
        }
        let mut loaded = Loaded { entry: id, confirmed: true, ..Loaded::default() };
        // apogee-C3. The PC is that of a row: it fits.
        let pc = access.pc as u32;
        if access.verdict != Verdict::Hit {
            match self.keep(pc, address, self.constants.max_confidence, access.warp) {
                Some((trigger, tia)) => (loaded.tia, loaded.tia_entry) = (tia, Some(trigger)),
                None => return self.plain(now, probe, access),
            }
        }
        self.now = now;
        let row = self.table.row_mut(id);
        row.states.set(access.warp, PrefetchState::Idle); // apogee-S3
        row.address = address;
        self.note_last_load(access.warp, pc);
        Ok(loaded)
    }
}

/// The mask and the first address of a warp whose lanes have an address each, in steps of `step`.
#[inline(never)]
fn dense(lanes: &Lanes<'_>, step: i64, warp_size: u32) -> Option<(u64, u64)> {
    let &Lanes::Dense { mask, addresses } = lanes else { return None };
    let warp = addresses.get(..warp_size as usize)?;
    let first = *warp.first()?;
    (differs(warp, first, step.cast_unsigned()) == 0).then_some((mask, first))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apogee::access::WarpId;
    use crate::apogee::config::{ApogeeConfig, Merge};
    use crate::models::monte::Generator;

    /// A full warp or two are enough for confidence, so that rows often change their minds.
    const SMALL: ApogeeConfig = ApogeeConfig {
        entries: 6,
        warps: 2,
        warp_size: 8,
        threads: 16,
        pfq: 24,
        addr_bits: 14,
        conf_bits: 3,
        ..ApogeeConfig::APOGEE_4
    };

    crate::inline_apogee_tables! {
        struct Small = SMALL;
    }

    /// The lines that a load lists.
    #[derive(Debug, Default, PartialEq)]
    struct Lines(heapless::Vec<u64, 64>);

    impl LoadProbe for Lines {
        fn pushed(&mut self, line: u64) {
            self.0.push(line).expect("a warp has fewer lines");
        }
    }

    /// Pops a request, or answers one that was popped, maybe long ago.
    fn serve(apogee: &mut Apogee<Small>, now: Cycle, sent: &mut heapless::Deque<Request, 8>, random: &mut Generator) {
        if random.below(3) == 0 {
            if let Some(Request { entry, generation, warp, .. }) = sent.pop_front() {
                apogee.pf_fill(entry, generation, warp).unwrap();
            }
        } else if !sent.is_full()
            && let Some(request) = apogee.pf_pop(now).unwrap()
        {
            let is_sent = random.below(8) > 0;
            apogee.pf_reply(is_sent).unwrap();
            if is_sent {
                sent.push_back(request).unwrap();
            }
        }
    }

    /// Whatever the load and the state, the usual way and the plain way give the same answer and leave the same state.
    #[test]
    fn a_steady_load_is_a_load() {
        let mut random = Generator::new(5);
        // Of each direction, and of one address.
        let mut expected = [0; 3];
        for run in 0..150 {
            let merge = [Merge::Queue, Merge::Group][run % 2];
            let mut apogee = Apogee::<Small>::new(&ApogeeConfig { merge, ..SMALL }).unwrap();
            let (mut sent, mut strides) = (heapless::Deque::new(), [4, -8, 0, 40]);
            for i in 0..400 {
                let now = Cycle(5 * i);
                let pc = random.below(4);
                // Mostly each load goes as before.
                if random.below(20) == 0 {
                    strides[pc as usize] = [4, -8, 0, 40, 5][random.below(5) as usize];
                }
                let stride = strides[pc as usize];
                let first = 16 * random.below(1 << 10);
                let addresses: [u64; 8] = core::array::from_fn(|lane| first.wrapping_add_signed(stride * lane as i64));
                let mask = if random.below(20) == 0 { 0x7f } else { 0xff };
                let lanes = match random.below(2) {
                    0 => Lanes::Dense { mask, addresses: &addresses },
                    _ => Lanes::Affine { mask, first, stride },
                };
                let verdict = [Verdict::Hit, Verdict::Hit, Verdict::Pending, Verdict::Absent][random.below(4) as usize];
                let access = Access { pc, warp: WarpId(random.below(2) as u16), verdict, lanes };
                if let Some(load) = apogee.expected(now, &access) {
                    expected[(load.offset.signum() + 1) as usize] += 1;
                }
                let mut plain = apogee.clone();
                let (mut lines, mut plain_lines) = (Lines::default(), Lines::default());
                let loaded = apogee.load(now, &access, &mut lines);
                assert_eq!(loaded, plain.plain(now, &mut plain_lines, &access), "{access:?}");
                assert_eq!(lines, plain_lines, "{access:?}");
                assert_eq!(apogee, plain, "{access:?}");
                for _ in 0..random.below(8) {
                    serve(&mut apogee, now, &mut sent, &mut random);
                }
            }
        }
        assert!(expected.iter().all(|loads| *loads > 500), "too few steady loads: {expected:?}");
    }
}
