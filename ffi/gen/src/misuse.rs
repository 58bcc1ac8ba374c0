//! `tests/c/misuse_MACHINE_table.h`: every function, as it is called with a bad object and with bad pointers. What is right in each state
//! of the machine is not derived: that stands in `tests/c/misuse_MACHINE.c`.

use std::fmt::Write;

use anyhow::Result;

use crate::call::{Call, Param};
use crate::kind::{By, Kind};
use crate::model::{Choice, Machine};
use crate::names::shout;

/// A function for the table, derived or by hand.
struct Row {
    c: String,
    /// Arguments between the object and the results; a pointer is marked.
    args: Vec<Arg>,
    /// Results, each with the bad pointer in it.
    outs: Vec<String>,
    /// All results, good.
    good: String,
    null: bool,
    /// Whether a pointer follows behind which a refusal is told.
    tells: bool,
}

struct Arg {
    text: String,
    /// Whether it is a pointer that may not be null, or one that may.
    pointer: Option<bool>,
}

/// The file. `hand`: functions that are written by hand.
pub fn write(m: &Machine<'_>, hand: &[crate::hand::Function]) -> Result<String> {
    let preset = |r: &crate::record::Record| {
        let c = format!("{}_init", r.c);
        let row = Row { c, args: Vec::new(), outs: vec!["bad".into()], good: "OUT".into(), null: false, tells: false };
        m.api().record.get(&r.core)?.preset.as_ref().map(|_| row)
    };
    let derived = m.records.iter().filter_map(preset).chain(m.calls().map(|call| row(m, call)));
    let rows: Vec<Row> = derived.chain(hand.iter().map(by_hand)).collect();
    let (mut objects, mut all, mut inputs, mut results) = (String::new(), String::new(), String::new(), String::new());
    let mut configurations = String::new();
    for row in &rows {
        let Row { c, args, outs, good, null, tells } = row;
        let given = |bad: Option<(usize, &str)>, outs: &str| {
            let arg = |(i, a): (usize, &Arg)| match bad {
                Some((at, bad)) if at == i => format!(", {bad}"),
                _ => format!(", {}", a.text),
            };
            let args: String = args.iter().enumerate().map(arg).collect();
            let outs = if outs.is_empty() { String::new() } else { format!(", {outs}") };
            let error = if *tells { ", NULL" } else { "" };
            format!("{args}{outs}{error}")
        };
        let of = |given: String| match m.api().has_config() {
            true => format!("object{given}"),
            false => given.trim_start_matches(", ").to_owned(),
        };
        let call = |bad, outs: &str| format!("{c}({})", of(given(bad, outs)));
        writeln!(objects, "OBJECT({c}{})", given(None, good))?;
        writeln!(all, "    F({c}),")?;
        writeln!(configurations, "            {c}(bad{}),", given(None, good))?;
        for (i, a) in args.iter().enumerate() {
            let Some(may_be_null) = a.pointer else { continue };
            let out = if *null { "NULL" } else { good };
            if !may_be_null {
                writeln!(inputs, "    IS(NULL, {});", call(Some((i, "NULL")), out))?;
            }
            writeln!(inputs, "    IS(MISALIGNED, {});", call(Some((i, "ODD(OUT)")), out))?;
        }
        if *tells {
            let call = call(None, good);
            let told = call.strip_suffix("NULL)").unwrap_or(&call);
            writeln!(inputs, "    IS(MISALIGNED, {told}ODD(OUT)));")?;
        }
        match outs.as_slice() {
            [_] if *null => writeln!(inputs, "    IS(MISALIGNED, {});", call(None, "ODD(OUT)"))?,
            outs => {
                for out in outs {
                    writeln!(results, "            {},", call(None, out))?;
                }
            }
        }
    }
    let refused = match results.is_empty() {
        true => "        (void)object;\n".into(),
        false => format!(
            "        const gpusched_status results[] = {{\n{results}        }};\n        REFUSED_FOR(bad, \"a result\", results);\n"
        ),
    };
    let offset = |name: &str| format!("    offsetof(CONFIG, {name}),\n");
    // In the order of the core, which is not that of the struct: that keeps to the lock.
    let numbers = m.scope.source.parameters.get(&m.api().config).into_iter().flat_map(|p| &p.numbers);
    let choices = m.parameters.iter().filter(|p| matches!(p.of, Choice::Flag | Choice::Enum(_)));
    let with = [
        ("{numbers}", numbers.map(|n| offset(&n.name)).collect()),
        ("{choices}", choices.map(|p| offset(&p.name)).collect()),
        ("{refused}", refused),
        ("{objects}", objects),
        ("{all}", all),
        ("{inputs}", inputs),
        ("{results}", results),
        ("{configurations}", configurations),
    ];
    let with: Vec<_> = with.iter().map(|(key, text)| (*key, text.as_str())).collect();
    let init = match m.api().presets.first() {
        Some([first, _]) => {
            format!("(config, size) gpusched_{{t}}_config_init(config, size, GPUSCHED_{{T}}_PRESET_{})", shout(first))
        }
        None => " gpusched_{t}_config_init".into(),
    };
    if !m.api().has_config() {
        return Ok(m.fill(include_str!("../templates/misuse_plain.h"), &with));
    }
    if !m.has_object() {
        return Ok(m.fill(include_str!("../templates/misuse_functions.h"), &with));
    }
    // The tests of what is no hardware are those of its layout.
    let bits = match m.api().storage {
        Some(_) => "#define STORAGE gpusched_{t}_{storage}\n#define STORAGE_BITS gpusched_{t}_storage_bits\n",
        None => "#define STORAGE gpusched_layout\n#define STORAGE_BITS gpusched_{m}_layout\n",
    };
    let with = [&with[..], &[("{init}", &init), ("{storage_bits}", bits)]].concat();
    let text = m.fill(include_str!("../templates/misuse.h"), &with);
    Ok(text)
}

