//! The page: a table for each operation.

use std::fs::read_to_string;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::row::{Row, WORKS, Work};
use crate::side::{CACHES, Counted, Programs, Side};

/// Measures, of which the shortest counts. The sides take turns.
const ROUNDS: u32 = 9;
/// Nanoseconds that a measure takes about.
const MEASURE: f64 = 2e7;

/// Measures all, and prints the page.
pub fn print(hand: &Path, through_c: &Path) -> Result<()> {
    let programs = Programs { hand, through_c };
    head()?;
    let mut counted = Vec::new();
    for work in &WORKS {
        let rows: Vec<_> = work.rows().collect();
        let of = work.sides.iter().map(|&side| programs.counted(side, &rows)).collect::<Result<Vec<_>>>()?;
        table(programs, work, &of)?;
        counted.push((work, of));
    }
    misses(&counted);
    Ok(())
}

fn head() -> Result<()> {
    println!(
        "# gpusched beside schedulers written by hand\n\n\
         Written by `tests/scripts/compare-speed.sh`; what is compared, and how, is in [comparator/README.md](comparator/README.md).\n\n\
         A cell: nanoseconds of one operation, how many times as fast as by hand that is, and instructions. The time is the CPU time of \
         {ROUNDS} measures' shortest, of about {} ms each; the programs of a row take turns. Instructions are callgrind's, of 1000 \
         operations after 500. The flags are in the script.\n\n\
         | | |\n|---|---|\n| gpusched | commit {} |\n| processor | {} |\n| C++ | {}, `-O3` for this processor |\n| Rust | {}, profile `release` (fat LTO) for this \
         processor |",
        MEASURE / 1e6,
        first_line("git", &["describe", "--always", "--dirty"])?,
        processor(),
        first_line("c++", &["--version"])?,
        first_line("rustc", &["--version"])?,
    );
    Ok(())
}

fn processor() -> String {
    let told = read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = told.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
    model.map_or_else(|| "not told by the system".into(), |(_, name)| name.into())
}

fn first_line(program: &str, arguments: &[&str]) -> Result<String> {
    let output = Command::new(program).args(arguments).output().with_context(|| program.to_owned())?;
    Ok(String::from_utf8_lossy(&output.stdout).lines().next().unwrap_or_default().into())
}

/// `counted` is by side and by row.
fn table(programs: Programs<'_>, work: &Work, counted: &[Vec<Counted>]) -> Result<()> {
    println!("\n## {}\n\n| SMXs | pending |{}", work.title, columns(work.sides, "|--:|--:|"));
    for (i, row) in work.rows().enumerate() {
        let times = times(programs, work.sides, row)?;
        let cell = |(side, time): (usize, &f64)| {
            let instructions = counted[side][i].instructions;
            let ratio =
                if work.sides[side] == Side::Hand { String::new() } else { format!("**{:.2}x**, ", times[0] / time) };
            format!(" {time:.1} ns, {ratio}{instructions:.0} |")
        };
        let cells: String = times.iter().enumerate().map(cell).collect();
        println!("| {} | {} |{cells}", row.smxs, row.pending);
    }
    Ok(())
}

/// The head of a table behind its first columns, a column for each side, and the line below, which begins with `first` of those columns.
fn columns(sides: &[Side], first: &str) -> String {
    let names: String = sides.iter().map(|side| format!(" {} |", side.names().1)).collect();
    format!("{names}\n{first}{}", "--:|".repeat(sides.len()))
}

/// How often an operation misses the caches.
fn misses(counted: &[(&Work, Vec<Vec<Counted>>)]) {
    const SIDES: [Side; 4] = [Side::Hand, Side::Plain, Side::Recording, Side::ThroughC];
    let caches = CACHES.map(|(_, shape)| shape).join(" and ");
    println!(
        "\n## Cache misses of one operation\n\nReads and writes of data that miss a first cache, and those that miss a last one too, as callgrind \
         simulates them (bytes, ways, bytes of a line: {caches}).\n\n| | SMXs | pending |{}",
        columns(&SIDES, "|---|--:|--:|")
    );
    for (work, counted) in counted {
        for (i, row) in work.rows().enumerate() {
            let cell = |side: &Side| {
                let column = work.sides.iter().position(|other| other == side);
                let cell = column.map(|column| counted[column][i].misses);
                cell.map_or(" |".into(), |[first, last]| format!(" {first:.1}, {last:.1} |"))
            };
            let cells: String = SIDES.iter().map(cell).collect();
            println!("| {} | {} | {} |{cells}", work.name, row.smxs, row.pending);
        }
    }
}

/// Nanoseconds of one operation, side by side.
fn times(programs: Programs<'_>, sides: &[Side], row: Row) -> Result<Vec<f64>> {
    /// To know how long an operation takes.
    const FEW: u64 = 10_000;
    let mut servers = sides.iter().map(|&side| programs.start(side, row)).collect::<Result<Vec<_>>>()?;
    let mut often = Vec::new();
    for server in &mut servers {
        let one = server.steps(FEW)? / FEW as f64;
        often.push((MEASURE / one.max(0.1)) as u64);
    }
    let mut shortest = vec![f64::INFINITY; sides.len()];
    for _ in 0..ROUNDS {
        for ((server, often), shortest) in servers.iter_mut().zip(&often).zip(&mut shortest) {
            *shortest = shortest.min(server.steps(*often)? / *often as f64);
        }
    }
    Ok(shortest)
}
