//! The front end as a C program has it: memory of exactly the size that the layout asks for, the functions of `gpusched-abi`, and
//! nothing else. What they write is turned back into the core's terms, so that both can be given the same events and compared.
//!
//! [`Machine::take`] reads all decisions after each call, as most hosts do. [`ThroughC::call`] leaves them where they are, for
//! tests of what happens when they are not read.
#![allow(unsafe_code, reason = "this is the C program: it calls what only a C program would call")]

mod config;
mod image;
mod look;
mod records;
mod trace;

use std::alloc::{Layout, alloc, dealloc, handle_alloc_error};
use std::ptr;

use gpusched::{Config, Cycle, Decision, Fault, RecordId, Words};
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::frontend::build::{gpusched_frontend_init, gpusched_frontend_layout};
use gpusched_abi::frontend::complete::*;
use gpusched_abi::frontend::gates::*;
use gpusched_abi::frontend::gpusched_frontend;
use gpusched_abi::frontend::launch::*;
use gpusched_abi::frontend::query::*;
use gpusched_abi::frontend::time::*;
use gpusched_abi::frontend::view::{gpusched_smx_set, gpusched_waiting_head};
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::status::gpusched_status as Status;

pub use config::c_config;
pub use image::image_config;

use crate::events::{Answer, Event, Value};
use crate::machine::Machine;
use crate::view::View;

/// Memory of the caller, of an exact size, so that a sanitizer sees every step beyond it.
pub struct Block {
    start: *mut u8,
    layout: Layout,
}

impl Block {
    /// What malloc gives: memory with anything in it.
    ///
    /// # Panics
    /// If the layout is none.
    #[must_use]
    pub fn new(layout: gpusched_layout) -> Self {
        let layout = Layout::from_size_align(layout.size, layout.align).expect("an alignment is a power of two");
        // SAFETY: an object's layout is never empty.
        let start = unsafe { alloc(layout) };
        if start.is_null() {
            handle_alloc_error(layout);
        }
        // SAFETY: the block has this size.
        unsafe { start.write_bytes(0xa5, layout.size()) };
        Self { start, layout }
    }

    /// Its first byte.
    #[must_use]
    pub fn start(&self) -> *mut u8 {
        self.start
    }

    /// Its bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.layout.size()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        // SAFETY: it was allocated with this layout.
        unsafe { dealloc(self.start, self.layout) };
    }
}

