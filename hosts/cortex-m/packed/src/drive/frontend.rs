//! The front end.

use alloc::vec::Vec;

use gpusched::power::Sample;
use gpusched::{Cycle, Decision, Fault, FrontEnd, ImageError, Probe, Tables, Victim};
use gpusched_abi::convert::{ToC, from_c};
use gpusched_abi::decision::gpusched_decision;

use super::{Driven, Refused, image, refused};
use crate::{Bytes, Op, Reader, Record};

/// Decisions are records, each sample with its own behind it.
impl Probe for Bytes {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        gpusched_decision::of(at, decision).put(self);
    }

    fn sample(&mut self, _: Cycle, record: &Sample) {
        record.to_c().put(self);
    }
}

impl<T: Tables> Driven for FrontEnd<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::HostLaunch => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, from.get()?);
                u32::from(self.host_launch(stream, &kernel, retain)?).put(to);
            }
            Op::HostLaunchGraph => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, from.get()?);
                u32::from(self.host_launch_graph(stream, &kernel, retain, &from_c(from.get()?))?).put(to);
            }
            Op::HostLaunchDependent => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, from.get()?);
                u32::from(self.host_launch_dependent(stream, &kernel, retain)?).put(to);
            }
            Op::HostLaunchGraphDependent => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, from.get()?);
                let queue = self.host_launch_graph_dependent(stream, &kernel, retain, &from_c(from.get()?))?;
                u32::from(queue).put(to);
            }
            Op::HostLaunchCross => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, from.get()?);
                let (graph, consumers) = (from_c(from.get()?), from.get()?);
                let queue = if from.get()? {
                    self.host_launch_cross_dependent(stream, &kernel, retain, &graph, &consumers)?
                } else {
                    self.host_launch_cross(stream, &kernel, retain, &graph, &consumers)?
                };
                u32::from(queue).put(to);
            }
            Op::KgraphDefine => {
                let (nodes, edges) = (from.get::<Vec<_>>()?, from.get::<Vec<_>>()?);
                u32::from(self.kgraph_define(&nodes, &edges)?).put(to);
            }
            Op::KgraphLaunch => u32::from(self.kgraph_launch(from.row()?, from.get()?)?).put(to),
            Op::KgraphDestroy => self.kgraph_destroy(from.row()?)?,
            Op::DeviceLaunchNamed => {
                let (smx, slot, launches) = (from.row()?, from.row()?, from.get::<Vec<_>>()?);
                self.device_launch_named(smx, slot, &launches)?.iter().for_each(|record| record.0.put(to));
            }
            Op::DeviceLaunch => {
                let (smx, slot, kernels) = (from.row()?, from.row()?, from.get::<Vec<_>>()?);
                self.device_launch(smx, slot, &kernels)?.iter().for_each(|record| record.0.put(to));
            }
            Op::AggLaunch => {
                let (smx, slot, groups) = (from.row()?, from.row()?, from.get::<Vec<_>>()?);
                self.agg_launch(smx, slot, &groups)?.iter().for_each(|record| record.0.put(to));
            }
            Op::TbDone => self.tb_done(from.row()?, from.row()?, to)?,
            Op::TbTrigger => self.tb_trigger(from.row()?, from.row()?, to)?,
            Op::TbWait => self.tb_wait(from.row()?, from.row()?, to)?,
            Op::Unretain => self.unretain(from.row()?, to)?,
            Op::Suspend => {
                let suspended = self.suspend(from.row()?, to)?;
                u32::from(suspended).put(to);
            }
            Op::Resume => self.resume(from.row()?)?,
            Op::Refilled => self.refilled(from.get()?)?,
            Op::SpillLoaded => self.spill_loaded(from.row()?)?,
            Op::SetEligible => self.set_eligible(from_c(from.get()?))?,
            Op::SetBlockCap => self.set_block_cap(from.row()?, from.get()?)?,
            Op::SetClass => {
                let (class, has_pc, pc) = (from.row()?, from.get::<bool>()?, from.get()?);
                if has_pc { self.set_class(class, pc)? } else { self.clear_class(class)? }
            }
            Op::SetClassCap => self.set_class_cap(from.row()?, from.row()?, from.get()?, from.get()?)?,
            Op::SetStream => {
                let (stream, context) = (from.get()?, from_c::<Option<u32>>(from.get()?));
                self.set_stream(stream, context.map(from_c), from_c(from.get()?))?;
            }
            Op::SetContext => self.set_context(from.row()?, &from_c(from.get()?))?,
            Op::Drain => {
                let (smxs, victim) = (from_c(from.get()?), from_c::<Option<Victim>>(from.get()?));
                u32::from(self.drain(smxs, &victim.ok_or(Refused::Damaged)?, to)?).put(to);
            }
            Op::ReleaseDrain => self.release_drain(from.row()?)?,
            Op::SaveKernel => {
                let until = self.save_kernel(from.row()?, to)?;
                until.put(to);
            }
            Op::MaxActiveClusters => {
                let kernel = from.get()?;
                self.max_active_clusters(&kernel, from.row()?)?.put(to);
            }
            Op::GpcOf => u32::from(self.gpc_of(from.row()?)?).put(to),
            Op::Activity => self.activity(&from.get::<Vec<_>>()?)?,
            Op::HasWork => self.has_work(from.row()?)?.put(to),
            Op::WaitingHead => self.waiting_head(from.get()?)?.to_c().put(to),
            Op::Run => {
                let words = self.run(from.get()?, to)?;
                words.to_c().put(to);
            }
            Op::AbortGraph => self.abort_graph(from.row()?, to)?,
            Op::GraphPoll => self.graph_poll().map_err(|error| refused(error, to))?.to_c().put(to),
            Op::GraphNodes => {
                let (tag, entries) = (from.get()?, from.get::<Vec<_>>()?);
                let answer = self.graph_nodes(tag, &entries, to);
                answer.map_err(|error| refused(error, to))?.to_c().put(to);
            }
            Op::GraphEdges => {
                let (tag, targets) = (from.get()?, from.get::<Vec<_>>()?);
                let answer = self.graph_edges(tag, &targets, to);
                answer.map_err(|error| refused(error, to))?.to_c().put(to);
            }
            Op::GraphSpilled => {
                let answer = self.graph_spilled(from.get()?, to);
                answer.map_err(|error| refused(error, to))?.to_c().put(to);
            }
            Op::Begin => {
                let kmu = self.begin(to)?;
                kmu.to_c().put(to);
            }
            Op::Offers => self.offers()?.for_each(|offer| offer.to_c().put(to)),
            Op::Load => self.load(from_c(from.get()?), to)?,
            Op::Send => {
                let tb = self.send(from_c(from.get()?), from.row()?, to)?;
                tb.to_c().put(to);
            }
            Op::Split => self.split(from_c(from.get()?), from.get()?)?.to_c().put(to),
            Op::End => {
                let (wakes, wake) = (from.get()?, from.get()?);
                let sched = self.end(if wakes { Some(wake) } else { None }, to)?;
                sched.to_c().put(to);
            }
            Op::Skip => self.skip(from.get()?)?.put(to),
            Op::NextEvent => self.next_event().to_c().put(to),
            Op::Save => match self.save(&mut alloc::vec![0; self.image_len()]) {
                Err(ImageError::MidCycle) => return Err(Fault::MidCycle.into()),
                saved => drop(saved.map_err(|_| Refused::Damaged)?),
            },
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
