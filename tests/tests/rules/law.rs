//! The sheets and what cites them (`core/spec/README.md` says how a rule is written and cited): every rule that is cited exists, none is
//! cited without its sheet, and each is cited by code or test, or `core/spec/uncited.md` says why not.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs;
use std::path::Path;

/// Where rules may be cited.
const PLACES: [&str; 6] = ["README.md", "core", "ffi", "hosts", "include", "tests"];
/// Where the sheets lie.
const FOLDERS: [&str; 3] = ["core/spec", "hosts/refgpu/spec", "hosts/workloads/spec"];
/// The list of rules that nothing cites.
const UNCITED: &str = "core/spec/uncited.md";
/// Files that may cite rules, by extension.
const KINDS: [&str; 11] = ["rs", "c", "h", "hpp", "cpp", "sv", "svh", "py", "md", "txt", "toml"];
/// Folders whose guides number rules of their own, and the one with lists of instructions, which look like codes.
const OTHER_CODES: [&str; 3] = ["hosts/fpga", "hosts/gpgpu-sim", "hosts/workloads/src"];
/// Words that look like codes: caches, devices, standards.
const WORDS: [&str; 8] = ["L1", "L2", "K20", "K40", "C99", "C11", "G80", "Q16"];

/// One or two capital letters, a number, and at most one small letter.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Code {
    letters: String,
    number: u32,
    suffix: String,
}

impl Code {
    fn parse(word: &str) -> Option<Self> {
        let digits = word.find(|c: char| c.is_ascii_digit())?;
        let (letters, rest) = word.split_at(digits);
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, suffix) = rest.split_at(end);
        let shape = matches!(letters.len(), 1 | 2)
            && letters.bytes().all(|b| b.is_ascii_uppercase())
            && number.len() <= 2
            && matches!(suffix.as_bytes(), [] | [b'a'..=b'z']);
        shape.then(|| Self { letters: letters.into(), number: number.parse().unwrap(), suffix: suffix.into() })
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.letters, self.number, self.suffix)
    }
}

/// A code in a text: of a sheet that is named before it, or of none; from one to another, or only itself.
struct Citation<'a> {
    sheet: Option<&'a str>,
    first: Code,
    last: Option<Code>,
}

/// The runs of letters, digits and underscores of a text, with where they begin.
fn words(text: &str) -> Vec<(usize, &str)> {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    let mut rest = 0;
    while let Some(start) = text[rest..].find(inside).map(|i| rest + i) {
        rest = text[start..].find(|c| !inside(c)).map_or(text.len(), |i| start + i);
        found.push((start, &text[start..rest]));
    }
    found
}

/// All codes of a text that are no words of another kind. What follows "to" belongs to the citation before it.
fn citations<'a>(text: &'a str, sheets: &Sheets) -> Vec<Citation<'a>> {
    let words = words(text);
    let gap = |from: usize, to: usize| &text[words[from].0 + words[from].1.len()..words[to].0];
    let mut found = Vec::<Citation>::new();
    let mut previous = None;
    for (i, &(at, word)) in words.iter().enumerate() {
        let Some(code) = Code::parse(word) else { continue };
        if let (Some(p), Some(range)) = (previous, found.last_mut())
            && range.last.is_none()
            && p + 2 == i
            && gap(p, i) == " to "
        {
            range.last = Some(code);
            continue;
        }
        let sheet =
            i.checked_sub(1).filter(|&p| gap(p, i) == "-").map(|p| words[p].1).filter(|s| sheets.contains_key(*s));
        let after = &text[at + word.len()..];
        let joined = text[..at].ends_with(['-', '.', '/', '$', '[', '#', '\'', '{'])
            || after.starts_with(['-', ']', '(', '}'])
            || after.strip_prefix('.').is_some_and(|a| a.starts_with(|c: char| c.is_ascii_digit()));
        if sheet.is_some() || !(joined || WORDS.contains(&word)) {
            found.push(Citation { sheet, first: code, last: None });
            previous = Some(i);
        }
    }
    found
}

/// The rules of each sheet.
type Sheets = BTreeMap<String, BTreeSet<Code>>;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The codes that stand in bold, alone, with the line of each.
fn definitions(text: &str) -> Vec<(usize, Code)> {
    let of_line = |(n, line): (usize, &str)| {
        let parts: Vec<_> = line.split("**").collect();
        let bold = parts.into_iter().skip(1).step_by(2).filter_map(Code::parse);
        bold.map(move |code| (n + 1, code)).collect::<Vec<_>>()
    };
    text.lines().enumerate().flat_map(of_line).collect()
}

