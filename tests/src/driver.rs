//! Four ways to drive a front end as a host does, for measurements: what the C ABI adds is what [`ThroughC`] costs more than
//! [`Recording`], which does the same work without it.

use std::hint::black_box;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

use gpusched::seam::FcfsRr;
use gpusched::{
    ClassId, Config, Cycle, Decided, Decision, Descriptor, FrontEnd, GroupLaunch, InlineTables, Probe, RowSource,
    Sched, SliceTables, SlotId, SmxId, SmxSet, TableSet, TableSizes, Tables,
};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::convert::ToC;
use gpusched_abi::decision::{Sink, gpusched_decision};
use gpusched_abi::frontend::*;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::status::gpusched_status;

/// SMXs of the machines of which all are closed to a class.
const N_SMX: u16 = 13;
/// The parent of all launches stays in this slot.
const PARENT: (SmxId, SlotId) = (SmxId(0), SlotId(0));

/// A host's calls; all of them must succeed.
#[allow(
    clippy::missing_panics_doc,
    reason = "each panics if the machine refuses, so that nothing else is ever measured"
)]
pub trait Driver {
    /// A machine of this configuration.
    fn new(config: &Config) -> Self;
    /// Launches a kernel that is retained.
    fn launch_parent(&mut self, stream: u32, kernel: &Descriptor);
    /// Closes all SMXs to kernels of this entry, by a class of their own.
    fn close(&mut self, class: ClassId, pc: u64);
    /// Launches kernels from slot 0 of SMX 0.
    fn launch_kernels(&mut self, kernels: &[Descriptor]);
    /// Launches groups from slot 0 of SMX 0.
    fn launch_groups(&mut self, groups: &[GroupLaunch]);
    /// Carries out a cycle; where it put a TB, if it did.
    fn tick(&mut self) -> Option<(SmxId, SlotId)>;
    /// Carries out a cycle in which the host decides: the first offer goes to the first SMX that is open to it, round robin. Where it put a
    /// TB, if it did.
    fn decide(&mut self) -> Option<(SmxId, SlotId)>;
    /// Ends a TB.
    fn tb_done(&mut self, smx: SmxId, slot: SlotId);
    /// Launch records in use.
    fn records_in_use(&self) -> u32;
}

/// The host's own round robin.
struct Turn {
    next: SmxId,
    n_smx: u16,
}

impl Turn {
    fn of(config: &Config) -> Self {
        Self { next: SmxId(0), n_smx: config.n_smx as u16 }
    }

    /// The first SMX of a set, from the one whose turn it is.
    fn take(&mut self, open: &SmxSet) -> Option<SmxId> {
        let smx = open.first_from(self.next, open, &SmxSet::EMPTY)?;
        self.next = SmxId(if smx.0 + 1 < self.n_smx { smx.0 + 1 } else { 0 });
        Some(smx)
    }
}

/// A cycle in which a host in Rust decides.
fn decide<T: Tables>(gpu: &mut FrontEnd<T>, turn: &mut Turn, probe: &mut impl Probe) -> Option<(SmxId, SlotId)> {
    gpu.begin(probe).expect("time is short");
    let first = gpu.offers().expect("it was begun").next();
    let choice = first.and_then(|offer| Some((offer.id, turn.take(&offer.open)?)));
    let tb = choice.map(|(id, smx)| gpu.send(id, smx, probe).expect("the SMX is open"));
    gpu.end(None, probe).expect("it was begun");
    tb.map(|tb| (tb.smx, tb.slot))
}

/// Rust, with tables inside the machine, and decisions ignored.
pub struct Plain<T: InlineTables>(FrontEnd<T>, Turn);

impl<T: InlineTables> Driver for Plain<T> {
    fn new(config: &Config) -> Self {
        Self(FrontEnd::new(config).expect("the configuration fits the home"), Turn::of(config))
    }

    fn launch_parent(&mut self, stream: u32, kernel: &Descriptor) {
        self.0.host_launch(stream, kernel, true).expect("the queue has room");
    }

    fn close(&mut self, class: ClassId, pc: u64) {
        close(&mut self.0, class, pc);
    }

    fn launch_kernels(&mut self, kernels: &[Descriptor]) {
        let done = self.0.device_launch(PARENT.0, PARENT.1, kernels);
        assert!(done.is_ok(), "{done:?}");
    }

