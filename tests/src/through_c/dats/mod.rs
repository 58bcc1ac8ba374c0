//! Dependency graphs as a C program has them: the buffer alone, the builder, the admission check.

mod builder;
mod records;

use std::ffi::CStr;

use gpusched::dats::{Admission, DepLinksError, DgbConfig, GraphHeader, LevelRef, MAX_EDGES, Node, NodeId, Prefetch};
use gpusched::{Dim3, Fault};
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::dats::admit::*;
use gpusched_abi::dats::build::*;
use gpusched_abi::dats::config::*;
use gpusched_abi::dats::gpusched_dgb;
use gpusched_abi::dats::graph::*;
use gpusched_abi::dats::image::*;
use gpusched_abi::dats::query::*;
use gpusched_abi::dats::verbs::*;
use gpusched_abi::smx::gpusched_smx_set;
use gpusched_abi::status::gpusched_status as Status;

use crate::dats::deplinks::{Built, Link};
use crate::dats::event::{Answer, Answered, Event};
use crate::dats::view::View;
use crate::dats::{Machine, Parts};
use crate::through_c::config::{code, field, fields};
use crate::through_c::look::expect;
use crate::through_c::object::{self, Object, done, fault};
use crate::through_c::records::{flag, number, one_of};
use builder::Builder;
pub(super) use records::{Told, bits, c_header, core_error, core_header, core_report, core_request, vids};
use records::{completion, core_selection};

pub(super) const PREFETCH: [(u32, Prefetch); 2] = [
    (gpusched_dgb_prefetch::ChunkFree as u32, Prefetch::ChunkFree),
    (gpusched_dgb_prefetch::Eager as u32, Prefetch::Eager),
];
pub(super) const LEVEL_REF: [(u32, LevelRef); 2] = [
    (gpusched_dgb_level_ref::Incomplete as u32, LevelRef::Incomplete),
    (gpusched_dgb_level_ref::Active as u32, LevelRef::Active),
];

fields! {
    gpusched_dgb_config: put, get = DgbConfig;
    numbers
    smxs lna lea pub_entries chunk_bytes;
    choices
    prefetch PREFETCH
    level_ref LEVEL_REF;
    flags
    issue_needs_edges spill
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &DgbConfig) -> gpusched_dgb_config {
    let mut c = gpusched_dgb_config { struct_size: size_of::<gpusched_dgb_config>() as u32, ..Default::default() };
    put(&mut c, config);
    c
}

/// A buffer in a block, reached through C functions only.
pub struct ThroughC {
    object: Object<gpusched_dgb>,
    config: DgbConfig,
}

impl ThroughC {
    /// A buffer of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &DgbConfig) -> Result<Self, Status> {
        let given = c_config(config);
        let object = Object::new(&given, gpusched_dgb_layout, gpusched_dgb_init)?;
        let mut told = c_config(&DgbConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_dgb_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object.
    #[must_use]
    pub fn object(&self) -> &Object<gpusched_dgb> {
        &self.object
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_dgb_save, gpusched_dgb_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_dgb_restore, image)
    }

    /// What the object says of itself in one record.
    #[must_use]
    pub fn state(&self) -> gpusched_dgb_state {
        self.object.ask(gpusched_dgb_get_state)
    }

    /// The graph that was launched last.
    #[must_use]
    pub fn graph(&self) -> Option<GraphHeader> {
        let mut graph = gpusched_graph_header::default();
        // SAFETY: the object and the header live.
        match unsafe { gpusched_dgb_get_graph(self.object.c(), &mut graph) } {
            Status::Ok => Some(core_header(&graph)),
            Status::NotLaunched => None,
            other => panic!("{other:?}"),
        }
    }
}

