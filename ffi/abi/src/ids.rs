//! Numbers of rows on their way from C to the machines. What an id cannot hold becomes its greatest value, which no machine has: the
//! machine itself then says that there is no such row.

use gpusched::{ClassId, HwqId, KernelSlot, SlotId, SmxId, SuspId, UnitId};

macro_rules! ids {
    ($($name:ident: $Id:ident($repr:ty);)*) => {
        $(#[inline]
        pub(crate) fn $name(row: u32) -> $Id {
            $Id(row.min(<$repr>::MAX.into()) as $repr)
        })*
    };
}

ids! {
    smx_id: SmxId(u16);
    unit_id: UnitId(u16);
    slot_id: SlotId(u8);
    kernel_slot: KernelSlot(u8);
    hwq_id: HwqId(u8);
    susp_id: SuspId(u8);
    class_id: ClassId(u8);
}