/// Every sheet: its name, its path from the root, its text.
fn texts() -> Vec<(String, String, String)> {
    let mut found = files(&FOLDERS);
    found.retain(|(path, _)| path.ends_with(".md") && !path.ends_with("README.md") && path != UNCITED);
    let name = |path: &str| Path::new(path).file_stem().unwrap().to_str().unwrap().to_owned();
    found.into_iter().map(|(path, text)| (name(&path), path, text)).collect()
}

fn sheets() -> Sheets {
    texts().into_iter().map(|(name, _, text)| (name, definitions(&text).into_iter().map(|d| d.1).collect())).collect()
}

/// Every file that may cite rules, but the sheets: path from the root, and text.
fn sources() -> Vec<(String, String)> {
    let mut found = files(&PLACES);
    found.retain(|(path, _)| !FOLDERS.iter().any(|folder| path.starts_with(folder)));
    found
}

/// The files of the kinds that may cite rules, at or below these places.
fn files(places: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut paths: Vec<_> = places.iter().map(|place| root().join(place)).collect();
    while let Some(path) = paths.pop() {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() && !name.starts_with('.') && name != "target" {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| KINDS.contains(&e.to_str().unwrap())) {
            let from_root = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            found.push((from_root, String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned()));
        }
    }
    found.sort();
    found
}

/// What of a line is prose, in which a code is a citation: a comment or Markdown, outside of code, and the start of a text in quotes.
fn prose(path: &str, line: &str, fenced: &mut bool) -> String {
    if [".py", ".txt", ".toml"].iter().any(|e| path.ends_with(e)) {
        return String::new();
    }
    let is_comment = |&(i, _): &(usize, &str)| !line[..i].ends_with([':', '"']);
    let comment = match path.ends_with(".md") {
        true => 0,
        false => line.match_indices("//").find(is_comment).map_or(line.len(), |(i, _)| i),
    };
    let (code, text) = line.split_at(comment);
    let text = text.trim_start_matches(['/', '!', ' ']);
    *fenced ^= text.starts_with("```");
    let outside = text.split('`').step_by(2).filter(|_| !*fenced);
    let quoted = code.split('"').skip(1).step_by(2).filter_map(|text| text.split_once(": ")).map(|(name, _)| name);
    outside.chain(quoted.filter(|name| Code::parse(name).is_some())).collect::<Vec<_>>().join(" ` ")
}

/// What is wrong with the citations of a text, and which rules it cites.
fn check(path: &str, text: &str, sheets: &Sheets, cited: &mut BTreeSet<(String, Code)>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut fenced = false;
    for (n, line) in text.lines().enumerate() {
        let mut blame = |what: String| wrong.push(format!("{path}:{}: {what}: {}", n + 1, line.trim()));
        for citation in citations(line, sheets) {
            let (Some(sheet), first) = (citation.sheet, citation.first) else { continue };
            let last = citation.last.unwrap_or_else(|| first.clone());
            let rules = &sheets[sheet];
            for code in BTreeSet::from([&first, &last]) {
                if !rules.contains(code) {
                    blame(format!("{sheet} has no {code}"));
                }
            }
            if first.letters != last.letters || first > last {
                blame(format!("{first} to {last} is no range"));
                continue;
            }
            let within =
                |code: &&Code| code.letters == first.letters && (first.number..=last.number).contains(&code.number);
            let alone = first == last;
            cited.extend(
                rules.iter().filter(within).filter(|c| !alone || **c == first).map(|c| (sheet.to_owned(), c.clone())),
            );
        }
        let prose = prose(path, line, &mut fenced);
        if OTHER_CODES.iter().any(|folder| path.starts_with(folder)) {
            continue;
        }
        for bare in citations(&prose, sheets).into_iter().filter(|c| c.sheet.is_none()) {
            if sheets.values().any(|rules| rules.contains(&bare.first)) {
                blame(format!("{} of which sheet?", bare.first));
            }
        }
    }
    wrong
}