impl Machine for ThroughC {
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Answered {
        let dgb = self.object.c();
        let mut wrong = gpusched_graph_error::default();
        let (mut report, mut executing) = (gpusched_graph_report::default(), 0);
        // SAFETY: all pointers are of living values.
        let answer = unsafe {
            match event {
                Event::Launch(launch) => {
                    let kde = launch.kdei.0.into();
                    let status = gpusched_dgb_launch(dgb, kde, &c_header(&launch.graph), &mut wrong);
                    done(status).map(|()| Answer::Done)
                }
                Event::Poll => {
                    let mut request = gpusched_graph_request::default();
                    let status = gpusched_dgb_poll(dgb, &mut request, &mut wrong);
                    done(status).map(|()| Answer::Request(core_request(&request)))
                }
                Event::Nodes(tag, entries) => {
                    let bits = bits(entries);
                    let (first, count) = (bits.as_ptr(), bits.len());
                    let status = gpusched_dgb_nodes(dgb, *tag, first, count, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Edges(tag, targets) => {
                    let vids = vids(targets);
                    let (first, count) = (vids.as_ptr(), vids.len());
                    let status = gpusched_dgb_edges(dgb, *tag, first, count, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Spilled(tag) => {
                    let status = gpusched_dgb_spilled(dgb, *tag, &mut report, &mut wrong);
                    done(status).map(|()| Answer::Report(core_report(&report)))
                }
                Event::Select(fits) => {
                    let (fits, mut selection) = (gpusched_smx_set::from(*fits), gpusched_dgb_selection::default());
                    let status = gpusched_dgb_select(dgb, &fits, &mut selection, &mut wrong);
                    done(status).map(|()| Answer::Selection(core_selection(&selection)))
                }
                Event::Complete(node) => {
                    let status = gpusched_dgb_complete(dgb, node.0.into(), &mut report, &mut wrong);
                    done(status).map(|()| Answer::Completion(completion(&report)))
                }
                Event::Abort => done(gpusched_dgb_abort(dgb, &mut executing)).map(|()| Answer::Executing(executing)),
            }
        };
        answer.map_err(|status| {
            let named = if let Event::Complete(node) = event { Some(*node) } else { None };
            core_error(status, &wrong, named)
        })
    }

    fn view(&self) -> View {
        let object = &self.object;
        let told = Told {
            state: object.ask(gpusched_dgb_get_state),
            stats: object.ask(gpusched_dgb_get_stats),
            resident: object.list(gpusched_dgb_resident),
            edges: object.list(gpusched_dgb_resident_edges),
            pending_updates: object.list(gpusched_dgb_pending_updates),
            landed: object.list(gpusched_dgb_landed),
        };
        told.view(self.config.lea)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn image_config(image: &[u8]) -> Result<DgbConfig, Status> {
    let told = object::image_config(gpusched_dgb_image_config, image, c_config(&DgbConfig::GTX480))?;
    Ok(get(&told))
}

/// The parts as a C program has them.
pub struct OfC;

impl Parts for OfC {
    type Machine = ThroughC;

    fn machine(config: &DgbConfig) -> Result<ThroughC, &'static str> {
        ThroughC::new(config).map_err(|status| {
            assert_eq!(status, Status::BadConfig);
            let (c, mut wrong) = (c_config(config), std::mem::MaybeUninit::<gpusched_parameter>::uninit());
            // SAFETY: both live; what is wrong has a static name.
            let name = unsafe {
                assert_eq!(gpusched_dgb_config_check(&c, wrong.as_mut_ptr()), status);
                CStr::from_ptr::<'static>(wrong.assume_init().name).to_str().expect("a name")
            };
            if name == "pub_entries" { "pub" } else { name }
        })
    }

    fn storage_bits(config: &DgbConfig) -> u64 {
        let mut bits = gpusched_dgb_storage::default();
        // SAFETY: both live.
        let status = unsafe { gpusched_dgb_storage_bits(&c_config(config), &mut bits) };
        assert_eq!(status, Status::Ok);
        let gpusched_dgb_storage { lna, lea, pub_entries, nib, total } = bits;
        assert_eq!(lna + lea + pub_entries + nib, total);
        total
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        use gpusched_admission as C;
        let (nodes, edges) = (bits(nodes), vids(edges));
        let (mut scratch, mut admission, mut at) = (vec![7; nodes.len()], 9, 9);
        // SAFETY: all live; the arrays have these lengths.
        let status = unsafe {
            let (v, e) = (nodes.len() as u32, edges.len() as u32);
            let (nodes, edges) = (nodes.as_ptr(), edges.as_ptr());
            gpusched_admit(&c_config(config), nodes, v, edges, e, scratch.as_mut_ptr(), &mut admission, &mut at)
        };
        assert_eq!(status, Status::Ok);
        let node = number(at).map(NodeId);
        assert_eq!(node.is_none(), admission == C::Safe as u32, "a verdict is about a node");
        let node = node.unwrap_or_default();
        let verdicts = [
            (C::Safe as u32, Admission::Safe),
            (C::MayDeadlock as u32, Admission::MayDeadlock { node }),
            (C::Deadlocks as u32, Admission::Deadlocks { node }),
            (C::Oversize as u32, Admission::Oversize { node }),
        ];
        one_of(admission, &verdicts)
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let max_edges = edge_cap.min(MAX_EDGES as usize) as u32;
        Builder::new(grid, max_edges)
            .map_err(|status| match fault(status) {
                Fault::EmptyGrid => DepLinksError::EmptyGrid,
                Fault::TooManyNodes => DepLinksError::TooManyNodes,
                other => panic!("{other:?}"),
            })?
            .build(links)
    }
}
