//! Makes `data/wordnet.bin.gz` from the WordNet 3.0 database files, or checks that it is what they make.
//!
//! ```text
//! cargo run --release --example pack_wordnet -- /usr/share/wordnet             # check
//! cargo run --release --example pack_wordnet -- /usr/share/wordnet out.bin.gz  # make
//! ```
//!
//! Synsets are numbered in file order: nouns, verbs, adjectives, adverbs. Every pointer counts, semantic or lexical, whatever
//! its kind. The format of the result is described in `src/graph/wordnet.rs`; that of the source in wndb(5WN).

use flate2::{Compression, GzBuilder, read::GzDecoder};
use std::collections::{BTreeMap, HashMap};
use std::error::Error;
use std::io::{Read, Write};
use std::path::Path;

/// The database files, with the letter by which pointers name them.
const FILES: [(&str, char); 4] = [("data.noun", 'n'), ("data.verb", 'v'), ("data.adj", 'a'), ("data.adv", 'r')];

/// A synset: the file and the byte at which it stands there.
type Place = (char, u32);

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let directory = arguments.next().ok_or("usage: pack_wordnet DIRECTORY [OUT.bin.gz]")?;
    let made = pack(&read_pointers(Path::new(&directory))?)?;
    if let Some(out) = arguments.next() {
        let mut file = GzBuilder::new().write(std::fs::File::create(&out)?, Compression::best());
        file.write_all(&made)?;
        file.finish()?;
        println!("wrote {out}");
    } else {
        let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/data/wordnet.bin.gz");
        let mut bytes = Vec::new();
        GzDecoder::new(std::fs::File::open(kept)?).read_to_end(&mut bytes)?;
        if bytes != made {
            return Err(format!("{kept} is not what {directory} makes").into());
        }
        println!("{kept} unpacks to exactly what {directory} makes, {} bytes", made.len());
    }
    Ok(())
}

/// The targets of every synset's pointers, synsets in file order, as numbers of synsets.
fn read_pointers(directory: &Path) -> Result<Vec<Vec<u32>>, Box<dyn Error>> {
    let mut numbers: HashMap<Place, u32> = HashMap::new();
    let mut targets: Vec<Vec<Place>> = Vec::new();
    for (file, letter) in FILES {
        let bytes = std::fs::read(directory.join(file)).map_err(|e| format!("{file}: {e}"))?;
        for (line, text) in String::from_utf8_lossy(&bytes).lines().enumerate() {
            // The licence is at the top, its lines indented.
            if text.starts_with("  ") {
                continue;
            }
            let (offset, pointers) = synset(text).ok_or_else(|| format!("{file}:{}: not a synset", line + 1))?;
            numbers.insert((letter, offset), numbers.len() as u32);
            targets.push(pointers);
        }
    }
    let number = |place: &Place| {
        let missing = || format!("a pointer leads to no synset: {place:?}");
        numbers.get(place).copied().ok_or_else(missing)
    };
    let numbered = |places: &Vec<Place>| places.iter().map(number).collect();
    Ok(targets.iter().map(numbered).collect::<Result<_, _>>()?)
}

/// A line of a database file: offset, lexicographer file, type, words (count in hexadecimal, then word and id each),
/// pointers (count, then kind, offset, part of speech and words concerned each), and what else there is.
fn synset(line: &str) -> Option<(u32, Vec<Place>)> {
    let mut fields = line.split(' ');
    let offset = fields.next()?.parse().ok()?;
    let words = usize::from_str_radix(fields.nth(2)?, 16).ok()?;
    let pointers: usize = fields.nth(2 * words)?.parse().ok()?;
    let mut places = Vec::with_capacity(pointers);
    for _ in 0..pointers {
        let target = fields.nth(1)?.parse().ok()?;
        let letter = match fields.next()? {
            "n" => 'n',
            "v" => 'v',
            // Satellite adjectives stand in the file of adjectives.
            "a" | "s" => 'a',
            "r" => 'r',
            _ => return None,
        };
        fields.next()?;
        places.push((letter, target));
    }
    Some((offset, places))
}

fn pack(targets: &[Vec<u32>]) -> Result<Vec<u8>, Box<dyn Error>> {
    // Pairs (v, v - u), u <= v, with the pointers from u and from v.
    let mut pairs: BTreeMap<(u32, u32), [u8; 2]> = BTreeMap::new();
    for (from, targets) in (0_u32..).zip(targets) {
        for &to in targets {
            let (u, v) = (from.min(to), from.max(to));
            pairs.entry((v, v - u)).or_default()[usize::from(from == v)] += 1;
        }
    }
    let mut counts = vec![0; targets.len()];
    let mut distances = Vec::new();
    let mut pointers = Vec::new();
    let mut previous = (0, 0);
    for (&(v, below), &[from_u, from_v]) in &pairs {
        counts[v as usize] += 1;
        varint(&mut distances, below - if previous.0 == v { previous.1 } else { 0 });
        if from_u.max(from_v) > 15 {
            return Err("more than 15 pointers one way between two synsets".into());
        }
        pointers.push(from_u << 4 | from_v);
        previous = (v, below);
    }
    let mut packed = Vec::new();
    packed.extend((targets.len() as u32).to_le_bytes());
    packed.extend((pairs.len() as u32).to_le_bytes());
    for count in counts {
        varint(&mut packed, count);
    }
    packed.extend(distances);
    packed.extend(pointers);
    Ok(packed)
}

fn varint(out: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
