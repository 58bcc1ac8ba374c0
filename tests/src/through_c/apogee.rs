//! The prefetcher of one SM as a C program has it.

use std::ptr;

use gpusched::apogee::{
    Adjust, ApogeeConfig, Early, LalScope, LaneSet, LoadRow, Loaded, Merge, PrefetchState, Push, Request, RequestKind,
    RowId, RowKind, SlowRule, Tia, Triggered, Verdict, WarpId,
};
use gpusched::{Cycle, Fault};
use gpusched_abi::apogee::build::{gpusched_apogee_init, gpusched_apogee_layout};
use gpusched_abi::apogee::config::*;
use gpusched_abi::apogee::gpusched_apogee;
use gpusched_abi::apogee::image::*;
use gpusched_abi::apogee::query::*;
use gpusched_abi::apogee::verbs::*;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, number, one_of, time};
use crate::apogee::{Answer, Decided, Event, Form, Load, Machine, RowView, View, affine, dense};

const LANES: [(u32, LaneSet); 2] =
    [(gpusched_apogee_lane_set::All as u32, LaneSet::All), (gpusched_apogee_lane_set::Active as u32, LaneSet::Active)];
const LAL: [(u32, LalScope); 2] =
    [(gpusched_apogee_lal_scope::Warp as u32, LalScope::Warp), (gpusched_apogee_lal_scope::Sm as u32, LalScope::Sm)];
const EARLY: [(u32, Early); 2] =
    [(gpusched_apogee_early::Pattern as u32, Early::Pattern), (gpusched_apogee_early::Literal as u32, Early::Literal)];
const SLOW_RULE: [(u32, SlowRule); 2] =
    [(gpusched_apogee_slow_rule::Any as u32, SlowRule::Any), (gpusched_apogee_slow_rule::Miss as u32, SlowRule::Miss)];
const MERGE: [(u32, Merge); 2] =
    [(gpusched_apogee_merge::Queue as u32, Merge::Queue), (gpusched_apogee_merge::Group as u32, Merge::Group)];