    fn launch_groups(&mut self, groups: &[GroupLaunch]) {
        let done = self.0.agg_launch(PARENT.0, PARENT.1, groups);
        assert!(done.is_ok(), "{done:?}");
    }

    fn tick(&mut self) -> Option<(SmxId, SlotId)> {
        match self.0.tick(&mut ()).expect("time is short").sched {
            Sched::Tb(tb) => Some((tb.smx, tb.slot)),
            _ => None,
        }
    }

    fn decide(&mut self) -> Option<(SmxId, SlotId)> {
        decide(&mut self.0, &mut self.1, &mut ())
    }

    fn tb_done(&mut self, smx: SmxId, slot: SlotId) {
        self.0.tb_done(smx, slot, &mut ()).expect("the TB is resident");
    }

    fn records_in_use(&self) -> u32 {
        self.0.records_in_use()
    }
}

/// Rust, with a policy in Rust that is compiled into the machine, and decisions ignored.
pub struct Compiled<T: InlineTables>(Decided<T, FcfsRr>);

impl<T: InlineTables> Driver for Compiled<T> {
    fn new(config: &Config) -> Self {
        Self(Decided::new(config, FcfsRr::new(config)).expect("the configuration fits the home"))
    }

    fn launch_parent(&mut self, stream: u32, kernel: &Descriptor) {
        self.0.host_launch(stream, kernel, true).expect("the queue has room");
    }

    fn close(&mut self, _: ClassId, _: u64) {
        unreachable!("gates are LaPerm's");
    }

    fn launch_kernels(&mut self, kernels: &[Descriptor]) {
        let done = self.0.device_launch(PARENT.0, PARENT.1, kernels);
        assert!(done.is_ok(), "{done:?}");
    }

    fn launch_groups(&mut self, groups: &[GroupLaunch]) {
        let done = self.0.agg_launch(PARENT.0, PARENT.1, groups);
        assert!(done.is_ok(), "{done:?}");
    }

    fn tick(&mut self) -> Option<(SmxId, SlotId)> {
        match self.0.tick(&mut ()).expect("time is short").sched {
            Sched::Tb(tb) => Some((tb.smx, tb.slot)),
            _ => None,
        }
    }

    fn decide(&mut self) -> Option<(SmxId, SlotId)> {
        self.tick()
    }

    fn tb_done(&mut self, smx: SmxId, slot: SlotId) {
        self.0.tb_done(smx, slot, &mut ()).expect("the TB is resident");
    }

    fn records_in_use(&self) -> u32 {
        self.0.records_in_use()
    }
}

fn close<T: Tables>(gpu: &mut FrontEnd<T>, class: ClassId, pc: u64) {
    gpu.set_class(class, pc).expect("nobody else has the class");
    (0..N_SMX).for_each(|s| gpu.set_class_cap(class, SmxId(s), 0, 0).expect("there is such an SMX"));
}

/// The TB among the decisions of a cycle.
fn placed(decisions: &[gpusched_decision]) -> Option<(SmxId, SlotId)> {
    let tb = decisions.iter().find(|d| d.kind == gpusched_decision_kind::Tb as u8)?;
    Some((SmxId(tb.smx), SlotId(tb.slot)))
}

/// Tables that nobody frees.
struct Leaked;

impl RowSource<'static> for Leaked {
    fn rows<R: Default + 'static>(&mut self, n: usize) -> Option<&'static mut [R]> {
        Some(std::iter::repeat_with(R::default).take(n).collect::<Vec<R>>().leak())
    }
}

/// The queue of C for the machines of Rust only, so that the compiler makes them a copy of the core of their own.
struct Queue(Sink);

impl Probe for Queue {
    #[inline(always)]
    fn decide(&mut self, at: Cycle, decision: Decision) {
        self.0.decide(at, decision);
    }
}

/// Rust, with tables in slices, and decisions written as the records of C: all that is behind the C ABI, and nothing of it.
pub struct Recording {
    gpu: FrontEnd<SliceTables<'static>>,
    queue: Queue,
    turn: Turn,
}

impl Driver for Recording {
    fn new(config: &Config) -> Self {
        let tables = TableSet::take_from(&mut Leaked, &TableSizes::of(config)).expect("memory does not end");
        let queue = Leaked.rows(config.decisions_per_call()).expect("memory does not end");
        Self {
            gpu: FrontEnd::with_tables(config, tables).expect("the tables have their size"),
            queue: Queue(Sink::new(queue)),
            turn: Turn::of(config),
        }
    }

