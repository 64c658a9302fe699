//! An instance as an Alloy module over the one that its signatures are in: a signature with one atom for each atom,
//! and a fact that says the value of each field.
//!
//! Alloy's integers are few, and a port does not fit into them. Numbers above [`EXACT`] are therefore represented by
//! smaller ones in the same order, each by a function named after it, so that what is equal stays equal and what is
//! less stays less.

use std::collections::BTreeSet;
use std::fmt::Write;

use locus_alloy::ast::Mult;
use locus_alloy::model::{FieldId, Parent};
use locus_alloy::types::SigId;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::instance::{AtomId, Instance, Item, Tuple};

/// Numbers up to this one are themselves.
const EXACT: i64 = 63;

impl Instance<'_> {
    /// The instance as a module. `opened` is the module with the signatures; atoms of signatures that `stands_alone`
    /// names are called by their label, and others by what they belong to as well.
    ///
    /// A value that is not known is left open.
    pub fn module(&self, name: &str, opened: &str, stands_alone: &dyn Fn(&str) -> bool) -> String {
        let export = Export::new(self, stands_alone);
        let mut out = format!("module {}\nopen {opened}\n", identifier(name));
        export.signatures(&mut out);
        export.values(&mut out);
        export.numbers(&mut out);
        let _ = writeln!(out, "\nrun consistent {{}} for 0 but {} int", export.bits());
        out
    }
}

struct Export<'i> {
    instance: &'i Instance<'i>,
    by_owner: FxHashMap<AtomId, Vec<&'i Tuple>>,
    /// The name of each atom.
    names: Vec<String>,
    /// The large numbers, in order.
    large: Vec<i64>,
}

impl<'i> Export<'i> {
    fn new(instance: &'i Instance<'i>, stands_alone: &dyn Fn(&str) -> bool) -> Self {
        let large: BTreeSet<i64> = instance
            .tuples
            .iter()
            .filter_map(|tuple| match tuple.item {
                Item::Int(number) if !(-EXACT..=EXACT).contains(&number) => Some(number),
                _ => None,
            })
            .collect();
        Self {
            instance,
            by_owner: instance.by_owner(),
            names: names(instance, stands_alone),
            large: large.into_iter().collect(),
        }
    }

    fn signatures(&self, out: &mut String) {
        let world = self.instance.rules.model.world();
        for (atom, name) in self.instance.atoms.iter().zip(&self.names) {
            let sig = world.sig(atom.sig);
            if !sig.is(Mult::One) {
                let _ = write!(out, "\none sig {name} extends {} {{}}", sig.name);
            }
        }
        out.push('\n');
    }

    fn values(&self, out: &mut String) {
        for (index, atom) in self.instance.atoms.iter().enumerate() {
            let fields = self.fields(atom.sig);
            if fields.is_empty() {
                continue;
            }
            let _ = writeln!(out, "\nfact {{");
            let id = AtomId::at(index);
            let tuples = self.by_owner.get(&id).map(Vec::as_slice).unwrap_or_default();
            let name = &self.names[index];
            for (field, label) in fields {
                let of = || tuples.iter().filter(|tuple| tuple.field == field);
                if of().any(|tuple| matches!(tuple.item, Item::Unknown(_))) {
                    let _ = writeln!(out, "  // {name}.{label} is not known");
                    continue;
                }
                let mut values: Vec<String> = of().map(|tuple| self.value(&tuple.item)).collect();
                values.dedup();
                if values.is_empty() {
                    let _ = writeln!(out, "  no {name}.{label}");
                } else {
                    let _ = writeln!(out, "  {name}.{label} = {}", values.join(" + "));
                }
            }
            out.push_str("}\n");
        }
    }

    /// The fields of a signature with its own and those that it inherits.
    fn fields(&self, sig: SigId) -> Vec<(FieldId, &'i str)> {
        let world = self.instance.rules.model.world();
        let mut line = vec![sig];
        while let Parent::Prim(parent) = &world.sig(line[line.len() - 1]).parent {
            if *parent == SigId::UNIV {
                break;
            }
            line.push(*parent);
        }
        let decls = line.into_iter().rev().flat_map(|sig| &world.sig(sig).decls);
        decls.flat_map(|decl| &decl.fields).map(|field| (*field, world.field(*field).name.as_str())).collect()
    }

    fn value(&self, item: &Item) -> String {
        match item {
            Item::Atom(atom) => self.names[atom.index()].clone(),
            Item::Int(number) if self.large.binary_search(number).is_ok() => number_name(*number),
            Item::Int(number) => number.to_string(),
            Item::Text(text) => string(text),
            Item::Unknown(_) => unreachable!("what is not known has no value"),
        }
    }

