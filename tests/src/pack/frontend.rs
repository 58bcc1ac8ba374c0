//! Vectors of the front end.

use anyhow::Result;
use gpusched::{Config, Fault, FrontEnd};
use gpusched_abi::convert::ToC;
use gpusched_heap::HeapTables;
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Packs, Recorded, packed};
use crate::events::{Answer, Event};
use crate::replay::in_rust;
use crate::through_c::c_config;

/// The machine of a vector.
pub fn build(config: &Config) -> Result<Result<Recorded<FrontEnd<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::FrontEnd, config, &c_config(config, 0), in_rust(gpusched_heap::front_end(config))?))
}

impl Packs<Answer> for Event {
    fn packed(&self) -> Option<(Op, Bytes)> {
        write(self)
    }
}

fn write(event: &Event) -> Option<(Op, Bytes)> {
    Some(match event {
        Event::HostLaunch { stream, descriptor, retain } => packed!(HostLaunch, stream, retain, descriptor),
        Event::HostLaunchGraph { stream, descriptor, retain, graph } => {
            packed!(HostLaunchGraph, stream, retain, descriptor, graph.to_c())
        }
        Event::GraphPoll => packed!(GraphPoll),
        Event::GraphNodes(tag, entries) => packed!(GraphNodes, tag, entries[..]),
        Event::GraphEdges(tag, targets) => packed!(GraphEdges, tag, targets[..]),
        Event::GraphSpilled(tag) => packed!(GraphSpilled, tag),
        Event::AbortGraph(kde) => packed!(AbortGraph, kde),
        Event::DeviceLaunch { smx, slot, kernels } => packed!(DeviceLaunch, smx, slot, kernels[..]),
        Event::AggLaunch { smx, slot, groups } => packed!(AggLaunch, smx, slot, groups[..]),
        Event::TbDone { smx, slot } => packed!(TbDone, smx, slot),
        Event::Unretain(kde) => packed!(Unretain, kde),
        Event::Suspend(kde) => packed!(Suspend, kde),
        Event::Resume(index) => packed!(Resume, index),
        Event::Refilled(tag) => packed!(Refilled, tag),
        Event::SpillLoaded(record) => packed!(SpillLoaded, record),
        Event::SetEligible(eligible) => packed!(SetEligible, eligible.to_c()),
        Event::SetBlockCap { smx, cap } => packed!(SetBlockCap, smx, cap),
        Event::SetClass { class, pc } => packed!(SetClass, class, pc.is_some(), pc.unwrap_or(0)),
        Event::SetClassCap { class, smx, cap, by } => packed!(SetClassCap, class, smx, cap, by),
        Event::Activity(per_smx) => packed!(Activity, per_smx[..]),
        Event::HasWork(class) => packed!(HasWork, class),
        Event::WaitingHead(start) => packed!(WaitingHead, start),
        Event::Run(n) => packed!(Run, n),
        Event::Begin => packed!(Begin),
        Event::Offers => packed!(Offers),
        Event::Load(id) => packed!(Load, id.to_c()),
        Event::Send { id, smx } => packed!(Send, id.to_c(), smx),
        Event::Split { id, at } => packed!(Split, id.to_c(), at),
        Event::End(wake) => packed!(End, wake.is_some(), wake.unwrap_or(0)),
        Event::Skip(to) => packed!(Skip, to),
        Event::NextEvent => packed!(NextEvent),
        Event::Save => packed!(Save),
        Event::Tick | Event::Advance(_) | Event::Account(_) => return None,
        // Vectors of `modern` and `launch2` are not packed.
        Event::DeviceLaunchNamed { .. }
        | Event::HostLaunchDependent { .. }
        | Event::HostLaunchGraphDependent { .. }
        | Event::HostLaunchCross { .. }
        | Event::KgraphDefine { .. }
        | Event::KgraphLaunch { .. }
        | Event::KgraphDestroy(_)
        | Event::TbTrigger { .. }
        | Event::TbWait { .. }
        | Event::SetStream { .. }
        | Event::SetContext { .. }
        | Event::Drain { .. }
        | Event::ReleaseDrain(_)
        | Event::SaveKernel(_)
        | Event::MaxActiveClusters { .. }
        | Event::GpcOf(_) => return None,
    })
}
