//! Dockerfiles, as far as rules about Compose files need them: instructions with their words, and the patterns of
//! `.dockerignore`. No instruction is run; the meaning of the words is for `meaning::parts::built`.

use std::ops::Range;

/// A file with more instructions is not read.
const MOST: usize = 5_000;

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// Its first word, in capitals.
    pub word: String,
    /// Its flags, such as `--from=builder`.
    pub flags: Vec<String>,
    /// All that follows them, in one line.
    pub rest: String,
    /// Where the file has its first line.
    pub span: Range<usize>,
}

impl Instruction {
    /// The value of a flag.
    pub fn flag(&self, name: &str) -> Option<&str> {
        self.flags.iter().find_map(|flag| flag.strip_prefix("--")?.strip_prefix(name)?.strip_prefix('='))
    }

    /// The words that follow the flags: items of a list in JSON, or what stands between blanks.
    pub fn words(&self) -> Vec<String> {
        match serde_json::from_str::<Vec<String>>(&self.rest) {
            Ok(items) if self.rest.starts_with('[') => items,
            _ => self.rest.split_ascii_whitespace().map(str::to_owned).collect(),
        }
    }
}

/// The instructions of a Dockerfile; nothing if it has too many to be looked at, or is not in Docker's own language.
pub fn read(text: &str) -> Option<Vec<Instruction>> {
    if directive(text, "syntax").is_some_and(|syntax| !syntax.contains("docker/dockerfile")) {
        return None;
    }
    let escape = escape(text);
    let mut found = Vec::new();
    let mut lines = lines(text);
    while let Some((start, line)) = lines.next() {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let span = start + indent..start + indent + trimmed.len();
        let mut whole = trimmed.to_owned();
        while whole.ends_with(escape) {
            whole.pop();
            let Some((_, next)) = lines.find(|(_, line)| !is_comment(line)) else { break };
            whole.push_str(next.trim());
            // A blank line within a continued one does not end it.
            if next.trim().is_empty() {
                whole.push(escape);
            }
        }
        let instruction = instruction(&whole, span);
        if matches!(instruction.word.as_str(), "RUN" | "COPY" | "ADD") {
            for mark in heredocs(&instruction.rest) {
                lines.find(|(_, line)| line.trim_start_matches('\t').trim_end_matches('\r') == mark);
            }
        }
        found.push(instruction);
        if found.len() > MOST {
            return None;
        }
    }
    Some(found)
}

/// The lines of a text, each with where it starts.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.split_inclusive('\n').scan(0, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end_matches('\n')))
    })
}

