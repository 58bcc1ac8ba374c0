//! Counts that add up: of several SMs, caches, channels.

/// What can be added up, field by field.
pub trait Adds {
    /// Adds another one's counts.
    fn adds(&mut self, other: &Self);
}

impl Adds for u64 {
    fn adds(&mut self, other: &Self) {
        *self += other;
    }
}

impl Adds for f64 {
    fn adds(&mut self, other: &Self) {
        *self += other;
    }
}

impl<T: Adds, const N: usize> Adds for [T; N] {
    fn adds(&mut self, other: &Self) {
        self.iter_mut().zip(other).for_each(|(sum, other)| sum.adds(other));
    }
}

/// A struct of counts, with `add` and the sum of several.
macro_rules! counts {
    ($(#[$about:meta])* pub struct $Name:ident { $($(#[$of:meta])* pub $field:ident: $Type:ty,)+ }) => {
        $(#[$about])*
        pub struct $Name { $($(#[$of])* pub $field: $Type,)+ }

        impl $Name {
            /// Adds another one's counts.
            pub fn add(&mut self, other: &Self) {
                $(crate::counts::Adds::adds(&mut self.$field, &other.$field);)+
            }
        }

        impl std::iter::Sum for $Name {
            fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
                all.fold(Self::default(), |mut sum, one| {
                    sum.add(&one);
                    sum
                })
            }
        }

        impl crate::counts::Adds for $Name {
            fn adds(&mut self, other: &Self) {
                self.add(other);
            }
        }
    };
}
