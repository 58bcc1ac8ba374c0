//! Equalizer's two machines as a C program has them.

use gpusched::equalizer::{
    Action, Average, Block, Change, Class, Classified, Counts, Decision, Ended, EpochEnd, FmConfig, Granted, HeadKind,
    HystMode, Idle, Levels, Majority, Objective, Outcome, Pick, Resolved, Round, SlotList, SmConfig, Started, Step,
    Transition, Votes, Warp, XmemRule,
};
use gpusched::{Cycle, Fault, SlotId, SmxSet};
use gpusched_abi::equalizer::fm::{build::*, config::*, gpusched_equalizer_fm, image::*, query::*, verbs::*};
use gpusched_abi::equalizer::records::*;
use gpusched_abi::equalizer::sm::{build::*, config::*, gpusched_equalizer_sm, image::*, query::*, verbs::*};
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::{expect, unless};
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, one_of, time};
use crate::equalizer::{FmAnswer, FmEvent, FmView, Machine, SmAnswer, SmEvent, SmView};

const AVERAGE: [(u32, Average); 2] = [
    (gpusched_equalizer_average::Exact as u32, Average::Exact),
    (gpusched_equalizer_average::Floor as u32, Average::Floor),
];
const HYST_MODE: [(u32, HystMode); 2] = [
    (gpusched_equalizer_hyst_mode::Same as u32, HystMode::Same),
    (gpusched_equalizer_hyst_mode::Any as u32, HystMode::Any),
];
const OBJECTIVE: [(u32, Objective); 2] = [
    (gpusched_equalizer_objective::Energy as u32, Objective::Energy),
    (gpusched_equalizer_objective::Performance as u32, Objective::Performance),
];
const PICK: [(u32, Pick); 2] = [
    (gpusched_equalizer_pick::Youngest as u32, Pick::Youngest),
    (gpusched_equalizer_pick::Oldest as u32, Pick::Oldest),
];
const XMEM_RULE: [(u32, XmemRule); 2] = [
    (gpusched_equalizer_xmem_rule::Accept as u32, XmemRule::Accept),
    (gpusched_equalizer_xmem_rule::Any as u32, XmemRule::Any),
];
const STEP: [(u32, Step); 3] = [
    (gpusched_equalizer_step::Hold as u32, Step::Hold),
    (gpusched_equalizer_step::Up as u32, Step::Up),
    (gpusched_equalizer_step::Down as u32, Step::Down),
];
const MAJORITY: [(u32, Majority); 2] = [
    (gpusched_equalizer_majority::Strict as u32, Majority::Strict),
    (gpusched_equalizer_majority::Plurality as u32, Majority::Plurality),
];
const IDLE: [(u32, Idle); 2] =
    [(gpusched_equalizer_idle::Hold as u32, Idle::Hold), (gpusched_equalizer_idle::Relax as u32, Idle::Relax)];

fields! {
    gpusched_equalizer_sm_config: put_sm, get_sm = SmConfig;
    numbers
    max_warps max_blocks sample_interval epoch_cycles counter_bits bw_threshold hysteresis min_blocks watchdog;
    choices
    average AVERAGE
    hyst_mode HYST_MODE
    objective OBJECTIVE
    pause_pick PICK
    unpause_pick PICK
    xmem_rule XMEM_RULE;
    flags
    alu_inclusive sync_active
}

