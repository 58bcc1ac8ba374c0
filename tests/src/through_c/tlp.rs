//! The units of `tlp` as a C program has them.

use gpusched::tlp::{
    Action, Attached, Category, Detached, Dispatch, Finished, History, HistoryRule, Job, KernelCode, KernelId,
    KernelType, Learn, Load, Metrics, Mode, Next, Order, Overridden, Pending, Phase, Picked, Pipe, Placed, Pref,
    Proposal, PuhpTie, Reported, ResidentTb, Sampled, Sent, SentTb, Sharer, SharerTbEnded, SmcPhase, SoloTlp, Stall,
    StallNorm, StaticTlp, Submitted, TbNeeds, TlpConfig, UpUp,
};
use gpusched::{Cycle, Fault, SlotId, SmxId};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::sm::{build::*, gpusched_tlp_sm, image::*, query::*, verbs::*};
use gpusched_abi::tlp::{config::*, fit::*, leftover::*, pool::*, records::*, smart_even::*, smc::*};

use super::config::{code, field, fields};
use super::look::{expect, unless};
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, number, one_of, time};
use crate::equalizer::Machine;
use crate::tlp::{Answer, Event, Kind, SmView, View};

const PUHP_TIE: [(u32, PuhpTie); 2] =
    [(gpusched_tlp_puhp_tie::Hold as u32, PuhpTie::Hold), (gpusched_tlp_puhp_tie::Grow0 as u32, PuhpTie::Grow0)];
const HIS_RULE: [(u32, HistoryRule); 2] = [
    (gpusched_tlp_history_rule::Ewma as u32, HistoryRule::Ewma),
    (gpusched_tlp_history_rule::Mean as u32, HistoryRule::Mean),
];
const ORDER: [(u32, Order); 2] = [
    (gpusched_tlp_order::Concurrent as u32, Order::Concurrent),
    (gpusched_tlp_order::BypassFirst as u32, Order::BypassFirst),
];
const STALL_NORM: [(u32, StallNorm); 2] = [
    (gpusched_tlp_stall_norm::Raw as u32, StallNorm::Raw),
    (gpusched_tlp_stall_norm::PerCycle as u32, StallNorm::PerCycle),
];
const SOLO: [(u32, SoloTlp); 2] =
    [(gpusched_tlp_solo::Max as u32, SoloTlp::Max), (gpusched_tlp_solo::Opt as u32, SoloTlp::Opt)];
const UPUP: [(u32, UpUp); 2] =
    [(gpusched_tlp_upup::Leftover as u32, UpUp::Leftover), (gpusched_tlp_upup::Half as u32, UpUp::Half)];
const TYPE: [(u32, KernelType); 3] = [
    (gpusched_tlp_type::Down as u32, KernelType::Down),
    (gpusched_tlp_type::Optimal as u32, KernelType::Optimal),
    (gpusched_tlp_type::Up as u32, KernelType::Up),
];
const PREF: [(u32, Pref); 2] =
    [(gpusched_tlp_pref::Compute as u32, Pref::Compute), (gpusched_tlp_pref::Memory as u32, Pref::Memory)];
