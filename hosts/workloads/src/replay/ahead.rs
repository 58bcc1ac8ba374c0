//! The TBs of a kernel's trace, read when they start.

use super::decode::{Decoder, Script};
use super::pages::Pages;
use gpusched_traces::{Event, Header, Kernel, TraceError};
use std::collections::HashMap;
use std::path::Path;

/// A kernel's trace on the way from its first TB to its last. It holds the TBs that the way has passed and that have not started: none, or
/// few, as they start in the order of the trace.
#[derive(Debug)]
pub struct Ahead {
    kernel: Kernel<'static>,
    header: Header,
    code: u32,
    /// A TB that has begun in the trace and that nobody has asked for yet.
    begun: Option<u64>,
    /// Warps of TBs that have been read.
    pub(super) waiting: HashMap<u64, Vec<Script>>,
}

impl Ahead {
    /// At the first TB of the trace in `file`; `code` tells apart the codes of kernels.
    pub fn open(file: &Path, code: u32) -> Result<Self, TraceError> {
        let kernel = Kernel::open(file)?;
        let header = kernel.header().clone();
        Ok(Self { kernel, header, code, begun: None, waiting: HashMap::new() })
    }

    /// What a warp of a TB executes, once; nothing, if the trace has none. Warps of a TB are asked for in ascending order.
    pub fn take(&mut self, tb: u64, warp: u32, pages: &mut Pages) -> Result<Script, TraceError> {
        while self.begun.is_none_or(|begun| begun <= tb) {
            match self.begun.take() {
                Some(begun) => self.read_tb(begun, pages)?,
                None => match self.kernel.next()? {
                    Some(Event::Tb(place)) => self.begun = Some(place.index),
                    Some(_) => {}
                    None => break,
                },
            }
        }
        let Some(warps) = self.waiting.get_mut(&tb) else { return Ok(Script::default()) };
        let script = warps.get_mut(warp as usize).map(std::mem::take).unwrap_or_default();
        if warp as usize + 1 >= warps.len() {
            self.waiting.remove(&tb);
        }
        Ok(script)
    }

    /// Reads the warps of a TB, up to its end.
    fn read_tb(&mut self, tb: u64, pages: &mut Pages) -> Result<(), TraceError> {
        let mut warps = Vec::with_capacity(self.header.warps() as usize);
        let (mut decoder, mut left) = (None, 0);
        loop {
            match self.kernel.next()? {
                Some(Event::Warp { warp, instructions }) => {
                    warps.extend(decoder.take().map(Decoder::finish));
                    warps.resize_with(warp as usize, Script::default);
                    decoder = Some(Decoder::new(&self.header, self.code, &mut *pages));
                    left = instructions;
                }
                Some(Event::Instruction(instruction)) => {
                    left -= 1;
                    if let Some(decoder) = &mut decoder {
                        decoder.take(instruction, left == 0);
                    }
                }
                Some(Event::Tb(_) | Event::Cluster { .. }) => {}
                Some(Event::TbEnd) | None => break,
            }
        }
        warps.extend(decoder.map(Decoder::finish));
        self.waiting.insert(tb, warps);
        Ok(())
    }
}
