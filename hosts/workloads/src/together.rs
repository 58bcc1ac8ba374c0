//! Kernels of the catalogue that run at the same time, each in a stream of its own (refgpu-G1, workloads-PK5).
//!
//! Each has an address space of its own, 64 GB further on than the one before, and is checked by itself.

use super::catalogue::{Entry, Request};
use super::{Boxed, SetupError, Verified, WrongResult};
use crate::graph::fnv1a;
use gpusched::Descriptor;
use gpusched::tlp::{Category, Pref};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::erased::StateId;
use gpusched_refgpu::program::{Class, Effects, Inst, StreamProfile, TbContext, Workload};
use gpusched_refgpu::stats::STREAMS;

/// The stream in a tag, an entry and an address.
const TAG_SHIFT: u32 = 56;
const PC_SHIFT: u32 = 32;
const PLACE_SHIFT: u32 = 28;
const ADDRESS_SHIFT: u32 = 36;

/// Workloads that share the machine.
#[derive(Debug, Default)]
pub struct Together {
    parts: Vec<Part>,
}

#[derive(Debug)]
struct Part {
    name: String,
    work: Boxed,
    profile: StreamProfile,
}

/// State of a warp's program: whose it is, and which state is its in each workload that had its slot.
#[derive(Clone, Debug, Default)]
pub struct Warp {
    part: usize,
    states: Vec<StateId>,
}

impl Together {
    /// These kernels, of such sizes, the first one in stream 0. None of them may launch others.
    ///
    /// # Errors
    /// What a kernel refuses, and more kernels than can be told apart.
    pub fn new(kernels: &[(&Entry, Request)]) -> Result<Self, SetupError> {
        if !(1..=STREAMS).contains(&kernels.len()) {
            let found = kernels.len() as u64;
            return Err(SetupError::Option { option: "kernels", expected: "1 to 8 kernels", found });
        }
        let part = |(entry, request): &(&Entry, Request)| {
            let profile = StreamProfile { tbs: tbs(entry, *request)?, ..StreamProfile::default() };
            entry.kernel(*request).map(|work| Part { name: entry.name.into(), work, profile })
        };
        Ok(Self { parts: kernels.iter().map(part).collect::<Result<_, _>>()? })
    }

    /// What is known of each kernel, for those who share the machine among them: type and best TLP, and what it leans on. The rest
    /// takes what it is given.
    #[must_use]
    pub fn knowing(mut self, kernels: &[(Category, Pref)]) -> Self {
        for (part, &(category, pref)) in self.parts.iter_mut().zip(kernels) {
            part.profile = StreamProfile { category, pref, ..part.profile };
        }
        self
    }

    /// Verifies the results of all. The checksum is one of checksums.
    ///
    /// # Errors
    /// The first element that differs.
    pub fn check(&self) -> Result<Verified, WrongResult> {
        let checksum = |part: &Part| {
            let named = |wrong: WrongResult| WrongResult { place: format!("{}: {}", part.name, wrong.place), ..wrong };
            part.work.check().map(|verified| verified.checksum).map_err(named)
        };
        let sums: Vec<u64> = self.parts.iter().map(checksum).collect::<Result<_, _>>()?;
        Ok(Verified { checksum: fnv1a(sums.into_iter().flat_map(|sum| [sum as u32, (sum >> 32) as u32])) })
    }
}

/// Host kernels of a workload whose TBs are counted.
const MOST_KERNELS: usize = 4096;

/// TBs of all its kernels, if its kernels do not follow from its results.
fn tbs(entry: &Entry, request: Request) -> Result<u32, SetupError> {
    let mut twin = entry.kernel(request)?;
    let kernels = std::iter::from_fn(|| twin.next_kernel()).take(MOST_KERNELS);
    Ok(kernels.map(|kernel| kernel.grid.x * kernel.grid.y * kernel.grid.z).fold(0, u32::saturating_add))
}

/// Moves the addresses of a warp's global access into its workload's space. One beyond 64 GB goes where no address is.
fn shift(part: usize, mask: u32, effects: &mut Effects) {
    for lane in gpusched_refgpu::lanes::lanes(mask) {
        let address = &mut effects.addr[lane];
        *address =
            if *address >> ADDRESS_SHIFT == 0 { *address + ((part as u64) << ADDRESS_SHIFT) } else { u64::MAX >> 1 };
    }
}

const fn is_global(class: Class) -> bool {
    matches!(class, Class::LoadGlobal | Class::StoreGlobal | Class::AtomicGlobal | Class::LoadTexture)
}

impl Workload for Together {
    type Warp = Warp;

    fn starts_on(&mut self, machine: &GpuConfig) {
        self.parts.iter_mut().for_each(|part| part.work.starts_on(machine));
    }

    fn next_kernel(&mut self) -> Option<Descriptor> {
        self.next_kernel_of(0)
    }

    fn streams(&self) -> usize {
        self.parts.len()
    }

    fn next_kernel_of(&mut self, stream: usize) -> Option<Descriptor> {
        let kernel = self.parts.get_mut(stream)?.work.next_kernel()?;
        let own = stream as u64;
        Some(Descriptor { tag: kernel.tag | own << TAG_SHIFT, pc: kernel.pc | own << PC_SHIFT, ..kernel })
    }

    fn stream(&self, tb: &TbContext) -> usize {
        (tb.tag >> TAG_SHIFT) as usize
    }

    fn profile(&self, stream: usize) -> StreamProfile {
        self.parts.get(stream).map(|part| part.profile).unwrap_or_default()
    }

    fn stream_name(&self, stream: usize) -> Option<&str> {
        self.parts.get(stream).map(|part| part.name.as_str())
    }

    fn begin(&mut self, tb: &TbContext, warp: u32, state: &mut Warp) {
        let part = self.stream(tb);
        let own = TbContext { tag: tb.tag & !(u64::MAX << TAG_SHIFT), ..*tb };
        state.part = part;
        state.states.resize(self.parts.len(), StateId::default());
        self.parts[part].work.begin(&own, warp, &mut state.states[part]);
    }

    fn fetch(&self, warp: &Warp) -> Inst {
        let inst = self.parts[warp.part].work.fetch(&warp.states[warp.part]);
        // What tells places in the program apart tells programs apart, too.
        Inst { pc: inst.pc ^ (warp.part as u32) << PLACE_SHIFT, ..inst }
    }

    fn execute(&mut self, warp: &mut Warp, effects: &mut Effects) {
        let Warp { part, states } = warp;
        let work = &mut self.parts[*part].work;
        let global =
            if *part > 0 { Some(work.fetch(&states[*part])) } else { None }.filter(|inst| is_global(inst.class));
        work.execute(&mut states[*part], effects);
        if let Some(inst) = global {
            shift(*part, inst.mask, effects);
        }
    }

    fn preview(&self, warp: &Warp, effects: &mut Effects) -> bool {
        let (work, state) = (&self.parts[warp.part].work, &warp.states[warp.part]);
        let is_told = work.preview(state, effects);
        if is_told && warp.part > 0 {
            shift(warp.part, work.fetch(state).mask, effects);
        }
        is_told
    }

    fn progress(&self) -> (u64, u64) {
        let each = self.parts.iter().map(|part| part.work.progress());
        each.fold((0, 0), |(done, all), (of, total)| (done + of, all + total))
    }
}
