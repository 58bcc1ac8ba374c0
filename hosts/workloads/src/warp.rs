//! What the program of any warp needs: its head instruction, and the forms in which the sheet's lists are written.

use gpusched_refgpu::program::{Class, Inst, Regs};

/// Carries a value along a run of arithmetic instructions, each of which reads what the one before wrote. Holds the run's
/// last value if it ends in a branch. Programs number their own registers from 1.
pub const CHAIN: Regs = 1;
/// The same, for the second of two runs side by side.
const SIDE: Regs = 1 << 30;

/// The register of this number, from 0, of a set of neighbours: for values that are loaded one after the other, of which no load waits
/// for another one (workloads-W3).
pub const fn one_of(set: Regs, number: usize) -> Regs {
    1 << (set.trailing_zeros() + number as u32)
}

/// The head of a warp, and the rest of the run of arithmetic instructions that it stands in.
#[derive(Clone, Debug)]
pub struct Head {
    inst: Inst,
    left: u32,
    /// What carries the value of the run that is next, and of the one after: the same, but for two side by side.
    chains: [Regs; 2],
    /// What the run that is next starts from, if it has not yet.
    start: Option<Regs>,
    last_dst: Regs,
    last_diverges: bool,
}

impl Default for Head {
    fn default() -> Self {
        Self {
            inst: Inst { class: Class::Exit, mask: 0, src: 0, dst: 0, diverges: false, pc: 0 },
            left: 0,
            chains: [CHAIN; 2],
            start: None,
            last_dst: 0,
            last_diverges: false,
        }
    }
}

impl Head {
    pub const fn inst(&self) -> Inst {
        self.inst
    }

    /// Moves to the next instruction of the run. False at its end: the program says what comes next.
    pub const fn advance(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        let [this, next] = self.chains;
        self.inst.src = if let Some(start) = self.start.take() { start } else { this };
        self.inst.dst = this;
        self.chains = [next, this];
        if self.left == 0 {
            self.inst.src |= this | next;
            self.inst.dst = self.last_dst;
            self.inst.diverges = self.last_diverges;
        }
        true
    }

    /// What is set next stands here in the program.
    pub const fn locate(&mut self, pc: u32) {
        self.inst.pc = pc;
    }

    /// One instruction that is not of a run.
    pub const fn set(&mut self, class: Class, mask: u32, src: Regs, dst: Regs) {
        self.inst = Inst { class, mask, src, dst, diverges: false, pc: self.inst.pc };
        self.left = 0;
    }

    /// `I count`: a run that starts from `src` and leaves its result in `dst`.
    pub const fn integers(&mut self, count: u32, mask: u32, src: Regs, dst: Regs) {
        self.run(Class::Int, count, mask, src, dst);
    }

    /// A run of one class, `I count` or `F count`.
    pub const fn run(&mut self, class: Class, count: u32, mask: u32, src: Regs, dst: Regs) {
        self.set(class, mask, src, CHAIN);
        self.left = count - 1;
        (self.chains, self.start) = ([CHAIN; 2], None);
        self.last_dst = dst;
        self.last_diverges = false;
        if count == 1 {
            self.inst.dst = dst;
        }
    }

    /// The same as two runs side by side, in turn, that the last instruction brings together.
    pub const fn two_runs(&mut self, class: Class, count: u32, mask: u32, src: Regs, dst: Regs) {
        self.run(class, count, mask, src, dst);
        (self.chains, self.start) = ([SIDE, CHAIN], Some(src));
    }

    /// `I count` ending in a branch: the lanes of `mask` outside `on` jump away from those in `on`.
    pub const fn branch(&mut self, count: u32, mask: u32, on: u32, src: Regs) {
        self.integers(count, mask, src, if count == 1 { CHAIN } else { 0 });
        self.last_diverges = on != 0 && on != self.inst.mask;
        if self.left == 0 {
            self.inst.diverges = self.last_diverges;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_a_chain_from_source_to_destination() {
        let mut head = Head::default();
        head.integers(3, 7, 2, 4);
        let mut seen = vec![head.inst()];
        while head.advance() {
            seen.push(head.inst());
        }
        let registers: Vec<_> = seen.iter().map(|inst| (inst.src, inst.dst)).collect();
        assert_eq!(registers, [(2, CHAIN), (CHAIN, CHAIN), (CHAIN, 4)]);
        assert!(seen.iter().all(|inst| inst.mask == 7 && !inst.diverges));
    }

    #[test]
    fn two_runs_stand_side_by_side_and_meet_at_their_end() {
        let mut head = Head::default();
        head.two_runs(Class::Fp, 5, 7, 2, 4);
        let mut seen = vec![head.inst()];
        while head.advance() {
            seen.push(head.inst());
        }
        let registers: Vec<_> = seen.iter().map(|inst| (inst.src, inst.dst)).collect();
        assert_eq!(registers, [(2, CHAIN), (2, SIDE), (CHAIN, CHAIN), (SIDE, SIDE), (CHAIN | SIDE, 4)]);
        head.two_runs(Class::Fp, 1, 7, 2, 4);
        assert_eq!((head.inst().dst, head.advance()), (4, false));
        head.integers(2, 7, 2, 4);
        assert!(head.advance());
        assert_eq!((head.inst().src, head.inst().dst), (CHAIN, 4), "a run after two is one again");
    }

    #[test]
    fn only_the_last_of_a_branch_diverges_and_only_if_lanes_part() {
        for (on, parts) in [(0, false), (7, false), (5, true)] {
            let mut head = Head::default();
            head.branch(2, 7, on, 2);
            assert!(!head.inst().diverges);
            assert!(head.advance());
            assert_eq!(head.inst().diverges, parts);
            assert!(!head.advance());
        }
    }
}
