//! The seam at which somebody else than the front end decides which thread block (TB) goes to which SMX (sheet
//! [`policy`](crate::sheets)): what is offered, what is seen beside it, and what is answered.

pub mod offer;
