//! What an SM holds of a kernel.

use gpusched::Descriptor;

use super::GpuConfig;

impl GpuConfig {
    /// TBs of a kernel that an SM holds if it has no others.
    #[must_use]
    pub fn most_tbs(&self, kernel: &Descriptor) -> u32 {
        let sm = &self.sm;
        let threads = kernel.tb.x.saturating_mul(kernel.tb.y).saturating_mul(kernel.tb.z);
        let of = |has: u32, takes: u32| has.checked_div(takes).unwrap_or(u32::MAX);
        let by_resource = [
            of(sm.threads, threads),
            of(sm.warps, threads.div_ceil(32)),
            of(sm.registers, kernel.regs),
            of(sm.shared_bytes, kernel.smem),
        ];
        by_resource.into_iter().fold(sm.tb_slots, u32::min)
    }

    /// TBs of a kernel that the machine holds if it has no others: a wave of them.
    #[must_use]
    pub fn wave(&self, kernel: &Descriptor) -> u32 {
        self.sm.count * self.most_tbs(kernel)
    }

    /// refgpu-M15: the ways of L1 that the TBs of a kernel leave, as many of them as an SM holds; one at least.
    #[must_use]
    pub fn l1_ways(&self, kernel: &Descriptor) -> u32 {
        let l1 = &self.l1;
        if !l1.unified {
            return l1.ways;
        }
        let taken = u64::from(self.most_tbs(kernel)) * u64::from(kernel.smem);
        let ways = taken.div_ceil(u64::from(l1.sets * l1.line));
        l1.ways - ways.min(u64::from(l1.ways - 1)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::Dim3;

    #[test]
    fn l1_has_what_shared_memory_leaves() {
        let h100 = GpuConfig::preset("h100-sxm").unwrap();
        let ways = |gpu: &GpuConfig, threads, smem| {
            gpu.l1_ways(&Descriptor { tb: Dim3 { x: threads, y: 1, z: 1 }, smem, ..Descriptor::default() })
        };
        // 256 KB in ways of 8 KB: nothing taken; 2 TBs of 1024 threads with 20 KB each; 32 TBs with 7 KB each; one TB with all of 228 KB.
        assert_eq!(
            [(64, 0), (1024, 20 << 10), (64, 7 << 10), (1024, 228 << 10)].map(|(t, s)| ways(&h100, t, s)),
            [32, 27, 4, 3]
        );
        assert_eq!(ways(&GpuConfig::preset("k20c").unwrap(), 64, 48 << 10), 4, "an L1 of its own");
    }
}
