//! Writes what a workload executes as traces, so that Accel-Sim, and whoever else reads its traces, can run the same work.
//!
//! A [`Recorder`] is the workload, and a writer beside it: what a warp issues on the machine goes into its trace, with its lanes, its registers
//! and its addresses. Each host kernel is a file, TBs in the order of the grid. What the form cannot tell is refused: launches from the device,
//! dependencies of TBs, shared memory of other TBs. Loads through the texture unit are told as loads, since traces of textures have no
//! addresses.

#[cfg(test)]
mod tests;
mod told;

use crate::catalogue::Check;
use crate::{Verified, WrongResult};
use gpusched::{Descriptor, Dim3};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::program::{Class, Effects, Inst, TbContext, TbGraph, Workload};
use gpusched_traces::{Header, Instruction, LIST, Writer};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use told::Told;

/// Opcodes are those of Volta, which every reader of traces knows.
const BINARY_VERSION: u32 = 70;
/// Where the windows of shared and local memory begin among generic addresses: beyond those of workloads.
const SHARED_BASE: u64 = 0x7f40_0000_0000;
const LOCAL_BASE: u64 = 0x7f20_0000_0000;

/// Bytes from one instruction to the next.
const PC_STEP: u64 = 16;

/// A workload that is recorded as it runs.
#[derive(Debug)]
pub struct Recorder<W: Workload> {
    work: W,
    check: Check<W>,
    name: String,
    folder: PathBuf,
    /// Written when the last kernel has ended: the list of a run that was broken off has none, which no reader takes.
    list: File,
    kernels: u64,
    kernel: Option<Kernel>,
    cut: u64,
    /// Where the instructions lie in the code, by the numbers that the machine knows them by: in the order of their first execution.
    places: HashMap<u32, u64>,
    /// The first thing that went wrong, and with which file.
    wrong: Option<(PathBuf, String)>,
}

/// The trace of the kernel of this number, from 1 on.
fn kernel_file(number: u64) -> String {
    format!("kernel-{number}.traceg")
}

/// The kernel that runs.
#[derive(Debug)]
struct Kernel {
    file: PathBuf,
    writer: Writer<BufWriter<File>>,
    grid: Dim3,
    /// The next TB of the grid that is to be written, and those behind it that have begun.
    next: u32,
    tbs: BTreeMap<u32, Tb>,
}

/// A TB that has begun, with the warps of it that have ended.
#[derive(Debug, Default)]
struct Tb {
    begun: u32,
    ended: BTreeMap<u32, Vec<Instruction>>,
}

/// A warp with what it has executed.
#[derive(Debug)]
pub struct Warp<P> {
    program: P,
    tb: u32,
    number: u32,
    executed: Told,
}

impl<P: Default> Default for Warp<P> {
    fn default() -> Self {
        Self { program: P::default(), tb: 0, number: 0, executed: Told::default() }
    }
}

impl<W: Workload> Recorder<W> {
    /// Records `work`, which is called `name`, in a folder that is made if it is not there: a `kernelslist.g`, and a file for each kernel.
    ///
    /// # Errors
    /// A folder or a file that cannot be made.
    pub fn new(work: W, check: Check<W>, name: &str, folder: &Path) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let list = File::create(folder.join(LIST))?;
        let (name, folder) = (name.to_owned(), folder.to_owned());
        Ok(Self {
            work,
            check,
            name,
            folder,
            list,
            kernels: 0,
            kernel: None,
            cut: 0,
            places: HashMap::new(),
            wrong: None,
        })
    }

    /// Verifies the workload's own result, and that all of it has been recorded.
    ///
    /// # Errors
    /// As the workload's, and what could not be told or written.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        match &self.wrong {
            None => (self.check)(&self.work),
            Some((file, why)) => Err(WrongResult {
                place: file.display().to_string(),
                got: why.clone(),
                want: "a trace of all that was executed".to_owned(),
            }),
        }
    }

    /// How many instructions wait for more results than Accel-Sim reads of one; the trace tells the last of these.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    fn note(&mut self, file: &Path, result: io::Result<()>) {
        if let (Err(error), None) = (result, &self.wrong) {
            self.wrong = Some((file.to_owned(), error.to_string()));
        }
    }

    fn cannot_tell(&mut self, what: &str) {
        let file = self.kernel.as_ref().map_or(self.folder.clone(), |kernel| kernel.file.clone());
        self.note(&file, Err(io::Error::other(format!("{what}, which traces cannot tell"))));
    }

    fn begin_kernel(&mut self, kernel: &Descriptor) {
        self.kernels += 1;
        let Descriptor { grid, tb, smem, regs, .. } = *kernel;
        let file = kernel_file(self.kernels);
        let header = Header {
            name: self.work.kernel_name(kernel).unwrap_or(&self.name).to_owned(),
            id: self.kernels,
            grid: [grid.x, grid.y, grid.z],
            block: [tb.x, tb.y, tb.z],
            shared_bytes: smem,
            registers: regs.div_ceil((tb.x * tb.y * tb.z).max(1)),
            binary_version: BINARY_VERSION,
            shared_base: SHARED_BASE,
            local_base: LOCAL_BASE,
            ..Header::default()
        };
        let file = self.folder.join(file);
        match File::create(&file).and_then(|out| Writer::new(BufWriter::new(out), &header)) {
            Ok(writer) => self.kernel = Some(Kernel { file, writer, grid, next: 0, tbs: BTreeMap::new() }),
            Err(error) => self.note(&file, Err(error)),
        }
    }

    fn end_kernel(&mut self) {
        if let Some(Kernel { file, writer, .. }) = self.kernel.take() {
            self.note(&file, writer.finish().map(drop));
        }
    }

    /// A warp has ended; TBs all of whose warps have are written as far as those before them are.
    fn end_warp(&mut self, tb: u32, number: u32, executed: Told) {
        self.cut += executed.cut;
        let Some(kernel) = &mut self.kernel else { return };
        kernel.tbs.entry(tb).or_default().ended.insert(number, executed.all);
        let written = kernel.write_ended();
        let file = kernel.file.clone();
        self.note(&file, written);
    }
}

