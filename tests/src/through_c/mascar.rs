//! Mascar as a C program has it.

use std::ptr;

use gpusched::mascar::{
    Action, CacheConfig, Entry, Granted, Head, Issue, Kind, Lookup, MascarConfig, Mode, Next, Offsets, Order, Pick,
    Pipe, Presented, Priority, Released, Reply, Request, Saturation, Sources, Via, WarpId, Why,
};
use gpusched::{Cycle, Fault};
use gpusched_abi::mascar::build::{gpusched_mascar_init, gpusched_mascar_layout};
use gpusched_abi::mascar::config::*;
use gpusched_abi::mascar::gpusched_mascar;
use gpusched_abi::mascar::image::*;
use gpusched_abi::mascar::query::*;
use gpusched_abi::mascar::verbs::*;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, number, one_of, time};
use crate::mascar::{Answer, Event, LsuState, LsuView, Machine, View, warps};

const PRIORITY: [(u32, Priority); 3] = [
    (gpusched_mascar_priority::Mem as u32, Priority::Mem),
    (gpusched_mascar_priority::Comp as u32, Priority::Comp),
    (gpusched_mascar_priority::Merged as u32, Priority::Merged),
];
const ORDER: [(u32, Order); 3] = [
    (gpusched_mascar_order::Gto as u32, Order::Gto),
    (gpusched_mascar_order::Oldest as u32, Order::Oldest),
    (gpusched_mascar_order::Rr as u32, Order::Rr),
];
const KIND: [(u32, Kind); 4] = [
    (gpusched_mascar_kind::None as u32, Kind::None),
    (gpusched_mascar_kind::Alu as u32, Kind::Alu),
    (gpusched_mascar_kind::Mem as u32, Kind::Mem),
    (gpusched_mascar_kind::Sync as u32, Kind::Sync),
];
const MODE: [(u32, Mode); 2] =
    [(gpusched_mascar_mode::Ep as u32, Mode::Ep), (gpusched_mascar_mode::Mp as u32, Mode::Mp)];
const LOOKUP: [(u32, Lookup); 3] = [
    (gpusched_mascar_lookup::Hit as u32, Lookup::Hit),
    (gpusched_mascar_lookup::Merge as u32, Lookup::Merge),
    (gpusched_mascar_lookup::Miss as u32, Lookup::Miss),
];
/// A number that no enumeration has.
const UNKNOWN: u32 = 99;

fields! {
    gpusched_mascar_cache: put_cache, get_cache = CacheConfig;
    numbers mshr missq mshr_sat missq_sat mshr_clear missq_clear;
    choices;
    flags
}

fields! {
    gpusched_mascar_config: put, get = MascarConfig;
    numbers warps schedulers rexq warp_size owner_timeout starve_limit;
    choices
    ep_priority PRIORITY ep_mem_order ORDER ep_comp_order ORDER mp_priority PRIORITY mp_mem_order ORDER mp_comp_order ORDER;
    flags
    per_pipe enable owner_first relinquish_waits relinquish_sync rescue retry_owner nonowner_merge
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &MascarConfig) -> gpusched_mascar_config {
    let mut c =
        gpusched_mascar_config { struct_size: size_of::<gpusched_mascar_config>() as u32, ..Default::default() };
    put(&mut c, config);
    let caches = config.sources.caches();
    c.sources = caches.len() as u32;
    for (to, from) in c.caches.iter_mut().zip(caches.iter().chain(std::iter::repeat(&CacheConfig::FERMI))) {
        put_cache(to, from);
    }
    c
}

/// The core's configuration of a C program's.
fn core_config(c: &gpusched_mascar_config) -> MascarConfig {
    let caches = c.caches[..c.sources as usize].iter().map(get_cache).collect::<Vec<_>>();
    MascarConfig { sources: Sources::new(&caches).expect("one to three"), ..get(c) }
}

/// A machine in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_mascar>,
    config: MascarConfig,
}

