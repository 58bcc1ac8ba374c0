//! Who carries out an operation: a program that serves rows, for its time and for its instructions.

use std::env::current_exe;
use std::fs::read_to_string;
use std::io::{BufRead as _, BufReader, Write as _};
use std::iter::repeat;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context as _, Result, bail, ensure};

use crate::row::Row;

/// Who.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// The schedulers written by hand in C++.
    Hand,
    /// gpusched in Rust, with decisions ignored.
    Plain,
    /// The same with decisions written as C's records.
    Recording,
    /// gpusched through its C functions, from a program in C++.
    ThroughC,
    /// The same, with a policy in C++ between the halves of a cycle.
    CppPolicy,
    /// gpusched in Rust, with a policy in Rust that is compiled into it.
    RustPolicy,
}

impl Side {
    /// Its name in a row, and that of its column.
    pub const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Hand => ("hand", "by hand in C++"),
            Self::Plain => ("plain", "plain"),
            Self::Recording => ("recording", "recording"),
            Self::ThroughC => ("c", "through C"),
            Self::CppPolicy => ("cpp-policy", "policy in C++"),
            Self::RustPolicy => ("rust-policy", "policy in Rust"),
        }
    }
}

/// What callgrind counts of one operation.
#[derive(Clone, Copy)]
pub struct Counted {
    /// Instructions.
    pub instructions: f64,
    /// Reads and writes of data that miss the first cache, and the last one.
    pub misses: [f64; 2],
}

/// The caches that callgrind simulates: bytes, ways, bytes of a line. The last is what a core of today's servers has for itself.
pub const CACHES: [(&str, &str); 2] = [("D1", "32768,8,64"), ("LL", "1048576,16,64")];

/// The programs.
#[derive(Clone, Copy)]
pub struct Programs<'p> {
    /// The schedulers written by hand.
    pub hand: &'p Path,
    /// gpusched in a program in C++.
    pub through_c: &'p Path,
}

impl Programs<'_> {
    /// A side's program, and its argument.
    fn program(self, side: Side) -> Result<(PathBuf, Option<&'static str>)> {
        Ok(match side {
            Side::Hand => (self.hand.into(), None),
            Side::ThroughC | Side::CppPolicy => (self.through_c.into(), None),
            Side::Plain | Side::Recording | Side::RustPolicy => (current_exe()?, Some("serve")),
        })
    }

    /// A side's program in the steady state of a row.
    pub fn start(self, side: Side, row: Row) -> Result<Server> {
        let (program, argument) = self.program(side)?;
        let mut command = Command::new(&program);
        let mut child = command.args(argument).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("it was asked for")?;
        let output = BufReader::new(child.stdout.take().context("it was asked for")?);
        let mut server = Server { child, input, output };
        let answer = server.ask(&format!("row {} {row}", side.names().0))?;
        ensure!(answer == "ready", "{}, {row}: {answer}", side.names().1);
        Ok(server)
    }

    /// What callgrind counts of one operation, row by row.
    pub fn counted(self, side: Side, rows: &[Row]) -> Result<Vec<Counted>> {
        /// Operations, before they are counted and while they are.
        const TIMES: [u32; 2] = [500, 1000];
        let (program, argument) = self.program(side)?;
        let out = tempfile::tempdir()?;
        let (counts, log) = (out.path().join("counts"), out.path().join("log"));
        let mut child = Command::new("valgrind")
            .args(["--quiet", "--tool=callgrind", "--combine-dumps=yes", "--compress-strings=no"])
            .args(["--dump-before=comparator_mark", "--dump-before=compare::serve::mark", "--cache-sim=yes"])
            .args(CACHES.map(|(cache, shape)| format!("--{cache}={shape}")))
            // The stack of the thread that serves in Rust is virtual memory for the most part.
            .arg("--max-stackframe=17179869184")
            .arg(format!("--callgrind-out-file={}", counts.display()))
            // It warns of this processor's caches although it is told which to simulate.
            .arg(format!("--log-file={}", log.display()))
            .arg(program)
            .args(argument)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .context("valgrind")?;
        let mut input = child.stdin.take().context("it was asked for")?;
        for row in rows {
            writeln!(input, "row {} {row}", side.names().0)?;
            for times in TIMES {
                writeln!(input, "count {times}")?;
            }
        }
        drop(input);
        if !child.wait()?.success() {
            bail!("{}: the program has failed under callgrind\n{}", side.names().1, read_to_string(&log)?);
        }
        // There is a mark before and behind the steps, so every second part is of steps, and every fourth of those that count.
        let text = read_to_string(&counts)?;
        let events =
            text.lines().find_map(|line| line.strip_prefix("events: ")).context("callgrind names its counts")?;
        let totals = text.lines().filter_map(|line| line.strip_prefix("totals: "));
        let counted = totals.skip(3).step_by(4).map(|totals| {
            // Zeros at the end are left out.
            let counts = events.split(' ').zip(totals.split(' ').chain(repeat("0")));
            let sum = |names: &[&str]| -> Result<f64> {
                let counts = counts.clone().filter(|(event, _)| names.contains(event));
                let sum: f64 = counts.map(|(_, count)| count.parse::<f64>()).sum::<Result<_, _>>()?;
                Ok(sum / f64::from(TIMES[1]))
            };
            Ok(Counted { instructions: sum(&["Ir"])?, misses: [sum(&["D1mr", "D1mw"])?, sum(&["DLmr", "DLmw"])?] })
        });
        let counted = counted.collect::<Result<Vec<_>>>()?;
        ensure!(counted.len() >= rows.len(), "{}: not every row was counted", side.names().1);
        Ok(counted)
    }
}

/// A program that waits for what it is asked.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn ask(&mut self, line: &str) -> Result<String> {
        writeln!(self.input, "{line}")?;
        let mut answer = String::new();
        self.output.read_line(&mut answer)?;
        Ok(answer.trim_end().into())
    }

    /// Nanoseconds of CPU time for so many operations.
    pub fn steps(&mut self, times: u64) -> Result<f64> {
        let answer = self.ask(&format!("steps {times}"))?;
        answer.parse().with_context(|| format!("a time is not a number: `{answer}`"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It has nothing to lose.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
