//! The decision log of a run on the reference GPU, in the form in which simulators and `hosts/probe` write theirs
//! (`hosts/gpgpu-sim/docs/log.md`): what `--log` leaves, and what `replay-log` reads.

use crate::failure::Failure;
use crate::scheduler::Sched;
use crate::simulate::Run;
use anyhow::anyhow;
use gpusched::GroupRef;
use gpusched_refgpu::front::Machine;
use gpusched_refgpu::timeline::{Launch, LaunchKind, Tb, Visible};
use gpusched_workloads::graph::{FNV1A_OF_NOTHING, fnv1a_onward};
use std::collections::HashSet;
use std::fmt::{Display, Write as _};

/// Events of one cycle stand in this order, as the front end takes them: who ends makes room, who has come can be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    End,
    Done,
    Launch,
    Visible,
    Tb,
}

/// A line, or the two of a TB that is sent and starts: its cycle, its rank there, and what orders equals.
type Event = ((u64, Rank, u64), String);

/// The log of a run that was asked to log its TBs.
///
/// # Errors
/// A TB that was taken off its SMX and came back: the log has no words for that.
pub fn of(run: &Run) -> Result<String, Failure> {
    let mut text = headers(run);
    let mut events = events(run)?;
    events.sort_by_key(|(at, _)| *at);
    let mut count = 0;
    for (_, lines) in events {
        count += lines.lines().count();
        text += &lines;
    }
    let checksum = fnv1a_onward(FNV1A_OF_NOTHING, text.bytes());
    let _ = writeln!(text, "! end {count} {checksum:016x}");
    Ok(text)
}

fn headers(run: &Run) -> String {
    let (scheduler, gpu) = (run.variant.scheduler(), &run.variant.gpu);
    let machine = Machine::of(&gpu.front_end());
    let limits = machine.capacity();
    let dispatch = if scheduler == Sched::Fcfs { "gpusched".to_owned() } else { scheduler.to_string() };
    let launches = run.result.timeline.tbs.launches();
    let attached: Vec<&str> = [
        ("laperm", scheduler.laperm().is_some()),
        ("groups", run.result.timeline.tbs.visible().iter().any(|visible| visible.group.is_some())),
        ("kernels", launches.iter().any(|launch| launch.kind == LaunchKind::Device)),
        ("graphs", run.result.stats.dats.is_some()),
        ("diversion", gpu.bubble.enabled),
    ]
    .into_iter()
    .filter_map(|(name, is)| is.then_some(name))
    .collect();
    let attached = if attached.is_empty() { "-".to_owned() } else { attached.join(",") };
    let mut text = "gpusched-log 2\n".to_owned();
    let mut header = |name: &str, value: &dyn Display| {
        let _ = writeln!(text, "! {name} {value}");
    };
    header("dispatch", &dispatch);
    header("smx", &machine.tpc.len());
    header("slots", &limits.slots);
    header("threads", &limits.threads);
    header("regs", &limits.regs);
    header("smem", &limits.smem);
    header("tpc", &numbers(&machine.tpc));
    header("gpc", &numbers(&machine.gpc));
    header("config", &plain(&gpu.name));
    header("attach", &attached);
    text + "# cycle kind uid tb smx slot\n"
}

fn numbers(of: &[u16]) -> String {
    of.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
}

/// A name as the log has it.
fn plain(name: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_.:,()<>+-".contains(letter);
    name.chars().map(|letter| if is_plain(letter) { letter } else { '_' }).collect()
}

