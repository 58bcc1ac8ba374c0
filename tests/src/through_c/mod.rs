//! Machines as a C program has them: memory of exactly the size that the layout asks for, the functions of `gpusched-abi`, and
//! nothing else. What they write is turned back into the core's terms, so that both can be given the same events and compared.
//!
//! Here is the front end; [`laperm`], [`bubble`], [`dgb`] and [`mascar`] are the machines that stand alone.
//!
//! [`Machine::take`] reads all decisions after each call, as most hosts do, and stops at every sample of the occupancy-bubble
//! controller to read its record. [`ThroughC::call`] leaves them where they are, for tests of what happens when they are not read.
#![allow(unsafe_code, reason = "this is the C program: it calls what only a C program would call")]

pub mod alone;
pub mod apogee;
pub mod bubble;
pub mod catalogue;
pub mod coalescer;
pub mod dgb;
pub mod equalizer_fm;
pub mod equalizer_sm;
pub mod laperm;
pub mod mascar;
pub mod models;
pub mod monte;
pub mod scoreboard;
pub mod stack;
pub mod tlp;
pub mod tlp_leftover;
pub mod tlp_pool;
pub mod tlp_sm;
pub mod tlp_smart_even;
pub mod tlp_smc;

mod config;
mod decision;
mod frontend;
mod image;
mod look;
mod object;
mod parts;
mod records;
mod seam;
mod told;
mod trace;

use std::ptr;

use gpusched::power::Sample;
use gpusched::{Config, ContextSpec, Cycle, Decision, KernelSlot, RecordId, TbPlacement, Words};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::convert::ToC;
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::dgb::*;
use gpusched_abi::frontend::*;
use gpusched_abi::status::gpusched_status as Status;

pub use image::image_config;
pub use object::{Block, Object, fault};

use object::done;
use told::told;

use crate::bubble::View as BubbleView;
use crate::calls::frontend::Queries;
use crate::dats::view::View as DgbView;
use crate::dats::{self as graph, Answered};
use crate::events::{Answer, Event, Value};
use crate::machine::Machine;
use crate::view::{Parts, View};

/// A front end that lives in a block and is reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_frontend>,
    config: Config,
    /// Decisions that were read and not handed on.
    read: Vec<(Cycle, Decision)>,
    /// Records of samples among them.
    samples: Vec<(Cycle, Sample)>,
    trace: Option<trace::Trace>,
    /// The last TB that was sent in the cycle that was begun.
    sent: Option<TbPlacement>,
}

/// Decisions that a C host of these tests has room for when it reads.
const BATCH: usize = 5;

