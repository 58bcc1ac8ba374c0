//! `.tracez`, the packed form of tracers of version 6, read as the text that they write with `--text`, line for line.
//!
//! | bytes | |
//! |---|---|
//! | head | lines of text, up to a zero |
//! | two numbers | bytes of the dictionary, and how many instructions a piece has at most, as a rule |
//! | dictionary | of zstd, trained with some of the lines; perhaps none |
//! | for each warp | its instructions, and pieces; for each piece its bytes, and a zstd frame with that dictionary: lines, the last without an end |
//! | index | TBs; for each its place, its cluster's, its own there, its rank and its warps; for each of those its instructions, its pieces, where it lies, and the instructions of each piece |
//! | the last 8 | where the index begins |
//!
//! Numbers are little-endian, of 32 bits, and of 64 where they say where something lies. Two readers go through the file side by side, one
//! through the index and one through the pieces, so that no more of either is held than what is being read.

use ruzstd::decoding::{Dictionary, FrameDecoder, StreamingDecoder};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read, Seek, SeekFrom, Take};
use std::path::Path;

/// What the name of such a file ends with.
pub(crate) const EXTENSION: &str = "tracez";

/// A head is no longer than this, nor is a dictionary: the tracer makes none of more than 64 KiB.
const LONGEST_HEAD: u64 = 1 << 20;
const LONGEST_DICTIONARY: u32 = 1 << 20;
/// Bytes of the place at the end.
const PLACE: u64 = 8;

/// The text of a packed trace.
pub(crate) struct Tracez {
    index: BufReader<File>,
    /// Where the index ends.
    end: u64,
    now: Now,
    /// TBs that are left, warps of this one, and pieces of this warp.
    tbs: u32,
    warps: Option<Warps>,
    pieces: u32,
}

/// What is being given out. There is always one reader of pieces, and one decoder.
enum Now {
    Text(Cursor<Vec<u8>>, BufReader<File>, FrameDecoder),
    Piece(StreamingDecoder<Take<BufReader<File>>, FrameDecoder>),
    /// Something was wrong.
    Nothing,
}

/// Warps of a TB: the next one, and how many there are.
#[derive(Clone, Copy)]
struct Warps {
    next: u32,
    all: u32,
}

fn wrong(why: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, why.into())
}

/// What is cut off says so in words of its own.
fn cut(what: &str) -> impl Fn(io::Error) -> io::Error {
    move |error| match error.kind() {
        ErrorKind::UnexpectedEof => wrong(format!("it ends within {what}")),
        _ => error,
    }
}

fn numbers<const N: usize>(from: &mut impl Read, what: &str) -> io::Result<[u32; N]> {
    let mut all = [0; N];
    for number in &mut all {
        let mut bytes = [0; size_of::<u32>()];
        from.read_exact(&mut bytes).map_err(cut(what))?;
        *number = u32::from_le_bytes(bytes);
    }
    Ok(all)
}

fn place(from: &mut impl Read, what: &str) -> io::Result<u64> {
    let [low, high] = numbers(from, what)?;
    Ok(u64::from(high) << 32 | u64::from(low))
}

