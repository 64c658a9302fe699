//! The tokens of an algorithm. Those of expressions are the tokens of TLA+, kept as they are written; nothing is known
//! of what they mean.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::Wrong;
use super::lines::{Lines, Spot};

/// The sort of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sort {
    /// An operator, a reserved word of TLA+, punctuation.
    Builtin,
    Number,
    /// A string, without its quotes.
    Text,
    Ident,
    /// A variable that the translation adds, such as `stack`.
    Added,
    /// The name of the constant for variables without initial value, which stands for nothing else.
    Default,
}

/// A token of an algorithm.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Lexeme {
    pub(super) text: String,
    pub(super) sort: Sort,
    pub(super) spot: Spot,
}

impl Lexeme {
    pub(super) fn is(&self, text: &str) -> bool {
        self.sort != Sort::Text && self.text == text
    }
}

const WORDS: &[&str] = &[
    "_",
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BOOLEAN",
    "CASE",
    "CONSTANT",
    "CONSTANTS",
    "EXCEPT",
    "EXTENDS",
    "FALSE",
    "IF",
    "INSTANCE",
    "LOCAL",
    "MODULE",
    "OTHER",
    "STRING",
    "THEOREM",
    "TRUE",
    "VARIABLE",
    "VARIABLES",
    "WITH",
    "WF_",
    "SF_",
    "CHOOSE",
    "ENABLED",
    "UNCHANGED",
    "SUBSET",
    "UNION",
    "DOMAIN",
    "ELSE",
    "THEN",
    "LET",
    "IN",
];

const SYMBOLS: &[&str] = &[
    ">>_", "⟩_", "]_", "(", "[", "{", "<<", "⟨", ")", "}", "]", ">>", "⟩", "∀", "∃", "~", "¬", "<>", "◇",
    "'", "^+", "⁺", "^*", "^#", "=>", "⇒", "⋅", "<=>", "⇔", "≡", "~>", "↝", "-+->", "⇸", "⊆", "⊂", "⊃", "⊇",
    "≪", "≫", "\\", "∩", "∪", "/\\", "∧", "\\/", "∨", "×", "-", "+", "*", "/", "^", "|", "||", "‖", "&",
    "&&", "++", "--", "**", "//", "^^", "|-", "⊢", "|=", "⊨", "-|", "⊣", "=|", "⫤", "<:", ":>", ":=", "≔",
    "::=", "⩴", "(+)", "⊕", "(-)", "⊖", "(.)", "⊙", "(/)", "⊘", "(\\X)", "⊗", "⊎", "⊓", "⊔", "÷", "⋆", "∘",
    "◯", "●", "∈", "∉", "=", "#", "/=", "≠", "<", ">", "=<", "<=", "≤", ">=", "≥", "≺", "≻", "⪯", "⪰", "∼",
    "≃", "≈", "≐", "≍", "⊏", "⊐", "⊑", "⊒", "∝", ":", "->", "→", "|->", "↦", "<-", "←", "==", "≜", "[]", "□",
    "..", "‥", "...", "…", "$", "$$", "?", "??", "⁇", "%", "%%", "##", "@@", "!!", "‼", "≀", "≅", "!", ";",
    ",", ".", "-.", "@",
];

