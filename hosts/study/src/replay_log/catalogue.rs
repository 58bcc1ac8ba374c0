//! Who is who in one log or in two. A kernel or group is known by who launched it, not by the number that the simulator gave it: the
//! third of the host, or the second of TB 5 of that one. So it is the same in two runs of a program that launch in another order.

use std::collections::HashMap;

/// A kernel or group.
pub type KernelId = u32;
/// The name of a kernel or group.
pub type NameId = usize;

/// Where a kernel or group comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The TB that launched it; `None`: the host did.
    pub parent: Option<(KernelId, u32)>,
    /// How many it had launched before.
    pub number: u32,
}

/// Kernels, groups and names, numbered as they come.
#[derive(Debug, Default)]
pub struct Catalogue {
    kernels: HashMap<Origin, KernelId>,
    by_name: HashMap<String, NameId>,
    names: Vec<String>,
}

impl Catalogue {
    pub fn kernel(&mut self, origin: Origin) -> KernelId {
        let next = self.kernels.len() as KernelId;
        *self.kernels.entry(origin).or_insert(next)
    }

    pub fn name(&mut self, name: &str) -> NameId {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), self.names.len() - 1);
        self.names.len() - 1
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }
}