impl Tracez {
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut pieces = BufReader::new(File::open(path)?);
        let mut head = Vec::new();
        pieces.by_ref().take(LONGEST_HEAD).read_until(0, &mut head)?;
        if head.pop() != Some(0) {
            return Err(wrong(format!("no zero ends its head within {LONGEST_HEAD} bytes")));
        }
        let [size, _] = numbers(&mut pieces, "its head")?;
        if size > LONGEST_DICTIONARY {
            return Err(wrong(format!("a dictionary of {size} bytes; one has {LONGEST_DICTIONARY} at most")));
        }
        let mut decoder = FrameDecoder::new();
        if size > 0 {
            let mut raw = vec![0; size as usize];
            pieces.read_exact(&mut raw).map_err(cut("its dictionary"))?;
            let dictionary = Dictionary::decode_dict(&raw).map_err(|why| wrong(format!("its dictionary: {why}")))?;
            decoder.add_dict(dictionary).map_err(io::Error::other)?;
        }
        let mut index = BufReader::new(File::open(path)?);
        let end = index.get_ref().metadata()?.len().saturating_sub(PLACE);
        index.seek(SeekFrom::Start(end))?;
        let begins = place(&mut index, "its last 8 bytes")?;
        if begins > end {
            return Err(wrong(format!("its index is said to begin at byte {begins}, behind its end")));
        }
        index.seek(SeekFrom::Start(begins))?;
        let [tbs] = numbers(&mut index, "its index")?;
        Ok(Self { index, end, now: Now::Text(Cursor::new(head), pieces, decoder), tbs, warps: None, pieces: 0 })
    }

    /// What follows when all that was there has been given out; none at the end.
    fn next(&mut self, mut file: BufReader<File>, decoder: FrameDecoder) -> io::Result<Option<Now>> {
        if self.pieces > 0 {
            self.pieces -= 1;
            let [size] = numbers(&mut file, "a piece of a warp")?;
            let piece = StreamingDecoder::new_with_decoder(file.take(size.into()), decoder);
            return piece.map(|piece| Some(Now::Piece(piece))).map_err(io::Error::other);
        }
        let text = match self.warps {
            Some(Warps { next, all }) if next == all => {
                self.warps = None;
                "\n#END_TB\n".to_owned()
            }
            Some(Warps { next, all }) => {
                self.warps = Some(Warps { next: next + 1, all });
                let instructions = self.warp(&mut file)?;
                format!("\nwarp = {next}\ninsts = {instructions}\n")
            }
            None if self.tbs > 0 => self.tb()?,
            None => {
                let at = self.index.stream_position()?;
                let is_whole = at == self.end;
                return if is_whole { Ok(None) } else { Err(wrong("bytes follow on the last TB of its index")) };
            }
        };
        Ok(Some(Now::Text(Cursor::new(text.into_bytes()), file, decoder)))
    }

    fn tb(&mut self) -> io::Result<String> {
        self.tbs -= 1;
        let [x, y, z, cx, cy, cz, ix, iy, iz, rank, all] = numbers(&mut self.index, "its index")?;
        self.warps = Some(Warps { next: 0, all });
        Ok(format!(
            "\n#BEGIN_TB\n\nthread block = {x},{y},{z}\ncluster id = {cx},{cy},{cz}\ncluster cta = {ix},{iy},{iz}\ncluster rank = {rank}\n"
        ))
    }

    /// Instructions of the next warp, whose first piece is the next thing in `file`.
    fn warp(&mut self, file: &mut BufReader<File>) -> io::Result<u32> {
        let [instructions, pieces] = numbers(&mut self.index, "its index")?;
        let begins = place(&mut self.index, "its index")?;
        let mut sum = 0;
        for _ in 0..pieces {
            let [of_piece] = numbers(&mut self.index, "its index")?;
            sum += u64::from(of_piece);
        }
        file.seek(SeekFrom::Start(begins))?;
        let said = numbers(file, "a warp")?;
        if said != [instructions, pieces] || sum != u64::from(instructions) {
            let [there, in_pieces] = said;
            return Err(wrong(format!(
                "a warp of {instructions} instructions in {pieces} pieces by its index, whose pieces have {sum}, has {there} in {in_pieces} at byte {begins}"
            )));
        }
        self.pieces = pieces;
        Ok(instructions)
    }
}

impl Read for Tracez {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        loop {
            let given = match &mut self.now {
                Now::Text(text, ..) => text.read(to)?,
                Now::Piece(piece) => piece.read(to)?,
                Now::Nothing => 0,
            };
            if given > 0 || to.is_empty() {
                return Ok(given);
            }
            self.now = match std::mem::replace(&mut self.now, Now::Nothing) {
                Now::Piece(piece) => {
                    let (source, decoder) = piece.into_parts();
                    if source.limit() > 0 {
                        return Err(wrong(format!("{} bytes follow on the frame of a piece", source.limit())));
                    }
                    Now::Text(Cursor::new(b"\n".to_vec()), source.into_inner(), decoder)
                }
                Now::Text(_, file, decoder) => match self.next(file, decoder)? {
                    Some(next) => next,
                    None => return Ok(0),
                },
                Now::Nothing => return Ok(0),
            };
        }
    }
}