fn is_comment(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The character that continues lines: a comment at the top may say another one.
fn escape(text: &str) -> char {
    if directive(text, "escape") == Some("`") { '`' } else { '\\' }
}

/// All that a comment at the top, `# name=value`, says.
fn directive<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let directives = text.lines().take_while(|line| is_comment(line));
    let mut said = directives.filter_map(|line| line.trim_start().strip_prefix('#')?.split_once('='));
    said.find(|(found, _)| found.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn instruction(line: &str, span: Range<usize>) -> Instruction {
    let (word, mut rest) = line.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((line, ""));
    let mut flags = Vec::new();
    rest = rest.trim();
    while rest.starts_with("--") {
        let (flag, after) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        flags.push(flag.to_owned());
        rest = after.trim_start();
    }
    Instruction { word: word.to_ascii_uppercase(), flags, rest: rest.to_owned(), span }
}

/// The marks that end the texts which follow an instruction: `EOF` of `<<EOF`, `<<-EOF` and `<<"EOF"`.
fn heredocs(rest: &str) -> Vec<String> {
    let mut marks = Vec::new();
    for word in rest.split_ascii_whitespace() {
        let Some(at) = word.find("<<") else { continue };
        // `<<<` is a text in the line itself, and `1<<2` a number.
        let is_number = !at.eq(&0) && !word[..at].bytes().all(|b| b.is_ascii_digit());
        let mark = word[at + 2..].trim_start_matches('-').trim_matches(['"', '\'']);
        let is_name = !mark.is_empty() && mark.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
        if is_name && !is_number && !mark.starts_with(|c: char| c.is_ascii_digit()) {
            marks.push(mark.to_owned());
        }
    }
    marks
}

/// All that `.dockerignore` leaves out of a build context.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ignored(Vec<String>);

impl Ignored {
    /// Reads the file; nothing if it takes back some of what it says, since what is left out may then have files.
    pub fn read(text: &str) -> Option<Self> {
        let lines = text.trim_start_matches('\u{feff}').lines().map(str::trim);
        let lines: Vec<&str> = lines.filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        if lines.iter().any(|line| line.starts_with('!')) || lines.len() > MOST {
            return None;
        }
        Some(Self(lines.iter().map(|line| inner(line)).filter(|line| !line.is_empty()).collect()))
    }

    /// Whether a path in the context, or a folder above it, is left out.
    pub fn covers(&self, path: &str) -> bool {
        let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
        ends.take(64).any(|end| self.0.iter().any(|pattern| is_match(pattern, &path[..end])))
    }
}

/// A path as one within the build context: nothing leads out of it.
pub fn inner(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether a path matches a pattern: `*` and `?` stand for anything but `/`, `**` for anything. Sets in brackets match
/// nothing.
pub fn is_match(pattern: &str, path: &str) -> bool {
    let path: Vec<char> = path.chars().collect();
    if pattern.len() > 1_000 || path.len() > 4_000 || pattern.contains(['[', '\\']) {
        return false;
    }
    // Which beginnings of the path the pattern so far matches.
    let mut reached = vec![false; path.len() + 1];
    reached[0] = true;
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut next = vec![false; path.len() + 1];
        if let Some(after) = rest.strip_prefix("**") {
            let first = reached.iter().position(|is| *is).unwrap_or(reached.len());
            for (at, is) in next.iter_mut().enumerate() {
                *is = at >= first;
            }
            // `**/a` is also `a`.
            rest = after;
            if let Some(after) = rest.strip_prefix('/') {
                for at in 0..next.len() {
                    next[at] = reached[at] || at > first && path[at - 1] == '/';
                }
                rest = after;
            }
        } else {
            for at in 0..next.len() {
                next[at] = match c {
                    '*' => reached[at] || at > 0 && next[at - 1] && path[at - 1] != '/',
                    '?' => at > 0 && reached[at - 1] && path[at - 1] != '/',
                    c => at > 0 && reached[at - 1] && path[at - 1] == c,
                };
            }
            rest = &rest[c.len_utf8()..];
        }
        reached = next;
    }
    reached[path.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let all = read(text).expect("it is small");
        all.iter().map(|one| format!("{} {}", one.word, one.words().join("|"))).collect()
    }

    #[test]
    fn instructions_are_read() {
        assert_eq!(
            words("# a\nfrom x AS y\n\n  COPY --from=y a \\\n# within\n b /c\n"),
            ["FROM x|AS|y", "COPY a|b|/c"]
        );
        assert_eq!(words("COPY [\"a b\", \"/c\"]"), ["COPY a b|/c"]);
        assert_eq!(
            words("COPY <<EOF <<-\"X\" /a\nFROM b\nEOF\n\tX\nRUN x"),
            ["COPY <<EOF|<<-\"X\"|/a", "RUN x"]
        );
        assert_eq!(
            words("RUN cat <<< EOF; echo $((1<<2))\nUSER a"),
            ["RUN cat|<<<|EOF;|echo|$((1<<2))", "USER a"]
        );
        assert_eq!(words("# escape=`\nCOPY a `\n b\\ \n"), ["COPY a|b\\"]);
        assert_eq!(words("CMD a \\"), ["CMD a"]);
        let all = read("\n FROM a\n").expect("it is small");
        assert_eq!(all[0].span, 2..8);
        assert_eq!(read("COPY --from=a --link b c").expect("it is small")[0].flag("from"), Some("a"));
    }

    #[test]
    fn too_many_instructions_are_not_read() {
        assert!(read(&"A\n".repeat(MOST + 1)).is_none());
        assert!(read("# syntax=devthefuture/dockerfile-x\nINCLUDE a\n").is_none());
    }

    #[test]
    fn patterns_match_paths() {
        let cases = [
            ("*.conf", "app.conf", true),
            ("*.conf", "a/app.conf", false),
            ("**/*.conf", "a/b/app.conf", true),
            ("**/*.conf", "app.conf", true),
            ("a/**", "a/b/c", true),
            ("a?c", "abc", true),
            ("a?c", "a/c", false),
            ("node_modules", "node_modules", true),
            ("[a]", "a", false),
            ("*", "a", true),
            ("ä*", "äb", true),
        ];
        for (pattern, path, expected) in cases {
            assert_eq!(is_match(pattern, path), expected, "{pattern} {path}");
        }
        let ignored = Ignored::read("# x\n/dist\n*.log\n").expect("it takes nothing back");
        assert!(ignored.covers("dist/a") && ignored.covers("x.log") && !ignored.covers("src/x.log"));
        assert_eq!(Ignored::read("*\n!src\n"), None);
        assert_eq!(inner("../a/./b/../c/"), "a/c");
    }

    /// The same by trying each way.
    fn is_match_naive(pattern: &[char], path: &[char]) -> bool {
        match pattern {
            [] => path.is_empty(),
            ['*', '*', '/', rest @ ..] => {
                is_match_naive(rest, path)
                    || (1..=path.len()).any(|at| path[at - 1] == '/' && is_match_naive(rest, &path[at..]))
            }
            ['*', '*', rest @ ..] => (0..=path.len()).any(|at| is_match_naive(rest, &path[at..])),
            ['*', rest @ ..] => (0..=path.len())
                .take_while(|at| *at == 0 || path[at - 1] != '/')
                .any(|at| is_match_naive(rest, &path[at..])),
            ['?', rest @ ..] => path.first().is_some_and(|c| *c != '/') && is_match_naive(rest, &path[1..]),
            [c, rest @ ..] => path.first() == Some(c) && is_match_naive(rest, &path[1..]),
        }
    }

    proptest::proptest! {
        #[test]
        fn matching_agrees_with_trying_each_way(pattern in "[ab*?/]{0,7}", path in "[ab/]{0,7}") {
            let chars = |text: &str| text.chars().collect::<Vec<_>>();
            proptest::prop_assert_eq!(is_match(&pattern, &path), is_match_naive(&chars(&pattern), &chars(&path)));
        }

        #[test]
        fn any_text_is_read(text in "[A-Z<#\\\\`=\"\\[\\] \n\t-]{0,60}") {
            for instruction in read(&text).unwrap_or_default() {
                let _ = instruction.words();
                assert!(text.get(instruction.span).is_some());
            }
        }
    }
}
