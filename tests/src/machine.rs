//! What the tests ask of a machine, whichever it is: the core's, the C face of one, or an independent model.

use std::fmt::Debug;

use gpusched::dats::GraphError;
use gpusched::{BuildError, Fault, FrontEnd, ImageError, Tables, Violation};
use gpusched_abi::status::gpusched_status as Status;

use crate::events::{Answer, Event, Value};
use crate::images::Saved;
use crate::through_c::alone::{Alone, Face};
use crate::view::View;

/// A machine that takes events.
pub trait Machine {
    /// What happens to it.
    type Event: Debug;
    /// What it answers, or why it refuses.
    type Answered: Answered;
    /// What can be seen of it.
    type View: PartialEq + Debug;
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Makes a call.
    fn take(&mut self, event: &Self::Event) -> Self::Answered;
    /// Everything that can be seen.
    fn view(&self) -> Self::View;
    /// The state.
    fn mark(&self) -> Self::Mark;
    /// Its own word on the invariants of a state, where it has one.
    ///
    /// # Errors
    /// The first that does not hold.
    fn validate(&self) -> Result<(), Violation> {
        Ok(())
    }
}

/// What a call answers.
pub trait Answered: PartialEq + Debug {
    /// The fault that it ends with, if it does.
    fn fault(&self) -> Option<Fault>;
    /// Why it was refused and left everything as it was, if it was.
    fn refusal(&self) -> Option<Fault> {
        self.fault()
    }
}

/// Why a machine does not do what it is told.
pub trait Refusal: Copy + PartialEq + Debug + Into<Fault> {
    /// Whether everything is as it was.
    fn is_refusal(&self) -> bool {
        true
    }
}

impl Refusal for Fault {}

/// A fault of a graph ends its kernel.
impl Refusal for GraphError {
    fn is_refusal(&self) -> bool {
        !matches!(self, Self::GraphFault { .. })
    }
}

impl<A: PartialEq + Debug, E: Refusal> Answered for Result<A, E> {
    fn fault(&self) -> Option<Fault> {
        self.as_ref().err().map(|&refused| refused.into())
    }

    fn refusal(&self) -> Option<Fault> {
        self.as_ref().err().filter(|refused| refused.is_refusal()).map(|&refused| refused.into())
    }
}

impl Answered for Answer {
    fn fault(&self) -> Option<Fault> {
        match &self.value {
            Err(fault) => Some(*fault),
            Ok(Value::Graph(answered)) => answered.fault(),
            Ok(_) => None,
        }
    }

    fn refusal(&self) -> Option<Fault> {
        self.refusal()
    }
}

/// An object as a C program has it.
pub trait Object: Sized {
    /// The core's configuration.
    type Config;

    /// The object of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    fn new(config: &Self::Config) -> Result<Self, Status>;
    /// Its image.
    fn image(&self) -> Vec<u8>;
    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    fn restore(&mut self, image: &[u8]) -> Result<(), Status>;
    /// The configuration of the object that an image was made of, of this one's type.
    ///
    /// # Errors
    /// Why the image is refused.
    fn image_config(&self, image: &[u8]) -> Result<Self::Config, Status>;
}

impl<F: Face> Object for Alone<F> {
    type Config = F::Config;

    fn new(config: &F::Config) -> Result<Self, Status> {
        Self::new(config)
    }

    fn image(&self) -> Vec<u8> {
        self.image()
    }

    fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.restore(image)
    }

    fn image_config(&self, image: &[u8]) -> Result<F::Config, Status> {
        Self::image_config(image)
    }
}

/// All implementations of a machine, which answer and show the same.
pub trait Family: Sized {
    /// The configuration.
    type Config: Copy + PartialEq + Debug;
    /// What happens to it.
    type Event: Clone + Debug;
    /// What it answers.
    type Answer: PartialEq + Debug;
    /// Why it refuses.
    type Refused: Refusal;
    /// What can be seen of it.
    type View: Clone + PartialEq + Debug;
    /// The core's.
    type Core: Of<Self> + Saved + Clone;
    /// That of a C program.
    type C: Of<Self> + Object<Config = Self::Config>;
    /// The sheet in the plainest way.
    #[cfg(feature = "tools")]
    type Model: Of<Self>;

