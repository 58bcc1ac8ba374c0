//! Any calls in any order: the front end through C stays equal to the one in Rust, and what is refused changes nothing.

#![no_main]

use arbitrary::{Result, Unstructured};
use gpusched_abi::decision::{gpusched_decision, gpusched_trace};
use gpusched_abi::frontend::gpusched_frontend_trace;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_fuzz::bytes::{Caller, tiny};
use gpusched_fuzz::{
    abuse,
    pair::{Pair, call},
};
use gpusched_heap::front_end;
use gpusched_tests::events::Event;
use gpusched_tests::through_c::ThroughC;
use libfuzzer_sys::fuzz_target;

fn run(u: &mut Unstructured) -> Result<()> {
    let config = tiny(u)?;
    if u.ratio(1, 16)? {
        return abuse::wild_config(u, &config);
    }
    let c = ThroughC::new(&config, if u.arbitrary()? { 0 } else { u.int_in_range(0..=200)? }).expect("it is valid");
    let mut ring = vec![gpusched_decision::default(); u.int_in_range(1..=20)?];
    let mut trace = gpusched_trace { events: ring.as_mut_ptr(), capacity: ring.len(), written: 0 };
    // SAFETY: the ring outlives the object.
    assert_eq!(unsafe { gpusched_frontend_trace(c.frontend(), &mut trace) }, Status::Ok);
    let mut pair = Pair::new(c, front_end(&config).expect("it is valid"), true);
    if config.bubble.is_none() && u.ratio(1, 16)? {
        let late = u64::MAX - u.int_in_range(0..=40)?;
        pair.call(&if config.told().is_some() { Event::Skip(late) } else { Event::Run(late) }).ok();
    }
    let mut caller = Caller::new(&config);
    while !u.is_empty() {
        match u.int_in_range(0..=15u8)? {
            0 => abuse::one(u, &pair.c)?,
            1 => pair.settle(),
            2 => pair.c.read(u.int_in_range(0..=3)?),
            _ => call(u, &mut pair, &mut caller)?,
        }
    }
    pair.settle();
    Ok(())
}

fuzz_target!(|data: &[u8]| {
    // Bytes that end early end the run early.
    let _ = run(&mut Unstructured::new(data));
});
