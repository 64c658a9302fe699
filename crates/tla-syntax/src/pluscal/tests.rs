//! Tests of the pieces of the translator; whole modules are compared with `pcal` by `bench/pluscal.py`.

use super::{checksum, checksum_in, tokens};

#[test]
fn checksums_are_those_of_pcal() {
    assert_eq!(checksum(&["123456789"]), "cbf43926");
    assert_eq!(checksum(&["1234", "56789"]), "cbf43926");
    let line = r#"\* BEGIN TRANSLATION (chksum(pcal) = "1f" /\ chksum(tla) = "2E")"#;
    assert_eq!(checksum_in(line).as_deref(), Some("2E"));
    assert_eq!(
        checksum_in(r"\* BEGIN TRANSLATION (chksum(pcal) \in STRING /\ chksum(tla) \in STRING)"),
        None
    );
    assert_eq!(checksum_in(r"\* BEGIN TRANSLATION"), None);
}

#[test]
fn tokens_are_compared_without_space_and_comments() {
    let lines = |text: &str| tokens(text).collect::<Vec<_>>();
    assert_eq!(lines("x' = <<1,2>> (* c *)"), lines("x '  = << 1 ,2>>"));
    assert_ne!(lines("\"a b\""), lines("\"ab\""));
    assert_eq!(lines("a -+-> b"), ["a", "-+->", "b"]);
}
