//! The runs of a comparison: in which way, who schedules its TBs, and whether SMXs in occupancy bubbles are put to sleep.

use crate::ask::{OnOff, PowerOptions, PowerPolicy, Scheduling};
use crate::failure::Failure;
use crate::input::Setup;
use crate::scheduler::Sched;
use crate::way::Way;
use anyhow::anyhow;
use gpusched::laperm;
use gpusched_refgpu::config::{ConfigError, GpuConfig, Provenance, TbPolicy};
use std::fmt;

/// One way.
#[derive(Clone, Debug)]
pub struct Variant {
    /// How the workload runs.
    pub way: Way,
    /// Who schedules TBs; `None`: whoever the configuration says.
    pub sched: Option<Sched>,
    /// Whether SMXs in bubbles are diverted and put to sleep. `None`: as the configuration says.
    pub bubble: Option<bool>,
    /// The machine for it.
    pub gpu: GpuConfig,
}

impl Variant {
    /// Every combination that is asked for: by way, then by scheduler; with `--power bubble` each without it first.
    pub fn all(ways: &[Way], scheduling: &Scheduling, setup: &Setup) -> Result<Vec<Self>, Failure> {
        twice(ways).map_or(Ok(()), |way| Err(usage(format!("{way} is given twice"))))?;
        let scheds = &scheduling.sched;
        twice(scheds).map_or(Ok(()), |sched| Err(usage(format!("--sched: {sched} is given twice"))))?;
        // Rows, files and figures are told apart by these names; a shared library brings its own.
        let names: Vec<_> = scheds.iter().map(Sched::to_string).collect();
        twice(&names)
            .map_or(Ok(()), |name| Err(usage(format!("--sched: two of these policies call themselves {name}"))))?;
        let power = &scheduling.power;
        if power.power == PowerPolicy::None
            && let Some(option) = power.first_given()
        {
            return Err(usage(format!("{option} needs --power bubble")));
        }
        if power.power == PowerPolicy::Bubble && setup.gives("bubble.enabled") {
            return Err(usage("--power bubble and --set bubble.enabled set the same".to_owned()));
        }
        let scheds: Vec<_> = if scheds.is_empty() { vec![None] } else { scheds.iter().cloned().map(Some).collect() };
        let bubbles: &[_] = if power.power == PowerPolicy::Bubble { &[Some(false), Some(true)] } else { &[None] };
        let mut all = Vec::new();
        for &way in ways {
            for sched in &scheds {
                for &bubble in bubbles {
                    let gpu = configure(&setup.gpu, sched.as_ref(), bubble, power).map_err(|e| usage(e.to_string()))?;
                    all.push(Self { way, sched: sched.clone(), bubble, gpu });
                }
            }
        }
        Ok(all)
    }

    /// Whether it matters what SMXs are made to do.
    pub fn shows_states(&self) -> bool {
        self.bubble.is_some() || self.gpu.bubble.enabled
    }

    /// Whether it is a run of `--power bubble` with the controller at work.
    pub fn sleeps(&self) -> bool {
        self.bubble == Some(true)
    }

    /// Who schedules TBs.
    pub fn scheduler(&self) -> Sched {
        match (&self.sched, self.gpu.switch.policy) {
            (Some(sched), _) => sched.clone(),
            (None, TbPolicy::LaPerm) => Sched::LaPerm(self.gpu.laperm.policy),
            // Only a scheduler that is named decides from outside.
            (None, TbPolicy::FcfsRr | TbPolicy::Told) => Sched::Fcfs,
        }
    }

    /// As part of a file name.
    pub fn file_part(&self) -> String {
        self.to_string().replace(' ', "-")
    }
}

/// Its parts that were asked for, by blanks.
impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.way)?;
        self.sched.as_ref().map_or(Ok(()), |sched| write!(f, " {sched}"))?;
        if self.sleeps() { f.write_str(" bubble") } else { Ok(()) }
    }
}

fn usage(text: String) -> Failure {
    Failure::Usage(anyhow!(text))
}

/// What is there for the second time.
pub fn twice<T: PartialEq>(given: &[T]) -> Option<&T> {
    given.iter().enumerate().find_map(|(i, one)| given[..i].contains(one).then_some(one))
}

fn configure(
    gpu: &GpuConfig,
    sched: Option<&Sched>,
    bubble: Option<bool>,
    power: &PowerOptions,
) -> Result<GpuConfig, ConfigError> {
    let mut gpu = gpu.clone();
    if let Some(sched) = sched {
        match (sched.laperm(), sched.decider()) {
            (None, None) => gpu.set("dtbl.policy", "fcfs_rr")?,
            (_, Some(decider)) => gpu.decide_by(decider),
            (Some(policy), _) => {
                gpu.set("dtbl.policy", "laperm")?;
                gpu.set("laperm.policy", policy)?;
                // As the sheet advises, unless the user says what it is to be.
                let is_users = |key: &str| gpu.configured().any(|e| e.key == key && e.provenance == Provenance::User);
                if *sched == Sched::LaPerm(laperm::Policy::Rr) && !is_users("laperm.visit") {
                    gpu.set("laperm.visit", "skip")?;
                }
            }
        }
    }
    if let Some(enabled) = bubble {
        gpu.set("bubble.enabled", if enabled { "true" } else { "false" })?;
        if let Some(samples) = power.transition {
            gpu.set("bubble.transition_samples", &samples.to_string())?;
        }
        if let Some(draining) = power.draining {
            gpu.set("bubble.draining", if draining == OnOff::On { "true" } else { "false" })?;
        }
        if let Some(threshold) = power.threshold {
            // In this order it is never above one.
            gpu.set("bubble.t_num", "0")?;
            gpu.set("bubble.t_den", &threshold.denominator.to_string())?;
            gpu.set("bubble.t_num", &threshold.numerator.to_string())?;
        }
    }
    gpu.check()?;
    Ok(gpu)
}
