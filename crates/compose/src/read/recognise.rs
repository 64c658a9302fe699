//! How a Compose file is told from other YAML with a key `services`: by its shape. Files of build servers, of Symfony,
//! of Kong and many more have that key too.

use locus_source::words;

/// How far into a file we look.
const LOOK: usize = 64 << 10;

/// The keys at the top of a Compose file; others start with `x-`.
const TOP: &[&str] =
    &["name", "version", "services", "networks", "volumes", "secrets", "configs", "include", "models"];

/// Keys of services of which a file has at least one.
const OF_SERVICES: &[&str] = &[
    "image",
    "build",
    "extends",
    "provider",
    "container_name",
    "command",
    "entrypoint",
    "environment",
    "env_file",
    "ports",
    "volumes",
    "networks",
    "network_mode",
    "depends_on",
    "deploy",
    "restart",
    "healthcheck",
    "labels",
    "profiles",
];

/// Whether a text looks like a Compose file.
///
/// # Errors
/// Why not, as the end of a sentence about the file.
pub(crate) fn recognise(text: &str) -> Result<(), &'static str> {
    let start = &text[..text.floor_char_boundary(LOOK)];
    let keys = if start.trim_start().starts_with('{') { keys_of_json(start) } else { keys_of_yaml(start) };
    let has = |depth: usize, wanted: &str| keys.iter().any(|key| key.depth == depth && key.name == wanted);
    let is_list = |wanted: &str| keys.iter().any(|key| key.depth == 0 && key.name == wanted && key.has_list);
    if !has(0, "services") {
        return Err("it has no key `services` at the top");
    }
    if is_list("services") {
        return Err("its `services` are a list");
    }
    let foreign = |key: &Key<'_>| {
        let known = TOP.iter().map(|known| (*known, *known));
        key.depth == 0 && !key.name.starts_with("x-") && words::nearest(key.name, known).is_none()
    };
    if keys.iter().any(|key| !TOP.contains(&key.name) && foreign(key)) {
        return Err("it has a key at the top that Compose does not know");
    }
    if OF_SERVICES.iter().any(|key| has(2, key)) {
        Ok(())
    } else {
        Err("its `services` are not those of Compose")
    }
}

/// A key of a mapping that is inside of so many others.
#[derive(Debug, PartialEq)]
struct Key<'t> {
    depth: usize,
    name: &'t str,
    /// Whether its value is a list.
    has_list: bool,
}

/// The keys in block style, told by indentation. Those below `services`, and in flow style within one line, only as far
/// as the names of services and their keys go.
fn keys_of_yaml(text: &str) -> Vec<Key<'_>> {
    let mut keys: Vec<Key<'_>> = Vec::new();
    // The indentation of the mappings around the current line.
    let mut around: Vec<usize> = Vec::new();
    for line in text.lines() {
        let content = line.trim_start();
        let indent = line.len() - content.len();
        if content.is_empty() || content.starts_with(['#', '%']) || content.starts_with("---") {
            continue;
        }
        if content == "-" || content.starts_with("- ") {
            if let Some(last) = keys.last_mut()
                && around.last().is_some_and(|last| indent >= *last)
            {
                last.has_list = true;
            }
            continue;
        }
        let Some((name, rest)) = key_of(content) else { continue };
        while around.last().is_some_and(|last| *last > indent) {
            around.pop();
        }
        if around.last() != Some(&indent) {
            around.push(indent);
        }
        let depth = around.len() - 1;
        let rest = rest.trim_start();
        keys.push(Key { depth, name, has_list: rest.starts_with('[') });
        if rest.starts_with('{') {
            keys.extend(
                keys_of_json(rest).into_iter().map(|key| Key { depth: key.depth + depth + 1, ..key }),
            );
        }
    }
    keys
}

/// A key at the start of a line, and what stands after its colon.
fn key_of(line: &str) -> Option<(&str, &str)> {
    if let Some(quote @ ('"' | '\'')) = line.chars().next() {
        let (name, rest) = line[1..].split_once(quote)?;
        return Some((name, rest.trim_start().strip_prefix(':')?));
    }
    let (name, rest) = line.split_once(':')?;
    (rest.is_empty() || rest.starts_with([' ', '\t'])).then_some((name.trim_end(), rest))
}

