//! The kernels that share the machine, and what is known of each.

use super::sweep::Alone;
use crate::ask::{Kernel, Machine};
use crate::failure::Failure;
use crate::input::Setup;
use crate::output;
use crate::study::digest::Digest;
use anyhow::anyhow;
use gpusched::tlp::{Category, Kernel as TlpKernel, KernelType, Pref, TbNeeds};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;
use gpusched_refgpu::program::StreamProfile;
use gpusched_workloads::catalogue::{Entry, Request, Size};
use gpusched_workloads::sharers::{self, Sharer, Sweep};
use gpusched_workloads::{SetupError, Together};
use serde::Serialize;

/// A kernel of the set.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// The study's name for it, or the catalogue's.
    pub name: String,
    #[serde(skip)]
    pub entry: &'static Entry,
    #[serde(skip)]
    pub request: Request,
    /// Times its usual work.
    pub scale: u32,
    /// What one of its TBs takes.
    pub needs: TbNeeds,
    /// Type and best TLP, and what it leans on, as measured; `None`: no policy asks.
    #[serde(flatten)]
    pub profile: Option<Profile>,
    /// Type and best TLP, as the study has them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<Category>,
}

/// What is measured of a kernel alone.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Profile {
    /// Type and best TLP.
    pub category: Category,
    /// What it leans on.
    pub pref: Pref,
}

impl Member {
    /// As the units of `gpusched::tlp` know it.
    pub fn kernel(&self) -> TlpKernel {
        // Of a type that nobody asks for, it takes what there is.
        let category = self.profile.map_or(StreamProfile::default().category, |profile| profile.category);
        TlpKernel { needs: self.needs, category }
    }
}

/// What runs, and on which machine.
#[derive(Debug)]
pub struct Set {
    /// The kernels.
    pub members: Vec<Member>,
    /// The machine.
    pub setup: Setup,
}

/// The machine for kernels that share it.
pub fn machine(args: &Machine) -> Result<Setup, Failure> {
    let setup = Setup::resolve(args, sharers::GPU)?;
    setup.only_of(&[])?;
    Ok(setup)
}

impl Set {
    /// These kernels, each with so many times its usual work; how to find their types, if a policy asks.
    pub fn of(kernels: &[Kernel], args: &Machine, scale: u32, types: Option<Alone<'_>>) -> Result<Self, Failure> {
        let setup = machine(args)?;
        let member = |kernel: &Kernel| member(kernel.0, scale, &setup.gpu, types);
        Ok(Self { members: kernels.iter().map(member).collect::<Result<_, _>>()?, setup })
    }

    /// As it runs.
    pub fn workload(&self) -> Result<Together, SetupError> {
        let requests: Vec<_> = self.members.iter().map(|member| (member.entry, member.request)).collect();
        let unknown = StreamProfile::default();
        let of = |member: &Member| member.profile.map_or((unknown.category, unknown.pref), |p| (p.category, p.pref));
        let known: Vec<_> = self.members.iter().map(of).collect();
        Ok(Together::new(&requests)?.knowing(&known))
    }

    /// All that a run on this machine depends on.
    pub fn digest(&self, gpu: &GpuConfig) -> Digest {
        let mut digest = Digest::default();
        for Member { entry, request, profile, .. } in &self.members {
            digest.kernel(entry, *request);
            digest.add("profile", &format!("{profile:?}"));
        }
        digest.machine(gpu, RunOptions::default());
        digest
    }

    /// Their names, by a plus.
    pub fn name(&self) -> String {
        self.members.iter().map(|member| member.name.as_str()).collect::<Vec<_>>().join(" + ")
    }

    /// Name of the result files, without extension.
    pub fn file_stem(&self) -> String {
        let names: Vec<&str> = self.members.iter().map(|member| member.name.as_str()).collect();
        let kind = if names.len() == 2 { "pair" } else { "pool" };
        plain(&format!("{kind}-{}-{}", names.join("-"), self.setup.gpu.name))
    }
}

