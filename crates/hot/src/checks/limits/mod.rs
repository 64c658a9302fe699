//! Limits of the services' APIs, as far as Heat does not know them.
//!
//! Heat passes most properties on as they are. Its own constraints are in the catalogue; those of the services are in a
//! table, made from the services' packages. Out of scope: what resources demand of each other.

mod form;
mod table;

use locus_schema::constraint::to_number;
use locus_schema::walk::{Path, Step};
use locus_schema::{Content, Datum, Field};
use locus_source::words::{did_you_mean_word, listed, short};
use locus_source::{Finding, Place, Report, Rule, Severity};
use rustc_hash::FxHashSet;

use self::table::{Limit, Limits};
use crate::catalogue::ResourceType;
use crate::rules::{API_FORM, API_ITEMS, API_KEY, API_LENGTH, API_RANGE, PROPERTY_VALUE, USER_DATA};
use crate::template::{Kind, Resource, Template};

/// Checks all resources that may be created. What Heat refuses by itself never comes to a service.
pub(crate) fn check(template: &Template, report: &mut Report) {
    let refused = report
        .since(0)
        .iter()
        .filter(|finding| finding.code == PROPERTY_VALUE.code && finding.severity == Severity::Error);
    let refused: FxHashSet<Place> = refused.map(|finding| finding.primary.place).collect();
    for resource in &template.resources {
        if resource.created == Some(false) || resource.external_id.is_some() {
            continue;
        }
        let mut open = vec![resource];
        while let Some(resource) = open.pop() {
            open.extend(resource.members.iter().filter(|member| !member.again));
            of_resource(resource, &refused, report);
        }
    }
}

fn of_resource(resource: &Resource, refused: &FxHashSet<Place>, report: &mut Report) {
    let Kind::Known(kind) = &resource.kind else { return };
    if !resource.properties_known {
        return;
    }
    if let Some(limits) = table::of_type(&kind.name) {
        let mut looking = Looking { resource, kind, service: service(&kind.name), refused, report };
        for field in last_of_each(&resource.properties) {
            let at = Path { outer: None, step: Step::Key(&field.key) };
            limits.of(&field.key).into_iter().for_each(|limits| looking.value(limits, &field.value, &at));
        }
    }
    if &*kind.name == "OS::Nova::Server" {
        user_data(resource, report);
    }
}

/// Of keys that are repeated the last counts.
fn last_of_each(fields: &[Field]) -> impl Iterator<Item = &Field> {
    fields
        .iter()
        .enumerate()
        .filter(|(at, field)| fields[at + 1..].iter().all(|later| later.key != field.key))
        .map(|(_, field)| field)
}

/// The service of a type: `Nova` of `OS::Nova::Server`.
fn service(kind: &str) -> &str {
    kind.split("::").nth(1).unwrap_or(kind)
}

struct Looking<'l> {
    resource: &'l Resource,
    kind: &'l ResourceType,
    service: &'l str,
    /// The places of values that Heat refuses.
    refused: &'l FxHashSet<Place>,
    report: &'l mut Report,
}

