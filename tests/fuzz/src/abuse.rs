//! Calls that no C program should make: wrong objects, wrong pointers, short memory. Each is refused with the status that names
//! the mistake, and changes nothing.

use std::ffi::c_void;
use std::ptr;

use arbitrary::Result;
use gpusched::Config;
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::decision::{gpusched_decision, gpusched_trace};
use gpusched_abi::frontend::*;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::smx::{gpusched_cluster, gpusched_dim3};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_tests::calls::frontend::Queries as _;
use gpusched_tests::machine::Machine;
use gpusched_tests::through_c::{Block, ThroughC, c_config};

use crate::bytes::{Bytes, number};

type Object = *mut gpusched_frontend;

/// A call whose first result goes to a pointer.
type WithResult = fn(Object, *mut c_void) -> Status;

macro_rules! calls {
    ($($function:ident($($argument:expr),*);)*) => {
        &[$(|object, result| unsafe { $function(object, $($argument,)* result.cast()) }),*]
    };
}

/// Queries that always have an answer.
const QUERIES: &[WithResult] = calls! {
    gpusched_frontend_now();
    gpusched_frontend_next_event();
    gpusched_frontend_get_status();
    gpusched_frontend_get_stats();
    gpusched_frontend_rr();
    gpusched_frontend_resident_warps();
    gpusched_frontend_unread();
    gpusched_frontend_eligible();
    gpusched_frontend_records_in_use();
    gpusched_frontend_image_size();
    gpusched_frontend_next_sample();
    gpusched_frontend_smx(0);
    gpusched_frontend_block_cap(0);
    gpusched_frontend_hwq(0);
    gpusched_frontend_waiting_head(0);
    gpusched_frontend_dgb_owner();
    gpusched_frontend_fcfs(ptr::null_mut(), 0);
    gpusched_frontend_resident_tbs(ptr::null_mut(), 0);
    gpusched_frontend_agt(ptr::null_mut(), 0);
    gpusched_frontend_spilled(ptr::null_mut(), 0);
    gpusched_frontend_load_buffer(ptr::null_mut(), 0);
    gpusched_frontend_read(ptr::null_mut(), 0);
};

/// Queries of LaPerm, which a machine without it does not have.
const LAPERM: &[WithResult] = calls! {
    gpusched_frontend_laperm_units();
    gpusched_frontend_laperm_cur();
    gpusched_frontend_laperm_kmu_pointer();
    gpusched_frontend_laperm_pool_free();
    gpusched_frontend_laperm_backup(0);
    gpusched_frontend_laperm_queue(0, ptr::null_mut(), 0);
    gpusched_frontend_laperm_overflow(0, ptr::null_mut(), 0);
};

/// Queries of the occupancy-bubble controller.
const BUBBLE: &[WithResult] = calls! {
    gpusched_frontend_bubble_armed();
    gpusched_frontend_bubble_registers();
    gpusched_frontend_bubble_gpu();
    gpusched_frontend_bubble_energy();
    gpusched_frontend_bubble_energy_uncore();
    gpusched_frontend_bubble_stats();
    gpusched_frontend_bubble_smx(0);
};

/// Queries of the dependency-graph buffer. That of its owner is not here: nobody owns what is not there.
const DGB: &[WithResult] = calls! {
    gpusched_frontend_dgb_state();
    gpusched_frontend_dgb_stats();
    gpusched_frontend_dgb_resident(ptr::null_mut(), 0);
    gpusched_frontend_dgb_resident_edges(ptr::null_mut(), 0);
    gpusched_frontend_dgb_pending_updates(ptr::null_mut(), 0);
    gpusched_frontend_dgb_landed(ptr::null_mut(), 0);
};

/// Queries of a host that decides.
const TOLD: &[WithResult] = calls! {
    gpusched_frontend_told_state();
    gpusched_frontend_residents(0, ptr::null_mut(), 0);
};

/// Calls that change something, with a result that may be left out.
const VERBS: &[WithResult] = calls! {
    gpusched_frontend_begin();
    gpusched_frontend_send(0, 0);
    gpusched_frontend_end(ptr::null());
    gpusched_frontend_skip(u64::MAX);
    gpusched_frontend_tick();
    gpusched_frontend_advance(u64::MAX);
    gpusched_frontend_run(u64::MAX);
    gpusched_frontend_suspend(0);
    gpusched_frontend_host_launch(0, &KERNEL, 0);
    gpusched_frontend_device_launch(0, 0, &KERNEL, 1);
};

