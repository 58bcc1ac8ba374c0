//! Packs golden vectors for machines that read no JSON. The form is that of [`gpusched_packed`].
//!
//! A vector is replayed from its JSON, on a machine that also writes down what it is asked and answers, so that what is packed has
//! passed: a vector that differs, through Rust or through C, is an error. Firmware that gives the same answers passes the vector.
//!
//! Each event is also carried out as the firmware will do it, from its packed form and on a twin of the machine: records are what that
//! answers, and both must end in the same state.

mod dats;
mod frontend;
mod models;
pub(crate) mod tape;
mod tlp;

use std::path::Path;

use anyhow::{Context, bail};
use gpusched::Fault;
use gpusched_packed::{Bytes, MAGIC, Machine, OPS, Record, VERSION};
use serde_json::Value;

use crate::apogee::Apogees;
use crate::bubble::Bubbles;
use crate::equalizer::{Fms, Sms};
use crate::laperm::LaPerms;
use crate::machine::{Family, Of};
use crate::mascar::Mascars;
use crate::models::monte::Montes;
use crate::replay::steps::{Form, replay_on};
use crate::replay::{self, Face, MECHANISMS, Outcome, replay_file, vectors_in};
use crate::simt::scoreboard::Scoreboards;
use crate::simt::stack::Stacks;
use crate::through_c;
use crate::tlp::Units;
use tape::{Recorded, Tape};

/// A packed file, and what is in it.
pub struct Packed {
    /// The file.
    pub bytes: Vec<u8>,
    /// Vectors in it that can be replayed.
    pub vectors: usize,
    /// Their events.
    pub events: usize,
    /// Vectors that cannot be packed, and why.
    pub left_out: Vec<(String, String)>,
}

/// Packs the vectors of each mechanism, which lie in the folders `vectors/MECHANISM`.
///
/// # Errors
/// A file that cannot be read, is not of its form, or does not pass.
pub fn pack(vectors: &Path) -> anyhow::Result<Packed> {
    let mut body = Bytes::default();
    let mut packed = Packed { bytes: Vec::new(), vectors: 0, events: 0, left_out: Vec::new() };
    let mut count = 0_u32;
    // Vectors of the catalogue are runs of a host, not calls.
    for mechanism in MECHANISMS.iter().filter(|mechanism| **mechanism != "catalogue") {
        for file in vectors_in(&vectors.join(mechanism))? {
            let stem = file.file_stem().and_then(|stem| stem.to_str()).context("a name that is not UTF-8")?;
            let (name, mut vector) = (format!("{mechanism}/{stem}"), Bytes::default());
            tape::list(name.as_bytes(), &mut vector);
            match recorded(mechanism, &file)? {
                Ok(tape) => {
                    tape.write(&mut vector);
                    packed.vectors += 1;
                    packed.events += usize::from(tape.events);
                }
                Err(why) => {
                    (Machine::NotPacked as u8).put(&mut vector);
                    tape::list(why.as_bytes(), &mut vector);
                    packed.left_out.push((name, why));
                }
            }
            u32::try_from(vector.0.len())?.put(&mut body);
            body.0.extend(vector.0);
            count += 1;
        }
    }
    let mut file = Bytes(MAGIC.to_vec());
    VERSION.put(&mut file);
    count.put(&mut file);
    packed.bytes = [file.0, body.0].concat();
    Ok(packed)
}

/// A family whose machines can write down what they are asked and answer.
trait Recordable: Family {
    /// The machine of a vector.
    fn recorded(config: &Self::Config) -> Result<Recorded<Self::Core>, Fault>;
}

