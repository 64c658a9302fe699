//! Mistakes in the text of rules, before they see any file: a comment that says something nobody reads, a variable
//! that the rule does not have, a file without a rule; and what is easily misunderstood.

use std::collections::BTreeMap;

use locus_alloy::ast::{BinOp, ListOp, Quant, UnOp};
use locus_alloy::model::{E, Kind, World};
use locus_alloy::types::Type;
use locus_source::{FileId, Finding, Place, Severity, Sources, Span, words};

use crate::description::{Description, TAGS, When, text_of};
use crate::phrase::Path;
use crate::{COMMENT, MAY_BE_EMPTY, NO_RULE, Rules, UNNAMED};

/// The variables that findings of a rule can speak of, with their types.
type Variables = BTreeMap<String, Type>;

impl Rules {
    /// Returns faults and pitfalls in the rules of a file.
    pub fn faults(&self, sources: &Sources, file: FileId) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut any = false;
        for (at, fact) in self.model.facts().iter().enumerate().filter(|(_, fact)| fact.place.file == file) {
            any = true;
            if let Some(doc) = fact.doc {
                let comment = Comment { text: sources.get(doc.file).slice(doc.span).to_owned(), place: doc };
                let mut variables = Variables::new();
                bound_by(self.model.world(), &fact.body, true, 0, &mut variables);
                self.comment(&comment, &self.description(at), &variables, &mut findings);
            }
            let mut empty = Emptiness { world: self.model.world(), asked: Vec::new(), met: Vec::new() };
            empty.visit(&fact.body);
            findings.extend(empty.findings());
        }
        if !any {
            findings.push(self.no_rule(sources, file));
        }
        findings
    }

    fn no_rule(&self, sources: &Sources, file: FileId) -> Finding {
        let world = self.model.world();
        let pred = world.funcs.iter().find(|func| func.is_pred && func.place.file == file);
        let place = pred.map_or_else(|| Place::new(file, Span::point(0)), |pred| pred.place);
        let message = format!("`{}` has no rule: nothing in it is a `fact`", sources.get(file).name());
        let finding = Finding::new(&NO_RULE, place, message);
        match pred {
            Some(pred) if pred.count() == 0 => finding.help(format!(
                "a `pred` says something only where it is used: write `fact {{ {} }}`, or make it a fact",
                pred.name
            )),
            _ => finding.help("write `fact name { all x: … | … }`"),
        }
    }

    fn comment(&self, comment: &Comment, read: &Description, variables: &Variables, out: &mut Vec<Finding>) {
        let tags = comment.tags();
        if read.rule.code == UNNAMED.code && !tags.is_empty() {
            let message = "the comment of this rule does not begin with a code, a name and a sentence";
            let finding = Finding::new(&COMMENT, comment.place, message);
            out.push(finding.help("begin it with `OWN001 short-name: A sentence that says what holds.`"));
        }
        for (tag, text, place) in tags {
            if !TAGS.contains(&tag) {
                let message = format!("`@{tag}` is nothing that the comment of a rule can say");
                let finding = Finding::new(&COMMENT, place, message);
                out.push(finding.help(match words::nearest(tag, TAGS.map(|known| (known, known))) {
                    Some(near) => format!("did you mean `@{near}`?"),
                    None => format!("it can say {}", listed(TAGS.iter().map(|tag| format!("`@{tag}`")))),
                }));
            } else if tag == "severity" && text.parse::<Severity>().is_err() {
                let message = format!("`{text}` is not a severity");
                let help = "a rule is an `error`, a `warning` or a `note`";
                out.push(Finding::new(&COMMENT, place, message).help(help));
            } else if tag == "when" && When::parse(&text).is_none() {
                let message = format!("`{text}` is no time at which a rule holds");
                let help = "a rule is about the `text`, holds `always`, at the `end`, or before a `delete`";
                out.push(Finding::new(&COMMENT, place, message).help(help));
            } else if matches!(tag, "at" | "also") && text.is_empty() {
                let message = format!("`@{tag}` says no place");
                out.push(Finding::new(&COMMENT, place, message).help(format!("name a variable: `@{tag} p`")));
            } else if tag == "message" && text.contains('{') && !text.contains('}') {
                let message = "the brace in this message is never closed";
                out.push(Finding::new(&COMMENT, place, message).help("a variable stands in braces: `{p}`"));
            }
        }
        for path in read.paths() {
            if let Some(finding) = self.path(comment, path, variables) {
                out.push(finding);
            }
        }
    }

    /// Returns a fault of a variable and the fields after it.
    fn path(&self, comment: &Comment, path: &Path, variables: &Variables) -> Option<Finding> {
        let world = self.model.world();
        let written = path.to_string();
        let Some(ty) = variables.get(&path.variable) else {
            let message = format!("this rule has no variable `{}`", path.variable);
            let finding = Finding::new(&COMMENT, comment.find(&written), message);
            let names = variables.keys().map(|name| (name.as_str(), name));
            return Some(
                finding.help(match words::nearest(&path.variable, names) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if variables.is_empty() => {
                        "findings can speak of the variables of the outermost `all`, and this rule has none"
                            .to_owned()
                    }
                    None => format!(
                        "findings can speak of the variables of the outermost `all`: {}",
                        listed(variables.keys().map(|name| format!("`{name}`")))
                    ),
                }),
            );
        };
        let mut ty = ty.clone();
        for field in &path.fields {
            let next = |field: &locus_alloy::model::Field| ty.join(&field.ty, &world.hierarchy);
            let known: Vec<&locus_alloy::model::Field> =
                world.fields.iter().filter(|field| next(field).has_tuple()).collect();
            let mut named = known.iter().filter(|known| known.name == *field).map(|known| next(known));
            let Some(first) = named.next() else {
                let shown = world.show_type(&ty);
                let message = format!("`{}` has no field `{field}`", shown.trim_matches(['{', '}']));
                let finding = Finding::new(&COMMENT, comment.find(&written), message);
                let names = known.iter().map(|known| (known.name.as_str(), known.name.as_str()));
                return Some(match words::nearest(field, names) {
                    Some(near) => finding.help(format!("did you mean `{near}`?")),
                    None => finding,
                });
            };
            ty = named.fold(first, |all, one| all.merge(&one, &world.hierarchy));
        }
        None
    }
}

