//! The controller's view.

use super::ThroughC;
use crate::bubble::{Queries, Shown, View};

impl ThroughC {
    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let smx = |s| {
            let ledger = self.ledger(s)?;
            Some((self.smx(s)?, self.pstate(s)?, ledger.free, ledger.resident))
        };
        let shown = Shown {
            registers: self.registers(),
            eligible: self.eligible(),
            armed: self.armed(),
            gpu: self.gpu(),
            smxs: (0..).map(gpusched::SmxId).map_while(smx).collect(),
            energy: self.energy(),
            energy_uncore: self.energy_uncore(),
            stats: self.stats(),
        };
        shown.view()
    }
}
