//! The table of limits, `catalogue/limits.txt`, which `tools/openstack-limits.py` makes.
//!
//! `=TYPE` begins a type. Each further line has the path of a value within the properties, in which `*` is any item of
//! a list or the value of any key of a map, and fields after tabs:
//!
//! - `l:LEAST..MOST` characters, `r:LEAST..MOST` for numbers (`0<` for more than 0), `v:` allowed texts as JSON,
//! - `p:` a pattern that is searched, `f:` a form with a name, `c:int` and `c:bool` what a service makes of a text,
//!   `c:text` for what it does not make of a number,
//! - `i:LEAST..MOST` items, `u` for items that all differ,
//! - `k:` a pattern for the keys of a map, `n:` the keys as JSON.

use std::sync::OnceLock;

use locus_schema::Pattern;
use rustc_hash::FxHashMap;

const TEXT: &str = include_str!("../../catalogue/limits.txt");

/// The limits of a value and of what is in it.
#[derive(Debug, Default)]
pub(super) struct Limits {
    /// Those of the value.
    pub(super) own: Vec<Limit>,
    /// Those of keys and, as `*`, of all items and all other keys.
    within: Vec<(&'static str, Limits)>,
}

/// A limit of a service.
#[derive(Debug)]
pub(super) enum Limit {
    /// So many characters.
    Length(usize, Option<usize>),
    /// A number between these, the first of which may be excluded.
    Range { least: Option<f64>, excluded: bool, most: Option<f64> },
    /// One of these texts.
    OneOf(Vec<String>),
    /// Something in the text matches.
    Search(Pattern),
    /// A form that has a name.
    Form(&'static str),
    /// A whole number, perhaps as a text.
    Integer,
    /// True or false, perhaps as a text.
    Boolean,
    /// A text, and no number that is written without quotes.
    Text,
    /// So many items.
    Items(usize, Option<usize>),
    /// Items that all differ.
    Distinct,
    /// In each key, something matches.
    Keys(Pattern),
    /// Only these keys.
    KnownKeys(Vec<String>),
}

impl Limits {
    /// The limits of the value of a key, or of an item.
    pub(super) fn of(&self, key: &str) -> Option<&Limits> {
        let found =
            |name: &str| self.within.iter().find(|(known, _)| *known == name).map(|(_, limits)| limits);
        found(key).or_else(|| found("*"))
    }

    fn at(&mut self, path: &'static str) -> &mut Limits {
        path.split('/').fold(self, |limits, step| {
            let at = limits.within.iter().position(|(known, _)| *known == step).unwrap_or_else(|| {
                limits.within.push((step, Limits::default()));
                limits.within.len() - 1
            });
            &mut limits.within[at].1
        })
    }
}

struct Slot {
    lines: &'static str,
    decoded: OnceLock<Limits>,
}

/// The limits of the properties of a type, if its service has any that Heat does not know.
pub(super) fn of_type(name: &str) -> Option<&'static Limits> {
    static INDEX: OnceLock<FxHashMap<&'static str, Slot>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let types = TEXT.split("\n=").skip(1).map(|lines| lines.split_once('\n').unwrap_or((lines, "")));
        types.map(|(name, lines)| (name, Slot { lines, decoded: OnceLock::new() })).collect()
    });
    let slot = index.get(name)?;
    Some(slot.decoded.get_or_init(|| decode(slot.lines)))
}

/// The lines are ours, so what they say is not in doubt.
fn decode(lines: &'static str) -> Limits {
    let mut limits = Limits::default();
    for line in lines.lines() {
        let mut fields = line.split('\t');
        let path = fields.next().unwrap_or_default();
        limits.at(path).own.extend(fields.filter_map(limit));
    }
    limits
}

fn limit(field: &'static str) -> Option<Limit> {
    let (sign, rest) = field.split_once(':').unwrap_or((field, ""));
    let ends = || rest.split_once("..").unwrap_or((rest, ""));
    let whole = |text: &str| text.parse().ok();
    let count = || (whole(ends().0).unwrap_or(0), whole(ends().1));
    Some(match sign {
        "l" => Limit::Length(count().0, count().1),
        "r" => {
            let (least, most) = ends();
            let (least, excluded) = least.strip_suffix('<').map_or((least, false), |least| (least, true));
            Limit::Range { least: least.parse().ok(), excluded, most: most.parse().ok() }
        }
        "v" => Limit::OneOf(serde_json::from_str(rest).ok()?),
        // To search is to match with anything around it.
        "p" => Limit::Search(Pattern::new(&format!(r"[\s\S]*?(?:{rest})[\s\S]*"))),
        "k" => Limit::Keys(Pattern::new(&format!(r"[\s\S]*?(?:{rest})[\s\S]*"))),
        "f" => Limit::Form(rest),
        "c" if rest == "int" => Limit::Integer,
        "c" if rest == "text" => Limit::Text,
        "c" => Limit::Boolean,
        "i" => Limit::Items(count().0, count().1),
        "u" => Limit::Distinct,
        "n" => Limit::KnownKeys(serde_json::from_str(rest).ok()?),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    /// All limits with their paths.
    fn each<'l>(limits: &'l Limits, path: &str, see: &mut impl FnMut(&str, &'l Limit)) {
        limits.own.iter().for_each(|limit| see(path, limit));
        for (step, within) in &limits.within {
            each(within, &format!("{path}/{step}"), see);
        }
    }

    #[test]
    fn every_line_is_understood_and_about_a_property() {
        let mut fields = 0;
        for lines in TEXT.split("\n=").skip(1) {
            let (name, lines) = lines.split_once('\n').unwrap_or((lines, ""));
            let kind = catalogue::resource_type(name).unwrap_or_else(|| panic!("{name}"));
            for line in lines.lines() {
                let mut parts = line.split('\t');
                let path = parts.next().unwrap();
                let top = path.split('/').next().unwrap();
                assert!(kind.property(top).is_some(), "{name} {path}");
                for field in parts {
                    assert!(limit(field).is_some(), "{name} {line}");
                    fields += 1;
                }
            }
        }
        let mut decoded = 0;
        for name in catalogue::type_names() {
            if let Some(limits) = of_type(name) {
                each(limits, "", &mut |path, limit| {
                    decoded += 1;
                    if let Limit::Search(pattern) | Limit::Keys(pattern) = limit {
                        assert!(pattern.matches("x").is_some(), "{name}{path}");
                    }
                });
            }
        }
        assert!(fields > 250 && decoded == fields, "{fields} {decoded}");
    }

    #[test]
    fn limits_are_found_by_their_path() {
        let flavor = of_type("OS::Nova::Flavor").unwrap();
        assert!(matches!(
            flavor.of("ram").unwrap().own[..],
            [Limit::Range { least: Some(1.0), excluded: false, .. }]
        ));
        assert!(matches!(flavor.of("rxtx_factor").unwrap().own[..], [Limit::Range { excluded: true, .. }]));
        let specs = flavor.of("extra_specs").unwrap();
        assert!(matches!(specs.of("hw:cpu_policy").unwrap().own[..], [Limit::OneOf(_)]));
        assert!(matches!(specs.of("anything").unwrap().own[..], [Limit::Length(0, Some(255))]));
        assert!(flavor.of("is_public").is_none());
        assert!(of_type("OS::Heat::Value").is_none());
    }
}
