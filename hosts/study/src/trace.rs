//! `gpusched trace info`: what is in traces of real programs, in the form of Accel-Sim's tracer.

use crate::ask::{Input, Machine, TraceInfo, Workload};
use crate::failure::Failure;
use crate::{interrupt, output, side_by_side, table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_traces::isa::{Class, Isa, Space};
use gpusched_traces::{BLOCK, Bytes, Copies, Program, Summary, Traced};
use indicatif::{HumanBytes, HumanCount};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::atomic::Ordering;

/// The text of `trace info`.
///
/// # Errors
/// A trace that cannot be read, and Ctrl-C.
pub fn info(args: &TraceInfo) -> Result<String, Failure> {
    let program = program(&args.trace, args.quiet)?;
    let told = Told(&program);
    if args.json { output::json(&told.document()) } else { Ok(told.for_people(args.opcodes)) }
}

/// Reads a program to its end, kernels side by side on the machine's cores, with a remark on each.
///
/// # Errors
/// A trace that cannot be read, and Ctrl-C.
pub fn program(path: &Path, quiet: bool) -> Result<Program, Failure> {
    let (program, files) = Program::listed(path).map_err(anyhow::Error::from)?;
    let kernels = side_by_side::each(&files, None, |file, failed| {
        let mut stop = || interrupt::requested() || failed.load(Ordering::Relaxed);
        let kernel = Traced::read(file, &mut stop).map_err(anyhow::Error::from)?.ok_or(Failure::Interrupted)?;
        let counted = HumanCount(kernel.summary.instructions);
        output::remark(&format!("{}: {counted} instructions\n", file.display()), quiet);
        Ok(kernel)
    })?;
    Ok(Program { kernels, ..program })
}

/// Where a program was traced.
pub fn provenance(program: &Program) -> String {
    let told = program.kernels.iter().map(|Traced { header, .. }| {
        format!("traced on sm_{} by version {} of Accel-Sim's tracer", header.binary_version, header.tracer)
    });
    told.collect::<BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("; ")
}

/// What runs a workload, or a trace, if no GPU is named: of a trace its architecture's.
///
/// # Errors
/// A trace that cannot be read, and an architecture without a GPU here.
pub fn usual_gpu(workload: Workload, input: &Input, machine: &Machine) -> Result<&'static str, Failure> {
    match &input.trace {
        Some(trace) if machine.gpu.is_none() => gpu(trace),
        _ => Ok(workload.gpu()),
    }
}

fn gpu(path: &Path) -> Result<&'static str, Failure> {
    let version = Program::first_header(path).map_err(anyhow::Error::from)?.binary_version;
    let of = GPUS.iter().find(|(binaries, _)| binaries.contains(&version));
    let none = || Failure::Usage(anyhow!("--gpu: the trace is of sm_{version}, and no GPU here is; name one"));
    of.map(|&(_, gpu)| gpu).ok_or_else(none)
}

/// The GPUs of architectures, by the versions of their binaries.
const GPUS: &[(&[u32], &str)] =
    &[(&[35], "k20c"), (&[70], "v100"), (&[80], "a100"), (&[86], "rtx3090"), (&[89], "rtx4090"), (&[90], "h100-sxm")];

/// So many of something.
pub fn plural(n: u64, what: &str) -> String {
    format!("{} {what}{}", count(n), if n == 1 { "" } else { "s" })
}

/// What is told of a program.
struct Told<'a>(&'a Program);

