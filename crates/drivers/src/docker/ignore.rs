//! The files that `.dockerignore` leaves out: the patterns of moby's `patternmatcher`.

/// The patterns of a file, in order: a later one wins.
pub(crate) struct Ignored {
    patterns: Vec<(bool, Vec<String>)>,
}

impl Ignored {
    pub(crate) fn of(text: &str) -> Self {
        let mut patterns = Vec::new();
        for line in text.trim_start_matches('\u{feff}').lines() {
            if line.starts_with('#') || line.trim().is_empty() {
                continue;
            }
            let (taken_in, pattern) = match line.trim().strip_prefix('!') {
                Some(rest) => (true, rest.trim()),
                None => (false, line.trim()),
            };
            let mut parts: Vec<String> = Vec::new();
            for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
                if part == ".." {
                    parts.pop();
                } else {
                    parts.push(part.to_owned());
                }
            }
            patterns.push((taken_in, parts));
        }
        Self { patterns }
    }

    /// Whether some pattern takes in again what another leaves out.
    pub(crate) fn has_exceptions(&self) -> bool {
        self.patterns.iter().any(|(taken_in, _)| *taken_in)
    }

    /// Whether a path, with `/` between its parts, is left out. What is in a folder that is left out is, too.
    pub(crate) fn is_left_out(&self, path: &str) -> bool {
        let parts: Vec<&str> = path.split('/').collect();
        let mut left_out = false;
        for (taken_in, pattern) in &self.patterns {
            let matches = (1..=parts.len()).any(|upto| matches(pattern, &parts[..upto]));
            if matches {
                left_out = !taken_in;
            }
        }
        left_out
    }
}

fn matches(pattern: &[String], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((first, rest)), _) if first == "**" => {
            (0..=path.len()).any(|skipped| matches(rest, &path[skipped..]))
        }
        (Some((first, rest)), Some((name, more))) => {
            let first: Vec<char> = first.chars().collect();
            let name: Vec<char> = name.chars().collect();
            part(&first, &name) && matches(rest, more)
        }
        (None, Some(_)) | (Some(_), None) => false,
    }
}

/// One part of a path: `*`, `?`, `[a-z]` and `\x`.
fn part(pattern: &[char], name: &[char]) -> bool {
    match (pattern, name) {
        ([], []) => true,
        (['*', rest @ ..], _) => (0..=name.len()).any(|skipped| part(rest, &name[skipped..])),
        (['?', rest @ ..], [_, more @ ..]) => part(rest, more),
        (['[', class @ ..], [first, more @ ..]) => {
            let Some(end) = class.iter().skip(1).position(|c| *c == ']').map(|end| end + 1) else {
                return false;
            };
            let (inside, negated) = match class[..end] {
                ['^', ref inside @ ..] => (inside, true),
                ref inside => (inside, false),
            };
            let mut found = false;
            let mut at = 0;
            while at < inside.len() {
                if at + 2 < inside.len() && inside[at + 1] == '-' {
                    found |= (inside[at]..=inside[at + 2]).contains(first);
                    at += 3;
                } else {
                    found |= inside[at] == *first;
                    at += 1;
                }
            }
            found != negated && part(&class[end + 1..], more)
        }
        (['\\', c, rest @ ..] | [c, rest @ ..], [first, more @ ..]) => c == first && part(rest, more),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::Ignored;

    #[test]
    fn patterns_are_those_of_docker() {
        let ignored =
            Ignored::of("# a comment\nnode_modules\n*.log\n**/tmp\ndocs/*\n!docs/README.md\n/a?c\n[x-z]1\n");
        for path in ["node_modules", "node_modules/a/b", "x.log", "tmp", "a/tmp/b", "docs/x", "abc", "y1"] {
            assert!(ignored.is_left_out(path), "{path}");
        }
        for path in ["a/node_modules", "a/x.log", "docs", "docs/README.md", "ac", "w1", "tmp2"] {
            assert!(!ignored.is_left_out(path), "{path}");
        }
        assert!(ignored.has_exceptions());
    }
}