/// Words with commas between them.
fn listed(words: impl Iterator<Item = String>) -> String {
    words.collect::<Vec<_>>().join(", ")
}

/// The comment of a rule, as it stands in its file.
struct Comment {
    text: String,
    place: Place,
}

impl Comment {
    /// The tags, each with its text up to the end of the line, and where it stands.
    fn tags(&self) -> Vec<(&str, String, Place)> {
        let mut tags = Vec::new();
        let mut start = 0;
        for line in self.text.split_inclusive('\n') {
            let inner = line.trim_start().trim_start_matches(['/', '*']).trim_start();
            if let Some(tagged) = inner.strip_prefix('@') {
                let tag = tagged.split(char::is_whitespace).next().unwrap_or_default();
                let at = start + line.len() - inner.len();
                let text = text_of(tagged[tag.len()..].trim_end().trim_end_matches("*/"));
                tags.push((tag, text, self.at(at, 1 + tag.len())));
            }
            start += line.len();
        }
        tags
    }

    /// Where something is written.
    fn find(&self, what: &str) -> Place {
        let braced = format!("{{{what}");
        let at = self.text.find(&braced).map(|at| at + 1).or_else(|| self.text.find(what));
        at.map_or(self.place, |at| self.at(at, what.len()))
    }

    fn at(&self, at: usize, length: usize) -> Place {
        let start = self.place.span.start as usize + at;
        Place::new(self.place.file, Span::new(start, start + length))
    }
}

/// So deep predicates are looked into.
const DEEP: u32 = 20;

