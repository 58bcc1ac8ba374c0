//! The canonical way to the end (dtbl-I11): open every gate, end every TB, answer every load, give every graph up, unretain, resume,
//! and let time pass. How graphs come to their own end is the business of who has them in memory.

use gpusched::{
    DrainId, FrontEnd, Id, LoadView, OfferLoad, Phase, RecordId, SmxSet, State, SuspId, Tables, TbView, UnitId,
    UnitView,
};

use crate::events::Event;

/// Rounds after which a machine counts as stuck. A round ends all resident TBs and lets time pass until the next decision.
const ROUNDS: u32 = 20_000;

/// Cycles that pass at once where nothing is decided.
const MATURING: u64 = 1000;

/// Drains a machine. `call` makes each call; it may look at the answer, and stop the run.
///
/// # Errors
/// What `call` says, or what the machine still waits for when nothing brings it on.
pub fn drain<T: Tables>(
    gpu: &mut FrontEnd<T>,
    call: &mut impl FnMut(&mut FrontEnd<T>, &Event) -> Result<(), String>,
) -> Result<(), String> {
    // What was begun is ended first.
    if gpu.told_state().is_some_and(|told| told.is_begun) {
        call(gpu, &Event::End(None))?;
    }
    for event in open_gates(gpu) {
        call(gpu, &event)?;
    }
    let most = gpu.config().preempt.map_or(0, |part| part.drain_max as u8);
    for i in (0..most).filter(|&i| gpu.drain_request(DrainId(i)).is_some()).collect::<Vec<_>>() {
        call(gpu, &Event::ReleaseDrain(i.into()))?;
    }
    for _ in 0..ROUNDS {
        // launch2-I10.
        if matches!(gpu.status(), State::Drained | State::WaitStuck) {
            return Ok(());
        }
        let answers = answers(gpu);
        for event in &answers {
            call(gpu, event)?;
        }
        match gpu.next_event() {
            Some(next) if gpu.config().told().is_some() => {
                call(gpu, &Event::Skip(next.0))?;
                send_all(gpu, call)?;
            }
            Some(next) => call(gpu, &Event::Run(next.since(gpu.now()) + 1))?,
            // A launch that matures while nothing could take it: time changes what is waited for, and decides nothing.
            None if answers.is_empty() && gpu.status() == State::Running => call(gpu, &Event::Run(MATURING))?,
            None if answers.is_empty() && gpu.status() != State::Drained => {
                return Err(format!("dtbl-I11: nothing brings it on, but the status is {:?}", gpu.status()));
            }
            None => {}
        }
    }
    Err(format!("dtbl-I11: not drained after {ROUNDS} rounds; the status is {:?}", gpu.status()))
}

/// A cycle of a host that loads all that is to be loaded, and sends what it can.
fn send_all<T: Tables>(
    gpu: &mut FrontEnd<T>,
    call: &mut impl FnMut(&mut FrontEnd<T>, &Event) -> Result<(), String>,
) -> Result<(), String> {
    let offers = |gpu: &FrontEnd<T>| gpu.offers().map(Iterator::collect::<Vec<_>>).unwrap_or_default();
    let most = gpu.config().told().map_or(0, |told| told.dispatch_per_cycle);
    call(gpu, &Event::Begin)?;
    let mut sent = 0;
    loop {
        let all = offers(gpu);
        if let Some(needed) = all.iter().find(|offer| offer.load == OfferLoad::Needed) {
            call(gpu, &Event::Load(needed.id))?;
            continue;
        }
        let live = all.iter().find(|offer| offer.is_live()).filter(|_| sent < most);
        let Some((id, smx)) = live.and_then(|offer| Some((offer.id, offer.open.iter().next()?))) else { break };
        call(gpu, &Event::Send { id, smx: smx.into() })?;
        sent += 1;
    }
    call(gpu, &Event::End(Some(gpu.now().0 + 1)))
}

/// Calls that open every gate.
#[must_use]
pub fn open_gates<T: Tables>(gpu: &FrontEnd<T>) -> Vec<Event> {
    let config = gpu.config();
    let mut events = Vec::new();
    // A controller of bubbles opens its gate itself.
    if config.bubble.is_none() {
        events.push(Event::SetEligible(SmxSet::first(config.n_smx)));
    }
    let cap = config.tb_slots;
    for smx in 0..config.n_smx {
        events.push(Event::SetBlockCap { smx, cap });
        events.extend((0..config.n_class).map(|class| Event::SetClassCap { class, smx, cap, by: 0 }));
    }
    events
}

/// Spilled groups that were asked for, at their turn or before it, and are not here.
pub fn waiting_loads<T: Tables>(gpu: &FrontEnd<T>) -> Vec<RecordId> {
    let cursors = gpu.kdes().filter_map(|(_, e)| e.cursor()).filter_map(|c| Some((c.group?, c.load.into())));
    let waits = |(record, load)| (load == LoadView::Waiting).then_some(record);
    cursors.chain(gpu.load_buffer().map(|place| (place.record, place.load))).filter_map(waits).collect()
}

/// Tags of units that LaPerm asked for and that are not here.
pub fn loading_units<T: Tables>(gpu: &FrontEnd<T>) -> Vec<u64> {
    let units = gpu.laperm_config().map_or(0, |config| config.units() as usize);
    let queues = (0..units).filter_map(|u| gpu.laperm_queue(Some(UnitId::from_index(u)))).flatten();
    queues.filter(UnitView::is_loading).map(|unit| unit.tag).collect()
}

/// Calls that end every resident TB, answer every load, give the graph up, unretain and resume every kernel.
fn answers<T: Tables>(gpu: &FrontEnd<T>) -> Vec<Event> {
    // The TBs of a kernel that is being saved are frozen.
    let is_saved = |tb: &TbView| gpu.kde(tb.kde).is_some_and(|e| matches!(e.phase, Phase::Saving(_)));
    // Those that wait go on when others have ended (launch2-P5).
    let may_end = |tb: &TbView| !is_saved(tb) && !tb.is_waiting;
    let ends = gpu.resident_tbs().filter(may_end).map(|tb| Event::end_of(&tb));
    let retained = gpu.kdes().filter(|(_, e)| e.retain && gpusched::Phase::Active == e.phase);
    let suspended = (0..gpu.config().susp_cap as u8).map(SuspId);
    let waiting = suspended.filter(|&i| gpu.suspended(i).is_some_and(|s| s.resumed.is_none()));
    let loads = waiting_loads(gpu).into_iter().filter(|_| gpu.config().load_mode == gpusched::LoadMode::External);
    let graphs = gpu.kdes().filter(|(_, e)| e.is_graph_open() && gpusched::Phase::Active == e.phase);
    let aborts = graphs.map(|(k, _)| Event::AbortGraph(k.into()));
    ends.chain(aborts)
        .chain(retained.map(|(k, _)| Event::Unretain(k.into())))
        .chain(waiting.map(|i| Event::Resume(i.into())))
        .chain(loads.map(|r| Event::SpillLoaded(r.into())))
        .chain(loading_units(gpu).into_iter().map(Event::Refilled))
        .collect()
}
