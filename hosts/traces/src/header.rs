//! What a trace says of its kernel before the first TB.

use crate::error::{TraceError, Wrong};
use crate::isa::Space;
use crate::lines::Lines;
use crate::words::{decimal, hex, quoted, triple};

/// Bytes of the window that shared, and local, memory has among generic addresses: what 24 bits reach. Ours; the trace tells where the
/// windows begin.
const WINDOW: u64 = 1 << 24;

/// The head of a kernel's trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// As the compiler mangled it.
    pub name: String,
    /// From 1, in the order of launches.
    pub id: u64,
    /// TBs along x, y, z.
    pub grid: [u32; 3],
    /// Threads of a TB along x, y, z.
    pub block: [u32; 3],
    /// Bytes of shared memory per TB, static and dynamic.
    pub shared_bytes: u32,
    /// Registers per thread.
    pub registers: u32,
    /// The architecture of the instructions: 70 for sm_70. 0 if it is not told.
    pub binary_version: u32,
    /// The stream; 0 is the default one, another number only a name.
    pub stream: u64,
    /// Where the windows of shared and local memory begin in the generic address space; 0 if that is not told.
    pub shared_base: u64,
    /// See `shared_base`.
    pub local_base: u64,
    /// The tracer's version, as it says so.
    pub tracer: String,
    /// What a line of an instruction has.
    pub form: Form,
}

/// What lines of instructions have in this trace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// A line of the source comes first.
    pub source_line: bool,
    /// Immediates behind the addresses: 0, 1 or 2.
    pub immediates: u8,
    /// `NoVal`, or `Val` and the values of registers, come last.
    pub values: bool,
}

impl Header {
    /// TBs of the grid.
    pub fn tbs(&self) -> u64 {
        self.grid.iter().map(|&n| u64::from(n)).product()
    }

    /// Threads of a TB.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a TB.
    pub fn warps(&self) -> u32 {
        self.threads().div_ceil(32)
    }

    /// The memory behind an address of an instruction that accesses `space`: behind a generic one whatever the windows tell, where the
    /// trace tells where they are.
    pub fn space(&self, space: Space, address: u64) -> Space {
        if space != Space::Generic || self.shared_base == 0 || self.local_base == 0 {
            return space;
        }
        let within = |base: u64| address.checked_sub(base).is_some_and(|offset| offset < WINDOW);
        match (within(self.shared_base), within(self.local_base)) {
            (true, _) => Space::Shared,
            (_, true) => Space::Local,
            _ => Space::Global,
        }
    }

    /// The offset of an address in its window, if it is of shared or local memory; tracers tell either the one or the other.
    pub fn in_window(&self, space: Space, address: u64) -> u64 {
        let base = match space {
            Space::Shared => self.shared_base,
            Space::Local => self.local_base,
            _ => return address,
        };
        address.checked_sub(base).unwrap_or(address) % WINDOW
    }

    /// Reads the head, up to the first line that begins with `#`, which is left as the line that was read last.
    pub(crate) fn read(lines: &mut Lines<'_>) -> Result<Self, TraceError> {
        let mut header = Self::default();
        let mut has = Has::default();
        loop {
            match lines.advance()? {
                Some(line) if line.starts_with('#') => break,
                Some(line) => header.take(line, &mut has).map_err(|wrong| lines.wrong(wrong))?,
                None => return Err(lines.wrong(Wrong::new("#BEGIN_TB", "the end of the file"))),
            }
        }
        header.check(&has).map_err(|wrong| lines.wrong(wrong))?;
        let format = lines.text().strip_prefix("#traces format");
        (header.form.immediates, header.form.values) = header.ends_of_lines(format);
        Ok(header)
    }

    fn take(&mut self, line: &str, has: &mut Has) -> Result<(), Wrong> {
        let wrong = || Wrong::new("-KEY = VALUE", quoted(line));
        let (key, value) = line.strip_prefix('-').and_then(|line| line.split_once('=')).ok_or_else(wrong)?;
        let value = value.trim();
        match key.trim() {
            "kernel name" => self.name = value.to_owned(),
            "kernel id" => self.id = decimal(value, "a number of the kernel")?,
            "grid dim" => (self.grid, has.grid) = (triple(value, "a grid (X,Y,Z)")?, true),
            "block dim" => (self.block, has.block) = (triple(value, "a block (X,Y,Z)")?, true),
            "shmem" => self.shared_bytes = decimal(value, "bytes of shared memory")?,
            "nregs" => self.registers = decimal(value, "registers per thread")?,
            "binary version" => self.binary_version = decimal(value, "a version such as 70")?,
            "cuda stream id" => self.stream = decimal(value, "a number of the stream")?,
            "shmem base_addr" => self.shared_base = hex(value, "an address in hexadecimal")?,
            "local mem base_addr" => self.local_base = hex(value, "an address in hexadecimal")?,
            "accelsim tracer version" => (self.tracer, has.tracer) = (value.to_owned(), true),
            "enable lineinfo" => {
                self.form.source_line = match value {
                    "0" => false,
                    "1" => true,
                    _ => return Err(Wrong::new("0 or 1", quoted(value))),
                }
            }
            // Such as the version of NVBit. Later tracers may say more.
            _ => {}
        }
        Ok(())
    }

    fn check(&self, has: &Has) -> Result<(), Wrong> {
        let missing = |key: &str| Err(Wrong::new(format!("-{key} before the first TB"), "none"));
        if !has.grid {
            return missing("grid dim");
        }
        if !has.block {
            return missing("block dim");
        }
        if !has.tracer {
            return missing("accelsim tracer version");
        }
        if self.major().is_none_or(|version| !(3..=6).contains(&version)) {
            return Err(Wrong::new("a tracer of version 3 to 6", quoted(&self.tracer)));
        }
        let tbs = self.grid.iter().try_fold(1_u64, |product, &n| product.checked_mul(u64::from(n)));
        if tbs.is_none_or(|tbs| tbs == 0) {
            return Err(Wrong::new("a grid of at least one TB and fewer than 2^64", format!("{:?}", self.grid)));
        }
        let threads = self.block.iter().try_fold(1_u32, |product, &n| product.checked_mul(n));
        if threads.is_none_or(|threads| !(1..=1024).contains(&threads)) {
            return Err(Wrong::new("a block of 1 to 1024 threads", format!("{:?}", self.block)));
        }
        Ok(())
    }

    fn major(&self) -> Option<u32> {
        self.tracer.split('.').next()?.parse().ok()
    }

    /// How many immediates lines have, and whether values, is told by the line of the format rather than by the version: tracers of the
    /// same number differ in it.
    fn ends_of_lines(&self, format: Option<&str>) -> (u8, bool) {
        let version = self.major().unwrap_or_default();
        match format {
            Some(text) => (text.matches("immediate").count().min(2) as u8, text.contains("NoVal")),
            None => ([0, 0, 1, 2][version.saturating_sub(3).min(3) as usize], version >= 6),
        }
    }
}

/// Which keys have been there.
#[derive(Default)]
struct Has {
    grid: bool,
    block: bool,
    tracer: bool,
}