impl Kernel {
    fn write_ended(&mut self) -> io::Result<()> {
        while let Some(first) = self.tbs.first_entry()
            && *first.key() == self.next
            && first.get().ended.len() as u32 == first.get().begun
        {
            let warps: Vec<_> = first.remove().ended.into_iter().collect();
            let Dim3 { x, y, .. } = self.grid;
            let place = [self.next % x, self.next / x % y, self.next / x / y];
            self.next += 1;
            self.writer.tb(place, &warps)?;
        }
        Ok(())
    }
}

impl<W: Workload> Workload for Recorder<W> {
    type Warp = Warp<W::Warp>;

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.work.starts_on(machine);
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.end_kernel();
        let kernel = self.work.next_kernel();
        if self.work.dependencies().is_some() {
            self.cannot_tell("TBs depend on each other");
        }
        match &kernel {
            Some(kernel) => self.begin_kernel(kernel),
            None => {
                let listed: String = (1..=self.kernels).map(|number| kernel_file(number) + "\n").collect();
                let written = self.list.write_all(listed.as_bytes());
                self.note(&self.folder.join(LIST), written);
            }
        }
        kernel
    }

    fn dependencies(&self) -> Option<&TbGraph> {
        self.work.dependencies()
    }

    fn kernel_name(&self, kernel: &Descriptor) -> Option<&str> {
        self.work.kernel_name(kernel)
    }

    fn level(&self, tb: &TbContext) -> Option<u32> {
        self.work.level(tb)
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Self::Warp) {
        (state.tb, state.number) = (tb.blkid, warp);
        state.executed = Told::default();
        if let Some(kernel) = &mut self.kernel {
            // All warps of a TB begin before any of them ends.
            kernel.tbs.entry(tb.blkid).or_default().begun = warp + 1;
        }
        self.work.begin(tb, warp, &mut state.program);
    }

    fn fetch(&self, warp: &Self::Warp) -> Inst {
        self.work.fetch(&warp.program)
    }

    fn execute(&mut self, warp: &mut Self::Warp, effects: &mut Effects) {
        let inst = self.work.fetch(&warp.program);
        self.work.execute(&mut warp.program, effects);
        match inst.class {
            Class::Launch | Class::Sync => self.cannot_tell("a TB launches others"),
            Class::LoadRemote | Class::StoreRemote => self.cannot_tell("a TB accesses another one's shared memory"),
            _ => {
                let next = self.places.len() as u64 * PC_STEP;
                let pc = *self.places.entry(inst.pc).or_insert(next);
                warp.executed.take(&inst, pc, effects);
            }
        }
        if inst.class == Class::Exit {
            self.end_warp(warp.tb, warp.number, std::mem::take(&mut warp.executed));
        }
    }

    fn preview(&self, warp: &Self::Warp, effects: &mut Effects) -> bool {
        self.work.preview(&warp.program, effects)
    }

    fn progress(&self) -> (u64, u64) {
        self.work.progress()
    }
}
