//! The front end.

use alloc::vec::Vec;

use gpusched::power::Sample;
use gpusched::{
    Config, Cycle, Decision, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, Id, ImageError, Probe, SliceTables,
    image_config,
};
use gpusched_abi::bubble::verbs::gpusched_bubble_record;
use gpusched_abi::decision::gpusched_decision;
use gpusched_abi::frontend::time::gpusched_words;
use gpusched_abi::frontend::view::gpusched_waiting_head;
use gpusched_packed::{Damaged, Op, Reader, Record};

use super::arena::Arena;
use super::{Records, Replayed, Stop, graph, machine};

pub(super) type Machine<'a> = FrontEnd<SliceTables<'a>>;

/// Decisions are records, each sample with its own behind it.
impl Probe for Records {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        gpusched_decision::of(at, decision).put(self);
    }

    fn sample(&mut self, _: Cycle, record: &Sample) {
        gpusched_bubble_record::from(record).put(self);
    }
}

fn dim(from: &mut Reader<'_>) -> Result<Dim3, Damaged> {
    Ok(Dim3 { x: from.get()?, y: from.get()?, z: from.get()? })
}

fn kernel(from: &mut Reader<'_>) -> Result<Descriptor, Damaged> {
    let (pc, grid, tb) = (from.get()?, dim(from)?, dim(from)?);
    Ok(Descriptor { pc, grid, tb, regs: from.get()?, smem: from.get()?, param: from.get()?, tag: from.get()? })
}

/// The row with the next number; for one that its id cannot hold, the id's last one, which no machine has.
fn row<I: Id>(from: &mut Reader<'_>) -> Result<I, Damaged> {
    let number = from.get::<u32>()? as usize;
    let id = I::from_index(number);
    Ok(if id.index() == number { id } else { I::from_index(usize::MAX) })
}

impl<'a> Replayed<'a> for Machine<'a> {
    machine!(FrontEnd of Config, image_config, gpusched);

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Records) -> Result<Result<(), Fault>, Stop> {
        let number = |result: Result<u32, Fault>, to: &mut Records| result.map(|number| number.put(to));
        Ok(match op {
            Op::HostLaunch => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, kernel(from)?);
                number(self.host_launch(stream, &kernel, retain).map(u32::from), to)
            }
            Op::HostLaunchGraph => {
                let (stream, retain, kernel) = (from.get()?, from.get()?, kernel(from)?);
                number(self.host_launch_graph(stream, &kernel, retain, &graph::header(from)?).map(u32::from), to)
            }
            Op::DeviceLaunch => {
                let (smx, slot, kernels) = (row(from)?, row(from)?, from.list::<_, Vec<_>>(kernel)?);
                self.device_launch(smx, slot, &kernels)
                    .map(|records| records.iter().for_each(|record| record.0.put(to)))
            }
            Op::AggLaunch => {
                let group = |from: &mut Reader<'_>| Ok(GroupLaunch { descriptor: kernel(from)?, hw_tid: from.get()? });
                let (smx, slot, groups) = (row(from)?, row(from)?, from.list::<_, Vec<_>>(group)?);
                self.agg_launch(smx, slot, &groups).map(|records| records.iter().for_each(|record| record.0.put(to)))
            }
            Op::TbDone => self.tb_done(row(from)?, row(from)?, to),
            Op::Unretain => self.unretain(row(from)?, to),
            Op::Suspend => {
                let suspended = self.suspend(row(from)?, to).map(u32::from);
                number(suspended, to)
            }
            Op::Resume => self.resume(row(from)?),
            Op::SpillLoaded => self.spill_loaded(row(from)?),
            Op::SetEligible => self.set_eligible(graph::set(from)?),
            Op::SetBlockCap => self.set_block_cap(row(from)?, from.get()?),
            Op::SetClass => {
                let (class, has_pc, pc) = (row(from)?, from.get()?, from.get()?);
                self.set_class(class, if has_pc { Some(pc) } else { None })
            }
            Op::SetClassCap => self.set_class_cap(row(from)?, row(from)?, from.get()?, from.get()?),
            Op::Activity => self.activity(&from.list::<_, Vec<_>>(Reader::get)?),
            Op::HasWork => number(self.has_work(row(from)?).map(u32::from), to),
            Op::WaitingHead => self.waiting_head(from.get()?).map(|head| gpusched_waiting_head::from(head).put(to)),
            Op::Run => self.run(from.get()?, to).map(|words| gpusched_words::from(words).put(to)),
            Op::AbortGraph => self.abort_graph(row(from)?, to),
            Op::GraphPoll => graph::request(self.graph_poll(), to),
            Op::GraphNodes => {
                let (tag, entries) = (from.get()?, graph::nodes(from)?);
                let answer = self.graph_nodes(tag, &entries, to);
                graph::report(answer, to)
            }
            Op::GraphEdges => {
                let (tag, targets) = (from.get()?, graph::edges(from)?);
                let answer = self.graph_edges(tag, &targets, to);
                graph::report(answer, to)
            }
            Op::GraphSpilled => {
                let answer = self.graph_spilled(from.get()?, to);
                graph::report(answer, to)
            }
            _ => return Err(Stop::Damaged),
        })
    }
}