    fn numbers(&self, out: &mut String) {
        if self.large.is_empty() {
            return;
        }
        out.push_str("\n// Numbers that Alloy has no room for, in their order.\n");
        for number in &self.large {
            let _ = writeln!(out, "fun {}: Int {{ {} }}", number_name(*number), self.rank(*number));
        }
    }

    /// Returns the number that represents a large one.
    fn rank(&self, number: i64) -> i64 {
        let negative = self.large.partition_point(|one| *one < 0);
        let at = self.large.partition_point(|one| *one < number);
        if number < 0 { at as i64 - negative as i64 - EXACT } else { EXACT + 1 + (at - negative) as i64 }
    }

    /// How many bits all integers need.
    fn bits(&self) -> u32 {
        let most = self.large.iter().map(|number| self.rank(*number).abs()).max().unwrap_or(EXACT);
        i64::BITS - most.leading_zeros() + 1
    }
}

fn number_name(number: i64) -> String {
    if number < 0 { format!("minus_{}", number.unsigned_abs()) } else { format!("n{number}") }
}

/// A name for each atom, no two alike, and none that means something else.
fn names(instance: &Instance<'_>, stands_alone: &dyn Fn(&str) -> bool) -> Vec<String> {
    let world = instance.rules.model.world();
    let mut taken: FxHashSet<String> = KEYWORDS.iter().map(|word| (*word).to_owned()).collect();
    taken.extend(instance.tuples.iter().filter_map(|tuple| match tuple.item {
        Item::Int(number) => Some(number_name(number)),
        _ => None,
    }));
    for module in &world.modules {
        for sig in module.sigs.iter().map(|sig| world.sig(*sig)) {
            taken.insert(sig.name.clone());
            taken.extend(
                sig.decls.iter().flat_map(|decl| &decl.fields).map(|field| world.field(*field).name.clone()),
            );
        }
        taken.extend(module.funcs.iter().map(|func| world.func(*func).name.clone()));
    }
    // What an atom belongs to is the first that is related to it.
    let mut owners: FxHashMap<AtomId, &Tuple> = FxHashMap::default();
    for tuple in &instance.tuples {
        if let Item::Atom(atom) = tuple.item {
            owners.entry(atom).or_insert(tuple);
        }
    }
    let mut names: Vec<String> = Vec::with_capacity(instance.atoms.len());
    for (index, atom) in instance.atoms.iter().enumerate() {
        let sig = world.sig(atom.sig);
        if sig.is(Mult::One) {
            names.push(sig.name.clone());
            continue;
        }
        let label = identifier(&atom.label);
        let owner = owners.get(&AtomId::at(index)).filter(|tuple| tuple.owner.index() < index);
        let wanted = match owner {
            Some(tuple) if !stands_alone(&sig.name) => {
                format!("{}_{}_{label}", names[tuple.owner.index()], world.field(tuple.field).name)
            }
            _ => label,
        };
        let mut name = wanted.clone();
        let mut count = 1;
        while !taken.insert(name.clone()) {
            name = if count == 1 { format!("{wanted}_{}", sig.name) } else { format!("{wanted}_{count}") };
            count += 1;
        }
        names.push(name);
    }
    names
}

/// A text as a name of Alloy.
fn identifier(text: &str) -> String {
    let word: String = text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if word.starts_with(|c: char| c.is_ascii_alphabetic()) { word } else { format!("x{word}") }
}

fn string(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Words of Alloy that are not names.
pub const KEYWORDS: &[&str] = &[
    "abstract",
    "after",
    "all",
    "always",
    "and",
    "as",
    "assert",
    "before",
    "but",
    "check",
    "consistent",
    "disj",
    "disjoint",
    "else",
    "enabled",
    "enum",
    "event",
    "eventually",
    "exactly",
    "expect",
    "extends",
    "fact",
    "for",
    "fun",
    "historically",
    "iden",
    "iff",
    "implies",
    "in",
    "Int",
    "int",
    "invariant",
    "let",
    "lone",
    "modifies",
    "module",
    "no",
    "none",
    "not",
    "once",
    "one",
    "open",
    "or",
    "pred",
    "private",
    "releases",
    "run",
    "seq",
    "set",
    "sig",
    "since",
    "some",
    "steps",
    "String",
    "sum",
    "this",
    "triggered",
    "univ",
    "until",
    "var",
];
