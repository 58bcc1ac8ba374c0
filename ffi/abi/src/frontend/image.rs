//! Saved images.
