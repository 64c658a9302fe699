//! Variables in all strings of a file, and the conversion of strings to what the specification wants in their place.

use std::cell::RefCell;
use std::collections::BTreeSet;

use locus_source::words::short;
use locus_source::{Finding, Fix, Place, Replacement};

use crate::read::dotenv::Variables;
use crate::report::Report;
use crate::rules;
use crate::values::datum::{Content, Datum};
use crate::values::template::{Lookup, TemplateError, substitute};

/// The most bytes of strings of a project that are made of variables.
const MOST_MADE: usize = 64 << 20;

/// Puts the values of variables into all strings of a model.
pub(crate) fn interpolate(model: &mut Datum, variables: &Variables, report: &mut Report) {
    Interpolation { variables, path: Vec::new(), report }.value(model);
}

/// The value of one string; nothing if it is no template.
pub(crate) fn interpolate_text(
    text: &str,
    place: Place,
    variables: &Variables,
    report: &mut Report,
) -> Option<String> {
    let hidden = &report.hidden;
    let mut scope = Scope { variables, unset: BTreeSet::new(), hidden, asked: RefCell::default() };
    let result = substitute(text, &mut scope);
    let Scope { unset, asked, .. } = scope;
    let asked = asked.into_inner();
    for name in unset.difference(&asked) {
        report.unset(name, place);
    }
    report.unknown.extend(asked.iter().map(|name| (name.clone(), place)));
    match result {
        Ok(made) if report.made.has_room(text, &made, MOST_MADE) => Some(made),
        Ok(_) => {
            let message = "with the values of their variables, the strings up to here are longer than 64 MB";
            report.add(Finding::new(&rules::TEMPLATE, place, message));
            None
        }
        Err(error) => {
            report.add(template_error(&error, text, place));
            None
        }
    }
}

/// The value of one string.
pub(crate) fn with(text: &str, variables: &Variables) -> Result<String, TemplateError> {
    let hidden = &BTreeSet::new();
    substitute(text, &mut Scope { variables, unset: BTreeSet::new(), hidden, asked: RefCell::default() })
}

fn template_error(error: &TemplateError, text: &str, place: Place) -> Finding {
    match error {
        TemplateError::Format => {
            let message = format!("`{}` has a `$` that starts no variable", short(text));
            let help = "write `$$` for a dollar sign";
            Finding::new(&rules::TEMPLATE, place, message).help(help)
        }
        TemplateError::Deep | TemplateError::Long => Finding::new(&rules::TEMPLATE, place, error.message()),
        TemplateError::Missing { name, .. } => {
            let help = format!("set `{name}` in the environment or in `.env`");
            Finding::new(&rules::REQUIRED_VARIABLE, place, error.message()).help(help)
        }
    }
}

struct Scope<'a> {
    variables: &'a Variables,
    unset: BTreeSet<String>,
    /// Variables that have a value nobody may see.
    hidden: &'a BTreeSet<String>,
    /// Those of them that were asked for.
    asked: RefCell<BTreeSet<String>>,
}

impl Lookup for Scope<'_> {
    fn value(&self, name: &str) -> Option<String> {
        let value = self.variables.get(name).cloned();
        if value.is_none() && self.hidden.contains(name) {
            self.asked.borrow_mut().insert(name.to_owned());
        }
        value
    }

    fn unset(&mut self, name: &str) {
        self.unset.insert(name.to_owned());
    }
}

/// All that a string is converted to at some paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cast {
    Int,
    Float,
    /// With the precision of 32 bits.
    Float32,
    Bool,
}

fn cast(path: &[&str]) -> Option<Cast> {
    Some(match path {
        ["services", _, rest @ ..] => match rest {
            [
                "cpu_count" | "cpu_period" | "cpu_quota" | "cpu_rt_period" | "cpu_rt_runtime" | "cpu_shares"
                | "oom_score_adj" | "pids_limit" | "scale",
            ]
            | ["deploy", "replicas"]
            | ["deploy", "update_config" | "rollback_config", "parallelism"]
            | ["deploy", "restart_policy", "max_attempts"]
            | ["deploy", "placement", "max_replicas_per_node"]
            | ["healthcheck", "retries"]
            | ["ports", "[]", "target"]
            | ["ulimits", _]
            | ["ulimits", _, "hard" | "soft"] => Cast::Int,
            ["cpu_percent"] | ["deploy", "update_config" | "rollback_config", "max_failure_ratio"] => {
                Cast::Float
            }
            ["cpus"] => Cast::Float32,
            ["init" | "oom_kill_disable" | "privileged" | "read_only" | "stdin_open" | "tty"]
            | ["healthcheck", "disable"]
            | ["volumes", "[]", "read_only"]
            | ["volumes", "[]", "volume", "nocopy"] => Cast::Bool,
            _ => return None,
        },
        ["networks", _, "external" | "internal" | "attachable" | "enable_ipv4" | "enable_ipv6"]
        | ["volumes" | "secrets" | "configs", _, "external"] => Cast::Bool,
        _ => return None,
    })
}

