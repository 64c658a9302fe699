//! Changes of properties in words, without the secrets in them: plans are printed in public logs.

use locus_meaning::secret;

const MASK: &str = "***";

/// That a property changes from one text to another.
pub(super) fn change(name: &str, old: &str, new: &str) -> String {
    // The names of secrets are none.
    let is_secret = secret::is_secret(name) && name != "secrets";
    let hide = |text: &str| secret::masked(text, &mut |_| MASK.to_owned());
    let (old, new) = if is_secret { (MASK.to_owned(), MASK.to_owned()) } else { (hide(old), hide(new)) };
    if old == new {
        format!("the property {name} changes; its values may be secret and are not shown")
    } else {
        format!("the property {name} changes from {old} to {new}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_a_secret_is_said_without_it() {
        assert_eq!(change("port", "80", "81"), "the property port changes from 80 to 81");
        for (name, old, new) in [("admin_pass", "a", "b"), ("environment", "{TOKEN: a}", "{TOKEN: b}")] {
            let said = change(name, old, new);
            assert_eq!(
                said,
                format!("the property {name} changes; its values may be secret and are not shown")
            );
        }
        assert!(change("environment", "{A: 1, TOKEN: a}", "{A: 2, TOKEN: b}").contains("{A: 2, TOKEN: ***}"));
        assert!(change("secrets", "[a]", "[b]").contains("from [a] to [b]"));
    }
}
