//! The trace of one kernel, from its head to its last TB.

use crate::error::{TraceError, Wrong};
use crate::header::Header;
use crate::instruction::Instruction;
use crate::lines::Lines;
use crate::words::{decimal, quoted, triple};
use std::io::Read;
use std::path::Path;

/// The trace of a kernel. It holds one line, however long the trace is.
#[derive(Debug)]
pub struct Kernel<'a> {
    lines: Lines<'a>,
    header: Header,
    /// Whether the line that was read last has not been looked at: the head ends before it.
    peeked: bool,
    at: At,
    /// TBs that have been there, and the linear index behind the last of them.
    tbs: u64,
    next: u64,
    instruction: Instruction,
}

/// What comes next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum At {
    /// A TB, or the end.
    Outside,
    /// A warp of this TB, or its end. None: its place has not been told.
    Inside { warps: Option<u32> },
    /// So many instructions of a warp, the number of which is one less than `warps`.
    Warp { warps: u32, left: u64 },
}

/// Where a TB is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// Its coordinates in the grid.
    pub tb: [u32; 3],
    /// Its linear index there, x fastest.
    pub index: u64,
}

/// What a trace tells next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event<'a> {
    /// A TB begins. TBs come in the order of their linear indices, each once; those that executed nothing may be missing.
    Tb(Place),
    /// The cluster that the TB is in, and its rank there.
    Cluster {
        /// The cluster's coordinates.
        id: [u32; 3],
        /// The TB's number in it.
        rank: u32,
    },
    /// A warp of the TB begins. Warps come in ascending order, each once; those that executed nothing may be missing.
    Warp {
        /// Its number in the TB.
        warp: u32,
        /// Instructions that follow.
        instructions: u64,
    },
    /// The warp's next instruction.
    Instruction(&'a Instruction),
    /// The TB ends.
    TbEnd,
}

impl Kernel<'static> {
    /// Opens a trace and reads its head.
    ///
    /// # Errors
    /// A file that cannot be read, and a head that is wrong.
    pub fn open(path: &Path) -> Result<Self, TraceError> {
        Self::of(Lines::open(path)?)
    }
}

impl<'a> Kernel<'a> {
    /// Reads a trace from elsewhere than a file; `name` is what errors call it.
    ///
    /// # Errors
    /// As [`open`](Kernel::open).
    pub fn read(name: impl Into<String>, source: impl Read + 'a) -> Result<Self, TraceError> {
        Self::of(Lines::read(name, source)?)
    }

    fn of(mut lines: Lines<'a>) -> Result<Self, TraceError> {
        let header = Header::read(&mut lines)?;
        let instruction = Instruction::default();
        Ok(Self { lines, header, peeked: true, at: At::Outside, tbs: 0, next: 0, instruction })
    }

    /// What the trace says of the kernel.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// TBs that have begun so far.
    pub fn tbs(&self) -> u64 {
        self.tbs
    }

