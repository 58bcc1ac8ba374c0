//! Changes over time, of which the first ones are kept.

/// The first `MOST` changes.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Changes<T, const MOST: usize> {
    /// The changes, in order of time.
    pub changes: Vec<T>,
    /// Later ones, which there was no room for.
    pub dropped: u64,
}

impl<T, const MOST: usize> Default for Changes<T, MOST> {
    fn default() -> Self {
        Self { changes: Vec::new(), dropped: 0 }
    }
}

impl<T, const MOST: usize> Changes<T, MOST> {
    pub(crate) fn add(&mut self, change: T) {
        if self.changes.len() < MOST {
            self.changes.push(change);
        } else {
            self.dropped += 1;
        }
    }
}