impl ThroughC {
    /// A machine of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &MascarConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_mascar_layout, gpusched_mascar_init)?;
        let mut told = c_config(&MascarConfig::LRR);
        // SAFETY: both live.
        let status = unsafe { gpusched_mascar_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_mascar> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_mascar_save, gpusched_mascar_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_mascar_restore, image)
    }

    /// A cycle, for measurements.
    pub fn pick(&mut self, now: u64, decision: &mut gpusched_mascar_decision) {
        // SAFETY: object and decision live.
        expect(done(unsafe { gpusched_mascar_pick(self.object.c(), now, 1, GPUSCHED_MASCAR_ALL, decision) }));
    }

    /// A request and its answer that nobody reads, for measurements.
    pub fn port(&mut self, result: Lookup, request: &gpusched_mascar_request) {
        let (mut next, mut reply) = (gpusched_mascar_next::default(), gpusched_mascar_reply::default());
        // SAFETY: all live.
        expect(done(unsafe { gpusched_mascar_lsu_next(self.object.c(), &mut next) }));
        // SAFETY: all live.
        let status =
            unsafe { gpusched_mascar_lsu_reply(self.object.c(), code(result, &LOOKUP), 0, request, &mut reply) };
        expect(done(status));
        std::hint::black_box((&next, &reply));
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event) -> Result<Answer, Status> {
        let sm = self.object.c();
        // SAFETY: all pointers are of living values.
        unsafe {
            match *event {
                Event::WarpStart { w } => {
                    let mut age = 0;
                    done(gpusched_mascar_warp_start(sm, w.into(), &mut age))?;
                    Ok(Answer::Age(age))
                }
                Event::WarpExit { w } => {
                    let mut released = UNKNOWN;
                    done(gpusched_mascar_warp_exit(sm, w.into(), &mut released))?;
                    Ok(Answer::OwnerReleased(flag(released)))
                }
                Event::SetHead { w, kind, ready, dep_load } => {
                    let kind = kind.map_or(UNKNOWN, |kind| code(kind, &KIND));
                    done(gpusched_mascar_set_head(sm, w.into(), kind, ready.into(), dep_load.into()))?;
                    Ok(Answer::Done)
                }
                Event::L1State { src, mshr, missq } => {
                    let mut saturation = gpusched_mascar_saturation::default();
                    done(gpusched_mascar_l1_state(sm, src, mshr, missq, &mut saturation))?;
                    let gpusched_mascar_saturation { flag: up, mode } = saturation;
                    Ok(Answer::Saturation(Saturation { flag: flag(up), mode: one_of(mode, &MODE) }))
                }
                Event::Pick { now, lsu_accept, comp_accept } => {
                    let mut decision = gpusched_mascar_decision::default();
                    // One mask that is too wide has another meaning in C.
                    let accept = comp_accept.map_or(GPUSCHED_MASCAR_ALL, |mask| mask.min(GPUSCHED_MASCAR_ALL - 1));
                    done(gpusched_mascar_pick(sm, now.0, lsu_accept.into(), accept, &mut decision))?;
                    Ok(Answer::Pick(pick(&decision)))
                }
                Event::LsuBegin { w, nreq, dst } => {
                    done(gpusched_mascar_lsu_begin(sm, w.into(), nreq, dst))?;
                    Ok(Answer::Done)
                }
                Event::LsuNext => {
                    let mut next = gpusched_mascar_next::default();
                    done(gpusched_mascar_lsu_next(sm, &mut next))?;
                    Ok(Answer::Next(presented(&next)))
                }
                Event::LsuReply { result, room, request } => {
                    let result = result.map_or(UNKNOWN, |result| code(result, &LOOKUP));
                    let request = request.map(gpusched_mascar_request::from);
                    let request = request.as_ref().map_or(ptr::null(), ptr::from_ref);
                    let mut told = gpusched_mascar_reply::default();
                    done(gpusched_mascar_lsu_reply(sm, result, room.into(), request, &mut told))?;
                    Ok(Answer::Reply(reply(&told)))
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
        let state: gpusched_mascar_state = object.ask(gpusched_mascar_get_state);
        let head = |w: WarpId| {
            let warp: gpusched_mascar_warp = expect(object.row(gpusched_mascar_get_warp, w.into()));
            let queued = (0..state.rexq).any(|i| entry(object, i).warp == w);
            assert_eq!(flag(warp.has_requests), queued || state.lsu_warp == u32::from(w.0));
            let (ready, dep_load) = (flag(warp.ready), flag(warp.dep_load));
            (w, Head { kind: one_of(warp.kind, &KIND), ready, dep_load })
        };
        let none: Result<gpusched_mascar_entry, _> = object.row(gpusched_mascar_get_rexq, state.rexq);
        assert_eq!(none.err(), Some(Status::BadIndex));
        let states = [
            (gpusched_mascar_lsu::Idle as u32, LsuState::Idle),
            (gpusched_mascar_lsu::Await as u32, LsuState::Await),
            (gpusched_mascar_lsu::Busy as u32, LsuState::Busy),
            (gpusched_mascar_lsu::Blocked as u32, LsuState::Blocked),
        ];
        let sources = [
            (gpusched_mascar_src::Idle as u32, None),
            (gpusched_mascar_src::New as u32, Some(Presented::New)),
            (gpusched_mascar_src::Blocked as u32, Some(Presented::Blocked)),
            (gpusched_mascar_src::Rexq as u32, Some(Presented::Rexq)),
        ];
        View {
            mode: one_of(state.mode, &MODE),
            flags: (0..self.config.sources.caches().len()).map(|s| state.flags >> s & 1 == 1).collect(),
            owner: number(state.owner).map(WarpId),
            acquired: time(state.acquired).map(Cycle),
            barred: number(state.barred).map(WarpId),
            resident: state.resident,
            wst_mem: state.wst_mem,
            wst_stall: state.wst_stall,
            leftover: state.leftover,
            last: state.last[..self.config.schedulers as usize].iter().map(|&w| number(w).map(WarpId)).collect(),
            lsu: LsuView {
                state: one_of(state.lsu, &states),
                warp: number(state.lsu_warp).map(WarpId),
                left: narrow(state.lsu_left),
            },
            presented: one_of(state.presented, &sources),
            rexq: (0..state.rexq).map(|i| entry(object, i)).collect(),
            heads: warps(state.resident).map(head).collect(),
            by_age: object.list(gpusched_mascar_by_age).into_iter().map(|w: u32| WarpId(narrow(w))).collect(),
            picked: time(state.picked).map(Cycle),
            next_event: time(object.ask(gpusched_mascar_next_event)).map(Cycle),
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
pub fn image_config(image: &[u8]) -> Result<MascarConfig, Status> {
    let told = object::image_config(gpusched_mascar_image_config, image, c_config(&MascarConfig::LRR))?;
    Ok(core_config(&told))
}

fn request(c: &gpusched_mascar_request) -> Request {
    let &gpusched_mascar_request { base, mask, offs } = c;
    Request { base, mask, offs: Offsets(offs) }
}

fn entry(object: &Object<gpusched_mascar>, index: u32) -> Entry {
    let c: gpusched_mascar_entry = expect(object.row(gpusched_mascar_get_rexq, index));
    Entry { warp: WarpId(narrow(c.warp)), dst: narrow(c.dst), request: request(&c.request) }
}

/// The decision that C's record tells.
pub(crate) fn pick(decision: &gpusched_mascar_decision) -> Pick {
    let &gpusched_mascar_decision { mode, owner, released, why, granted, via, count, issues } = decision;
    let whys = [
        (gpusched_mascar_why::None as u32, None),
        (gpusched_mascar_why::Dep as u32, Some(Why::Dep)),
        (gpusched_mascar_why::Sync as u32, Some(Why::Sync)),
        (gpusched_mascar_why::Timeout as u32, Some(Why::Timeout)),
        (gpusched_mascar_why::Rescue as u32, Some(Why::Rescue)),
    ];
    let vias = [
        (gpusched_mascar_via::None as u32, None),
        (gpusched_mascar_via::Issue as u32, Some(Via::Issue)),
        (gpusched_mascar_via::Queue as u32, Some(Via::Queue)),
    ];
    let pipes = [(gpusched_mascar_pipe::Comp as u32, Pipe::Comp), (gpusched_mascar_pipe::Mem as u32, Pipe::Mem)];
    let (released, granted) = (number(released).map(WarpId), number(granted).map(WarpId));
    let (why, via) = (one_of(why, &whys), one_of(via, &vias));
    assert_eq!((released.is_some(), granted.is_some()), (why.is_some(), via.is_some()), "a change has a reason");
    assert!(issues[count as usize..].iter().all(|rest| *rest == gpusched_mascar_issue::default()));
    let issue = |c: &gpusched_mascar_issue| Issue {
        sched: narrow(c.sched),
        warp: WarpId(narrow(c.warp)),
        pipe: one_of(c.pipe, &pipes),
    };
    Pick {
        mode: one_of(mode, &MODE),
        owner: number(owner).map(WarpId),
        released: released.zip(why).map(|(warp, why)| Released { warp, why }),
        granted: granted.zip(via).map(|(warp, via)| Granted { warp, via }),
        issues: issues[..count as usize].iter().map(issue).collect(),
    }
}

fn presented(next: &gpusched_mascar_next) -> Next {
    const IDLE: u32 = gpusched_mascar_src::Idle as u32;
    const NEW: u32 = gpusched_mascar_src::New as u32;
    const BLOCKED: u32 = gpusched_mascar_src::Blocked as u32;
    const REXQ: u32 = gpusched_mascar_src::Rexq as u32;
    let warp = number(next.warp).map(WarpId);
    let unused = gpusched_mascar_request::default();
    let entry = || Entry { warp: expect_warp(warp), dst: narrow(next.dst), request: request(&next.request) };
    match next.src {
        IDLE => {
            assert_eq!((warp, next.index, next.dst, next.request), (None, 0, 0, unused));
            Next::Idle
        }
        NEW => {
            assert_eq!((next.dst, next.request), (0, unused));
            Next::New { warp: expect_warp(warp), index: narrow(next.index) }
        }
        BLOCKED => Next::Blocked(entry()),
        REXQ => Next::Rexq(entry()),
        other => panic!("{other} is no source"),
    }
}

fn expect_warp(warp: Option<WarpId>) -> WarpId {
    warp.expect("a request has a warp")
}

fn reply(c: &gpusched_mascar_reply) -> Reply {
    let actions = [
        (gpusched_mascar_action::Accepted as u32, Action::Accepted),
        (gpusched_mascar_action::Queued as u32, Action::Queued),
        (gpusched_mascar_action::Blocked as u32, Action::Blocked),
        (gpusched_mascar_action::Popped as u32, Action::Popped),
        (gpusched_mascar_action::Recycled as u32, Action::Recycled),
    ];
    let &gpusched_mascar_reply { ack, to_l2, action, unblocked } = c;
    Reply { ack: flag(ack), to_l2: flag(to_l2), action: one_of(action, &actions), unblocked: flag(unblocked) }
}
