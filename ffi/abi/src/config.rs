//! Configurations: what the structs of all machines have in common.
//!
//! Each begins with its size and consists of 32-bit numbers (and doubles, in the models), so that a newer library can add fields at the
//! end: those that an older program does not know have their defaults, and those that an older library does not know must be off.

use core::ffi::{CStr, c_char};
use core::mem::size_of;
use core::ptr;

use gpusched::{ConfigError, Parameter};

use crate::pointer::{put, writable};
use crate::status::gpusched_status as Status;

/// A parameter: what a _config_check says is wrong, and what a _parameter tells.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_parameter {
    /// Its name: that of the field in the configuration. Static.
    pub name: *const c_char,
    /// Its value.
    pub value: u32,
    /// Least value.
    pub min: u32,
    /// Greatest value.
    pub max: u32,
    /// 1 if only powers of two are allowed, else 0.
    pub power_of_two: u32,
    /// What is asked of it beside other parameters, if it is that which is wrong: then there is no range, but 0 to 0. Else null. Static.
    pub rule: *const c_char,
}

impl gpusched_parameter {
    /// A parameter with this value.
    pub(crate) fn of(parameter: &Parameter, value: u32) -> Self {
        let &Parameter { c_name, min, max, power_of_two, c_rule, .. } = parameter;
        let rule = c_rule.map_or(ptr::null(), CStr::as_ptr);
        Self { name: c_name.as_ptr(), value, min, max, power_of_two: power_of_two.into(), rule }
    }
}

/// What is wrong with a configuration.
pub struct Wrong {
    /// Why it is refused.
    pub status: Status,
    /// The first parameter that is wrong.
    pub parameter: gpusched_parameter,
}

impl Wrong {
    /// A field that goes from 0 to `max` says more.
    pub(crate) fn beyond(name: &'static CStr, value: u32, max: u32) -> Self {
        let parameter =
            gpusched_parameter { name: name.as_ptr(), value, min: 0, max, power_of_two: 0, rule: ptr::null() };
        Self { status: Status::BadConfig, parameter }
    }
}

impl From<ConfigError> for Wrong {
    fn from(ConfigError { fault, parameter, value, max, .. }: ConfigError) -> Self {
        Self { status: fault.into(), parameter: gpusched_parameter { max, ..gpusched_parameter::of(parameter, value) } }
    }
}

/// An enumeration that a configuration chooses from, or a flag.
pub trait Choice: Copy + 'static {
    /// Its values, in the order of C's numbers.
    const ALL: &'static [Self];

    /// C's number of a value.
    fn code(self) -> u32;
}

impl Choice for bool {
    const ALL: &'static [Self] = &[false, true];

    fn code(self) -> u32 {
        self.into()
    }
}

/// The value that C's number stands for.
pub(crate) fn chosen<V: Choice>(name: &'static CStr, value: u32) -> Result<V, Wrong> {
    V::ALL.get(value as usize).copied().ok_or_else(|| Wrong::beyond(name, value, (V::ALL.len() as u32).wrapping_sub(1)))
}

/// Ties enumerations of C to those of the core. Both have the same names, and C's numbers are in the order told here.
macro_rules! choices {
    ($($CChoice:ident = $Choice:ident { $($variant:ident)* };)*) => {
        $(impl $crate::config::Choice for $Choice {
            const ALL: &'static [Self] = {
                let numbers = [$($CChoice::$variant as u32),*];
                let mut i = 0;
                while i < numbers.len() {
                    assert!(numbers[i] == i as u32);
                    i += 1;
                }
                &[$(Self::$variant),*]
            };

            fn code(self) -> u32 {
                match self {
                    $(Self::$variant => $CChoice::$variant as u32,)*
                }
            }
        }

        impl $crate::convert::ToC for $Choice {
            type C = u32;

            #[inline]
            fn to_c(&self) -> u32 {
                $crate::config::Choice::code(*self)
            }
        })*
    };
}
pub(crate) use choices;

/// The parameters of a machine as C knows them.
///
/// # Safety
/// The struct has C's layout without padding, all of its fields are `u32` or `f64`, and the first one is `struct_size`.
pub unsafe trait Parameters: Copy {
    /// What a block is built from.
    type Checked;
    /// Size of the struct in the first version of the interface.
    const FIRST_SIZE: usize;

    /// What fields have that a caller's header did not know.
    fn preset() -> Self;

    /// What a block is built from.
    ///
    /// # Errors
    /// The first parameter that is wrong.
    fn checked(&self) -> Result<Self::Checked, Wrong>;
}

/// No version of any struct will be larger: what claims to be is not one.
const MAX_SIZE: usize = 4096;

fn is_struct_size<C: Parameters>(size: usize) -> bool {
    const { assert!(size_of::<C>() >= C::FIRST_SIZE) };
    (C::FIRST_SIZE..=MAX_SIZE).contains(&size) && size.is_multiple_of(size_of::<u32>())
}

