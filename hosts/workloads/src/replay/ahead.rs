//! The TBs of a program's traces, in their order: read when they start, or before that, on a thread of their own.

use super::code;
use super::decode::{Decoder, Script};
use super::opcodes::Opcodes;
use super::pages::Pages;
use gpusched_traces::{Event, Header, Kernel, Program, TraceError, Traced};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::thread;

/// A thread that reads hands over so many instructions at a time, or more, if a TB has more.
const BATCH: usize = 1 << 14;
/// So many times it does before it waits: a million instructions of `bfs` took 20 MB.
const BATCHES: usize = 64;

/// What the traces have next.
#[derive(Debug)]
enum Read {
    /// The TB with this linear index, with its warps.
    Tb(u64, Vec<Script>),
    /// The end of a kernel.
    End,
}

type Reads = Box<dyn Iterator<Item = Result<Read, TraceError>>>;

/// The way through the traces of a program. It holds the TBs that it has passed and that have not started: none, or few, as they start in
/// the order of the trace.
pub struct Ahead {
    reads: Reads,
    /// The index behind the last TB that was read of the kernel that runs; all, when its trace is over.
    passed: u64,
    /// Warps of TBs that have been read.
    pub(super) waiting: HashMap<u64, Vec<Script>>,
}

impl fmt::Debug for Ahead {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Ahead").field("passed", &self.passed).field("waiting", &self.waiting).finish_non_exhaustive()
    }
}

impl Ahead {
    /// Before the first kernel; TBs will be read when they start.
    pub fn new(program: Arc<Program>) -> Self {
        Self::of(Box::new(Reader::new(program)))
    }

    /// Before the first kernel, whose TBs a thread begins to read, if the system has one to give.
    pub fn beside(program: Arc<Program>) -> Self {
        let (to, from) = sync_channel(BATCHES);
        let again = Arc::clone(&program);
        let read = move || {
            let (mut batch, mut held) = (Vec::new(), 0);
            for read in Reader::new(program) {
                let warps = if let Ok(Read::Tb(_, warps)) = &read { warps.as_slice() } else { &[] };
                held += warps.iter().map(Script::len).sum::<usize>();
                let is_whole = held >= BATCH || !matches!(read, Ok(Read::Tb(..)));
                batch.push(read);
                // Nobody listens any more when the run is over.
                if is_whole && to.send(std::mem::take(&mut batch)).is_err() {
                    break;
                }
                held = if is_whole { 0 } else { held };
            }
        };
        match thread::Builder::new().name("trace".to_owned()).spawn(read) {
            Ok(_) => Self::of(Box::new(from.into_iter().flatten())),
            Err(_) => Self::new(again),
        }
    }

    fn of(reads: Reads) -> Self {
        Self { reads, passed: u64::MAX, waiting: HashMap::new() }
    }

    /// On to the next kernel.
    pub fn next_kernel(&mut self) -> Result<(), TraceError> {
        while self.passed < u64::MAX {
            self.advance()?;
        }
        self.waiting.clear();
        self.passed = 0;
        Ok(())
    }

    /// What a warp of a TB executes, once; nothing, if the trace has none. Warps of a TB are asked for in ascending order.
    pub fn take(&mut self, tb: u64, warp: u32) -> Result<Script, TraceError> {
        while self.passed <= tb {
            self.advance()?;
        }
        let Some(warps) = self.waiting.get_mut(&tb) else { return Ok(Script::default()) };
        let script = warps.get_mut(warp as usize).map(std::mem::take).unwrap_or_default();
        if warp as usize + 1 >= warps.len() {
            self.waiting.remove(&tb);
        }
        Ok(script)
    }

    fn advance(&mut self) -> Result<(), TraceError> {
        self.passed = match self.reads.next().transpose()? {
            Some(Read::Tb(tb, warps)) => {
                self.waiting.insert(tb, warps);
                tb + 1
            }
            Some(Read::End) | None => u64::MAX,
        };
        Ok(())
    }
}

/// Reads the traces of a program from the first TB to the last. Behind an error there is nothing.
struct Reader {
    program: Arc<Program>,
    /// The kernel that is being read, or that is next.
    number: usize,
    opened: Option<Opened>,
    pages: Pages,
}

/// A kernel whose trace is being read.
struct Opened {
    kernel: Kernel<'static>,
    header: Header,
    opcodes: Opcodes,
    code: u32,
}

impl Reader {
    fn new(program: Arc<Program>) -> Self {
        Self { program, number: 0, opened: None, pages: Pages::default() }
    }

    fn read(&mut self) -> Result<Option<Read>, TraceError> {
        let Some(Traced { file, .. }) = self.program.kernels.get(self.number) else { return Ok(None) };
        let opened = match &mut self.opened {
            Some(opened) => opened,
            none => {
                let kernel = Kernel::open(file)?;
                let (header, code) = (kernel.header().clone(), code(&self.program, self.number) as u32);
                none.insert(Opened { kernel, opcodes: Opcodes::of(header.binary_version), header, code })
            }
        };
        loop {
            match opened.kernel.next()? {
                Some(Event::Tb(place)) => {
                    let tb = place.index;
                    return opened.read_tb(&mut self.pages).map(|warps| Some(Read::Tb(tb, warps)));
                }
                Some(_) => {}
                None => {
                    (self.opened, self.number) = (None, self.number + 1);
                    return Ok(Some(Read::End));
                }
            }
        }
    }
}

impl Opened {
    /// Reads the warps of a TB, up to its end.
    fn read_tb(&mut self, pages: &mut Pages) -> Result<Vec<Script>, TraceError> {
        let Self { kernel, header, opcodes, code } = self;
        let mut warps = Vec::with_capacity(header.warps() as usize);
        let (mut decoder, mut left) = (None, 0);
        loop {
            match kernel.next()? {
                Some(Event::Warp { warp, instructions }) => {
                    warps.extend(decoder.take().map(Decoder::finish));
                    warps.resize_with(warp as usize, Script::default);
                    decoder = Some(Decoder::new(header, *code, &mut *opcodes, &mut *pages));
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
        Ok(warps)
    }
}

impl Iterator for Reader {
    type Item = Result<Read, TraceError>;

    fn next(&mut self) -> Option<Self::Item> {
        let read = self.read();
        if read.is_err() {
            (self.opened, self.number) = (None, usize::MAX);
        }
        read.transpose()
    }
}
