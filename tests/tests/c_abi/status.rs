//! Statuses as C reads them: numbers, names and texts.
#![allow(unsafe_code, reason = "this is the C program: it reads strings through pointers")]

use std::collections::HashSet;
use std::ffi::CStr;

use gpusched::Fault;
use gpusched_abi::status::{gpusched_status, gpusched_status_str, gpusched_status_text};

/// Name and text of a number.
fn told(status: u32) -> (&'static str, &'static str) {
    // SAFETY: both functions give static strings that end with 0.
    let text = |pointer| unsafe { CStr::from_ptr(pointer) }.to_str().expect("ASCII");
    (text(gpusched_status_str(status)), text(gpusched_status_text(status)))
}

/// Every fault keeps its number, its name and its text on the way to C.
#[test]
fn faults_keep_number_name_and_text() {
    for &fault in Fault::ALL {
        let status = gpusched_status::from(fault) as u32;
        assert_eq!((status, told(status)), (fault.code(), (fault.name(), fault.text())));
    }
}

/// Every constant of the header has the name that its number tells; numbers between are unknown. Two names are told by two constants
/// each, since sheets call things of the model as C calls an argument: a misaligned array and pointer, a bad index of a pool and of
/// a list.
#[test]
fn every_constant_has_its_name() {
    let header = include_str!("../../../include/gpusched_base.h");
    let mut known = HashSet::new();
    for line in header.lines().filter_map(|line| line.trim().strip_prefix("GPUSCHED_STATUS_")) {
        let (constant, number) = line.trim_end_matches(',').split_once(" = ").expect("NAME = number");
        let number = number.parse().expect("a number");
        let name = match constant {
            "MISALIGNED_ARRAY" => "MISALIGNED".into(),
            "BAD_POOL_INDEX" => "BADINDEX".into(),
            _ => constant.replace('_', ""),
        };
        assert_eq!(told(number).0.to_uppercase(), name);
        assert!(known.insert(number), "{constant} = {number}: another constant has that number");
    }
    assert!(Fault::ALL.iter().all(|fault| known.contains(&fault.code())));
    for number in (0..2000).chain([u32::MAX]).filter(|number| !known.contains(number)) {
        assert_eq!(told(number).0, "Unknown");
    }
}