const MODE: [(u32, Mode); 4] = [
    (gpusched_tlp_mode::Idle as u32, Mode::Idle),
    (gpusched_tlp_mode::Solo as u32, Mode::Solo),
    (gpusched_tlp_mode::Pair as u32, Mode::Pair),
    (gpusched_tlp_mode::Leftover as u32, Mode::Leftover),
];
const PHASE: [(u32, Phase); 3] = [
    (gpusched_tlp_phase::Waiting as u32, Phase::Waiting),
    (gpusched_tlp_phase::Sampling as u32, Phase::Sampling),
    (gpusched_tlp_phase::Await as u32, Phase::Await),
];
const LEARN: [(u32, Learn); 6] = [
    (gpusched_tlp_learn::Off as u32, Learn::Off),
    (gpusched_tlp_learn::S1 as u32, Learn::S1),
    (gpusched_tlp_learn::S2 as u32, Learn::S2),
    (gpusched_tlp_learn::S3 as u32, Learn::S3),
    (gpusched_tlp_learn::S4 as u32, Learn::S4),
    (gpusched_tlp_learn::Done as u32, Learn::Done),
];
const PIPE: [(u32, Pipe); 2] = [(gpusched_tlp_pipe::Sp as u32, Pipe::Sp), (gpusched_tlp_pipe::Ldst as u32, Pipe::Ldst)];
const ACTION: [(u32, Action); 9] = [
    (gpusched_tlp_action::Void as u32, Action::Void),
    (gpusched_tlp_action::Off as u32, Action::Off),
    (gpusched_tlp_action::Frozen as u32, Action::Frozen),
    (gpusched_tlp_action::First as u32, Action::First),
    (gpusched_tlp_action::Hold as u32, Action::Hold),
    (gpusched_tlp_action::Tie as u32, Action::Tie),
    (gpusched_tlp_action::NoWork as u32, Action::NoWork),
    (gpusched_tlp_action::Blocked as u32, Action::Blocked),
    (gpusched_tlp_action::Moved as u32, Action::Moved),
];
const STALL: [(u32, Stall); 4] = [
    (gpusched_tlp_stall::Idle as u32, Stall::Idle),
    (gpusched_tlp_stall::AtTarget as u32, Stall::AtTarget),
    (gpusched_tlp_stall::NoWork as u32, Stall::NoWork),
    (gpusched_tlp_stall::NoRoom as u32, Stall::NoRoom),
];
const SMC_PHASE: [(u32, SmcPhase); 7] = [
    (gpusched_tlp_smc_phase::Idle as u32, SmcPhase::Idle),
    (gpusched_tlp_smc_phase::Base as u32, SmcPhase::Base),
    (gpusched_tlp_smc_phase::B0 as u32, SmcPhase::B0),
    (gpusched_tlp_smc_phase::B1 as u32, SmcPhase::B1),
    (gpusched_tlp_smc_phase::More as u32, SmcPhase::More),
    (gpusched_tlp_smc_phase::EvenMore as u32, SmcPhase::EvenMore),
    (gpusched_tlp_smc_phase::Less as u32, SmcPhase::Less),
];