/// What a file can be called.
pub fn plain(name: &str) -> String {
    name.replace(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.' || c == '-'), "-")
}

fn member(entry: &'static Entry, scale: u32, gpu: &GpuConfig, types: Option<Alone<'_>>) -> Result<Member, Failure> {
    let told = |error: SetupError| {
        let text = anyhow!("{}: {error}", entry.name);
        if matches!(error, SetupError::Option { .. }) { Failure::Usage(text) } else { Failure::Failed(text) }
    };
    let sharer = sharers::find(entry.name);
    let own = Request { size: Size::Times(scale), ..Request::default() };
    let request = sharer.map_or(own, |sharer| sharer.request(scale));
    entry.kernel(request).map_err(told)?;
    let (needs, most) = sharers::needs(entry, request, gpu).map_err(|error| Failure::Failed(error.into()))?;
    let fits_none = || Failure::Usage(anyhow!("{}: a TB of it fits no SM of {}", entry.name, gpu.name));
    if most == 0 {
        return Err(fits_none());
    }
    let profile = if let Some(how) = types {
        let swept = match sharer {
            // What came along, unless it was measured of something else.
            Some(sharer) if sharer.of == basis(sharer, gpu) => sharer.measured.clone(),
            _ => measure(entry, request, gpu, how)?,
        };
        let units = gpu.tlp_units();
        let category = swept.category(&units).map_err(|_| fits_none())?;
        Some(Profile { category, pref: swept.pref(&units) })
    } else {
        None
    };
    Ok(Member {
        name: sharer.map_or(entry.name, |sharer| sharer.name.as_str()).to_owned(),
        entry,
        request,
        scale: if let Size::Times(times) = request.size { times } else { 1 },
        needs,
        profile,
        source: sharer.map(|sharer: &Sharer| sharer.source.category()),
    })
}

/// A hash of all that the sweep of a kernel that came along depends on, on this machine.
pub fn basis(sharer: &Sharer, gpu: &GpuConfig) -> String {
    Digest::of_alone(sharer.entry, sharer.request(sharers::TIMES), gpu).hex(16)
}

fn measure(entry: &'static Entry, request: Request, gpu: &GpuConfig, how: Alone<'_>) -> Result<Sweep, Failure> {
    output::remark(
        &format!("{}: no type is known on this machine; running it alone with 1, 2, ... TBs per SM\n", entry.name),
        how.quiet,
    );
    // One kernel alone is one stream.
    let mut alone = gpu.clone();
    alone.streams = Default::default();
    Ok(Sweep::of(&how.runs(entry, request, &alone, |_, _| ())?, &alone))
}

/// The word for a type.
pub const fn type_word(kind: KernelType) -> &'static str {
    match kind {
        KernelType::Down => "down",
        KernelType::Optimal => "optimal",
        KernelType::Up => "up",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What came along counts for the kernels and the machine that it was measured of, and for no others.
    #[test]
    fn what_is_known_of_kernels_is_of_todays_kernels_and_machine() {
        let preset = GpuConfig::preset(sharers::GPU).unwrap();
        let with = |key: &str, value: &str| {
            let mut gpu = preset.clone();
            gpu.set(key, value).unwrap();
            gpu
        };
        for sharer in sharers::all() {
            let of = basis(sharer, &preset);
            let refresh = format!("gpusched sweep {} --scale {} --json", sharer.name, sharers::TIMES);
            assert_eq!(sharer.of, of, "{}: sharers.toml is of something else; {refresh} measures again", sharer.name);
            for (key, value) in [("tlp.policy", "tlp"), ("tlp.tol_permille", "7"), ("streams.stagger", "9")] {
                assert_eq!(basis(sharer, &with(key, value)), of, "{key} has no effect on a kernel alone");
            }
            for (key, value) in [("l1.sets", "64"), ("dram.channels", "4"), ("sm.block_cap", "3")] {
                assert_ne!(basis(sharer, &with(key, value)), of, "{key}");
            }
        }
    }
}
