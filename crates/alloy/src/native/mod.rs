//! Relations that are computed from the values present: what logic cannot say of addresses and texts.
//!
//! They belong to the private signature `Native` of the library modules `util/net` and `util/text`. Their bounds are
//! exact, so they cost nothing to a solver, and an evaluator sees them as data.
//!
//! On given data there may be very many values. So only what formulas ask for is computed ([`used`]), and in time
//! that follows the number of pairs found ([`pairs`]), not that of the pairs there are.

mod pairs;
mod used;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::net::IpAddr;

use ipnet::IpNet;
use locus_relational::{Ast, Atom, Expr, ExprNode, Formula, Relation, TupleSet, Universe};
use locus_source::{Finding, Place, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bounds::Space;
use crate::model::{FieldId, World};
use crate::rules;
use crate::types::SigId;

pub(crate) use pairs::{Patterns, pattern_error};
pub(crate) use used::Asked;

/// The library module about texts.
pub(crate) const TEXT: &str = "util/text";
/// The library module about addresses.
const NET: &str = "util/net";

/// A relation with more pairs than this is refused.
const MAX_PAIRS: usize = 20_000_000;

/// The library module that a signature is the `Native` of, if it is one.
pub(crate) fn module(world: &World, sig: SigId) -> Option<&'static str> {
    let declared = world.sig(sig);
    world.module(declared.module).library.filter(|_| declared.name == "Native")
}

/// The relation of a field of a `one` signature: the field is the signature times the relation.
pub(crate) fn relation_of(ast: &Ast, field: Expr) -> Option<Relation> {
    match *ast.expr(field) {
        ExprNode::Product(_, value) => match *ast.expr(value) {
            ExprNode::Relation(relation) => Some(relation),
            _ => None,
        },
        ExprNode::Relation(relation) => Some(relation),
        _ => None,
    }
}

/// Which relations formulas ask for, and of which values.
pub(crate) fn used(ast: &Ast, formulas: &[Formula]) -> FxHashMap<Relation, Asked> {
    used::Used::of(ast, formulas).relations
}

/// A native relation that formulas ask for.
pub(crate) struct Wanted {
    pub(crate) relation: Relation,
    module: &'static str,
    name: String,
    asked: Asked,
    patterns: Patterns,
}

impl Wanted {
    /// The native relations among those that formulas ask for.
    pub(crate) fn of(
        world: &World,
        ast: &Ast,
        fields: &[Expr],
        mut used: FxHashMap<Relation, Asked>,
    ) -> Vec<Self> {
        let mut wanted = Vec::new();
        for (sig, module) in world.user_sigs().filter_map(|sig| Some((sig, module(world, sig)?))) {
            for &field in world.sig(sig).decls.iter().flat_map(|decl| &decl.fields) {
                let Some(relation) = relation_of(ast, fields[field.index()]) else { continue };
                if let Some(asked) = used.remove(&relation) {
                    let name = world.field(field).name.clone();
                    wanted.push(Self { relation, module, name, asked, patterns: Patterns::default() });
                }
            }
        }
        wanted
    }

    /// The value of the relation for the values present. Unknown values are in none.
    pub(crate) fn compute(&self, world: &World, values: &Values) -> Result<TupleSet, Box<Finding>> {
        compute(world, self.module, &self.name, values, &self.asked, &self.patterns)
    }
}

/// Computes the native relations that formulas on given data ask for. Unknown values are in none of them.
pub(crate) fn fill(world: &World, space: &mut Space, formulas: &[Formula]) -> Result<(), Box<Finding>> {
    let wanted = Wanted::of(world, &space.ast, &space.fields, used(&space.ast, formulas));
    let texts = space.strings.iter().map(|(text, atom)| (text.as_str(), *atom)).collect();
    let values = Values::new(texts, space.ints.iter().copied().collect());
    for one in wanted {
        space.bounds.exact(one.relation, one.compute(world, &values)?);
    }
    Ok(())
}

/// The strings and integers that are present.
pub(crate) struct Values<'a> {
    texts: Vec<(&'a str, Atom)>,
    /// How many of the texts, which are the first, the model itself mentions.
    own: usize,
    ints: FxHashMap<i64, Atom>,
    /// The texts that are networks or addresses, read once for all relations.
    networks: OnceCell<Vec<(IpNet, Atom)>>,
}

impl<'a> Values<'a> {
    pub(crate) fn new(texts: Vec<(&'a str, Atom)>, ints: FxHashMap<i64, Atom>) -> Self {
        Self { texts, own: 0, ints, networks: OnceCell::new() }
    }

    fn networks(&self) -> &[(IpNet, Atom)] {
        self.networks.get_or_init(|| networks(&self.texts))
    }
}

/// The texts that a model itself mentions: what they are is worked out once for all data.
pub(crate) struct OwnTexts {
    count: usize,
    networks: Vec<(IpNet, Atom)>,
    measures: Measures,
}

impl OwnTexts {
    /// Those of a universe that has only what the model mentions. The integers that relations among `fields` give for
    /// them are added.
    pub(crate) fn of(world: &World, fields: &FxHashSet<FieldId>, universe: &mut Universe) -> Self {
        let none = Self { count: 0, networks: Vec::new(), measures: Measures::of(world, fields) };
        let networks = none.measure(universe);
        Self { count: universe.texts().count(), networks, ..none }
    }

