//! Distributed shared memory: accesses to the shared memory of another TB of the cluster (refgpu-M16).
//!
//! Each SM has a port for what others ask of it. The answer takes a fixed time from there; who comes while the port is busy waits.

use crate::config::GpuConfig;

/// An access that leaves an SM.
#[derive(Clone, Copy, Debug)]
pub struct RemoteAccess {
    /// The SM that asks.
    pub sm: u16,
    /// Its warp slot.
    pub warp: u8,
    /// The registers that wait; none for a store.
    pub regs: u32,
    /// The SM of the TB that is asked; `None`: the cluster has no such rank.
    pub target: Option<u16>,
    /// Bytes of all lanes, those of bank conflicts as often as they take turns.
    pub bytes: u32,
}

/// The ports of all SMs.
#[derive(Debug)]
pub struct Remote {
    latency: u64,
    bytes_per_cycle: u32,
    /// The first core cycle in which each port is free.
    free: Vec<u64>,
}

impl Remote {
    /// Idle ports.
    pub fn new(config: &GpuConfig) -> Self {
        let dsm = &config.dsm;
        Self {
            latency: dsm.latency.into(),
            bytes_per_cycle: dsm.bytes_per_cycle,
            free: vec![0; config.sm.count as usize],
        }
    }

    /// An access to SM `target` leaves in core cycle `now`. The cycle in which its answer is there.
    pub fn carry(&mut self, now: u64, target: u16, bytes: u32) -> u64 {
        let takes = u64::from(bytes.div_ceil(self.bytes_per_cycle).max(1));
        let free = &mut self.free[usize::from(target)];
        let start = now.max(*free);
        *free = start + takes;
        start + takes - 1 + self.latency
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_serves_one_after_the_other_and_ports_do_not_hinder_each_other() {
        let mut remote = Remote::new(&GpuConfig::preset("h100-sxm").unwrap());
        // 128 bytes take 8 cycles of 16.
        assert_eq!([remote.carry(0, 3, 128), remote.carry(0, 3, 128), remote.carry(0, 4, 4)], [187, 195, 180]);
        assert_eq!(remote.carry(100, 3, 16), 280);
    }
}
