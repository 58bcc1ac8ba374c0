//! Machines whose images are stored, moved and forged.

use gpusched::mascar::{InlineTables, Kind, Lookup, Mascar, MascarConfig, Offsets, Request, WarpId};
use gpusched::{Cycle, ImageError, inline_mascar_tables};
use gpusched_tests::images::{Saved, assert_moves, image, valid};
use gpusched_tests::mascar::{HeapTables, LsuState, Machine, machine};

type Sm = Mascar<HeapTables>;

const CONFIG: MascarConfig =
    MascarConfig { warps: 6, rexq: 2, starve_limit: 2, owner_timeout: 3, ..MascarConfig::GTX480 };
inline_mascar_tables! {
    struct Small = CONFIG;
}
inline_mascar_tables! {
    struct Smaller = MascarConfig { rexq: 1, ..CONFIG };
}

fn request(w: u8) -> Request {
    let mut offs = Offsets::default();
    offs.set(usize::from(w), 0x55);
    Request { base: 0x1000 + u64::from(w), mask: 1 << w, offs }
}

/// Five warps go to memory, in EP mode and then in MP mode, and all are refused: owner and leftovers, a full queue, a blocked LSU.
fn blocked() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    for w in [4, 2, 0, 1, 3] {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    for t in 0..4 {
        let pick = sm.pick(Cycle(t), true, None).unwrap();
        for issue in &pick.issues {
            sm.lsu_begin(issue.warp, 1 + u32::from(t == 3), issue.warp.0.into()).unwrap();
            sm.lsu_next().unwrap();
            sm.lsu_reply(Lookup::Miss, false, Some(&request(issue.warp.0))).unwrap();
        }
        if t == 0 {
            sm.l1_state(0, 61, 2).unwrap();
        }
    }
    let view = sm.view();
    assert_eq!((view.lsu.state, view.rexq.len(), view.owner), (LsuState::Blocked, 2, Some(WarpId(2))));
    assert!(view.leftover != 0 && view.wst_stall != 0 && view.wst_mem != 0);
    sm
}

/// The same, a request of the queue presented.
pub fn presented() -> Sm {
    let mut sm = blocked();
    sm.lsu_next().unwrap();
    sm
}

/// EP mode: a busy LSU, a request that passed the queue, a barrier.
fn busy() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    for w in 0..4 {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    sm.pick(Cycle(7), true, None).unwrap();
    sm.lsu_begin(WarpId(0), 1, 127).unwrap();
    sm.lsu_next().unwrap();
    sm.lsu_reply(Lookup::Miss, false, Some(&request(0))).unwrap();
    sm.pick(Cycle(8), true, None).unwrap();
    let w = sm.lsu().warp().unwrap();
    sm.lsu_begin(w, 5, 3).unwrap();
    sm.lsu_next().unwrap();
    sm.set_head(WarpId(3), Kind::Sync, false, false).unwrap();
    sm
}

/// Nobody owns, and the one who owned too long may not.
fn barred() -> Sm {
    let mut sm = machine(&CONFIG).unwrap();
    sm.l1_state(0, 64, 0).unwrap();
    for w in 0..2 {
        sm.warp_start(WarpId(w)).unwrap();
        sm.set_head(WarpId(w), Kind::Mem, true, false).unwrap();
    }
    sm.pick(Cycle(0), true, None).unwrap();
    sm.lsu_begin(WarpId(0), 0, 0).unwrap();
    sm.pick(Cycle(3), false, None).unwrap();
    assert_eq!((sm.owner(), sm.state().barred), (None, Some(WarpId(0))));
    sm
}

pub fn others() -> Vec<Sm> {
    vec![blocked(), busy(), barred(), machine(&CONFIG).unwrap()]
}

#[test]
fn a_machine_moves_between_homes() {
    for sm in [others(), vec![presented()]].concat() {
        assert_moves(&sm, |image| Mascar::<Small>::restore(image, Small::empty()), |image| sm.restored(image));
    }
    let one_row = Mascar::<Smaller>::restore(&image(&presented()), Smaller::empty());
    assert!(matches!(one_row, Err(ImageError::Tables(small)) if (small.have, small.need) == (1, 2)));
}

/// Lets a machine do what there is to do: it keeps the invariants.
pub fn bears(mut sm: Sm) -> Result<(), String> {
    let config = *sm.config();
    valid(&sm, sm.validate())?;
    let now = sm.picked().map_or(0, |picked| picked.0.saturating_add(1));
    for t in now..now.saturating_add(40) {
        if let Ok(pick) = sm.pick(Cycle(t), true, None) {
            for issue in &pick.issues {
                let _ = sm.lsu_begin(issue.warp, 1, 1);
            }
        }
        let _ = sm.lsu_next();
        let _ = sm.lsu_reply(Lookup::Miss, t % 3 == 0, Some(&Request { mask: 1, ..Request::default() }));
        if t % 5 == 0 {
            let _ = sm.l1_state(0, if t % 10 == 0 { config.sources.caches()[0].mshr } else { 0 }, 0);
        }
        let w = WarpId((t % u64::from(config.warps)) as u8);
        let _ = sm.set_head(w, Kind::Mem, true, false);
        valid(&sm, sm.validate())?;
    }
    Ok(())
}
