//! Short lists of small numbers in a configuration.

/// Up to `N` numbers below 256. An empty list says that nothing was chosen.
///
/// ```
/// use gpusched::policy::catalogue::List;
///
/// let order = List::<4>::new(&[2, 0, 1]).unwrap();
/// assert_eq!(order.numbers(), [2, 0, 1]);
/// assert_eq!(List::<4>::new(&[0; 5]), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "heapless::Vec<u8, N>", into = "heapless::Vec<u8, N>"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct List<const N: usize> {
    /// Those behind `len` are 0.
    numbers: [u8; N],
    len: u16,
}

impl<const N: usize> List<N> {
    /// No number.
    pub const EMPTY: Self = Self { numbers: [0; N], len: 0 };

    /// These numbers; `None` if they are more than `N`.
    #[must_use]
    pub fn new(numbers: &[u8]) -> Option<Self> {
        let mut list = Self { len: u16::try_from(numbers.len()).ok()?, ..Self::EMPTY };
        list.numbers.get_mut(..numbers.len())?.copy_from_slice(numbers);
        Some(list)
    }

    /// The numbers.
    #[must_use]
    pub fn numbers(&self) -> &[u8] {
        self.numbers.get(..self.len.into()).unwrap_or_default()
    }

    /// The number at a place.
    #[must_use]
    pub fn get(&self, at: usize) -> Option<u8> {
        self.numbers().get(at).copied()
    }

    /// How many groups these numbers from 0 on name; of `n` members in groups of `each`, if the list is empty.
    pub(super) const fn numbered(&self, n: u32, each: u32) -> u32 {
        let (mut most, mut rest) = (0, self.numbers.as_slice());
        while let [number, others @ ..] = rest {
            most = if *number > most { *number } else { most };
            rest = others;
        }
        if self.is_empty() { n.div_ceil(each) } else { most as u32 + 1 }
    }

    /// Whether nothing was chosen.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<const N: usize> Default for List<N> {
    fn default() -> Self {
        Self::EMPTY
    }
}

#[cfg(feature = "serde")]
impl<const N: usize> TryFrom<heapless::Vec<u8, N>> for List<N> {
    type Error = &'static str;

    fn try_from(list: heapless::Vec<u8, N>) -> Result<Self, Self::Error> {
        Self::new(&list).ok_or("the list is too long")
    }
}

#[cfg(feature = "serde")]
impl<const N: usize> From<List<N>> for heapless::Vec<u8, N> {
    fn from(list: List<N>) -> Self {
        // There are at most N.
        heapless::Vec::from_slice(list.numbers()).unwrap_or_default()
    }
}
