//! TLP modulation: each unit, and functions of a configuration.

use alloc::vec::Vec;

use gpusched::tlp::{Job, LeftOver, Pool, SmartEven, Smc, TlpConfig, TlpSm};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::tlp::fit::gpusched_tlp_targets;
use gpusched_abi::tlp::pool::{gpusched_tlp_next, gpusched_tlp_picked};
use gpusched_abi::tlp::records::*;
use gpusched_abi::tlp::sm::verbs::*;
use gpusched_abi::tlp::smart_even::{gpusched_tlp_job, gpusched_tlp_sharer_ended};
use gpusched_abi::tlp::smc::{gpusched_tlp_proposal, gpusched_tlp_reported};

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

/// Types of kernels and first targets: nothing is kept.
impl Driven for TlpConfig {
    fn image(&self) -> Vec<u8> {
        Vec::new()
    }

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpCategorise => put::<gpusched_tlp_category>(self.categorise(&from.get::<Vec<u64>>()?)?, to),
            Op::TlpStatic => {
                let (first, k0, k1) =
                    (from.row()?, from.get::<gpusched_tlp_kernel>()?, from.get::<gpusched_tlp_kernel>()?);
                put::<gpusched_tlp_targets>(self.static_tlp(k0, k1, first)?, to);
            }
            Op::TlpMax => self.max(from.get::<gpusched_tlp_kernel>()?)?.put(to),
            Op::TlpRemain => {
                let n = from.get()?;
                self.remain(from.get::<gpusched_tlp_kernel>()?, from.get::<gpusched_tlp_kernel>()?, n)?.put(to);
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

impl Driven for TlpSm {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpSmAttach => {
                let (now, k, kernel) = (from.get()?, from.row()?, from.get::<gpusched_tlp_kernel>()?);
                put::<gpusched_tlp_attached>(self.attach(now, k, kernel)?, to);
            }
            Op::TlpSmDone => put::<gpusched_tlp_detached>(self.done(from.get()?, from.row()?)?, to),
            Op::TlpSmDispatch => {
                let (now, avail) = (from.get()?, [from.get()?, from.get()?]);
                put::<gpusched_tlp_dispatched>(self.dispatch(now, avail)?, to);
            }
            Op::TlpSmFinish => put::<gpusched_tlp_finished>(self.finish(from.get()?, from.row()?)?, to),
            Op::TlpSmSample => {
                let (now, metrics) = (from.get()?, from.get::<gpusched_tlp_metrics>()?);
                put::<gpusched_tlp_sampled>(self.sample(now, &metrics.into())?, to);
            }
            Op::TlpSmOverride => put::<gpusched_tlp_overridden>(self.override_tlp(from.get()?, from.get()?)?, to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

impl Driven for Pool {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpPoolAdd => {
                let (kind, pref) = (from.choice()?.ok_or(Refused::Damaged)?, from.choice()?.ok_or(Refused::Damaged)?);
                u32::from(self.add(kind, pref, from.get()?)?).put(to);
            }
            Op::TlpPoolReady => self.ready(from.row()?)?,
            Op::TlpPoolPickPair => put::<gpusched_tlp_picked>(self.pick_pair(), to),
            Op::TlpPoolPickNext => {
                let (kind, pref) = (from.choice()?.ok_or(Refused::Damaged)?, from.choice()?.ok_or(Refused::Damaged)?);
                put::<gpusched_tlp_next>(self.pick_next(kind, pref), to);
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

impl Driven for LeftOver {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpLeftOverSubmit => {
                let (n_tb, needs) = (from.get()?, from.get::<gpusched_tlp_needs>()?);
                u32::from(self.submit(needs.into(), n_tb)?).put(to);
            }
            Op::TlpLeftOverSend => put::<gpusched_tlp_sent>(self.dispatch(), to),
            Op::TlpLeftOverFinish => self.finish(from.row()?, from.row()?)?.put(to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

impl Driven for SmartEven {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpSmartEvenStart => {
                let job = |from: &mut Reader<'_>| {
                    let gpusched_tlp_job { needs, n_tb } = from.get()?;
                    Ok(Job { needs: needs.into(), n_tb })
                };
                self.start(&from.list::<_, Vec<_>>(job)?)?;
            }
            Op::TlpSmartEvenSend => {
                put::<gpusched_tlp_sent>(self.dispatch(), to);
                return Ok(());
            }
            Op::TlpSmartEvenFinish => put::<gpusched_tlp_sharer_ended>(self.finish(from.row()?)?, to),
            _ => return Err(Refused::Damaged),
        }
        let owner = |owner: &Option<_>| owner.map_or(GPUSCHED_NONE, u32::from);
        self.owners().iter().map(owner).collect::<Vec<_>>()[..].put(to);
        Ok(())
    }
}

impl Driven for Smc {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::TlpSmcStart => put::<gpusched_tlp_proposal>(self.start(from.get()?)?, to),
            Op::TlpSmcReport => put::<gpusched_tlp_reported>(self.report(from.get()?)?, to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
