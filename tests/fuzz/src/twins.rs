//! A machine that stands alone twice, through C and in Rust: any calls in any order, and any bytes as an image. Both must answer and
//! show the same, and what is refused changes nothing.

use arbitrary::{Result, Unstructured};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::images::{CHECKSUM, HEADER, Saved, forged, image};
use gpusched_tests::machine::{Answered as _, Family, Machine, Object};

use crate::bytes::Bytes;

/// What a call of a machine answers.
pub type Answered<F> = std::result::Result<<F as Family>::Answer, <F as Family>::Refused>;

/// What the targets know about their machine.
pub trait Twins: Family {
    /// What a host knows.
    type Host: Default;

    /// A configuration within its ranges.
    fn config(u: Bytes) -> Result<Self::Config>;
    /// A call, now and then one that makes no sense.
    fn event(core: &Self::Core, host: &mut Self::Host, u: Bytes) -> Result<Self::Event>;
    /// What the host learns of an answer.
    fn learn(_: &mut Self::Host, _: &Self::Event, _: &Answered<Self>) {}
    /// Checks what both show beside their views.
    fn shows(_: &Self::Core, _: &Self::C) {}
}

struct Pair<F: Twins> {
    c: F::C,
    rust: F::Core,
}

impl<F: Twins> Pair<F> {
    fn new(config: &F::Config) -> Self {
        Self { c: F::C::new(config).expect("it is valid"), rust: F::core(config).expect("it is valid") }
    }

    /// What C shows and saves, after the invariants were checked and both were found to show the same.
    fn check(&self) -> <F::C as Machine>::Mark {
        self.rust.holds().unwrap_or_else(|broken| panic!("{broken}"));
        assert_eq!(self.c.view(), self.rust.view());
        F::shows(&self.rust, &self.c);
        self.c.mark()
    }

    /// The image of both.
    fn image(&self) -> Vec<u8> {
        let image = image(&self.rust);
        assert_eq!(self.c.image(), image);
        image
    }

    /// Both become what an image of their configuration says, or, if they refuse it, new.
    fn restore(&mut self, config: &F::Config, image: &[u8]) -> bool {
        let restored = self.rust.restored(image).map_err(Status::from);
        assert_eq!(self.c.restore(image).err(), restored.as_ref().err().copied());
        let is_good = restored.is_ok();
        self.rust = restored.unwrap_or_else(|_| F::core(config).expect("it is valid"));
        is_good
    }
}

/// A run of calls and images.
pub fn run<F: Twins>(u: &mut Unstructured) -> Result<()> {
    let config = F::config(u)?;
    let (mut twins, mut host) = (Pair::<F>::new(&config), F::Host::default());
    let mut mark = twins.check();
    while !u.is_empty() {
        if u.ratio(1, 16)? {
            let image = twins.image();
            let changed = change(u, &image)?;
            let told = twins.c.image_config(&changed);
            let expected = F::image_config(&twins.rust, &changed).map_err(Status::from);
            assert_eq!(told, expected, "the configuration in an image");
            if told == Ok(config) {
                let is_good = twins.restore(&config, &changed);
                assert!(is_good || changed != image, "what a machine saves is accepted, even if it was forged once");
            }
            mark = twins.check();
        }
        let event = F::event(&twins.rust, &mut host, u)?;
        let (c, rust) = (twins.c.take(&event), twins.rust.take(&event));
        assert_eq!(c, rust, "{event:?}");
        F::learn(&mut host, &event, &rust);
        let now = twins.check();
        assert!(c.refusal().is_none() || now == mark, "{event:?} changed what it refused");
        mark = now;
    }
    Ok(())
}

/// An image, as it is or changed here and there, with or without a right checksum.
pub fn change(u: Bytes, image: &[u8]) -> Result<Vec<u8>> {
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

/// A fuzz target of this family.
#[macro_export]
macro_rules! twins {
    ($Family:ty) => {
        libfuzzer_sys::fuzz_target!(|data: &[u8]| {
            // Bytes that end early end the run early.
            let _ = $crate::twins::run::<$Family>(&mut arbitrary::Unstructured::new(data));
        });
    };
}
