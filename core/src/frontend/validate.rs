//! What holds of a front end's parts between two calls.

use crate::base::invariant::Violation;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    /// What holds between any two calls of the parts that have a sheet of their own: a bubble controller over the front end's residency,
    /// and a graph's buffer. What holds between the parts an image is asked as it is read.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        if let Some(bubble) = self.bubble.as_ref() {
            bubble.controller.validate(&self.board.residency)?;
        }
        self.graphs.as_ref().map_or(Ok(()), |graphs| graphs.dgb.validate())
    }
}
