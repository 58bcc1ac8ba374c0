//! What queries answer.

use gpusched_abi::status::gpusched_status;

/// The answer of a query that cannot be refused.
pub(super) fn expect<V>(answer: Result<V, gpusched_status>) -> V {
    answer.unwrap_or_else(|status| panic!("a query of something that exists is refused with {status:?}"))
}

/// The answer of a query about a row, or none if the row is free, which is said with `free`.
pub(super) fn unless<V>(free: gpusched_status, answer: Result<V, gpusched_status>) -> Option<V> {
    match answer {
        Err(status) if status == free => None,
        other => Some(expect(other)),
    }
}
