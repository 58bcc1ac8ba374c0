//! The occupancy-bubble machine in the same program.

use gpusched::power::{BubbleConfig, BubbleDvfs, InlineTables, Waiting, bubble_image_config, bubble_storage_bits};
use gpusched::{Cycle, SmxId, inline_bubble_tables, Resources};

inline_bubble_tables! {
    /// Tables of the K20c.
    pub struct K20c = BubbleConfig::K20C;
}
type Gpu = BubbleDvfs<K20c>;

/// Builds a machine in place.
#[unsafe(no_mangle)]
pub extern "C" fn probe_bubble_new(out: &mut Option<Gpu>, config: &BubbleConfig) -> u64 {
    *out = Gpu::new(config).ok();
    bubble_storage_bits(config).total()
}

/// Makes every call.
#[unsafe(no_mangle)]
pub extern "C" fn probe_bubble_calls(
    gpu: &mut Gpu,
    now: u64,
    smx: u16,
    res: &Resources,
    waiting: Option<&Waiting>,
    activity: &[u16],
) -> u32 {
    let (now, smx) = (Cycle(now), SmxId(smx));
    let mut faults = 0;
    let mut count = |ok: bool| faults += u32::from(!ok);
    count(gpu.dispatched(now, smx, res).is_ok());
    count(gpu.completed(now, smx, res).is_ok());
    count(gpu.sample(now, waiting, Some(activity)).is_ok());
    count(gpu.sample(now, None, None).is_ok());
    count(gpu.account(now, Some(activity)).is_ok());
    faults
}

/// Asks every query.
#[unsafe(no_mangle)]
pub extern "C" fn probe_bubble_queries(gpu: &Gpu, smx: u16) -> u64 {
    let (controller, smx) = (gpu.controller(), SmxId(smx));
    let mut sum = controller.now().0 + controller.next_sample().map_or(0, |t| t.0) + controller.stats().samples;
    sum += controller.energy() as u64 + controller.energy_uncore() as u64 + controller.armed().words()[0];
    sum += u64::from(controller.registers().gpu) + gpu.eligible().words()[0] + u64::from(controller.config().smxs);
    sum += u64::from(controller.gpu().is_in_force()) + u64::from(controller.pstate(smx).is_some());
    sum += controller.smx(smx).map_or(0, |s| s.bubble) + gpu.ledger(smx).map_or(0, |l| l.resident.tbs.into());
    sum + u64::from(gpu == gpu)
}

/// Saves a machine and restores it in place.
#[unsafe(no_mangle)]
pub extern "C" fn probe_bubble_images(gpu: &Gpu, image: &mut [u8], out: &mut Option<Gpu>) -> u64 {
    let len = gpu.image_len() as u64 + gpu.save(image).map_or(0, |len| len as u64);
    *out = Gpu::restore(image, K20c::empty()).ok();
    len + bubble_image_config(image).map_or(0, |config| config.smxs.into())
}