struct Interpolation<'a, 'r> {
    variables: &'a Variables,
    path: Vec<String>,
    report: &'r mut Report,
}

impl Interpolation<'_, '_> {
    fn value(&mut self, value: &mut Datum) {
        match &mut value.content {
            Content::Map(map) => {
                for (key, value) in map.iter_mut() {
                    self.path.push(key.to_owned());
                    self.value(value);
                    self.path.pop();
                }
            }
            Content::List(items) => {
                self.path.push("[]".to_owned());
                for item in items {
                    self.value(item);
                }
                self.path.pop();
            }
            Content::Str(text) => {
                if text.contains('$')
                    && let Some(new) = interpolate_text(text, value.place, self.variables, self.report)
                {
                    *text = new;
                }
                let path: Vec<&str> = self.path.iter().map(String::as_str).collect();
                if let Some(cast) = cast(&path) {
                    match convert(text, cast, value.place, self.report) {
                        Some(content) => value.content = content,
                        None => self.cannot(cast, value),
                    }
                }
            }
            _ => {}
        }
    }

    fn cannot(&mut self, cast: Cast, value: &Datum) {
        let wanted = match cast {
            Cast::Int => "a whole number",
            Cast::Float | Cast::Float32 => "a number",
            Cast::Bool => "`true` or `false`",
        };
        let path = self.path.join(".").replace(".[]", "[]");
        let message = format!("`{path}` must be {wanted}, not `{}`", short(&value.print()));
        self.report.say(&rules::CAST, value.place, message);
    }
}

fn convert(text: &str, cast: Cast, place: Place, report: &mut Report) -> Option<Content> {
    match cast {
        Cast::Int => whole(text).map(Content::Int),
        Cast::Float => number(text).map(Content::Float),
        Cast::Float32 => number(text).map(|value| Content::Float(single(value))),
        Cast::Bool => truth(text, place, report).map(Content::Bool),
    }
}

/// A whole number in decimal digits with a sign or without.
pub(crate) fn whole(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// A number as Go reads it.
pub(crate) fn number(text: &str) -> Option<f64> {
    let blank = text.is_empty() || text.trim() != text;
    if blank { None } else { text.parse().ok() }
}

/// The number that 32 bits hold, written with as few digits as they need.
pub(crate) fn single(value: f64) -> f64 {
    (value as f32).to_string().parse().unwrap_or(value)
}

/// A truth value, also in the words of YAML 1.1, which are reported.
pub(crate) fn truth(text: &str, place: Place, report: &mut Report) -> Option<bool> {
    let value = match text.to_lowercase().as_str() {
        "true" => return Some(true),
        "false" => return Some(false),
        "y" | "yes" | "on" => true,
        "n" | "no" | "off" => false,
        _ => return None,
    };
    let message = format!("`{}` is a truth value only in YAML 1.1", short(text));
    let finding = Finding::new(&rules::TRUTH_WORD, place, message);
    let replacement = Replacement { place, old: text.to_owned(), new: value.to_string() };
    let fix = Fix { replacements: vec![replacement], is_certain: true };
    report.add(finding.help(format!("write `{value}`")).fix(fix));
    Some(value)
}

#[cfg(test)]
mod tests {
    use locus_source::{Sources, Span};

    use super::*;

    #[test]
    fn the_strings_of_a_project_have_a_limit_together() {
        let place = Sources::new().add("compose.yaml", "").place(Span::point(0));
        let variables = Variables::from([("BIG".to_owned(), "x".repeat(1 << 20))]);
        let mut report = Report::default();
        let plain = "y".repeat(1 << 20);
        for _ in 0..64 {
            assert!(interpolate_text("$BIG", place, &variables, &mut report).is_some());
            // What has no variables is as long as the file has it.
            assert!(interpolate_text(&plain, place, &variables, &mut report).is_some());
        }
        assert!(!report.has_failed());
        assert!(interpolate_text("${BIG}", place, &variables, &mut report).is_none());
        let findings = report.finish().findings;
        assert!(findings[0].message.contains("64 MB"), "{findings:?}");
    }
}
