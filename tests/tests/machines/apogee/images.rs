//! A machine whose image is stored, moved and forged.

use gpusched::apogee::{Access, Apogee, ApogeeConfig, InlineTables, Lanes, RowId, Verdict, WarpId};
use gpusched::{Cycle, ImageError, inline_apogee_tables};
use gpusched_tests::apogee::{Event, Form, HeapTables, Load, Machine, machine};
use gpusched_tests::images::{Saved, assert_moves, image, valid};

type Sm = Apogee<HeapTables>;

const CONFIG: ApogeeConfig =
    ApogeeConfig { entries: 6, warps: 2, warp_size: 8, threads: 16, pfq: 8, ..ApogeeConfig::APOGEE_4 };
inline_apogee_tables! {
    struct Small = CONFIG;
}
inline_apogee_tables! {
    struct Smaller = ApogeeConfig { entries: 5, ..CONFIG };
}

fn load(sm: &mut Sm, now: u64, pc: u64, warp: u16, base: u64, step: i64) {
    let addresses: Vec<_> = (0..8).map(|lane| base.wrapping_add_signed(step * lane)).collect();
    let lanes = Lanes::Dense { mask: 0xff, addresses: &addresses };
    sm.load(Cycle(now), &Access { pc, warp: WarpId(warp), verdict: Verdict::Absent, lanes }, &mut ()).unwrap();
}

/// A machine with a row of each kind, requests of several rows and one of a displaced one, the ring turned, and an answer owing.
pub fn busy() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    load(&mut sm, 100, 1, 0, 4096, 4);
    load(&mut sm, 110, 2, 1, 8192, -8);
    for _ in 0..2 {
        sm.pf_pop(Cycle(130)).unwrap().unwrap();
        sm.pf_reply(true).unwrap();
    }
    sm.pf_fill(RowId(0), 1, WarpId(0)).unwrap();
    load(&mut sm, 140, 3, 1, 1 << 20, 0);
    load(&mut sm, 150, 2, 1, 8192 - 128, -8);
    load(&mut sm, 160, 4, 0, 77, 1000);
    for pc in 5..8 {
        load(&mut sm, 170, pc, 0, 1 << (10 + pc), 8);
    }
    load(&mut sm, 180, 1, 0, 4096 + 64, 4);
    sm.pf_pop(Cycle(190)).unwrap().unwrap();
    sm.set_threads(24).unwrap();
    let view = sm.view();
    assert!(view.queue.len() > 4 && view.unanswered.is_some() && view.table.len() == 6, "{view:?}");
    sm
}

#[test]
fn a_machine_moves_between_homes() {
    for sm in [busy(), machine(&CONFIG).unwrap()] {
        assert_moves(&sm, |image| Apogee::<Small>::restore(image, Small::empty()), |image| sm.restored(image));
    }
    let five_rows = Apogee::<Smaller>::restore(&image(&busy()), Smaller::empty());
    assert!(matches!(five_rows, Err(ImageError::Tables(small)) if (small.have, small.need) == (5, 6)));
}

/// Whatever a forged machine is: it keeps the invariants, and it bears every call.
pub fn bears(mut sm: Sm) -> Result<(), String> {
    let config = *sm.config();
    valid(&sm, sm.validate())?;
    for i in 0..12_u64 {
        let now = Cycle(sm.now().0.saturating_add(i));
        for warp in 0..config.warps as u16 {
            let lanes = (0..config.warp_size as u8).map(|lane| (lane, 64 * i + u64::from(lane) * (i % 3))).collect();
            let load = Load {
                now,
                pc: i % 5,
                warp: WarpId(warp),
                result: Some(Verdict::Absent),
                lanes,
                form: Form::ALL[i as usize % 3],
            };
            let _ = sm.take(&Event::Load(load));
        }
        let _ = sm.take(&Event::PfReply { sent: i % 2 == 0 });
        if let Ok(Some(request)) = sm.pf_pop(now) {
            let _ = sm.pf_fill(request.entry, request.generation, request.warp);
        }
        valid(&sm, sm.validate())?;
    }
    let _ = sm.pf_reply(true);
    sm.flush().map(drop).map_err(|fault| fault.to_string())
}