/// Calls without a result.
const PLAIN: &[fn(Object) -> Status] = &[
    |object| unsafe { gpusched_frontend_tb_done(object, 0, 0) },
    |object| unsafe { gpusched_frontend_unretain(object, 0) },
    |object| unsafe { gpusched_frontend_resume(object, 0) },
    |object| unsafe { gpusched_frontend_spill_loaded(object, 0) },
    |object| unsafe { gpusched_frontend_refilled(object, 0) },
    |object| unsafe { gpusched_frontend_set_block_cap(object, 0, 0) },
    |object| unsafe { gpusched_frontend_set_class(object, 0, 0) },
    |object| unsafe { gpusched_frontend_clear_class(object, 0) },
    |object| unsafe { gpusched_frontend_set_class_cap(object, 0, 0, 0, 0) },
    |object| unsafe { gpusched_frontend_load(object, 0) },
    |object| unsafe { gpusched_frontend_trace(object, ptr::null_mut()) },
    |object| unsafe { gpusched_frontend_activity(object, ptr::null(), 0) },
    |object| unsafe { gpusched_frontend_account(object, ptr::null(), 0) },
    |object| unsafe { gpusched_frontend_restore(object, ptr::null(), 0) },
    |object| unsafe { gpusched_frontend_abort_graph(object, 0) },
    |object| unsafe { gpusched_frontend_graph_spilled(object, 0, ptr::null_mut(), ptr::null_mut()) },
];

const KERNEL: gpusched_kernel = gpusched_kernel {
    pc: 1,
    grid: gpusched_dim3 { x: 1, y: 1, z: 1 },
    tb: gpusched_dim3 { x: 1, y: 1, z: 1 },
    regs: 0,
    smem: 0,
    param: 0,
    cluster: gpusched_cluster { x: 0, y: 0, z: 0, nonportable: 0 },
    tag: u64::MAX,
};

/// Room for every result.
type Room = [u64; 32];

/// One wrong call, and that it changed nothing.
pub fn one(u: Bytes, c: &ThroughC) -> Result<()> {
    let before = (c.mark(), c.unread());
    match u.int_in_range(0..=4u8)? {
        0 | 1 => wrong_object(u, c)?,
        2 => wrong_result(u, c)?,
        3 => wrong_array(u, c)?,
        _ => short_list(u, c)?,
    }
    assert!((c.mark(), c.unread()) == before, "a wrong call changed something");
    Ok(())
}

fn wrong_object(u: Bytes, c: &ThroughC) -> Result<()> {
    let layout = gpusched_layout { size: c.size(), align: 16 };
    let elsewhere = Block::new(layout);
    let (object, status) = match u.int_in_range(0..=4u8)? {
        0 => (ptr::null_mut(), Status::Null),
        1 => (c.frontend().wrapping_byte_add(u.int_in_range(1..=7)?), Status::Misaligned),
        2 => (elsewhere.start().cast(), Status::NotInitialised),
        3 => {
            unsafe { elsewhere.start().write_bytes(0, elsewhere.size()) };
            (elsewhere.start().cast(), Status::NotInitialised)
        }
        _ => {
            unsafe { ptr::copy_nonoverlapping(c.frontend().cast(), elsewhere.start(), c.size()) };
            (elsewhere.start().cast(), Status::Moved)
        }
    };
    let mut room = Room::default();
    let result = room.as_mut_ptr().cast();
    let got = match u.int_in_range(0..=2u8)? {
        0 => {
            let queries = u.choose(&[QUERIES, LAPERM, BUBBLE, DGB, TOLD])?;
            u.choose(queries)?(object, result)
        }
        1 => u.choose(VERBS)?(object, result),
        _ => u.choose(PLAIN)?(object),
    };
    assert_eq!(got, status);
    assert_eq!(room, Room::default(), "a refused call has no result");
    Ok(())
}

