//! The library modules mean what they say.

mod common;

use common::as_expected;
use locus_alloy::Options;

#[test]
fn ordering() {
    as_expected(
        "open util/ordering[A] as o
         sig A {}
         check { all a, b: A | o/lt[a, b] iff b in o/nexts[a] } for 4 expect 0
         check { all a, b: A | o/lte[a, b] or o/gt[a, b] } for 4 expect 0
         check { all a, b: A | o/gte[o/larger[a, b], o/smaller[a, b]] } for 4 expect 0
         check { all s: set A | some s implies o/max[s] in s and s - o/max[s] in o/prevs[o/max[s]] } for 4 expect 0
         check { all s: set A | some s implies s - o/min[s] in o/nexts[o/min[s]] } for 4 expect 0
         check { o/prev = ~(o/next) and no o/last.(o/next) and no o/first.(o/prev) } for 4 expect 0
         run { #A = 4 } for 4 expect 1
         run { #A = 3 } for 4 expect 0
         run { no A } for 4 expect 0",
        &Options::default(),
    );
}

#[test]
fn relation_graph_and_ternary() {
    as_expected(
        "open util/relation
         open util/graph[A] as g
         open util/ternary as t
         sig A { r: set A, q: A -> A }
         check { total[r, A] and functional[r, A] iff function[r, A] } for 3 expect 0
         check { surjective[r, A] and injective[r, A] iff bijective[r, A] } for 3 expect 0
         check { bijection[r, A, A] implies #r = #A } for 3 expect 0
         check { partialOrder[r, A] and complete[r, A] iff totalOrder[r, A] } for 3 expect 0
         check { equivalence[r, A] implies reflexive[r, A] and symmetric[r] and transitive[r] } for 3 expect 0
         run { preorder[r, A] and not antisymmetric[r] } for 3 expect 1
         check { g/tree[r] implies g/forest[r] and lone g/roots[r] } for 3 expect 0
         check { some A and g/ring[r] implies g/stronglyConnected[r] } for 3 expect 0
         check { g/innerNodes[r] = r.univ and g/leaves[r] = A - r.univ } for 3 expect 0
         run { g/treeRootedAt[r, A - univ.r] and #A = 3 } for 3 expect 1
         check { t/flip12[q].flip12 = q and t/flip23[q].flip23 = q and t/flip13[q].flip13 = q } for 2 expect 0
         check { t/select12[q] = q.univ and t/select23[q] = univ.q } for 2 expect 0
         check { t/dom[q] = q.univ.univ and t/mid[q] = univ.(q.univ) and t/ran[q] = univ.(univ.q) } for 2 expect 0",
        &Options::default(),
    );
}

#[test]
fn numbers() {
    as_expected(
        "open util/natural as n
         open util/boolean as b
         check { all x: n/Natural | n/add[x, n/Zero] = x and n/mul[x, n/Zero] = n/Zero } for 4 expect 0
         check { all x, y: n/Natural | n/add[x, y] = n/add[y, x] } for 4 expect 0
         check { all x, y: n/Natural | n/sub[x, y] in n/Natural and (n/lt[x, y] implies no n/sub[x, y]) } for 4 expect 0
         check { all x: n/Natural | n/inc[n/dec[x]] = x or x = n/Zero } for 4 expect 0
         check { some n/One implies n/div[n/One, n/One] = n/One } for 4 expect 0
         check { all x, y: Bool | And[x, y] = Not[Or[Not[x], Not[y]]] and Xor[x, y] = Not[Xor[x, Not[y]]] } expect 0
         check { all x, y: Bool | Nand[x, y] = Not[And[x, y]] and Nor[x, y] = Not[Or[x, y]] } expect 0
         check { all x: Bool | isTrue[x] iff not isFalse[x] } expect 0
         check { all x: Int | integer/larger[x, 0] >= 0 and integer/smaller[x, 0] <= 0 } expect 0
         check { all x: Int | x = max or integer/prevs[plus[x, 1]] = integer/prevs[x] + x } expect 0",
        &Options::default(),
    );
}

#[test]
fn sequences() {
    as_expected(
        "open util/sequence[A] as q
         open util/seqrel[A] as r
         sig A {}
         check { all s: q/Seq | q/isEmpty[s] or q/at[s, q/lastIdx[s]] = q/last[s] } for 3 expect 0
         check { all s, t: q/Seq, a: A | q/add[s, a, t] implies q/last[t] = a and q/startsWith[t, s] } for 3 expect 0
         check { all s, t, u: q/Seq | q/append[s, t, u] implies q/elems[u] = q/elems[s] + q/elems[t] } for 3 expect 0
         run { q/allExist and #A = 1 } for exactly 1 A, exactly 2 q/SeqIdx, 3 q/Seq, 1 r/SeqIdx expect 1
         check { all s: r/SeqIdx -> A | r/isSeq[s] implies r/isSeq[r/rest[s]] and r/isSeq[r/butlast[s]] } for 2 but 3 r/SeqIdx expect 0
         check { all s, t: r/SeqIdx -> A | r/isSeq[s] and r/isEmpty[t] implies r/append[s, t] = s } for 2 but 3 r/SeqIdx expect 0",
        &Options::default(),
    );
}

#[test]
fn networks_and_texts_are_computed() {
    as_expected(
        "open util/net as net
         open util/text as text
         sig Host { address: one String, network: one String }
         fact { Host.network in \"10.0.0.0/8\" + \"192.168.1.0/24\" }
         fact { Host.address in \"10.1.2.3\" + \"192.168.1.255\" + \"nonsense\" + \"2001:db8::1\" }
         run { some h: Host | h.address in h.network.(net/contains) } for 2 expect 1
         run { some h: Host | h.address = \"nonsense\" and net/valid[h.address] } for 2 expect 0
         check { all h: Host | h.address in h.network.(net/contains) implies net/version[h.address] = 4 } for 2 expect 0
         run { some h: Host | net/version[h.address] = 6 } for 2 expect 1
         run { \"192.168.1.0/24\".(net/last) = \"192.168.1.255\" } expect 1
         run { \"10.1.2.2/31\".(net/second) = \"10.1.2.3\" and no \"10.0.0.0/8\".(net/second) } expect 1
         run { some \"10.0.0.0/8\".(net/overlaps) & \"192.168.1.0/24\" } expect 0
         run { \"10.1.2.3\" in \"10[.].*\".(text/matches) and \"nonsense\" not in \"10[.].*\".(text/matches) } expect 1
         run { \"none\".(text/length) = 4 and \"7\".(text/number) = 7 and \"no\" in \"n\".(text/prefix) } expect 1",
        &Options::default(),
    );
}

#[test]
fn an_invalid_pattern_is_an_error() {
    let findings = |formula: &str| {
        common::findings(&format!("open util/text\nsig A {{ n: String }}\nfact {{ {formula} }}"))
    };
    insta::assert_snapshot!(findings("all a: A | a.n in \"[a-z\".matches"), @r#"
    3:26 ALS028 `[a-z` is not a valid pattern: unclosed character class
      help: a backslash is written twice in a string: `\\d` for a digit
    "#);
    insta::assert_snapshot!(findings("all a: A | a.n in (\"[a-z]+\" + \"(x\").matches"), @r#"
    3:38 ALS028 `(x` is not a valid pattern: unclosed group
      help: a backslash is written twice in a string: `\\d` for a digit
    "#);
    // A pattern that only looks like one that is wrong, and a text that is no pattern at all.
    assert_eq!(findings("all a: A | a.n in \"[a-z]{2,}\".matches and a.n not in \"[a-z\".prefix"), "");
}