impl Looking<'_> {
    fn value(&mut self, limits: &Limits, datum: &Datum, at: &Path<'_>) {
        for limit in &limits.own {
            self.limit(limit, datum, at);
        }
        match &datum.value {
            Content::Map(fields) => {
                for field in last_of_each(fields) {
                    let path = Path { outer: Some(at), step: Step::Key(&field.key) };
                    limits
                        .of(&field.key)
                        .into_iter()
                        .for_each(|limits| self.value(limits, &field.value, &path));
                }
            }
            Content::List(items) => {
                let Some(limits) = limits.of("*") else { return };
                for (index, item) in items.iter().enumerate() {
                    self.value(limits, item, &Path { outer: Some(at), step: Step::Item(index) });
                }
            }
            _ => {}
        }
    }

    fn limit(&mut self, limit: &Limit, datum: &Datum, at: &Path<'_>) {
        match (&datum.value, limit) {
            (Content::List(items), Limit::Items(..) | Limit::Distinct) => {
                self.items(limit, items, datum, at);
            }
            (Content::Map(fields), Limit::Keys(_) | Limit::KnownKeys(_)) => {
                fields.iter().for_each(|field| self.key(limit, field, at));
            }
            (
                Content::Str(_) | Content::Int(_) | Content::BigInt(_) | Content::Float(_) | Content::Bool(_),
                _,
            ) => {
                self.scalar(limit, datum, at);
            }
            _ => {}
        }
    }

    fn scalar(&mut self, limit: &Limit, datum: &Datum, at: &Path<'_>) {
        if self.refused.contains(&datum.place) {
            return;
        }
        let text = datum.value.to_text();
        let text = text.as_deref();
        // For an empty name, Heat makes one up.
        if text == Some("") && at.outer.is_none() && ["name", "flavorid"].contains(&at.key()) {
            return;
        }
        match limit {
            Limit::Length(least, most) => {
                let Some(length) = text.map(|text| text.chars().count()) else { return };
                if length < *least || most.is_some_and(|most| length > most) {
                    let wanted = count_wanted(*least, *most, "character");
                    let message =
                        format!("has {}, and {} takes {wanted}", count(length, "character"), self.service);
                    self.say(&API_LENGTH, &message, datum, at);
                }
            }
            Limit::Range { least, excluded, most } => {
                let Some(number) = to_number(&datum.value) else { return };
                let low = least.is_some_and(|least| number < least || *excluded && number <= least);
                if low || most.is_some_and(|most| number > most) {
                    let wanted = match (least, most) {
                        (Some(least), _) if low && *excluded => format!("more than {least}"),
                        (Some(least), _) if low => format!("at least {least}"),
                        (_, Some(most)) => format!("at most {most}"),
                        _ => return,
                    };
                    self.say(
                        &API_RANGE,
                        &format!("is {}, and {} takes {wanted}", datum.shown(), self.service),
                        datum,
                        at,
                    );
                }
            }
            Limit::OneOf(allowed) if text.is_some_and(|text| allowed.iter().all(|one| one != text)) => {
                let wanted = listed(allowed.iter().map(String::as_str));
                self.say(
                    &API_FORM,
                    &format!("is {}, and {} takes {wanted}", datum.shown(), self.service),
                    datum,
                    at,
                );
            }
            Limit::Search(pattern) if text.and_then(|text| pattern.matches(text)) == Some(false) => {
                self.say(
                    &API_FORM,
                    &format!("is {}, which {} does not take", datum.shown(), self.service),
                    datum,
                    at,
                );
            }
            Limit::Form(form) => {
                if let (Content::Str(text), shown) = (&datum.value, datum.shown())
                    && let Some(wanted) = form::problem(form, text)
                {
                    self.say(&API_FORM, &format!("is {shown}: for {} {wanted}", self.service), datum, at);
                }
            }
            Limit::Integer if text.is_some_and(|text| text.trim().parse::<i64>().is_err()) => {
                let message = format!("is {}, and {} takes whole numbers", datum.shown(), self.service);
                self.say(&API_FORM, &message, datum, at);
            }
            Limit::Boolean => {
                let known = ["true", "false", "1", "0", "t", "f", "yes", "no", "y", "n", "on", "off"];
                if text.is_some_and(|text| !known.contains(&&*text.trim().to_lowercase())) {
                    self.say(
                        &API_FORM,
                        &format!("is {}: for {} it is true or false", datum.shown(), self.service),
                        datum,
                        at,
                    );
                }
            }
            Limit::Text if !matches!(datum.value, Content::Str(_)) => {
                let message =
                    format!("is {}, and {} takes a text: write it in quotes", datum.shown(), self.service);
                self.say(&API_FORM, &message, datum, at);
            }
            _ => {}
        }
    }

    fn items(&mut self, limit: &Limit, items: &[Datum], datum: &Datum, at: &Path<'_>) {
        // How many there are is not certain where one may be left out.
        let known = items
            .iter()
            .filter(|item| !matches!(item.value, Content::Unknown(_) | Content::Absent | Content::Null));
        let number = known.count();
        match limit {
            Limit::Items(least, most) => {
                let low = number == items.len() && number < *least;
                if low || most.is_some_and(|most| number > most) {
                    let wanted = count_wanted(*least, *most, "item");
                    let message =
                        format!("has {}, and {} takes {wanted}", count(number, "item"), self.service);
                    self.say(&API_ITEMS, &message, datum, at);
                }
            }
            Limit::Distinct => {
                for (index, item) in items.iter().enumerate() {
                    let before =
                        items[..index].iter().find(|one| one.value.equals(&item.value) == Some(true));
                    if let Some(before) = before {
                        let path = Path { outer: Some(at), step: Step::Item(index) };
                        let message =
                            format!("`{path}` of `{}` is there already", short(&self.resource.name.text));
                        let finding =
                            Finding::new(&API_ITEMS, item.place, message).also(before.place, "here");
                        self.report.add(finding.help("leave one of the two out"));
                    }
                }
            }
            _ => {}
        }
    }

    fn key(&mut self, limit: &Limit, field: &Field, at: &Path<'_>) {
        let (name, key) = (short(&self.resource.name.text), short(&field.key));
        match limit {
            Limit::Keys(pattern) if pattern.matches(&field.key) == Some(false) => {
                let why = match field.key.chars().count() {
                    0 => "is empty".to_owned(),
                    long if long > 255 => format!("has {}", count(long, "character")),
                    _ => "has characters that are not for keys".to_owned(),
                };
                let message =
                    format!("a key in `{at}` of `{name}` {why}: {} does not take `{key}`", self.service);
                let help = "use at most 255 letters, digits, hyphens, underscores, colons and dots";
                self.report.add(Finding::new(&API_KEY, field.place, message).help(help));
            }
            // What is a property, too, is a fault of its own.
            Limit::KnownKeys(known)
                if !known.iter().any(|one| **one == *field.key)
                    && self.kind.property(&field.key).is_none() =>
            {
                let message =
                    format!("{} knows no attribute `{key}`, which `{at}` of `{name}` has", self.service);
                let finding = Finding::new(&API_KEY, field.place, message);
                let mut finding = did_you_mean_word(finding, &field.key, known.iter().map(String::as_str));
                // An extension of a vendor has a prefix, and may be known to a cloud.
                if field.key.contains(':') {
                    finding.severity = Severity::Warning;
                }
                self.report.add(finding);
            }
            _ => {}
        }
    }

    fn say(&mut self, rule: &Rule, message: &str, datum: &Datum, at: &Path<'_>) {
        let message = format!("`{at}` of `{}` {message}", short(&self.resource.name.text));
        let finding = Finding::new(rule, datum.place, message);
        self.report.add(match datum.origin {
            Some(origin) => finding.also(origin, "the value comes from here"),
            None => finding,
        });
    }
}

