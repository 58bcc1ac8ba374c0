//! Merging streams at random (models-M3, models-M4), in scratch memory of the caller.
//!
//! A slot of scratch memory is three things in one: a place in the queue between the levels, a stream that is being merged, and a node of
//! the sum tree in which the stream of a draw is found. There are never more streams with requests than requests, so a slot per request
//! is enough.

use super::config::Order;
use super::generator::Generator;
use super::{Request, SiteId, Trace};

/// SMs at most.
const MAX_SMS: usize = 64;

/// Scratch memory for one request. Its content does not matter, and any bytes are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(C)]
pub struct Slot {
    /// The address of a request on its way to the second level.
    address: u64,
    /// Its site, and above that whether it is a store.
    what: u32,
    /// The warp of a stream; on the second level, the end of its SM's queue.
    source: u32,
    /// The next request of a stream.
    next: u32,
    /// Node of the sum tree (Fenwick's): what streams up to this one weigh.
    sum: u32,
}

/// Streams that are being merged.
pub(super) struct Streams<'a> {
    slots: &'a mut [Slot],
    pick: Order,
    /// Streams that had requests.
    count: usize,
    /// What all of them weigh.
    weight: u32,
    /// Requests in the queues of all SMs.
    queued: usize,
    /// Where the queue of each SM ends.
    ends: [u32; MAX_SMS],
    sms: usize,
}

impl<'a> Streams<'a> {
    pub(super) fn new(slots: &'a mut [Slot], pick: Order) -> Self {
        Self { slots, pick, count: 0, weight: 0, queued: 0, ends: [0; MAX_SMS], sms: 0 }
    }

    /// The streams of an SM's warps.
    pub(super) fn of_warps(&mut self, trace: &(impl Trace + ?Sized), sm: u32) {
        self.begin();
        for warp in 0..trace.warps() {
            if trace.sm(warp) == sm {
                self.add(warp as u32, 0, trace.requests(warp) as u32);
            }
        }
        self.plant();
    }

    /// The next request of the warps, if any is left.
    pub(super) fn draw_of_warps(&mut self, random: &mut Generator, trace: &(impl Trace + ?Sized)) -> Option<Request> {
        let stream = self.draw(random)?;
        let slot = self.slots.get_mut(stream)?;
        let warp = slot.source as usize;
        let request = trace.request(warp, slot.next as usize);
        slot.next += 1;
        let is_last = slot.next as usize >= trace.requests(warp);
        self.drawn(stream, is_last);
        Some(request)
    }

    /// Puts a request into the SM's out queue.
    pub(super) fn queue(&mut self, request: Request) {
        if let Some(slot) = self.slots.get_mut(self.queued) {
            slot.address = request.address;
            slot.what = u32::from(request.site) | u32::from(request.store) << 16;
            self.queued += 1;
        }
    }

    /// The SM's out queue is complete.
    pub(super) fn end_of_sm(&mut self) {
        if let Some(end) = self.ends.get_mut(self.sms) {
            *end = self.queued as u32;
            self.sms += 1;
        }
    }

    /// The streams of the SMs' out queues.
    pub(super) fn of_sms(&mut self, sms: u32) {
        self.begin();
        let (mut start, ends) = (0, self.ends);
        for &end in ends.iter().take(sms as usize) {
            self.add(end, start, end - start);
            start = end;
        }
        self.plant();
    }

    /// The next request of the out queues, if any is left.
    pub(super) fn draw_of_sms(&mut self, random: &mut Generator) -> Option<Request> {
        let stream = self.draw(random)?;
        let slot = self.slots.get_mut(stream)?;
        let at = slot.next as usize;
        slot.next += 1;
        let is_last = slot.next == slot.source;
        let queued = self.slots.get(at)?;
        let request =
            Request { address: queued.address, site: SiteId(queued.what as u16), store: queued.what >> 16 != 0 };
        self.drawn(stream, is_last);
        Some(request)
    }

    fn begin(&mut self) {
        (self.count, self.weight) = (0, 0);
    }

    /// One more stream, of so many requests; none if it has none.
    fn add(&mut self, source: u32, next: u32, requests: u32) {
        if requests == 0 {
            return;
        }
        let weight = match self.pick {
            Order::UniformWarp => 1,
            Order::Weighted => requests,
        };
        if let Some(slot) = self.slots.get_mut(self.count) {
            (slot.source, slot.next, slot.sum) = (source, next, weight);
            self.count += 1;
            self.weight += weight;
        }
    }

    /// Makes a sum tree of the streams' weights: node i, counted from 1, holds those of the last `lowest set bit of i` streams up to i.
    fn plant(&mut self) {
        for i in 1..=self.count {
            let parent = i + (i & i.wrapping_neg());
            let sum = self.slots.get(i - 1).map_or(0, |slot| slot.sum);
            if parent <= self.count
                && let Some(slot) = self.slots.get_mut(parent - 1)
            {
                slot.sum += sum;
            }
        }
    }

    /// The stream that a draw falls on. One is made even if there is no choice.
    fn draw(&mut self, random: &mut Generator) -> Option<usize> {
        if self.weight == 0 {
            return None;
        }
        // It is below the weight, which has 32 bits.
        let mut left = random.below(self.weight.into()) as u32;
        let mut before = 0;
        let mut step = (self.count + 1).next_power_of_two();
        while step > 0 {
            if let Some(slot) = self.slots.get(before + step - 1).filter(|_| before + step <= self.count)
                && slot.sum <= left
            {
                left -= slot.sum;
                before += step;
            }
            step /= 2;
        }
        Some(before)
    }

    /// A request of a stream was taken.
    fn drawn(&mut self, stream: usize, is_last: bool) {
        if self.pick == Order::UniformWarp && !is_last {
            return;
        }
        self.weight -= 1;
        let mut i = stream + 1;
        while i <= self.count {
            if let Some(slot) = self.slots.get_mut(i - 1) {
                slot.sum -= 1;
            }
            i += i & i.wrapping_neg();
        }
    }
}
