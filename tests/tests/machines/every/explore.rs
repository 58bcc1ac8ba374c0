//! Every order of events on a small machine, breadth first, beside the model: all states that can be reached, each once.

use std::collections::VecDeque;
use std::hash::Hash;

use gpusched_tests::images::Saved;
use gpusched_tests::machine::{Answered as _, Family, Machine};
use gpusched_tests::seen::Seen;

use super::script::{Answered, Script};

/// A check of an event, from one view to the next.
type Check<F> = fn(
    &<F as Family>::Core,
    &<F as Family>::Event,
    &Answered<F>,
    &<F as Family>::View,
    &<F as Family>::View,
) -> Result<(), String>;

/// What is made of the states of a machine.
pub struct Ways<F: Script, K> {
    /// What tells states apart; none of those that are not followed.
    pub key: fn(&F::Core, &F::Model) -> Option<K>,
    /// What must hold of an event.
    pub event: Check<F>,
    /// Checks what must follow from a new state.
    pub future: fn(&F::Core) -> Result<(), String>,
    /// So many states are followed.
    pub most: usize,
}

/// Explores with the events that `alphabet` offers in each state; how many states there are.
pub fn explore<F: Script, K: Eq + Hash>(
    config: &F::Config,
    ways: &Ways<F, K>,
    alphabet: impl Fn(&F::Core) -> Vec<F::Event>,
) -> usize
where
    F::Model: Clone,
{
    let start = (F::core(config).expect("it is valid"), F::model(config).expect("it is valid"));
    let mut seen = Seen::from_iter([(ways.key)(&start.0, &start.1).expect("the first state")]);
    let mut queue = VecDeque::from([start]);
    while let Some((machine, model)) = queue.pop_front() {
        let before = machine.view();
        for event in alphabet(&machine) {
            let (mut after, mut expected) = (machine.clone(), model.clone());
            let answered = after.take(&event);
            let wrong = |message: String| panic!("{message}\n{config:?}\nin {before:?}\nafter {event:?}: {answered:?}");
            if answered != expected.take(&event) {
                wrong("the model answers something else".into());
            }
            if answered.refusal().is_some() {
                if after != machine {
                    wrong("a refused event changed the state".into());
                }
                continue;
            }
            let now = after.view();
            if now != expected.view() {
                wrong(format!("to {now:?},\nthe model to {:?}", expected.view()));
            }
            let checked = after.holds().and_then(|()| (ways.event)(&after, &event, &answered, &before, &now));
            checked.unwrap_or_else(wrong);
            let Some(key) = (ways.key)(&after, &expected) else { continue };
            if seen.len() < ways.most && seen.insert(key) {
                (ways.future)(&after).unwrap_or_else(wrong);
                queue.push_back((after, expected));
            }
        }
    }
    println!("{} states", seen.len());
    seen.len()
}
