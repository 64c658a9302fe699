//! "Did you mean": the nearest of some names.

/// The name nearest to `wanted`, if one is near enough to be a slip of the keyboard.
pub(crate) fn nearest<'a>(wanted: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = match wanted.chars().count() {
        0..=2 => 1,
        3..=5 => 2,
        _ => 3,
    };
    names
        .into_iter()
        .filter(|name| *name != wanted)
        .filter_map(|name| Some((distance(wanted, name, limit)?, name)))
        .min()
        .filter(|(distance, _)| *distance < wanted.chars().count())
        .map(|(_, name)| name)
}

/// How many letters have to be added, removed, replaced or swapped with their neighbour, if no more than `limit`.
/// A difference in capitals alone counts as one.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.eq_ignore_ascii_case(b) {
        return Some(1);
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let mut before = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    Some(last[b.len()]).filter(|d| *d <= limit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["Init", "Next", "TypeOK", "Cardinality"];
        assert_eq!(nearest("Nxet", names), Some("Next"));
        assert_eq!(nearest("typeok", names), Some("TypeOK"));
        assert_eq!(nearest("Cardinalty", names), Some("Cardinality"));
        assert_eq!(nearest("x", names), None);
        assert_eq!(nearest("Liveness", names), None);
    }
}
