//! Names and words: from the core's way of writing to C's.

use crate::api::Common;

/// `BackupSelect` as `backup_select`.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, c) in name.char_indices() {
        if c.is_uppercase() && i > 0 {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}

/// `backup_select` as `BackupSelect`.
pub fn camel(name: &str) -> String {
    let part = |p: &str| p.get(..1).unwrap_or("").to_uppercase() + p.get(1..).unwrap_or("");
    name.split('_').map(part).collect()
}

/// `BackupSelect` as `BACKUP_SELECT`.
pub fn shout(name: &str) -> String {
    snake(name).to_uppercase()
}

/// Whether C or C++ means something by a word that the core may use for a name.
pub fn is_keyword(name: &str) -> bool {
    const ALL: &str = "alignas alignof asm auto bool case catch char class compl concept consteval constexpr constinit decltype default \
                       delete double explicit export float friend goto inline int long mutable namespace new noexcept not nullptr \
                       operator private protected public register requires restrict short signed sizeof switch template this throw \
                       typedef typeid typename union unsigned using virtual void volatile xor";
    ALL.split(' ').any(|word| word == name)
}

/// The core's words in C's: the first paragraph, links as names, without references to rules.
pub fn words(common: &Common, machine: &str, doc: &str) -> String {
    let mut doc = doc.split("\n\n").next().unwrap_or("").replace('\n', " ");
    while let Some((before, rest)) = doc.split_once("[`") {
        let Some((link, after)) = rest.split_once("`]") else { break };
        let after = match after.strip_prefix('(').and_then(|a| a.split_once(')')) {
            Some((_, after)) => after,
            None => after,
        };
        let last = link.rsplit("::").next().unwrap_or(link);
        let is_function = last.chars().all(|c| c.is_lowercase() || c == '_');
        let text = if is_function { format!("gpusched_{machine}_{last}") } else { last.to_owned() };
        doc = format!("{before}{text}{after}");
    }
    let doc = without_rules(&doc);
    common.words.iter().fold(doc, |doc, (from, to)| doc.replace(from, to)).replace('`', "")
}

/// The faults that the core says a method has.
pub fn faults(common: &Common, machine: &str, doc: &str) -> String {
    let errors = doc.split_once("# Errors\n").map_or("", |(_, e)| e);
    words(common, machine, errors).trim_end_matches('.').to_owned()
}

/// Rules of the sheets are not C's: ` (laperm-R14)` behind a phrase, `laperm-R13: ` before a sentence.
fn without_rules(doc: &str) -> String {
    let is_rule = |text: &str| {
        !text.is_empty()
            && text.split([' ', ',']).filter(|w| !w.is_empty() && *w != "and").all(|w| {
                w.rsplit_once('-').is_some_and(|(_, n)| {
                    n.starts_with(|c: char| c.is_ascii_uppercase())
                        && n[1..].chars().all(|c| c.is_ascii_digit())
                        && n.len() > 1
                })
            })
    };
    let mut out = match doc.split_once(": ") {
        Some((rule, rest)) if is_rule(rule) => capital(rest),
        _ => doc.to_owned(),
    };
    let mut from = 0;
    while let Some(at) = out[from..].find(" (").map(|at| at + from) {
        let Some(end) = out[at..].find(')').map(|end| end + at) else { break };
        if is_rule(&out[at + 2..end]) {
            out.replace_range(at..=end, "");
        } else {
            from = end;
        }
    }
    out
}

/// With a capital letter.
pub fn capital(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_uppercase().chain(chars).collect())
}

/// With a small letter, unless the first word is a name.
pub fn small(text: &str) -> String {
    let mut chars = text.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(c), Some(next)) if next.is_lowercase() || next == ' ' => c.to_lowercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// A greatest value as people read it.
pub fn limit(n: u64) -> String {
    if n >= 1 << 17 && n.is_power_of_two() {
        format!("2^{}", n.trailing_zeros())
    } else if n >= 1_000_000 && 10_u64.pow(n.ilog10()) == n {
        format!("10^{}", n.ilog10())
    } else {
        n.to_string()
    }
}

/// Comment lines of at most 132 columns, after `mark`.
pub fn comment(out: &mut String, mark: &str, words: &str) {
    for line in words.lines() {
        let mut at = mark.to_owned();
        for word in line.split(' ').filter(|w| !w.is_empty()) {
            if at.len() > mark.len() && at.len() + 1 + word.len() > 132 {
                out.push_str(&at);
                out.push('\n');
                at = mark.to_owned();
            }
            at.push(' ');
            at.push_str(word);
        }
        out.push_str(at.trim_end());
        out.push('\n');
    }
}