    fn launch_parent(&mut self, stream: u32, kernel: &Descriptor) {
        self.gpu.host_launch(stream, kernel, true).expect("the queue has room");
    }

    fn close(&mut self, class: ClassId, pc: u64) {
        close(&mut self.gpu, class, pc);
    }

    fn launch_kernels(&mut self, kernels: &[Descriptor]) {
        let done = self.gpu.device_launch(PARENT.0, PARENT.1, kernels);
        assert!(done.is_ok(), "{done:?}");
    }

    fn launch_groups(&mut self, groups: &[GroupLaunch]) {
        let done = self.gpu.agg_launch(PARENT.0, PARENT.1, groups);
        assert!(done.is_ok(), "{done:?}");
    }

    fn tick(&mut self) -> Option<(SmxId, SlotId)> {
        self.gpu.tick(&mut self.queue).expect("time is short");
        let tb = placed(self.queue.0.unread());
        self.queue.0.take_all();
        tb
    }

    fn decide(&mut self) -> Option<(SmxId, SlotId)> {
        decide(&mut self.gpu, &mut self.turn, &mut self.queue);
        let tb = placed(self.queue.0.unread());
        self.queue.0.take_all();
        tb
    }

    fn tb_done(&mut self, smx: SmxId, slot: SlotId) {
        self.gpu.tb_done(smx, slot, &mut self.queue).expect("the TB is resident");
    }

    fn records_in_use(&self) -> u32 {
        self.gpu.records_in_use()
    }
}

/// The C ABI. Its functions are called through pointers that the compiler does not see through, as a C program would.
pub struct ThroughC {
    gpu: *mut gpusched_frontend,
    calls: Calls,
    turn: Turn,
}

type Offers = unsafe extern "C" fn(
    *const gpusched_frontend,
    u32,
    u32,
    *mut gpusched_offer,
    usize,
    *mut usize,
    *mut u32,
) -> gpusched_status;

#[derive(Clone, Copy)]
struct Calls {
    begin: unsafe extern "C" fn(*mut gpusched_frontend, *mut u32) -> gpusched_status,
    offers: Offers,
    send: unsafe extern "C" fn(*mut gpusched_frontend, u32, u32, *mut gpusched_placement) -> gpusched_status,
    end: unsafe extern "C" fn(*mut gpusched_frontend, *const u64, *mut u32) -> gpusched_status,
    tick: unsafe extern "C" fn(*mut gpusched_frontend, *mut gpusched_tick) -> gpusched_status,
    take: unsafe extern "C" fn(*mut gpusched_frontend, *mut *const gpusched_decision, *mut usize) -> gpusched_status,
    tb_done: unsafe extern "C" fn(*mut gpusched_frontend, u32, u32) -> gpusched_status,
    device_launch: unsafe extern "C" fn(
        *mut gpusched_frontend,
        u32,
        u32,
        *const gpusched_kernel,
        usize,
        *mut u32,
    ) -> gpusched_status,
    agg_launch: unsafe extern "C" fn(
        *mut gpusched_frontend,
        u32,
        u32,
        *const gpusched_group,
        usize,
        *mut u32,
    ) -> gpusched_status,
}

#[allow(unsafe_code, reason = "calls C functions with pointers to live values")]
impl Driver for ThroughC {
    fn new(config: &Config) -> Self {
        let mut c = MaybeUninit::<gpusched_frontend_config>::uninit();
        let mut layout = gpusched_layout::default();
        let mut gpu = ptr::null_mut();
        // SAFETY: all pointers lead to values that live through the calls; the storage is never freed.
        unsafe {
            let size = size_of::<gpusched_frontend_config>();
            ok(gpusched_frontend_config_init(c.as_mut_ptr(), size, gpusched_gpu::K20c as u32));
            let c = c.assume_init_mut();
            (c.lat_stream, c.gpb_b, c.gpb_a) = (config.lat_stream, config.gpb_b, config.gpb_a);
            (c.ld_b, c.ld_a, c.lat_dispatch) = (config.ld_b, config.ld_a, config.lat_dispatch);
            (c.kde_scan, c.agt_probe, c.kmu_interval) = (config.kde_scan, config.agt_probe, config.kmu_interval);
            c.policy = config.policy.to_c();
            (c.n_smx, c.pend_limit) = (config.n_smx, config.pend_limit);
            ok(gpusched_frontend_layout(c, &mut layout));
            let storage = vec![0u64; layout.size.div_ceil(8)].leak();
            ok(gpusched_frontend_init(storage.as_mut_ptr().cast(), layout.size, c, &mut gpu));
        }
        let calls = Calls {
            begin: gpusched_frontend_begin,
            offers: gpusched_frontend_offers,
            send: gpusched_frontend_send,
            end: gpusched_frontend_end,
            tick: gpusched_frontend_tick,
            take: gpusched_frontend_take,
            tb_done: gpusched_frontend_tb_done,
            device_launch: gpusched_frontend_device_launch,
            agg_launch: gpusched_frontend_agg_launch,
        };
        Self { gpu, calls: black_box(calls), turn: Turn::of(config) }
    }