fields! {
    gpusched_equalizer_fm_config: put_fm, get_fm = FmConfig;
    numbers
    sms sm_transition mem_transition step_permille;
    choices
    majority MAJORITY
    idle IDLE;
    flags
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_sm_config(config: &SmConfig) -> gpusched_equalizer_sm_config {
    let mut c = gpusched_equalizer_sm_config {
        struct_size: size_of::<gpusched_equalizer_sm_config>() as u32,
        ..Default::default()
    };
    put_sm(&mut c, config);
    let (energy, performance) = (config.vf_map.energy, config.vf_map.performance);
    let step = |step| code(step, &STEP);
    (c.energy_comp_sm, c.energy_comp_mem) = (step(energy.comp.sm), step(energy.comp.mem));
    (c.energy_mem_sm, c.energy_mem_mem) = (step(energy.mem.sm), step(energy.mem.mem));
    (c.performance_comp_sm, c.performance_comp_mem) = (step(performance.comp.sm), step(performance.comp.mem));
    (c.performance_mem_sm, c.performance_mem_mem) = (step(performance.mem.sm), step(performance.mem.mem));
    c
}

fn core_sm_config(c: &gpusched_equalizer_sm_config) -> SmConfig {
    let mut config = get_sm(c);
    let votes = |sm, mem| Votes { sm: one_of(sm, &STEP), mem: one_of(mem, &STEP) };
    config.vf_map.energy.comp = votes(c.energy_comp_sm, c.energy_comp_mem);
    config.vf_map.energy.mem = votes(c.energy_mem_sm, c.energy_mem_mem);
    config.vf_map.performance.comp = votes(c.performance_comp_sm, c.performance_comp_mem);
    config.vf_map.performance.mem = votes(c.performance_mem_sm, c.performance_mem_mem);
    config
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_fm_config(config: &FmConfig) -> gpusched_equalizer_fm_config {
    let mut c = gpusched_equalizer_fm_config {
        struct_size: size_of::<gpusched_equalizer_fm_config>() as u32,
        ..Default::default()
    };
    put_fm(&mut c, config);
    c
}

// ---- records

/// Counts as a C program has them.
#[must_use]
pub fn c_counts(&Counts { active, waiting, xalu, xmem }: &Counts) -> gpusched_equalizer_counts {
    gpusched_equalizer_counts { active, waiting, xalu, xmem }
}

/// A warp as a C program has it.
#[must_use]
pub fn c_warp(warp: &Warp) -> gpusched_equalizer_warp {
    let &Warp { resident, paused, issued, valid, sync, ready, kind, accept } = warp;
    let kinds = [
        (gpusched_equalizer_head_kind::Alu as u32, HeadKind::Alu),
        (gpusched_equalizer_head_kind::Mem as u32, HeadKind::Mem),
    ];
    gpusched_equalizer_warp {
        resident: resident.into(),
        paused: paused.into(),
        issued: issued.into(),
        valid: valid.into(),
        sync: sync.into(),
        ready: ready.into(),
        kind: code(kind, &kinds),
        accept: accept.into(),
    }
}

fn step(number: i32) -> Step {
    Step::try_from(number).expect("a step is -1, 0 or 1")
}

fn action(number: u32) -> Action {
    use gpusched_equalizer_action as C;
    one_of(number, &[(C::None as u32, Action::None), (C::Comp as u32, Action::Comp), (C::Mem as u32, Action::Mem)])
}

fn class(number: u32) -> Class {
    use gpusched_equalizer_class as C;
    let classes = [
        (C::Absent as u32, Class::Absent),
        (C::Paused as u32, Class::Paused),
        (C::Issued as u32, Class::Issued),
        (C::Unaccounted as u32, Class::Unaccounted),
        (C::Other as u32, Class::Other),
        (C::Waiting as u32, Class::Waiting),
        (C::Xalu as u32, Class::Xalu),
        (C::Xmem as u32, Class::Xmem),
    ];
    one_of(number, &classes)
}

fn outcome(number: u32) -> Outcome {
    use gpusched_equalizer_outcome as C;
    let outcomes = [
        (C::None as u32, Outcome::None),
        (C::Busy as u32, Outcome::Busy),
        (C::Limit as u32, Outcome::Limit),
        (C::Start as u32, Outcome::Start),
        (C::Done as u32, Outcome::Done),
    ];
    one_of(number, &outcomes)
}

fn change(c: &gpusched_equalizer_change) -> Change {
    let list = |slots: &[u8; 32], count: u32| -> SlotList {
        assert!(slots[count as usize..].iter().all(|&slot| slot == 0), "what is no part of a list is 0");
        slots[..count as usize].iter().map(|&slot| SlotId(slot)).collect()
    };
    Change { pause: list(&c.pause, c.pause_count), unpause: list(&c.unpause, c.unpause_count), requests: c.requests }
}

fn epoch(c: &gpusched_equalizer_epoch) -> Option<EpochEnd> {
    if !flag(c.ended) {
        assert_eq!(*c, gpusched_equalizer_epoch::default());
        return None;
    }
    Some(EpochEnd {
        decision: Decision { delta: step(c.delta), action: action(c.action) },
        votes: Votes { sm: step(c.sm_vote), mem: step(c.mem_vote) },
        changed: step(c.changed),
        watchdog: flag(c.watchdog),
        target: c.target,
        change: change(&c.change),
    })
}

fn resolved(c: &gpusched_equalizer_resolved) -> Resolved {
    let &gpusched_equalizer_resolved { up, hold, down, decision, outcome: what } = c;
    Resolved { up, hold, down, decision: step(decision), outcome: outcome(what) }
}

fn round(c: &gpusched_equalizer_round) -> Option<Round> {
    if !flag(c.resolved) {
        assert_eq!(*c, gpusched_equalizer_round::default());
        return None;
    }
    Some(Round { sm: resolved(&c.sm), mem: resolved(&c.mem) })
}

// ---- the machine of one SM

/// An `Sm` in a block, reached through C functions only.
pub struct Sm {
    object: Object<gpusched_equalizer_sm>,
    config: SmConfig,
}

impl Sm {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &SmConfig) -> Result<Self, Status> {
        let given = c_sm_config(config);
        let object = Object::new(&given, gpusched_equalizer_sm_layout, gpusched_equalizer_sm_init)?;
        let mut told = c_sm_config(&SmConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_equalizer_sm_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_equalizer_sm> {
        &self.object
    }

    /// The time of the last event.
    #[must_use]
    pub fn now(&self) -> Cycle {
        Cycle(self.object.ask(gpusched_equalizer_sm_now))
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_equalizer_sm_save, gpusched_equalizer_sm_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_equalizer_sm_restore, image)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &SmEvent) -> Result<SmAnswer, Status> {
        let sm = self.object.c();
        let mut follows = gpusched_equalizer_change::default();
        // SAFETY: all pointers are of living values.
        unsafe {
            Ok(match *event {
                SmEvent::KernelStart { now, w_cta, limit, keep } => {
                    let (mut target, mut requests) = (0, 0);
                    let keep = keep.into();
                    let (to, ask) = (&mut target, &mut requests);
                    done(gpusched_equalizer_sm_kernel_start(sm, now.0, w_cta, limit, keep, to, ask))?;
                    SmAnswer::Started(Started { target, requests })
                }
                SmEvent::Grant { now, block } => {
                    let mut slot = 0;
                    done(gpusched_equalizer_sm_grant(sm, now.0, block, &mut slot, &mut follows))?;
                    SmAnswer::Granted(Granted { slot: SlotId(narrow(slot)), change: change(&follows) })
                }
                SmEvent::Deny { now } => {
                    done(gpusched_equalizer_sm_deny(sm, now.0, &mut follows))?;
                    SmAnswer::Changed(change(&follows))
                }
                SmEvent::Refill { now } => {
                    done(gpusched_equalizer_sm_refill(sm, now.0, &mut follows))?;
                    SmAnswer::Changed(change(&follows))
                }
                SmEvent::BlockEnd { now, slot } => {
                    let mut block = 0;
                    done(gpusched_equalizer_sm_block_end(sm, now.0, slot, &mut block, &mut follows))?;
                    SmAnswer::Ended(Ended { block, change: change(&follows) })
                }
                SmEvent::Sample { now, ref counts } => {
                    let mut record = gpusched_equalizer_epoch::default();
                    done(gpusched_equalizer_sm_sample(sm, now.0, &c_counts(counts), &mut record))?;
                    SmAnswer::Sampled(epoch(&record))
                }
                SmEvent::SetObjective { now, objective } => {
                    done(gpusched_equalizer_sm_set_objective(sm, now.0, objective))?;
                    SmAnswer::Done
                }
                SmEvent::Resync { now } => {
                    let mut next = 0;
                    done(gpusched_equalizer_sm_resync(sm, now.0, &mut next))?;
                    SmAnswer::NextSample(Cycle(next))
                }
                SmEvent::Classify(ref warp) => {
                    let mut told = gpusched_equalizer_classified::default();
                    done(gpusched_equalizer_sm_classify(sm, &c_warp(warp), &mut told))?;
                    SmAnswer::Classified(Classified { class: class(told.class_number), active: flag(told.active) })
                }
                SmEvent::Decide { ref sums, samples, w_cta } => {
                    let mut told = gpusched_equalizer_decision::default();
                    done(gpusched_equalizer_sm_decide(sm, &c_counts(sums), samples, w_cta, &mut told))?;
                    SmAnswer::Decision(Decision { delta: step(told.delta), action: action(told.action) })
                }
            })
        }
    }
}

impl Machine for Sm {
    type Event = SmEvent;
    type Answer = SmAnswer;
    type View = SmView;
    /// What is seen and what is saved.
    type Mark = (SmView, Vec<u8>);

    fn take(&mut self, event: &SmEvent) -> Result<SmAnswer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> SmView {
        let state: gpusched_equalizer_sm_state = self.object.ask(gpusched_equalizer_sm_get_state);
        let block = |slot| {
            let block: gpusched_equalizer_block =
                unless(Status::SlotEmpty, self.object.row(gpusched_equalizer_sm_get_block, slot))?;
            Some(Block { id: block.id, paused: flag(block.paused) })
        };
        SmView {
            next_sample: Cycle(self.object.ask(gpusched_equalizer_sm_next_sample)),
            samples: state.samples,
            sums: state.sums.into(),
            w_cta: state.w_cta,
            limit: state.limit,
            target: state.target,
            run: state.run,
            dir: step(state.dir),
            running: state.running,
            paused: state.paused,
            outstanding: state.outstanding,
            drained: flag(state.drained),
            wd: state.watchdog_epochs,
            objective: one_of(state.objective, &OBJECTIVE),
            slots: (0..self.config.max_blocks).map(block).collect(),
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn sm_image_config(image: &[u8]) -> Result<SmConfig, Status> {
    let told = object::image_config(gpusched_equalizer_sm_image_config, image, c_sm_config(&SmConfig::GTX480))?;
    Ok(core_sm_config(&told))
}

// ---- the frequency manager

/// An `Fm` in a block, reached through C functions only.
pub struct Fm {
    object: Object<gpusched_equalizer_fm>,
}

impl Fm {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &FmConfig) -> Result<Self, Status> {
        let given = c_fm_config(config);
        let object = Object::new(&given, gpusched_equalizer_fm_layout, gpusched_equalizer_fm_init)?;
        let mut told = c_fm_config(&FmConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_equalizer_fm_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_equalizer_fm> {
        &self.object
    }

    /// The time of the last event, and that of the next.
    #[must_use]
    pub fn times(&self) -> (Cycle, Option<Cycle>) {
        let next = time(self.object.ask(gpusched_equalizer_fm_next_event)).map(Cycle);
        (Cycle(self.object.ask(gpusched_equalizer_fm_now)), next)
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_equalizer_fm_save, gpusched_equalizer_fm_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_equalizer_fm_restore, image)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &FmEvent) -> Result<FmAnswer, Status> {
        let fm = self.object.c();
        let mut resolved = gpusched_equalizer_round::default();
        // SAFETY: all pointers are of living values.
        unsafe {
            Ok(match *event {
                FmEvent::Vote { now, sm, votes } => {
                    done(gpusched_equalizer_fm_vote(fm, now.0, sm, votes.0, votes.1, &mut resolved))?;
                    round(&resolved).map_or(FmAnswer::Open, FmAnswer::Round)
                }
                FmEvent::Close { now } => {
                    done(gpusched_equalizer_fm_close(fm, now.0, &mut resolved))?;
                    FmAnswer::Round(round(&resolved).expect("a round that is closed is resolved"))
                }
                FmEvent::Enable { now, sm, on } => {
                    done(gpusched_equalizer_fm_enable(fm, now.0, sm, on.into()))?;
                    FmAnswer::Done
                }
                FmEvent::Levels { now } => {
                    let mut c = gpusched_equalizer_levels::default();
                    done(gpusched_equalizer_fm_levels(fm, now.0, &mut c))?;
                    let gpusched_equalizer_levels { next, sm, mem, sm_permille, mem_permille } = c;
                    let next = time(next).map(Cycle);
                    FmAnswer::Levels(Levels { sm: step(sm), mem: step(mem), sm_permille, mem_permille, next })
                }
            })
        }
    }
}

impl Machine for Fm {
    type Event = FmEvent;
    type Answer = FmAnswer;
    type View = FmView;
    /// What is seen and what is saved.
    type Mark = (FmView, Vec<u8>);

    fn take(&mut self, event: &FmEvent) -> Result<FmAnswer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> FmView {
        let state: gpusched_equalizer_fm_state = self.object.ask(gpusched_equalizer_fm_get_state);
        let transition = |domain: &gpusched_equalizer_domain| {
            let at = time(domain.done_at).map(Cycle);
            assert!(at.is_some() || domain.level == domain.target, "no step, no other level");
            at.map(|done_at| Transition { target: step(domain.target), done_at })
        };
        FmView {
            sm_level: step(state.sm.level),
            mem_level: step(state.mem.level),
            sm: transition(&state.sm),
            mem: transition(&state.mem),
            voted: SmxSet::from_words(state.voted.words),
            enabled: SmxSet::from_words(state.enabled.words),
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn fm_image_config(image: &[u8]) -> Result<FmConfig, Status> {
    let told = object::image_config(gpusched_equalizer_fm_image_config, image, c_fm_config(&FmConfig::GTX480))?;
    Ok(get_fm(&told))
}
