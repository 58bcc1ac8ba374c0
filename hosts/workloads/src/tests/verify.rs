//! Results that are compared word by word.

use crate::{WrongResult, verify};

#[test]
fn what_is_too_short_or_too_long_is_wrong() {
    let verify = |got: &[u32], want: &[u32]| verify("a", got.iter().copied(), want.iter().copied());
    assert!(verify(&[1, 2], &[1, 2]).is_ok());
    for (got, want, told) in
        [(&[1][..], &[1, 2][..], ["a[1]", "nothing", "2"]), (&[1, 2], &[1], ["a[1]", "2", "nothing"])]
    {
        let WrongResult { place, got, want } = verify(got, want).unwrap_err();
        assert_eq!([place, got, want], told);
    }
}
