//! The units of TLP modulation, through C and in Rust: the first byte says which.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched::Fault;
use gpusched::tlp::{
    TlpConfig, left_over_image_config, pool_image_config, smart_even_image_config, smc_image_config,
    tlp_sm_image_config,
};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::Bytes;
use gpusched_fuzz::twins::{Twins, run, status};
use gpusched_tests::equalizer::Machine;
use gpusched_tests::tlp::{Answer, Event, Kind, Unit, View, script, through_c};
use libfuzzer_sys::fuzz_target;

/// A unit of the kind `KINDS[KIND]`.
struct Units<const KIND: usize> {
    c: through_c::Unit,
    rust: Unit,
    config: TlpConfig,
}

const KINDS: [Kind; 5] = [Kind::TlpSm, Kind::Pool, Kind::LeftOver, Kind::SmartEven, Kind::Smc];

impl<const KIND: usize> Units<KIND> {
    const OF: Kind = KINDS[KIND];
}

impl<const KIND: usize> Twins for Units<KIND> {
    type Event = Event;
    type Answer = std::result::Result<Answer, Fault>;
    type Mark = (View, Vec<u8>);
    type Config = TlpConfig;

    fn config(u: Bytes) -> Result<TlpConfig> {
        Ok(script::config(&u.arbitrary()?))
    }

    fn new(config: &TlpConfig) -> Self {
        let c = through_c::Unit::new(Self::OF, config).expect("it is valid");
        Self { c, rust: Unit::new(Self::OF, config).expect("it is valid"), config: *config }
    }

    fn event(&self, u: Bytes) -> Result<Event> {
        Ok(script::event(&self.config, Self::OF, &self.rust.view(), &u.arbitrary()?))
    }

    fn call(&mut self, event: &Event) -> [Self::Answer; 2] {
        [self.c.take(event), self.rust.take(event)]
    }

    fn is_refusal(answer: &Self::Answer) -> bool {
        answer.is_err()
    }

    fn check(&self) -> Self::Mark {
        let view = self.rust.view();
        self.rust.validate().unwrap_or_else(|broken| panic!("{broken}"));
        let mark = self.c.mark();
        assert_eq!(mark.0, view);
        mark
    }

    fn image(&self) -> Vec<u8> {
        let image = gpusched_tests::images::image(&self.rust);
        assert_eq!(self.c.image(), image);
        image
    }

    fn image_config(image: &[u8]) -> [std::result::Result<TlpConfig, Status>; 2] {
        let told = match Self::OF {
            Kind::Pure | Kind::TlpSm => tlp_sm_image_config(image),
            Kind::Pool => pool_image_config(image),
            Kind::LeftOver => left_over_image_config(image),
            Kind::SmartEven => smart_even_image_config(image),
            Kind::Smc => smc_image_config(image),
        };
        [through_c::image_config(Self::OF, image), status(told)]
    }

    fn restore(&mut self, config: &TlpConfig, image: &[u8]) -> [std::result::Result<(), Status>; 2] {
        let restored = status(Unit::restore(Self::OF, image));
        let result = restored.as_ref().map(|_| ()).map_err(|&status| status);
        self.rust = restored.unwrap_or_else(|_| Unit::new(Self::OF, config).expect("it is valid"));
        [self.c.restore(image), result]
    }
}

fuzz_target!(|data: &[u8]| {
    let mut u = Unstructured::new(data);
    // Bytes that end early end the run early.
    let _ = match u.int_in_range(0..=9u8) {
        Ok(0..=5) => run::<Units<0>>(&mut u),
        Ok(6) => run::<Units<1>>(&mut u),
        Ok(7) => run::<Units<2>>(&mut u),
        Ok(8) => run::<Units<3>>(&mut u),
        _ => run::<Units<4>>(&mut u),
    };
});
