//! What of launches and TBs has to be known until their last TB has ended: names, parents, and whether a TB is the first.

use gpusched_refgpu::timeline::{Launch, LaunchKind, Tb};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A kernel or group with TBs that have not ended.
pub struct Launched {
    name: Arc<str>,
    /// Its host stream; `None` for what a TB launched.
    pub stream: Option<u32>,
    /// TBs that have not ended.
    pub left: u64,
    /// Cycle of the launch call.
    pub called: u64,
    /// When the scheduler saw it first.
    pub visible: Option<u64>,
    /// The launch and the number in it of the TB that called.
    pub parent: Option<(u32, u32)>,
    has_started: bool,
}

/// Everything that has not ended.
pub struct Launches {
    workload: Arc<str>,
    known: BTreeMap<u32, Launched>,
    running: BTreeMap<u32, Tb>,
}

impl Launches {
    pub fn new(workload: &str) -> Self {
        Self { workload: workload.into(), known: BTreeMap::new(), running: BTreeMap::new() }
    }

    /// TBs of a launch.
    pub fn tbs(launch: &Launch) -> u64 {
        let grid = launch.kernel.grid;
        [grid.x, grid.y, grid.z].into_iter().map(u64::from).product()
    }

    /// A launch; the SM and slot of the TB that called, if one did.
    pub fn launch(&mut self, number: u32, launch: &Launch, name: Option<&str>) -> Option<(u16, u8)> {
        let parent = launch.parent.and_then(|parent| self.running.get(&parent)).copied();
        let name = match (name, launch.kind) {
            (Some(name), _) => name.into(),
            (None, LaunchKind::Host) => Arc::clone(&self.workload),
            // Children of children are called as children.
            (None, LaunchKind::Device) => {
                match parent.map_or_else(|| Arc::clone(&self.workload), |tb| self.name(tb.launch)) {
                    name if name.ends_with(CHILD) => name,
                    name => format!("{name}{CHILD}").into(),
                }
            }
        };
        let known = Launched {
            name,
            stream: (launch.kind == LaunchKind::Host).then_some(launch.stream),
            left: Self::tbs(launch),
            called: launch.called,
            visible: None,
            parent: parent.map(|tb| (tb.launch, tb.blkid)),
            has_started: false,
        };
        self.known.insert(number, known);
        parent.map(|tb| (tb.sm, tb.slot))
    }

    /// The scheduler sees a launch. One that comes back from a suspension has been seen.
    pub fn visible(&mut self, number: u32, at: u64) {
        if let Some(known) = self.known.get_mut(&number) {
            known.visible.get_or_insert(at);
        }
    }

    /// A TB starts; whether it is the first of its launch.
    pub fn start(&mut self, number: u32, tb: &Tb) -> bool {
        self.running.insert(number, *tb);
        self.known.get_mut(&tb.launch).is_some_and(|known| !std::mem::replace(&mut known.has_started, true))
    }

    /// A TB ends, or leaves its SM for a while.
    pub fn end(&mut self, number: u32, saved: bool) {
        let Some(tb) = self.running.remove(&number) else { return };
        if let Some(known) = self.known.get_mut(&tb.launch).filter(|_| !saved) {
            known.left = known.left.saturating_sub(1);
            if known.left == 0 {
                self.known.remove(&tb.launch);
            }
        }
    }

    /// What is known of a launch.
    pub fn get(&self, number: u32) -> Option<&Launched> {
        self.known.get(&number)
    }

    /// The name of a launch.
    pub fn name(&self, number: u32) -> Arc<str> {
        Arc::clone(self.known.get(&number).map_or(&self.workload, |known| &known.name))
    }
}

/// Behind the name of what a TB launched.
const CHILD: &str = " child";
