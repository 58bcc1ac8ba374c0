//! The descriptor of a parametric kernel, and of an application of several (workloads-PK1): what a TOML file says.

use super::pattern::{Access, Pattern, PatternError};
use crate::catalogue::Row;
use gpusched::Cluster;
use gpusched_refgpu::lanes::WARP;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// An application: kernels that run in turn. What a file holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct App {
    /// What it does, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub about: String,
    /// Its kernels, 1 to 64.
    #[serde(rename = "kernel")]
    pub kernels: Vec<KernelSpec>,
}

/// A parametric kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KernelSpec {
    /// Its name: letters, digits and `-`.
    pub name: String,
    /// TBs, 1 to 2^20.
    pub grid: u32,
    /// Threads of a TB: whole warps, at most 1024.
    pub threads: u32,
    /// Registers of a thread, 1 to 255.
    pub regs: u32,
    /// Bytes of shared memory of a TB, at most 2^20.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub smem: u32,
    /// TBs of a cluster, which start together in one GPC; 1: there are none. The grid is a multiple of it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub cluster: u32,
    /// A cluster may be as large as the machine allows, rather than as is portable.
    #[serde(default, skip_serializing_if = "is_false")]
    pub nonportable: bool,
    /// Bytes of what patterns call a line: 32, 64 or 128.
    #[serde(default = "line", skip_serializing_if = "is_line")]
    pub line: u32,
    /// TB 0 has so many times the iterations of the others, 1 to 2^20.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub tail: u32,
    /// Warp w of a TB begins with w times so many integer instructions, at most 2^20.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub stagger: u32,
    /// What the sources' tables say.
    #[serde(default, skip_serializing_if = "is_none")]
    pub row: Row,
    /// What [`calibrate`](super::calibrate) found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calibrated: Option<Calibrated>,
    /// Its phases one after the other, 1 to 64.
    #[serde(rename = "phase")]
    pub phases: Vec<Phase>,
}

/// A calibrated kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Calibrated {
    /// For each phase, the `n` that takes the place of its own.
    pub n: Vec<u32>,
    /// Measured with them: warp instructions per L1 miss of a load. Absent: no load missed.
    pub ipm: Option<f64>,
    /// Measured: its share of the application's time.
    pub share: Option<f64>,
}

/// A loop of a kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Iterations, 1 to 2^20.
    pub iters: u32,
    /// Warp instructions of an iteration, at most 65536. Accesses that not every iteration of every warp has come on top.
    pub n: u32,
    /// Of these, the share in single precision.
    #[serde(default, skip_serializing_if = "is_zero_share")]
    pub fp: f64,
    /// The share of special functions.
    #[serde(default, skip_serializing_if = "is_zero_share")]
    pub sfu: f64,
    /// The share in double precision.
    #[serde(default, skip_serializing_if = "is_zero_share")]
    pub dp: f64,
    /// Loads from global memory, in this order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub loads: Vec<Access>,
    /// Stores, likewise.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub stores: Vec<Access>,
    /// Accesses to shared memory, a load and a store in turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared: u32,
    /// Their degree of bank conflicts: 1, 2, 4, 8, 16 or 32.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub conflict: u32,
    /// Accesses to the shared memory of the next TB of the cluster, behind the loads; a load and a store in turn.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub remote: u32,
    /// Barriers at the end of an iteration.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub barriers: u32,
    /// Mean number of active lanes, 1 to 32: drawn for each iteration from 8 fewer to 8 more, unless it is 32.
    #[serde(default = "lanes", skip_serializing_if = "is_lanes")]
    pub lanes: u32,
    /// Instructions between the loads and their first use.
    #[serde(default = "ilp", skip_serializing_if = "is_ilp")]
    pub ilp: u32,
    /// Chains of dependent instructions side by side in the arithmetic that follows, 1 to 4.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub chains: u32,
    /// In which order the lanes load.
    #[serde(default, skip_serializing_if = "is_given")]
    pub order: Order,
    /// After the stores, the same loads once more: of lines that the stores may have dropped.
    #[serde(default, skip_serializing_if = "is_false")]
    pub reload: bool,
    /// Loads take the texture path: four times the MSHRs, and they do not hold up the LSU (refgpu-M10).
    #[serde(default, skip_serializing_if = "is_false")]
    pub texture: bool,
}

/// In which order the lanes of a warp do the loads of an iteration.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Order {
    /// `given`: as they are listed.
    #[default]
    Given,
    /// `alternate(k)`: in one of k iterations, counted over all warps, every other lane has them the other way round.
    Alternate(u32),
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::Alternate(every) => write!(f, "alternate({every})"),
        }
    }
}

impl FromStr for Order {
    type Err = PatternError;

