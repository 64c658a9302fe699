//! Types: unions of products of signatures.
//!
//! The type of an expression says which tuples it can have at all. It is a set of products such as `A->B`, of
//! one or several arities (while a name may still mean several things), or it is "a formula". A product that
//! has `none` in a column is `none` in all of them: always empty, but still of its arity.

use smallvec::SmallVec;

/// A signature, as an index into the model's signatures. The first few are built in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SigId(pub u32);

impl SigId {
    /// Everything.
    pub const UNIV: Self = Self(0);
    /// Nothing.
    pub const NONE: Self = Self(1);
    /// The integers.
    pub const INT: Self = Self(2);
    /// The indices of sequences: the first natural numbers.
    pub const SEQ_INT: Self = Self(3);
    /// The strings.
    pub const STRING: Self = Self(4);
    /// How many are built in.
    pub const BUILT_IN: usize = 5;

    /// The position among the model's signatures.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether it is one of the built-in ones.
    pub fn is_built_in(self) -> bool {
        self.index() < Self::BUILT_IN
    }
}

/// A product of signatures, one per column.
pub type Product = SmallVec<[SigId; 3]>;

/// For each signature that can stand in a type: its parent.
#[derive(Clone, Debug, Default)]
pub struct Hierarchy {
    parents: Vec<SigId>,
}

impl Hierarchy {
    /// The built-in signatures.
    pub fn new() -> Self {
        let univ = SigId::UNIV;
        Self { parents: vec![univ, univ, univ, SigId::INT, univ] }
    }

    /// Adds the next signature.
    pub fn push(&mut self, parent: SigId) {
        self.parents.push(parent);
    }

    /// Says what a signature extends.
    pub fn set_parent(&mut self, sig: SigId, parent: SigId) {
        self.parents[sig.index()] = parent;
    }

    /// Whether `a` is `b` or below it.
    pub fn is_below(&self, a: SigId, b: SigId) -> bool {
        if a == b || b == SigId::UNIV || a == SigId::NONE {
            return true;
        }
        let mut at = a;
        while at != SigId::UNIV {
            if at == b {
                return true;
            }
            at = self.parents[at.index()];
        }
        false
    }

    /// The atoms that both can have.
    pub fn meet(&self, a: SigId, b: SigId) -> SigId {
        if self.is_below(a, b) {
            a
        } else if self.is_below(b, a) {
            b
        } else {
            SigId::NONE
        }
    }

    /// Whether both can have an atom in common.
    pub fn meets(&self, a: SigId, b: SigId) -> bool {
        self.meet(a, b) != SigId::NONE
    }

    fn product_below(&self, a: &[SigId], b: &[SigId]) -> bool {
        a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| self.is_below(a, b))
    }

    fn product_meet(&self, a: &[SigId], b: &[SigId]) -> Product {
        let met = a.iter().zip(b).map(|(&a, &b)| self.meet(a, b)).collect();
        emptied(met)
    }

    fn product_join(&self, a: &[SigId], b: &[SigId]) -> Product {
        let (last, first) = (a[a.len() - 1], b[0]);
        let joined: Product = a[..a.len() - 1].iter().chain(&b[1..]).copied().collect();
        if self.meets(last, first) { emptied(joined) } else { nothing(joined.len()) }
    }
}

fn nothing(arity: usize) -> Product {
    std::iter::repeat_n(SigId::NONE, arity).collect()
}

/// A product that is empty in one column is empty.
fn emptied(product: Product) -> Product {
    if product.contains(&SigId::NONE) { nothing(product.len()) } else { product }
}

fn is_nothing(product: &Product) -> bool {
    product[0] == SigId::NONE
}

/// The type of an expression: the values that it can have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Type {
    /// Whether it can be a formula.
    pub formula: bool,
    /// Which tuples it can have; none if it cannot be a set of tuples.
    pub products: SmallVec<[Product; 1]>,
}

impl Type {
    /// Of a formula.
    pub fn formula() -> Self {
        Self { formula: true, products: SmallVec::new() }
    }