fn wrong_result(u: Bytes, c: &ThroughC) -> Result<()> {
    let mut room = Room::default();
    let askew = room.as_mut_ptr().wrapping_byte_add(u.int_in_range(1..=3)?).cast();
    if u.arbitrary()? {
        let config = c.config();
        let (queries, missing) = match u.int_in_range(0..=4u8)? {
            0 => (QUERIES, None),
            1 => (LAPERM, config.laperm().is_none().then_some(Status::WrongModel)),
            2 => (BUBBLE, config.bubble.is_none().then_some(Status::NoBubble)),
            3 => (DGB, config.dats.is_none().then_some(Status::NoDgb)),
            _ => (TOLD, config.told().is_none().then_some(Status::NotTold)),
        };
        let query = u.choose(queries)?;
        assert_eq!(query(c.frontend(), ptr::null_mut()), missing.unwrap_or(Status::Null));
        assert_eq!(query(c.frontend(), askew), missing.unwrap_or(Status::Misaligned));
    } else {
        let got = u.choose(VERBS)?(c.frontend(), askew);
        assert!(got == Status::Misaligned || got == Status::Unread, "{got:?}");
    }
    assert_eq!(room, Room::default(), "a refused call has no result");
    Ok(())
}

/// Arrays and structs that are given are null or askew, or nobody may read them.
fn wrong_array(u: Bytes, c: &ThroughC) -> Result<()> {
    let object = c.frontend();
    let (smx, slot) = (number(u)?, number(u)?);
    let askew = ptr::from_ref(&KERNEL).wrapping_byte_add(u.int_in_range(1..=3)?);
    let (kernel, status) = if u.arbitrary()? { (askew, Status::Misaligned) } else { (ptr::null(), Status::Null) };
    let mut count = 0;
    unsafe {
        match u.int_in_range(0..=8u8)? {
            0 => assert_eq!(gpusched_frontend_host_launch(object, 0, kernel, 0, ptr::null_mut()), status),
            1 => {
                let got = gpusched_frontend_device_launch(object, smx, slot, kernel, 1, ptr::null_mut());
                assert_eq!(got, status);
            }
            2 => {
                let got = gpusched_frontend_agg_launch(object, smx, slot, kernel.cast(), 1, ptr::null_mut());
                assert_eq!(got, status);
            }
            3 => {
                let lanes = u.int_in_range(2..=u32::MAX)? as usize;
                let got = gpusched_frontend_device_launch(object, smx, slot, kernel, lanes, ptr::null_mut());
                assert_eq!(got, status);
            }
            4 => assert_eq!(gpusched_frontend_set_eligible(object, kernel.cast()), status),
            5 => assert_eq!(gpusched_frontend_eligible_kernel(object, kernel, &mut smx.clone()), status),
            6 => {
                let got = gpusched_frontend_read(object, kernel.cast_mut().cast(), 1, &mut count);
                assert_eq!(got, status);
            }
            7 => {
                let mut trace = gpusched_trace { events: kernel.cast_mut().cast(), capacity: 1, written: 7 };
                assert_eq!(gpusched_frontend_trace(object, &mut trace), status);
                let mut event = gpusched_decision::default();
                let mut trace = gpusched_trace { events: &mut event, capacity: 0, written: 7 };
                assert_eq!(gpusched_frontend_trace(object, &mut trace), Status::Capacity);
                assert_eq!(trace.written, 7);
            }
            _ => {
                let mut config = c_config(&Config::K20C, 0);
                let size = u.int_in_range(0..=139)?;
                assert_eq!(gpusched_frontend_get_config(object, &mut config, size), Status::BadStructSize);
                assert_eq!(config, c_config(&Config::K20C, 0));
            }
        }
    }
    Ok(())
}

/// Lists go as far as the array reaches, and not a byte further.
fn short_list(u: Bytes, c: &ThroughC) -> Result<()> {
    fn check<V: Default + Clone + PartialEq + std::fmt::Debug>(
        c: &ThroughC,
        room: usize,
        query: unsafe extern "C" fn(*const gpusched_frontend, *mut V, usize, *mut usize) -> Status,
    ) {
        let (mut all, mut some) = (vec![V::default(); 1000], vec![V::default(); room]);
        let (mut length, mut count) = (0, 0);
        unsafe {
            assert_eq!(query(c.frontend(), all.as_mut_ptr(), all.len(), &mut length), Status::Ok);
            let got = query(c.frontend(), some.as_mut_ptr(), room, &mut count);
            assert_eq!(got, if room < length { Status::Capacity } else { Status::Ok });
        }
        assert_eq!(count, length);
        assert_eq!(some, all[..room]);
    }
    let room = u.int_in_range(0..=12)?;
    match u.int_in_range(0..=3u8)? {
        0 => check(c, room, gpusched_frontend_fcfs),
        1 => check(c, room, gpusched_frontend_resident_tbs),
        2 => check(c, room, gpusched_frontend_agt),
        _ => check(c, room, gpusched_frontend_spilled),
    }
    Ok(())
}