fields! {
    gpusched_apogee_config: put, get = ApogeeConfig;
    numbers
    entries warps warp_size threads pc_bits addr_bits offset_bits conf_bits dist_bits tidx_bits init_distance
    min_distance line_bytes pfq issue_latency min_conf;
    choices
    lanes LANES lal LAL early EARLY slow_rule SLOW_RULE merge MERGE;
    flags
    gap_fill
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &ApogeeConfig) -> gpusched_apogee_config {
    let mut c =
        gpusched_apogee_config { struct_size: size_of::<gpusched_apogee_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// A machine in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_apogee>,
    config: ApogeeConfig,
}

impl ThroughC {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &ApogeeConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_apogee_layout, gpusched_apogee_init)?;
        let mut told = c_config(&ApogeeConfig::APOGEE_4);
        // SAFETY: both live.
        let status = unsafe { gpusched_apogee_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_apogee> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_apogee_save, gpusched_apogee_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_apogee_restore, image)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If an answer contradicts itself.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        let apogee = self.object.c();
        let (mut answer, mut popped) = (9, 9);
        // SAFETY: all pointers are of living values.
        unsafe {
            match event {
                Event::Load(load) => self.load(load).map(|decided| Answer::Load(Box::new(decided))),
                Event::PfPop { now } => {
                    let mut of = gpusched_apogee_request::default();
                    done(gpusched_apogee_pf_pop(apogee, now.0, &mut of, &mut popped))?;
                    Ok(Answer::Request(flag(popped).then(|| request(&of))))
                }
                Event::PfReply { sent } => {
                    done(gpusched_apogee_pf_reply(apogee, (*sent).into(), &mut answer))?;
                    Ok(Answer::Stale(flag(answer)))
                }
                Event::PfFill { entry, generation, warp } => {
                    done(gpusched_apogee_pf_fill(apogee, entry.0.into(), *generation, warp.0.into(), &mut answer))?;
                    Ok(Answer::Stale(flag(answer)))
                }
                Event::SetThreads { n } => {
                    done(gpusched_apogee_set_threads(apogee, *n))?;
                    Ok(Answer::Done)
                }
                Event::Flush => {
                    done(gpusched_apogee_flush(apogee, &mut answer))?;
                    Ok(Answer::Dropped(answer))
                }
            }
        }
    }

    fn load(&mut self, load: &Load) -> Result<Decided, Status> {
        let Load { now, pc, warp, result, lanes, form } = load;
        let verdict = result.map_or(3, c_verdict);
        let list: Vec<_> = lanes
            .iter()
            .map(|&(lane, address)| gpusched_apogee_lane { address, lane: lane.into(), reserved: 7 })
            .collect();
        // What is not told in a form must not matter.
        let listed = gpusched_apogee_access {
            pc: *pc,
            mask: u64::MAX,
            addresses: ptr::null(),
            lanes: list.as_ptr(),
            count: list.len(),
            warp: warp.0.into(),
            verdict,
            first: u64::MAX,
            stride: i64::MAX,
        };
        let dense = dense(lanes);
        let access = match (form, &dense, affine(lanes)) {
            (Form::Dense, Some((mask, addresses)), _) => gpusched_apogee_access {
                mask: *mask,
                addresses: addresses.as_ptr(),
                lanes: ptr::null(),
                count: addresses.len(),
                ..listed
            },
            (Form::Affine, _, Some((mask, first, stride))) => {
                gpusched_apogee_access { mask, lanes: ptr::null(), count: 0, first, stride, ..listed }
            }
            _ => listed,
        };
        let mut loaded = gpusched_apogee_loaded::default();
        let (mut lines, mut rows) = ([0; 128], [gpusched_apogee_triggered::default(); 256]);
        let lists = gpusched_apogee_lists {
            lines: lines.as_mut_ptr(),
            line_capacity: lines.len(),
            rows: rows.as_mut_ptr(),
            row_capacity: rows.len(),
        };
        // SAFETY: all pointers are of living values.
        done(unsafe { gpusched_apogee_load(self.object.c(), now.0, &access, &mut loaded, &lists) })?;
        Ok(Decided {
            pushed: lines[..loaded.pushed as usize].to_vec(),
            trig: rows[..loaded.triggered as usize].iter().map(triggered).collect(),
            loaded: decided(&loaded),
        })
    }

    /// A load that is good, without its lists.
    ///
    /// # Panics
    /// If it is refused.
    #[inline(always)]
    pub fn load_access(&mut self, now: u64, access: &gpusched_apogee_access) -> gpusched_apogee_loaded {
        let mut loaded = gpusched_apogee_loaded::default();
        // SAFETY: all pointers are of living values.
        let status = unsafe { gpusched_apogee_load(self.object.c(), now, access, &mut loaded, ptr::null()) };
        assert_eq!(status, Status::Ok);
        loaded
    }

    /// Pops a request, says that it was sent, and lets it come back at once. Whether there was one.
    ///
    /// # Panics
    /// If a call is refused.
    #[inline(always)]
    pub fn serve(&mut self, now: u64) -> bool {
        let apogee = self.object.c();
        let (mut of, mut popped) = (gpusched_apogee_request::default(), 0);
        // SAFETY: all pointers are of living values.
        unsafe {
            assert_eq!(gpusched_apogee_pf_pop(apogee, now, &mut of, &mut popped), Status::Ok);
            if popped == 0 {
                return false;
            }
            assert_eq!(gpusched_apogee_pf_reply(apogee, 1, ptr::null_mut()), Status::Ok);
            let gpusched_apogee_request { entry, generation, warp, .. } = of;
            assert_eq!(gpusched_apogee_pf_fill(apogee, entry, generation, warp, ptr::null_mut()), Status::Ok);
        }
        true
    }

    fn row(&self, id: RowId) -> Option<RowView> {
        use gpusched_apogee_row_type as Type;
        let c: gpusched_apogee_row = expect(self.object.row(gpusched_apogee_get_row, id.0.into()));
        let load = |offset| RowKind::Load(LoadRow { offset, thread: narrow(c.thread), distance: narrow(c.distance) });
        let kinds = [
            (Type::Free as u32, RowKind::Free),
            (Type::Train as u32, load(None)),
            (Type::Foa as u32, load(Some(c.offset))),
            (Type::Trig as u32, RowKind::Trigger { target: c.target, slow: flag(c.slow) }),
        ];
        let state = |w: u32| {
            let state = (c.states_high >> w & 1) << 1 | c.states_low >> w & 1;
            let states = [
                (gpusched_apogee_state::Idle as u32, PrefetchState::Idle),
                (gpusched_apogee_state::Sent as u32, PrefetchState::Sent),
                (gpusched_apogee_state::Back as u32, PrefetchState::Back),
                (gpusched_apogee_state::Queued as u32, PrefetchState::Queued),
            ];
            one_of(state as u32, &states)
        };
        let view = RowView {
            kind: one_of(c.row_type, &kinds),
            pc: c.pc,
            address: c.address,
            confidence: narrow(c.confidence),
            generation: c.generation,
            states: (0..self.config.warps).map(state).collect(),
        };
        (view.kind != RowKind::Free).then_some(view)
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let lals = if self.config.lal == LalScope::Warp { self.config.warps } else { 1 };
        let lal = |warp| {
            let last: gpusched_apogee_last_load = expect(self.object.row(gpusched_apogee_get_last_load, warp));
            flag(last.valid).then_some(last.pc)
        };
        let (mut of, mut pending) = (gpusched_apogee_request::default(), 9);
        // SAFETY: all live.
        let status = unsafe { gpusched_apogee_unanswered(self.object.c(), &mut of, &mut pending) };
        assert_eq!(status, Status::Ok);
        let rows = (0..self.config.entries as u16).map(RowId);
        let queue: Vec<gpusched_apogee_waiting> = self.object.list(gpusched_apogee_queue);
        View {
            table: rows.filter_map(|id| self.row(id).map(|row| (id, row))).collect(),
            lal: (0..lals).map(lal).collect(),
            queue: queue.iter().map(|waiting| (request(&waiting.request), Cycle(waiting.ready))).collect(),
            unanswered: flag(pending).then(|| request(&of)),
            n: self.object.ask(gpusched_apogee_threads),
            now: Cycle(self.object.ask(gpusched_apogee_now)),
        }
    }

    fn next_event(&self) -> Option<Cycle> {
        time(self.object.ask(gpusched_apogee_next_event)).map(Cycle)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<ApogeeConfig, Status> {
    let told = object::image_config(gpusched_apogee_image_config, image, c_config(&ApogeeConfig::APOGEE_4))?;
    Ok(get(&told))
}

fn request(of: &gpusched_apogee_request) -> Request {
    let kinds =
        [(gpusched_apogee_kind::Foa as u32, RequestKind::Foa), (gpusched_apogee_kind::Tia as u32, RequestKind::Tia)];
    Request {
        line: of.line,
        entry: RowId(narrow(of.entry)),
        generation: of.generation,
        warp: WarpId(narrow(of.warp)),
        kind: one_of(of.kind, &kinds),
    }
}

fn triggered(of: &gpusched_apogee_triggered) -> Triggered {
    let results = [
        (gpusched_apogee_push::Pushed as u32, Push::Pushed),
        (gpusched_apogee_push::Merged as u32, Push::Merged),
        (gpusched_apogee_push::Dropped as u32, Push::Dropped),
    ];
    Triggered { entry: RowId(narrow(of.entry)), moved: flag(of.moved), result: one_of(of.result, &results) }
}

fn decided(of: &gpusched_apogee_loaded) -> Loaded {
    let adjusts = [
        (gpusched_apogee_adjust::None as u32, Adjust::None),
        (gpusched_apogee_adjust::Inc as u32, Adjust::Inc),
        (gpusched_apogee_adjust::IncSat as u32, Adjust::IncSat),
        (gpusched_apogee_adjust::Dec as u32, Adjust::Dec),
        (gpusched_apogee_adjust::DecMin as u32, Adjust::DecMin),
    ];
    let tias = [
        (gpusched_apogee_tia::None as u32, Tia::None),
        (gpusched_apogee_tia::Added as u32, Tia::Added),
        (gpusched_apogee_tia::Kept as u32, Tia::Kept),
        (gpusched_apogee_tia::Slow as u32, Tia::Slow),
        (gpusched_apogee_tia::SelfLoad as u32, Tia::SelfLoad),
        (gpusched_apogee_tia::NoLal as u32, Tia::NoLal),
        (gpusched_apogee_tia::NoRoom as u32, Tia::NoRoom),
    ];
    Loaded {
        entry: RowId(narrow(of.entry)),
        is_new: flag(of.is_new),
        evicted: flag(of.evicts).then_some(of.evicted),
        adjust: one_of(of.adjust, &adjusts),
        mismatch: flag(of.mismatch),
        confirmed: flag(of.confirmed),
        pushed: of.pushed,
        merged: of.merged,
        dropped: of.dropped,
        outside: of.outside,
        triggered: of.triggered,
        tia: one_of(of.tia, &tias),
        tia_entry: number(of.tia_entry).map(RowId),
        tia_evicted: flag(of.tia_evicts).then_some(of.tia_evicted),
    }
}

/// The code of a verdict.
#[must_use]
pub fn c_verdict(verdict: Verdict) -> u32 {
    let of_c = match verdict {
        Verdict::Hit => gpusched_apogee_verdict::Hit,
        Verdict::Pending => gpusched_apogee_verdict::Pending,
        Verdict::Absent => gpusched_apogee_verdict::Absent,
    };
    of_c as u32
}
