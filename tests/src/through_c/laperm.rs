//! LaPerm alone as a C program has it.

use gpusched::laperm::{
    Backup, BackupSelect, Config, Dispatch, Kde, KmuStall, KmuTick, Model, Moved, NoFit, Placed, Policy, Reason,
    RefillMode, Resources, Spill, Stage, Stall, Tick, Visit, WaitingHead, Work,
};
use gpusched::{Cycle, Fault, KernelSlot, SmxId, SmxSet, UnitId};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::laperm::build::{gpusched_laperm_init, gpusched_laperm_layout};
use gpusched_abi::laperm::config::*;
use gpusched_abi::laperm::gpusched_laperm;
use gpusched_abi::laperm::image::*;
use gpusched_abi::laperm::query::*;
use gpusched_abi::laperm::verbs::*;
use gpusched_abi::smx::gpusched_resources;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::{expect, unless};
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, number, one_of, time};
use crate::laperm::event::{Call, Event, Value};
use crate::laperm::machine::Machine;
use crate::laperm::view::{EntryView, View, places};

use gpusched_laperm_backup_select as CBackupSelect;
use gpusched_laperm_model as CModel;
use gpusched_laperm_no_fit as CNoFit;
use gpusched_laperm_policy as CPolicy;
use gpusched_laperm_refill_mode as CRefillMode;
use gpusched_laperm_spill as CSpill;
use gpusched_laperm_visit as CVisit;

pub(super) const POLICY: [(u32, Policy); 4] = [
    (CPolicy::Rr as u32, Policy::Rr),
    (CPolicy::TbPri as u32, Policy::TbPri),
    (CPolicy::SmxBind as u32, Policy::SmxBind),
    (CPolicy::AdaptiveBind as u32, Policy::AdaptiveBind),
];
pub(super) const MODEL: [(u32, Model); 2] = [(CModel::Dtbl as u32, Model::Dtbl), (CModel::Cdp as u32, Model::Cdp)];
pub(super) const VISIT: [(u32, Visit); 2] = [(CVisit::Step as u32, Visit::Step), (CVisit::Skip as u32, Visit::Skip)];
pub(super) const NO_FIT: [(u32, NoFit); 2] =
    [(CNoFit::Block as u32, NoFit::Block), (CNoFit::TryNext as u32, NoFit::TryNext)];
pub(super) const SPILL: [(u32, Spill); 2] = [(CSpill::New as u32, Spill::New), (CSpill::Lowest as u32, Spill::Lowest)];
pub(super) const BACKUP_SELECT: [(u32, BackupSelect); 3] = [
    (CBackupSelect::Next as u32, BackupSelect::Next),
    (CBackupSelect::Lowest as u32, BackupSelect::Lowest),
    (CBackupSelect::HighestPrio as u32, BackupSelect::HighestPrio),
];
pub(super) const REFILL_MODE: [(u32, RefillMode); 2] =
    [(CRefillMode::Fixed as u32, RefillMode::Fixed), (CRefillMode::External as u32, RefillMode::External)];

