//! Vectors of the front end.

use anyhow::Result;
use gpusched::{Config, Fault, FrontEnd};
use gpusched_abi::convert::ToC;
use gpusched_heap::HeapTables;
use gpusched_packed::{Bytes, Machine as Kind, Op};

use super::tape::{self, Recorded, packed};
use crate::events::{Answer, Event, Value};
use crate::machine::Machine;
use crate::replay::in_rust;
use crate::through_c::c_config;
use crate::view::View;

/// The machine of a vector.
pub fn build(config: &Config) -> Result<Result<Recorded<FrontEnd<HeapTables>>, Fault>> {
    Ok(Recorded::new(Kind::FrontEnd, config, &c_config(config, 0), in_rust(gpusched_heap::front_end(config))?))
}

impl Machine for Recorded<FrontEnd<HeapTables>> {
    type Mark = FrontEnd<HeapTables>;

    fn take(&mut self, event: &Event) -> Answer {
        let Some(packed) = write(event) else {
            tape::unknown(format!("an event without a form: {event:?}"));
            return self.0.take(event);
        };
        self.answered(
            packed,
            |gpu| gpu.take(event),
            |answer| match &answer.value {
                Err(fault) => Err(*fault),
                Ok(Value::Graph(Err(error))) => Err(error.fault()),
                Ok(_) => Ok(()),
            },
        )
    }

    fn view(&self) -> View {
        self.0.view()
    }

    fn config(&self) -> Config {
        *self.0.config()
    }

    fn mark(&self) -> Self::Mark {
        self.0.mark()
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
        Event::Account(_) | Event::Tick | Event::Advance(_) => return None,
    })
}
