//! `soak EVENTS SEED THREADS`: so many random events on composed front ends, each of which lives for up to 100,000 of them.
//!
//! A host makes calls as the fuzz target `c_abi` does, of every sheet and right and wrong ones, on front ends of any composition: LaPerm, a host
//! that decides, clusters, contexts, drains, bubbles, dependency graphs, graphs of kernels. Every other call is one that brings the
//! machine on, so that TBs go through it. Along the way the invariants are asked for; images are saved, and the machine that is
//! restored from one goes on in place of the other; cycles are skipped beside a copy that steps through them; everything is brought
//! to its end, in the way in which it must always come there; what is refused leaves the state as it was. The memory of the process
//! must stay what it was.
//!
//! Each machine has a seed of its own, SEED and those behind it. Events come by whole lives. A failure names the seed: `soak 1 SEED 1` shows it again.

use std::ops::AddAssign;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use arbitrary::{Result, Unstructured};
use fastrand::Rng;
use gpusched::{Config, Cycle, Decision, FrontEnd};
use gpusched_fuzz::bytes::{Caller, tiny};
use gpusched_heap::{HeapTables, front_end};
use gpusched_tests::drain::drain;
use gpusched_tests::events::{Answer, Event};
use gpusched_tests::images::{image, on_heap};
use gpusched_tests::invariants;
use gpusched_tests::stepping::skips_as_it_steps;

type Machine = FrontEnd<HeapTables>;

/// Events of one machine.
const LIFE: u64 = 100_000;
/// Bytes that the host decides by at a time; a call needs fewer than `MARGIN`.
const BYTES: usize = 1 << 16;
const MARGIN: usize = 1 << 12;
/// One in so many events is followed by the invariants, by a restored image, by skipped cycles, by the end of all that the machine has;
/// and is compared with the state before it if it is refused.
const CHECKED: u64 = 64;
const RESTORED: u64 = 512;
const SKIPPED: u64 = 256;
const DRAINED: u64 = 512;
const COMPARED: u64 = 16;
/// Cycles at most, unless it is one in `LEAPS` of those that go further: a machine that comes to the end of time takes no more.
const SPAN: u64 = 1 << 20;
const LEAPS: u64 = 1 << 14;
/// Cycles of a latency at most.
const LATEST: u32 = 100;
/// Bytes by which the process may be larger than after its first machine.
const GROWTH: u64 = 32 << 20;

/// What happened.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    machines: u64,
    events: u64,
    refused: u64,
    tbs: u64,
    cycles: u128,
    checked: u64,
    compared: u64,
    restored: u64,
    skipped: u64,
    drained: u64,
}

impl AddAssign for Seen {
    fn add_assign(&mut self, other: Self) {
        self.machines += other.machines;
        self.events += other.events;
        self.refused += other.refused;
        self.tbs += other.tbs;
        self.cycles += other.cycles;
        self.checked += other.checked;
        self.compared += other.compared;
        self.restored += other.restored;
        self.skipped += other.skipped;
        self.drained += other.drained;
    }
}

impl Seen {
    /// Makes a call.
    fn call(&mut self, gpu: &mut Machine, event: &Event) -> Answer {
        let now = gpu.now();
        let answer = event.apply(gpu);
        self.events += 1;
        self.refused += u64::from(answer.value.is_err());
        self.cycles += u128::from(gpu.now().0 - now.0);
        self.tbs += answer.decisions.iter().filter(|(_, decision)| matches!(decision, Decision::Tb(_))).count() as u64;
        answer
    }
}

/// Says which life it was, should it end in a panic.
struct Life(u64);

impl Drop for Life {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("soak: this is seen again by `soak 1 {} 1`", self.0);
        }
    }
}

/// A call that takes the machine further than is useful, made shorter.
fn nearer(event: Event, now: Cycle, rng: &mut Rng) -> Event {
    let last = now.0.saturating_add(SPAN);
    let to = match event {
        Event::Advance(to) | Event::Skip(to) | Event::End(Some(to)) => to,
        Event::Run(n) => now.0.saturating_add(n),
        _ => return event,
    };
    if to <= last || rng.u64(..LEAPS) == 0 {
        return event;
    }
    match event {
        Event::Advance(_) => Event::Advance(last),
        Event::Skip(_) => Event::Skip(last),
        Event::End(_) => Event::End(Some(last)),
        _ => Event::Run(SPAN),
    }
}

/// A call that brings a machine on, if its host does not decide.
fn useful(gpu: &Machine, rng: &mut Rng) -> Option<Event> {
    if gpu.told_state().is_some() || rng.bool() {
        return None;
    }
    let tbs = gpu.resident_tbs().count();
    let ended = if tbs == 0 { None } else { gpu.resident_tbs().nth(rng.usize(..2 * tbs)) };
    Some(ended.map_or_else(|| Event::Run(rng.u64(1..=8)), |tb| Event::end_of(&tb)))
}

/// With latencies that are soon over: where every sample of bubbles is a decision, none can be skipped.
fn prompt(mut config: Config) -> Config {
    let Config { lat_stream, gpb_b, gpb_a, ld_b, ld_a, lat_dispatch, kmu_interval, load_cycles, preempt, .. } =
        &mut config;
    let latencies = [lat_stream, gpb_b, gpb_a, ld_b, ld_a, lat_dispatch, kmu_interval, load_cycles];
    let saving = preempt
        .as_mut()
        .map(|part| [&mut part.save_base, &mut part.save_bytes, &mut part.restore_base, &mut part.restore_bytes]);
    for latency in latencies.into_iter().chain(saving.into_iter().flatten()) {
        *latency = (*latency).min(LATEST);
    }
    config
}

