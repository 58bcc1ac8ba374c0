//! What an image holds of a machine, derived from what it holds of its fields; and the verbs of images, of every machine alike.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::base::id::Id;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::{Rows, Table};

/// What an image holds of a part of a machine: how it is written, and read back into a part that is fresh.
///
/// Plain values are what serde makes of them, fields that `serde(skip)` names left out; tables are their rows in use; what has both
/// is a [`saved!`].
pub(crate) trait Saved {
    fn save(&self, w: &mut Writer<'_>);
    /// Whether it can be saved as it stands.
    fn may_save(&self) -> Result<(), ImageError> {
        Ok(())
    }
    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError>;
}

impl<V: Serialize + DeserializeOwned> Saved for V {
    fn save(&self, w: &mut Writer<'_>) {
        w.put(self);
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        *self = r.get()?;
        Ok(())
    }
}

impl<I: Id, R: Saved + Default + PartialEq, S: Rows<R>> Saved for Table<I, R, S> {
    fn save(&self, w: &mut Writer<'_>) {
        save_rows(self.rows(), w);
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        load_rows(self.rows_mut(), r)
    }
}

/// Writes the rows in use, each behind its number.
pub(crate) fn save_rows<R: Saved + Default + PartialEq>(rows: &[R], w: &mut Writer<'_>) {
    let empty = R::default();
    for (i, row) in (0u32..).zip(rows).filter(|(_, row)| **row != empty) {
        w.put(Some(i));
        row.save(w);
    }
    w.put(None::<u32>);
}

/// Reads rows in use; all others become empty.
pub(crate) fn load_rows<R: Saved + Default>(rows: &mut [R], r: &mut Reader<'_>) -> Result<(), ImageError> {
    rows.fill_with(R::default);
    let mut end = 0;
    while let Some(i) = r.next::<u32>()? {
        possible(i >= end)?;
        rows.get_mut(i as usize).ok_or(ImageError::Content)?.load(r)?;
        end = i.saturating_add(1);
    }
    Ok(())
}

/// Makes a [`Saved`] of a type whose fields are. Every field is named once: those that an image holds, in the order in which
/// it does, and behind `but` those that it does not, because the configuration or the other fields say them.
macro_rules! saved {
    ([$($generics:tt)*] $Type:ty { $($field:ident),+ } $(but { $($computed:ident),+ })?) => {
        impl<$($generics)*> $crate::base::saved::Saved for $Type {
            fn save(&self, w: &mut $crate::base::image::Writer<'_>) {
                let Self { $($field,)+ $($($computed: _,)+)? } = self;
                $($crate::base::saved::Saved::save($field, w);)+
            }

            fn load(&mut self, r: &mut $crate::base::image::Reader<'_>) -> Result<(), ImageError> {
                let Self { $($field,)+ $($($computed: _,)+)? } = self;
                $($crate::base::saved::Saved::load($field, r)?;)+
                Ok(())
            }
        }
    };
}
pub(crate) use saved;

/// The verbs of images, the same for every machine. It is a [`Saved`] but for its configuration, and brings a form; `empty` that makes it
/// fresh on tables, or `new` if it is one plain value; `validate`; and where a part of it is computed, the method that does so.
macro_rules! image_verbs {
    ($FORM:ident, $Machine:ident<T>, $Config:ty, $image_config:ident $(, $rebuild:ident)?) => {
        image_verbs! { @config $FORM, $Config, $image_config, "The configuration of the machine in an image, so that tables can be \
            sized for it." }

        impl<T: Tables> $Machine<T> {
            image_verbs! { @save $FORM }

            /// A machine that goes on exactly where the saved one stood, on these tables. They may be of another home than that
            /// one's.
            ///
            /// # Errors
            /// All but `MidCycle` and `TooSmall`.
            pub fn restore(image: &[u8], tables: TableSet<T>) -> Result<Self, ImageError> {
                let mut r = $FORM.open(image)?;
                let config = r.config(<$Config>::check)?;
                if let Some(small) = tables.shortage(&TableSizes::of(&config)) {
                    return Err(ImageError::Tables(small));
                }
                let mut machine = Self::empty(&config, tables);
                image_verbs! { @load machine, r $(, $rebuild)? }
            }
        }
    };
    ($FORM:ident, $Machine:ident, $Config:ty, $image_config:ident $(, $rebuild:ident)?) => {
        image_verbs! { @config $FORM, $Config, $image_config, "The configuration of the machine in an image." }

        impl $Machine {
            image_verbs! { @save $FORM }

            /// A machine that goes on exactly where the saved one stood.
            ///
            /// # Errors
            /// All but `MidCycle`, `TooSmall` and `Tables`.
            pub fn restore(image: &[u8]) -> Result<Self, ImageError> {
                let mut r = $FORM.open(image)?;
                let config = r.config(<$Config>::check)?;
                let mut machine = Self::new(&config).map_err(|_| ImageError::Content)?;
                image_verbs! { @load machine, r $(, $rebuild)? }
            }
        }
    };
    (@config $FORM:ident, $Config:ty, $image_config:ident, $what:literal) => {
        #[doc = $what]
        /// Everything but the state itself has been checked then: form, length, checksum and ranges.
        ///
        /// # Errors
        /// All but `MidCycle`, `TooSmall` and `Tables`.
        pub fn $image_config(image: &[u8]) -> Result<$Config, ImageError> {
            $FORM.open(image)?.config(<$Config>::check)
        }
    };
    (@save $FORM:ident) => {
        /// Bytes that `save` writes now. It takes as long as saving.
        #[must_use]
        pub fn image_len(&self) -> usize {
            $FORM.write(&mut [], |w| w.machine(self.config(), self))
        }

        /// Writes an image of this machine into `out`, and says how many bytes it takes.
        ///
        /// # Errors
        /// `MidCycle`, of a front end alone; `TooSmall`: what `out` holds then is no image.
        pub fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
            $crate::base::saved::Saved::may_save(self)?;
            $FORM.save(out, |w| w.machine(self.config(), self))
        }
    };
    (@load $machine:ident, $r:ident $(, $rebuild:ident)?) => {{
        $crate::base::saved::Saved::load(&mut $machine, &mut $r)?;
        $r.finish()?;
        $($machine.$rebuild()?;)?
        $machine.validate()?;
        Ok($machine)
    }};
}
pub(crate) use image_verbs;
