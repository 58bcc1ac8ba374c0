//! The occupancy-bubble controller alone as a C program has it.

use std::ptr;

use gpusched::power::{
    BubbleConfig, BubbleStats, GpuDone, GpuStart, PState, Registers, Resident, Resources, Resume, Retrigger, Sample,
    Waiting,
};
use gpusched::{Cycle, Fault, SmxId, SmxSet};
use gpusched_abi::bubble::build::{gpusched_bubble_init, gpusched_bubble_layout};
use gpusched_abi::bubble::config::*;
use gpusched_abi::bubble::gpusched_bubble;
use gpusched_abi::bubble::image::*;
use gpusched_abi::bubble::query::*;
use gpusched_abi::bubble::verbs::*;
use gpusched_abi::smx::{gpusched_energy, gpusched_resources, gpusched_smx_set};
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, number, one_of, time};
use crate::bubble::{Answer, Event, Machine, SmxState, View};

pub(super) const RETRIGGER: [(u32, Retrigger); 3] = [
    (gpusched_bubble_retrigger::Level as u32, Retrigger::Level),
    (gpusched_bubble_retrigger::Rearm as u32, Retrigger::Rearm),
    (gpusched_bubble_retrigger::Once as u32, Retrigger::Once),
];

fields! {
    gpusched_bubble_config: put, get = BubbleConfig;
    numbers
    smxs t_num t_den sample_cycles drain_samples transition_samples gpu_idle_samples warp_size
    smx_threads smx_regs smx_smem smx_slots v_high_mv v_low_mv f_high_mhz f_low_mhz leak_exp
    p_leak_mw p_idle_mw p_dyn_mw p_uncore_mw;
    choices
    retrigger RETRIGGER;
    flags
    enabled inclusive draining gpu_level resume_draining resume_hold
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &BubbleConfig) -> gpusched_bubble_config {
    let mut c =
        gpusched_bubble_config { struct_size: size_of::<gpusched_bubble_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// A controller in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_bubble>,
    config: BubbleConfig,
}

impl ThroughC {
    /// A controller of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &BubbleConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_bubble_layout, gpusched_bubble_init)?;
        let mut told = c_config(&BubbleConfig::K20C);
        // SAFETY: both live.
        let status = unsafe { gpusched_bubble_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_bubble> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_bubble_save, gpusched_bubble_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_bubble_restore, image)
    }

    /// The time of the last event, and that of the next sample.
    #[must_use]
    pub fn times(&self) -> (Cycle, Option<Cycle>) {
        let next = time(self.object.ask(gpusched_bubble_next_sample)).map(Cycle);
        (Cycle(self.object.ask(gpusched_bubble_now)), next)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        let bubble = self.object.c();
        let mut resident = gpusched_bubble_resident::default();
        // SAFETY: all pointers are of living values.
        unsafe {
            match event {
                Event::Dispatched { now, smx, res } => {
                    let res = gpusched_resources::from(*res);
                    done(gpusched_bubble_dispatched(bubble, now.0, smx.0.into(), &res, &mut resident))?;
                    Ok(Answer::Resident(held(resident)))
                }
                Event::Completed { now, smx, res } => {
                    let res = gpusched_resources::from(*res);
                    done(gpusched_bubble_completed(bubble, now.0, smx.0.into(), &res, &mut resident))?;
                    Ok(Answer::Resident(held(resident)))
                }
                Event::Sample { now, waiting, activity } => {
                    let waiting = waiting.as_ref().map(c_waiting);
                    let waiting = waiting.as_ref().map_or(ptr::null(), ptr::from_ref);
                    let (activity, count) = array(activity);
                    let mut record = gpusched_bubble_record::default();
                    done(gpusched_bubble_sample(bubble, now.0, waiting, activity, count, &mut record))?;
                    Ok(Answer::Sample(Box::new(sample(&record))))
                }
                Event::Account { now, activity } => {
                    let (activity, count) = array(activity);
                    done(gpusched_bubble_account(bubble, now.0, activity, count))?;
                    Ok(Answer::Done)
                }
            }
        }
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let object = &self.object;
        let smx = |s: u32| {
            let ledger: gpusched_bubble_ledger = expect(object.row(gpusched_bubble_get_ledger, s));
            let smx = expect(object.row(gpusched_bubble_get_smx, s));
            Smx { smx, free: ledger.free.into(), resident: held(ledger.resident) }
        };
        let told = Told {
            registers: object.ask(gpusched_bubble_get_registers),
            eligible: object.ask(gpusched_bubble_eligible),
            armed: object.ask(gpusched_bubble_armed),
            gpu: object.ask(gpusched_bubble_get_gpu),
            smxs: (0..self.config.smxs).map(smx).collect(),
            energy: object.ask(gpusched_bubble_energy),
            energy_uncore: object.ask(gpusched_bubble_energy_uncore),
            stats: object.ask(gpusched_bubble_get_stats),
        };
        told.view()
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// What the queries of a controller tell, of one that stands alone or of a part.
pub(super) struct Told {
    pub registers: gpusched_bubble_registers,
    pub eligible: gpusched_smx_set,
    pub armed: gpusched_smx_set,
    pub gpu: gpusched_bubble_gpu,
    pub smxs: Vec<Smx>,
    pub energy: gpusched_energy,
    pub energy_uncore: gpusched_energy,
    pub stats: gpusched_bubble_stats,
}

/// One SMX of it, and what the ledger says.
pub(super) struct Smx {
    pub smx: gpusched_bubble_smx,
    pub free: Resources,
    pub resident: Resident,
}

impl Told {
    /// It in the core's terms. Where two queries show the same thing, they must agree.
    pub fn view(self) -> View {
        use gpusched_bubble_level as Level;
        let pstates = [
            (Level::Normal as u32, PState::High),
            (Level::GoingDown as u32, PState::Down),
            (Level::Low as u32, PState::Low),
            (Level::GoingUp as u32, PState::Up),
        ];
        let armed = set(self.armed);
        let is_armed = |(s, smx): (usize, &Smx)| flag(smx.smx.armed) == armed.contains(SmxId(s as u16));
        assert!(self.smxs.iter().enumerate().all(is_armed), "the set and the rows agree");
        let smxs = self.smxs.iter().map(Smx::state).collect::<Vec<_>>();
        let energy_uncore = energy(self.energy_uncore);
        assert_eq!(energy(self.energy), energy_uncore + smxs.iter().map(|smx| smx.energy).sum::<u128>());
        View {
            registers: registers(&self.registers),
            eligible: set(self.eligible),
            armed,
            gpu_pstate: one_of(self.gpu.level, &pstates),
            gpu_timer: self.gpu.left,
            idle_run: self.gpu.idle_samples,
            smxs,
            energy_uncore,
            stats: stats(&self.stats),
        }
    }
}

impl Smx {
    fn state(&self) -> SmxState {
        use gpusched_bubble_level as Level;
        use gpusched_bubble_pstate as C;
        let &Self { smx, free, resident } = self;
        let levels = [
            (Level::Normal as u32, (0, 0)),
            (Level::Draining as u32, (0, smx.samples)),
            (Level::GoingDown as u32, (smx.samples, 0)),
            (Level::Low as u32, (0, 0)),
            (Level::GoingUp as u32, (smx.samples, 0)),
        ];
        let (timer, drain) = one_of(smx.level, &levels);
        let pstates = [
            (C::High as u32, PState::High),
            (C::Down as u32, PState::Down),
            (C::Low as u32, PState::Low),
            (C::Up as u32, PState::Up),
        ];
        SmxState {
            pstate: one_of(smx.pstate, &pstates),
            timer,
            drain,
            free,
            resident,
            energy: energy(smx.energy),
            energy_bubble: energy(smx.energy_bubble),
            bubble: smx.bubble,
            low: smx.low,
        }
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<BubbleConfig, Status> {
    let told = object::image_config(gpusched_bubble_image_config, image, c_config(&BubbleConfig::K20C))?;
    Ok(get(&told))
}

fn set(set: gpusched_smx_set) -> SmxSet {
    SmxSet::from_words(set.words)
}

fn energy(gpusched_energy { lo, hi }: gpusched_energy) -> u128 {
    u128::from(hi) << 64 | u128::from(lo)
}

fn held(gpusched_bubble_resident { tbs, warps }: gpusched_bubble_resident) -> Resident {
    Resident { tbs, warps }
}

fn c_waiting(waiting: &Waiting) -> gpusched_bubble_waiting {
    let allowed = waiting.allowed.unwrap_or(SmxSet::EMPTY);
    gpusched_bubble_waiting {
        allowed: allowed.into(),
        res: waiting.res.into(),
        bound: waiting.allowed.is_some().into(),
    }
}

/// Activities as a C program hands them over: null if there are none.
pub(super) fn array(activity: &Option<Vec<u16>>) -> (*const u16, usize) {
    activity.as_ref().map_or((ptr::null(), 0), |values| (values.as_ptr(), values.len()))
}

fn registers(registers: &gpusched_bubble_registers) -> Registers {
    let &gpusched_bubble_registers { dvr, drn, dvfs, gpu } = registers;
    Registers { dvr: set(dvr), drn: set(drn), dvfs: set(dvfs), gpu: flag(gpu as u32) }
}

pub(super) fn sample(record: &gpusched_bubble_record) -> Sample {
    use gpusched_bubble_gpu_done as Done;
    use gpusched_bubble_gpu_start as Start;
    use gpusched_bubble_resume as Kind;
    let smx = number(record.resume_smx).map(SmxId);
    let kinds = [
        (Kind::None as u32, None),
        (Kind::Up as u32, smx.map(Resume::Up)),
        (Kind::Cancel as u32, smx.map(Resume::Cancel)),
    ];
    let resume = one_of(record.resume, &kinds);
    assert_eq!(resume.is_some(), smx.is_some(), "an SMX that is wanted has a name");
    Sample {
        gpu_done: one_of(
            record.gpu_done,
            &[
                (Done::None as u32, None),
                (Done::Low as u32, Some(GpuDone::Low)),
                (Done::High as u32, Some(GpuDone::High)),
            ],
        ),
        gpu_start: one_of(
            record.gpu_start,
            &[
                (Start::None as u32, None),
                (Start::Down as u32, Some(GpuStart::Down)),
                (Start::Up as u32, Some(GpuStart::Up)),
            ],
        ),
        low_done: set(record.low_done),
        high_done: set(record.high_done),
        divert: set(record.divert),
        refused: set(record.refused),
        drain_done: set(record.drain_done),
        drain_abort: set(record.drain_abort),
        down: set(record.down),
        resume,
        starved: flag(record.starved),
        eligible: set(record.eligible),
        registers: registers(&record.registers),
    }
}

fn stats(stats: &gpusched_bubble_stats) -> BubbleStats {
    let &gpusched_bubble_stats {
        samples,
        divert,
        refused,
        drain_done,
        drain_abort,
        down,
        up,
        cancel,
        gpu_down,
        gpu_up,
    } = stats;
    BubbleStats { samples, divert, refused, drain_done, drain_abort, down, up, cancel, gpu_down, gpu_up }
}