impl ThroughC {
    /// A front end whose queue takes `decisions`, and at least what one call can decide (0: what one cycle can).
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If C has no form for the configuration, or the object tells another one than it was given.
    pub fn new(config: &Config, decisions: u32) -> Result<Self, Status> {
        let given = c_config(config, decisions);
        let object = Object::new(&given, gpusched_frontend_layout, gpusched_frontend_init)?;
        let mut told = c_config(&Config::K20C, 0);
        // SAFETY: both live.
        let status = unsafe { gpusched_frontend_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!(status, Status::Ok);
        assert!(told.decisions >= decisions);
        told.decisions = decisions;
        assert_eq!(told, given);
        let built = Self { object, config: *config, read: Vec::new(), samples: Vec::new(), trace: None, sent: None };
        built.check_parts();
        Ok(built)
    }

    /// The pointer that a C program has.
    #[must_use]
    pub fn frontend(&self) -> *mut gpusched_frontend {
        self.object.c()
    }

    /// Bytes that the object lives in.
    #[must_use]
    pub fn size(&self) -> usize {
        self.object.size()
    }

    /// Makes a call and leaves the decisions in the queue, except those that a run must read to go on.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event) -> Result<Value, Status> {
        let fe = self.frontend();
        let mut number = 0;
        // SAFETY: all pointers are of living values, arrays have the length that is told.
        let status = unsafe {
            match *event {
                Event::HostLaunch { stream, ref descriptor, retain } => {
                    let kernel = descriptor.to_c();
                    gpusched_frontend_host_launch(fe, stream, &kernel, retain.into(), &mut number)
                }
                Event::HostLaunchGraph { stream, ref descriptor, retain, ref graph } => {
                    let (kernel, graph) = (descriptor.to_c(), graph.to_c());
                    gpusched_frontend_host_launch_graph(fe, stream, &kernel, retain.into(), &graph, &mut number)
                }
                Event::HostLaunchDependent { stream, ref descriptor, retain } => {
                    let kernel = descriptor.to_c();
                    gpusched_frontend_host_launch_dependent(fe, stream, &kernel, retain.into(), &mut number)
                }
                Event::HostLaunchGraphDependent { stream, ref descriptor, retain, ref graph } => {
                    let (kernel, graph) = (descriptor.to_c(), graph.to_c());
                    let retain = retain.into();
                    gpusched_frontend_host_launch_graph_dependent(fe, stream, &kernel, retain, &graph, &mut number)
                }
                Event::HostLaunchCross { stream, ref producers, retain, is_dependent, ref graph, ref consumers } => {
                    let (first, graph, second) = (producers.to_c(), graph.to_c(), consumers.to_c());
                    let launch = if is_dependent {
                        gpusched_frontend_host_launch_cross_dependent
                    } else {
                        gpusched_frontend_host_launch_cross
                    };
                    launch(fe, stream, &first, retain.into(), &graph, &second, &mut number)
                }
                Event::KgraphDefine { ref nodes, ref edges } => {
                    let nodes = nodes.iter().map(ToC::to_c).collect::<Vec<_>>();
                    let edges = edges.iter().map(ToC::to_c).collect::<Vec<_>>();
                    let ((nodes, n), (edges, m)) = ((nodes.as_ptr(), nodes.len()), (edges.as_ptr(), edges.len()));
                    gpusched_frontend_kgraph_define(fe, nodes, n, edges, m, &mut number)
                }
                Event::KgraphLaunch { graph, stream } => {
                    gpusched_frontend_kgraph_launch(fe, graph, stream, &mut number)
                }
                Event::KgraphDestroy(graph) => gpusched_frontend_kgraph_destroy(fe, graph),
                Event::TbTrigger { smx, slot } => gpusched_frontend_tb_trigger(fe, smx, slot),
                Event::TbWait { smx, slot } => gpusched_frontend_tb_wait(fe, smx, slot),
                Event::GraphPoll | Event::GraphNodes(..) | Event::GraphEdges(..) | Event::GraphSpilled(_) => {
                    return self.graph(event).map(Value::Graph);
                }
                Event::AbortGraph(kde) => gpusched_frontend_abort_graph(fe, kde),
                Event::DeviceLaunch { smx, slot, ref kernels } => {
                    let kernels = kernels.iter().map(ToC::to_c).collect::<Vec<_>>();
                    return launched(kernels.len(), |count, records| {
                        gpusched_frontend_device_launch(fe, smx, slot, kernels.as_ptr(), count, records)
                    });
                }
                Event::DeviceLaunchNamed { smx, slot, ref launches } => {
                    let launches = launches.iter().map(ToC::to_c).collect::<Vec<_>>();
                    return launched(launches.len(), |count, records| {
                        gpusched_frontend_device_launch_named(fe, smx, slot, launches.as_ptr(), count, records)
                    });
                }
                Event::AggLaunch { smx, slot, ref groups } => {
                    let groups = groups.iter().map(ToC::to_c).collect::<Vec<_>>();
                    return launched(groups.len(), |count, records| {
                        gpusched_frontend_agg_launch(fe, smx, slot, groups.as_ptr(), count, records)
                    });
                }
                Event::TbDone { smx, slot } => gpusched_frontend_tb_done(fe, smx, slot),
                Event::Unretain(kde) => gpusched_frontend_unretain(fe, kde),
                Event::Suspend(kde) => gpusched_frontend_suspend(fe, kde, &mut number),
                Event::Resume(index) => gpusched_frontend_resume(fe, index),
                Event::Refilled(tag) => gpusched_frontend_refilled(fe, tag),
                Event::SpillLoaded(record) => gpusched_frontend_spill_loaded(fe, record),
                Event::SetEligible(set) => gpusched_frontend_set_eligible(fe, &set.to_c()),
                Event::SetBlockCap { smx, cap } => gpusched_frontend_set_block_cap(fe, smx, cap),
                Event::SetClass { class, pc: Some(pc) } => gpusched_frontend_set_class(fe, class, pc),
                Event::SetClass { class, pc: None } => gpusched_frontend_clear_class(fe, class),
                Event::SetClassCap { class, smx, cap, by } => gpusched_frontend_set_class_cap(fe, class, smx, cap, by),
                Event::SetStream { stream, context, priority } => {
                    // The greatest number says that there is none; the one before it is as much beyond every range.
                    let given = |n: Option<u32>| n.map_or(GPUSCHED_NONE, |n| n.min(GPUSCHED_NONE - 1));
                    let (context, priority) = (given(context), given(priority));
                    gpusched_frontend_set_stream(fe, stream, context, priority)
                }
                Event::SetContext { context, smxs, gpcs, quota, kdes } => {
                    let spec = ContextSpec { smxs, gpcs, quota, kdes }.to_c();
                    gpusched_frontend_set_context(fe, context, &spec)
                }
                Event::Drain { smxs, context, kde } => {
                    let victim_kind = match (kde, context) {
                        (Some(_), _) => gpusched_victim_kind::Kernel,
                        (None, Some(_)) => gpusched_victim_kind::Context,
                        (None, None) => gpusched_victim_kind::All,
                    } as u32;
                    let (context, kde) = (context.unwrap_or_default(), kde.unwrap_or_default());
                    let victim = gpusched_victim { victim_kind, context, kde };
                    gpusched_frontend_drain(fe, &smxs.to_c(), &victim, &mut number)
                }
                Event::ReleaseDrain(drain) => gpusched_frontend_release_drain(fe, drain),
                Event::SaveKernel(kde) => {
                    let mut until = 0;
                    let status = gpusched_frontend_save_kernel(fe, kde, &mut until);
                    return done(status).map(|()| Value::Cycles(until));
                }
                Event::MaxActiveClusters { ref kernel, context } => {
                    gpusched_frontend_max_active_clusters(fe, &kernel.to_c(), context, &mut number)
                }
                Event::GpcOf(smx) => gpusched_frontend_gpc_of(fe, smx, &mut number),
                Event::Activity(ref per_smx) => gpusched_frontend_activity(fe, per_smx.as_ptr(), per_smx.len()),
                Event::Account(ref activity) => {
                    let (activity, count) = object::array(activity.as_deref());
                    gpusched_frontend_account(fe, activity, count)
                }
                Event::HasWork(class) => gpusched_frontend_has_work(fe, class, &mut number),
                Event::WaitingHead(start) => {
                    let mut head = gpusched_waiting_head::default();
                    let status = gpusched_frontend_waiting_head(fe, start, &mut head);
                    return done(status).map(|()| Value::Head(told(&head)));
                }
                Event::Tick => return self.tick().map(Value::Words),
                Event::Run(n) => return self.run(n).map(Value::Words),
                Event::Advance(until) => {
                    let mut words = gpusched_words::default();
                    let status = gpusched_frontend_advance(fe, until, &mut words);
                    return done(status).map(|()| Value::Words(told(&words)));
                }
                Event::Begin => {
                    let status = gpusched_frontend_begin(fe, &mut number);
                    return done(status).map(|()| Value::Kmu(told(&number)));
                }
                Event::Offers => return self.offers().map(Value::Offers),
                Event::Load(id) => gpusched_frontend_load(fe, id.to_c()),
                Event::Send { id, smx } => {
                    let mut tb = gpusched_placement::default();
                    let status = gpusched_frontend_send(fe, id.to_c(), smx, &mut tb);
                    done(status)?;
                    self.sent = Some(told(&tb));
                    return Ok(Value::Done);
                }
                Event::Split { id, at } => {
                    let status = gpusched_frontend_split(fe, id.to_c(), at, &mut number);
                    return done(status).map(|()| Value::Piece(told(&number)));
                }
                Event::End(ref wake) => {
                    let status =
                        gpusched_frontend_end(fe, wake.as_ref().map_or(ptr::null(), ptr::from_ref), &mut number);
                    done(status)?;
                    return Ok(Value::Sched(self.word(number)));
                }
                Event::Skip(to) => {
                    let mut cycles = 0;
                    let status = gpusched_frontend_skip(fe, to, &mut cycles);
                    return done(status).map(|()| Value::Cycles(cycles));
                }
                Event::NextEvent => return Ok(Value::Next(self.next_event())),
                Event::Save => return self.saved(),
            }
        };
        done(status)?;
        Ok(match event {
            Event::HostLaunch { .. }
            | Event::HostLaunchGraph { .. }
            | Event::HostLaunchDependent { .. }
            | Event::HostLaunchGraphDependent { .. }
            | Event::HostLaunchCross { .. }
            | Event::KgraphDefine { .. }
            | Event::KgraphLaunch { .. }
            | Event::Suspend(_)
            | Event::HasWork(_)
            | Event::Drain { .. }
            | Event::MaxActiveClusters { .. }
            | Event::GpcOf(_) => Value::Number(number),
            _ => Value::Done,
        })
    }