fields! {
    gpusched_tlp_config: put, get = TlpConfig;
    numbers
    threads regs smem slots sms tlp_cap tol_permille grow_step min_tlp his_shift sp_units ldst_units op_cycles pool_cap qcap;
    choices
    puhp_tie PUHP_TIE
    his_rule HIS_RULE
    order ORDER
    stall_norm STALL_NORM
    solo_tlp SOLO
    upup UPUP;
    flags
    hold_on_equal dynamic bypass wait_by avoid_upup idle_only smart
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &TlpConfig) -> gpusched_tlp_config {
    let mut c = gpusched_tlp_config { struct_size: size_of::<gpusched_tlp_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

// ---- records

/// What a TB needs, as a C program has it.
#[must_use]
pub fn c_needs(&TbNeeds { threads, regs, smem }: &TbNeeds) -> gpusched_tlp_needs {
    gpusched_tlp_needs { threads, regs, smem }
}

fn needs(&gpusched_tlp_needs { threads, regs, smem }: &gpusched_tlp_needs) -> TbNeeds {
    TbNeeds { threads, regs, smem }
}

/// A kernel as a C program has it.
#[must_use]
pub fn c_kernel(&KernelCode { needs, kind, opt }: &KernelCode) -> gpusched_tlp_kernel {
    gpusched_tlp_kernel { needs: c_needs(&needs), category: gpusched_tlp_category { kind, opt } }
}

fn id(number: u32) -> KernelId {
    KernelId(narrow(number))
}

fn dispatched(c: &gpusched_tlp_dispatched) -> Dispatch {
    let &gpusched_tlp_dispatched { stall, slot, k, bypass } = c;
    if stall == gpusched_tlp_stall::None as u32 {
        return Dispatch::Placed(Placed { slot: SlotId(narrow(slot)), k: id(k), bypass: flag(bypass) });
    }
    assert_eq!((number::<u8>(slot), number::<u8>(k), bypass), (None, None, 0));
    Dispatch::Stall(one_of(stall, &STALL))
}

fn sent(c: &gpusched_tlp_sent) -> Sent {
    let &gpusched_tlp_sent { stall, sm, k, tb } = c;
    if stall == gpusched_tlp_stall::None as u32 {
        return Sent::Tb(SentTb { sm: SmxId(narrow(sm)), k: id(k), tb });
    }
    assert_eq!((number::<u16>(sm), number::<u8>(k), number::<u32>(tb)), (None, None, None));
    let stalls = [(gpusched_tlp_stall::Empty as u32, Sent::Empty), (gpusched_tlp_stall::NoRoom as u32, Sent::NoRoom)];
    one_of(stall, &stalls)
}

fn proposal(&gpusched_tlp_proposal { sm, b }: &gpusched_tlp_proposal) -> Proposal {
    Proposal { sm, b }
}

/// Counters as a C program writes them.
#[must_use]
pub fn c_metrics(metrics: &Metrics) -> gpusched_tlp_metrics {
    let &Metrics { sp, ldst, stall_mem, stall_struct, avail } = metrics;
    gpusched_tlp_metrics { sp, ldst, stall_mem, stall_struct, avail: avail.map(u32::from) }
}

// ---- the units

/// A unit in a block, reached through C functions only.
pub struct Unit {
    config: TlpConfig,
    object: Objects,
}

enum Objects {
    Pure,
    TlpSm(Object<gpusched_tlp_sm>),
    Pool(Object<gpusched_tlp_pool>),
    LeftOver(Object<gpusched_tlp_leftover>),
    SmartEven(Object<gpusched_tlp_smart_even>),
    Smc(Object<gpusched_tlp_smc>),
}

/// An object of the type, which must tell the configuration that it was given.
macro_rules! build {
    ($given:expr, $layout:ident, $init:ident, $get_config:ident) => {{
        let object = Object::new(&$given, $layout, $init)?;
        let mut told = c_config(&TlpConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { $get_config(object.c(), &mut told, size_of_val(&$given)) };
        assert_eq!((status, told), (Status::Ok, $given));
        object
    }};
}

impl Unit {
    /// A unit of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(kind: Kind, config: &TlpConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = match kind {
            Kind::Pure => {
                // SAFETY: the configuration lives.
                done(unsafe { gpusched_tlp_config_check(&given, std::ptr::null_mut()) })?;
                Objects::Pure
            }
            Kind::TlpSm => {
                Objects::TlpSm(build!(given, gpusched_tlp_sm_layout, gpusched_tlp_sm_init, gpusched_tlp_sm_get_config))
            }
            Kind::Pool => Objects::Pool(build!(
                given,
                gpusched_tlp_pool_layout,
                gpusched_tlp_pool_init,
                gpusched_tlp_pool_get_config
            )),
            Kind::LeftOver => Objects::LeftOver(build!(
                given,
                gpusched_tlp_leftover_layout,
                gpusched_tlp_leftover_init,
                gpusched_tlp_leftover_get_config
            )),
            Kind::SmartEven => Objects::SmartEven(build!(
                given,
                gpusched_tlp_smart_even_layout,
                gpusched_tlp_smart_even_init,
                gpusched_tlp_smart_even_get_config
            )),
            Kind::Smc => {
                Objects::Smc(build!(given, gpusched_tlp_smc_layout, gpusched_tlp_smc_init, gpusched_tlp_smc_get_config))
            }
        };
        Ok(Self { config: *config, object })
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(match &self.object {
            Objects::Pure => Ok(Vec::new()),
            Objects::TlpSm(object) => object.image(gpusched_tlp_sm_save, gpusched_tlp_sm_image_size),
            Objects::Pool(object) => object.image(gpusched_tlp_pool_save, gpusched_tlp_pool_image_size),
            Objects::LeftOver(object) => object.image(gpusched_tlp_leftover_save, gpusched_tlp_leftover_image_size),
            Objects::SmartEven(object) => {
                object.image(gpusched_tlp_smart_even_save, gpusched_tlp_smart_even_image_size)
            }
            Objects::Smc(object) => object.image(gpusched_tlp_smc_save, gpusched_tlp_smc_image_size),
        })
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        match &mut self.object {
            Objects::Pure => Ok(()),
            Objects::TlpSm(object) => object.restore(gpusched_tlp_sm_restore, image),
            Objects::Pool(object) => object.restore(gpusched_tlp_pool_restore, image),
            Objects::LeftOver(object) => object.restore(gpusched_tlp_leftover_restore, image),
            Objects::SmartEven(object) => object.restore(gpusched_tlp_smart_even_restore, image),
            Objects::Smc(object) => object.restore(gpusched_tlp_smc_restore, image),
        }
    }

    /// The pointer that a C program has, if it is the machine of one SM.
    #[must_use]
    pub fn sm(&self) -> Option<*mut gpusched_tlp_sm> {
        let Objects::TlpSm(object) = &self.object else { return None };
        Some(object.c())
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If the event is of another unit.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        match &self.object {
            Objects::Pure => pure(&self.config, event),
            Objects::TlpSm(object) => on_sm(object.c(), event),
            Objects::Pool(object) => on_pool(object.c(), event),
            Objects::LeftOver(object) => on_leftover(object.c(), event),
            Objects::SmartEven(object) => on_smart_even(object, self.config.sms, event),
            Objects::Smc(object) => on_smc(object.c(), event),
        }
    }
}

fn foreign(event: &Event) -> ! {
    panic!("{event:?} is no event of this unit")
}

fn pure(config: &TlpConfig, event: &Event) -> Result<Answer, Status> {
    let config = &c_config(config);
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Categorise(ref profile) => {
                let mut c = gpusched_tlp_category::default();
                done(gpusched_tlp_categorise(config, profile.as_ptr(), profile.len(), &mut c))?;
                Answer::Category(Category { kind: one_of(c.kind, &TYPE), opt: narrow(c.opt) })
            }
            Event::Static { ref k0, ref k1, first } => {
                let mut c = gpusched_tlp_targets::default();
                done(gpusched_tlp_static(config, &c_kernel(k0), &c_kernel(k1), first, &mut c))?;
                Answer::Static(StaticTlp { tb: c.tb, mode: one_of(c.mode, &MODE), a: id(c.a) })
            }
            Event::Max(ref k) => {
                let mut most = 0;
                done(gpusched_tlp_max(config, &c_kernel(k), &mut most))?;
                Answer::Max(most)
            }
            Event::Remain { ref k, ref other, n } => {
                let mut room = 0;
                done(gpusched_tlp_remain(config, &c_kernel(k), &c_kernel(other), n, &mut room))?;
                Answer::Remain(room)
            }
            ref event => foreign(event),
        })
    }
}

