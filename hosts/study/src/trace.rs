//! `gpusched trace info`: what is in traces of real programs, in the form of Accel-Sim's tracer.

use crate::ask::TraceInfo;
use crate::failure::Failure;
use crate::interrupt;
use crate::{output, table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_traces::isa::{Class, Isa, Space};
use gpusched_traces::{BLOCK, Bytes, Command, Commands, Header, Kernel, Summary};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of a list in its folder.
const LIST: &str = "kernelslist.g";

/// The text of `trace info`.
///
/// # Errors
/// A trace that cannot be read, and Ctrl-C.
pub fn info(args: &TraceInfo) -> Result<String, Failure> {
    let program = Program::read(args)?;
    if args.json { output::json(&program.document()) } else { Ok(program.for_people(args.opcodes)) }
}

/// What a list asks for, with the kernels' counts.
#[derive(Default)]
struct Program {
    copies: Copies,
    kernels: Vec<Traced>,
}

/// What the host copies.
#[derive(Clone, Copy, Default, Serialize)]
struct Copies {
    to_device: u64,
    to_device_bytes: u64,
    to_host: u64,
    to_host_bytes: u64,
}

/// A kernel's trace, read to its end.
struct Traced {
    file: PathBuf,
    header: Header,
    summary: Summary,
}

impl Program {
    fn read(args: &TraceInfo) -> Result<Self, Failure> {
        let path = if args.trace.is_dir() { args.trace.join(LIST) } else { args.trace.clone() };
        let mut program = Self::default();
        if !is_list(&path) {
            program.take(path, args.quiet)?;
            return Ok(program);
        }
        let mut commands = Commands::open(&path).map_err(failed)?;
        while let Some(command) = commands.next().map_err(failed)? {
            match command {
                Command::CopyToDevice { bytes, .. } => {
                    program.copies.to_device += 1;
                    program.copies.to_device_bytes = program.copies.to_device_bytes.saturating_add(bytes);
                }
                Command::CopyToHost { bytes, .. } => {
                    program.copies.to_host += 1;
                    program.copies.to_host_bytes = program.copies.to_host_bytes.saturating_add(bytes);
                }
                Command::Launch(file) => program.take(file, args.quiet)?,
            }
        }
        if program.kernels.is_empty() {
            return Err(anyhow!("{}: it launches no kernel", path.display()).into());
        }
        Ok(program)
    }

    fn take(&mut self, file: PathBuf, quiet: bool) -> Result<(), Failure> {
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        let mut kernel = Kernel::open(&file).map_err(failed)?;
        let summary = Summary::of(&mut kernel, &mut || interrupt::requested()).map_err(failed)?;
        let summary = summary.ok_or(Failure::Interrupted)?;
        let counted = HumanCount(summary.instructions);
        output::remark(&format!("{}: {counted} instructions\n", file.display()), quiet);
        self.kernels.push(Traced { file, header: kernel.header().clone(), summary });
        Ok(())
    }

    fn for_people(&self, opcodes: usize) -> String {
        let mut text = table::text(&self.kernels_table());
        text += &format!("\n{}", table::text(&self.classes_table()));
        if self.kernels.iter().any(|kernel| !kernel.summary.bytes.is_empty()) {
            text += &format!("\n{}", table::text(&self.memory_table()));
        }
        if opcodes > 0 {
            text += &format!("\n{}", table::text(&self.opcodes_table(opcodes)));
        }
        text + &format!("\n{}", table::text(&table::remarks(self.remarks())))
    }

    fn kernels_table(&self) -> comfy_table::Table {
        let header =
            ["kernel", "stream", "grid", "TBs", "threads", "shared", "regs", "warps", "instr", "lanes/instr", "name"];
        let columns = [Right, Right, Right, Right, Right, Right, Right, Right, Right, Right, Left];
        let mut rows = table::new(header.map(str::to_owned).to_vec(), &columns);
        for Traced { header, summary, .. } in &self.kernels {
            rows.add_row([
                header.id.to_string(),
                header.stream.to_string(),
                header.grid.map(|n| n.to_string()).join("x"),
                count(summary.tbs),
                header.threads().to_string(),
                header.shared_bytes.to_string(),
                header.registers.to_string(),
                count(summary.warps),
                count(summary.instructions),
                lanes(summary.thread_instructions, summary.instructions),
                header.name.clone(),
            ]);
        }
        if self.kernels.len() > 1 {
            let sum = |of: fn(&Summary) -> u64| self.sum(of);
            let instructions = sum(|summary| summary.instructions);
            let mut row = vec![String::new(); header.len()];
            row[3] = count(sum(|summary| summary.tbs));
            row[7] = count(sum(|summary| summary.warps));
            row[8] = count(instructions);
            row[9] = lanes(sum(|summary| summary.thread_instructions), instructions);
            row[10] = "all".to_owned();
            rows.add_row(row);
        }
        rows
    }

    fn classes_table(&self) -> comfy_table::Table {
        let mut rows = table::new(["class", "instr", "share"].map(str::to_owned).to_vec(), &[Left, Right, Right]);
        let all = self.sum(|summary| summary.instructions);
        let mut classes = self.classes().into_iter().collect::<Vec<_>>();
        classes.sort_by_key(|&(class, n)| (std::cmp::Reverse(n), class));
        let unknown = self.unknown().values().sum::<u64>();
        let named = classes.into_iter().map(|(class, n)| (word(&class), n));
        for (name, n) in named.chain((unknown > 0).then(|| ("unknown".to_owned(), unknown))) {
            rows.add_row([name, count(n), share(n, all)]);
        }
        rows
    }

    fn memory_table(&self) -> comfy_table::Table {
        let header = ["memory", "loaded", "stored", "atomics", "touched"].map(str::to_owned).to_vec();
        let mut rows = table::new(header, &[Left, Right, Right, Right, Right]);
        let mut sums = BTreeMap::<Space, Bytes>::new();
        for (&space, bytes) in self.kernels.iter().flat_map(|kernel| &kernel.summary.bytes) {
            let sum = sums.entry(space).or_default();
            sum.loaded = sum.loaded.saturating_add(bytes.loaded);
            sum.stored = sum.stored.saturating_add(bytes.stored);
            sum.atomic = sum.atomic.saturating_add(bytes.atomic);
        }
        let human = |bytes: u64| HumanBytes(bytes).to_string();
        for (space, Bytes { loaded, stored, atomic }) in sums {
            let touched = match space {
                Space::Global => human(BLOCK * self.sum(|summary| summary.global_blocks)),
                _ => "-".to_owned(),
            };
            rows.add_row([word(&space), human(loaded), human(stored), human(atomic), touched]);
        }
        rows
    }

    fn opcodes_table(&self, most: usize) -> comfy_table::Table {
        let mut rows = table::new(["opcode", "instr", "share"].map(str::to_owned).to_vec(), &[Left, Right, Right]);
        let mut opcodes = counts(&self.kernels, |summary| &summary.opcodes).into_iter().collect::<Vec<_>>();
        opcodes.sort_by_key(|&(opcode, n)| (std::cmp::Reverse(n), opcode));
        let all = self.sum(|summary| summary.instructions);
        for (opcode, n) in opcodes.into_iter().take(most) {
            rows.add_row([opcode.to_owned(), count(n), share(n, all)]);
        }
        rows
    }

    fn remarks(&self) -> Vec<(&'static str, String)> {
        let mut remarks = vec![
            ("instr", "instructions of warps, as traced".to_owned()),
            ("lanes/instr", "lanes that are active and whose predicate holds".to_owned()),
        ];
        if self.kernels.iter().any(|kernel| !kernel.summary.bytes.is_empty()) {
            let text = format!("bytes that lanes ask for; touched: blocks of {BLOCK} bytes, those of each kernel");
            remarks.push(("memory", text));
        }
        let Copies { to_device, to_device_bytes, to_host, to_host_bytes } = self.copies;
        if to_device + to_host > 0 {
            let [there, back] = [to_device_bytes, to_host_bytes].map(HumanBytes);
            remarks.push(("copies", format!("{to_device} to the device ({there}), {to_host} back ({back})")));
        }
        let unknown = self.unknown();
        if !unknown.is_empty() {
            let names = unknown.iter().map(|(name, n)| format!("{name} ({n})")).collect::<Vec<_>>().join(", ");
            remarks.push(("unknown", format!("opcodes that the table of their generation lacks: {names}")));
        }
        let unread = self.sum(|summary| summary.unread);
        if unread > 0 {
            remarks.push((
                "unread",
                format!("addresses of {} bulk copies, which are in no count of bytes", count(unread)),
            ));
        }
        for Traced { header, summary, file } in &self.kernels {
            let name = || file.file_name().map(|name| name.display().to_string()).unwrap_or_default();
            if summary.tbs < header.tbs() {
                let missing = count(header.tbs() - summary.tbs);
                remarks.push(("missing", format!("{}: {missing} TBs of the grid are not in the trace", name())));
            }
            let isa = Isa::of(header.binary_version);
            if !isa.knows(header.binary_version) {
                let (version, generation) = (header.binary_version, &isa.generation);
                remarks.push(("assumed", format!("{}: opcodes of {generation}, as sm_{version} is not known", name())));
            }
        }
        remarks
    }

    fn sum(&self, of: fn(&Summary) -> u64) -> u64 {
        self.kernels.iter().map(|kernel| of(&kernel.summary)).sum()
    }

    fn classes(&self) -> BTreeMap<Class, u64> {
        let mut sums = BTreeMap::new();
        for (&class, &n) in self.kernels.iter().flat_map(|kernel| &kernel.summary.classes) {
            *sums.entry(class).or_default() += n;
        }
        sums
    }

    fn unknown(&self) -> BTreeMap<&str, u64> {
        counts(&self.kernels, |summary| &summary.unknown)
    }

    fn document(&self) -> Document<'_> {
        Document { schema: "gpusched.trace/1", copies: self.copies, kernels: self.kernels.iter().map(part).collect() }
    }
}

