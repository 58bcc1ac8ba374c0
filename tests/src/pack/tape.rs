//! What a machine was asked and answered while a vector was replayed on it.
//!
//! There is one tape per thread, since the parts of [`crate::dats::Parts`] are functions that know no object.

use std::cell::RefCell;
use std::slice;

use gpusched::Fault;
use gpusched_abi::config::Parameters;
use gpusched_packed::{Bytes, Driven, Functions, Machine, Op, Reader, Record, Refused, Sink};
use serde::Serialize;

use crate::machine::Answered as _;

/// A count, and so many bytes.
///
/// # Panics
/// If they are more than the form can hold.
pub fn list(bytes: &[u8], to: &mut Bytes) {
    count(bytes.len(), to);
    to.put(bytes);
}

/// The count of a list.
///
/// # Panics
/// If it is more than the form can hold.
pub fn count(count: usize, to: &mut Bytes) {
    u16::try_from(count).expect("lists of the packed form have at most 65,535 items").put(to);
}

/// A configuration in both of its forms.
///
/// # Panics
/// If it takes more room than any does.
#[allow(unsafe_code, reason = "a struct of C is written as the numbers that it consists of")]
pub fn config<C: Parameters>(config: &impl Serialize, of_c: &C, to: &mut Bytes) {
    let mut room = [0; 1024];
    list(postcard::to_slice(config, &mut room).expect("a configuration is shorter"), to);
    // SAFETY: a struct of `Parameters` has no padding, so any byte of it may be read.
    list(unsafe { slice::from_raw_parts((&raw const *of_c).cast(), size_of::<C>()) }, to);
}

/// A vector's machine and events.
#[derive(Default)]
pub struct Tape {
    /// Machine, configuration, status, checksum.
    start: Option<Bytes>,
    /// Whether it was not refused.
    pub is_built: bool,
    /// The machine's state.
    checksum: u32,
    /// How many events follow.
    pub events: u16,
    body: Bytes,
    /// What has no packed form.
    unknown: Option<String>,
}

impl Tape {
    /// Writes what stands behind the vector's name.
    pub fn write(&self, to: &mut Bytes) {
        let Some(start) = &self.start else { return };
        to.put(&start.0);
        if self.is_built {
            self.events.put(to);
            to.put(&self.body.0);
        }
    }
}

thread_local! {
    static TAPE: RefCell<Tape> = RefCell::default();
}

/// Begins anew.
pub fn rewind() {
    TAPE.take();
}

/// What was recorded, or why that has no packed form.
pub fn take() -> Result<Tape, String> {
    let tape = TAPE.take();
    match (&tape.start, &tape.unknown) {
        (_, Some(unknown)) => Err(unknown.clone()),
        (None, None) => {
            Err("its configuration names a parameter that there is not, or a value that its type cannot hold".into())
        }
        (Some(_), None) => Ok(tape),
    }
}

/// Whether the vector's machine was built, with the checksum of its image.
pub fn has_started() -> bool {
    TAPE.with_borrow(|tape| tape.start.is_some())
}

/// The vector's machine is built, with the checksum of its image, or refused.
pub fn start<C: Parameters>(machine: Machine, config: &impl Serialize, of_c: &C, built: Result<u32, Fault>) {
    let mut start = Bytes::default();
    (machine as u8).put(&mut start);
    self::config(config, of_c, &mut start);
    begin(start, built);
}

/// The vector asks for functions, which have no configuration.
pub fn start_functions() {
    let mut start = Bytes::default();
    (Machine::Functions as u8).put(&mut start);
    list(&[], &mut start);
    list(&[], &mut start);
    begin(start, Ok(Functions.state()));
}

fn begin(mut start: Bytes, built: Result<u32, Fault>) {
    TAPE.with_borrow_mut(|tape| {
        status(built.map(drop)).put(&mut start);
        if let Ok(checksum) = built {
            checksum.put(&mut start);
            tape.checksum = checksum;
            tape.is_built = true;
        }
        tape.start = Some(start);
    });
}

/// A status of C.
pub fn status(result: Result<(), Fault>) -> u16 {
    result.map_or_else(|fault| fault.code() as u16, |()| 0)
}

/// An event, its answer, and the state behind it: `None` for what leaves the machine alone.
fn event(op: Op, arguments: &Bytes, result: Result<(), Fault>, records: &Bytes, state: Option<u32>) {
    TAPE.with_borrow_mut(|tape| {
        tape.checksum = state.unwrap_or(tape.checksum);
        (op as u8).put(&mut tape.body);
        tape.body.put(&arguments.0);
        status(result).put(&mut tape.body);
        list(&records.0, &mut tape.body);
        tape.checksum.put(&mut tape.body);
        tape.events += 1;
    });
}

/// An event that no vector has so far, so that there is no form for it.
pub fn unknown(what: String) {
    TAPE.with_borrow_mut(|tape| tape.unknown = Some(what));
}