    /// What comes next; none at the end of the trace.
    ///
    /// # Errors
    /// A line that is wrong where it is, and a file that ends within a TB.
    #[expect(clippy::should_implement_trait, reason = "its items borrow from it")]
    pub fn next(&mut self) -> Result<Option<Event<'_>>, TraceError> {
        loop {
            if !std::mem::take(&mut self.peeked) && self.lines.advance()?.is_none() {
                return match self.at {
                    At::Outside => Ok(None),
                    At::Inside { .. } => Err(self.lines.wrong(Wrong::new("#END_TB", "the end of the file"))),
                    At::Warp { left, .. } => {
                        let expected = format!("{left} instructions more of this warp");
                        Err(self.lines.wrong(Wrong::new(expected, "the end of the file")))
                    }
                };
            }
            if let At::Warp { warps, left } = self.at {
                self.instruction.read(self.lines.text(), self.header.form).map_err(|wrong| self.lines.wrong(wrong))?;
                self.at = if left > 1 { At::Warp { warps, left: left - 1 } } else { At::Inside { warps: Some(warps) } };
                return Ok(Some(Event::Instruction(&self.instruction)));
            }
            if let Some(event) = self.outside_a_warp()? {
                return Ok(Some(event));
            }
        }
    }

    /// What a line says that is no instruction; none if that is nothing yet.
    fn outside_a_warp(&mut self) -> Result<Option<Event<'static>>, TraceError> {
        let line = self.lines.text();
        match (self.at, line) {
            (At::Outside, "#BEGIN_TB") => {
                self.at = At::Inside { warps: None };
                return Ok(None);
            }
            (At::Inside { warps: Some(_) }, "#END_TB") => {
                self.at = At::Outside;
                return Ok(Some(Event::TbEnd));
            }
            // Remarks, such as the one on the form of lines.
            (At::Outside, line) if line.starts_with('#') && line != "#END_TB" => return Ok(None),
            (At::Outside, _) => return Err(self.lines.wrong(Wrong::new("#BEGIN_TB", quoted(line)))),
            _ => {}
        }
        let expected = match self.at {
            At::Inside { warps: None } => "thread block = X,Y,Z",
            _ => "warp = NUMBER, or #END_TB",
        };
        let wrong = || self.lines.wrong(Wrong::new(expected, quoted(line)));
        let (key, value) = line.split_once('=').ok_or_else(wrong)?;
        let (key, value) = (key.trim(), value.trim().to_owned());
        match (self.at, key) {
            (At::Inside { warps: None }, "thread block") => {
                let begun = self.begin_tb(&value);
                self.here(begun).map(Some)
            }
            (At::Inside { warps: Some(0) }, "cluster id") => {
                let id = self.here(triple(&value, "a cluster X,Y,Z"))?;
                self.rank_of(id).map(Some)
            }
            (At::Inside { warps: Some(warps) }, "warp") => self.begin_warp(&value, warps),
            _ => Err(wrong()),
        }
    }

    fn begin_tb(&mut self, value: &str) -> Result<Event<'static>, Wrong> {
        let tb = triple(value, "a TB X,Y,Z")?;
        let [x, y, z] = tb.map(u64::from);
        let [nx, ny, nz] = self.header.grid.map(u64::from);
        if x >= nx || y >= ny || z >= nz {
            return Err(Wrong::new(format!("a TB of the grid {nx},{ny},{nz}"), quoted(value)));
        }
        let index = x + nx * (y + ny * z);
        if index < self.next {
            let expected = "a TB behind the one before, as each comes once and in order";
            return Err(Wrong::new(expected, quoted(value)));
        }
        self.tbs += 1;
        self.next = index + 1;
        self.at = At::Inside { warps: Some(0) };
        Ok(Event::Tb(Place { tb, index }))
    }

    /// What the next line says of `key`.
    fn value_of(&mut self, key: &str, form: &str) -> Result<String, TraceError> {
        let expected = || format!("{key} = {form}");
        if self.lines.advance()?.is_none() {
            return Err(self.lines.wrong(Wrong::new(expected(), "the end of the file")));
        }
        let line = self.lines.text();
        let value = line.split_once('=').filter(|(word, _)| word.trim() == key);
        self.here(value.map(|(_, value)| value.trim().to_owned()).ok_or_else(|| Wrong::new(expected(), quoted(line))))
    }

    /// The two lines that follow on that of the cluster: the TB's coordinates in it, and its rank.
    fn rank_of(&mut self, id: [u32; 3]) -> Result<Event<'static>, TraceError> {
        let place = self.value_of("cluster cta", "...")?;
        self.here(triple(&place, "a TB of the cluster X,Y,Z"))?;
        let rank = self.value_of("cluster rank", "...")?;
        Ok(Event::Cluster { id, rank: self.here(decimal(&rank, "a number in the cluster"))? })
    }

    /// The line of a warp and the one that follows on it. A warp without instructions is none.
    fn begin_warp(&mut self, value: &str, warps: u32) -> Result<Option<Event<'static>>, TraceError> {
        let warp = self.here(decimal::<u32>(value, "a number of a warp"))?;
        let all = self.header.warps();
        if !(warps..all).contains(&warp) {
            let expected = format!("a warp from {warps} to {}, each once and in order", all - 1);
            return Err(self.lines.wrong(Wrong::new(expected, warp.to_string())));
        }
        let count = self.value_of("insts", "NUMBER")?;
        let instructions = self.here(decimal(&count, "a number of instructions"))?;
        let warps = warp + 1;
        self.at = match instructions {
            0 => At::Inside { warps: Some(warps) },
            left => At::Warp { warps, left },
        };
        Ok((instructions > 0).then_some(Event::Warp { warp, instructions }))
    }

    /// What is wrong, as of the line that was read last.
    fn here<T>(&self, found: Result<T, Wrong>) -> Result<T, TraceError> {
        found.map_err(|wrong| self.lines.wrong(wrong))
    }
}
