//! What a machine brings to its tests.

use std::any::Any;
use std::fmt::Debug;

use gpusched_tests::images::NUMBERS;
use gpusched_tests::machine::Family;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestRunner};

/// What a call of a machine answers.
pub type Answered<F> = Result<<F as Family>::Answer, <F as Family>::Refused>;

/// Makes a call on a machine; a test looks at it, and the host sees the answer.
pub type Call<'a, F> = dyn FnMut(
        &mut <F as Family>::Core,
        &mut <F as Script>::Host,
        &<F as Family>::Event,
    ) -> Result<Answered<F>, TestCaseError>
    + 'a;

/// How many random runs there are of each kind.
pub struct Runs {
    /// Beside the model.
    pub model: u32,
    /// Through C.
    pub c: u32,
    /// From images.
    pub image: u32,
    /// From forged ones.
    pub forged: u32,
}

/// Random runs of a machine, and what is stored of it.
pub trait Script: Family<Config: 'static> {
    /// Something that a host does.
    type Step: Clone + Debug + 'static;
    /// What a host knows, and what the checks of events must know of those before.
    type Host: Clone;

    /// How many random runs there are.
    const RUNS: Runs;
    /// Configurations that have a name.
    const PRESETS: &'static [Self::Config];
    /// One that is not within its ranges.
    const BAD: Self::Config;

    /// Small machines, on which everything is soon full.
    fn configs() -> BoxedStrategy<Self::Config>;
    /// What a host does after another.
    fn steps() -> BoxedStrategy<Vec<Self::Step>>;
    /// What it does from the beginning.
    fn story() -> BoxedStrategy<Vec<Self::Step>> {
        Self::steps()
    }
    /// A host that knows nothing.
    fn host(config: &Self::Config) -> Self::Host;
    /// The calls of a step; none of a script that makes them itself in [`Script::step`].
    fn events(_: &Self::Core, _: &mut Self::Host, _: &Self::Step) -> Vec<Self::Event> {
        Vec::new()
    }
    /// What a host learns of a call that was not refused.
    fn learn(_: &mut Self::Host, _: &Self::Event, _: &Self::Answer) {}
    /// Makes the calls of a step.
    ///
    /// # Errors
    /// What a test has found.
    fn step(
        core: &mut Self::Core,
        host: &mut Self::Host,
        step: &Self::Step,
        call: &mut Call<'_, Self>,
    ) -> Result<(), TestCaseError> {
        for event in Self::events(core, host, step) {
            if let Ok(answer) = call(core, host, &event)? {
                Self::learn(host, &event, &answer);
            }
        }
        Ok(())
    }
    /// Checks what must hold of an event, from one view to the next; also what the host keeps of it, unless its machine is forged.
    ///
    /// # Errors
    /// What does not hold.
    fn note(
        _: &mut Self::Host,
        _: &Self::Event,
        _: &Answered<Self>,
        _: &Self::View,
        _: &Self::View,
        _: &Self::Core,
    ) -> Result<(), String> {
        Ok(())
    }
    /// Checks what core and model must agree on beside what is seen, after each event.
    ///
    /// # Errors
    /// What does not hold.
    fn beside(_: &Self::Core, _: &Self::Model) -> Result<(), String> {
        Ok(())
    }
    /// Checks what must hold after each step.
    ///
    /// # Errors
    /// What does not hold.
    fn settled(_: &Self::Core, _: &Self::Host) -> Result<(), String> {
        Ok(())
    }
    /// Checks the end of a run.
    ///
    /// # Errors
    /// What does not hold.
    fn ends(_: &mut Self::Core, _: &mut Self::Host, _: &[Self::Step]) -> Result<(), String> {
        Ok(())
    }
    /// Checks what both faces show beside the view.
    ///
    /// # Errors
    /// In what they differ.
    fn shows(_: &Self::Core, _: &Self::C) -> Result<(), TestCaseError> {
        Ok(())
    }
    /// Whether two implementations show the same.
    fn alike(one: &Self::View, other: &Self::View) -> bool {
        one == other
    }

    /// Machines with something of everything: the kind of their images, and the file that holds the image, if it is stored.
    fn some() -> Vec<(u8, &'static str, Self::Core)>;
    /// Others whose images are forged.
    fn others() -> Vec<Self::Core> {
        Vec::new()
    }
    /// Numbers to forge them with.
    fn numbers() -> Vec<u8> {
        NUMBERS.to_vec()
    }
    /// Lets a forged machine do what there is to do.
    ///
    /// # Errors
    /// What it does not bear.
    fn bears(_: Self::Core) -> Result<(), String> {
        Ok(())
    }
}

/// Of `cases` random runs a sixth, the same in every test run, so that all tests take minutes. `PROPTEST_CASES` chooses how many,
/// `PROPTEST_RNG_SEED` chooses others.
pub fn runs(cases: u32) -> Config {
    let cases = cases.div_ceil(6);
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|asked| asked.parse().ok());
    let chosen = Config::default();
    let rng_seed = match chosen.rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed => fixed,
    };
    Config { cases: asked.unwrap_or(cases), rng_seed, ..chosen }
}

/// Checks so many random values.
///
/// # Panics
/// If one of them is none that passes.
pub fn check<V: Debug + 'static>(
    cases: u32,
    values: impl Strategy<Value = V> + 'static,
    test: impl Fn(V) -> Result<(), TestCaseError>,
) {
    check_any(cases, &values.prop_map(|value| Box::new(value) as Box<dyn AnyValue>).boxed(), &|value| {
        test(*value.into_any().downcast().expect("the strategy is one of these values"))
    });
}

/// Checks values whose type is told when they run, so that proptest's runner is compiled once for all of them.
fn check_any(
    cases: u32,
    values: &BoxedStrategy<Box<dyn AnyValue>>,
    test: &dyn Fn(Box<dyn AnyValue>) -> Result<(), TestCaseError>,
) {
    // What failed once is tried again, whatever it was.
    let config = Config { source_file: Some(file!()), ..runs(cases) };
    if let Err(failed) = TestRunner::new(config).run(values, test) {
        panic!("{failed}");
    }
}

/// A value of some type that is shown when it fails.
trait AnyValue: Debug {
    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

impl<V: Debug + 'static> AnyValue for V {
    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Makes the calls of steps, each through `call`.
///
/// # Errors
/// What a test has found.
pub fn play<F: Script>(
    core: &mut F::Core,
    host: &mut F::Host,
    steps: &[F::Step],
    call: &mut Call<'_, F>,
) -> Result<(), TestCaseError> {
    steps.iter().try_for_each(|step| F::step(core, host, step, call))
}