/// A front end that lives in a block and is reached through C functions only.
pub struct ThroughC {
    block: Block,
    config: Config,
    /// Decisions that were read and not handed on.
    read: Vec<(Cycle, Decision)>,
    trace: Option<trace::Trace>,
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
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &Config, decisions: u32) -> Result<Self, Status> {
        let given = c_config(config, decisions);
        let mut layout = gpusched_layout::default();
        let mut frontend = ptr::null_mut();
        // SAFETY: all pointers are of living values; the block is kept as long as the object is used.
        let block = unsafe {
            done(gpusched_frontend_layout(&given, &mut layout))?;
            let block = Block::new(layout);
            done(gpusched_frontend_init(block.start().cast(), block.size(), &given, &mut frontend))?;
            block
        };
        let mut told = c_config(&Config::K20C, 0);
        // SAFETY: as above.
        let status = unsafe { gpusched_frontend_get_config(frontend, &mut told, size_of_val(&given)) };
        assert_eq!(status, Status::Ok);
        assert!(told.decisions >= decisions);
        told.decisions = decisions;
        assert_eq!(told, given);
        assert_eq!(frontend.cast(), block.start(), "the object is where the storage is");
        Ok(Self { block, config: *config, read: Vec::new(), trace: None })
    }

    /// The pointer that a C program has.
    #[must_use]
    pub fn frontend(&self) -> *mut gpusched_frontend {
        self.block.start().cast()
    }

    /// Bytes that the object lives in.
    #[must_use]
    pub fn size(&self) -> usize {
        self.block.size()
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
                    let kernel = records::kernel(descriptor);
                    gpusched_frontend_host_launch(fe, stream, &kernel, retain.into(), &mut number)
                }
                Event::DeviceLaunch { smx, slot, ref kernels } => {
                    let kernels = kernels.iter().map(records::kernel).collect::<Vec<_>>();
                    return launched(kernels.len(), |count, records| {
                        gpusched_frontend_device_launch(fe, smx, slot, kernels.as_ptr(), count, records)
                    });
                }
                Event::AggLaunch { smx, slot, ref groups } => {
                    let groups = groups.iter().map(records::group).collect::<Vec<_>>();
                    return launched(groups.len(), |count, records| {
                        gpusched_frontend_agg_launch(fe, smx, slot, groups.as_ptr(), count, records)
                    });
                }
                Event::TbDone { smx, slot } => gpusched_frontend_tb_done(fe, smx, slot),
                Event::Unretain(kde) => gpusched_frontend_unretain(fe, kde),
                Event::Suspend(kde) => gpusched_frontend_suspend(fe, kde, &mut number),
                Event::Resume(index) => gpusched_frontend_resume(fe, index),
                Event::SpillLoaded(record) => gpusched_frontend_spill_loaded(fe, record),
                Event::SetEligible(set) => gpusched_frontend_set_eligible(fe, &gpusched_smx_set { words: set.words() }),
                Event::SetBlockCap { smx, cap } => gpusched_frontend_set_block_cap(fe, smx, cap),
                Event::SetClass { class, pc: Some(pc) } => gpusched_frontend_set_class(fe, class, pc),
                Event::SetClass { class, pc: None } => gpusched_frontend_clear_class(fe, class),
                Event::SetClassCap { class, smx, cap, by } => gpusched_frontend_set_class_cap(fe, class, smx, cap, by),
                Event::Activity(ref per_smx) => gpusched_frontend_activity(fe, per_smx.as_ptr(), per_smx.len()),
                Event::HasWork(class) => gpusched_frontend_has_work(fe, class, &mut number),
                Event::WaitingHead(start) => {
                    let mut head = gpusched_waiting_head::default();
                    let status = gpusched_frontend_waiting_head(fe, start, &mut head);
                    return done(status).map(|()| Value::Head(records::head(&head)));
                }
                Event::Tick => return self.tick().map(Value::Words),
                Event::Run(n) => return self.run(n).map(Value::Words),
                Event::Advance(until) => {
                    let mut words = gpusched_words::default();
                    let status = gpusched_frontend_advance(fe, until, &mut words);
                    return done(status).map(|()| Value::Words(records::words(&words)));
                }
            }
        };
        done(status)?;
        Ok(match event {
            Event::HostLaunch { .. } | Event::Suspend(_) | Event::HasWork(_) => Value::Number(number),
            _ => Value::Done,
        })
    }

    fn tick(&mut self) -> Result<Words, Status> {
        let mut tick = gpusched_tick::default();
        // SAFETY: the object and the record live.
        done(unsafe { gpusched_frontend_tick(self.frontend(), &mut tick) })?;
        Ok(records::tick(&tick))
    }

    /// `n` cycles: a run, and as many more as it takes when the queue fills. A run that ends with time itself takes a tick, too,
    /// since a limit at the last cycle means none.
    fn run(&mut self, n: u64) -> Result<Words, Status> {
        let end = self.now().checked_add(n).ok_or(Status::TimeOverflow)?;
        let until = end.min(u64::MAX - 1);
        let mut all = Words::default();
        loop {
            let mut words = gpusched_words::default();
            // SAFETY: the object and the record live.
            done(unsafe { gpusched_frontend_run(self.frontend(), until, &mut words) })?;
            all += records::words(&words);
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

    fn now(&self) -> u64 {
        self.ask(gpusched_frontend_now)
    }

    /// Decisions that wait in the queue.
    #[must_use]
    pub fn unread(&self) -> usize {
        self.ask(gpusched_frontend_unread)
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
            self.read.extend(batch[..count].iter().map(records::decision));
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

    /// The answer of a query that always has one.
    fn ask<V: Default>(&self, query: unsafe extern "C" fn(*const gpusched_frontend, *mut V) -> Status) -> V {
        let mut value = V::default();
        // SAFETY: the object and the value live.
        let status = unsafe { query(self.frontend(), &mut value) };
        assert_eq!(status, Status::Ok);
        value
    }

    /// The answer of a query about a row.
    fn row<V: Default>(
        &self,
        query: unsafe extern "C" fn(*const gpusched_frontend, u32, *mut V) -> Status,
        row: u32,
    ) -> Result<V, Status> {
        let mut value = V::default();
        // SAFETY: the object and the value live.
        done(unsafe { query(self.frontend(), row, &mut value) })?;
        Ok(value)
    }

    /// The answer of a query about a row of a row.
    fn cell<V: Default>(
        &self,
        query: unsafe extern "C" fn(*const gpusched_frontend, u32, u32, *mut V) -> Status,
        row: u32,
        column: u32,
    ) -> Result<V, Status> {
        let mut value = V::default();
        // SAFETY: the object and the value live.
        done(unsafe { query(self.frontend(), row, column, &mut value) })?;
        Ok(value)
    }

    /// The answer of a query for a list.
    fn list<V: Default + Clone>(
        &self,
        query: unsafe extern "C" fn(*const gpusched_frontend, *mut V, usize, *mut usize) -> Status,
    ) -> Vec<V> {
        let mut length = 0;
        // SAFETY: the object and the number live, and an array of length 0 may be null.
        let status = unsafe { query(self.frontend(), ptr::null_mut(), 0, &mut length) };
        assert_eq!(status, if length == 0 { Status::Ok } else { Status::Capacity });
        let (mut list, mut count) = (vec![V::default(); length], 0);
        // SAFETY: the list has this length.
        let status = unsafe { query(self.frontend(), list.as_mut_ptr(), length, &mut count) };
        assert_eq!((status, count), (Status::Ok, length));
        list
    }
}

impl ThroughC {
    /// The next cycle whose tick decides something if no event comes before it.
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        records::time(self.ask(gpusched_frontend_next_event)).map(Cycle)
    }
}

impl Machine for ThroughC {
    /// What is seen, and what is saved if everything was read.
    type Mark = (View, Option<Vec<u8>>);

    fn take(&mut self, event: &Event) -> Answer {
        let value = self.call(event).map_err(fault);
        Answer { value, decisions: self.decisions(), samples: Vec::new() }
    }

    fn view(&self) -> View {
        self.look()
    }

    fn config(&self) -> Config {
        self.config
    }

    fn mark(&self) -> Self::Mark {
        (self.look(), self.image().ok())
    }
}

/// A status as a result.
fn done(status: Status) -> Result<(), Status> {
    if status == Status::Ok { Ok(()) } else { Err(status) }
}

/// The fault of the sheets with a status' number.
///
/// # Panics
/// If there is none: the status is a mistake of the caller.
#[must_use]
pub fn fault(status: Status) -> Fault {
    let found = Fault::ALL.iter().find(|fault| fault.code() == status as u32);
    *found.unwrap_or_else(|| panic!("{status:?} is no fault of the models"))
}

/// A launch command of `lanes` launches, and the records that it got.
fn launched(lanes: usize, launch: impl FnOnce(u32, *mut u32) -> Status) -> Result<Value, Status> {
    let mut records = vec![u32::MAX; lanes];
    done(launch(lanes as u32, records.as_mut_ptr()))?;
    Ok(Value::Records(records.into_iter().map(RecordId).collect()))
}
