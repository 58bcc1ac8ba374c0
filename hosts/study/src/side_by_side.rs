//! Work on several things at a time, on a few threads. What comes out does not depend on how many.

use crate::failure::Failure;
use anyhow::Context;
use rayon::ThreadPoolBuilder;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// How many of so many things are under way at the same time.
pub fn at_once(threads: Option<NonZeroUsize>, items: usize) -> usize {
    threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZeroUsize::get).min(items)
}

/// Does `work` with every item, on up to `threads` threads, or the machine's cores, and gives what comes out in the order of the items,
/// which is also that in which they are begun. The first failure ends all: `work` is told by the flag that what it does is of no more
/// use. What such work does in this way it does alone: if its thread waited for others, it would meanwhile begin more work of its own
/// kind, which could ask for what it holds itself.
///
/// # Errors
/// That failure.
pub fn each<I: Sync, O: Send>(
    items: &[I],
    threads: Option<NonZeroUsize>,
    work: impl Fn(&I, &AtomicBool) -> Result<O, Failure> + Sync,
) -> Result<Vec<O>, Failure> {
    let failed = AtomicBool::new(false);
    if rayon::current_thread_index().is_some() {
        return items.iter().map(|item| work(item, &failed)).collect();
    }
    let pool = ThreadPoolBuilder::new().num_threads(at_once(threads, items.len()).max(1)).build();
    let mut outcomes: Vec<Option<Result<O, Failure>>> = items.iter().map(|_| None).collect();
    pool.context("no threads to run on")?.scope_fifo(|scope| {
        for (item, outcome) in items.iter().zip(&mut outcomes) {
            scope.spawn_fifo(|_| {
                if !failed.load(Ordering::Relaxed) {
                    let ended = work(item, &failed);
                    failed.fetch_or(ended.is_err(), Ordering::Relaxed);
                    *outcome = Some(ended);
                }
            });
        }
    });
    // Work that another's failure ended counts as interrupted, and is no news.
    let mut ended: Vec<_> = outcomes.into_iter().flatten().collect();
    ended.sort_by_key(|outcome| matches!(outcome, Err(Failure::Interrupted)));
    ended.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use anyhow::anyhow;

    #[test]
    fn outcomes_are_in_order_on_any_number_of_threads() {
        let items: Vec<u32> = (0..50).collect();
        for threads in [1, 3, 80] {
            let doubled = each(&items, NonZeroUsize::new(threads), |item, _| Ok(2 * item)).unwrap();
            assert_eq!(doubled, (0..50).map(|item| 2 * item).collect::<Vec<_>>());
        }
        assert!(each(&[0; 0], None, |_, _| Ok(())).unwrap().is_empty());
    }

    #[test]
    fn work_within_work_waits_for_nobody() {
        let held = std::sync::Mutex::new(0);
        let outcome = each(&[1, 2, 3, 4], NonZeroUsize::new(2), |item, _| {
            let mut held = held.lock().unwrap();
            *held += each(&[10, 20], None, |part, _| Ok(item * part))?.iter().sum::<i32>();
            Ok(())
        });
        assert_eq!((outcome.unwrap().len(), held.into_inner().unwrap()), (4, 300));
    }

    #[test]
    fn the_first_failure_ends_all_and_is_what_is_told() {
        let outcome = each(&[0, 1], NonZeroUsize::new(2), |&item, failed| {
            if item == 1 {
                return Err(Failure::Failed(anyhow!("one")));
            }
            while !failed.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            Err::<(), _>(Failure::Interrupted)
        });
        assert!(matches!(outcome, Err(Failure::Failed(error)) if error.to_string() == "one"));
    }
}
