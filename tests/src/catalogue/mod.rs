//! What the tests of `catalogue` share: a policy however it is reached, its host, its configuration in JSON.

pub mod harness;

use gpusched::policy::catalogue::{About, Catalogue, CatalogueConfig, Policy, Snapshot, StreamSlot, Tables, UnitView};
use gpusched::policy::seam::offer::{Choice, Completion};
use gpusched::{Fault, SmxId};
use serde_json::{Value, json};

pub use gpusched_heap::catalogue::{HeapTables, machine, tables};

pub use crate::calls::catalogue::Queries;

use harness::Scene;

/// A policy: the core's, or that of a C program.
#[allow(missing_docs, reason = "the core says what they do")]
#[allow(clippy::missing_errors_doc, reason = "the core says what they do")]
pub trait Chooses: Queries {
    fn done(&mut self, ended: &Completion) -> Result<(), Fault>;
    fn choose(&mut self, view: &Snapshot<'_>) -> Result<Option<Choice>, Fault>;
}

impl<T: Tables> Chooses for Catalogue<T> {
    fn done(&mut self, ended: &Completion) -> Result<(), Fault> {
        self.done(ended)
    }

    fn choose(&mut self, view: &Snapshot<'_>) -> Result<Option<Choice>, Fault> {
        Ok(self.choose(view))
    }
}

/// Rows for units in the runs of tests.
pub const UNITS: u32 = 256;

/// The configuration of a policy with parameters as vectors name them, on the GPU of a scene.
///
/// # Errors
/// `BadConfig`, also for a parameter that the policy does not have.
pub fn config(policy: &str, parameters: &Value, scene: &Scene, units: u32) -> Result<CatalogueConfig, Fault> {
    let about = About::named(policy).ok_or(Fault::BadConfig)?;
    let Scene { n_smx, slots, threads, regs, smem, .. } = *scene;
    let of = CatalogueConfig { n_smx, units, slots, threads, regs, smem, ..CatalogueConfig::of(about.policy) };
    let mut all = serde_json::to_value(of).map_err(|_| Fault::BadConfig)?;
    for (name, list) in [("tpc", &scene.tpc), ("gpc", &scene.gpc)] {
        if let Some(list) = list {
            all[name] = json!(list);
        }
    }
    for (name, value) in parameters.as_object().ok_or(Fault::BadConfig)? {
        if !about.has(name) {
            return Err(Fault::BadConfig);
        }
        if name == "order" && value.is_array() {
            all["order"] = json!("listed");
            all["listed"] = value.clone();
        } else {
            all[name] = value.clone();
        }
    }
    let config: CatalogueConfig = serde_json::from_value(all).map_err(|_| Fault::BadConfig)?;
    config.check()?;
    Ok(config)
}

/// The state of a policy as vectors have it (catalogue-C6).
///
/// # Panics
/// If the policy does not show what it has.
pub fn state(policy: &impl Chooses) -> Value {
    let (config, state) = (policy.config(), policy.state());
    let mut all = json!({});
    if config.has_rr() {
        all["rr"] = json!(state.rr);
    }
    let units = (0..config.units).filter_map(|row| policy.unit(row));
    let mut kept: Vec<(u64, Value)> = Vec::new();
    let mut of_units = |name: &str, of: &dyn Fn(UnitView) -> Option<Value>| {
        kept.extend(units.clone().filter_map(|unit| Some((unit.unit, of(unit)?))));
        kept.sort_by_key(|(unit, _)| *unit);
        all[name] = json!(kept);
    };
    let pointers = |from: u32, to: u32| -> Vec<_> { (from..to).map(|i| policy.pointer(i).unwrap()).collect() };
    match config.policy {
        Policy::Bcs => of_units("home", &|unit| Some(json!(unit.home))),
        Policy::Lcs => of_units("limit", &|unit| unit.limit.map(|limit| json!(limit))),
        Policy::Srk => of_units("mon", &|unit| Some(json!(unit.duration))),
        Policy::Chunked | Policy::Strided | Policy::Dist | Policy::BatchRr => {
            all["at"] = json!(pointers(0, config.domains()));
            if config.is_own() {
                all["dptr"] = json!(state.turn);
            }
        }
        Policy::GpcFirst | Policy::TpcFirst => {
            let gpcs = config.turns();
            all["gpc"] = json!(state.turn);
            all["tpc"] = json!(pointers(0, gpcs));
            all["smx"] = json!(pointers(gpcs, gpcs + config.tpcs()));
        }
        Policy::FairStreams => {
            all["cur"] = json!(state.turn);
            all["fresh"] = json!(state.fresh);
            let deficits = (0..config.streams as u8).map(|slot| (slot, policy.deficit(StreamSlot(slot))));
            all["deficit"] = json!(deficits.filter(|(_, deficit)| *deficit > 0).collect::<Vec<_>>());
        }
        Policy::Random => all["x"] = json!(state.x),
        Policy::Spatial => {
            all["turn"] = json!(state.turn);
            all["owner"] = (0..config.n_smx as u16).map(|smx| json!(policy.owner(SmxId(smx)))).collect();
        }
        _ => {}
    }
    all
}