/// A configuration with anything in it, of any claimed size, in exactly that much memory: it is judged as the core judges it, and
/// what it needs is what is used.
pub fn wild_config(u: Bytes, sane: &Config) -> Result<()> {
    let mut config = c_config(sane, number(u)?);
    let known = size_of_val(&config);
    for _ in 0..u.int_in_range(0..=2)? {
        let at = u.int_in_range(1..=known / 4 - 1)?;
        let field = unsafe { &mut *ptr::from_mut(&mut config).cast::<u32>().add(at) };
        *field = number(u)?;
    }
    let size = if u.arbitrary()? { known } else { u.int_in_range(0..=5000)? };
    config.struct_size = if u.ratio(1, 16)? { u.arbitrary()? } else { size as u32 };
    let memory = Block::new(gpusched_layout { size: size.clamp(4, 4096), align: 4 });
    let tail = if u.arbitrary()? { 0 } else { u.arbitrary()? };
    let mut layout = gpusched_layout::default();
    let mut parameter = std::mem::MaybeUninit::<gpusched_parameter>::uninit();
    unsafe {
        memory.start().write_bytes(tail, memory.size());
        ptr::copy_nonoverlapping(ptr::from_ref(&config).cast(), memory.start(), known.min(memory.size()));
        let given = memory.start().cast::<gpusched_frontend_config>();
        // Nobody can tell that a size is a lie.
        if config.struct_size as usize > memory.size() && config.struct_size <= 4096 {
            (*given).struct_size = memory.size() as u32;
        }
        let claimed = (*given).struct_size;
        let status = gpusched_frontend_config_check(given, parameter.as_mut_ptr());
        assert_eq!(gpusched_frontend_layout(given, &mut layout), status);
        match status {
            Status::BadStructSize => assert!(!(140..=4096).contains(&claimed) || claimed % 4 != 0),
            Status::WrongVersion => assert!(claimed as usize > known && tail != 0),
            Status::BadConfig => {
                let wrong = parameter.assume_init();
                assert!(wrong.value < wrong.min || wrong.value > wrong.max || wrong.power_of_two == 1);
            }
            // What LaPerm rules out, or asks for.
            Status::TurnWithLaperm | Status::LoadWithLaperm | Status::AgtWithLaperm | Status::AheadWithLaperm => {}
            Status::Queue0TooSmall | Status::PoolTooSmall => {}
            // What units by themselves rule out.
            Status::ChainOnly => {}
            // What parts of `modern` ask for, and where they cannot be.
            Status::TopologySize | Status::NoTopology | Status::ClusterWithBubble => {}
            Status::ClusterWithLaperm | Status::PriorityWithLaperm | Status::PartitionWithLaperm => {}
            Status::PreemptWithLaperm | Status::ClusterWithTold | Status::PriorityWithTold => {}
            Status::PartitionWithTold | Status::PreemptWithTold => {}
            Status::Launch2WithLaperm => {}
            Status::Ok => build(u, given, layout)?,
            other => panic!("{other:?}"),
        }
    }
    Ok(())
}

/// # Safety
/// The configuration is valid and needs this layout.
unsafe fn build(u: Bytes, config: *const gpusched_frontend_config, layout: gpusched_layout) -> Result<()> {
    if layout.size > 1 << 20 {
        return Ok(());
    }
    let block = Block::new(layout);
    let mut object = ptr::null_mut();
    let start = block.start().cast::<c_void>();
    let mut init = |start: *mut c_void, size| unsafe { gpusched_frontend_init(start, size, config, &mut object) };
    assert_eq!(init(ptr::null_mut(), layout.size), Status::Null);
    assert_eq!(init(start.wrapping_byte_add(1), layout.size), Status::Misaligned);
    assert_eq!(init(start, u.int_in_range(0..=layout.size - 1)?), Status::StorageTooSmall);
    assert_eq!(init(start, layout.size), Status::Ok);
    let ticked = unsafe { gpusched_frontend_tick(object, ptr::null_mut()) };
    let is_told = unsafe { (*config).policy } == gpusched_policy::Told as u32;
    assert_eq!(ticked, if is_told { Status::Told } else { Status::Ok });
    Ok(())
}
