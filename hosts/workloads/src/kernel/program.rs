//! From a phase of a descriptor to the instructions of one iteration (workloads-PK1):
//!
//! address arithmetic (an `I` per access), the loads, accesses to the next TB of the cluster, `ilp` independent instructions, the rest of
//! the arithmetic in chains, of which the first uses what was loaded, with shared accesses evenly between, barriers, stores. With `reload`, the loads once more and half
//! of the chains after them.
//!
//! A step is one static instruction, with a number of its own.

use super::pattern::{Access, Pattern};
use super::spec::{KernelSpec, Phase};
use gpusched_refgpu::program::{Class, Regs};

/// A static instruction.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub class: Class,
    pub src: Regs,
    pub dst: Regs,
    pub act: Act,
    /// In one of so many iterations, by one of so many warps.
    pub every: u32,
    pub warps: u32,
}

/// What it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Passes time.
    Nothing,
    /// The phase's load of this number.
    Load(u16),
    /// The phase's store of this number.
    Store(u16),
    /// A shared access.
    Shared,
    /// An access to the shared memory of the next TB of the cluster.
    Remote,
}

/// A phase, ready to run.
#[derive(Clone, Debug)]
pub struct Loop {
    pub iters: u32,
    pub steps: Vec<Step>,
    /// The accesses, each for itself.
    pub loads: Vec<Access>,
    pub stores: Vec<Access>,
    /// The number of the phase's first instruction in the kernel.
    pub first: u32,
}

/// Registers: the chains from bit 1, the last address, what came from shared memory, and those that loads go to in turn. A kernel with
/// more loads in flight than that waits for the first, as one that is short of registers does.
const CHAIN: u32 = 1;
const ADDRESS: Regs = 1 << 5;
const SHARED: Regs = 1 << 6;
const REMOTE: Regs = 1 << 7;
const FIRST_LOAD: u32 = 8;
const LOADS: Regs = !0 << FIRST_LOAD;

const fn chain(number: u32) -> Regs {
    1 << (CHAIN + number)
}

const fn loaded(number: usize) -> Regs {
    1 << (FIRST_LOAD + number as u32 % (32 - FIRST_LOAD))
}

/// The phases of a kernel, ready to run.
pub fn loops(kernel: &KernelSpec) -> Vec<Loop> {
    // 0 is for what is no step.
    let mut first = 1;
    let of = |(number, phase): (usize, &Phase)| {
        let steps = Writer::new(phase, kernel.n(number)).write();
        let (loads, stores) = (Phase::expand(&phase.loads).collect(), Phase::expand(&phase.stores).collect());
        first += steps.len() as u32;
        Loop { iters: phase.iters, loads, stores, first: first - steps.len() as u32, steps }
    };
    kernel.phases.iter().enumerate().map(of).collect()
}

/// Writes the steps of an iteration.
struct Writer<'a> {
    phase: &'a Phase,
    loads: Vec<Access>,
    stores: Vec<Access>,
    /// The arithmetic that is left, in order.
    mix: std::vec::IntoIter<Class>,
    /// Links of the chains so far.
    links: u32,
    steps: Vec<Step>,
}

impl<'a> Writer<'a> {
    fn new(phase: &'a Phase, n: u32) -> Self {
        let free = n.saturating_sub(phase.fixed());
        Self {
            phase,
            loads: Phase::expand(&phase.loads).collect(),
            stores: Phase::expand(&phase.stores).collect(),
            mix: mix(phase, n, free).into_iter(),
            links: 0,
            steps: Vec::new(),
        }
    }

    fn write(mut self) -> Vec<Step> {
        let (phase, reload) = (self.phase, self.phase.reload);
        self.addresses();
        self.load();
        for access in 0..phase.remote {
            let (class, src, dst) =
                if access % 2 == 1 { (Class::StoreRemote, chain(0), 0) } else { (Class::LoadRemote, 0, REMOTE) };
            self.push(class, src, dst, Act::Remote);
        }
        for _ in 0..phase.ilp.min((self.mix.len() as u32).saturating_sub(1 + u32::from(reload))) {
            let class = self.mix.next().unwrap_or(Class::Int);
            self.push(class, 0, 0, Act::Nothing);
        }
        let left = self.mix.len();
        let before = if reload { left - left / 2 } else { left };
        self.arithmetic(before, phase.shared);
        for _ in 0..phase.barriers {
            self.push(Class::Barrier, 0, 0, Act::Nothing);
        }
        self.store();
        if reload {
            self.load();
            self.arithmetic(left - before, 0);
        }
        self.steps
    }

