//! The operators of TLA+: their spellings, precedence ranges and associativity.
//!
//! The figures are those of Specifying Systems, table 6 of chapter 15, as SANY has them (times ten).

/// Where an operator stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fix {
    /// Before its operand.
    Prefix,
    /// Between its operands.
    Infix,
    /// After its operand.
    Postfix,
}

/// An operator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operator {
    /// The canonical spelling.
    pub name: &'static str,
    /// The lowest precedence of its range.
    pub low: u8,
    /// The highest precedence of its range.
    pub high: u8,
    /// Whether `a op b op c` means `(a op b) op c`; otherwise it needs parentheses.
    pub left: bool,
    /// Where it stands.
    pub fix: Fix,
}

/// How two operators relate that contend for the operand between them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binding {
    /// The left one takes it.
    Left,
    /// The right one takes it.
    Right,
    /// Neither: parentheses are needed.
    Conflict,
}

impl Operator {
    /// Which of `self op operand right` takes the operand.
    pub fn against(&self, right: &Self) -> Binding {
        if self.low > right.high || (self.name == right.name && self.left) {
            Binding::Left
        } else if self.high < right.low {
            Binding::Right
        } else {
            Binding::Conflict
        }
    }
}

const fn op(name: &'static str, low: u8, high: u8, left: bool, fix: Fix) -> Operator {
    Operator { name, low, high, left, fix }
}

const L: bool = true;
const N: bool = false;