    fn launch_parent(&mut self, stream: u32, kernel: &Descriptor) {
        let kernel = ptr::from_ref(kernel).cast();
        // SAFETY: as in `new`; a descriptor lies as C's kernel does.
        ok(unsafe { gpusched_frontend_host_launch(self.gpu, stream, kernel, 1, ptr::null_mut()) });
    }

    fn close(&mut self, class: ClassId, pc: u64) {
        // SAFETY: as in `new`.
        unsafe {
            ok(gpusched_frontend_set_class(self.gpu, class.into(), pc));
            (0..N_SMX.into()).for_each(|s| ok(gpusched_frontend_set_class_cap(self.gpu, class.into(), s, 0, 0)));
        }
    }

    fn launch_kernels(&mut self, kernels: &[Descriptor]) {
        let (first, count) = (kernels.as_ptr().cast(), kernels.len());
        // SAFETY: as in `launch_parent`.
        ok(unsafe { (self.calls.device_launch)(self.gpu, 0, 0, first, count, ptr::null_mut()) });
    }

    fn launch_groups(&mut self, groups: &[GroupLaunch]) {
        let (first, count) = (groups.as_ptr().cast(), groups.len());
        // SAFETY: as in `launch_parent`.
        ok(unsafe { (self.calls.agg_launch)(self.gpu, 0, 0, first, count, ptr::null_mut()) });
    }

    fn tick(&mut self) -> Option<(SmxId, SlotId)> {
        let (mut first, mut count) = (ptr::null(), 0);
        // SAFETY: as in `new`.
        unsafe {
            ok((self.calls.tick)(self.gpu, ptr::null_mut()));
            ok((self.calls.take)(self.gpu, &mut first, &mut count));
            placed(std::slice::from_raw_parts(first, count))
        }
    }

    fn decide(&mut self) -> Option<(SmxId, SlotId)> {
        let (mut first, mut count) = (ptr::null(), 0);
        let mut offer = MaybeUninit::<gpusched_offer>::uninit();
        let none = GPUSCHED_NONE;
        // SAFETY: as in `new`; an offer that is counted was written.
        unsafe {
            ok((self.calls.begin)(self.gpu, ptr::null_mut()));
            ok((self.calls.offers)(self.gpu, none, none, offer.as_mut_ptr(), 1, &mut count, ptr::null_mut()));
            if count > 0 {
                let offer = offer.assume_init_ref();
                if let Some(smx) = self.turn.take(&SmxSet::from_words(offer.open.words)) {
                    ok((self.calls.send)(self.gpu, offer.id, smx.0.into(), ptr::null_mut()));
                }
            }
            ok((self.calls.end)(self.gpu, ptr::null(), ptr::null_mut()));
            ok((self.calls.take)(self.gpu, &mut first, &mut count));
            placed(std::slice::from_raw_parts(first, count))
        }
    }

    fn tb_done(&mut self, smx: SmxId, slot: SlotId) {
        // SAFETY: as in `new`.
        ok(unsafe { (self.calls.tb_done)(self.gpu, smx.0.into(), slot.0.into()) });
    }

    fn records_in_use(&self) -> u32 {
        let mut count = 0;
        // SAFETY: as in `new`.
        ok(unsafe { gpusched_frontend_records_in_use(self.gpu, &mut count) });
        count
    }
}

fn ok(status: gpusched_status) {
    assert_eq!(status, gpusched_status::Ok);
}
