//! Any bytes as an image: damage and forgery are refused with a name, by both faces alike, or make a machine that bears every call.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::ImageError;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Bytes, Caller, tiny};
use gpusched_fuzz::pair::{Pair, call};
use gpusched_heap::front_end;
use gpusched_tests::images::{CHECKSUM, HEADER, forged, image, on_heap};
use gpusched_tests::machine::Machine;
use gpusched_tests::through_c::{ThroughC, image_config};
use libfuzzer_sys::fuzz_target;

/// Larger machines are only refused or not: looking at them takes long.
const MOST_RECORDS: u32 = 64;
/// So are entries of LaPerm's queues, of which a unit has some.
const MOST_ENTRIES: u32 = 512;

fn calls(u: Bytes, pair: &mut Pair, caller: &mut Caller, n: usize) -> Result<()> {
    for _ in 0..n {
        if u.is_empty() {
            break;
        }
        call(u, pair, caller)?;
        pair.settle();
    }
    Ok(())
}

/// A machine's image, changed here and there.
fn bytes(u: Bytes) -> Result<Vec<u8>> {
    let config = tiny(u)?;
    let c = ThroughC::new(&config, 0).expect("it is valid");
    let mut pair = Pair::new(c, front_end(&config).expect("it is valid"), true);
    let n = u.int_in_range(0..=40)?;
    calls(u, &mut pair, &mut Caller::new(&config), n)?;
    pair.end_cycle();
    let image = pair.image();
    if u.ratio(1, 8)? {
        // As it comes: the frame is damaged, too.
        let mut image = image;
        for _ in 0..u.int_in_range(1..=3)? {
            let at = u.choose_index(image.len())?;
            image[at] = u.arbitrary()?;
        }
        image.truncate(u.int_in_range(0..=image.len())?);
        return Ok(image);
    }
    let mut body = image[HEADER..image.len() - CHECKSUM].to_vec();
    for _ in 0..u.int_in_range(0..=4)? {
        let at = u.choose_index(body.len())?;
        match u.int_in_range(0..=7u8)? {
            0 => body.insert(at, u.arbitrary()?),
            1 if body.len() > 1 => drop(body.remove(at)),
            2 => {
                let from = u.choose_index(body.len())?;
                let n = u.int_in_range(0..=body.len() - from.max(at))?;
                body.copy_within(from..from + n, at);
            }
            3 => body[at] = u.arbitrary()?,
            _ => body[at] = u.int_in_range(0..=8)?,
        }
    }
    Ok(forged(&image, &body))
}

/// The status for a core's refusal.
fn status(error: ImageError) -> Status {
    match error {
        ImageError::TooSmall { .. } => Status::ImageTooSmall,
        ImageError::MidCycle => Status::MidCycle,
        ImageError::Truncated => Status::ImageTruncated,
        ImageError::NotAnImage => Status::NotAnImage,
        ImageError::WrongKind => Status::ImageWrongType,
        ImageError::WrongVersion { .. } => Status::ImageWrongVersion,
        ImageError::Corrupted => Status::ImageCorrupted,
        ImageError::Content => Status::ImageContent,
        ImageError::Tables(_) => Status::ImageOther,
    }
}

fn run(u: &mut Unstructured) -> Result<()> {
    let image = if u.ratio(1, 8)? {
        // All of the body is the fuzzer's.
        let n = u.arbitrary_len::<u8>()?;
        let like = image(&front_end(&tiny(u)?).expect("it is valid"));
        forged(&like, u.bytes(n)?)
    } else {
        bytes(u)?
    };
    let config = match image_config(&image) {
        Ok(config) => config,
        Err(refused) => {
            assert_eq!(gpusched::image_config(&image).map_err(status), Err(refused));
            let mut other = ThroughC::new(&gpusched::Config::K20C, 0).expect("it is valid");
            assert_eq!(other.restore(&image), Err(refused));
            return Ok(());
        }
    };
    let entries = config.laperm().map_or(0, |part| part.queue_cap.max(part.pool_cap));
    if config.pend_limit > MOST_RECORDS || config.n_smx * config.tb_slots > MOST_RECORDS || entries > MOST_ENTRIES {
        return Ok(());
    }
    let mut c = ThroughC::new(&config, u.int_in_range(0..=100)?).expect("the image's configuration is valid");
    let restored = c.restore(&image);
    match on_heap(&image) {
        Err(error) => {
            assert_eq!(restored, Err(status(error)));
            assert_eq!(c.view(), front_end(&config).expect("it is valid").view(), "as new");
        }
        Ok(rust) => {
            assert_eq!(restored, Ok(()));
            let mut pair = Pair::new(c, rust, false);
            pair.image();
            calls(u, &mut pair, &mut Caller::new(&config), usize::MAX)?;
            pair.end_cycle();
            // What a machine saves is accepted, even if it was forged once.
            assert_eq!(on_heap(&pair.image()).as_ref(), Ok(&pair.rust));
        }
    }
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run(&mut Unstructured::new(data));
});