    fn from_str(text: &str) -> Result<Self, PatternError> {
        let every =
            || text.strip_prefix("alternate(")?.strip_suffix(')')?.trim().parse().ok().filter(|&every| every > 0);
        match text {
            "given" => Ok(Self::Given),
            _ => every().map(Self::Alternate).ok_or_else(|| PatternError::new(text, "given or alternate(k), k from 1")),
        }
    }
}

impl TryFrom<String> for Order {
    type Error = PatternError;

    fn try_from(text: String) -> Result<Self, PatternError> {
        text.parse()
    }
}

impl From<Order> for String {
    fn from(order: Order) -> Self {
        order.to_string()
    }
}

/// Why a descriptor is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Not TOML, or not what a descriptor has.
    #[error("{0}")]
    Syntax(String),
    /// A value out of range, or that does not fit the others.
    #[error("{key} = {value}: expected {expected}")]
    Value {
        /// Where: kernel and key.
        key: String,
        /// What it is.
        value: String,
        /// What is allowed.
        expected: String,
    },
}

const fn one() -> u32 {
    1
}
const fn line() -> u32 {
    128
}
const fn lanes() -> u32 {
    WARP
}
/// A guess: the sheet has no figure.
const fn ilp() -> u32 {
    4
}
fn is_zero(n: &u32) -> bool {
    *n == 0
}
fn is_one(n: &u32) -> bool {
    *n == 1
}
fn is_line(n: &u32) -> bool {
    *n == line()
}
fn is_lanes(n: &u32) -> bool {
    *n == lanes()
}
fn is_ilp(n: &u32) -> bool {
    *n == ilp()
}
fn is_false(flag: &bool) -> bool {
    !flag
}
fn is_zero_share(share: &f64) -> bool {
    *share == 0.0
}
fn is_given(order: &Order) -> bool {
    *order == Order::Given
}
fn is_none(row: &Row) -> bool {
    *row == Row::NONE
}

/// Names a key when something is wrong with it.
struct Keys<'a> {
    kernel: &'a str,
    phase: Option<usize>,
}

impl Keys<'_> {
    fn refuse(&self, key: &str, value: impl fmt::Display, expected: impl fmt::Display) -> SpecError {
        let phase = self.phase.map_or(String::new(), |number| format!("phase[{number}]."));
        let key = format!("{}: {phase}{key}", self.kernel);
        SpecError::Value { key, value: value.to_string(), expected: expected.to_string() }
    }

    fn range(&self, key: &str, value: u32, range: RangeInclusive<u32>) -> Result<(), SpecError> {
        let expected = || format!("{} to {}", range.start(), range.end());
        if range.contains(&value) { Ok(()) } else { Err(self.refuse(key, value, expected())) }
    }

    fn holds(&self, holds: bool, key: &str, value: impl fmt::Display, expected: &str) -> Result<(), SpecError> {
        if holds { Ok(()) } else { Err(self.refuse(key, value, expected)) }
    }
}

/// The most iterations, and instructions of all warps.
const MOST_ITERATIONS: u64 = 1 << 31;
const MOST_INSTRUCTIONS: u64 = 1 << 42;
/// The most TBs of a cluster that any machine takes.
const MOST_OF_CLUSTER: u32 = 64;
/// The most instructions of an iteration.
const MOST_N: u32 = 65536;
/// Sums of shares that are written as decimals are this near what is meant.
const ROUNDING: f64 = 1e-9;
/// The most accesses of one kind in a phase, and of shared ones and barriers.
const MOST_ACCESSES: u32 = 1024;

impl App {
    /// Reads an application, and checks it.
    ///
    /// # Errors
    /// What is wrong, with its kernel, key and value.
    pub fn from_toml(text: &str) -> Result<Self, SpecError> {
        let app: Self =
            toml::from_str(text).map_err(|error| SpecError::Syntax(gpusched_refgpu::config::plain_toml(&error)))?;
        app.check()?;
        Ok(app)
    }

    /// The application as text that [`from_toml`](Self::from_toml) reads.
    #[must_use]
    pub fn to_toml(&self) -> String {
        // Its types have nothing that TOML cannot say.
        toml::to_string(self).unwrap_or_default()
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self) -> Result<(), SpecError> {
        let keys = Keys { kernel: "application", phase: None };
        keys.range("kernels", self.kernels.len() as u32, 1..=64)?;
        let mut names = BTreeSet::new();
        for kernel in &self.kernels {
            kernel.check()?;
            keys.holds(names.insert(&kernel.name), "name", &kernel.name, "a name of its own for each kernel")?;
        }
        Ok(())
    }
}

impl KernelSpec {
    /// As it is launched.
    #[must_use]
    pub fn cluster(&self) -> Cluster {
        if self.cluster < 2 {
            return Cluster::NONE;
        }
        Cluster { nonportable: self.nonportable.into(), ..Cluster::new(self.cluster, 1, 1) }
    }

