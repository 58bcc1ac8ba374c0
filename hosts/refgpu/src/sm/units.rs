//! Functional units of one kind: how many instructions they take, and how often.

/// The units of an SM, by what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Unit {
    /// Integer, branch, single precision; also barriers, exits and launch calls (refgpu-W4).
    Sp,
    /// Special functions.
    Sfu,
    /// Double precision.
    Dp,
    /// Memory: the LSU's latch.
    Lsu,
    /// The texture unit's latch.
    Texture,
}

impl Unit {
    /// Number of kinds.
    pub const COUNT: usize = 5;
}

/// Units of one kind. Each takes an instruction, then none for some cycles.
#[derive(Clone, Debug)]
pub struct Units {
    free_at: Vec<u64>,
    /// So many units that they can never run out.
    plenty: bool,
}

impl Units {
    /// `count` units for at most `issues` instructions per cycle, each of which takes its unit for `longest` cycles at most.
    pub fn new(count: u32, longest: u32, issues: u32) -> Self {
        Self { free_at: vec![0; count as usize], plenty: longest == 1 && count >= issues }
    }

    /// Whether a unit can take an instruction.
    #[inline]
    pub fn available(&self, now: u64) -> bool {
        self.plenty || self.free_at.iter().any(|&t| t <= now)
    }

    /// Instructions that units can take now.
    pub fn places(&self, now: u64) -> usize {
        if self.plenty { usize::MAX } else { self.free_at.iter().filter(|&&t| t <= now).count() }
    }

    /// Gives an instruction to a free unit, which takes the next one `interval` cycles later.
    #[inline]
    pub fn take(&mut self, now: u64, interval: u32) {
        if self.plenty {
            return;
        }
        if let Some(unit) = self.free_at.iter_mut().find(|t| **t <= now) {
            *unit = now + u64::from(interval);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_unit_takes_an_instruction_per_interval() {
        let mut units = Units::new(2, 4, 2);
        let mut taken = Vec::new();
        for now in 0..6 {
            while units.available(now) {
                units.take(now, 4);
                taken.push(now);
            }
        }
        assert_eq!(taken, [0, 0, 4, 4]);
        assert!(Units::new(2, 1, 2).plenty && !Units::new(1, 1, 2).plenty);
    }
}