    /// Adds the integers that relations give for the texts of a universe that has more than these, and gives the
    /// texts that are networks.
    pub(crate) fn measure(&self, universe: &mut Universe) -> Vec<(IpNet, Atom)> {
        let texts = texts(universe);
        let more = &texts[self.count..];
        let mut all = self.networks.clone();
        all.extend(networks(more));
        for int in self.measures.ints(more.iter().map(|(text, _)| *text), all.iter().map(|(net, _)| net)) {
            universe.add_int(int);
        }
        all
    }

    /// The values of a universe, of whose texts the networks are known.
    pub(crate) fn values<'u>(&self, universe: &'u Universe, networks: Vec<(IpNet, Atom)>) -> Values<'u> {
        let ints = universe.ints().map(|(atom, int)| (int, atom)).collect();
        Values { own: self.count, networks: OnceCell::from(networks), ..Values::new(texts(universe), ints) }
    }
}

fn texts(universe: &Universe) -> Vec<(&str, Atom)> {
    universe.texts().map(|(atom, text)| (text, atom)).collect()
}

fn networks(texts: &[(&str, Atom)]) -> Vec<(IpNet, Atom)> {
    texts.iter().filter_map(|(text, atom)| Some((network(text)?, *atom))).collect()
}

/// The value of a native relation of a library module, as far as it is asked for.
pub(crate) fn compute(
    world: &World,
    module: &str,
    name: &str,
    values: &Values,
    asked: &Asked,
    patterns: &Patterns,
) -> Result<TupleSet, Box<Finding>> {
    let mut found = Found { asked, pairs: Vec::new() };
    let complete = match (module, name) {
        (NET, "contains") => pairs::contains(values.networks(), &mut |a, b| found.add(a, b)),
        (NET, "overlaps") => {
            pairs::contains(values.networks(), &mut |a, b| found.add(a, b) && found.add(b, a))
        }
        (NET, "first") => ends(values.networks(), &mut found, IpNet::network),
        (NET, "second") => ends(values.networks(), &mut found, |net| after(net.network())),
        (NET, "last") => ends(values.networks(), &mut found, IpNet::broadcast),
        (NET, "version") => of_networks(values, &mut found, version),
        (NET, "prefix_length") => of_networks(values, &mut found, prefix_length),
        (NET, "rank") => {
            let ranked = ranked(values.networks());
            ranked
                .into_iter()
                .all(|(atom, rank)| values.ints.get(&rank).is_none_or(|int| found.add(atom, *int)))
        }
        (TEXT, "prefix") => pairs::prefixes(&values.texts, asked, &mut |a, b| found.add(a, b)),
        (TEXT, "suffix") => {
            let reversed: Vec<(String, Atom)> =
                values.texts.iter().map(|(text, atom)| (text.chars().rev().collect(), *atom)).collect();
            let reversed: Vec<(&str, Atom)> = reversed.iter().map(|(text, atom)| (&**text, *atom)).collect();
            pairs::prefixes(&reversed, asked, &mut |a, b| found.add(a, b))
        }
        (TEXT, "matches") => {
            pairs::matches(&values.texts, values.own, asked, patterns, &mut |a, b| found.add(a, b))
        }
        (TEXT, "length") => numbers(values, &mut found, length),
        (TEXT, "number") => numbers(values, &mut found, number),
        _ => true,
    };
    if complete {
        return Ok(TupleSet::binary(found.pairs));
    }
    let place = Place::new(world.modules[0].file, Span::point(0));
    let message = format!("`{module}/{name}` has more than {MAX_PAIRS} pairs of the texts present");
    Err(Box::new(Finding::new(&rules::TOO_LARGE, place, message)))
}

/// Pairs, as far as they are asked for.
struct Found<'a> {
    asked: &'a Asked,
    pairs: Vec<(Atom, Atom)>,
}

impl Found<'_> {
    /// Takes a pair; says whether there is room for more.
    fn add(&mut self, first: Atom, second: Atom) -> bool {
        if self.asked.has(first) {
            self.pairs.push((first, second));
        }
        self.pairs.len() <= MAX_PAIRS
    }
}

/// An address is a network of one address.
fn network(text: &str) -> Option<IpNet> {
    // Most texts are names: they are told apart by their characters before they are parsed.
    let is_possible = |byte: u8| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':' | b'/');
    if !text.bytes().all(is_possible) || !text.bytes().any(|byte| matches!(byte, b'.' | b':')) {
        return None;
    }
    text.parse::<IpNet>().map(|net| net.trunc()).ok().or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