    /// A call to the dependency-graph buffer, which tells the details of a refusal.
    fn graph(&mut self, event: &Event) -> Result<Answered, Status> {
        let fe = self.frontend();
        let mut wrong = gpusched_dgb_error::default();
        let (mut request, mut report) = (gpusched_dgb_request::default(), gpusched_dgb_report::default());
        // SAFETY: all pointers are of living values, arrays have the length that is told.
        let status = unsafe {
            match event {
                Event::GraphPoll => gpusched_frontend_graph_poll(fe, &mut request, &mut wrong),
                Event::GraphNodes(tag, entries) => {
                    let (first, count) = (entries.as_ptr().cast(), entries.len());
                    gpusched_frontend_graph_nodes(fe, *tag, first, count, &mut report, &mut wrong)
                }
                Event::GraphEdges(tag, targets) => {
                    let (first, count) = (targets.as_ptr().cast(), targets.len());
                    gpusched_frontend_graph_edges(fe, *tag, first, count, &mut report, &mut wrong)
                }
                Event::GraphSpilled(tag) => gpusched_frontend_graph_spilled(fe, *tag, &mut report, &mut wrong),
                other => unreachable!("{other:?} is no call to the buffer"),
            }
        };
        Ok(match status {
            Status::Ok if *event == Event::GraphPoll => Ok(graph::Answer::Request(told(&request))),
            Status::Ok => Ok(graph::Answer::Report(told(&report))),
            Status::Unread => return Err(status),
            refused => Err(object::refusal(refused, &wrong)),
        })
    }

