//! What a configuration's check says in C is wrong with it.
#![allow(unsafe_code, reason = "this is the C program: it writes fields and reads strings through pointers")]

use std::collections::HashSet;
use std::ffi::CStr;
use std::mem::{MaybeUninit, size_of};
use std::ptr;

use gpusched_abi::apogee::*;
use gpusched_abi::bubble::*;
use gpusched_abi::catalogue::*;
use gpusched_abi::coalescer::*;
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::dgb::*;
use gpusched_abi::equalizer_fm::*;
use gpusched_abi::equalizer_sm::*;
use gpusched_abi::frontend::*;
use gpusched_abi::laperm::*;
use gpusched_abi::mascar::*;
use gpusched_abi::monte::*;
use gpusched_abi::scoreboard::*;
use gpusched_abi::stack::*;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::*;

use crate::layout::STRUCTS;

/// A configuration as the numbers that it consists of.
struct Config<C> {
    of: C,
    check: unsafe extern "C" fn(*const C, *mut gpusched_parameter) -> Status,
}

impl<C: Copy> Config<C> {
    fn with(&self, offset: usize, value: u32) -> Self {
        let mut of = self.of;
        assert!(offset.is_multiple_of(size_of::<u32>()) && offset < size_of::<C>());
        // SAFETY: the offset is within the struct, which consists of numbers.
        unsafe { (&raw mut of).byte_add(offset).cast::<u32>().write(value) };
        Self { of, ..*self }
    }

    /// What is wrong, if anything is.
    fn wrong(&self) -> Option<(Status, gpusched_parameter)> {
        let mut wrong =
            gpusched_parameter { name: ptr::null(), value: 0, min: 0, max: 0, power_of_two: 0, rule: ptr::null() };
        // SAFETY: both are whole.
        let status = unsafe { (self.check)(&raw const self.of, &raw mut wrong) };
        (status != Status::Ok).then_some((status, wrong))
    }
}

/// Each number of a configuration is set to values that are likely wrong. What is then told to be wrong is a field of the struct, and
/// either a value out of the range that is told, or one that breaks the rule that is told. Gives the names.
fn tell_fields<C: Copy>(name: &str, config: &Config<C>) -> HashSet<String> {
    assert!(config.wrong().is_none(), "{name}: {:?}", config.wrong());
    let of_machine = STRUCTS.iter().filter(|of| of.name.starts_with(&format!("gpusched_{name}_")));
    let fields: HashSet<_> = of_machine.flat_map(|of| of.fields.iter().map(|(field, _)| *field)).collect();
    let mut told = HashSet::new();
    // The first one is the size.
    for offset in (size_of::<u32>()..size_of::<C>()).step_by(size_of::<u32>()) {
        for value in [0, 1, 2, 3, 5, 8, 1 << 10, 1 << 16, 1 << 31, u32::MAX] {
            let Some((status, p)) = config.with(offset, value).wrong() else { continue };
            // SAFETY: a parameter's name and rule are static strings, or null.
            let text = |text| unsafe { CStr::from_ptr(text) }.to_str().expect("ASCII");
            let field = text(p.name);
            assert!(fields.contains(field), "{name}: {field} is no field ({status:?})");
            if p.rule.is_null() {
                let is_odd = p.power_of_two == 1 && !p.value.is_power_of_two();
                assert!(p.value < p.min || p.value > p.max || is_odd, "{name}: {p:?} of {field} is none");
            } else {
                assert!(p.min == 0 && p.max == 0 && !text(p.rule).is_empty(), "{name}: {p:?} of {field}");
            }
            told.insert(field.to_owned());
        }
    }
    told
}

/// A machine's configuration by default.
macro_rules! preset {
    ($C:ident, $init:ident($($preset:expr)?), $check:ident) => {{
        let mut of = MaybeUninit::<$C>::uninit();
        // SAFETY: it is written as a whole.
        let of = unsafe {
            assert_eq!($init(of.as_mut_ptr(), size_of::<$C>() $(, $preset)?), Status::Ok);
            of.assume_init()
        };
        Config { of, check: $check }
    }};
}

macro_rules! tell_all {
    ($($name:literal: $C:ident, $init:ident($($preset:expr)?), $check:ident;)*) => {
        $(assert!(!tell_fields($name, &preset!($C, $init($($preset)?), $check)).is_empty());)*
    };
}

