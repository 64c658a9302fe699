//! A configuration in the file of a module: a section `---- CONFIG Name ----` that ends with `====`, as TLC takes it.

/// The text of a file in which all but the section of this name is blank, so that places in it stay what they are.
pub fn section(text: &str, name: &str) -> Option<String> {
    let mut blank = String::with_capacity(text.len());
    let mut is_found = false;
    let mut is_within = false;
    for line in text.split_inclusive('\n') {
        let is_end = is_within && line.starts_with("====");
        if is_within && !is_end {
            blank.push_str(line);
            continue;
        }
        is_within = !is_end && !is_found && begins(line, name);
        is_found |= is_within;
        blank.extend(line.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }
    is_found.then_some(blank)
}

/// Whether a line is the beginning of the section.
fn begins(line: &str, name: &str) -> bool {
    let is_ruled = |rule: &str| rule.len() >= 4 && rule.bytes().all(|byte| byte == b'-');
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), [left, "CONFIG", found, right] if is_ruled(left) && *found == name && is_ruled(right))
        && line.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::section;

    #[test]
    fn a_section_stands_where_it_stood() {
        let text = "---- MODULE M ----\nVARIABLE é\n====\n---- CONFIG M ----\nINIT Init\n====\nNEXT x\n";
        let blank = section(text, "M").unwrap();
        assert_eq!(blank.trim(), "INIT Init");
        assert_eq!(blank.find("INIT"), text.find("INIT"));
        assert_eq!(section(text, "N"), None);
        assert_eq!(section("--- CONFIG M ----\nINIT Init\n", "M"), None);
        assert_eq!(section("---- CONFIG M ----\nINIT I", "M").unwrap().trim(), "INIT I");
    }
}
