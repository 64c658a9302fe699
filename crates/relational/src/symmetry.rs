//! Atoms that nothing tells apart, and constraints that keep one instance of those that differ only in such atoms.
//!
//! Two atoms are alike when exchanging them changes no bound and no constant of the formula. Being alike is an
//! equivalence, and all permutations inside of its classes are symmetries. For each pair of neighbours in a class a
//! constraint says that the instance is not smaller than the one with the two exchanged (reading the relations in
//! one fixed order), which the largest of all the copies satisfies.

use crate::ast::{Ast, ExprNode, Formula, FormulaNode, Node};
use crate::bounds::Bounds;
use crate::circuit::Lit;
use crate::error::SolveError;
use crate::ground::{Grounder, Primary};
use crate::matrix::Packing;
use crate::tuples::TupleSet;
use crate::universe::{Atom, AtomKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// Above this many tuples in all bounds together, looking for symmetries costs more than it is likely to give.
const MAX_TUPLES: usize = 20_000_000;

/// The classes of at least two atoms, each ascending.
pub(crate) fn classes(ast: &Ast, bounds: &Bounds, formulas: &[Formula]) -> Vec<Vec<Atom>> {
    let mut sets: Vec<&TupleSet> = Vec::new();
    for (_, bound) in bounds.relations() {
        if !bound.lower.is_empty() {
            sets.push(&bound.lower);
        }
        if !bound.is_exact() {
            sets.push(&bound.upper);
        }
    }
    let mut constants = Constants { ast, seen: FxHashSet::default(), found: Vec::new() };
    for &formula in formulas {
        constants.collect(Node::Formula(formula));
    }
    sets.extend(constants.found);
    if sets.iter().map(|set| set.flat().len()).sum::<usize>() > MAX_TUPLES {
        return Vec::new();
    }
    let occurrences = Occurrences::new(&sets, bounds.universe().len());
    let mut groups: FxHashMap<Vec<u32>, Vec<usize>> = FxHashMap::default();
    let mut classes: Vec<Vec<Atom>> = Vec::new();
    for atom in bounds.universe().atoms() {
        // An integer is its value: exchanging two changes arithmetic.
        if matches!(bounds.universe().kind(atom), AtomKind::Int(_)) {
            continue;
        }
        let candidates = groups.entry(occurrences.signature(atom)).or_default();
        let class = candidates.iter().find(|&&class| occurrences.unchanged_by_swap(classes[class][0], atom));
        if let Some(&class) = class {
            classes[class].push(atom);
        } else {
            candidates.push(classes.len());
            classes.push(vec![atom]);
        }
    }
    classes.retain(|class| class.len() > 1);
    classes
}

/// Where each atom occurs in some sets.
struct Occurrences<'a> {
    sets: &'a [&'a TupleSet],
    /// For each atom, where its list of tuples begins in `tuples`.
    starts: Vec<u32>,
    /// A set and a tuple in it; those of an atom in the order of the sets.
    tuples: Vec<(u32, u32)>,
}

impl<'a> Occurrences<'a> {
    fn new(sets: &'a [&'a TupleSet], atoms: usize) -> Self {
        let mut starts = vec![0u32; atoms + 1];
        for atom in sets.iter().flat_map(|set| set.flat()) {
            starts[atom.0 as usize + 1] += 1;
        }
        for i in 0..atoms {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut tuples = vec![(0, 0); starts[atoms] as usize];
        for (at, set) in sets.iter().enumerate() {
            for (index, tuple) in set.iter().enumerate() {
                for atom in tuple {
                    let place = &mut next[atom.0 as usize];
                    tuples[*place as usize] = (at as u32, index as u32);
                    *place += 1;
                }
            }
        }
        Self { sets, starts, tuples }
    }

    fn of(&self, atom: Atom) -> &[(u32, u32)] {
        let at = atom.0 as usize;
        &self.tuples[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// How often an atom occurs in each column of each set that it is in: alike atoms agree on it.
    fn signature(&self, atom: Atom) -> Vec<u32> {
        let mut signature = Vec::new();
        for same in self.of(atom).chunk_by(|a, b| a.0 == b.0) {
            let set = self.sets[same[0].0 as usize];
            signature.push(same[0].0);
            let columns = signature.len();
            signature.resize(columns + set.arity(), 0);
            for &(_, tuple) in same {
                for (column, &other) in set.get(tuple as usize).iter().enumerate() {
                    signature[columns + column] += u32::from(other == atom);
                }
            }
        }
        signature
    }

    fn unchanged_by_swap(&self, a: Atom, b: Atom) -> bool {
        let mut swapped = Vec::new();
        [a, b].iter().flat_map(|&atom| self.of(atom)).all(|&(set, tuple)| {
            let set = self.sets[set as usize];
            swapped.clear();
            swapped.extend(set.get(tuple as usize).iter().map(|&x| swap(x, a, b)));
            set.contains(&swapped)
        })
    }
}

fn swap(x: Atom, a: Atom, b: Atom) -> Atom {
    if x == a {
        b
    } else if x == b {
        a
    } else {
        x
    }
}

/// Collects the constants that formulas mention.
struct Constants<'a> {
    ast: &'a Ast,
    seen: FxHashSet<Node>,
    found: Vec<&'a TupleSet>,
}

impl Constants<'_> {
    fn collect(&mut self, node: Node) {
        if !self.seen.insert(node) {
            return;
        }
        let ast = self.ast;
        if let Node::Expr(expr) = node
            && let ExprNode::Constant(constant) = ast.expr(expr)
        {
            self.found.push(ast.constant(*constant));
        }
        ast.each_part(node, &mut |part| self.collect(part));
    }
}