    fn tick(&mut self) -> Result<Words, Status> {
        let mut tick = gpusched_tick::default();
        // SAFETY: the object and the record live.
        done(unsafe { gpusched_frontend_tick(self.frontend(), &mut tick) })?;
        Ok(decision::tick(&tick))
    }

    /// `n` cycles: a run, and as many more as it takes when the queue fills. A run that ends with time itself takes a tick, too,
    /// since a limit at the last cycle means none.
    fn run(&mut self, n: u64) -> Result<Words, Status> {
        // Where the host decides no number of cycles is looked at.
        let is_told = self.config.told().is_some();
        let end = self.now().checked_add(if is_told { 0 } else { n }).ok_or(Status::TimeOverflow)?;
        let until = end.min(u64::MAX - 1);
        let mut all = Words::default();
        loop {
            let mut words = gpusched_words::default();
            // SAFETY: the object and the record live.
            done(unsafe { gpusched_frontend_run(self.frontend(), until, &mut words) })?;
            all += told(&words);
            if self.now() >= until {
                break;
            }
            self.read(usize::MAX);
        }
        if self.now() < end {
            self.read(usize::MAX);
            all += self.tick()?;
        }
        Ok(all)
    }

    /// `n` cycles, with the record of every sample: only the last one can be read, so each ends a call.
    fn run_by_samples(&mut self, n: u64) -> Result<Words, Status> {
        let end = self.now().checked_add(n).ok_or(Status::TimeOverflow)?;
        let mut all = Words::default();
        while self.now() < end {
            let last = self.now() == u64::MAX - 1;
            let event = if last { Event::Tick } else { Event::Advance(end.min(u64::MAX - 1)) };
            let Value::Words(words) = self.call(&event)? else { unreachable!("cycles answer with words") };
            all += words;
            self.listen();
        }
        Ok(all)
    }

