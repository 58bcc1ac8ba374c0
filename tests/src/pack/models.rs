//! Vectors of `models`: the analytical models, and what SIMT execution does per instruction.

use anyhow::Result;
use gpusched::Fault;
use gpusched::models::Refusal;
use gpusched::models::monte::Monte;
use gpusched::simt::coalesce::CoalescerConfig;
use gpusched_packed::{Bytes, Functions, Machine as Kind, Record};
use serde_json::Value;

use super::tape::{self, Recorded, packed};
use super::{Recordable, replay_recorded};
use crate::calls::models::{Answer, Event};
use crate::models::monte::{Draws, HeapTables, Montes};
use crate::models::{Core, Models};
use crate::replay::{Outcome, models as replay};
use crate::simt::coalesce::{self, Access, Coalesced};
use crate::simt::scoreboard::Scoreboards;
use crate::simt::stack::Stacks;
use crate::through_c::coalescer::c_config as c_coalescer_config;

/// Replays a vector on a unit that writes down what it is asked and answers.
pub fn replay(vector: &Value) -> Result<Outcome> {
    match replay::unit(vector)? {
        "simt" => replay_recorded::<Stacks>(vector),
        "scoreboard" => replay_recorded::<Scoreboards>(vector),
        "monte" => replay::monte::replay_on(vector, |config| Ok(Montes::recorded(config))),
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

impl Draws for Recorded<Monte<HeapTables>> {
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