/// Reads a configuration of any version: fields that the caller's header did not know have their default.
///
/// # Errors
/// `Null`, `Misaligned`, `BadStructSize`; `WrongVersion` if fields that this library does not know are not off.
///
/// # Safety
/// `config`, if neither null nor misaligned, points to readable memory of the size that its first field tells.
pub(crate) unsafe fn read<C: Parameters>(config: *const C) -> Result<C, Status> {
    let config = writable(config.cast_mut())?;
    // SAFETY: every version of the struct begins with its size.
    let size = unsafe { config.cast::<u32>().read() } as usize;
    if !is_struct_size::<C>(size) {
        return Err(Status::BadStructSize);
    }
    let known = size.min(size_of::<C>());
    let mut copy = C::preset();
    // SAFETY: `known` bytes are in both; numbers take any bytes. What lies behind, a newer program's fields, must be off.
    unsafe {
        ptr::copy_nonoverlapping(config.cast::<u8>(), (&raw mut copy).cast(), known);
        let rest = core::slice::from_raw_parts(config.cast::<u8>().add(known), size - known);
        if rest.iter().any(|&byte| byte != 0) {
            return Err(Status::WrongVersion);
        }
    }
    Ok(copy)
}

/// As [`read`], and checked: or else the fault of what is wrong.
pub(crate) unsafe fn read_checked<C: Parameters>(config: *const C) -> Result<C::Checked, Status> {
    // SAFETY: the caller's contract.
    unsafe { read(config) }?.checked().map_err(|wrong| wrong.status)
}

/// Writes parameters as far as the caller's version of the struct reaches, which has `size` bytes: or else `BadStructSize`.
pub(crate) unsafe fn write<C: Parameters>(config: *mut C, size: usize, values: &C) -> Result<(), Status> {
    let config = writable(config)?;
    if !is_struct_size::<C>(size) {
        return Err(Status::BadStructSize);
    }
    let known = size.min(size_of::<C>());
    // SAFETY: `known` bytes are in both. A newer program's fields are off.
    unsafe {
        ptr::copy_nonoverlapping(ptr::from_ref(values).cast::<u8>(), config.cast(), known);
        config.cast::<u8>().add(known).write_bytes(0, size - known);
        config.cast::<u32>().write(size as u32);
    }
    Ok(())
}

/// As [`read_checked`], and writes the first parameter that is out of its range to `wrong`, unless that is null.
pub(crate) unsafe fn check<C: Parameters>(config: *const C, wrong: *mut gpusched_parameter) -> Result<(), Status> {
    // SAFETY: the caller's contract.
    unsafe {
        let Err(Wrong { status, parameter }) = read(config)?.checked() else { return Ok(()) };
        if !wrong.is_null() {
            put(wrong, parameter)?;
        }
        Err(status)
    }
}

/// The C string of a name.
macro_rules! c_name {
    ($name:ident) => {
        const {
            match ::core::ffi::CStr::from_bytes_with_nul(concat!(stringify!($name), "\0").as_bytes()) {
                Ok(name) => name,
                Err(_) => c"",
            }
        }
    };
}
pub(crate) use c_name;

/// Ties fields of a struct of C to those of the core's, whose names differ if it says so.
macro_rules! fields {
    (
        $C:ident: $put:ident, $get:ident = $Core:ident;
        numbers { $($number:ident $(= $core_number:ident)?)* }
        choices { $($choice:ident $(= $core_choice:ident)?)* }
    ) => {
        impl $C {
            /// Takes over the core's values.
            fn $put(&mut self, core: &$Core) {
                $(self.$number = $crate::config::field!(core, $number $($core_number)?);)*
                $(self.$choice = $crate::config::Choice::code($crate::config::field!(core, $choice $($core_choice)?));)*
            }

            /// The core's values, unchecked but for what it could not hold.
            fn $get(&self) -> Result<$Core, $crate::config::Wrong> {
                let mut core = $Core::default();
                $($crate::config::field!(core, $number $($core_number)?) = self.$number;)*
                $($crate::config::field!(core, $choice $($core_choice)?) =
                    $crate::config::chosen($crate::config::c_name!($choice), self.$choice)?;)*
                Ok(core)
            }
        }

        impl $crate::config::Names<$Core> for $C {
            fn c_name(field: &str) -> Option<&'static ::core::ffi::CStr> {
                // Not on the stack of a small board.
                const NAMES: &[(&str, &::core::ffi::CStr)] = &[
                    $(($crate::config::core_name!($number $($core_number)?), $crate::config::c_name!($number)),)*
                    $(($crate::config::core_name!($choice $($core_choice)?), $crate::config::c_name!($choice)),)*
                ];
                NAMES.iter().find(|(of_core, _)| *of_core == field).map(|(_, of_c)| *of_c)
            }
        }
    };
}
pub(crate) use fields;

/// A struct of C that has fields of this one of the core's, maybe under other names.
pub(crate) trait Names<Core> {
    /// C's name of a field of the core's.
    fn c_name(field: &str) -> Option<&'static CStr>;
}

/// A field under its second name, if it has one.
macro_rules! field {
    ($of:ident, $name:ident) => {
        $of.$name
    };
    ($of:ident, $name:ident $other:ident) => {
        $of.$other
    };
}
pub(crate) use field;

/// The core's name of a field: its second one, if it has one.
macro_rules! core_name {
    ($name:ident) => {
        stringify!($name)
    };
    ($name:ident $other:ident) => {
        stringify!($other)
    };
}
pub(crate) use core_name;