/// Every operator, once. The index is the operator's id in tokens.
pub const OPERATORS: &[Operator] = &[
    op("=>", 10, 10, N, Fix::Infix),
    op("~>", 20, 20, N, Fix::Infix),
    op("<=>", 20, 20, N, Fix::Infix),
    op("-+->", 20, 20, N, Fix::Infix),
    op("/\\", 30, 30, L, Fix::Infix),
    op("\\/", 30, 30, L, Fix::Infix),
    op("~", 40, 40, L, Fix::Prefix),
    op("[]", 40, 150, N, Fix::Prefix),
    op("<>", 40, 150, N, Fix::Prefix),
    op("ENABLED", 40, 150, N, Fix::Prefix),
    op("UNCHANGED", 40, 150, N, Fix::Prefix),
    op("=", 50, 50, N, Fix::Infix),
    op("/=", 50, 50, N, Fix::Infix),
    op("\\in", 50, 50, N, Fix::Infix),
    op("\\notin", 50, 50, N, Fix::Infix),
    op("\\subseteq", 50, 50, N, Fix::Infix),
    op("\\subset", 50, 50, N, Fix::Infix),
    op("\\supset", 50, 50, N, Fix::Infix),
    op("\\supseteq", 50, 50, N, Fix::Infix),
    op("<", 50, 50, N, Fix::Infix),
    op("<=", 50, 50, N, Fix::Infix),
    op(">", 50, 50, N, Fix::Infix),
    op(">=", 50, 50, N, Fix::Infix),
    op("|-", 50, 50, N, Fix::Infix),
    op("|=", 50, 50, N, Fix::Infix),
    op("-|", 50, 50, N, Fix::Infix),
    op("=|", 50, 50, N, Fix::Infix),
    op(":=", 50, 50, N, Fix::Infix),
    op("::=", 50, 50, N, Fix::Infix),
    op("\\prec", 50, 50, N, Fix::Infix),
    op("\\succ", 50, 50, N, Fix::Infix),
    op("\\preceq", 50, 50, N, Fix::Infix),
    op("\\succeq", 50, 50, N, Fix::Infix),
    op("\\sim", 50, 50, N, Fix::Infix),
    op("\\simeq", 50, 50, N, Fix::Infix),
    op("\\ll", 50, 50, N, Fix::Infix),
    op("\\gg", 50, 50, N, Fix::Infix),
    op("\\asymp", 50, 50, N, Fix::Infix),
    op("\\approx", 50, 50, N, Fix::Infix),
    op("\\cong", 50, 50, N, Fix::Infix),
    op("\\sqsubset", 50, 50, N, Fix::Infix),
    op("\\sqsubseteq", 50, 50, N, Fix::Infix),
    op("\\sqsupset", 50, 50, N, Fix::Infix),
    op("\\sqsupseteq", 50, 50, N, Fix::Infix),
    op("\\doteq", 50, 50, N, Fix::Infix),
    op("\\propto", 50, 50, N, Fix::Infix),
    op("\\cdot", 50, 140, L, Fix::Infix),
    op("@@", 60, 60, L, Fix::Infix),
    op("<:", 70, 70, N, Fix::Infix),
    op(":>", 70, 70, N, Fix::Infix),
    op("\\", 80, 80, N, Fix::Infix),
    op("\\cap", 80, 80, L, Fix::Infix),
    op("\\cup", 80, 80, L, Fix::Infix),
    op("..", 90, 90, N, Fix::Infix),
    op("...", 90, 90, N, Fix::Infix),
    op("!!", 90, 130, N, Fix::Infix),
    op("##", 90, 130, L, Fix::Infix),
    op("$", 90, 130, L, Fix::Infix),
    op("$$", 90, 130, L, Fix::Infix),
    op("??", 90, 130, L, Fix::Infix),
    op("\\sqcap", 90, 130, L, Fix::Infix),
    op("\\sqcup", 90, 130, L, Fix::Infix),
    op("\\uplus", 90, 130, L, Fix::Infix),
    op("\\wr", 90, 140, N, Fix::Infix),
    op("SUBSET", 100, 130, N, Fix::Prefix),
    op("UNION", 100, 130, N, Fix::Prefix),
    op("DOMAIN", 100, 130, N, Fix::Prefix),
    op("\\X", 100, 130, L, Fix::Infix),
    op("+", 100, 100, L, Fix::Infix),
    op("++", 100, 100, L, Fix::Infix),
    op("(+)", 100, 100, L, Fix::Infix),
    op("%", 100, 110, N, Fix::Infix),
    op("%%", 100, 110, L, Fix::Infix),
    op("|", 100, 110, L, Fix::Infix),
    op("||", 100, 110, L, Fix::Infix),
    op("-", 110, 110, L, Fix::Infix),
    op("--", 110, 110, L, Fix::Infix),
    op("(-)", 110, 110, L, Fix::Infix),
    op("-.", 120, 120, N, Fix::Prefix),
    op("*", 130, 130, L, Fix::Infix),
    op("**", 130, 130, L, Fix::Infix),
    op("/", 130, 130, N, Fix::Infix),
    op("//", 130, 130, N, Fix::Infix),
    op("&", 130, 130, L, Fix::Infix),
    op("&&", 130, 130, L, Fix::Infix),
    op("(.)", 130, 130, L, Fix::Infix),
    op("(/)", 130, 130, N, Fix::Infix),
    op("(\\X)", 130, 130, L, Fix::Infix),
    op("\\div", 130, 130, N, Fix::Infix),
    op("\\star", 130, 130, L, Fix::Infix),
    op("\\o", 130, 130, L, Fix::Infix),
    op("\\bigcirc", 130, 130, L, Fix::Infix),
    op("\\bullet", 130, 130, L, Fix::Infix),
    op("^", 140, 140, N, Fix::Infix),
    op("^^", 140, 140, N, Fix::Infix),
    op("'", 150, 150, N, Fix::Postfix),
    op("^+", 150, 150, N, Fix::Postfix),
    op("^*", 150, 150, N, Fix::Postfix),
    op("^#", 150, 150, N, Fix::Postfix),
];

/// Function application, as an operator that contends for operands: `f[x]`.
pub const APPLICATION: Operator = op("[", 160, 160, L, Fix::Postfix);