/// The variables that a violation of a formula can have values for: those of `all` at its outside, and of `some` where
/// it is negated.
fn bound_by(world: &World, e: &E, positive: bool, depth: u32, out: &mut Variables) {
    if depth > DEEP {
        return;
    }
    let mut both = |a: &E, a_positive: bool, b: &E| {
        bound_by(world, a, a_positive, depth, out);
        bound_by(world, b, positive, depth, out);
    };
    match &e.kind {
        Kind::List(ListOp::And | ListOp::Or, parts) => {
            for part in parts {
                bound_by(world, part, positive, depth, out);
            }
        }
        Kind::Unary(UnOp::Not, inner) => bound_by(world, inner, !positive, depth, out),
        Kind::Binary(BinOp::Implies, a, b) => both(a, !positive, b),
        Kind::IfElse(_, a, b) => both(a, positive, b),
        Kind::Let(_, _, body) => bound_by(world, body, positive, depth, out),
        Kind::Call(func, _) => {
            let body = &world.func(*func).body;
            bound_by(world, body, positive, depth + 1, out);
        }
        Kind::Quant(quant, decls, body) => {
            let binds = match quant {
                Quant::All | Quant::No => positive,
                Quant::Some => !positive,
                _ => false,
            };
            if !binds {
                return;
            }
            for var in decls.iter().flat_map(|decl| &decl.vars) {
                let known = out.entry(var.name.clone()).or_insert_with(|| var.ty.clone());
                *known = known.merge(&var.ty, &world.hierarchy);
            }
            bound_by(world, body, positive != (*quant == Quant::No), depth, out);
        }
        _ => {}
    }
}

/// A path along fields that may lead to nothing.
struct Lead {
    name: String,
    place: Place,
}

/// Comparisons of what may have no value, in one rule.
struct Emptiness<'w> {
    world: &'w World,
    /// The paths that the rule asks to be there, or not to be.
    asked: Vec<String>,
    /// The paths that it compares, and whether by `in`.
    met: Vec<(Lead, bool)>,
}

impl Emptiness<'_> {
    fn visit(&mut self, e: &E) {
        match &e.kind {
            Kind::Unary(UnOp::Some | UnOp::No | UnOp::One | UnOp::Lone | UnOp::Cardinality, inner) => {
                self.asked.extend(self.lead(inner).map(|lead| lead.name));
            }
            Kind::Binary(BinOp::In, a, _) => self.met.extend(self.lead(a).map(|lead| (lead, true))),
            Kind::Binary(op, a, b) if is_order(*op) => {
                let leads = [self.lead(a), self.lead(b)];
                self.met.extend(leads.into_iter().flatten().map(|lead| (lead, false)));
            }
            _ => {}
        }
        e.kind.each_part(&mut |part| self.visit(part));
    }

    /// A variable and fields after it of which the last may have no value.
    fn lead(&self, e: &E) -> Option<Lead> {
        match &e.kind {
            Kind::Unary(UnOp::Sum, inner) => self.lead(inner),
            Kind::Binary(BinOp::Join, from, field) => {
                let Kind::Field(field) = field.kind else { return None };
                let declared = self.world.field(field);
                let decls = &self.world.sig(declared.sig).decls;
                let bound =
                    decls.iter().find(|decl| decl.fields.contains(&field)).map(|decl| &decl.bound.kind);
                let may_be_empty = matches!(bound, Some(Kind::Unary(UnOp::LoneOf | UnOp::SetOf, _)));
                let name = format!("{}.{}", path_name(self.world, from)?, declared.name);
                may_be_empty.then_some(Lead { name, place: e.place })
            }
            _ => None,
        }
    }

    fn findings(self) -> Vec<Finding> {
        let mut seen: Vec<String> = Vec::new();
        let mut findings = Vec::new();
        for (Lead { name, place }, by_in) in self.met {
            if self.asked.contains(&name) || seen.contains(&name) {
                continue;
            }
            let then = if by_in { "`in` holds of it then" } else { "it counts as 0 then" };
            let message = format!("`{name}` may have no value, and {then}");
            let finding = Finding::new(&MAY_BE_EMPTY, place, message);
            findings.push(
                finding.help(format!(
                    "say what is meant if it has none: `some {name} and …`, or `no {name} or …`"
                )),
            );
            seen.push(name);
        }
        findings
    }
}

fn is_order(op: BinOp) -> bool {
    matches!(
        op,
        BinOp::Less
            | BinOp::LessEqual
            | BinOp::Greater
            | BinOp::GreaterEqual
            | BinOp::NotLess
            | BinOp::NotLessEqual
            | BinOp::NotGreater
            | BinOp::NotGreaterEqual
    )
}

/// A variable and fields after it, as it is written.
fn path_name(world: &World, e: &E) -> Option<String> {
    match &e.kind {
        Kind::Var(var) => Some(var.name.clone()),
        Kind::Binary(BinOp::Join, from, field) => match field.kind {
            Kind::Field(field) => Some(format!("{}.{}", path_name(world, from)?, world.field(field).name)),
            _ => None,
        },
        _ => None,
    }
}