fn on_sm(sm: *mut gpusched_tlp_sm, event: &Event) -> Result<Answer, Status> {
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Attach { now, k, ref kernel } => {
                let mut c = gpusched_tlp_attached::default();
                done(gpusched_tlp_sm_attach(sm, now.0, k, &c_kernel(kernel), &mut c))?;
                Answer::Attached(Attached { mode: one_of(c.mode, &MODE), tb: c.tb })
            }
            Event::Done { now, k } => {
                let mut c = gpusched_tlp_detached::default();
                done(gpusched_tlp_sm_done(sm, now.0, k, &mut c))?;
                Answer::Detached(Detached { mode: one_of(c.mode, &MODE), tb: c.tb, aborted: flag(c.aborted) })
            }
            Event::Dispatch { now, avail: [k0, k1] } => {
                let mut c = gpusched_tlp_dispatched::default();
                done(gpusched_tlp_sm_dispatch(sm, now.0, k0.into(), k1.into(), &mut c))?;
                Answer::Dispatch(dispatched(&c))
            }
            Event::Finish { now, slot } => {
                let mut c = gpusched_tlp_finished::default();
                done(gpusched_tlp_sm_finish(sm, now.0, slot, &mut c))?;
                let (bypass, period_end) = (flag(c.bypass), flag(c.period_end));
                Answer::Finished(Finished { k: id(c.k), bypass, period_end })
            }
            Event::Sample { now, ref metrics } => {
                let mut c = gpusched_tlp_sampled::default();
                done(gpusched_tlp_sm_sample(sm, now.0, &c_metrics(metrics), &mut c))?;
                Answer::Sampled(Sampled {
                    action: one_of(c.action, &ACTION),
                    critical: number(c.critical).map(|pipe: u32| one_of(pipe, &PIPE)),
                    grow: number(c.grow).map(KernelId),
                    tb: c.tb,
                    by: c.by,
                    learn: one_of(c.learn, &LEARN),
                    cost: c.cost,
                })
            }
            Event::Override { now, tb: [k0, k1] } => {
                let mut c = gpusched_tlp_overridden::default();
                done(gpusched_tlp_sm_override(sm, now.0, k0, k1, &mut c))?;
                Answer::Overridden(Overridden { aborted: flag(c.aborted), by: c.by })
            }
            ref event => foreign(event),
        })
    }
}

