//! Tests that need a program which is not installed everywhere.

use std::io::Write;

/// Reports that a test checks nothing because `need` is missing, and fails it where `LOCUS_REQUIRE` lists that need.
///
/// `LOCUS_REQUIRE` is a list of `docker`, `postgresql` and `sshd`, separated by commas.
pub(crate) fn skipped(need: &str, why: &str) {
    let required = std::env::var("LOCUS_REQUIRE").unwrap_or_default();
    assert!(required.split(',').all(|name| name.trim() != need), "LOCUS_REQUIRE lists {need}, but {why}");
    // Not with a macro, whose output is shown for failing tests only.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}, so that nothing was tested with {need}");
}