    fn push(&mut self, class: Class, src: Regs, dst: Regs, act: Act) {
        self.steps.push(Step { class, src, dst, act, every: 1, warps: 1 });
    }

    /// A step that is there when the access is.
    fn push_with(&mut self, access: &Access, class: Class, src: Regs, dst: Regs, act: Act) {
        self.steps.push(Step { class, src, dst, act, every: access.every, warps: access.warps });
    }

    /// An instruction per access; the last one's result is waited for, the others are through before.
    fn addresses(&mut self) {
        let own = self.stores.iter().filter(|store| !matches!(store.pattern, Pattern::Back(_)));
        let all: Vec<Access> = self.loads.iter().chain(own).copied().collect();
        for access in &all {
            let src = if access.chained { LOADS } else { 0 };
            self.push_with(access, Class::Int, src, 0, Act::Nothing);
        }
        if let Some(last) = self.steps.last_mut() {
            last.dst = ADDRESS;
        }
    }

    fn load(&mut self) {
        let class = if self.phase.texture { Class::LoadTexture } else { Class::LoadGlobal };
        for (number, access) in self.loads.clone().iter().enumerate() {
            self.push_with(access, class, ADDRESS, loaded(number), Act::Load(number as u16));
        }
    }

    fn store(&mut self) {
        for (number, access) in self.stores.clone().iter().enumerate() {
            let when = self.phase.load_of(access.pattern).unwrap_or(*access);
            self.push_with(&when, Class::StoreGlobal, ADDRESS | chain(0), 0, Act::Store(number as u16));
        }
    }

    /// Links of the chains, the first of which use what was loaded, with shared accesses evenly between.
    fn arithmetic(&mut self, count: usize, shared: u32) {
        let mut uses = if self.loads.is_empty() { 0 } else { LOADS };
        uses |= if self.phase.remote > 0 { REMOTE } else { 0 };
        let mut accesses = 0;
        for done in 0..=count {
            while accesses < shared && u64::from(accesses + 1) * count as u64 <= done as u64 * u64::from(shared + 1) {
                self.shared(accesses % 2 == 1);
                uses |= if accesses % 2 == 1 { 0 } else { SHARED };
                accesses += 1;
            }
            if done < count {
                let link = chain(self.links % self.phase.chains);
                let class = self.mix.next().unwrap_or(Class::Int);
                self.push(class, link | std::mem::take(&mut uses), link, Act::Nothing);
                self.links += 1;
            }
        }
    }

    fn shared(&mut self, store: bool) {
        if store {
            self.push(Class::StoreShared, chain(0), 0, Act::Shared);
        } else {
            self.push(Class::LoadShared, 0, SHARED, Act::Shared);
        }
    }
}