/// `1 item`, `2 items`.
fn count(number: usize, what: &str) -> String {
    if number == 1 { format!("1 {what}") } else { format!("{number} {what}s") }
}

fn count_wanted(least: usize, most: Option<usize>, what: &str) -> String {
    match most {
        None => format!("at least {}", count(least, what)),
        Some(most) if least == 0 => format!("at most {most}"),
        Some(most) => format!("{least} to {most}"),
    }
}

/// So many bytes Nova takes, after Heat has encoded them as base64.
const ENCODED: usize = 65_535;
/// So many bytes Heat adds at least, where `user_data_format` is `HEAT_CFNTOOLS`: it puts a message of several parts
/// together, with scripts of its own. Heat 24.1.2 adds 6,463.
const ADDED: usize = 6_000;

/// Checks the size of the user data of a server.
fn user_data(resource: &Resource, report: &mut Report) {
    let Some(datum) = resource.property("user_data") else { return };
    let Some(text) = datum.as_str() else { return };
    let added = match resource.property("user_data_format").map(|format| &format.value) {
        None | Some(Content::Null | Content::Absent) => ADDED,
        Some(Content::Str(format)) if &**format == "HEAT_CFNTOOLS" => ADDED,
        Some(_) => 0,
    };
    if (text.len() + added).div_ceil(3) * 4 > ENCODED {
        let (name, length) = (short(&resource.name.text), text.len());
        let more = if added > 0 { format!(", to which Heat adds more than {added}") } else { String::new() };
        let room = ENCODED / 4 * 3;
        let message = format!(
            "`user_data` of `{name}` has {length} bytes{more}, and there is room for {room} in a request to Nova"
        );
        let finding = Finding::new(&USER_DATA, datum.place, message);
        report.add(finding.help("let the server fetch the rest when it starts"));
    }
}