    /// Warps of a TB.
    #[must_use]
    pub const fn warps(&self) -> u32 {
        self.threads / WARP
    }

    /// Instructions of an iteration of a phase, as calibrated.
    #[must_use]
    pub fn n(&self, phase: usize) -> u32 {
        let calibrated = self.calibrated.as_ref().and_then(|to| to.n.get(phase));
        calibrated.copied().or_else(|| Some(self.phases.get(phase)?.n)).unwrap_or(0)
    }

    /// Iterations of a warp of TB 0, and of any other.
    #[must_use]
    pub fn iterations(&self) -> (u64, u64) {
        let once = self.phases.iter().map(|phase| u64::from(phase.iters)).sum::<u64>();
        (once * u64::from(self.tail), once)
    }

    /// TBs that would do all of the work if TB 0 did no more than another.
    pub(super) fn tbs_of_work(&self) -> u64 {
        u64::from(self.grid) - 1 + u64::from(self.tail)
    }

    /// Warp instructions of all iterations, without accesses that not every iteration has.
    #[must_use]
    pub fn instructions(&self) -> u64 {
        let once: u64 = (0..).zip(&self.phases).map(|(i, of)| u64::from(of.iters) * u64::from(self.n(i))).sum();
        once.saturating_mul(self.warps().into()).saturating_mul(self.tbs_of_work())
    }

    /// Checks every value.
    ///
    /// # Errors
    /// The first that is out of range.
    pub fn check(&self) -> Result<(), SpecError> {
        let keys = Keys { kernel: &self.name, phase: None };
        let named = !self.name.is_empty() && self.name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
        keys.holds(named, "name", &self.name, "letters, digits and `-`")?;
        keys.range("grid", self.grid, 1..=1 << 20)?;
        keys.range("threads", self.threads, WARP..=1024)?;
        keys.holds(self.threads.is_multiple_of(WARP), "threads", self.threads, "whole warps of 32")?;
        keys.range("regs", self.regs, 1..=255)?;
        keys.range("smem", self.smem, 0..=1 << 20)?;
        keys.holds(matches!(self.line, 32 | 64 | 128), "line", self.line, "32, 64 or 128 bytes")?;
        keys.range("cluster", self.cluster, 1..=MOST_OF_CLUSTER)?;
        keys.holds(self.grid.is_multiple_of(self.cluster), "grid", self.grid, "a multiple of cluster")?;
        keys.holds(!self.nonportable || self.cluster > 1, "nonportable", true, "a cluster of several TBs")?;
        keys.range("tail", self.tail, 1..=1 << 20)?;
        keys.range("stagger", self.stagger, 0..=1 << 20)?;
        keys.range("phases", self.phases.len() as u32, 1..=64)?;
        if let Some(Calibrated { n, .. }) = &self.calibrated {
            keys.holds(n.len() == self.phases.len(), "calibrated.n", format!("{n:?}"), "a number for each phase")?;
        }
        for (number, phase) in self.phases.iter().enumerate() {
            phase.check(self, self.n(number), &Keys { phase: Some(number), ..keys })?;
        }
        let iterations = self.iterations().0;
        keys.holds(iterations <= MOST_ITERATIONS, "tail", self.tail, "at most 2^31 iterations of a warp in all")?;
        keys.holds(self.instructions() <= MOST_INSTRUCTIONS, "grid", self.grid, "at most 2^42 instructions in all")
    }

    /// Every `n` as given times `factor`, within what a phase can have.
    #[must_use]
    pub fn scaled_n(&self, factor: f64) -> Vec<u32> {
        let scale = |phase: &Phase| ((f64::from(phase.n) * factor).round() as u32).clamp(phase.least_n(), MOST_N);
        self.phases.iter().map(scale).collect()
    }
}

impl Phase {
    /// Accesses of each iteration of each warp, each for itself.
    pub(super) fn expand(accesses: &[Access]) -> impl Iterator<Item = Access> {
        accesses.iter().flat_map(|access| (0..access.count).map(|_| Access { count: 1, ..*access }))
    }

    /// The part of `n` that is fp, sfu and dp.
    fn shares(&self) -> f64 {
        self.fp + self.sfu + self.dp
    }

    /// Instructions of an iteration that are no free arithmetic.
    #[must_use]
    pub fn fixed(&self) -> u32 {
        let always = |list: &[Access]| list.iter().filter(|a| a.is_always()).map(|a| a.count).sum::<u32>();
        // `back(k)` is there when its load is, and shares its address.
        let backs = self.stores.iter().filter(|a| matches!(a.pattern, Pattern::Back(_)));
        let back_always =
            backs.clone().filter(|a| self.load_of(a.pattern).is_some_and(|l| l.is_always())).count() as u32;
        let stores = always(&self.stores) - backs.filter(|a| a.is_always()).count() as u32;
        let loads = always(&self.loads);
        let again = if self.reload { loads } else { 0 };
        2 * (loads + stores) + back_always + again + self.shared + self.remote + self.barriers
    }

