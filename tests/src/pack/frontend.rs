//! Vectors of the front end.

use anyhow::Result;
use gpusched::{Config, ContextSpec, Fault, FrontEnd};
use gpusched_abi::convert::ToC;
use gpusched_heap::HeapTables;
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{Packs, Recorded, packed};
use crate::events::{Answer, Event, victim};
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
        Event::HostLaunchDependent { stream, descriptor, retain } => {
            packed!(HostLaunchDependent, stream, retain, descriptor)
        }
        Event::HostLaunchGraphDependent { stream, descriptor, retain, graph } => {
            packed!(HostLaunchGraphDependent, stream, retain, descriptor, graph.to_c())
        }
        Event::HostLaunchCross { stream, producers, retain, is_dependent, graph, consumers } => {
            packed!(HostLaunchCross, stream, retain, producers, graph.to_c(), consumers, is_dependent)
        }
        Event::KgraphDefine { nodes, edges } => packed!(KgraphDefine, nodes[..], edges[..]),
        Event::KgraphLaunch { graph, stream } => packed!(KgraphLaunch, graph, stream),
        Event::KgraphDestroy(graph) => packed!(KgraphDestroy, graph),
        Event::DeviceLaunchNamed { smx, slot, launches } => packed!(DeviceLaunchNamed, smx, slot, launches[..]),
        Event::TbTrigger { smx, slot } => packed!(TbTrigger, smx, slot),
        Event::TbWait { smx, slot } => packed!(TbWait, smx, slot),
        Event::SetStream { stream, context, priority } => {
            packed!(SetStream, stream, context.to_c(), priority.to_c())
        }
        &Event::SetContext { context, smxs, gpcs, quota, kdes } => {
            packed!(SetContext, context, ContextSpec { smxs, gpcs, quota, kdes }.to_c())
        }
        Event::Drain { smxs, context, kde } => packed!(Drain, smxs.to_c(), victim(*context, *kde).to_c()),
        Event::ReleaseDrain(request) => packed!(ReleaseDrain, request),
        Event::SaveKernel(kde) => packed!(SaveKernel, kde),
        Event::MaxActiveClusters { kernel, context } => packed!(MaxActiveClusters, kernel, context),
        Event::GpcOf(smx) => packed!(GpcOf, smx),
    })
}
