//! R, C, S: what fits, by trying; types and first targets.

use gpusched::Fault;
use gpusched::tlp::{Category, Kernel, KernelType, Mode, SoloTlp, StaticTlp, TbNeeds, TlpConfig, UpUp};

use crate::calls::tlp::{Answer, Event};
use crate::tlp::kernel;

const UP: KernelType = KernelType::Up;

/// Whether these TBs, so many of each kind, are within the resources of an SM.
pub fn within(config: &TlpConfig, tbs: &[(u32, TbNeeds)]) -> bool {
    let sum =
        |of: fn(&TbNeeds) -> u32| tbs.iter().map(|(n, needs)| u128::from(*n) * u128::from(of(needs))).sum::<u128>();
    let slots = tbs.iter().map(|(n, _)| u128::from(*n)).sum::<u128>();
    slots <= config.slots.into()
        && sum(|needs| needs.threads) <= config.threads.into()
        && sum(|needs| needs.regs) <= config.regs.into()
        && sum(|needs| needs.smem) <= config.smem.into()
}

/// tlp-R1.
pub fn remain(config: &TlpConfig, needs: TbNeeds, used: &[(u32, TbNeeds)]) -> u32 {
    let with = |n| within(config, &[used, &[(n, needs)]].concat());
    if !with(0) {
        return 0;
    }
    (0..config.tlp_cap).take_while(|n| with(n + 1)).count() as u32
}

/// tlp-R2.
pub fn fits(config: &TlpConfig, needs: [TbNeeds; 2], tb: [u32; 2]) -> bool {
    tb.iter().all(|&n| n <= config.tlp_cap) && within(config, &[(tb[0], needs[0]), (tb[1], needs[1])])
}

/// Whether it is a kernel at all.
pub fn check(kernel: &Option<Kernel>) -> Result<Kernel, Fault> {
    kernel.filter(|kernel| kernel.needs.threads >= 1 && kernel.category.opt >= 1).ok_or(Fault::BadKernel)
}

/// tlp-D1: alone.
pub fn solo(config: &TlpConfig, kernel: &Kernel) -> u32 {
    let max = remain(config, kernel.needs, &[]);
    if config.solo_tlp == SoloTlp::Opt { max.min(kernel.category.opt.into()) } else { max }
}

/// tlp-S2 to S4.
pub fn targets(config: &TlpConfig, kernels: &[Kernel; 2], first: usize) -> StaticTlp {
    let max = |k: usize| remain(config, kernels[k].needs, &[]);
    let beside = |k: usize, n: u32| remain(config, kernels[k].needs, &[(n, kernels[1 - k].needs)]);
    let mut tb = [0; 2];
    if kernels[0].category.kind == UP && kernels[1].category.kind == UP {
        let mut mode = Mode::Leftover;
        tb[first] = max(first);
        if config.upup == UpUp::Half {
            let half = std::cmp::max(1, max(first) / 2);
            if beside(1 - first, half) > 0 {
                tb[first] = half;
                tb[1 - first] = beside(1 - first, half);
                mode = Mode::Pair;
            }
        }
        return StaticTlp { tb, mode, a: kernel(first as u32) };
    }
    let a = match kernels[0].category.kind.cmp(&kernels[1].category.kind) {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Greater => 1,
        std::cmp::Ordering::Equal => first,
    };
    let b = 1 - a;
    tb[a] = max(a).min(kernels[a].category.opt.into());
    tb[b] = beside(b, tb[a]);
    if kernels[b].category.kind != UP {
        tb[b] = tb[b].min(kernels[b].category.opt.into());
    }
    StaticTlp { tb, mode: Mode::Pair, a: kernel(a as u32) }
}

fn categorise(config: &TlpConfig, profile: &[u64]) -> Result<Category, Fault> {
    if profile.is_empty() || profile.len() > 32 {
        return Err(Fault::BadProfile);
    }
    let best = *profile.iter().max().unwrap();
    let good = |value: u64| u128::from(value) * 1000 >= u128::from(best) * (1000 - u128::from(config.tol_permille));
    let opt = profile.iter().position(|&value| good(value)).unwrap() + 1;
    let kind = if opt == 1 {
        KernelType::Down
    } else if opt == profile.len() {
        KernelType::Up
    } else {
        KernelType::Optimal
    };
    Ok(Category { kind, opt: opt as u8 })
}

/// The functions without a state.
pub fn answer(config: &TlpConfig, event: &Event) -> Result<Answer, Fault> {
    Ok(match event {
        Event::Categorise { profile } => Answer::Category(categorise(config, profile)?),
        Event::StaticTlp { k0, k1, first } => {
            let kernels = [check(k0)?, check(k1)?];
            if first.0 > 1 {
                return Err(Fault::BadArg);
            }
            if kernels.iter().any(|k| remain(config, k.needs, &[]) == 0) {
                return Err(Fault::TbTooBig);
            }
            Answer::StaticTlp(targets(config, &kernels, first.0.into()))
        }
        Event::Max { kernel } => Answer::Max(remain(config, check(kernel)?.needs, &[])),
        Event::Remain { kernel, other, n } => {
            let (kernel, other) = (check(kernel)?, check(other)?);
            Answer::Remain(remain(config, kernel.needs, &[(*n, other.needs)]))
        }
    })
}