fields! {
    gpusched_laperm_config: put, get = Config;
    numbers
    smxs cluster levels queue_cap q0_cap pool_cap kdu_entries backup_limit refill_cycles kmu_dispatch_cycles
    smx_threads smx_regs smx_smem smx_slots;
    choices
    policy POLICY
    model MODEL
    visit VISIT
    no_fit NO_FIT
    spill SPILL
    backup_select BACKUP_SELECT
    refill_mode REFILL_MODE;
    flags
    charge_insert
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &Config) -> gpusched_laperm_config {
    let mut c =
        gpusched_laperm_config { struct_size: size_of::<gpusched_laperm_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// LaPerm in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_laperm>,
    config: Config,
}

impl ThroughC {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &Config) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_laperm_layout, gpusched_laperm_init)?;
        let mut told = c_config(&Config::K20C);
        // SAFETY: both live.
        let status = unsafe { gpusched_laperm_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_laperm> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_laperm_save, gpusched_laperm_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_laperm_restore, image)
    }

    /// The first cycle in which something may happen.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        time(self.object.ask(gpusched_laperm_next_event)).map(Cycle)
    }

    /// Whether nothing waits anywhere.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        flag(self.object.ask(gpusched_laperm_is_idle))
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event) -> Result<Value, Status> {
        let (laperm, now) = (self.object.c(), event.now.0);
        // SAFETY: all pointers are of living values.
        unsafe {
            match event.call {
                Call::PushHost(tag, tbs, need) => {
                    let mut placed = gpusched_laperm_placed::default();
                    done(gpusched_laperm_push_host(laperm, now, tag, tbs, &res(need), &mut placed))?;
                    Ok(Value::Placed(place(&placed)))
                }
                Call::PushChild(tag, tbs, need, smx, prio) => {
                    let (mut placed, need) = (gpusched_laperm_placed::default(), res(need));
                    let (smx, prio) = (smx.0.into(), prio.into());
                    done(gpusched_laperm_push_child(laperm, now, tag, tbs, &need, smx, prio, &mut placed))?;
                    Ok(Value::Placed(place(&placed)))
                }
                Call::Tick => {
                    let mut sent = gpusched_laperm_sent::default();
                    done(gpusched_laperm_tick(laperm, now, &mut sent))?;
                    Ok(Value::Tick(tick(&sent)))
                }
                Call::TbDone(smx, need, kde) => {
                    let (mut freed, kde) = (u32::MAX, kde.map_or(GPUSCHED_NONE, |kde| kde.0.into()));
                    done(gpusched_laperm_tb_done(laperm, now, smx.0.into(), &res(need), kde, &mut freed))?;
                    Ok(Value::Freed(flag(freed)))
                }
                Call::KmuTick => {
                    let mut moved = gpusched_laperm_moved::default();
                    done(gpusched_laperm_kmu_tick(laperm, now, &mut moved))?;
                    Ok(Value::Kmu(kmu(&moved)))
                }
                Call::Refilled(tag) => {
                    done(gpusched_laperm_refilled(laperm, now, tag))?;
                    Ok(Value::Done)
                }
                Call::SetMask(smx, masked) => {
                    done(gpusched_laperm_set_mask(laperm, now, smx.0.into(), masked.into()))?;
                    Ok(Value::Done)
                }
                Call::WaitingHead(start) => {
                    let mut head = gpusched_laperm_head::default();
                    done(gpusched_laperm_waiting_head(laperm, now, start.0.into(), &mut head))?;
                    let gpusched_laperm_head { allowed, tag, res, present } = head;
                    let allowed = SmxSet::from_words(allowed.words);
                    Ok(Value::Waiting(flag(present).then_some(WaitingHead { tag, res: res.into(), allowed })))
                }
            }
        }
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Value, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let object = &self.object;
        let smxs = || 0..self.config.smxs;
        let units = object.ask(gpusched_laperm_units);
        let at = |unit: Option<UnitId>| unit.map_or(GPUSCHED_NONE, |unit| unit.0.into());
        let kdes = if self.config.model == Model::Cdp { self.config.kdu_entries } else { 0 };
        View {
            now: Cycle(object.ask(gpusched_laperm_now)),
            cur: SmxId(narrow(object.ask(gpusched_laperm_cur))),
            free: smxs().map(|s| expect(object.row(gpusched_laperm_free, s)).into()).collect(),
            mask: SmxSet::from_words(object.ask(gpusched_laperm_mask).words),
            queues: places(units).map(|u| entries(&object.list_of(gpusched_laperm_queue, at(u)))).collect(),
            off_chip: places(units).map(|u| entries(&object.list_of(gpusched_laperm_off_chip, at(u)))).collect(),
            pool_free: object.ask(gpusched_laperm_pool_free),
            kdes: (0..kdes)
                .map(|k| unless(Status::NoKernel, object.row(gpusched_laperm_get_kde, k)).map(kde))
                .collect(),
            backups: smxs().map(|s| backup(expect(object.row(gpusched_laperm_get_backup, s)))).collect(),
            kmu: (
                UnitId(narrow(object.ask(gpusched_laperm_kmu_pointer))),
                Cycle(object.ask(gpusched_laperm_kmu_free_at)),
            ),
        }
    }

    fn config(&self) -> Config {
        self.config
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<Config, Status> {
    let told = object::image_config(gpusched_laperm_image_config, image, c_config(&Config::K20C))?;
    Ok(get(&told))
}

fn res(res: Resources) -> gpusched_resources {
    res.into()
}

fn entries(entries: &[gpusched_laperm_entry]) -> Vec<EntryView> {
    let entry = |e: &gpusched_laperm_entry| EntryView {
        work: Work { tag: e.tag, res: e.res.into(), kde: number(e.kde).map(KernelSlot) },
        section: narrow(e.section),
        prio: narrow(e.prio),
        next: e.next,
        tbs: e.tbs,
        ready_at: time(e.ready_at).map(Cycle),
    };
    entries.iter().map(entry).collect()
}

fn kde(gpusched_laperm_kde { waiting, running }: gpusched_laperm_kde) -> Kde {
    Kde { waiting, running }
}

pub(super) fn backup(gpusched_laperm_backup { unit, run }: gpusched_laperm_backup) -> Backup {
    Backup { unit: number(unit).map(UnitId), run: narrow(run) }
}

fn place(placed: &gpusched_laperm_placed) -> Placed {
    use gpusched_laperm_place as Place;
    let &gpusched_laperm_placed { ready_at, evicted, place, unit, level, pos, evicts } = placed;
    let (evicted, ready_at) = (flag(evicts).then_some(evicted), Cycle(ready_at));
    let (bound, level) = (number(unit).map(UnitId), narrow(level));
    let unit = bound.unwrap_or_default();
    let places = [
        (Place::Queue0 as u32, Placed::Queue0 { pos, ready_at }),
        (Place::OnChip as u32, Placed::OnChip { unit, level, pos, ready_at, evicted }),
        (Place::Spilled as u32, Placed::Spilled { unit, level }),
        (Place::Pending as u32, Placed::Pending { unit: bound, level }),
    ];
    let placed = one_of(place, &places);
    assert!(bound.is_some() || matches!(placed, Placed::Queue0 { .. } | Placed::Pending { .. }), "{placed:?}");
    placed
}

fn tick(sent: &gpusched_laperm_sent) -> Tick {
    use gpusched_laperm_sched as Sched;
    use gpusched_laperm_stage as CStage;
    let &gpusched_laperm_sent { tag, refill, sched, smx, tb, prio, stage, unit, kde, last, refills } = sent;
    let smx = number(smx).map(SmxId);
    let stalls = [
        (Sched::Tb as u32, None),
        (Sched::NoWork as u32, Some(Reason::NoWork)),
        (Sched::Masked as u32, Some(Reason::Masked)),
        (Sched::NoCandidate as u32, Some(Reason::NoCandidate)),
        (Sched::NoFit as u32, Some(Reason::NoFit)),
    ];
    if let Some(reason) = one_of(sched, &stalls) {
        return Tick::Stall(Stall { smx, reason });
    }
    let stages = [
        (CStage::Unit as u32, Stage::Unit),
        (CStage::Queue0 as u32, Stage::Queue0),
        (CStage::Backup as u32, Stage::Backup),
    ];
    Tick::Dispatch(Dispatch {
        smx: smx.expect("a TB has an SMX"),
        tag,
        tb,
        prio: narrow(prio),
        stage: one_of(stage, &stages),
        unit: number(unit).map(UnitId),
        last: flag(last),
        kde: number(kde).map(KernelSlot),
        refill: flag(refills).then_some(refill),
    })
}

fn kmu(moved: &gpusched_laperm_moved) -> KmuTick {
    use gpusched_laperm_kmu as Kmu;
    let &gpusched_laperm_moved { tag, ready_at, kmu, unit, level, kde, cost } = moved;
    let (unit, level, kde) = (number(unit).map(UnitId), narrow(level), KernelSlot(narrow(kde)));
    let ticks = [
        (Kmu::Moved as u32, KmuTick::Moved(Moved { tag, unit, level, kde, cost, ready_at: Cycle(ready_at) })),
        (Kmu::Busy as u32, KmuTick::Stall(KmuStall::Busy)),
        (Kmu::NothingPending as u32, KmuTick::Stall(KmuStall::NothingPending)),
        (Kmu::KduFull as u32, KmuTick::Stall(KmuStall::KduFull)),
    ];
    one_of(kmu, &ticks)
}