    /// Reads everything, and the record of the sample among it.
    fn listen(&mut self) {
        let known = self.read.len();
        self.read(usize::MAX);
        let mut sampled = self.read[known..].iter().filter(|(_, d)| matches!(d, Decision::Sample { .. }));
        if let Some(&(at, _)) = sampled.next() {
            assert_eq!(sampled.next(), None, "only the last sample has a record");
            self.samples.push((at, self.last_sample().expect("there was a sample")));
        }
    }

    fn now(&self) -> u64 {
        self.object.ask(gpusched_frontend_now)
    }

    /// Decisions that wait in the queue.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.object.ask(gpusched_frontend_unread)
    }

    /// Reads at most so many decisions, in batches.
    ///
    /// # Panics
    /// If the object does not give as many as it has.
    pub fn read(&mut self, most: usize) {
        let mut left = most;
        while left > 0 {
            let (mut batch, capacity) = ([gpusched_decision::default(); BATCH], left.min(BATCH));
            let (waiting, mut count) = (self.unread(), 0);
            // SAFETY: the batch has room for `capacity`.
            let status = unsafe { gpusched_frontend_read(self.frontend(), batch.as_mut_ptr(), capacity, &mut count) };
            assert_eq!((status, count), (Status::Ok, waiting.min(capacity)));
            self.read.extend(batch[..count].iter().map(decision::decision));
            if count < capacity {
                return;
            }
            left -= count;
        }
    }

    /// All decisions so far that were not handed on, oldest first.
    pub fn decisions(&mut self) -> Vec<(Cycle, Decision)> {
        self.read(usize::MAX);
        std::mem::take(&mut self.read)
    }
}

/// A configuration as a C program writes it, with room for so many decisions.
#[must_use]
pub fn c_config(config: &Config, decisions: u32) -> gpusched_frontend_config {
    gpusched_frontend_config { decisions, ..frontend::c_config(config) }
}

impl Parts for ThroughC {
    fn bubble_view(&self) -> Option<BubbleView> {
        self.seen_bubble()
    }

    fn dgb_view(&self) -> Option<(DgbView, Option<KernelSlot>)> {
        self.seen_dgb()
    }
}

impl Machine for ThroughC {
    type Event = Event;
    type Answered = Answer;
    type View = View;
    /// What is seen, and what is saved if everything was read.
    type Mark = (View, Option<Vec<u8>>);

    fn take(&mut self, event: &Event) -> Answer {
        let value = match *event {
            Event::Run(n) if self.config.bubble.is_some() && self.config.told().is_none() => {
                self.run_by_samples(n).map(Value::Words)
            }
            _ => self.call(event),
        };
        self.listen();
        let samples = std::mem::take(&mut self.samples);
        Answer { value: value.map_err(fault), decisions: self.decisions(), samples }
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self::Mark {
        (View::of(self), self.image().ok())
    }
}

/// A launch command of `lanes` launches, and the records that it got.
fn launched(lanes: usize, launch: impl FnOnce(usize, *mut u32) -> Status) -> Result<Value, Status> {
    let mut records = vec![u32::MAX; lanes];
    done(launch(lanes, records.as_mut_ptr()))?;
    Ok(Value::Records(records.into_iter().map(RecordId).collect()))
}
