//! What a front end tells, in a defmt log: launches, dispatches and orders for P-states at level info, the rest at debug.

use gpusched::power::{Resume, ResumeKind, Sample};
use gpusched::{Cycle, Decision, Fault, Probe};
use gpusched_board::{exit, stack};

use crate::{Gpu, TBS};

/// Writes them down.
#[derive(Clone, Copy, Debug)]
pub struct Log;

impl Probe for Log {
    fn decide(&mut self, at: Cycle, decision: Decision) {
        match decision {
            Decision::Tb(tb) => defmt::info!(
                "{=u64}: TB {=u32} of {=u64} -> SMX {=u16}, slot {=u8}",
                at.0,
                tb.blkid,
                tb.tag,
                tb.smx.0,
                tb.slot.0
            ),
            Decision::Issue { .. } | Decision::Arrive { .. } | Decision::Join { .. } => {
                defmt::info!("{=u64}: {}", at.0, decision);
            }
            _ => defmt::debug!("{=u64}: {}", at.0, decision),
        }
    }

    fn sample(&mut self, at: Cycle, record: &Sample) {
        defmt::debug!("{=u64}: {}", at.0, record);
        let [low, ..] = record.down.words();
        if low != 0 {
            defmt::info!("{=u64}: order: P-state low for SMXs {=u64:#x}", at.0, low);
        }
        if let Some(Resume { kind: ResumeKind::Up, smx }) = record.resume {
            defmt::info!("{=u64}: order: P-state high for SMX {=u16}", at.0, smx.0);
        }
        if let Some(start) = record.gpu_start {
            defmt::info!("{=u64}: order: GPU {}", at.0, start);
        }
    }
}

/// Writes the last lines, and ends the program: with 0 if every TB of the kernel and its groups has run.
pub fn finish(name: &str, outcome: Result<&Gpu, Fault>) -> ! {
    let stats = match outcome {
        Ok(gpu) => gpu.stats(),
        Err(fault) => {
            defmt::error!("refused: {}", fault);
            exit(1)
        }
    };
    defmt::info!("end of {=str}: {=u64} cycles, {=u64} TBs", name, stats.ticks, stats.tbs);
    defmt::info!("stack: {=usize} bytes", stack::high_water());
    exit(i32::from(stats.tbs != TBS))
}
