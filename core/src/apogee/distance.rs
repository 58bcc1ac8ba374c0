//! The distance: how many iterations ahead a row prefetches, by what has become of its last prefetch (apogee-S1 to S3).

use super::access::{Access, Threads, Verdict};
use super::answer::Adjust;
use super::config::{ApogeeConfig, Early, SlowRule};
use super::row::{LoadRow, PrefetchState, Row, RowKind};

impl Row {
    /// Adapts the distance of a row that was there before this load; `n` threads.
    #[inline]
    pub(super) fn adapt(&mut self, access: &Access<'_>, threads: &Threads, n: u32, config: &ApogeeConfig) -> Adjust {
        let state = self.states.of(access.warp);
        let RowKind::Load(load) = &mut self.kind else { return Adjust::None };
        let is_slow = match config.slow_rule {
            SlowRule::Any => state.is_under_way(),
            SlowRule::Miss => state.is_under_way() && access.verdict != Verdict::Hit,
        };
        let adjust = if is_slow {
            load.further(config) // apogee-S1
        } else if state == PrefetchState::Back
            && access.verdict == Verdict::Absent
            && let Some(offset) = load.offset
            && load.expects(self.address, offset, threads, n, config)
        {
            load.nearer(config) // apogee-S2
        } else {
            Adjust::None
        };
        // apogee-S3.
        self.states.set(access.warp, PrefetchState::Idle);
        adjust
    }
}

impl LoadRow {
    fn further(&mut self, config: &ApogeeConfig) -> Adjust {
        if u32::from(self.distance) >= config.max_distance() {
            return Adjust::IncSat;
        }
        self.distance += 1;
        Adjust::Inc
    }

    fn nearer(&mut self, config: &ApogeeConfig) -> Adjust {
        if u32::from(self.distance) <= config.min_distance {
            return Adjust::DecMin;
        }
        self.distance -= 1;
        Adjust::Dec
    }

    /// Whether the access is where the row expects it (apogee-A7). `address` is that of the row.
    #[inline(never)]
    fn expects(&self, address: u64, offset: i32, threads: &Threads, n: u32, config: &ApogeeConfig) -> bool {
        if offset == 0 {
            return false;
        }
        let (lane, first) = threads.first;
        // Where lane 0 is now. Addresses have at most 48 bits, products of a lane and an offset 40.
        let now = first.cast_signed() - i64::from(lane) * i64::from(offset);
        match config.early {
            // apogee-H9.
            Early::Pattern => {
                let before = address.cast_signed() - i64::from(self.thread) * i64::from(offset);
                let span = i64::from(config.warp_size) * i64::from(offset);
                now != before && (now - before).checked_rem(span) == Some(0)
            }
            Early::Literal => now == self.base(address, offset, n),
        }
    }

    /// apogee-F1: where lane 0 will be `distance` iterations from an access of n threads to `address`. It fits: the product is at most
    /// 2^31 (2^16 - 1)^2 = 2^63 - 2^48 + 2^31, and a positive offset is below 2^31.
    #[inline]
    pub(super) fn base(&self, address: u64, offset: i32, n: u32) -> i64 {
        base(address, offset, i64::from(self.distance), n, self.thread)
    }
}

/// Address + o (Distance n - Thread idx); apogee-A12.
#[inline]
pub(super) fn base(address: u64, offset: i32, distance: i64, n: u32, thread: u8) -> i64 {
    let threads = distance * i64::from(n) - i64::from(thread);
    address.cast_signed().saturating_add(i64::from(offset) * threads)
}
