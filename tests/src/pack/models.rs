//! Vectors of `models`: the analytical models, and what SIMT execution does per instruction.

use anyhow::Result;
use gpusched::Fault;
use gpusched::models::Refusal;
use gpusched::models::monte::{Monte, MonteConfig};
use gpusched::simt::coalesce::CoalescerConfig;
use gpusched::simt::scoreboard::{Scoreboard, ScoreboardConfig};
use gpusched::simt::stack::{Running, Stack, StackConfig};
use gpusched_packed::{Bytes, Functions, Machine as Kind, Record};
use serde_json::Value;

use super::tape::{self, Recorded, packed};
use crate::calls::models::{Answer, Event};
use crate::models::monte;
use crate::models::{Core, Models};
use crate::replay::{Outcome, in_rust, models as replay};
use crate::simt::coalesce::{Access, Coalesced};
use crate::simt::{coalesce, scoreboard, stack};
use crate::through_c::coalescer::c_config as c_coalescer_config;
use crate::through_c::monte::c_config as c_monte_config;
use crate::through_c::scoreboard::c_config as c_scoreboard_config;
use crate::through_c::stack::c_config as c_stack_config;

/// Replays a vector on a unit that writes down what it is asked and answers.
pub fn replay(vector: &Value) -> Result<Outcome> {
    match replay::unit(vector)? {
        "simt" => replay::simt::stack_on(vector, new_stack),
        "scoreboard" => replay::simt::scoreboard_on(vector, new_scoreboard),
        "monte" => replay::monte::replay_on(vector, new_monte),
        "coalesce" => {
            if let Ok(config) = replay::coalescer_config(vector)? {
                let built = config.check().map(|()| 0).map_err(|error| error.fault);
                tape::start(Kind::Coalescer, &config, &c_coalescer_config(&config), built);
            }
            replay::functions_on(vector, "coalesce", &Functions, access)
        }
        unit => {
            tape::start_functions();
            replay::functions_on(vector, unit, &Functions, access)
        }
    }
}

// ---- functions

impl Models for Functions {
    fn call(&self, event: &Event) -> Result<Answer, Refusal> {
        let answer = Core.call(event);
        tape::answered(&mut Self, event.packed(), answer.as_ref().map(drop).map_err(|refusal| refusal.fault));
        answer
    }
}

fn access(config: &CoalescerConfig, access: &Access) -> Result<Coalesced, Fault> {
    let answer = coalesce::core(config, access);
    tape::answered(&mut { *config }, access.packed(), answer.as_ref().map(drop).map_err(|fault| *fault));
    answer
}

// ---- machines

fn new_stack(config: &StackConfig) -> Result<Result<Recorded<Stack<stack::HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::Stack, config, &c_stack_config(config), in_rust(stack::machine(config))?))
}

impl stack::Machine for Recorded<Stack<stack::HeapTables>> {
    type Mark = Stack<stack::HeapTables>;

    fn take(&mut self, event: &stack::Event) -> Result<Running, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> stack::View {
        self.0.view()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
    }
}

type Board = Scoreboard<scoreboard::HeapTables>;

fn new_scoreboard(config: &ScoreboardConfig) -> Result<Result<Recorded<Board>, Fault>> {
    let built = in_rust(scoreboard::machine(config))?;
    Ok(Recorded::new(Kind::Scoreboard, config, &c_scoreboard_config(config), built))
}

impl scoreboard::Machine for Recorded<Board> {
    type Mark = Board;

    fn take(&mut self, event: &scoreboard::Event) -> Result<scoreboard::Answer, Fault> {
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> scoreboard::View {
        self.0.view()
    }

    fn mark(&self) -> Board {
        self.0.mark()
    }
}

type Hierarchy = Monte<monte::HeapTables>;

fn new_monte(config: &MonteConfig) -> Result<Result<Recorded<Hierarchy>, Fault>> {
    Ok(Recorded::new(Kind::Monte, config, &c_monte_config(config), in_rust(monte::machine(config))?))
}

impl monte::Machine for Recorded<Hierarchy> {
    type Mark = Hierarchy;

    fn take(&mut self, event: &monte::Event) -> Result<(), Fault> {
        self.take(event.packed(), |machine| machine.take(event))
    }

    fn view(&self) -> monte::View {
        self.0.view()
    }

    fn mark(&self) -> Hierarchy {
        self.0.mark()
    }

    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        let numbers = self.0.rng(seed, run, n, below);
        let mut expected = Bytes::default();
        numbers[..].put(&mut expected);
        let count = u32::try_from(n).expect("a list of the form");
        let packed = packed!(MonteRng, seed, below.unwrap_or(0), run, count);
        tape::function(&mut self.0.clone(), packed, Ok(()), &expected);
        numbers
    }
}
