//! The image of an occupancy-bubble machine. The form is described in `image.rs` of the crate; rates follow from the configuration.

use super::BubbleDvfs;
use super::config::BubbleConfig;
use super::controller::BubbleController;
use super::ledger::{OwnLedger, SmxLedger};
use super::registers::SmxPower;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError, Reader, Writer};
use crate::base::saved::{Saved, image_verbs, saved};
use crate::base::table::Rows;

const FORM: Form = Form { kind: 3, version: 2 };

image_verbs!(FORM, BubbleDvfs<T>, BubbleConfig, bubble_image_config);
saved!([T: Tables] BubbleDvfs<T> { ledger, controller });
saved!([S: Rows<SmxLedger>] OwnLedger<S> { smxs });
saved!([S: Rows<SmxPower>] BubbleController<S> {
    now, sampled, accounted, gpu, energy_uncore, stats, smxs
} but { config, rates });

impl<T: Tables> BubbleDvfs<T> {
    fn config(&self) -> &BubbleConfig {
        self.controller.config()
    }
}

impl<S: Rows<SmxPower>> BubbleController<S> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        Saved::save(self, w);
    }

    /// Loads the state into a fresh controller, which its owner validates over the ledger.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        Saved::load(self, r)
    }
}
