//! Tokens: what they are, and the spellings of all that are fixed.

use std::sync::OnceLock;

use locus_source::Span;

use super::operators::{OPERATORS, SYNONYMS};

/// A token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Token {
    /// The kind of token.
    pub(crate) kind: Kind,
    /// Where it stands.
    pub(crate) span: Span,
    /// Its column from 0, in characters, a tab reaching to the next multiple of eight. Lists are aligned by it.
    pub(crate) column: u32,
}

/// The kind of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// A name.
    Ident,
    /// A number, in digits or with a base.
    Number,
    /// A string.
    String,
    /// An operator, by its index in [`OPERATORS`].
    Op(u8),
    /// A reserved word.
    Word(Word),
    /// `(`
    LeftParen,
    /// `)`
    RightParen,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `]_`
    RightBracketSub,
    /// `{`
    LeftBrace,
    /// `}`
    RightBrace,
    /// `<<`
    LeftAngle,
    /// `>>`
    RightAngle,
    /// `>>_`
    RightAngleSub,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    ColonColon,
    /// `.`
    Dot,
    /// `_`
    Underscore,
    /// `==`
    Define,
    /// `!`
    Bang,
    /// `->`
    Arrow,
    /// `<-`
    LeftArrow,
    /// `|->`
    MapsTo,
    /// `@`
    At,
    /// `\A`
    Forall,
    /// `\E`
    Exists,
    /// `\AA`
    TemporalForall,
    /// `\EE`
    TemporalExists,
    /// `WF_`
    Weak,
    /// `SF_`
    Strong,
    /// The number of a proof step, `<1>2.`; with its level, unless written `<*>` or `<+>`.
    Step(StepLevel),
    /// `---- MODULE`
    ModuleStart,
    /// `----`
    Separator,
    /// `====`
    ModuleEnd,
    /// The end of the text.
    End,
}

/// The level of a proof step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StepLevel {
    /// `<3>`
    Number(u32),
    /// `<*>`: that of the step before.
    Same,
    /// `<+>`: one more than that of the step before.
    Next,
}

macro_rules! words {
    ($($ident:ident $($text:literal)+,)*) => {
        /// A reserved word.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum Word { $($ident),* }

        const WORDS: &[(&str, Word)] = &[$($(($text, Word::$ident)),+),*];
    };
}

words! {
    Action "ACTION" "ACTIONS",
    Assume "ASSUME",
    Assumption "ASSUMPTION",
    Axiom "AXIOM",
    BoxAssume "[]ASSUME",
    BoxProve "[]PROVE",
    By "BY",
    Case "CASE",
    Choose "CHOOSE",
    Constant "CONSTANT" "CONSTANTS",
    Def "DEF" "DEFS",
    Define "DEFINE",
    Else "ELSE",
    Except "EXCEPT",
    Extends "EXTENDS",
    Have "HAVE",
    Hide "HIDE",
    If "IF",
    In "IN",
    Instance "INSTANCE",
    Lambda "LAMBDA",
    Let "LET",
    Local "LOCAL",
    Module "MODULE",
    New "NEW",
    Obvious "OBVIOUS",
    Omitted "OMITTED",
    Only "ONLY",
    Other "OTHER",
    Pick "PICK",
    Proof "PROOF",
    Prove "PROVE",
    Qed "QED",
    Recursive "RECURSIVE",
    State "STATE",
    Suffices "SUFFICES",
    Take "TAKE",
    Temporal "TEMPORAL" "TEMPORALS",
    Then "THEN",
    Theorem "THEOREM" "PROPOSITION" "LEMMA" "COROLLARY",
    Use "USE",
    Variable "VARIABLE" "VARIABLES",
    With "WITH",
    Witness "WITNESS",
}

const PUNCTUATION: &[(&str, Kind)] = &[
    ("(", Kind::LeftParen),
    (")", Kind::RightParen),
    ("[", Kind::LeftBracket),
    ("]", Kind::RightBracket),
    ("]_", Kind::RightBracketSub),
    ("{", Kind::LeftBrace),
    ("}", Kind::RightBrace),
    ("<<", Kind::LeftAngle),
    ("⟨", Kind::LeftAngle),
    (">>", Kind::RightAngle),
    ("⟩", Kind::RightAngle),
    (">>_", Kind::RightAngleSub),
    ("⟩_", Kind::RightAngleSub),
    (",", Kind::Comma),
    (":", Kind::Colon),
    ("::", Kind::ColonColon),
    ("∷", Kind::ColonColon),
    (".", Kind::Dot),
    ("==", Kind::Define),
    ("≜", Kind::Define),
    ("!", Kind::Bang),
    ("->", Kind::Arrow),
    ("→", Kind::Arrow),
    ("<-", Kind::LeftArrow),
    ("←", Kind::LeftArrow),
    ("|->", Kind::MapsTo),
    ("↦", Kind::MapsTo),
    ("@", Kind::At),
    ("\\A", Kind::Forall),
    ("\\forall", Kind::Forall),
    ("∀", Kind::Forall),
    ("\\E", Kind::Exists),
    ("\\exists", Kind::Exists),
    ("∃", Kind::Exists),
    ("\\AA", Kind::TemporalForall),
    ("\\EE", Kind::TemporalExists),
    ("[]ASSUME", Kind::Word(Word::BoxAssume)),
    ("[]PROVE", Kind::Word(Word::BoxProve)),
    ("ℕ", Kind::Ident),
    ("ℤ", Kind::Ident),
    ("ℝ", Kind::Ident),
];

/// The reserved word or word-like operator that a name is, if it is one.
pub(crate) fn word(text: &str) -> Option<Kind> {
    if let Some((_, word)) = WORDS.iter().find(|(spelling, _)| *spelling == text) {
        return Some(Kind::Word(*word));
    }
    let operator = OPERATORS.iter().position(|o| o.name == text)?;
    Some(Kind::Op(operator as u8))
}

/// The longest fixed token that `text` begins with, and its length. Words are not among them.
pub(crate) fn symbol(text: &str) -> Option<(Kind, usize)> {
    static TABLE: OnceLock<Vec<Vec<(&str, Kind)>>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = vec![Vec::new(); 256];
        let operators = OPERATORS.iter().enumerate().map(|(i, o)| (o.name, Kind::Op(i as u8)));
        let canonical = |name: &str| OPERATORS.iter().position(|o| o.name == name);
        let synonyms =
            SYNONYMS.iter().filter_map(|(text, name)| Some((*text, Kind::Op(canonical(name)? as u8))));
        for (text, kind) in PUNCTUATION.iter().copied().chain(operators).chain(synonyms) {
            if !text.as_bytes()[0].is_ascii_alphabetic() {
                table[usize::from(text.as_bytes()[0])].push((text, kind));
            }
        }
        for spellings in &mut table {
            spellings.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        }
        table
    });
    let candidates = &table[usize::from(*text.as_bytes().first()?)];
    let (spelling, kind) = candidates.iter().find(|(spelling, _)| text.starts_with(spelling))?;
    Some((*kind, spelling.len()))
}