    /// Of an expression that is wrong.
    pub fn wrong() -> Self {
        Self::default()
    }

    /// Of a set of atoms of a signature.
    pub fn sig(sig: SigId) -> Self {
        Self::product_of([sig].into_iter().collect())
    }

    /// Of an integer.
    pub fn int() -> Self {
        Self::sig(SigId::INT)
    }

    /// Of one product.
    pub fn product_of(product: Product) -> Self {
        Self { formula: false, products: [product].into_iter().collect() }
    }

    /// Whether nothing can be said: neither formula nor tuples.
    pub fn is_wrong(&self) -> bool {
        !self.formula && self.products.is_empty()
    }

    /// Whether it has tuples of some arity, be they never there.
    pub fn is_relation(&self) -> bool {
        !self.products.is_empty()
    }

    /// Whether an integer is possible.
    pub fn is_int(&self) -> bool {
        self.products.iter().any(|p| p.len() == 1 && p[0] == SigId::INT)
    }

    /// Whether there can be a tuple.
    pub fn has_tuple(&self) -> bool {
        self.products.iter().any(|p| !is_nothing(p))
    }

    /// Whether tuples of this arity are possible.
    pub fn has_arity(&self, arity: usize) -> bool {
        self.products.iter().any(|p| p.len() == arity)
    }

    /// The arity, if there is just one.
    pub fn arity(&self) -> Option<usize> {
        let first = self.products.first()?.len();
        self.products.iter().all(|p| p.len() == first).then_some(first)
    }

    /// Whether both have an arity in common.
    pub fn shares_arity(&self, other: &Self) -> bool {
        self.products.iter().any(|p| other.has_arity(p.len()))
    }

    /// The same without "formula".
    #[must_use]
    pub fn relation_only(&self) -> Self {
        Self { formula: false, products: self.products.clone() }
    }

    /// The part with this arity.
    #[must_use]
    pub fn of_arity(&self, arity: usize) -> Self {
        self.keep(|p| p.len() == arity)
    }

    /// The part with an arity that the other has too.
    #[must_use]
    pub fn with_arity_of(&self, other: &Self) -> Self {
        self.keep(|p| other.has_arity(p.len()))
    }

    fn keep(&self, wanted: impl Fn(&Product) -> bool) -> Self {
        Self { formula: false, products: self.products.iter().filter(|p| wanted(p)).cloned().collect() }
    }

    /// Adds a product, unless a larger one is there; drops smaller ones.
    pub fn add(&mut self, product: Product, sigs: &Hierarchy) {
        if product.is_empty() || self.products.iter().any(|p| sigs.product_below(&product, p)) {
            return;
        }
        self.products.retain(|p| !sigs.product_below(p, &product));
        self.products.push(product);
    }

    fn collect(sigs: &Hierarchy, products: impl IntoIterator<Item = Product>) -> Self {
        let mut all = Self::default();
        for product in products {
            all.add(product, sigs);
        }
        all
    }

    /// Either.
    #[must_use]
    pub fn merge(&self, other: &Self, sigs: &Hierarchy) -> Self {
        let mut all = self.clone();
        all.formula |= other.formula;
        for product in &other.products {
            all.add(product.clone(), sigs);
        }
        all
    }

    /// Tuples of either, of the arities that both have.
    #[must_use]
    pub fn union(&self, other: &Self, sigs: &Hierarchy) -> Self {
        // Long unions of one arity are common in models of given data: only what is new is compared.
        if self.arity().is_some() && self.arity() == other.arity() {
            return Self { formula: false, ..self.merge(other, sigs) };
        }
        Self::collect(
            sigs,
            self.products
                .iter()
                .filter(|p| other.has_arity(p.len()))
                .chain(other.products.iter().filter(|p| self.has_arity(p.len())))
                .cloned(),
        )
    }