const NAMED: &[&str] = &[
    "A",
    "forall",
    "E",
    "exists",
    "AA",
    "EE",
    "lnot",
    "neg",
    "cdot",
    "equiv",
    "subseteq",
    "subset",
    "supset",
    "supseteq",
    "ll",
    "gg",
    "cap",
    "intersect",
    "cup",
    "union",
    "land",
    "lor",
    "X",
    "oplus",
    "ominus",
    "odot",
    "oslash",
    "otimes",
    "uplus",
    "sqcap",
    "sqcup",
    "div",
    "star",
    "o",
    "circ",
    "bigcirc",
    "bullet",
    "in",
    "notin",
    "prec",
    "succ",
    "preceq",
    "succeq",
    "sim",
    "simeq",
    "approx",
    "doteq",
    "asymp",
    "sqsubset",
    "sqsupset",
    "sqsubseteq",
    "sqsupseteq",
    "propto",
    "times",
    "leq",
    "geq",
    "mod",
    "wr",
];

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Reads tokens one by one: what follows an algorithm may be anything.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    lines: &'a Lines,
    spot: Spot,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(lines: &'a Lines, spot: Spot) -> Self {
        Self { lines, spot }
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Result<Lexeme, Wrong> {
        loop {
            let Some(line) = self.lines.get(self.spot.0) else {
                let message = "the algorithm does not end; perhaps a comment in it does not";
                return Err(Wrong::new(message, self.spot));
            };
            match line.get(self.spot.1) {
                None => self.spot = (self.spot.0 + 1, 0),
                Some(c) if c.is_whitespace() => self.spot.1 += 1,
                Some(_) => return self.lexeme(line),
            }
        }
    }

    fn lexeme(&mut self, line: &[char]) -> Result<Lexeme, Wrong> {
        let spot = self.spot;
        let rest = &line[spot.1..];
        let (sort, width) = match rest[0] {
            '"' => return self.string(rest),
            c if is_letter(c) || c.is_ascii_digit() => word(rest),
            'ℕ' | 'ℤ' | 'ℝ' => (Sort::Ident, 1),
            '\\' if rest.get(1).copied().is_some_and(is_letter) => {
                named(rest).ok_or_else(|| Wrong::new("this is not an operator of TLA+", spot))?
            }
            '-' | '=' if ruled(rest) > 0 => (Sort::Builtin, ruled(rest)),
            _ => {
                (Sort::Builtin, symbol(rest).ok_or_else(|| Wrong::new("this is not a token of TLA+", spot))?)
            }
        };
        self.spot.1 += width;
        Ok(Lexeme { text: rest[..width].iter().collect(), sort, spot })
    }

    fn string(&mut self, rest: &[char]) -> Result<Lexeme, Wrong> {
        let spot = self.spot;
        let mut at = 1;
        while let Some(c) = rest.get(at) {
            match c {
                '"' => {
                    self.spot.1 += at + 1;
                    return Ok(Lexeme { text: rest[1..at].iter().collect(), sort: Sort::Text, spot });
                }
                '\\' if !rest.get(at + 1).is_some_and(|c| "\"\\tnfr".contains(*c)) => {
                    return Err(Wrong::new(
                        "`\\` in a string is followed by one of \" \\ t n f r",
                        (spot.0, spot.1 + at),
                    ));
                }
                '\\' => at += 2,
                _ => at += 1,
            }
        }
        Err(Wrong::new("this string does not end within its line", spot))
    }
}

/// A name, number or reserved word.
fn word(rest: &[char]) -> (Sort, usize) {
    let all = rest.iter().take_while(|c| is_letter(**c) || c.is_ascii_digit()).count();
    let text: String = rest[..all].iter().collect();
    if rest[..all].iter().all(char::is_ascii_digit) {
        return (Sort::Number, all);
    }
    if text.starts_with("WF_") || text.starts_with("SF_") {
        return (Sort::Builtin, 3);
    }
    (if WORDS.contains(&text.as_str()) { Sort::Builtin } else { Sort::Ident }, all)
}

/// An operator such as `\in`, or a number such as `\b101`.
fn named(rest: &[char]) -> Option<(Sort, usize)> {
    if matches!(rest[1], 'b' | 'B' | 'o' | 'O' | 'h' | 'H') && rest.get(2).is_some_and(char::is_ascii_digit) {
        return Some((Sort::Number, 2 + rest[2..].iter().take_while(|c| c.is_ascii_hexdigit()).count()));
    }
    let letters: String = rest[1..].iter().take_while(|c| c.is_ascii_alphabetic()).collect();
    NAMED.contains(&letters.as_str()).then_some((Sort::Builtin, letters.len() + 1))
}

/// A line of four dashes or equals signs, or more.
fn ruled(rest: &[char]) -> usize {
    let width = rest.iter().take_while(|c| **c == rest[0]).count();
    if width >= 4 { width } else { 0 }
}

/// The width of the longest symbol here.
fn symbol(rest: &[char]) -> Option<usize> {
    /// Symbols by their first character.
    static BY_FIRST: LazyLock<FxHashMap<char, Vec<&str>>> = LazyLock::new(|| {
        let mut all = FxHashMap::<char, Vec<&str>>::default();
        for symbol in SYMBOLS {
            all.entry(symbol.chars().next().unwrap_or_default()).or_default().push(symbol);
        }
        all
    });
    let width = |symbol: &&str| {
        let width = symbol.chars().count();
        let is_here = width <= rest.len() && symbol.chars().eq(rest[..width].iter().copied());
        is_here.then_some(width)
    };
    BY_FIRST.get(rest.first()?)?.iter().filter_map(width).max()
}
