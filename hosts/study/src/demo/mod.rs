//! `gpusched demo`: a scheduler at work on an example that is small enough to be followed, one file each.

mod laperm;
mod wavefront;

pub use laperm::laperm;
pub use wavefront::wavefront;