#[test]
fn what_is_wrong_is_a_field_of_the_machines_struct() {
    tell_all! {
        "apogee": gpusched_apogee_config, gpusched_apogee_config_init(), gpusched_apogee_config_check;
        "bubble": gpusched_bubble_config, gpusched_bubble_config_init(), gpusched_bubble_config_check;
        "catalogue": gpusched_catalogue_config, gpusched_catalogue_config_init(gpusched_catalogue_policy::MostRoom as u32), gpusched_catalogue_config_check;
        "coalescer": gpusched_coalescer_config, gpusched_coalescer_config_init(), gpusched_coalescer_config_check;
        "dgb": gpusched_dgb_config, gpusched_dgb_config_init(0), gpusched_dgb_config_check;
        "equalizer_fm": gpusched_equalizer_fm_config, gpusched_equalizer_fm_config_init(), gpusched_equalizer_fm_config_check;
        "equalizer_sm": gpusched_equalizer_sm_config, gpusched_equalizer_sm_config_init(), gpusched_equalizer_sm_config_check;
        "laperm": gpusched_laperm_config, gpusched_laperm_config_init(), gpusched_laperm_config_check;
        "mascar": gpusched_mascar_config, gpusched_mascar_config_init(0), gpusched_mascar_config_check;
        "monte": gpusched_monte_config, gpusched_monte_config_init(), gpusched_monte_config_check;
        "scoreboard": gpusched_scoreboard_config, gpusched_scoreboard_config_init(), gpusched_scoreboard_config_check;
        "stack": gpusched_stack_config, gpusched_stack_config_init(), gpusched_stack_config_check;
        "tlp": gpusched_tlp_config, gpusched_tlp_config_init(), gpusched_tlp_config_check;
    }
}

/// A part's parameters have its name before theirs.
#[test]
fn what_is_wrong_is_a_field_of_the_front_ends_struct_in_each_part() {
    let layout = STRUCTS.iter().find(|of| of.name == "gpusched_frontend_config").expect("it is there");
    let offset = |name: &str| layout.fields.iter().find(|(field, _)| *field == name).expect("a field").1;
    let (k20c, h100) = (gpusched_gpu::K20c as u32, gpusched_gpu::H100 as u32);
    let (laperm, told) = (gpusched_policy::LaPerm as u32, gpusched_policy::Told as u32);
    let free = gpusched_told_units::Free as u32;
    let bases: [(u32, &[(&str, u32)]); 5] = [
        (k20c, &[("bubble", 1), ("dats", 1)]),
        (k20c, &[("policy", laperm)]),
        (k20c, &[("policy", told)]),
        (k20c, &[("policy", told), ("told_units", free)]),
        (
            h100,
            &[
                ("cluster", 1),
                ("priority", 1),
                ("partition", 1),
                ("preempt", 1),
                ("cdp2", 1),
                ("pdl", 1),
                ("kgraph", 1),
            ],
        ),
    ];
    let mut all = HashSet::new();
    for (preset, changes) in bases {
        let mut config =
            preset!(gpusched_frontend_config, gpusched_frontend_config_init(preset), gpusched_frontend_config_check);
        if preset == h100 {
            let h100 = gpusched_layout_preset::H100Sxm as u32;
            // SAFETY: it is initialised.
            assert_eq!(unsafe { gpusched_frontend_config_layout(&raw mut config.of, h100) }, Status::Ok);
        }
        let config = changes.iter().fold(config, |config, (field, value)| config.with(offset(field), *value));
        all.extend(tell_fields("frontend", &config));
    }
    for expected in [
        "n_smx",
        "threads",
        "policy",
        "laperm_levels",
        "laperm_q0_cap",
        "laperm_pool_cap",
        "laperm_cluster",
        "laperm_refill_mode",
        "bubble_t_num",
        "dats_lna",
        "dats_chunk_bytes",
        "told_rescue",
        "told_split_cap",
        "priority_levels",
        "partition_contexts",
        "preempt_drain_max",
        "cdp2_max_depth",
        "pdl_window",
        "kgraph_nodes",
        "cluster_largest",
        "topology",
        "turn_groups",
    ] {
        assert!(all.contains(expected), "{expected} is never told: {all:?}");
    }
}
