//! The units of TLP modulation.

use arbitrary::Result;
use gpusched::tlp::TlpConfig;
use gpusched_tests::machine::Machine;
use gpusched_tests::tlp::{Event, Kind, Units, script};

use crate::bytes::Bytes;
use crate::twins::Twins;

impl Twins for Units {
    type Host = ();

    /// Mostly the unit of one SM.
    fn config(u: Bytes) -> Result<(Kind, TlpConfig)> {
        let kind = match u.int_in_range(0..=9u8)? {
            0..=5 => Kind::TlpSm,
            6 => Kind::Pool,
            7 => Kind::LeftOver,
            8 => Kind::SmartEven,
            _ => Kind::Smc,
        };
        Ok((kind, script::config(&u.arbitrary()?)))
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<Event> {
        Ok(script::event(core.config(), core.kind(), &core.view(), &u.arbitrary()?))
    }
}