fn on_pool(pool: *mut gpusched_tlp_pool, event: &Event) -> Result<Answer, Status> {
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Add { kind, pref, ready } => {
                let (kind, pref, mut i) = (code(kind, &TYPE), code(pref, &PREF), 0);
                done(gpusched_tlp_pool_add(pool, kind, pref, ready.into(), &mut i))?;
                Answer::Added(id(i))
            }
            Event::Ready(i) => {
                done(gpusched_tlp_pool_ready(pool, i))?;
                Answer::Ready
            }
            Event::PickPair => {
                let mut c = gpusched_tlp_picked::default();
                done(gpusched_tlp_pool_pick_pair(pool, &mut c))?;
                let b = number(c.b).map(KernelId);
                let a = number(c.a).map(KernelId);
                assert!(a.is_some() || b.is_none());
                Answer::PickedPair(a.map(|a| Picked { a, b }))
            }
            Event::PickNext { kind, pref } => {
                let mut c = gpusched_tlp_next::default();
                done(gpusched_tlp_pool_pick_next(pool, code(kind, &TYPE), code(pref, &PREF), &mut c))?;
                let complementary = flag(c.complementary);
                Answer::PickedNext(number(c.i).map(|i| Next { i: KernelId(i), complementary }))
            }
            ref event => foreign(event),
        })
    }
}

fn on_leftover(gpu: *mut gpusched_tlp_leftover, event: &Event) -> Result<Answer, Status> {
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Submit { ref needs, n_tb } => {
                let mut k = 0;
                done(gpusched_tlp_leftover_submit(gpu, &c_needs(needs), n_tb, &mut k))?;
                Answer::Submitted(id(k))
            }
            Event::Send => {
                let mut c = gpusched_tlp_sent::default();
                done(gpusched_tlp_leftover_dispatch(gpu, &mut c))?;
                Answer::Sent(sent(&c))
            }
            Event::LeftOverFinish { sm, k } => {
                let mut last = 0;
                done(gpusched_tlp_leftover_finish(gpu, sm, k, &mut last))?;
                Answer::LeftOverFinished { done: flag(last) }
            }
            ref event => foreign(event),
        })
    }
}