fn events(run: &Run) -> Result<Vec<Event>, Failure> {
    let log = &run.result.timeline.tbs;
    let (launches, tbs) = (log.launches(), log.tbs());
    let mut events = Vec::with_capacity(launches.len() + 2 * tbs.len());
    let groups: HashSet<u32> = log.visible().iter().filter(|v| v.group.is_some()).map(|v| v.launch).collect();
    for (place, launch) in launches.iter().enumerate() {
        let kind = if groups.contains(&(place as u32)) { "group" } else { "kernel" };
        events.push(((launch.called, Rank::Launch, place as u64), launched(run, place, kind)));
    }
    for (place, visible) in log.visible().iter().enumerate() {
        events.push(((visible.at, Rank::Visible, place as u64), came(visible)));
    }
    // TBs that have not ended, and the last end so far.
    let mut open: Vec<(u64, u64)> = launches.iter().map(|launch| (tbs_of(launch), 0)).collect();
    let mut seen = HashSet::new();
    for (place, tb) in tbs.iter().enumerate() {
        let &Tb { launch, blkid, sm, slot, start, end, .. } = tb;
        let uid = uid(launch as usize);
        if !seen.insert((launch, blkid)) {
            let why = "was suspended and came back, for which a decision log has no words";
            return Err(Failure::Failed(anyhow!("--log: {}: TB {blkid} of {uid} {why}", run.variant)));
        }
        let where_ = format!("{uid} {blkid} {sm} {slot}");
        // Clusters lie one behind the other in the grid, as the workloads launch them.
        let of_cluster = match launches[launch as usize].kernel.cluster.size() {
            0 | 1 => String::new(),
            size => format!(" cluster={} rank={}", blkid / size, blkid % size),
        };
        let lines = format!("{start} tb {where_}{of_cluster}\n{start} start {where_}\n");
        events.push(((start, Rank::Tb, place as u64), lines));
        let Some(end) = end else { continue };
        let order = u64::from(sm) << 8 | u64::from(slot);
        events.push(((end, Rank::End, order), format!("{end} end {where_}\n")));
        let (left, last) = &mut open[launch as usize];
        (*left, *last) = (*left - 1, end.max(*last));
        if *left == 0 {
            events.push(((*last, Rank::Done, launch.into()), format!("{last} done {uid} - - -\n")));
        }
    }
    Ok(events)
}

/// The number of a kernel or group, by its place.
fn uid(place: usize) -> usize {
    place + 1
}

fn tbs_of(launch: &Launch) -> u64 {
    let grid = launch.kernel.grid;
    [grid.x, grid.y, grid.z].into_iter().map(u64::from).product()
}

/// That the host or a TB has launched what is at this place.
fn launched(run: &Run, place: usize, kind: &str) -> String {
    let log = &run.result.timeline.tbs;
    let launch = &log.launches()[place];
    let &Launch { kernel, stream, called, parent, .. } = launch;
    let known =
        run.result.stats.kernels.iter().find(|known| known.pc == kernel.pc).and_then(|known| known.name.clone());
    let name = plain(&known.unwrap_or_else(|| format!("pc_{:x}", kernel.pc)));
    let threads = kernel.tb.x * kernel.tb.y * kernel.tb.z;
    let shape = format!(
        "tbs={} threads={threads} name={name} regs={} smem={} tag={}",
        tbs_of(launch),
        kernel.regs,
        kernel.smem,
        kernel.tag
    );
    let cluster = match kernel.cluster.size() {
        0 | 1 => String::new(),
        size => format!(" cluster={size}"),
    };
    let uid = uid(place);
    match parent.map(|parent| &log.tbs()[parent as usize]) {
        None => format!("{called} kernel {uid} - - - {shape} stream={stream}{cluster}\n"),
        Some(&Tb { launch: of, blkid, sm, slot, .. }) => {
            let parent = self::uid(of as usize);
            format!("{called} launch {uid} {blkid} {sm} {slot} parent={parent} as={kind} {shape}\n")
        }
    }
}

/// That a kernel or group has become visible to the scheduler.
fn came(visible: &Visible) -> String {
    let &Visible { at, launch, kde, group } = visible;
    let (uid, kde) = (uid(launch as usize), kde.0);
    match group {
        None => format!("{at} arrive {uid} - - - kde={kde}\n"),
        Some(GroupRef::Age(age)) => format!("{at} join {uid} - - - part=age{} kde={kde}\n", age.0),
        Some(GroupRef::Record(record) | GroupRef::Unit(record)) => {
            format!("{at} join {uid} - - - part=rec{} kde={kde}\n", record.0)
        }
    }
}
