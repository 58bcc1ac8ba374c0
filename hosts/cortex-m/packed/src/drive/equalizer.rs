//! Equalizer: an SM, and the frequency manager.

use alloc::vec::Vec;

use gpusched::equalizer::{Fm, Sm};
use gpusched_abi::equalizer::fm::verbs::gpusched_equalizer_levels;
use gpusched_abi::equalizer::records::*;

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

impl Driven for Sm {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::EqSmKernelStart => {
                let started = self.kernel_start(from.get()?, from.get()?, from.get()?, from.get()?)?;
                started.target.put(to);
                started.requests.put(to);
            }
            Op::EqSmGrant => {
                let granted = self.grant(from.get()?, from.get()?)?;
                u32::from(granted.slot).put(to);
                put::<gpusched_equalizer_change>(&granted.change, to);
            }
            Op::EqSmDeny => put::<gpusched_equalizer_change>(&self.deny(from.get()?)?, to),
            Op::EqSmRefill => put::<gpusched_equalizer_change>(&self.refill(from.get()?)?, to),
            Op::EqSmBlockEnd => {
                let ended = self.block_end(from.get()?, from.row()?)?;
                ended.block.put(to);
                put::<gpusched_equalizer_change>(&ended.change, to);
            }
            Op::EqSmSample => {
                let (now, counts) = (from.get()?, from.get::<gpusched_equalizer_counts>()?);
                let epoch = self.sample(now, &counts.into())?;
                epoch.as_ref().map(gpusched_equalizer_epoch::from).unwrap_or_default().put(to);
            }
            Op::EqSmSetObjective => self.set_objective(from.get()?, from.get::<u32>()?)?,
            Op::EqSmResync => self.resync(from.get()?)?.put(to),
            Op::EqSmClassify => {
                let warp = from.get::<gpusched_equalizer_warp>()?;
                let warp = (&warp).try_into().map_err(|_| Refused::Damaged)?;
                put::<gpusched_equalizer_classified>(self.classify(&warp), to);
            }
            Op::EqSmDecide => {
                let (samples, w_cta, sums) = (from.get()?, from.get()?, from.get::<gpusched_equalizer_counts>()?);
                put::<gpusched_equalizer_decision>(self.config().decide(&sums.into(), samples, w_cta)?, to);
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

impl Driven for Fm {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::EqFmVote => {
                let round = self.vote(from.get()?, from.row()?, (from.get()?, from.get()?))?;
                round.map(gpusched_equalizer_round::from).unwrap_or_default().put(to);
            }
            Op::EqFmClose => put::<gpusched_equalizer_round>(self.close(from.get()?)?, to),
            Op::EqFmEnable => self.enable(from.get()?, from.row()?, from.get()?)?,
            Op::EqFmLevels => put::<gpusched_equalizer_levels>(self.levels(from.get()?)?, to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