fn owned(object: &Object<gpusched_tlp_smart_even>, sms: u32) -> Vec<gpusched_tlp_owned_sm> {
    assert_eq!(object.row(gpusched_tlp_smart_even_get_sm, sms).err(), Some(Status::BadSm));
    (0..sms).map(|sm| expect(object.row(gpusched_tlp_smart_even_get_sm, sm))).collect()
}

fn owners(object: &Object<gpusched_tlp_smart_even>, sms: u32) -> Vec<Option<KernelId>> {
    owned(object, sms).iter().map(|sm| number(sm.owner).map(KernelId)).collect()
}

fn on_smart_even(object: &Object<gpusched_tlp_smart_even>, sms: u32, event: &Event) -> Result<Answer, Status> {
    let gpu = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Share(ref jobs) => {
                let c = |job: &Job| gpusched_tlp_job { needs: c_needs(&job.needs), n_tb: job.n_tb };
                let jobs = jobs.iter().map(c).collect::<Vec<_>>();
                done(gpusched_tlp_smart_even_start(gpu, jobs.as_ptr(), jobs.len()))?;
                Answer::Owners(owners(object, sms))
            }
            Event::Send => {
                let mut c = gpusched_tlp_sent::default();
                done(gpusched_tlp_smart_even_dispatch(gpu, &mut c))?;
                Answer::Sent(sent(&c))
            }
            Event::SharerFinish(sm) => {
                let mut c = gpusched_tlp_sharer_ended::default();
                done(gpusched_tlp_smart_even_finish(gpu, sm, &mut c))?;
                let ended = SharerTbEnded { k: id(c.k), done: flag(c.done) };
                Answer::SharerFinished(ended, owners(object, sms))
            }
            ref event => foreign(event),
        })
    }
}

fn on_smc(search: *mut gpusched_tlp_smc, event: &Event) -> Result<Answer, Status> {
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Search([k0, k1]) => {
                let mut c = gpusched_tlp_proposal::default();
                done(gpusched_tlp_smc_start(search, k0, k1, &mut c))?;
                Answer::Proposed(proposal(&c))
            }
            Event::Report(perf) => {
                let mut c = gpusched_tlp_reported::default();
                done(gpusched_tlp_smc_report(search, perf, &mut c))?;
                Answer::Reported(Reported { proposal: proposal(&c.proposal), done: flag(c.done) })
            }
            ref event => foreign(event),
        })
    }
}