/// An event's code and arguments.
macro_rules! packed {
    ($op:ident $(, $argument:expr)*) => {{
        #[allow(unused_imports, reason = "an event may have no arguments")]
        use gpusched_packed::Record as _;
        #[allow(unused_mut, reason = "an event may have no arguments")]
        let mut to = gpusched_packed::Bytes::default();
        $($argument.put(&mut to);)*
        (gpusched_packed::Op::$op, to)
    }};
}
pub(crate) use packed;

/// A machine that writes down what it is asked and answers.
pub struct Recorded<M>(pub M);

impl<M: Driven + Clone + PartialEq> Recorded<M> {
    /// The machine of a vector.
    pub fn new<C: Parameters>(
        machine: Machine,
        config: &impl Serialize,
        of_c: &C,
        built: Result<M, Fault>,
    ) -> Result<Self, Fault> {
        start(machine, config, of_c, built.as_ref().map(M::state).map_err(|fault| *fault));
        built.map(Self)
    }
}

/// An event in the form that boards get.
pub trait Packs<A> {
    /// Its code and arguments, if it has that form.
    fn packed(&self) -> Option<(Op, Bytes)>;
    /// The records of an answer, of one that is known without the packed form.
    fn records(_: &A) -> Option<Bytes> {
        None
    }
}

/// Those whose form is generated.
macro_rules! packs {
    ($($machine:ident => $Answered:ty;)*) => {
        $(impl Packs<$Answered> for crate::calls::$machine::Event {
            fn packed(&self) -> Option<(Op, Bytes)> {
                Some(self.packed())
            }
        })*
    };
}
packs! {
    apogee => crate::apogee::Answered;
    bubble => crate::bubble::Answered;
    dgb => crate::dats::Answered;
    equalizer_fm => Result<crate::equalizer::FmAnswer, Fault>;
    equalizer_sm => Result<crate::equalizer::SmAnswer, Fault>;
    laperm => Result<crate::calls::laperm::Answer, Fault>;
    mascar => crate::mascar::Answered;
    monte => crate::models::monte::Answered;
    scoreboard => Result<crate::simt::scoreboard::Answer, Fault>;
    stack => Result<gpusched::simt::stack::Running, Fault>;
}

/// An event is carried out as it is, and packed on a twin: both must come to the same.
impl<M: Driven + Clone + PartialEq + crate::machine::Machine> crate::machine::Machine for Recorded<M>
where
    M::Event: Packs<M::Answered>,
{
    type Event = M::Event;
    type Answered = M::Answered;
    type View = M::View;
    type Mark = M::Mark;

    fn take(&mut self, event: &M::Event) -> M::Answered {
        let Some((op, arguments)) = event.packed() else {
            unknown(format!("an event without a form: {event:?}"));
            return self.0.take(event);
        };
        let mut twin = self.0.clone();
        let answered = self.0.take(event);
        let result = answered.fault().map_or(Ok(()), Err);
        let records = carry_out(&mut twin, op, &arguments, result);
        if let Some(expected) = M::Event::records(&answered) {
            assert_eq!(records, expected, "{op:?} answers something else when it is packed");
        }
        assert!(twin == self.0, "{op:?} comes to another state when it is packed");
        self::event(op, &arguments, result, &records, Some(self.0.state()));
        answered
    }

    fn view(&self) -> M::View {
        self.0.view()
    }

    fn mark(&self) -> M::Mark {
        self.0.mark()
    }
}

/// Carries out a packed event, which must end as it did before it was packed.
fn carry_out(machine: &mut impl Driven, op: Op, arguments: &Bytes, expected: Result<(), Fault>) -> Bytes {
    let (mut from, mut records) = (Reader::new(&arguments.0), Bytes::default());
    let result = machine.event(op, &mut from, &mut records);
    assert_eq!(result, expected.map_err(Refused::Fault), "{op:?} ends otherwise when it is packed");
    assert!(from.is_at_end(), "{op:?} has more arguments than are read");
    records
}

/// Carries out what changes no machine, and must answer these records.
///
/// # Panics
/// If it answers something else when it is packed.
pub fn function(machine: &mut impl Driven, (op, arguments): (Op, Bytes), result: Result<(), Fault>, expected: &Bytes) {
    let records = carry_out(machine, op, &arguments, result);
    assert_eq!(records, *expected, "{op:?} answers something else when it is packed");
    event(op, &arguments, result, &records, None);
}

/// As [`function`], of one whose answer has no other packed form to compare it with.
pub fn answered(machine: &mut impl Driven, (op, arguments): (Op, Bytes), result: Result<(), Fault>) {
    let records = carry_out(machine, op, &arguments, result);
    event(op, &arguments, result, &records, None);
}

/// A number that no enumeration has.
pub const UNKNOWN: u32 = 99;