/// The classes of `free` instructions, those with a share of `n` evenly among the integer ones.
fn mix(phase: &Phase, n: u32, free: u32) -> Vec<Class> {
    let share = |share: f64| (share * f64::from(n)) as i64;
    let (fp, sfu, dp) = (share(phase.fp), share(phase.sfu), share(phase.dp));
    let mut classes = [
        (Class::Int, i64::from(free) - fp - sfu - dp, 0),
        (Class::Fp, fp, 0),
        (Class::Sfu, sfu, 0),
        (Class::Dp, dp, 0),
    ];
    let next = |_| {
        for (_, count, due) in &mut classes {
            *due += *count;
        }
        let (class, _, due) = classes.iter_mut().max_by_key(|(.., due)| *due)?;
        *due -= i64::from(free);
        Some(*class)
    };
    (0..free).filter_map(next).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernel::App;

    fn steps(phase: &str) -> Vec<Step> {
        let text = format!(
            "[[kernel]]\nname = 'k'\ngrid = 1\nthreads = 64\nregs = 8\nsmem = 4096\n[[kernel.phase]]\niters = 1\n{phase}"
        );
        loops(&App::from_toml(&text).unwrap().kernels[0]).remove(0).steps
    }

    fn letters(steps: &[Step]) -> String {
        let letter = |step: &Step| match step.class {
            Class::Int => 'I',
            Class::Fp => 'F',
            Class::Sfu => 'X',
            Class::Dp => 'D',
            Class::LoadGlobal => 'L',
            Class::StoreGlobal => 'S',
            Class::LoadShared => 'l',
            Class::StoreShared => 's',
            Class::LoadRemote => 'r',
            Class::StoreRemote => 'w',
            Class::Barrier => 'B',
            _ => '?',
        };
        steps.iter().map(letter).collect()
    }

    #[test]
    fn an_iteration_has_the_sheets_order_and_n_instructions() {
        let steps = steps(
            "n = 20\nloads = ['st(4)', 'cta(2)']\nstores = ['st(4)']\nshared = 2\nbarriers = 1\nilp = 3\nfp = 0.2",
        );
        assert_eq!(letters(&steps), "IIILLIFIIFIlFIIsFIBS");
        assert_eq!(steps.len(), 20);
        // The first link of the chain, after three independent instructions, uses both loads; the one after `l` what it brought.
        assert!(steps[5..8].iter().all(|step| (step.src, step.dst) == (0, 0)));
        assert_eq!((steps[8].src & LOADS, steps[8].dst), (LOADS, chain(0)));
        assert_eq!(steps[3].dst | steps[4].dst, loaded(0) | loaded(1));
        assert_eq!(steps[12].src, chain(0) | SHARED);
        assert_eq!(steps[13].src, chain(0));
    }

    #[test]
    fn remote_accesses_come_behind_the_loads_and_are_waited_for() {
        let text = "[[kernel]]\nname = 'k'\ngrid = 4\nthreads = 64\nregs = 8\nsmem = 4096\ncluster = 4\n[[kernel.phase]]\niters = 1\nn = 9\nremote = 3\nilp = 2";
        let steps = loops(&App::from_toml(text).unwrap().kernels[0]).remove(0).steps;
        assert_eq!(letters(&steps), "rwrIIIIII");
        assert_eq!((steps[0].dst, steps[5].src & REMOTE), (REMOTE, REMOTE));
    }

    #[test]
    fn shares_are_of_n_and_spread_evenly() {
        let steps = steps("n = 40\nfp = 0.5\nsfu = 0.1\ndp = 0.05\nloads = ['st(4)']");
        let count = |class| steps.iter().filter(|step| step.class == class).count();
        assert_eq!([Class::Fp, Class::Sfu, Class::Dp, Class::Int].map(count), [20, 4, 2, 13]);
        assert!(!letters(&steps).contains("XX"));
    }

    #[test]
    fn chains_stand_side_by_side() {
        let steps = steps("n = 6\nchains = 2");
        let links: Vec<_> = steps.iter().skip(4).map(|step| step.dst).collect();
        assert_eq!(links, [chain(0), chain(1)]);
    }

    #[test]
    fn a_reload_comes_after_the_stores_and_is_used() {
        let steps = steps("n = 16\nloads = ['cta(2)', 'sd(8)']\nstores = ['back(1)']\nreload = true\nilp = 0");
        assert_eq!(letters(&steps), "IILLIIIIISLLIIII");
        assert_eq!((steps[4].src & LOADS, steps[12].src & LOADS), (LOADS, LOADS));
    }

    #[test]
    fn accesses_that_not_every_iteration_has_come_on_top() {
        let steps =
            steps("n = 9\nloads = ['st(4)', 'ga(16, 1 MB) every 64', 'tin(1) warps 1/2']\nstores = ['back(2)']");
        assert_eq!(steps.iter().filter(|step| step.every == 1 && step.warps == 1).count(), 9);
        assert_eq!(steps.iter().filter(|step| step.every == 64).count(), 3);
        assert_eq!(steps.iter().filter(|step| step.warps == 2).count(), 2);
    }

    #[test]
    fn a_chained_load_waits_for_what_was_loaded() {
        let steps = steps("n = 4\nloads = ['zip(12, 8 MB) chained']");
        assert_eq!(steps[0].src, LOADS);
    }
}