    fn pairs<'a>(&'a self, other: &'a Self) -> impl Iterator<Item = (&'a Product, &'a Product)> {
        self.products.iter().flat_map(|a| other.products.iter().map(move |b| (a, b)))
    }

    /// Tuples of both.
    #[must_use]
    pub fn intersect(&self, other: &Self, sigs: &Hierarchy) -> Self {
        Self::collect(
            sigs,
            self.pairs(other).filter(|(a, b)| a.len() == b.len()).map(|(a, b)| sigs.product_meet(a, b)),
        )
    }

    /// Whether both can have a tuple in common.
    pub fn intersects(&self, other: &Self, sigs: &Hierarchy) -> bool {
        self.pairs(other).any(|(a, b)| a.len() == b.len() && a.iter().zip(b).all(|(&a, &b)| sigs.meets(a, b)))
    }

    /// Whether every tuple of this can be one of the other.
    pub fn is_below(&self, other: &Self, sigs: &Hierarchy) -> bool {
        (!self.formula || other.formula)
            && self.products.iter().all(|a| other.products.iter().any(|b| sigs.product_below(a, b)))
    }

    /// The product.
    #[must_use]
    pub fn product(&self, other: &Self, sigs: &Hierarchy) -> Self {
        Self::collect(sigs, self.pairs(other).map(|(a, b)| emptied(a.iter().chain(b).copied().collect())))
    }

    /// The join.
    #[must_use]
    pub fn join(&self, other: &Self, sigs: &Hierarchy) -> Self {
        Self::collect(
            sigs,
            self.pairs(other).filter(|(a, b)| a.len() + b.len() > 2).map(|(a, b)| sigs.product_join(a, b)),
        )
    }

    /// Binary products turned around.
    #[must_use]
    pub fn transpose(&self, sigs: &Hierarchy) -> Self {
        Self::collect(
            sigs,
            self.products.iter().filter(|p| p.len() == 2).map(|p| [p[1], p[0]].into_iter().collect()),
        )
    }

    /// The transitive closure of the binary products.
    #[must_use]
    pub fn closure(&self, sigs: &Hierarchy) -> Self {
        let mut all = self.of_arity(2);
        loop {
            let next = all.merge(&all.join(&all, sigs).of_arity(2).tuples_only(), sigs);
            if next.is_below(&all, sigs) {
                return all;
            }
            all = next;
        }
    }

    fn tuples_only(&self) -> Self {
        self.keep(|p| !is_nothing(p))
    }

    /// Products whose column `column` (counted from the front or from the back) is restricted to a set.
    #[must_use]
    pub fn restrict(&self, set: &Self, front: bool, sigs: &Hierarchy) -> Self {
        let sets = set.products.iter().filter(|p| p.len() == 1);
        Self::collect(
            sigs,
            sets.flat_map(|s| {
                self.products.iter().map(move |p| {
                    let column = if front { 0 } else { p.len() - 1 };
                    let mut restricted = p.clone();
                    restricted[column] = sigs.meet(p[column], s[0]);
                    emptied(restricted)
                })
            }),
        )
    }

    /// Whether the first columns can have an atom in common.
    pub fn first_column_meets(&self, other: &Self, sigs: &Hierarchy) -> bool {
        self.pairs(other).any(|(a, b)| sigs.meets(a[0], b[0]))
    }

    /// Whether a tuple of this could replace one of the other in `other ++ this`.
    pub fn can_override(&self, other: &Self, sigs: &Hierarchy) -> bool {
        self.pairs(other).any(|(a, b)| a.len() == b.len() && sigs.meets(a[0], b[0]))
    }

    /// The type as people write it, with the names that `name` gives to signatures.
    pub fn show(&self, name: impl Fn(SigId) -> String) -> String {
        let mut parts: Vec<String> = Vec::new();
        if self.formula {
            parts.push("a formula".to_owned());
        }
        if self.products.is_empty() {
            return parts.pop().unwrap_or_else(|| "nothing".to_owned());
        }
        let products =
            self.products.iter().map(|p| p.iter().map(|&s| name(s)).collect::<Vec<_>>().join("->"));
        parts.push(format!("{{{}}}", products.collect::<Vec<_>>().join(", ")));
        parts.join(" or ")
    }
}

