//! How full the queues and tables of the front end are, kept up by its decisions and by what it is told.

use gpusched::{Decision, GroupRef, IssueSource};

use super::LaunchVerb;

/// What the front end holds. In all, as in each part, these are numbers of kernels, groups or entries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depths {
    /// Host kernels in hardware work queues that the KMU has not issued.
    pub queued: u32,
    /// Device kernels that the KMU has not issued, from their launch calls on.
    pub device: u32,
    /// Suspended kernels that are not back in the distributor.
    pub suspended: u32,
    /// Entries of the kernel distributor that are taken, from the issue on.
    pub entries: u32,
    /// Groups that are launched and have joined no kernel yet.
    pub joining: u32,
    /// Groups on chip: AGEs that are taken.
    pub ages: u32,
    /// Groups that joined a kernel and lie in global memory.
    pub spilled: u32,
    /// Launches of device threads of which no TB has started.
    pub pending: u32,
    /// Groups that wait or run as units by themselves: under LaPerm, and where a policy decides that takes them one by one.
    pub units: u32,
}

impl Depths {
    /// The host has put a kernel into its queue.
    pub(super) fn host_launch(&mut self) {
        self.queued += 1;
    }

    /// So many launches of TBs were taken.
    pub(super) fn launched(&mut self, verb: LaunchVerb, n: u32) {
        *(if verb.is_kernel() { &mut self.device } else { &mut self.joining }) += n;
    }

    fn groups(&mut self, at: GroupRef) -> &mut u32 {
        match at {
            GroupRef::Age(_) => &mut self.ages,
            GroupRef::Record(_) => &mut self.spilled,
            GroupRef::Unit(_) => &mut self.units,
        }
    }

    /// The front end has decided.
    pub(super) fn decide(&mut self, decision: &Decision) {
        match *decision {
            Decision::Issue { source, .. } => {
                match source {
                    IssueSource::Hwq(_) => self.queued -= 1,
                    IssueSource::Device => self.device -= 1,
                    IssueSource::Suspended => self.suspended -= 1,
                    IssueSource::Node(_) => {}
                }
                self.entries += 1;
            }
            Decision::KernelDone { .. } => self.entries -= 1,
            Decision::Suspend { .. } => {
                self.entries -= 1;
                self.suspended += 1;
            }
            Decision::Join { group, .. } => {
                self.joining -= 1;
                *self.groups(group) += 1;
            }
            Decision::Fall { .. } => {
                self.joining -= 1;
                self.device += 1;
            }
            Decision::GroupDone { group, .. } => *self.groups(group) -= 1,
            _ => {}
        }
    }
}