/// The life of one machine.
fn live(seed: u64) -> Result<Seen> {
    let (mut seen, rng) = (Seen::default(), &mut Rng::with_seed(seed));
    let _life = Life(seed);
    let mut bytes = vec![0; BYTES];
    rng.fill(&mut bytes);
    let config = prompt(tiny(&mut Unstructured::new(&bytes))?);
    let (mut gpu, mut caller) = (front_end(&config).expect("it is valid"), Caller::new(&config).of_small_grids());
    seen.machines = 1;
    while seen.events < LIFE && gpu.now().0 < u64::MAX >> 1 {
        rng.fill(&mut bytes);
        let mut u = Unstructured::new(&bytes);
        while u.len() > MARGIN && seen.events < LIFE {
            let event = match useful(&gpu, rng) {
                Some(event) => event,
                None => nearer(caller.event(&mut u, &gpu)?, gpu.now(), rng),
            };
            let before = (rng.u64(..COMPARED) == 0).then(|| gpu.clone());
            let now = gpu.now();
            let answer = seen.call(&mut gpu, &event);
            match (&answer.value, before) {
                (Ok(value), _) => caller.learn(&event, value, &gpu),
                // A span that comes to the end of time is carried out as far as it goes.
                (Err(fault), Some(before)) if now == gpu.now() => {
                    assert!(before == gpu, "{event:?} changed what it refused with {fault:?}");
                    seen.compared += 1;
                }
                _ => {}
            }
            let begun = gpu.told_state().is_some_and(|told| told.is_begun);
            if rng.u64(..CHECKED) == 0 && gpu.now().0 < u64::MAX >> 1 {
                invariants::check(&gpu).unwrap_or_else(|wrong| panic!("{wrong} after {event:?}"));
                seen.checked += 1;
            }
            if !begun && rng.u64(..RESTORED) == 0 {
                let restored = on_heap(&image(&gpu)).expect("what a machine saves is accepted");
                assert!(restored == gpu, "the restored machine is another one after {event:?}");
                gpu = restored;
                seen.restored += 1;
            }
            if gpu.told_state().is_none() && rng.u64(..SKIPPED) == 0 {
                skips_as_it_steps(&gpu, rng.u64(1..40)).unwrap_or_else(|told| panic!("{told} after {event:?}"));
                seen.skipped += 1;
            }
            if rng.u64(..DRAINED) == 0 && gpu.now().0 < u64::MAX >> 1 {
                let drained = drain(&mut gpu, &mut |gpu, event| {
                    seen.call(gpu, event);
                    Ok(())
                });
                drained.unwrap_or_else(|stuck| panic!("{stuck}: {config:?}"));
                caller.ended();
                seen.drained += 1;
            }
        }
    }
    Ok(seen)
}

/// Bytes of the process in memory, where the system tells.
fn resident() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split(' ').nth(1)?.parse::<u64>().ok().map(|pages| 4096 * pages)
}

/// One life after the other, until there are so many events; the seeds are those that `next` gives.
fn soak(next: &AtomicU64, end: u64) -> Seen {
    let (mut all, mut first) = (Seen::default(), None);
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed >= end {
            return all;
        }
        all += live(seed).expect("there are bytes enough");
        let now = resident();
        first = first.or(now);
        if let Some((first, now)) = first.zip(now) {
            assert!(now < first + GROWTH, "{first} bytes of memory have become {now}");
        }
    }
}

fn main() -> ExitCode {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|word| word.replace('_', "").parse().ok()).collect();
    let Some([events, seed, threads]) = numbers.as_deref().and_then(|numbers| <[u64; 3]>::try_from(numbers).ok())
    else {
        eprintln!("usage: soak EVENTS SEED THREADS, three numbers");
        return ExitCode::from(2);
    };
    let began = Instant::now();
    let (next, end) = (AtomicU64::new(seed), seed.saturating_add(events.div_ceil(LIFE)));
    let ended = std::thread::scope(|scope| {
        let all: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(|| soak(&next, end))).collect();
        all.into_iter().map(|one| one.join()).collect::<std::result::Result<Vec<_>, _>>()
    });
    let Ok(ended) = ended else { return ExitCode::FAILURE };
    let mut seen = Seen::default();
    ended.into_iter().for_each(|one| seen += one);
    let Seen { machines, events, refused, tbs, cycles, checked, compared, restored, skipped, drained } = seen;
    println!(
        "{events} events on {machines} machines in {} s: {cycles} cycles, {tbs} TBs sent",
        began.elapsed().as_secs()
    );
    println!("{refused} events refused, of which {compared} were seen to change nothing");
    println!("{checked} times all invariants held; {restored} machines went on from their images");
    println!("{skipped} spans were skipped as they were stepped; {drained} times everything came to its end");
    println!("{} MiB of memory", resident().map_or_else(|| "?".to_owned(), |bytes| (bytes >> 20).to_string()));
    ExitCode::SUCCESS
}
