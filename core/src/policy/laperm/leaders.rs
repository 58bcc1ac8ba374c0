//! The first entry of each class in a list, in the order of the list: what a visit needs to pass entries over that a gate hides
//! from its SMX, without going through them (frontend-T4p).
//!
//! Whether an entry is hidden depends on its class alone, so the first entry that is not is the first of its class, or the first
//! of no class. An entry that leaves hands its place on to the next of its class. Looking for that one passes an entry once per
//! class in the entry's life, however often a visit looks.

use crate::base::set::{ClassSet, MAX_CLASSES};
use crate::base::table::{Rows, Table};
use crate::policy::laperm::list::{Entry, EntryId};

/// The first entries of each class and of none, in the order of their list; those that exist come before those that do not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Leaders([Option<EntryId>; MAX_CLASSES + 1]);

impl Leaders {
    /// The first entry that is of none of the `hidden` classes.
    pub(crate) fn first<W, E: Rows<Entry<W>>>(
        &self,
        entries: &Table<EntryId, Entry<W>, E>,
        hidden: ClassSet,
    ) -> Option<EntryId> {
        self.0.iter().map_while(|leader| *leader).find(|&e| !hidden.contains(entries[e].class))
    }

    /// An entry has been put behind all others of the list.
    pub(crate) fn enter<W, E: Rows<Entry<W>>>(&mut self, entries: &Table<EntryId, Entry<W>, E>, e: EntryId) {
        for leader in &mut self.0 {
            match *leader {
                Some(first) if entries[first].class == entries[e].class => return,
                Some(_) => {}
                None => return *leader = Some(e),
            }
        }
    }

    /// An entry is about to be taken out of the list: the next one of its class comes first, behind the leaders on the way there.
    pub(crate) fn leave<W, E: Rows<Entry<W>>>(&mut self, entries: &Table<EntryId, Entry<W>, E>, e: EntryId) {
        let Some(mut at) = self.0.iter().position(|leader| *leader == Some(e)) else { return };
        let class = entries[e].class;
        let mut next = entries[e].behind();
        while let Some(other) = next
            && entries[other].class != class
        {
            if let Some([here, behind]) = self.0.get_mut(at..at + 2)
                && *behind == next
            {
                core::mem::swap(here, behind);
                at += 1;
            }
            next = entries[other].behind();
        }
        if let Some(leader) = self.0.get_mut(at) {
            *leader = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::id::ClassId;
    use crate::policy::laperm::list::List;

    const ROWS: usize = 40;

    /// Numbers without a pattern (xorshift).
    fn numbers() -> impl FnMut(usize) -> usize {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        move |n| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as usize % n
        }
    }

    /// Entries of all classes and of none come and go: the first that is not hidden is the one that a walk finds.
    #[test]
    fn the_first_that_is_not_hidden_is_found() {
        let mut any = numbers();
        let mut entries = Table::<EntryId, Entry<()>, _>::new([Entry::default(); ROWS]);
        let (mut list, mut leaders) = (List::default(), Leaders::default());
        let mut is_in = [false; ROWS];
        for _ in 0..20_000 {
            let row = any(ROWS);
            let e = EntryId(row as u32);
            if is_in[row] {
                leaders.leave(&entries, e);
                list.remove(&mut entries, e);
            } else {
                let class = any(MAX_CLASSES + 1);
                entries[e].class = (class < MAX_CLASSES).then_some(ClassId(class as u8));
                list.push_back(&mut entries, e);
                leaders.enter(&entries, e);
            }
            is_in[row] = !is_in[row];
            let mut hidden = ClassSet::EMPTY;
            (0..any(2 * MAX_CLASSES)).for_each(|_| hidden.insert(ClassId(any(MAX_CLASSES) as u8)));
            let walked = list.iter(&entries).find(|(_, entry)| !hidden.contains(entry.class)).map(|(e, _)| e);
            assert_eq!(leaders.first(&entries, hidden), walked);
        }
    }
}