/// Sums by name over kernels.
fn counts(kernels: &[Traced], of: fn(&Summary) -> &BTreeMap<String, u64>) -> BTreeMap<&str, u64> {
    let mut sums = BTreeMap::new();
    for (name, &n) in kernels.iter().flat_map(|kernel| of(&kernel.summary)) {
        *sums.entry(name.as_str()).or_default() += n;
    }
    sums
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    copies: Copies,
    kernels: Vec<KernelPart<'a>>,
}

#[derive(Serialize)]
struct KernelPart<'a> {
    file: String,
    name: &'a str,
    id: u64,
    stream: u64,
    grid: [u32; 3],
    block: [u32; 3],
    shared_bytes: u32,
    registers: u32,
    binary_version: u32,
    /// Whose opcodes were looked up.
    generation: &'static str,
    tracer: &'a str,
    #[serde(flatten)]
    summary: &'a Summary,
}

fn part(kernel: &Traced) -> KernelPart<'_> {
    let Traced { file, header, summary } = kernel;
    KernelPart {
        file: file.display().to_string(),
        name: &header.name,
        id: header.id,
        stream: header.stream,
        grid: header.grid,
        block: header.block,
        shared_bytes: header.shared_bytes,
        registers: header.registers,
        binary_version: header.binary_version,
        generation: &Isa::of(header.binary_version).generation,
        tracer: &header.tracer,
        summary,
    }
}

/// Lists are told by their name, as their lines are too free to be told by what they say.
fn is_list(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("kernelslist"))
}

fn failed(error: gpusched_traces::TraceError) -> Failure {
    Failure::Failed(error.into())
}

fn count(n: u64) -> String {
    HumanCount(n).to_string()
}

fn share(n: u64, all: u64) -> String {
    format!("{:.1}%", 100.0 * n as f64 / all.max(1) as f64)
}

fn lanes(threads: u64, instructions: u64) -> String {
    format!("{:.1}", threads as f64 / instructions.max(1) as f64)
}

/// The word that JSON has for it, too.
fn word(value: &impl Serialize) -> String {
    let word = serde_json::to_value(value).ok();
    word.and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}
