//! The coalescer and the scoreboard as a C program has them.

use std::ptr;

use gpusched::Fault;
use gpusched::IdSet;
use gpusched::simt::coalesce::{CoalesceMode, CoalescerConfig, Segment};
use gpusched::simt::scoreboard::{Issue, Issued, RegId, ScoreboardConfig, Stall};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::simt::coalescer::*;
use gpusched_abi::simt::scoreboard::gpusched_scoreboard;
use gpusched_abi::simt::scoreboard::{build::*, config::*, image::*, query::*, verbs::*};
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, narrow, one_of};
use crate::simt::coalesce::{Access, Coalesced};
use crate::simt::scoreboard;

const MODE: [(u32, CoalesceMode); 2] = [
    (gpusched_coalesce_mode::Combine as u32, CoalesceMode::Combine),
    (gpusched_coalesce_mode::Legacy as u32, CoalesceMode::Legacy),
];

fields! {
    gpusched_scoreboard_config: put_scoreboard, get_scoreboard = ScoreboardConfig;
    numbers warps regs entries;
    choices;
    flags
}
fields! {
    gpusched_coalescer_config: put_coalescer, _get_coalescer = CoalescerConfig;
    numbers lanes segment;
    choices mode MODE;
    flags allow_misaligned
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_scoreboard_config(config: &ScoreboardConfig) -> gpusched_scoreboard_config {
    let struct_size = size_of::<gpusched_scoreboard_config>() as u32;
    let mut c = gpusched_scoreboard_config { struct_size, ..Default::default() };
    put_scoreboard(&mut c, config);
    c
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_coalescer_config(config: &CoalescerConfig) -> gpusched_coalescer_config {
    let struct_size = size_of::<gpusched_coalescer_config>() as u32;
    let mut c = gpusched_coalescer_config { struct_size, ..Default::default() };
    put_coalescer(&mut c, config);
    c
}

/// A scoreboard in a block, reached through C functions only.
pub struct Scoreboard {
    object: Object<gpusched_scoreboard>,
    config: ScoreboardConfig,
}

impl Scoreboard {
    /// A scoreboard of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &ScoreboardConfig) -> Result<Self, Status> {
        let given = c_scoreboard_config(config);
        let object = Object::new(&given, gpusched_scoreboard_layout, gpusched_scoreboard_init)?;
        let mut told = c_scoreboard_config(&ScoreboardConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_scoreboard_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_scoreboard_save, gpusched_scoreboard_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_scoreboard_restore, image)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Panics
    /// If an answer contradicts itself.
    pub fn call(&mut self, event: &scoreboard::Event) -> Result<scoreboard::Answer, Status> {
        let board = self.object.c();
        let (mut issue, mut dropped) = (gpusched_issue::default(), 0);
        let issued = |of: &gpusched_issue| Issued { pending: of.pending, mem_in_flight: of.mem_in_flight };
        // SAFETY: all pointers are of living values.
        unsafe {
            match event {
                scoreboard::Event::Issue { w, src, dst, mem } => {
                    let sources = if src.is_empty() { ptr::null() } else { src.as_ptr() };
                    let destination = dst.unwrap_or(GPUSCHED_NONE);
                    let memory = (*mem).into();
                    done(gpusched_scoreboard_issue(board, *w, sources, src.len(), destination, memory, &mut issue))?;
                    const RAW: u32 = gpusched_stall::Raw as u32;
                    const WAW: u32 = gpusched_stall::Waw as u32;
                    const FULL: u32 = gpusched_stall::Full as u32;
                    let stall = match issue.stall {
                        RAW => Some(Stall::Raw(RegId(narrow(issue.reg)))),
                        WAW => Some(Stall::Waw(RegId(narrow(issue.reg)))),
                        FULL => Some(Stall::Full),
                        none => {
                            assert_eq!((none, issue.reg), (gpusched_stall::None as u32, GPUSCHED_NONE));
                            None
                        }
                    };
                    let answer = stall.map_or_else(|| Issue::Issued(issued(&issue)), Issue::Stall);
                    Ok(scoreboard::Answer::Issue(answer))
                }
                scoreboard::Event::Writeback { w, reg } => {
                    done(gpusched_scoreboard_writeback(board, *w, *reg, &mut issue))?;
                    Ok(scoreboard::Answer::Written(issued(&issue)))
                }
                scoreboard::Event::Flush { w } => {
                    done(gpusched_scoreboard_flush(board, *w, &mut dropped))?;
                    Ok(scoreboard::Answer::Dropped(dropped))
                }
            }
        }
    }
}

impl scoreboard::Machine for Scoreboard {
    type Mark = (scoreboard::View, Vec<u8>);

    fn take(&mut self, event: &scoreboard::Event) -> Result<scoreboard::Answer, Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> scoreboard::View {
        let warp = |w| {
            let of: gpusched_warp_regs = expect(self.object.row(gpusched_scoreboard_warp, w));
            let memory = IdSet::<RegId>::from_words(of.memory);
            let pending = IdSet::<RegId>::from_words(of.pending);
            pending.iter().map(|reg| (reg.into(), memory.contains(reg))).collect()
        };
        scoreboard::View {
            pending: (0..self.config.warps).map(warp).collect(),
            mem_in_flight: self.object.ask(gpusched_scoreboard_mem_in_flight),
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
pub fn scoreboard_image_config(image: &[u8]) -> Result<ScoreboardConfig, Status> {
    let preset = c_scoreboard_config(&ScoreboardConfig::GTX480);
    Ok(get_scoreboard(&object::image_config(gpusched_scoreboard_image_config, image, preset)?))
}

/// The answer of C to an access.
///
/// # Errors
/// The sheet's named errors.
///
/// # Panics
/// If the list is not as long as is told.
pub fn coalesce(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let Access { mask, addrs, size } = access;
    let config = c_coalescer_config(config);
    let mut list = [gpusched_segment::default(); 128];
    let (mut count, mut coalesced) = (9999, 9);
    let addresses = if addrs.is_empty() { ptr::null() } else { addrs.as_ptr() };
    // SAFETY: all pointers are of living values.
    let mut call = |list: &mut [gpusched_segment]| unsafe {
        let (to, capacity) = (list.as_mut_ptr(), list.len());
        gpusched_coalesce(&config, *mask, addresses, addrs.len(), *size, to, capacity, &mut count, &mut coalesced)
    };
    done(call(&mut list)).map_err(fault)?;
    let n = count;
    if n > 0 {
        let mut short = vec![gpusched_segment::default(); n - 1];
        let mut call = |list: &mut [gpusched_segment]| unsafe {
            let (to, capacity) = (list.as_mut_ptr(), list.len());
            gpusched_coalesce(&config, *mask, addresses, addrs.len(), *size, to, capacity, &mut count, ptr::null_mut())
        };
        assert_eq!(call(&mut short), Status::Capacity);
        assert_eq!((count, &short[..]), (n, &list[..n - 1]));
    }
    let segs = list[..n].iter().map(|&gpusched_segment { base, lanes }| Segment { base, lanes }).collect();
    Ok(Coalesced { segs, coalesced: flag(coalesced) })
}
