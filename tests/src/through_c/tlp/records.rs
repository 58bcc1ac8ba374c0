//! Records and codes of more than one unit.

use gpusched::SmxId;
use gpusched::tlp::{KernelCode, KernelId, KernelType, Mode, Pref, Sent, SentTb, TbNeeds};
use gpusched_abi::tlp::records::*;

use crate::through_c::records::{narrow, number, one_of};

pub(super) const TYPE: [(u32, KernelType); 3] = [
    (gpusched_tlp_type::Down as u32, KernelType::Down),
    (gpusched_tlp_type::Optimal as u32, KernelType::Optimal),
    (gpusched_tlp_type::Up as u32, KernelType::Up),
];
pub(super) const PREF: [(u32, Pref); 2] =
    [(gpusched_tlp_pref::Compute as u32, Pref::Compute), (gpusched_tlp_pref::Memory as u32, Pref::Memory)];
pub(super) const MODE: [(u32, Mode); 4] = [
    (gpusched_tlp_mode::Idle as u32, Mode::Idle),
    (gpusched_tlp_mode::Solo as u32, Mode::Solo),
    (gpusched_tlp_mode::Pair as u32, Mode::Pair),
    (gpusched_tlp_mode::Leftover as u32, Mode::Leftover),
];

/// What a TB needs, as a C program has it.
#[must_use]
pub fn c_needs(&TbNeeds { threads, regs, smem }: &TbNeeds) -> gpusched_tlp_needs {
    gpusched_tlp_needs { threads, regs, smem }
}

pub(super) fn needs(&gpusched_tlp_needs { threads, regs, smem }: &gpusched_tlp_needs) -> TbNeeds {
    TbNeeds { threads, regs, smem }
}

/// A kernel as a C program has it.
#[must_use]
pub fn c_kernel(&KernelCode { needs, kind, opt }: &KernelCode) -> gpusched_tlp_kernel {
    gpusched_tlp_kernel { needs: c_needs(&needs), category: gpusched_tlp_category { kind, opt } }
}

pub(super) fn id(number: u32) -> KernelId {
    KernelId(narrow(number))
}

pub(super) fn sent(c: &gpusched_tlp_sent) -> Sent {
    let &gpusched_tlp_sent { stall, sm, k, tb } = c;
    if stall == gpusched_tlp_stall::None as u32 {
        return Sent::Tb(SentTb { sm: SmxId(narrow(sm)), k: id(k), tb });
    }
    assert_eq!((number::<u16>(sm), number::<u8>(k), number::<u32>(tb)), (None, None, None));
    let stalls = [(gpusched_tlp_stall::Empty as u32, Sent::Empty), (gpusched_tlp_stall::NoRoom as u32, Sent::NoRoom)];
    one_of(stall, &stalls)
}
