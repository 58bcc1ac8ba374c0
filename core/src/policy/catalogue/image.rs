//! The image of a policy. The form is described in `image.rs` of the crate.

use super::Catalogue;
use super::config::CatalogueConfig;
use super::tables::{TableSet, TableSizes, Tables};
use crate::base::image::{Form, ImageError};
use crate::base::saved::{image_verbs, saved};

const FORM: Form = Form { kind: 22, version: 1 };

image_verbs!(FORM, Catalogue<T>, CatalogueConfig, catalogue_image_config);
saved!([T: Tables] Catalogue<T> {
    rr, turn, fresh, x, moved, pointers, homes, rates, paces, splits, counts, ranges, owners, deficits
} but { config });
