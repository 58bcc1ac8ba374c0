//! The image of an APOGEE machine. The form is described in `image.rs`; the index, the line filter and counts follow from the rows
//! and the queue.

use super::Apogee;
use super::NEVER;
use super::access::WarpId;
use super::answer::Request;
use super::config::ApogeeConfig;
use super::queue::Run;
use super::row::{LoadRow, Row, RowKind};
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::cycle::Cycle;
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};

const FORM: Form = Form { kind: 13, version: 1 };

image_verbs!(Apogee, ApogeeConfig, apogee_image_config);

impl<T: Tables> Apogee<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, constants: _, table, queue, last_loads, threads, now, unanswered } = self;
        w.put(config);
        w.put((threads, now));
        table.ids().for_each(|id| w.put(table.row(id)));
        (0..config.lals()).for_each(|i| w.put(last_loads[WarpId(i as u16)]));
        queue.save(w);
        w.put(unanswered);
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.threads, self.now) = r.get()?;
        possible((1..=u32::from(u16::MAX)).contains(&self.threads) && self.now.0 < NEVER)?;
        for id in self.table.ids() {
            let row: Row = r.get()?;
            self.check_row(&row)?;
            self.table.put(id, row);
        }
        for i in 0..self.config.lals() {
            let lal: Option<u32> = r.get()?;
            possible(lal.is_none_or(|pc| self.is_pc(pc)))?;
            self.last_loads[WarpId(i as u16)] = lal;
        }
        self.read_queue(r)?;
        self.unanswered = r.get()?;
        match self.unanswered {
            Some(request) => self.check_request(&request),
            None => Ok(()),
        }
    }

    fn read_queue(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let head = r.get()?;
        possible(self.queue.begin_at(head))?;
        let mut latest = Cycle::ZERO;
        while let Some(run) = r.next::<Run>()? {
            let Run { first, ready, count, falls } = run;
            self.check_request(&first)?;
            let way = u64::from(count.saturating_sub(1)) * u64::from(self.config.line_bytes);
            let last = if falls { first.line.checked_sub(way) } else { first.line.checked_add(way) };
            possible(last.is_some_and(|last| last >> self.config.addr_bits == 0) && u32::from(count) <= 64)?;
            possible(latest <= ready && ready <= self.ready())?;
            possible(self.queue.restore(&run))?;
            if self.table.is_live(first.entry, first.generation) {
                self.queue.count(first.entry, first.warp, count.into());
            }
            latest = ready;
        }
        // An empty queue starts at the first place.
        possible(self.queue.len() > 0 || head == 0)
    }

    fn is_pc(&self, pc: u32) -> bool {
        u64::from(pc) >> self.config.pc_bits == 0
    }

    fn check_row(&self, row: &Row) -> Result<(), ImageError> {
        let &Row { kind, pc, address, confidence, states, generation, .. } = row;
        let free = Row { generation, ..Row::default() };
        if row.is_free() {
            return possible(*row == free);
        }
        possible(self.is_pc(pc) && address >> self.config.addr_bits == 0 && states.fits(self.config.warps))?;
        possible(u32::from(confidence) <= self.config.max_confidence())?;
        match kind {
            RowKind::Free => Ok(()),
            RowKind::Trigger { target, .. } => {
                possible(self.is_pc(target) && target != pc && self.table.trigger_of(target).is_none())
            }
            RowKind::Load(load) => {
                possible(self.table.load_of(pc).is_none())?;
                self.check_load_row(&load, confidence)
            }
        }
    }

    fn check_load_row(&self, load: &LoadRow, confidence: u16) -> Result<(), ImageError> {
        let config = &self.config;
        let LoadRow { offset, thread, distance } = *load;
        possible((config.min_distance..=config.max_distance()).contains(&distance.into()))?;
        let scalar = offset == Some(0) && u32::from(thread) == config.scalar();
        possible(u32::from(thread) < config.warp_size || scalar)?;
        match offset {
            None => possible(confidence == 0),
            Some(offset) => possible(config.has_offset(offset.into())),
        }
    }

    fn check_request(&self, request: &Request) -> Result<(), ImageError> {
        let &Request { line, entry, generation, warp, .. } = request;
        possible(self.table.exists(entry) && u32::from(warp) < self.config.warps)?;
        // A row asks, and is displaced later.
        possible(self.table.row(entry).generation.wrapping_sub(generation) <= u32::MAX / 2)?;
        possible(line >> self.config.addr_bits == 0 && line.is_multiple_of(self.config.line_bytes.into()))
    }
}
