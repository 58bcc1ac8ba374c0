//! The image of a front end with its policy: that of the front end, and behind it what the policy makes of itself with serde.

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{Decided, Refused};
use crate::base::error::Fault;
use crate::base::image::{Form, ImageError, Writer, possible};
use crate::base::saved::Saved;
use crate::config::Config;
use crate::config::parts::expect_told;
use crate::frontend::FrontEnd;
use crate::frontend::image::FORM as FRONT;
use crate::frontend::tables::{TableSet, TableSizes, Tables};
use crate::policy::seam::policy::Policy;

const FORM: Form = Form { kind: 23, version: FRONT.version };

/// The configuration of the front end in an image of a [`Decided`], so that tables can be sized for it.
///
/// # Errors
/// All but `MidCycle`, `TooSmall` and `Tables`.
pub fn decided_image_config(image: &[u8]) -> Result<Config, ImageError> {
    FORM.open(image)?.config(Config::check)
}

impl<T: Tables, P: Policy + Serialize + DeserializeOwned> Decided<T, P> {
    fn write(&self, w: &mut Writer<'_>) {
        let Self { front, policy, wake, refused: Refused { count, last } } = self;
        w.machine(front.config(), front);
        w.put((policy, wake, count, last.map(Fault::code)));
    }

    /// Bytes that [`Decided::save`] writes now. It takes as long as saving.
    #[must_use]
    pub fn image_len(&self) -> usize {
        FORM.write(&mut [], |w| self.write(w))
    }

    /// Writes an image of the machine into `out`, and says how many bytes it takes. It is none of a front end alone.
    ///
    /// # Errors
    /// `MidCycle`; `TooSmall`: what `out` holds then is no image.
    pub fn save(&self, out: &mut [u8]) -> Result<usize, ImageError> {
        self.front.may_save()?;
        FORM.save(out, |w| self.write(w))
    }

    /// A machine that goes on exactly where the saved one stood, on these tables. Of the policy it is known that serde accepts it; what
    /// else must hold of its state is its own to check.
    ///
    /// # Errors
    /// All but `MidCycle` and `TooSmall`.
    pub fn restore(image: &[u8], tables: TableSet<T>) -> Result<Self, ImageError> {
        let mut r = FORM.open(image)?;
        let config = r.config(Config::check)?;
        possible(expect_told(&config).is_ok())?;
        if let Some(small) = tables.shortage(&TableSizes::of(&config)) {
            return Err(ImageError::Tables(small));
        }
        let mut front = FrontEnd::empty(&config, tables);
        Saved::load(&mut front, &mut r)?;
        let (policy, wake, count, code) = r.get::<(P, _, u64, Option<u32>)>()?;
        r.finish()?;
        front.validate()?;
        let fault = |code| Fault::ALL.iter().copied().find(|fault| fault.code() == code).ok_or(ImageError::Content);
        Ok(Self { front, policy, wake, refused: Refused { count, last: code.map(fault).transpose()? } })
    }
}
