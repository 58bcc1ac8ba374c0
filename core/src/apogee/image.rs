//! The image of an APOGEE machine. The form is described in `image.rs` of the crate; the index, the line filter and counts follow from
//! the rows and the queue.

use super::Apogee;
use super::config::ApogeeConfig;
use super::filter::FilterBits;
use super::prefetch_table::{Bucket, PrefetchTable};
use super::queue::{Queue, Run};
use super::row::Row;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError};
use crate::base::invariant::Violation;
use crate::base::saved::{image_verbs, saved};
use crate::base::table::Rows;

const FORM: Form = Form { kind: 13, version: 2 };

image_verbs!(FORM, Apogee<T>, ApogeeConfig, apogee_image_config, rebuild);
saved!([T: Tables] Apogee<T> { threads, now, table, last_loads, queue, unanswered } but { config, constants });
saved!([R: Rows<Row>, B: Rows<Bucket>] PrefetchTable<R, B> { rows } but { buckets, free, entries, of_buckets });
saved!([Q: Rows<Run>, F: Rows<FilterBits>, C: Rows<u16>] Queue<Q, F, C> { head, runs, ring } but {
    filter, counts, tail, pfq, room, warps, line_shift, merge
});

impl<T: Tables> Apogee<T> {
    fn rebuild(&mut self) -> Result<(), Violation> {
        self.validate_saved()?;
        let Self { table, queue, .. } = self;
        table.rebuild();
        queue.rebuild(|request| table.is_live(request.entry, request.generation));
        Ok(())
    }
}
