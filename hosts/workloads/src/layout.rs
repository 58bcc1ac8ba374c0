//! Where arrays lie (workloads-W4): from 2^32 upward, in the order listed, each on a 256-byte boundary.

use super::SetupError;

const START: u64 = 1 << 32;
const END: u64 = 1 << 40;
const ALIGNMENT: u64 = 256;

/// Hands out addresses.
#[derive(Clone, Debug)]
pub struct Layout {
    next: u64,
}

/// An array in the machine's memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Array {
    base: u64,
    /// Bytes from one element to the next.
    stride: u64,
}

impl Default for Layout {
    fn default() -> Self {
        Self { next: START }
    }
}

impl Layout {
    /// The next array, of `len` elements of `stride` bytes.
    ///
    /// # Errors
    /// [`SetupError::TooBig`] if it would end beyond 2^40.
    pub fn array(&mut self, len: u64, stride: u64) -> Result<Array, SetupError> {
        let base = self.next;
        let end = len.saturating_mul(stride).saturating_add(base);
        if end > END {
            return Err(SetupError::TooBig { bytes: end - START });
        }
        self.next = end.next_multiple_of(ALIGNMENT);
        Ok(Array { base, stride })
    }

    /// The next array starts on a multiple of `boundary`, a power of two.
    pub const fn align(&mut self, boundary: u64) {
        self.next = self.next.next_multiple_of(boundary);
    }

    /// An array of words.
    ///
    /// # Errors
    /// As [`array`](Self::array).
    pub fn words(&mut self, len: u64) -> Result<Array, SetupError> {
        self.array(len, 4)
    }
}

impl Array {
    /// Address of an element.
    #[must_use]
    pub const fn at(self, index: u32) -> u64 {
        self.base + index as u64 * self.stride
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_follow_each_other_on_boundaries() {
        let mut layout = Layout::default();
        assert_eq!(layout.words(65).unwrap().at(0), 1 << 32);
        let second = layout.array(1, 16).unwrap();
        assert_eq!(second.at(0), (1 << 32) + 512);
        assert_eq!(layout.words(0).unwrap().at(3), (1 << 32) + 768 + 12);
        layout.align(1024);
        assert_eq!(layout.words(1).unwrap().at(0), (1 << 32) + 1024);
    }

    #[test]
    fn the_last_byte_may_be_the_last_address() {
        let room = END - START;
        assert!(Layout::default().array(room, 1).is_ok());
        let bytes = room + 1;
        assert_eq!(Layout::default().array(bytes, 1), Err(SetupError::TooBig { bytes }));
        assert!(Layout::default().array(u64::MAX, 4).is_err());
    }
}
