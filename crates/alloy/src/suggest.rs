//! "Did you mean": the nearest of some names to one that is unknown.

/// The name at the smallest edit distance, if it is near enough to be a slip.
pub(crate) fn nearest<'a>(wrong: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (wrong.chars().count() / 3).min(3);
    names
        .into_iter()
        .filter(|name| *name != wrong)
        .map(|name| (distance(wrong, name), name))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, name)| name)
}

/// How many letters must be added, removed, changed or swapped with their neighbour; case counts little.
fn distance(a: &str, b: &str) -> usize {
    if a.eq_ignore_ascii_case(b) {
        return 0;
    }
    let a: Vec<char> = a.chars().take(64).collect();
    let b: Vec<char> = b.chars().take(64).collect();
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut next = vec![i];
        for j in 1..=b.len() {
            let change = row[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = change.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(before[j - 2] + 1);
            }
            next.push(best);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["adress", "next", "Node", "parents"];
        assert_eq!(nearest("address", names), Some("adress"));
        assert_eq!(nearest("nxet", names), Some("next"));
        assert_eq!(nearest("node", names), Some("Node"));
        assert_eq!(nearest("zebra", names), None);
    }
}
