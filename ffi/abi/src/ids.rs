//! Numbers of rows on their way from C to the machines. What an id cannot hold becomes its greatest value, which no machine has: the
//! machine itself then says that there is no such row.

use gpusched::dats::NodeId;
use gpusched::models::monte::SiteId;

macro_rules! ids {
    ($($name:ident: $Id:ident($repr:ty);)*) => {
        $(#[inline]
        pub(crate) fn $name(row: u32) -> $Id {
            $Id(row.min(<$repr>::MAX.into()) as $repr)
        })*
    };
}

ids! {
    node_id: NodeId(u16);
    site_id: SiteId(u16);
}