/// The other spellings of operators, each with its canonical one.
pub const SYNONYMS: &[(&str, &str)] = &[
    ("\\lnot", "~"),
    ("\\neg", "~"),
    ("¬", "~"),
    ("□", "[]"),
    ("◇", "<>"),
    ("\\land", "/\\"),
    ("∧", "/\\"),
    ("\\lor", "\\/"),
    ("∨", "\\/"),
    ("\\equiv", "<=>"),
    ("≡", "<=>"),
    ("⇔", "<=>"),
    ("#", "/="),
    ("≠", "/="),
    ("\\leq", "<="),
    ("=<", "<="),
    ("≤", "<="),
    ("\\geq", ">="),
    ("≥", ">="),
    ("\\times", "\\X"),
    ("×", "\\X"),
    ("\\intersect", "\\cap"),
    ("∩", "\\cap"),
    ("\\union", "\\cup"),
    ("∪", "\\cup"),
    ("\\circ", "\\o"),
    ("∘", "\\o"),
    ("\\oplus", "(+)"),
    ("⊕", "(+)"),
    ("\\ominus", "(-)"),
    ("⊖", "(-)"),
    ("\\odot", "(.)"),
    ("⊙", "(.)"),
    ("\\oslash", "(/)"),
    ("⊘", "(/)"),
    ("\\otimes", "(\\X)"),
    ("⊗", "(\\X)"),
    ("≈", "\\approx"),
    ("≔", ":="),
    ("≍", "\\asymp"),
    ("◯", "\\bigcirc"),
    ("⩴", "::="),
    ("●", "\\bullet"),
    ("⋅", "\\cdot"),
    ("≅", "\\cong"),
    ("÷", "\\div"),
    ("≐", "\\doteq"),
    ("‥", ".."),
    ("…", "..."),
    ("‼", "!!"),
    ("≫", "\\gg"),
    ("⇒", "=>"),
    ("∈", "\\in"),
    ("⫤", "=|"),
    ("↝", "~>"),
    ("≪", "\\ll"),
    ("⊣", "-|"),
    ("∉", "\\notin"),
    ("⇸", "-+->"),
    ("≺", "\\prec"),
    ("⪯", "\\preceq"),
    ("∝", "\\propto"),
    ("⁇", "??"),
    ("⊨", "|="),
    ("⊢", "|-"),
    ("∼", "\\sim"),
    ("≃", "\\simeq"),
    ("⊓", "\\sqcap"),
    ("⊔", "\\sqcup"),
    ("⊏", "\\sqsubset"),
    ("⊑", "\\sqsubseteq"),
    ("⊐", "\\sqsupset"),
    ("⊒", "\\sqsupseteq"),
    ("⋆", "\\star"),
    ("⊂", "\\subset"),
    ("⊆", "\\subseteq"),
    ("≻", "\\succ"),
    ("⪰", "\\succeq"),
    ("⊃", "\\supset"),
    ("⊇", "\\supseteq"),
    ("⊎", "\\uplus"),
    ("‖", "||"),
    ("≀", "\\wr"),
    ("⁺", "^+"),
];

/// The id of an operator by its canonical spelling.
pub const fn id(name: &str) -> u8 {
    let mut i = 0;
    while i < OPERATORS.len() {
        if same(OPERATORS[i].name.as_bytes(), name.as_bytes()) {
            return i as u8;
        }
        i += 1;
    }
    panic!("no such operator");
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_synonym_leads_to_an_operator() {
        for (synonym, canonical) in SYNONYMS {
            assert!(OPERATORS.iter().any(|o| o.name == *canonical), "{synonym}");
            assert!(OPERATORS.iter().all(|o| o.name != *synonym), "{synonym}");
        }
    }

    #[test]
    fn ranges_are_ranges() {
        for o in OPERATORS {
            assert!(o.low <= o.high, "{}", o.name);
            assert_eq!(OPERATORS.iter().filter(|p| p.name == o.name).count(), 1, "{}", o.name);
        }
    }
}
