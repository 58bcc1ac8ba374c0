//! A machine that stands alone twice, through C and in Rust, for the targets `laperm`, `bubble`, `dgb`, `apogee`, `equalizer`,
//! `mascar`, `tlp` and `simt`: any calls in any order, and any bytes as an image. Both must answer and show the same, and what is refused
//! changes nothing.

use std::fmt::Debug;

use arbitrary::{Result, Unstructured};
use gpusched::ImageError;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::images::{CHECKSUM, HEADER, forged};

use crate::bytes::Bytes;

/// What the targets know about their machine.
pub trait Twins: Sized {
    /// A call.
    type Event: Debug;
    /// What a call answers.
    type Answer: Debug + PartialEq;
    /// What is seen and saved.
    type Mark: PartialEq;
    /// The configuration.
    type Config: PartialEq + Copy;

    /// A configuration within its ranges.
    fn config(u: Bytes) -> Result<Self::Config>;
    /// Two machines.
    fn new(config: &Self::Config) -> Self;
    /// A call, now and then one that makes no sense.
    fn event(&self, u: Bytes) -> Result<Self::Event>;
    /// The answers of both.
    fn call(&mut self, event: &Self::Event) -> [Self::Answer; 2];
    /// Whether an answer is a refusal.
    fn is_refusal(answer: &Self::Answer) -> bool;
    /// What C shows and saves, after the invariants were checked and both were found to show the same.
    fn check(&self) -> Self::Mark;
    /// The image of both.
    fn image(&self) -> Vec<u8>;
    /// The configuration in an image, as both tell it.
    fn image_config(image: &[u8]) -> [std::result::Result<Self::Config, Status>; 2];
    /// Both become what an image says, or, if they refuse it, new.
    fn restore(&mut self, config: &Self::Config, image: &[u8]) -> [std::result::Result<(), Status>; 2];
}

/// A run of calls and images.
pub fn run<T: Twins>(u: &mut Unstructured) -> Result<()> {
    let config = T::config(u)?;
    let mut twins = T::new(&config);
    let mut mark = twins.check();
    while !u.is_empty() {
        if u.ratio(1, 16)? {
            let image = twins.image();
            let changed = change(u, &image)?;
            let [told, expected] = T::image_config(&changed);
            assert!(told == expected, "the configuration in an image");
            if told == Ok(config) {
                let [c, rust] = twins.restore(&config, &changed);
                assert_eq!(c, rust);
                assert!(
                    rust.is_ok() || changed != image,
                    "what a machine saves is accepted, even if it was forged once"
                );
            }
            mark = twins.check();
        }
        let event = twins.event(u)?;
        let [c, rust] = twins.call(&event);
        assert_eq!(c, rust, "{event:?}");
        let now = twins.check();
        assert!(!T::is_refusal(&c) || now == mark, "{event:?} changed what it refused");
        mark = now;
    }
    Ok(())
}

/// An image, as it is or changed here and there, with or without a right checksum.
fn change(u: Bytes, image: &[u8]) -> Result<Vec<u8>> {
    let mut body = image[HEADER..image.len() - CHECKSUM].to_vec();
    for _ in 0..u.int_in_range(0..=3)? {
        let at = u.choose_index(body.len())?;
        body[at] = if u.arbitrary()? { u.arbitrary()? } else { u.int_in_range(0..=8)? };
    }
    let mut changed = forged(image, &body);
    if u.ratio(1, 8)? {
        let at = u.choose_index(changed.len())?;
        changed[at] = u.arbitrary()?;
        changed.truncate(u.int_in_range(0..=changed.len())?);
    }
    Ok(changed)
}

/// The status of a core's refusal.
pub fn status<V>(result: std::result::Result<V, ImageError>) -> std::result::Result<V, Status> {
    result.map_err(Status::from)
}