/// Chooses the order for each total order over a class of atoms that nothing else tells apart. Whatever other order
/// there is, exchanging atoms makes it this one.
pub(crate) fn fix_orders(ast: &Ast, bounds: &mut Bounds, formulas: &[Formula]) {
    for &formula in formulas {
        let FormulaNode::TotalOrder { elements, first, next } = ast.formula(formula) else { continue };
        let [elements, first, next] = [elements, first, next].map(|&e| match ast.expr(e) {
            ExprNode::Relation(relation) => bounds.get(*relation).map(|bound| (*relation, bound)),
            _ => None,
        });
        let (Some((_, elements)), Some((first, first_bound)), Some((next, next_bound))) =
            (elements, first, next)
        else {
            continue;
        };
        if !elements.is_exact() || !first_bound.lower.is_empty() || !next_bound.lower.is_empty() {
            continue;
        }
        let chain: Vec<Atom> = elements.lower.flat().to_vec();
        let Some(&start) = chain.first() else { continue };
        let start = TupleSet::unary([start]);
        let links = TupleSet::binary(chain.windows(2).map(|pair| (pair[0], pair[1])));
        let possible =
            start.is_subset(&first_bound.upper) && (links.is_empty() || links.is_subset(&next_bound.upper));
        let alike = chain.len() == 1
            || classes(ast, bounds, formulas)
                .iter()
                .any(|c| chain.iter().all(|a| c.binary_search(a).is_ok()));
        if possible && alike {
            bounds.exact(first, start);
            bounds.exact(next, links);
        }
    }
}

/// One constraint for each pair of neighbours in a class, each of at most `length` pairs of tuples.
pub(crate) fn lex_leaders(
    ast: &Ast,
    grounder: &mut Grounder<'_>,
    classes: &[Vec<Atom>],
    length: usize,
) -> Result<Vec<Lit>, SolveError> {
    let packing = grounder.packing;
    // The fixed order: sets before binary relations before wider ones, then as declared.
    let mut order: Vec<Primary> = grounder.primaries.clone();
    order.sort_by_key(|p| (ast.relation_arity(p.relation), p.relation, p.tuple));
    let lits: FxHashMap<(u32, u64), Lit> =
        order.iter().map(|p| ((p.relation.index() as u32, p.tuple), p.lit)).collect();
    // Where in the order the tuples with an atom of a class stand: exchanging it changes only these.
    let mut places: FxHashMap<Atom, Vec<u32>> = classes.iter().flatten().map(|&a| (a, Vec::new())).collect();
    let mut atoms = Vec::new();
    for (at, primary) in order.iter().enumerate() {
        atoms.clear();
        packing.unpack(primary.tuple, ast.relation_arity(primary.relation), &mut atoms);
        atoms.sort_unstable();
        atoms.dedup();
        for atom in &atoms {
            if let Some(places) = places.get_mut(atom) {
                places.push(at as u32);
            }
        }
    }
    let mut constraints = Vec::new();
    for pair in classes.iter().flat_map(|class| class.windows(2)) {
        if grounder.check() {
            break;
        }
        let mut equal_so_far = Lit::TRUE;
        let mut left = length;
        for at in merged(&places[&pair[0]], &places[&pair[1]]) {
            let primary = order[at as usize];
            let arity = ast.relation_arity(primary.relation);
            let Some(image) = swap_key(primary.tuple, arity, pair[0], pair[1], packing, &mut atoms) else {
                continue;
            };
            // The mirrored pair says nothing new.
            if image < primary.tuple {
                continue;
            }
            let Some(&other) = lits.get(&(primary.relation.index() as u32, image)) else { continue };
            let circuit = &mut grounder.circuit;
            let smaller = circuit.and2(!primary.lit, other);
            constraints.push(!circuit.and2(equal_so_far, smaller));
            left -= 1;
            if left == 0 {
                break;
            }
            let same = circuit.iff(primary.lit, other);
            equal_so_far = circuit.and2(equal_so_far, same);
        }
    }
    grounder.finish(constraints)
}

/// Merges two ascending lists into an ascending one, in which an item of both is once.
fn merged<'a>(a: &'a [u32], b: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
    let (mut a, mut b) = (a.iter().copied().peekable(), b.iter().copied().peekable());
    std::iter::from_fn(move || {
        let next = a.peek().into_iter().chain(b.peek()).min().copied()?;
        a.next_if_eq(&next);
        b.next_if_eq(&next);
        Some(next)
    })
}

/// The tuple with two atoms exchanged, if that changes it.
fn swap_key(
    key: u64,
    arity: usize,
    a: Atom,
    b: Atom,
    packing: Packing,
    atoms: &mut Vec<Atom>,
) -> Option<u64> {
    atoms.clear();
    packing.unpack(key, arity, atoms);
    for x in &mut *atoms {
        *x = swap(*x, a, b);
    }
    let image = packing.pack(atoms);
    (image != key).then_some(image)
}