    /// The least `n`: what is fixed, and an instruction that uses what was loaded.
    #[must_use]
    pub fn least_n(&self) -> u32 {
        let waits = !self.loads.is_empty() || self.remote > 0;
        let uses = if waits { 1 + u32::from(self.reload) } else { 0 };
        let fixed = self.fixed();
        // The shares are of n, and have to fit beside what is fixed.
        let free = 1.0 - self.shares();
        let by_share = if free > ROUNDING { (f64::from(fixed) / free).ceil() as u32 } else { fixed };
        (fixed + uses).max(by_share).max(1)
    }

    /// The load that `back(k)` goes back to.
    pub(super) fn load_of(&self, pattern: Pattern) -> Option<Access> {
        let Pattern::Back(number) = pattern else { return None };
        Self::expand(&self.loads).nth(number as usize - 1)
    }

    fn check(&self, kernel: &KernelSpec, n: u32, keys: &Keys<'_>) -> Result<(), SpecError> {
        keys.range("iters", self.iters, 1..=1 << 20)?;
        keys.range("n", n, 1..=MOST_N)?;
        for (key, share) in [("fp", self.fp), ("sfu", self.sfu), ("dp", self.dp)] {
            keys.holds((0.0..=1.0).contains(&share), key, share, "a share, 0 to 1")?;
        }
        keys.holds(self.shares() <= 1.0 + ROUNDING, "fp", self.fp, "at most 1 together with sfu and dp")?;
        for (key, list) in [("loads", &self.loads), ("stores", &self.stores)] {
            let count: u64 = list.iter().map(|access| u64::from(access.count)).sum();
            keys.range(key, count.min(u64::from(u32::MAX)) as u32, 0..=MOST_ACCESSES)?;
        }
        keys.range("shared", self.shared, 0..=MOST_ACCESSES)?;
        keys.holds(
            matches!(self.conflict, 1 | 2 | 4 | 8 | 16 | 32),
            "conflict",
            self.conflict,
            "1, 2, 4, 8, 16 or 32",
        )?;
        let room = WARP * 4 * self.conflict;
        keys.holds(
            self.shared + self.remote == 0 || kernel.smem >= room,
            if self.shared > 0 { "shared" } else { "remote" },
            self.shared.max(self.remote),
            &format!("smem of {room} bytes or more for them"),
        )?;
        keys.range("remote", self.remote, 0..=MOST_ACCESSES)?;
        keys.holds(self.remote == 0 || kernel.cluster > 1, "remote", self.remote, "a cluster of several TBs")?;
        keys.range("barriers", self.barriers, 0..=MOST_ACCESSES)?;
        keys.range("lanes", self.lanes, 1..=WARP)?;
        keys.range("ilp", self.ilp, 0..=65536)?;
        keys.range("chains", self.chains, 1..=4)?;
        for (number, load) in Self::expand(&self.loads).enumerate() {
            let of =
                (load.within as usize).checked_sub(1).and_then(|of| Self::expand(&self.loads).take(number).nth(of));
            let own = load.within == 0 || of.is_some_and(|of| of.within == 0);
            keys.holds(own, "loads", load, "in N the number of an earlier load with an array of its own")?;
            keys.holds(!matches!(load.pattern, Pattern::Back(_)), "loads", load, "back(k) only for stores")?;
        }
        for store in &self.stores {
            keys.holds(store.within == 0, "stores", store, "an array of its own, or back(k)")?;
            keys.holds(!store.chained, "stores", store, "chained only for loads")?;
            if let Pattern::Back(_) = store.pattern {
                let load = self.load_of(store.pattern);
                keys.holds(
                    load.is_some_and(|l| !l.chained),
                    "stores",
                    store,
                    "the number of a load, not a chained one",
                )?;
                keys.holds(*store == Access::from(store.pattern), "stores", store, "nothing after back(k)")?;
            }
        }
        keys.holds(!self.reload || !self.loads.iter().any(|l| l.chained), "reload", true, "no chained load")?;
        let plain = self.loads.iter().all(|load| load.is_always() && !load.chained);
        let given = self.order == Order::Given;
        keys.holds(given || plain, "order", self.order, "loads that are always there and not chained")?;
        keys.holds(given || !self.reload, "order", self.order, "no reload")?;
        let is_room = self.fixed() == 0 || self.shares() < 1.0 - ROUNDING;
        keys.holds(is_room, "fp", self.fp, "less than 1 together with sfu and dp, beside accesses and barriers")?;
        let least = self.least_n();
        keys.holds(n >= least, "n", n, &format!("{least} or more, for the accesses with an address instruction each, a use, shared accesses, barriers and shares"))
    }
}