fn row(m: &Machine<'_>, call: &Call) -> Row {
    let outs: &[&str] = match &call.answer.kind {
        None => &[],
        Some(_) if call.answer.is_list => &["bad, 9, &size_out", "OUT, 9, bad"],
        Some(_) if call.present.is_some() => &["bad, OUT", "OUT, bad"],
        Some(_) if call.blames => &["bad, NULL"],
        Some(_) => &["bad"],
    };
    let good = match outs.len() {
        0 => "",
        1 if call.blames => "OUT, NULL",
        1 => "OUT",
        _ if call.present.is_some() => "OUT, OUT",
        _ => "OUT, 9, &size_out",
    };
    Row {
        c: format!("gpusched_{}_{}", m.name(), call.c),
        args: call.params.iter().flat_map(args).collect(),
        outs: outs.iter().map(ToString::to_string).collect(),
        good: good.into(),
        null: call.null,
        tells: call.error.is_some(),
    }
}

/// One that has not the usual form is called with a bad object only; what becomes of bad pointers is left to the program.
fn by_hand(f: &crate::hand::Function) -> Row {
    let is_usual = f.is_usual();
    let arg = |ty: &String| match ty.as_str() {
        ty if ty.starts_with('*') => Arg { text: "OUT".into(), pointer: is_usual.then_some(false) },
        _ => Arg { text: "0".into(), pointer: None },
    };
    let mut args: Vec<_> = f.params.iter().map(arg).collect();
    let mut outs = Vec::new();
    if is_usual {
        args.pop();
        outs.push("bad".into());
    }
    let good = if is_usual { "OUT" } else { "" };
    Row { c: f.name.clone(), args, outs, good: good.into(), null: false, tells: false }
}

/// Pointers lead to `OUT`, memory that any argument may be read from.
fn args(p: &Param) -> Vec<Arg> {
    let plain = |text: &str| Arg { text: text.into(), pointer: None };
    match (&p.kind, p.by) {
        (_, By::Slice | By::InPlace | By::OptionalSlice) => {
            vec![Arg { text: "OUT".into(), pointer: Some(false) }, plain("1")]
        }
        (_, By::OptionalReference) => vec![Arg { text: "OUT".into(), pointer: Some(true) }],
        (Kind::Record(_), _) => vec![Arg { text: "OUT".into(), pointer: Some(false) }],
        (Kind::Array(_, n), _) => (0..*n).map(|_| plain("1")).collect(),
        (Kind::Cycle, _) => vec![plain("9000")],
        (Kind::Number(_), _) => vec![plain("1")],
        _ => vec![plain("0")],
    }
}
