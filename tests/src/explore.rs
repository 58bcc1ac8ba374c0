//! Every interleaving of a few events on a tiny machine, breadth first: the states that bounds allow, each once.
//!
//! A machine is one plain value, so the set of states seen is a set of machines. In each of them the invariants hold, a refused
//! call changes nothing, and the canonical drain ends in `drained`. What goes wrong is told with the shortest way there.

use std::collections::VecDeque;
use std::rc::Rc;

use gpusched::FrontEnd;
use gpusched_heap::HeapTables;

use crate::drain::drain;
use crate::events::Event;
use crate::invariants;
use crate::seen::Seen;

/// The machine that is explored.
pub type Gpu = FrontEnd<HeapTables>;

/// How far an exploration got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explored {
    /// Different states, each checked.
    pub states: usize,
    /// Calls made in them.
    pub calls: usize,
    /// Every sequence of so many calls was taken.
    pub depth: usize,
}

/// A state on the way: the state before it, the call that led here, and their number.
struct Node {
    before: usize,
    event: Option<Event>,
    depth: usize,
}

fn way(nodes: &[Node], mut at: usize) -> Vec<&Event> {
    let mut events = Vec::new();
    while let Some(event) = &nodes[at].event {
        events.push(event);
        at = nodes[at].before;
    }
    events.reverse();
    events
}

/// Explores from `start`, with the calls that `alphabet` offers in each state, until there are `most` states.
///
/// # Errors
/// The first thing that does not hold, and the calls that lead to it.
pub fn explore(start: Gpu, alphabet: &dyn Fn(&Gpu) -> Vec<Event>, most: usize) -> Result<Explored, String> {
    let mut nodes = vec![Node { before: 0, event: None, depth: 0 }];
    let start = Rc::new(start);
    let mut seen = Seen::from_iter([Rc::clone(&start)]);
    let mut queue = VecDeque::from([(start, 0)]);
    let mut calls = 0;
    while let Some((gpu, at)) = queue.pop_front() {
        let depth = nodes[at].depth;
        if seen.len() >= most {
            return Ok(Explored { states: seen.len(), calls, depth });
        }
        for event in alphabet(&gpu) {
            let mut next = Gpu::clone(&gpu);
            let refused = event.apply(&mut next).refusal().is_some();
            calls += 1;
            let wrong = |message: String| {
                let way = way(&nodes, at);
                format!("{message}\nafter {way:?},\nthen {event:?}")
            };
            if refused && next != *gpu {
                return Err(wrong("dtbl-I12: the refused call changed the state".into()));
            }
            let next = Rc::new(next);
            if !seen.insert(Rc::clone(&next)) {
                continue;
            }
            invariants::check(&next).map_err(wrong)?;
            let mut drained = Gpu::clone(&next);
            drain(&mut drained, &mut |gpu, event| {
                event.apply(gpu).value.map(drop).map_err(|f| format!("{f}: {event:?}"))
            })
            .map_err(wrong)?;
            nodes.push(Node { before: at, event: Some(event), depth: depth + 1 });
            queue.push_back((next, nodes.len() - 1));
        }
    }
    let depth = nodes.last().map_or(0, |n| n.depth);
    Ok(Explored { states: seen.len(), calls, depth })
}