impl Machine for Unit {
    type Event = Event;
    type Answer = Answer;
    type View = View;
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let TlpConfig { slots, sms, pool_cap, qcap, .. } = self.config;
        match &self.object {
            Objects::Pure => View::Pure,
            Objects::TlpSm(object) => View::TlpSm(sm_view(object, slots)),
            Objects::Pool(object) => {
                let pending = |i| {
                    let c: gpusched_tlp_pending =
                        unless(Status::BadPoolIndex, object.row(gpusched_tlp_pool_get_pending, i))?;
                    let (kind, pref) = (one_of(c.kind, &TYPE), one_of(c.pref, &PREF));
                    Some(Pending { kind, pref, ready: flag(c.ready), seq: c.seq })
                };
                let entries = (0..pool_cap).map(pending).collect();
                View::Pool { entries, added: object.ask(gpusched_tlp_pool_added) }
            }
            Objects::LeftOver(object) => {
                let kernel = |k| {
                    let c: gpusched_tlp_submitted =
                        unless(Status::NotLive, object.row(gpusched_tlp_leftover_get_kernel, k))?;
                    let gpusched_tlp_submitted { seq, needs: ref of, n_tb, next, finished } = c;
                    Some(Submitted { needs: needs(of), n_tb, next, finished, seq })
                };
                let resident = |sm| {
                    (0..qcap).map(|k| expect(object.cell(gpusched_tlp_leftover_resident, sm, k))).collect::<Vec<u32>>()
                };
                let state: gpusched_tlp_leftover_state = object.ask(gpusched_tlp_leftover_get_state);
                View::LeftOver {
                    entries: (0..qcap).map(kernel).collect(),
                    resident: (0..sms).map(resident).collect(),
                    pointer: state.pointer,
                    submitted: state.submitted,
                }
            }
            Objects::SmartEven(object) => {
                let state: gpusched_tlp_smart_even_state = object.ask(gpusched_tlp_smart_even_get_state);
                let kernel = |k| {
                    let c: gpusched_tlp_sharer =
                        unless(Status::NotLive, object.row(gpusched_tlp_smart_even_get_kernel, k))?;
                    let gpusched_tlp_sharer { max, n_tb, next, finished } = c;
                    Some(Sharer { max, n_tb, next, finished })
                };
                let kernels = (0..).map_while(kernel).collect::<Vec<_>>();
                assert_eq!(kernels.len(), state.kernels as usize);
                assert_eq!(flag(state.running), kernels.iter().any(|kernel| kernel.finished < kernel.n_tb));
                View::SmartEven {
                    kernels,
                    owners: owners(object, sms),
                    resident: owned(object, sms).iter().map(|sm| sm.resident).collect(),
                    pointer: state.pointer,
                }
            }
            Objects::Smc(object) => {
                let state: gpusched_tlp_smc_state = object.ask(gpusched_tlp_smc_get_state);
                View::Smc {
                    phase: one_of(state.phase, &SMC_PHASE),
                    current: proposal(&state.current),
                    saved: proposal(&state.saved),
                    best: state.best,
                }
            }
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

fn sm_view(object: &Object<gpusched_tlp_sm>, slots: u32) -> SmView {
    let state: gpusched_tlp_sm_state = object.ask(gpusched_tlp_sm_get_state);
    let kernel = |k| {
        let c: gpusched_tlp_kernel = unless(Status::NotLive, object.row(gpusched_tlp_sm_get_kernel, k))?;
        Some(KernelCode { needs: needs(&c.needs), kind: c.category.kind, opt: c.category.opt })
    };
    let slot = |slot| {
        let c: gpusched_tlp_resident = unless(Status::SlotEmpty, object.row(gpusched_tlp_sm_get_slot, slot))?;
        Some(ResidentTb { k: id(c.k), bypass: flag(c.bypass) })
    };
    assert_eq!(object.row(gpusched_tlp_sm_get_slot, slots).err(), Some(Status::BadSlot));
    SmView {
        now: Cycle(object.ask(gpusched_tlp_sm_now)),
        kernels: [kernel(0), kernel(1)],
        first: state.first,
        mode: one_of(state.mode, &MODE),
        phase: one_of(state.phase, &PHASE),
        tb: state.tb,
        by: state.by,
        bycur: state.bypassing,
        res: state.resident,
        learn: one_of(state.learn, &LEARN),
        history: History {
            load: Load { sp: state.sp, ldst: state.ldst, sp_of: state.sp_of, ldst_of: state.ldst_of },
            periods: narrow(state.periods),
        },
        cohort: state.cohort,
        period: (time(state.start).map(Cycle), time(state.end).map(Cycle)),
        slots: (0..slots).map(slot).collect(),
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(kind: Kind, image: &[u8]) -> Result<TlpConfig, Status> {
    let tell = match kind {
        Kind::Pure => return Err(Status::NotAnImage),
        Kind::TlpSm => gpusched_tlp_sm_image_config,
        Kind::Pool => gpusched_tlp_pool_image_config,
        Kind::LeftOver => gpusched_tlp_leftover_image_config,
        Kind::SmartEven => gpusched_tlp_smart_even_image_config,
        Kind::Smc => gpusched_tlp_smc_image_config,
    };
    Ok(get(&object::image_config(tell, image, c_config(&TlpConfig::GTX480))?))
}