/// Which products of a closure's operand can matter when only `parent` matters of the closure: those on a way
/// from the first to the second column of `parent`.
pub(crate) fn relevant_for_closure(parent: &Type, child: &Type, sigs: &Hierarchy) -> Type {
    let edges: Vec<&Product> = child.products.iter().filter(|p| p.len() == 2).collect();
    let mut nodes: Vec<SigId> = Vec::new();
    for product in edges.iter().copied().chain(parent.products.iter().filter(|p| p.len() == 2)) {
        nodes.extend(product.iter().filter(|s| !nodes.contains(s)).copied().collect::<Vec<_>>());
    }
    let reaches = |from: SigId, to: SigId| {
        // Follows edges, and passes between signatures that overlap.
        let mut seen: Vec<SigId> = vec![from];
        let mut at = 0;
        while at < seen.len() {
            let here = seen[at];
            if here == to {
                return true;
            }
            let next = edges.iter().filter(|edge| edge[0] == here).map(|edge| edge[1]);
            let beside = nodes.iter().copied().filter(|&node| sigs.meets(here, node));
            for node in next.chain(beside).collect::<Vec<_>>() {
                if !seen.contains(&node) {
                    seen.push(node);
                }
            }
            at += 1;
        }
        false
    };
    let mut relevant = Type::default();
    for edge in &edges {
        let on_the_way =
            parent.products.iter().any(|p| p.len() == 2 && reaches(p[0], edge[0]) && reaches(edge[1], p[1]));
        if on_the_way {
            relevant.add((*edge).clone(), sigs);
        }
    }
    relevant
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A (5) with A1 (6) and A2 (7); B (8).
    fn sigs() -> Hierarchy {
        let mut sigs = Hierarchy::new();
        sigs.push(SigId::UNIV);
        sigs.push(SigId(5));
        sigs.push(SigId(5));
        sigs.push(SigId::UNIV);
        sigs
    }

    fn ty(products: &[&[u32]]) -> Type {
        Type::collect(&sigs(), products.iter().map(|p| p.iter().map(|&s| SigId(s)).collect()))
    }

    #[test]
    fn larger_products_absorb_smaller_ones() {
        assert_eq!(ty(&[&[6], &[5], &[7]]), ty(&[&[5]]));
        assert_eq!(ty(&[&[1], &[8]]), ty(&[&[8]]));
    }

    #[test]
    fn joins_that_cannot_match_are_empty_but_keep_their_arity() {
        let sigs = sigs();
        assert_eq!(ty(&[&[5, 8]]).join(&ty(&[&[8, 6]]), &sigs), ty(&[&[5, 6]]));
        let empty = ty(&[&[5, 8]]).join(&ty(&[&[6, 6]]), &sigs);
        assert!(!empty.has_tuple() && empty.has_arity(2));
        assert!(ty(&[&[5]]).join(&ty(&[&[5]]), &sigs).is_wrong());
    }

    #[test]
    fn closures_follow_the_hierarchy() {
        let sigs = sigs();
        assert_eq!(ty(&[&[5, 6]]).closure(&sigs), ty(&[&[5, 6]]));
        assert_eq!(ty(&[&[6, 8], &[8, 7]]).closure(&sigs), ty(&[&[6, 8], &[8, 7], &[6, 7]]));
        let parent = ty(&[&[6, 7]]);
        assert_eq!(relevant_for_closure(&parent, &ty(&[&[6, 8], &[8, 7]]), &sigs), ty(&[&[6, 8], &[8, 7]]));
        assert!(relevant_for_closure(&parent, &ty(&[&[8, 8]]), &sigs).is_wrong());
    }

    #[test]
    fn types_are_shown_as_written() {
        let name = |s: SigId| format!("S{}", s.0);
        assert_eq!(ty(&[&[5, 8], &[6]]).show(name), "{S5->S8, S6}");
        assert_eq!(Type::formula().show(name), "a formula");
    }
}
