//! A program without `std` and without an allocator that uses the whole front end, so that all of it is compiled in.
//! Built by the test beside it.
#![no_std]
#![allow(improper_ctypes_definitions)]

mod bubble;

use gpusched::laperm::{self, LaPerm};
use gpusched::presets::{K20c, K20cLaPerm};
use gpusched::{
    ClassId, Config, Cycle, DecisionList, Descriptor, FrontEnd, GroupLaunch, HwqId, KernelSlot, RecordId, SlotId, SmxId,
    SmxSet, InlineTables, SuspId, UnitId, image_config, storage_bits, Resources};

type Gpu = FrontEnd<K20c>;
type Decisions = DecisionList<64>;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Builds a machine in place.
#[unsafe(no_mangle)]
pub extern "C" fn probe_new(out: &mut Option<Gpu>, config: &Config) -> u64 {
    *out = Gpu::new(config).ok();
    storage_bits(config).total()
}

/// Makes every call.
#[unsafe(no_mangle)]
pub extern "C" fn probe_calls(
    gpu: &mut Gpu,
    list: &mut Decisions,
    kernels: &[Descriptor],
    groups: &[GroupLaunch],
    id: u32,
) -> u32 {
    let (smx, slot, kde, class) = (SmxId(id as u16), SlotId(id as u8), KernelSlot(id as u8), ClassId(id as u8));
    let mut faults = 0;
    let mut count = |ok: bool| faults += u32::from(!ok);
    if let Some(kernel) = kernels.first() {
        count(gpu.host_launch(id, kernel, id % 2 == 0).is_ok());
        count(gpu.eligible_kernel(kernel).is_some());
    }
    count(gpu.device_launch(smx, slot, kernels).is_ok());
    count(gpu.agg_launch(smx, slot, groups).is_ok());
    count(gpu.tb_done(smx, slot, list).is_ok());
    count(gpu.unretain(kde, list).is_ok());
    count(gpu.suspend(kde, list).is_ok());
    count(gpu.resume(SuspId(id as u8)).is_ok());
    count(gpu.spill_loaded(RecordId(id)).is_ok());
    count(gpu.set_eligible(SmxSet::first(id)).is_ok());
    count(gpu.set_block_cap(smx, id).is_ok());
    count(gpu.set_class(class, id.into()).is_ok());
    count(gpu.set_class_cap(class, smx, id, id).is_ok());
    count(gpu.activity(&[]).is_ok());
    count(gpu.tick(list).is_ok());
    count(gpu.run(id.into(), list).is_ok());
    faults
}

/// Asks every query.
#[unsafe(no_mangle)]
pub extern "C" fn probe_queries(gpu: &Gpu, id: u32) -> u64 {
    let (smx, class) = (SmxId(id as u16), ClassId(id as u8));
    let mut sum = gpu.now().0 + gpu.stats().tbs + u64::from(gpu.rr().0) + u64::from(gpu.is_idle());
    sum += gpu.status() as u64 + gpu.next_event().map_or(0, |t| t.0) + u64::from(gpu.resident_warps());
    sum += gpu.smx(smx).map_or(0, |s| s.slots) + u64::from(gpu.tb(smx, SlotId(id as u8)).is_some());
    sum += gpu.resident_tbs().count() as u64 + gpu.kdes().count() as u64 + gpu.fcfs().count() as u64;
    sum += gpu.agt().count() as u64 + gpu.spilled().count() as u64 + u64::from(gpu.records_in_use());
    sum += u64::from(gpu.group(RecordId(id)).is_some()) + u64::from(gpu.group_location(RecordId(id)).is_some());
    sum += gpu.hwq(HwqId(id as u8)).map_or(0, |q| q.len.into()) + u64::from(gpu.suspended(SuspId(id as u8)).is_some());
    sum += gpu.block_cap(smx).map_or(0, u64::from) + gpu.class_pc(class).unwrap_or(0) + gpu.eligible().words()[0];
    sum += gpu.kde_view(KernelSlot(id as u8)).map_or(0, |e| e.tag) + gpu.record_view(RecordId(id)).map_or(0, |r| r.tag);
    sum += gpu.suspended_view(SuspId(id as u8)).map_or(0, |s| s.tag) + gpu.load_buffer().count() as u64;
    sum += gpu.laperm_queue(None).map_or(0, Iterator::count) as u64 + gpu.next_sample().map_or(0, |at| at.0);
    sum += gpu.laperm_overflow(UnitId(id as u16)).map_or(0, Iterator::count) as u64;
    sum += gpu.class_cap(class, smx).map_or(0, |c| c.cap.into()) + u64::from(gpu.has_work(class).is_ok());
    sum + u64::from(gpu.waiting_head(id).is_ok()) + u64::from(gpu == gpu)
}

/// Saves a machine and restores it in place.
#[unsafe(no_mangle)]
pub extern "C" fn probe_images(gpu: &Gpu, image: &mut [u8], out: &mut Option<Gpu>) -> u64 {
    let len = gpu.image_len() as u64 + gpu.save(image).map_or(0, |len| len as u64);
    *out = Gpu::restore(image, K20c::empty()).ok();
    len + image_config(image).map_or(0, |config| config.n_smx.into())
}

/// Does everything that LaPerm alone can do.
#[unsafe(no_mangle)]
pub extern "C" fn probe_laperm(
    out: &mut Option<LaPerm<K20cLaPerm>>,
    config: &laperm::Config,
    image: &mut [u8],
    res: Resources,
    id: u32,
) -> u64 {
    use laperm::InlineTables;
    let (now, smx, unit, kde) = (Cycle(id.into()), SmxId(id as u16), UnitId(id as u16), KernelSlot(id as u8));
    *out = LaPerm::new(config).ok();
    let mut sum = laperm::storage_bits(config).on_chip();
    let Some(m) = out else { return sum };
    let mut count = |ok: bool| sum += u64::from(ok);
    count(m.push_host(now, now.0, id, res).is_ok());
    count(m.push_child(now, now.0, id, res, smx, id as u8).is_ok());
    count(m.kmu_tick(now).is_ok());
    count(m.tick(now).is_ok());
    count(m.tb_done(now, smx, res, Some(kde)).is_ok());
    count(m.set_mask(now, smx, id % 2 == 0).is_ok());
    count(m.waiting_head(now, unit).is_ok());
    count(m.is_idle() && m.next_event().is_none() && m.now() == now && m.cur() == smx && m.config() == config);
    count(m.free(smx).is_some() && m.mask().contains(smx) && m.kde(kde).is_some() && m.backup(smx).is_some());
    sum += m.queue(Some(unit)).into_iter().flatten().count() as u64 + m.off_chip(None).into_iter().flatten().count() as u64 + u64::from(m.pool_free());
    sum += u64::from(m.kmu_pointer().0) + m.kmu_free_at().0 + m.image_len() as u64;
    sum += m.save(image).map_or(0, |len| len as u64);
    let copy = LaPerm::restore(image, K20cLaPerm::empty()).ok();
    sum + u64::from(copy == *out) + laperm::image_config(image).map_or(0, |config| config.smxs.into())
}