macro_rules! recordable {
    ($($Family:ty: $Kind:ident, $of_c:ident;)*) => {
        $(impl Recordable for $Family {
            fn recorded(config: &Self::Config) -> Result<Recorded<Self::Core>, Fault> {
                Recorded::new(Machine::$Kind, config, &through_c::$of_c::c_config(config), Self::core(config))
            }
        })*
    };
}
recordable! {
    Apogees: Apogee, apogee;
    Bubbles: Bubble, bubble;
    Fms: EqualizerFm, equalizer_fm;
    LaPerms: LaPerm, laperm;
    Mascars: Mascar, mascar;
    Montes: Monte, monte;
    Scoreboards: Scoreboard, scoreboard;
    Sms: EqualizerSm, equalizer_sm;
    Stacks: Stack, stack;
}

/// Replays a vector on a machine that writes down what it is asked and answers.
fn replay_recorded<F: Form + Recordable>(vector: &Value) -> anyhow::Result<Outcome>
where
    Recorded<F::Core>: Of<F>,
{
    replay_on::<F, _>(vector, |config| Ok(F::recorded(config)))
}

/// Replays a vector and says what was asked and answered, or why that has no packed form.
fn recorded(mechanism: &str, file: &Path) -> anyhow::Result<Result<Tape, String>> {
    let passes = |outcome| match outcome {
        Outcome::Passed => Ok(()),
        Outcome::Differs(difference) => bail!("{}: {difference}", file.display()),
    };
    passes(replay_file(mechanism, file, Face::C)?)?;
    let vector = replay::read(file)?;
    tape::rewind();
    let outcome = match mechanism {
        "dtbl" | "frontend" | "policy" | "modern" | "launch2" => {
            let skip = replay::frontend::Pace::Skip;
            replay::frontend::replay_on(&vector, skip, frontend::build)?
        }
        "laperm" => replay_recorded::<LaPerms>(&vector)?,
        "bubble_dvfs" => replay_recorded::<Bubbles>(&vector)?,
        "dats" => replay::dats::replay_on::<dats::Parted>(&vector)?,
        "equalizer" => replay::equalizer::replay_on(&vector, |sms| {
            if sms { replay_recorded::<Sms>(&vector) } else { replay_recorded::<Fms>(&vector) }
        })?,
        "mascar" => replay_recorded::<Mascars>(&vector)?,
        "apogee" => replay_recorded::<Apogees>(&vector)?,
        "tlp" => replay_recorded::<Units>(&vector)?,
        "models" => models::replay(&vector)?,
        other => bail!("no packed form for `{other}`"),
    };
    passes(outcome)?;
    let taken = tape::take();
    // Where a step is an event, each must have been packed.
    if let Ok(tape) = &taken
        && matches!(mechanism, "equalizer" | "mascar" | "apogee" | "tlp" | "models")
    {
        let steps = vector["steps"].as_array().map_or(0, Vec::len);
        if tape.is_built && usize::from(tape.events) != steps {
            return Ok(Err(format!("only {} of its {steps} steps have a form outside JSON", tape.events)));
        }
    }
    Ok(taken)
}

/// The numbers of the form as C constants.
#[must_use]
pub fn c_header() -> String {
    let mut header = format!(
        "/* Generated by `pack`: the numbers of the packed form, which hosts/cortex-m/packed/src/lib.rs describes. */\n\
         #ifndef PACKED_NUMBERS_H\n#define PACKED_NUMBERS_H\n\n\
         #define PACKED_MAGIC {:#010x}u\n#define PACKED_VERSION {VERSION}u\n\n",
        u32::from_le_bytes(MAGIC)
    );
    let constants = |prefix: &str, rows: Vec<(u8, &str, &str)>| {
        let row = |(number, name, doc): (u8, &str, &str)| {
            let doc = if doc.is_empty() { String::new() } else { format!(" //{doc}") };
            format!("    {prefix}_{name} = {number:#04x},{doc}\n")
        };
        format!("enum {{\n{}}};\n", rows.into_iter().map(row).collect::<String>())
    };
    header += &constants("MACHINE", Machine::ALL.iter().map(|&(machine, name)| (machine as u8, name, "")).collect());
    header += "\n";
    header += &constants("OP", OPS.iter().map(|&(op, name, doc)| (op as u8, name, doc)).collect());
    header + "\n#endif\n"
}