fn is_address(net: &IpNet) -> bool {
    net.prefix_len() == net.max_prefix_len()
}

/// Addresses in their order, those of version 4 first, each with its position. An address that is written in two ways
/// has one position.
fn ranked(networks: &[(IpNet, Atom)]) -> Vec<(Atom, i64)> {
    let mut addresses: Vec<(IpAddr, Atom)> =
        networks.iter().filter(|(net, _)| is_address(net)).map(|(net, atom)| (net.addr(), *atom)).collect();
    addresses.sort_unstable();
    let mut rank = -1;
    let mut last = None;
    addresses
        .into_iter()
        .map(|(address, atom)| {
            rank += i64::from(last.replace(address) != Some(address));
            (atom, rank)
        })
        .collect()
}

/// The integers that the relations of a model's fields give for some texts.
pub(crate) fn ints<'t>(
    world: &World,
    fields: &FxHashSet<FieldId>,
    texts: impl Iterator<Item = &'t str> + Clone,
) -> BTreeSet<i64> {
    let networks: Vec<IpNet> = texts.clone().filter_map(network).collect();
    Measures::of(world, fields).ints(texts, networks.iter())
}

/// The relations from texts to integers that a model uses.
#[derive(Clone, Copy)]
struct Measures {
    rank: bool,
    version: bool,
    prefix_length: bool,
    length: bool,
    number: bool,
}

impl Measures {
    fn of(world: &World, fields: &FxHashSet<FieldId>) -> Self {
        let asks = |library: &str, name: &str| {
            fields.iter().any(|&field| {
                let field = world.field(field);
                field.name == name && module(world, field.sig) == Some(library)
            })
        };
        Self {
            rank: asks(NET, "rank"),
            version: asks(NET, "version"),
            prefix_length: asks(NET, "prefix_length"),
            length: asks(TEXT, "length"),
            number: asks(TEXT, "number"),
        }
    }

    /// The integers that they give for some texts, and for networks.
    fn ints<'t, 'n>(
        self,
        texts: impl Iterator<Item = &'t str> + Clone,
        networks: impl Iterator<Item = &'n IpNet> + Clone,
    ) -> BTreeSet<i64> {
        let mut ints = BTreeSet::new();
        if self.rank {
            let addresses = networks.clone().filter(|net| is_address(net)).count();
            ints.extend(0..i64::try_from(addresses).unwrap_or(i64::MAX));
        }
        if self.version {
            ints.extend(networks.clone().map(version));
        }
        if self.prefix_length {
            ints.extend(networks.map(prefix_length));
        }
        if self.length {
            ints.extend(texts.clone().filter_map(length));
        }
        if self.number {
            ints.extend(texts.filter_map(number));
        }
        ints
    }
}

/// 4 or 6.
fn version(net: &IpNet) -> i64 {
    if net.addr().is_ipv4() { 4 } else { 6 }
}

/// How many bits a network fixes.
fn prefix_length(net: &IpNet) -> i64 {
    i64::from(net.prefix_len())
}

/// How many characters a text has.
fn length(text: &str) -> Option<i64> {
    i64::try_from(text.chars().count()).ok()
}

/// The number that a text writes.
fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// From networks to one of their addresses, if that is present.
fn ends(networks: &[(IpNet, Atom)], found: &mut Found, end: impl Fn(&IpNet) -> IpAddr) -> bool {
    let mut addresses: FxHashMap<IpAddr, Vec<Atom>> = FxHashMap::default();
    for (net, atom) in networks.iter().filter(|(net, _)| is_address(net)) {
        addresses.entry(net.addr()).or_default().push(*atom);
    }
    let ends = |net: &IpNet| addresses.get(&end(net)).into_iter().flatten().copied();
    networks.iter().all(|(net, atom)| ends(net).all(|address| found.add(*atom, address)))
}

/// The next address; after the last one comes the first.
fn after(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => IpAddr::V4(address.to_bits().wrapping_add(1).into()),
        IpAddr::V6(address) => IpAddr::V6(address.to_bits().wrapping_add(1).into()),
    }
}

/// From networks to a number that is present.
fn of_networks(values: &Values, found: &mut Found, measure: fn(&IpNet) -> i64) -> bool {
    let number = |net: &IpNet| values.ints.get(&measure(net)).copied();
    values.networks().iter().all(|(net, atom)| number(net).is_none_or(|int| found.add(*atom, int)))
}

fn numbers(values: &Values, found: &mut Found, read: impl Fn(&str) -> Option<i64>) -> bool {
    let number = |text: &str| read(text).and_then(|n| values.ints.get(&n).copied());
    values.texts.iter().all(|(text, atom)| number(text).is_none_or(|int| found.add(*atom, int)))
}
