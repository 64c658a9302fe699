//! The findings of this crate: what each code `ALSnnn` stands for.
//!
//! Codes below 040 are errors in a model, 040 to 059 are warnings about it, from 060 on they concern commands.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($($(#[$doc:meta])* $id:ident = $code:literal, $name:literal, $severity:ident, $summary:literal, $explanation:literal;)*) => {
        $($(#[$doc])* pub const $id: Rule = Rule::new($code, $name, Severity::$severity, $summary, $explanation);)*

        /// All rules of this crate, in the order of their codes.
        pub const ALL: &[Rule] = &[$($id),*];
    };
}

rules! {
    /// A character or literal that is not part of the language.
    LEXICAL = "ALS001", "bad-token", Error, "Every character belongs to a token of the language.",
        "Names start with a letter; strings are closed on their line; comments are `--`, `//` and `/* */`.";
    /// Something is missing or stands where it may not.
    SYNTAX = "ALS002", "syntax", Error, "A file follows the grammar of Alloy 6.",
        "The message names what was expected at this place. Parsing goes on at the next paragraph, so later messages are real.";
    /// Nesting beyond what we are willing to follow.
    TOO_DEEP = "ALS003", "too-deep", Error, "Expressions nest less than 250 levels deep.",
        "Name parts of the expression by `let`, `fun` or `pred`. Long chains of `+`, `and` and `or` do not count.";
    /// A part of the language that is understood but cannot be analysed yet.
    NOT_YET = "ALS004", "not-yet", Error, "The model uses only what can be analysed.",
        "Mutable signatures and fields (`var`), primes and the temporal operators are read but not solved yet; nor are meta-signatures (`sig$`, `A$`, `A$f`). Commands that need nothing of it are answered.";
    /// A name without a meaning here.
    UNKNOWN_NAME = "ALS010", "unknown-name", Error, "Every name is declared.",
        "Names come from this module, the modules it opens, and the variables around. A field of another signature needs no prefix; `private` names are seen only in their own module.";
    /// A name with several meanings here.
    AMBIGUOUS_NAME = "ALS011", "ambiguous-name", Error, "Every name has one meaning at its place.",
        "Several declarations fit. Write `Sig <: field`, or the module in front: `alias/name`.";
    /// Two declarations with one name.
    DUPLICATE_NAME = "ALS012", "duplicate-name", Error, "Names of one kind are declared once in a module.",
        "Signatures, assertions, macros and the fields of overlapping signatures have different names; predicates and functions may share a name if their parameters differ.";
    /// A module that cannot be read.
    MODULE = "ALS013", "module-not-found", Error, "Every opened module can be read.",
        "`open a/b` is looked up beside the file, by its path from where the module names say the root is, and then in the library (`util/…`).";
    /// Modules that open each other.
    MODULE_CYCLE = "ALS014", "module-cycle", Error, "Modules do not open each other in a circle.",
        "Move what both need into a third module.";
    /// Wrong arguments to a module.
    MODULE_ARGUMENTS = "ALS015", "module-arguments", Error, "A module is opened with as many signatures as it has parameters.",
        "`open util/ordering[Time]` gives one argument, as `module util/ordering[exactly elem]` asks.";
    /// A hierarchy of signatures that cannot be.
    HIERARCHY = "ALS016", "signature-hierarchy", Error, "Signatures extend signatures, without circles.",
        "A signature may extend one other signature (not a subset, not a built-in one), or be a subset of several.";
    /// Something else than the kind of expression needed.
    KIND = "ALS020", "wrong-kind", Error, "Formulas, sets and integers stand where they are needed.",
        "The message gives the type found. `some e`, `#e` and comparisons make formulas and integers of sets.";
    /// Sets of tuples of different lengths.
    ARITY = "ALS021", "arity", Error, "Both sides of an operator have tuples of the same length.",
        "The types of both sides are in the message: `A->B` is a relation with two columns.";
    /// A join that cannot be.
    JOIN = "ALS022", "illegal-join", Error, "A join has at least one column left.",
        "`a.b` matches the last column of `a` with the first of `b`; two sets have nothing left. For a call write `f[x]`.";
    /// A call that cannot be.
    CALL = "ALS023", "illegal-call", Error, "Calls fit the parameters of what they call.",
        "The message lists the parameters and the arguments with their types.";
    /// A multiplicity where none is allowed.
    MULTIPLICITY = "ALS024", "misplaced-multiplicity", Error, "Multiplicities stand in declarations and on the right of `in`.",
        "`set`, `some`, `lone`, `one` before an expression, and on arrows, say how many; they are no part of a value.";
    /// A declaration that is not allowed.
    DECLARATION = "ALS025", "illegal-declaration", Error, "Declarations follow the rules of the language.",
        "The message says which one is broken.";
    /// A recursion without end.
    RECURSION = "ALS026", "recursion", Error, "Calls end within the unrolling limit.",
        "Predicates and functions that call themselves are unrolled as often as the option `unrolls` says; by default they may not.";
    /// A quantifier over relations that cannot be removed.
    HIGHER_ORDER = "ALS027", "higher-order", Error, "Quantifiers over sets and relations can be skolemised.",
        "`some r: A->B | …` at the outside of a command becomes a relation to find. Under `all`, or negated, it would need every relation to be tried.";
    /// A pattern that is none.
    PATTERN = "ALS028", "invalid-pattern", Error, "Patterns are regular expressions.",
        "The pattern before `matches` of `util/text` is a regular expression for the whole text, as in most languages, without references back and without looking around.";
    /// A join that gives nothing.
    EMPTY_JOIN = "ALS040", "empty-join", Warning, "A join can have tuples.",
        "By their types, the columns that meet have no atom in common, so the result is always empty.";
    /// A comparison whose result is known.
    DISJOINT = "ALS041", "disjoint-comparison", Warning, "Compared expressions can have tuples in common.",
        "By their types, both sides never share a tuple, or one is always empty: the comparison says something else than it seems to.";
    /// A part of an expression without effect.
    REDUNDANT = "ALS042", "redundant-part", Warning, "Every part of an expression can matter.",
        "By its type, this part never changes the value of the whole.";
    /// A variable that nobody uses.
    UNUSED = "ALS043", "unused-variable", Warning, "Variables are used.",
        "The quantifier or `let` binds a name that its body does not use.";
    /// A function whose body and return type do not meet.
    RETURN_TYPE = "ALS044", "return-type", Warning, "A function's body can have tuples of its return type.",
        "By their types they have nothing in common.";
    /// Two formulas on one line without a connective.
    IMPLICIT_AND = "ALS045", "implicit-and", Warning, "Formulas on one line are joined by a connective.",
        "Two formulas side by side are both required. On one line this is easily a slip: write `and`.";
    /// A number that the bitwidth has no room for.
    LARGE_NUMBER = "ALS046", "large-number", Warning, "Numbers fit the bitwidth of the command.",
        "With `b` bits, integers go from -2^(b-1) to 2^(b-1)-1. Say `for … but 6 int` for more.";
    /// A scope that cannot be.
    SCOPE = "ALS060", "scope", Error, "Every command has a scope for every signature.",
        "`for 3` gives every top-level signature at most three atoms, `but exactly 2 A` says otherwise for `A`.";
    /// A universe that is too large.
    TOO_LARGE = "ALS061", "too-large", Error, "Scopes stay within what can be analysed.",
        "The message has the figures. Fewer atoms, or relations with fewer columns, need less.";
    /// An expectation that does not hold.
    EXPECT = "ALS062", "unexpected-verdict", Error, "Commands do what `expect` says.",
        "`expect 1` says that there is an instance (or counterexample), `expect 0` that there is none.";
    /// A check with a counterexample.
    COUNTEREXAMPLE = "ALS063", "counterexample", Error, "Assertions hold.",
        "There is an instance of the facts in which the assertion is false; it is shown.";
    /// A check that says nothing.
    VACUOUS = "ALS064", "vacuous-check", Warning, "The facts have an instance within the scope of a check.",
        "The assertion holds because the facts contradict each other within this scope: any assertion would hold.";
    /// The reason why there is no instance.
    CORE = "ALS065", "unsatisfiable", Note, "Why a command has no instance.",
        "The places marked contradict each other; without any one of them the rest would have an instance.";
}

#[cfg(test)]
mod tests {
    #[test]
    fn codes_are_in_order_and_distinct() {
        assert!(super::ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
    }
}