impl Told<'_> {
    fn for_people(&self, opcodes: usize) -> String {
        let mut text = table::text(&self.kernels_table());
        text += &format!("\n{}", table::text(&self.classes_table()));
        if self.0.kernels.iter().any(|kernel| !kernel.summary.bytes.is_empty()) {
            text += &format!("\n{}", table::text(&self.memory_table()));
        }
        if opcodes > 0 {
            text += &format!("\n{}", table::text(&self.opcodes_table(opcodes)));
        }
        text + &format!("\n{}", table::text(&table::remarks(self.remarks())))
    }

    fn kernels_table(&self) -> table::Table {
        let header =
            ["kernel", "stream", "grid", "TBs", "threads", "shared", "regs", "warps", "instr", "lanes/instr", "name"];
        let columns = [Right, Right, Right, Right, Right, Right, Right, Right, Right, Right, Left];
        let mut rows = table::new(header.map(str::to_owned).to_vec(), &columns);
        for Traced { header, summary, .. } in &self.0.kernels {
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
        if self.0.kernels.len() > 1 {
            let sum = |of: fn(&Summary) -> u64| self.0.sum(of);
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

    fn classes_table(&self) -> table::Table {
        let mut rows = table::new(["class", "instr", "share"].map(str::to_owned).to_vec(), &[Left, Right, Right]);
        let all = self.0.sum(|summary| summary.instructions);
        let mut classes = self.classes().into_iter().collect::<Vec<_>>();
        classes.sort_by_key(|&(class, n)| (std::cmp::Reverse(n), class));
        let unknown = self.unknown().values().sum::<u64>();
        let named = classes.into_iter().map(|(class, n)| (word(&class), n));
        for (name, n) in named.chain((unknown > 0).then(|| ("unknown".to_owned(), unknown))) {
            rows.add_row([name, count(n), share(n, all)]);
        }
        rows
    }

    fn memory_table(&self) -> table::Table {
        let header = ["memory", "loaded", "stored", "atomics", "touched"].map(str::to_owned).to_vec();
        let mut rows = table::new(header, &[Left, Right, Right, Right, Right]);
        let human = |bytes: u64| HumanBytes(bytes).to_string();
        for (space, Bytes { loaded, stored, atomic }) in self.0.bytes() {
            let touched = match space {
                Space::Global => human(BLOCK * self.0.sum(|summary| summary.global_blocks)),
                _ => "-".to_owned(),
            };
            rows.add_row([word(&space), human(loaded), human(stored), human(atomic), touched]);
        }
        rows
    }

    fn opcodes_table(&self, most: usize) -> table::Table {
        let mut rows = table::new(["opcode", "instr", "share"].map(str::to_owned).to_vec(), &[Left, Right, Right]);
        let mut opcodes = self.0.counts(|summary| &summary.opcodes).into_iter().collect::<Vec<_>>();
        opcodes.sort_by_key(|&(opcode, n)| (std::cmp::Reverse(n), opcode));
        let all = self.0.sum(|summary| summary.instructions);
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
        if self.0.kernels.iter().any(|kernel| !kernel.summary.bytes.is_empty()) {
            let text = format!("bytes that lanes ask for; touched: blocks of {BLOCK} bytes, those of each kernel");
            remarks.push(("memory", text));
        }
        let Copies { to_device, to_device_bytes, to_host, to_host_bytes } = self.0.copies;
        if to_device + to_host > 0 {
            let [there, back] = [to_device_bytes, to_host_bytes].map(HumanBytes);
            remarks.push(("copies", format!("{to_device} to the device ({there}), {to_host} back ({back})")));
        }
        let unknown = self.unknown();
        if !unknown.is_empty() {
            let names = unknown.iter().map(|(name, n)| format!("{name} ({n})")).collect::<Vec<_>>().join(", ");
            remarks.push(("unknown", format!("opcodes that the table of their generation lacks: {names}")));
        }
        let unread = self.0.sum(|summary| summary.unread);
        if unread > 0 {
            remarks.push((
                "unread",
                format!("addresses of {} bulk copies, which are in no count of bytes", count(unread)),
            ));
        }
        for Traced { header, summary, file } in &self.0.kernels {
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

    fn classes(&self) -> BTreeMap<Class, u64> {
        let mut sums = BTreeMap::new();
        for (&class, &n) in self.0.kernels.iter().flat_map(|kernel| &kernel.summary.classes) {
            *sums.entry(class).or_default() += n;
        }
        sums
    }

    fn unknown(&self) -> BTreeMap<&str, u64> {
        self.0.counts(|summary| &summary.unknown)
    }

    fn document(&self) -> Document<'_> {
        Document {
            schema: "gpusched.trace/1",
            copies: self.0.copies,
            kernels: self.0.kernels.iter().map(part).collect(),
        }
    }
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