    /// The core's machine.
    ///
    /// # Errors
    /// The fault of the configuration.
    fn core(config: &Self::Config) -> Result<Self::Core, Fault>;
    /// The model.
    ///
    /// # Errors
    /// The fault of the configuration.
    #[cfg(feature = "tools")]
    fn model(config: &Self::Config) -> Result<Self::Model, Fault>;
    /// The configuration of the machine that an image was made of, of this one's type.
    ///
    /// # Errors
    /// Why the image is refused.
    fn image_config(core: &Self::Core, image: &[u8]) -> Result<Self::Config, ImageError>;
}

/// A machine of a family.
pub trait Of<F: Family>: Machine<Event = F::Event, Answered = Result<F::Answer, F::Refused>, View = F::View> {}

impl<F: Family, M: Machine<Event = F::Event, Answered = Result<F::Answer, F::Refused>, View = F::View>> Of<F> for M {}

/// The fault for which a machine is not built.
///
/// # Panics
/// If it is not for its configuration, but for a home that is too small.
pub fn unbuilt(error: BuildError) -> Fault {
    match error {
        BuildError::Config(error) => error.into(),
        BuildError::Tables(small) => panic!("{small}"),
    }
}

/// A family whose model takes any configuration within its ranges.
macro_rules! family {
    (
        $(#[$doc:meta])* $Family:ident: $Config:ty, $Event:ty => $Answer:ty, $View:ty;
        $Core:ty = $core:expr, $image_config:expr; $C:ty; $Model:ty
    ) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug)]
        pub struct $Family;

        impl $crate::machine::Family for $Family {
            type Config = $Config;
            type Event = $Event;
            type Answer = $Answer;
            type Refused = gpusched::Fault;
            type View = $View;
            type Core = $Core;
            type C = $C;
            #[cfg(feature = "tools")]
            type Model = $Model;

            fn core(config: &$Config) -> Result<$Core, gpusched::Fault> {
                $core(config).map_err($crate::machine::unbuilt)
            }

            #[cfg(feature = "tools")]
            fn model(config: &$Config) -> Result<$Model, gpusched::Fault> {
                config.check()?;
                Ok(<$Model>::new(config))
            }

            fn image_config(_: &$Core, image: &[u8]) -> Result<$Config, gpusched::ImageError> {
                $image_config(image)
            }
        }
    };
}
pub(crate) use family;

/// The core's machine takes the events of [`crate::calls`], and its state is all of it.
macro_rules! in_rust {
    ($Machine:ty: $Event:ty => $Answered:ty $(= $told:expr)?, $View:ty = $view:expr $(; T: $Tables:path)?) => {
        impl$(<T: $Tables>)? $crate::machine::Machine for $Machine
        where
            Self: Clone + PartialEq,
        {
            type Event = $Event;
            type Answered = $Answered;
            type View = $View;
            type Mark = Self;

            fn take(&mut self, event: &$Event) -> $Answered {
                event.apply(self)$(.map($told))?
            }

            fn view(&self) -> $View {
                ($view)(self)
            }

            fn mark(&self) -> Self {
                self.clone()
            }

            fn validate(&self) -> Result<(), gpusched::Violation> {
                <$Machine>::validate(self)
            }
        }
    };
}
pub(crate) use in_rust;

/// The state of a machine that is reached through C is what is seen and what is saved.
macro_rules! through_c {
    ($Machine:ty: $Event:ty => $Answered:ty $(= $told:expr)?, $View:ty = $view:expr) => {
        impl $crate::machine::Machine for $Machine {
            type Event = $Event;
            type Answered = $Answered;
            type View = $View;
            type Mark = ($View, Vec<u8>);

            fn take(&mut self, event: &$Event) -> $Answered {
                Self::take(self, event)$(.map($told))?
            }

            fn view(&self) -> $View {
                ($view)(self)
            }

            fn mark(&self) -> Self::Mark {
                (($view)(self), self.image())
            }
        }
    };
}
pub(crate) use through_c;

/// A front end.
pub trait Gpu: Machine<Event = Event, Answered = Answer, View = View> {}

impl<M: Machine<Event = Event, Answered = Answer, View = View>> Gpu for M {}

impl<T: Tables> Machine for FrontEnd<T>
where
    Self: Clone + PartialEq,
{
    type Event = Event;
    type Answered = Answer;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answer {
        event.apply(self)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