/// The keys in flow style, of which JSON is a part.
fn keys_of_json(text: &str) -> Vec<Key<'_>> {
    let mut keys = Vec::new();
    let mut open: Vec<u8> = Vec::new();
    let mut word: Option<&str> = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            quote @ (b'"' | b'\'') => {
                let start = at + 1;
                at = start;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                word = text.get(start..at.min(bytes.len()));
            }
            b':' => {
                let list = text[at + 1..].trim_start().starts_with('[');
                if let Some(name) = word.take()
                    && open.last() == Some(&b'{')
                {
                    keys.push(Key { depth: open.len() - 1, name, has_list: list });
                }
            }
            bracket @ (b'{' | b'[') => open.push(bracket),
            b'}' | b']' => {
                open.pop();
                if open.is_empty() {
                    break;
                }
            }
            b if b.is_ascii_alphanumeric() || b"_-.".contains(&b) => {
                let rest = &text[at..];
                let end =
                    rest.find(|c: char| !(c.is_alphanumeric() || "_-.".contains(c))).unwrap_or(rest.len());
                word = Some(&rest[..end]);
                at += end.max(1);
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    keys
}

#[cfg(test)]
mod tests {
    use super::recognise;

    #[test]
    fn compose_files_are_told_by_their_shape() {
        for text in [
            "services:\n  web:\n    image: a:1\n",
            "# c\nversion: '3'\nx-a: &a { b: 1 }\n\nservices:\n  web: &w\n    build: .\n",
            "services: { web: { image: \"a:1\" } }",
            "services:\n  web: { image: \"a:1\", ports: [\"80:80\"] }",
            "{ \"services\": { \"web\": { \"image\": \"a\" } } }",
            "netwroks:\n  a:\nservices:\n  web:\n    image: a\n",
            "services:\n  web:\n    # why\n    ports:\n    - 80:80\n",
        ] {
            assert_eq!(recognise(text), Ok(()), "{text}");
        }
    }

    #[test]
    fn other_files_with_services_are_not() {
        for (what, text) in [
            ("Travis", "language: rust\nservices:\n  - docker\n"),
            ("Travis, only services", "services:\n- docker\n"),
            ("GitLab", "image: rust\nservices:\n  - name: postgres:17\nbuild:\n  script: make\n"),
            ("GitHub", "on: push\njobs:\n  a:\n    services:\n      db:\n        image: postgres\n"),
            ("Woodpecker", "steps:\n  a:\n    image: rust\nservices:\n  db:\n    image: postgres\n"),
            ("Drone", "kind: pipeline\nservices:\n- name: db\n  image: postgres\n"),
            ("Symfony", "parameters:\nservices:\n  _defaults:\n    autowire: true\n"),
            ("Symfony, only services", "services:\n  App\\A:\n    class: App\\A\n    arguments: ['@b']\n"),
            ("Render", "services:\n  - type: web\n    name: a\n"),
            ("Kong", "_format_version: '3.0'\nservices:\n  - name: a\n    url: http://a\n"),
            ("Ansible", "- hosts: all\n  vars:\n    services:\n      a:\n        image: b\n"),
            ("Ansible variables", "services:\n  nginx:\n    state: started\n    enabled: true\n"),
            ("Helm", "replicaCount: 1\nservices:\n  web:\n    image: a\n"),
            ("Kubernetes", "apiVersion: v1\nkind: Service\nmetadata:\n  name: services\n"),
            ("JSON", "{ \"name\": \"a\", \"services\": [ { \"image\": \"b\" } ] }"),
            ("JSON of something else", "{ \"scripts\": { \"services\": { \"a\": { \"image\": 1 } } } }"),
            ("nothing", ""),
        ] {
            assert!(recognise(text).is_err(), "{what}");
        }
    }

    #[test]
    fn any_text_has_an_answer() {
        for text in ["{", "{\"", "{\"\\", "services: {", "services:\n  - {", "{:{:", "'a", "ä: {ö: ü"] {
            let _ = recognise(text);
        }
    }
}
