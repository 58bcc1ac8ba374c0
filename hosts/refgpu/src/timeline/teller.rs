//! Numbers launches and TBs, finds out which TB launched what, and tells those who want to know: the run's own log of TBs, and whoever
//! observes the run. The machine drives it, if anybody listens; what is kept is what is in flight.

use std::collections::BTreeMap;

use gpusched::Descriptor;
use gpusched::laperm::Stage;

use super::events::{Event, Observer};
use super::tbs::{Launch, LaunchKind, Tb, TbLog, Visible};
use crate::front::{Arrival, Depths, Placed};
use crate::program::TbContext;
use crate::sm::Outbox;

/// Those who listen to a run.
pub(crate) struct Listeners<'a> {
    /// The run's own log.
    pub log: &'a mut TbLog,
    /// Whoever observes the run.
    pub observer: Option<&'a mut dyn Observer>,
}

impl Observer for Listeners<'_> {
    fn event(&mut self, at: u64, event: Event<'_>) {
        if self.log.is_on() {
            self.log.event(at, event);
        }
        if let Some(observer) = &mut self.observer {
            observer.event(at, event);
        }
    }
}

/// Who is who in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Teller {
    is_on: bool,
    launches: u32,
    tbs: u32,
    /// The TB in each slot, by SM and slot, with its number.
    running: BTreeMap<(u16, u8), (u32, Tb)>,
    /// The last launch with each tag. Workloads use the tag of a child again when the child has ended.
    by_tag: BTreeMap<u64, u32>,
    depths: Depths,
}

impl Teller {
    /// Somebody listens.
    pub fn turn_on(&mut self) {
        self.is_on = true;
    }

    /// Whether anybody listens.
    #[inline]
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// What SMs report of cycle `now`: launch calls, and TBs that ended.
    pub fn observe(&mut self, now: u64, out: &Outbox, to: &mut dyn Observer) {
        for call in &out.launches {
            call.lanes.iter().for_each(|lane| self.device_launch(now, call.sm, call.slot, &lane.descriptor, to));
        }
        out.ended.iter().for_each(|ended| self.end(now, (ended.sm, ended.slot), false, to));
    }

    /// The host launches this kernel on this stream.
    pub fn host_launch(
        &mut self,
        now: u64,
        stream: u32,
        kernel: &Descriptor,
        name: Option<&str>,
        to: &mut dyn Observer,
    ) {
        let launch = Launch { kernel: *kernel, kind: LaunchKind::Host, stream, called: now, parent: None };
        self.launch(&launch, name, to);
    }

    /// The TB in this slot launches this kernel or group. Tags of launches that have TBs to start are different.
    fn device_launch(&mut self, now: u64, sm: u16, slot: u8, kernel: &Descriptor, to: &mut dyn Observer) {
        let parent = self.running.get(&(sm, slot)).map(|(number, _)| *number);
        self.launch(&Launch { kernel: *kernel, kind: LaunchKind::Device, stream: 0, called: now, parent }, None, to);
    }

    fn launch(&mut self, launch: &Launch, name: Option<&str>, to: &mut dyn Observer) {
        let number = self.launches;
        self.launches += 1;
        self.by_tag.insert(launch.kernel.tag, number);
        to.event(launch.called, Event::Launch { number, launch, name });
    }

    /// The scheduler sees what it did not see before.
    pub fn arrive(&self, arrival: &Arrival, to: &mut dyn Observer) {
        let &Arrival { at, tag, kde, group } = arrival;
        if let Some(&launch) = self.by_tag.get(&tag) {
            to.event(at, Event::Visible(Visible { at, launch, kde, group }));
        }
    }

    /// A TB starts.
    pub fn start(&mut self, now: u64, tb: &Placed, to: &mut dyn Observer) {
        let Placed { sm, slot, context: TbContext { tag, blkid, threads }, stage, .. } = *tb;
        let launch = self.by_tag.get(&tag).copied().unwrap_or_default();
        let taken = stage == Some(Stage::Backup);
        let (number, tb) = (self.tbs, Tb { launch, blkid, threads, sm, slot, taken, start: now, end: None });
        self.tbs += 1;
        self.running.insert((sm, slot), (number, tb));
        to.event(now, Event::Start { number, tb: &tb });
    }

    /// The TB in this slot of an SM ends, or is taken off it.
    pub fn end(&mut self, now: u64, place: (u16, u8), saved: bool, to: &mut dyn Observer) {
        if let Some((number, tb)) = self.running.remove(&place) {
            to.event(now, Event::End { number, tb: &Tb { end: Some(now), ..tb }, saved });
        }
    }

    /// What the front end holds in cycle `now`.
    pub fn depths(&mut self, now: u64, depths: Depths, to: &mut dyn Observer) {
        if depths != self.depths {
            self.depths = depths;
            to.event(now, Event::Depths(depths));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::{GroupRef, KernelSlot, RecordId};

    #[test]
    fn children_name_the_tb_that_launched_them_even_where_tags_are_used_again() {
        let tb = |sm, slot, tag, blkid| {
            let context = TbContext { tag, blkid, threads: 32 };
            Placed {
                sm,
                slot,
                context,
                pc: 0,
                unit: 0,
                child: tag > 0,
                bypass: false,
                stage: (tag > 0).then_some(Stage::Backup),
                cluster: None,
                restored: None,
            }
        };
        let kernel = |tag| Descriptor { tag, ..Descriptor::default() };
        let (mut teller, mut log) = (Teller::default(), TbLog::new(3));
        teller.host_launch(0, 0, &kernel(0), None, &mut log);
        teller.arrive(&Arrival { at: 9, tag: 0, kde: KernelSlot(3), group: None }, &mut log);
        teller.start(10, &tb(0, 0, 0, 0), &mut log);
        teller.device_launch(20, 0, 0, &kernel(5), &mut log);
        teller.start(30, &tb(1, 2, 5, 0), &mut log);
        teller.end(40, (1, 2), false, &mut log);
        teller.device_launch(50, 0, 0, &kernel(5), &mut log);
        let group = Some(GroupRef::Unit(RecordId(7)));
        teller.arrive(&Arrival { at: 55, tag: 5, kde: KernelSlot(3), group }, &mut log);
        assert!(!log.is_full());
        teller.start(60, &tb(1, 2, 5, 0), &mut log);
        assert!(log.is_full());
        let ends: Vec<_> = log.tbs().iter().map(|tb| (tb.launch, tb.start, tb.end)).collect();
        assert_eq!(ends, [(0, 10, None), (1, 30, Some(40)), (2, 60, None)]);
        assert_eq!(log.tbs().iter().map(|tb| tb.taken).collect::<Vec<_>>(), [false, true, true]);
        let visible = |at, launch, group| Visible { at, launch, kde: KernelSlot(3), group };
        assert_eq!(log.visible(), [visible(9, 0, None), visible(55, 2, group)]);
        assert_eq!(log.launches().iter().map(|l| l.parent).collect::<Vec<_>>(), [None, Some(0), Some(0)]);
    }
}
