//! LaPerm's image. The form is described in `image.rs` of the crate.

use crate::base::image::{Form, ImageError, Reader, Writer, possible};
use crate::base::saved::{Saved, image_verbs, saved};
use crate::base::table::Rows;
use crate::policy::laperm::config::Config;
use crate::policy::laperm::kmu::{Kde, Kmu};
use crate::policy::laperm::list::{Entry, EntryId};
use crate::policy::laperm::queues::{Queues, Section, UnitQueue};
use crate::policy::laperm::tables::{TableSet, TableSizes, Tables};
use crate::policy::laperm::visit::{Backup, Visits};
use crate::policy::laperm::{LaPerm, Work};

const FORM: Form = Form { kind: 2, version: 3 };

image_verbs!(FORM, LaPerm<T>, Config, image_config);
saved!([T: Tables] LaPerm<T> { now, ticked, mask, free, visits, kmu, queues } but { config });
saved!([B: Rows<Backup>] Visits<B> { cur, backups });
saved!([K: Rows<Kde>] Kmu<K> { pointer, free_at, kdes, free });

/// Place by place, first on chip and then in memory, in the order in which they wait: so they are linked again.
impl<E, M, S, U> Saved for Queues<Work, E, M, S, U>
where
    E: Rows<Entry<Work>>,
    M: Rows<u64>,
    S: Rows<Section>,
    U: Rows<UnitQueue>,
{
    fn save(&self, w: &mut Writer<'_>) {
        for place in self.places() {
            w.list(self.on_chip(place));
            w.list(self.off_chip(place));
        }
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        for place in self.places() {
            for on_chip in [true, false] {
                while let Some((e, entry)) = r.next::<(EntryId, Entry<Work>)>()? {
                    possible(entry.unit == place && self.put_back(e, entry, on_chip))?;
                }
            }
        }
        Ok(())
    }
}
