//! How much of a kernel to run, so that what a policy does to the number of blocks can show: a grid that fills every SM several times.

use gpusched::Descriptor;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::program::Workload;
use gpusched_workloads::SetupError;
use gpusched_workloads::catalogue::{Entry, Request};

/// Times the usual work at most.
const MOST: u32 = 64;

/// So many times the usual work that the kernel's first grid fills the machine `waves` times.
///
/// # Errors
/// What the kernel refuses.
pub fn filling(entry: &Entry, gpu: &GpuConfig, waves: u32) -> Result<u32, SetupError> {
    let first = entry.kernel(Request::default())?.next_kernel();
    Ok(first.map_or(1, |kernel| {
        let at_a_time = blocks(&kernel, gpu) * u64::from(gpu.sm.count);
        (at_a_time * u64::from(waves)).div_ceil(volume(kernel.grid)).clamp(1, MOST.into()) as u32
    }))
}

/// TBs that an SM holds.
fn blocks(kernel: &Descriptor, gpu: &GpuConfig) -> u64 {
    let of = |has: u32, needs: u32| u64::from(has.checked_div(needs).unwrap_or(u32::MAX));
    let threads = u32::try_from(volume(kernel.tb)).unwrap_or(u32::MAX);
    let sm = &gpu.sm;
    let limits = [
        u64::from(sm.tb_slots),
        of(sm.threads.min(32 * sm.warps), threads.next_multiple_of(32)),
        of(sm.registers, kernel.regs),
        of(sm.shared_bytes, kernel.smem),
    ];
    limits.into_iter().min().unwrap_or(0)
}

fn volume(extent: gpusched::Dim3) -> u64 {
    u64::from(extent.x) * u64::from(extent.y) * u64::from(extent.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched::Dim3;

    #[test]
    fn the_scarcest_resource_says_how_many_blocks_there_are() {
        let gpu = GpuConfig::preset("gtx480").unwrap();
        let kernel =
            |threads, regs, smem| Descriptor { tb: Dim3::linear(threads), regs, smem, ..Descriptor::default() };
        let of = |threads, regs, smem| blocks(&kernel(threads, regs, smem), &gpu);
        assert_eq!([of(32, 0, 0), of(512, 0, 0), of(192, 192 * 56, 0), of(128, 0, 16_384)], [8, 3, 3, 3]);
    }
}
