//! Whatever a file holds that is read as a trace, reading it comes to an end, or says what is wrong; what is read can be written and read
//! again.

#![no_main]

use gpusched_traces::{Event, Instruction, Kernel, Summary, TraceError, Writer};
use libfuzzer_sys::fuzz_target;

/// A head for lines of instructions, so that not all of them have to be found.
const HEAD: &[u8] = b"-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-binary version = 90\n-accelsim tracer version = 6\n";

/// The TBs of a trace, each with its warps.
type Tbs = Vec<([u32; 3], Vec<(u32, Vec<Instruction>)>)>;

fn read(bytes: &[u8]) -> Result<Tbs, TraceError> {
    let (mut kernel, mut tbs) = (Kernel::read("fuzz.traceg", bytes)?, Tbs::new());
    while let Some(event) = kernel.next()? {
        match (event, tbs.last_mut()) {
            (Event::Tb(place), _) => tbs.push((place.tb, Vec::new())),
            (Event::Warp { warp, .. }, Some((_, warps))) => warps.push((warp, Vec::new())),
            (Event::Instruction(one), Some((_, warps))) => {
                // What version 5 has no words for.
                let told = Instruction { source_line: None, unread: false, ..one.clone() };
                let first = one.immediates.first().copied().unwrap_or_default();
                warps.last_mut().expect("a warp has begun").1.push(Instruction { immediates: vec![first], ..told });
            }
            _ => {}
        }
    }
    Ok(tbs)
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let text = if first % 2 == 0 { [HEAD, rest].concat() } else { rest.to_vec() };
    let Ok(mut kernel) = Kernel::read("fuzz.traceg", text.as_slice()) else { return };
    let header = kernel.header().clone();
    let summary = Summary::of(&mut kernel, &mut || false);
    let tbs = read(&text);
    assert_eq!(summary.is_ok(), tbs.is_ok());
    let (Ok(Some(summary)), Ok(tbs)) = (summary, tbs) else { return };
    let counted: usize = tbs.iter().flat_map(|(_, warps)| warps).map(|(_, all)| all.len()).sum();
    assert_eq!(summary.instructions, counted as u64);
    let mut writer = Writer::new(Vec::new(), &header).expect("memory takes everything");
    tbs.iter().for_each(|(place, warps)| writer.tb(*place, warps).expect("memory takes everything"));
    let text = writer.finish().expect("memory takes everything");
    assert_eq!(read(&text).expect("it was written"), tbs);
});
