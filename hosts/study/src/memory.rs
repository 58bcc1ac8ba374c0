//! How much memory there is, so that an input that is too large is refused before it is built.

use sysinfo::System;

/// Bytes that are free: on the machine, and in the group of processes that this one belongs to.
pub fn free() -> u64 {
    let mut system = System::new();
    system.refresh_memory();
    let of_group = system.cgroup_limits().map_or(u64::MAX, |limits| limits.free_memory);
    system.available_memory().min(of_group).min(own_limit())
}

/// Bytes of addresses that this process may have, with an eighth left for what it has already.
#[cfg(unix)]
fn own_limit() -> u64 {
    use rustix::process::{Resource, getrlimit};
    getrlimit(Resource::As).current.map_or(u64::MAX, |limit| limit - limit / 8)
}

#[cfg(not(unix))]
fn own_limit() -> u64 {
    u64::MAX
}

/// A number of bytes, such as `512M` or `8G`.
pub fn bytes(word: &str) -> Result<u64, &'static str> {
    let units = [("K", 10), ("M", 20), ("G", 30), ("T", 40)];
    let (number, shift) =
        units.iter().find_map(|(unit, shift)| Some((word.strip_suffix(unit)?, *shift))).unwrap_or((word, 0));
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift)).filter(|&bytes| bytes > 0);
    bytes.ok_or("expected a number of bytes, such as 512M or 8G")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_units() {
        assert_eq!(
            [bytes("4096"), bytes("3K"), bytes("512M"), bytes("8G")],
            [Ok(4096), Ok(3 << 10), Ok(1 << 29), Ok(8 << 30)]
        );
        for wrong in ["", "0", "G", "-1", "8g", "1.5G", "99999999999999T"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
        assert!(free() > 0);
    }
}