/// A line of the table of rules that nothing cites.
fn uncited() -> BTreeMap<(String, Code), String> {
    let text = fs::read_to_string(root().join(UNCITED)).unwrap();
    let mut listed = BTreeMap::new();
    for row in text.lines().filter(|l| l.starts_with("| ") && l.contains('-')) {
        let [rule, reason] = row.trim_matches(['|', ' ']).split(" | ").collect::<Vec<_>>()[..] else {
            panic!("{UNCITED}: no rule and reason: {row}")
        };
        let (sheet, code) = rule.split_once('-').unwrap();
        let code = Code::parse(code).unwrap_or_else(|| panic!("{UNCITED}: no rule: {rule}"));
        let twice = listed.insert((sheet.to_owned(), code), reason.to_owned());
        assert!(!reason.is_empty() && twice.is_none(), "{UNCITED}: {rule} without a reason, or twice");
    }
    listed
}

/// A rule has one place. In its own sheet the code may stand alone, but then the sheet has it; rules of other sheets exist, too.
#[test]
fn sheets_define_what_they_cite_once() {
    let sheets = sheets();
    let mut wrong = Vec::new();
    for (name, path, text) in texts() {
        let mut seen = BTreeSet::new();
        for (line, code) in definitions(&text) {
            if !seen.insert(code.clone()) {
                wrong.push(format!("{path}:{line}: {code} again"));
            }
        }
        let families: BTreeSet<_> = seen.iter().map(|code| code.letters.clone()).collect();
        for (n, line) in text.lines().enumerate() {
            for citation in citations(line, &sheets) {
                let of = citation.sheet.unwrap_or(&name);
                let meant = citation.sheet.is_some() || families.contains(&citation.first.letters);
                for code in [Some(citation.first), citation.last].into_iter().flatten() {
                    if meant && !sheets[of].contains(&code) {
                        wrong.push(format!("{path}:{}: {of} has no {code}: {}", n + 1, line.trim()));
                    }
                }
            }
        }
        assert!(!seen.is_empty(), "{path} has no rules");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Code, tests and documents cite rules that exist, each with its sheet; and every rule is cited, or there is a reason why not.
#[test]
fn code_and_tests_cite_the_sheets() {
    let sheets = sheets();
    let mut cited = BTreeSet::new();
    let mut wrong: Vec<_> = sources().iter().flat_map(|(path, text)| check(path, text, &sheets, &mut cited)).collect();
    let uncited = uncited();
    for (sheet, rules) in &sheets {
        for code in rules {
            let rule = (sheet.clone(), code.clone());
            match (cited.contains(&rule), uncited.contains_key(&rule)) {
                (false, false) => wrong.push(format!("nothing cites {sheet}-{code}")),
                (true, true) => wrong.push(format!("{UNCITED} lists {sheet}-{code}, which is cited")),
                _ => {}
            }
        }
    }
    let unknown = uncited.keys().filter(|(sheet, code)| !sheets.get(sheet).is_some_and(|rules| rules.contains(code)));
    wrong.extend(unknown.map(|(sheet, code)| format!("{UNCITED}: {sheet} has no {code}")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// What the other tests would find, they find.
#[test]
fn a_wrong_citation_is_noticed() {
    let sheets = Sheets::from([("toy".into(), ["YZ1", "YZ2", "YZ3", "ZZ2"].map(|c| Code::parse(c).unwrap()).into())]);
    let found = |path, text| {
        let mut cited = BTreeSet::new();
        let wrong = check(path, text, &sheets, &mut cited).len();
        (wrong, cited.into_iter().map(|(_, code)| code.to_string()).collect::<Vec<_>>().join(" "))
    };
    for (path, text, wrong, cites) in [
        ("a.rs", "/// toy-YZ1 to YZ3: all three.", 0, "YZ1 YZ2 YZ3"),
        ("a.rs", "x(); // (toy-YZ1, toy-ZZ2)", 0, "YZ1 ZZ2"),
        ("a.rs", "/// toy-YZ9.", 1, ""),
        ("a.rs", "/// toy-YZ1 to YZ9.", 1, "YZ1 YZ2 YZ3"),
        ("a.rs", "/// toy-YZ1 to ZZ2.", 1, ""),
        ("a.rs", "/// The order of YZ4, and what follows (ZZ2).", 1, ""),
        ("a.rs", "holds(x, \"ZZ2: the window\")?;", 1, ""),
        ("a.rs", "let ZZ2 = YZ1 / f(ZZ2); // a hit in L1 or L2", 0, ""),
        ("a.md", "As `ZZ2` says, and ZZ2 again.", 1, ""),
        ("hosts/fpga/a.md", "| ZZ2 | a rule of that guide, and toy-ZZ2 |", 0, "ZZ2"),
    ] {
        assert_eq!(found(path, text), (wrong, cites.to_owned()), "{text}");
    }
}
