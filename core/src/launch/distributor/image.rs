//! Kernel distributor entries in an image, in the order of their lists.

use super::{Distributor, GraphState, Kde, Kernel, Mark, Phase, Source};
use crate::base::cycle::Cycle;
use crate::base::id::{KernelSlot, rows_in};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::descriptor::Shape;

impl Kernel {
    /// The shape of a kernel that was read, if there can be such a kernel.
    pub(crate) fn checked_shape(&self, config: &Config) -> Result<Shape, ImageError> {
        let shape = self.descriptor.shape(config).map_err(|_| ImageError::Content)?;
        possible(self.next_native <= shape.total)?;
        possible(self.psmx.is_none_or(|s| u32::from(s.0) < config.n_smx))?;
        // What the device launched has a parent, and under LaPerm a level.
        let is_child = self.source == Source::Device;
        possible(self.psmx.is_some() == is_child && (self.prio > 0) == (is_child && config.laperm().is_some()))?;
        possible(self.prio <= config.deepest_prio() && self.saved <= self.next_native)?;
        // Only a kernel that may wait for its children was ever suspended (dtbl-S1).
        possible((self.depth > 0) == is_child && (self.saved == 0 || u32::from(self.depth) < config.sync_depth))?;
        possible(!matches!(self.source, Source::Hwq(q) if u32::from(q.0) >= config.n_hwq))?;
        Ok(shape)
    }
}

impl<K: Rows<Kde>> Distributor<K> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { kdes, free: _, active, arriving: _, fifo: _ } = self;
        // Those that arrive, then those of the FIFO, then the rest: the lists are the order of the rows.
        let unmarked = rows_in(*active).filter(|&k: &KernelSlot| kdes[k].mark.is_none());
        w.list(self.arriving().chain(self.fifo()).chain(unmarked).map(|k| (k, &kdes[k])));
    }

    /// Arriving entries, in order.
    fn arriving(&self) -> impl Iterator<Item = KernelSlot> {
        core::iter::successors(self.arriving.head, |&k| self.kdes[k].links.behind)
    }

    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config, now: Cycle) -> Result<(), ImageError> {
        let latest_arrival = now.after(config.deepest_prio().into()).after(config.lat_dispatch.into());
        while let Some((k, kde)) = r.next::<(KernelSlot, Kde)>()? {
            possible(u32::from(k.0) < config.n_kde && self.free >> k.0 & 1 == 1)?;
            let Shape { total, need } = kde.kernel.checked_shape(config)?;
            let kde = Kde { total, need, ..kde };
            possible(kde.restored <= kde.kernel.saved)?;
            possible(!kde.retain || (matches!(kde.kernel.source, Source::Hwq(_)) && kde.kernel.saved == 0))?;
            possible(kde.t0.is_some() == (kde.kernel.source == Source::Device && kde.kernel.next_native == 0))?;
            // dtbl-I7 and dtbl-A17. An entry without native work may have groups; they are seen when all is loaded.
            let is_laperm = config.laperm().is_some();
            let is_marked = |has_work: bool| kde.mark.map_or(kde.phase != Phase::Active, |m| m.first) == has_work;
            let has_native_work = kde.has_native_work() && kde.graph != Some(GraphState::Aborted);
            possible(if is_laperm { kde.mark.is_none() } else { is_marked(has_native_work) })?;
            check_graph(&kde, config)?;
            self.free &= !(1 << k.0);
            self.kdes[k] = kde;
            match (kde.phase, kde.mark) {
                (Phase::Arriving(at), None) => {
                    // Nothing of it is sent before it arrives.
                    possible(kde.restored == 0 && (kde.kernel.next_native == 0 || kde.kernel.saved > 0))?;
                    possible(at <= latest_arrival)?;
                    possible(self.arriving.tail.is_none_or(|last| self.arrives_at(last) <= at))?;
                    let (mut list, last) = (self.arriving, self.arriving.tail);
                    self.insert(&mut list, k, last);
                    self.arriving = list;
                }
                (Phase::Active, mark) => {
                    self.active |= 1 << k.0;
                    if let Some(Mark { first, cursor }) = mark {
                        self.mark(k, first);
                        self.kdes[k].mark = Some(Mark { first, cursor });
                    }
                }
                _ => return Err(ImageError::Content),
            }
        }
        Ok(())
    }

    /// Kernels in entries.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        self.arriving().chain(self.active()).map(|k| &self.kdes[k].kernel)
    }
}

/// A kernel with a dependency graph is the host's, was never suspended, and is not to stay; its state follows its entry's.
fn check_graph(kde: &Kde, config: &Config) -> Result<(), ImageError> {
    let Some(graph) = kde.graph else { return Ok(()) };
    possible(config.dats.is_some() && !kde.retain && kde.kernel.saved == 0)?;
    possible(matches!(kde.kernel.source, Source::Hwq(_)) && graph != GraphState::Finished)?;
    possible((graph == GraphState::Coming) == (kde.phase != Phase::Active))
}
