//! A tiny part of Alloy with a meaning of its own: sets as bits of a byte, relations as bits of a 4 by 4 table.
//!
//! Nothing here knows the engine. Formulas are built at random, written as Alloy text, and judged by definition.

use std::fmt::Write;

/// How many atoms there can be.
pub(crate) const ATOMS: usize = 4;

/// A set expression.
#[derive(Clone, Debug)]
pub(crate) enum Set {
    A,
    B,
    Var(usize),
    Both(char, Box<Set>, Box<Set>),
    Join(Box<Set>, Box<Pairs>),
    JoinBack(Box<Pairs>, Box<Set>),
    Those(usize, Box<Set>, Box<Formula>),
    Either(Box<Formula>, Box<Set>, Box<Set>),
}

/// An expression of pairs.
#[derive(Clone, Debug)]
pub(crate) enum Pairs {
    F,
    G,
    Turned(Box<Pairs>),
    Closure(Box<Pairs>),
    /// `s <: *r`: reachable from the set, in any number of steps.
    Reachable(Box<Set>, Box<Pairs>),
    Both(char, Box<Pairs>, Box<Pairs>),
    Override(Box<Pairs>, Box<Pairs>),
    Join(Box<Pairs>, Box<Pairs>),
    Product(Box<Set>, Box<Set>),
    From(Box<Set>, Box<Pairs>),
    To(Box<Pairs>, Box<Set>),
}

/// A formula.
#[derive(Clone, Debug)]
pub(crate) enum Formula {
    Many(&'static str, Set),
    ManyPairs(&'static str, Pairs),
    Compare(&'static str, Set, Set),
    ComparePairs(&'static str, Pairs, Pairs),
    Size(Set, &'static str, u32),
    Not(Box<Formula>),
    Both(&'static str, Box<Formula>, Box<Formula>),
    Each(&'static str, usize, Set, Box<Formula>),
    /// Two different ones: `q disj x, y: s | …`.
    Pair(&'static str, usize, Set, Box<Formula>),
}

/// A value for everything that the model declares.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Case {
    pub(crate) a: u8,
    pub(crate) b: u8,
    pub(crate) f: u16,
    pub(crate) g: u16,
}

/// The values of variables.
pub(crate) type Env = Vec<usize>;

fn pair(i: usize, j: usize) -> u16 {
    1 << (i * ATOMS + j)
}

/// The pairs for which something holds.
pub(crate) fn table(holds: impl Fn(usize, usize) -> bool) -> u16 {
    let cells = (0..ATOMS).flat_map(|i| (0..ATOMS).map(move |j| (i, j)));
    cells.filter(|&(i, j)| holds(i, j)).map(|(i, j)| pair(i, j)).sum()
}

fn collect(holds: impl Fn(usize) -> bool) -> u8 {
    (0..ATOMS).filter(|&i| holds(i)).map(|i| 1 << i).sum()
}

fn members(set: u8) -> impl Iterator<Item = usize> {
    (0..ATOMS).filter(move |&i| has(set, i))
}

/// Whether a set has an atom.
pub(crate) fn has(set: u8, i: usize) -> bool {
    set >> i & 1 == 1
}

/// Whether a relation has a pair.
pub(crate) fn holds(pairs: u16, i: usize, j: usize) -> bool {
    pairs & pair(i, j) != 0
}

/// Whether there are as many as a word says.
pub(crate) fn many(word: &str, count: u32) -> bool {
    match word {
        "no" => count == 0,
        "lone" => count <= 1,
        "one" => count == 1,
        "some" => count > 0,
        _ => true,
    }
}

fn compose(r: u16, s: u16) -> u16 {
    table(|i, j| (0..ATOMS).any(|k| holds(r, i, k) && holds(s, k, j)))
}

fn closure(r: u16) -> u16 {
    let mut all = r;
    loop {
        let more = all | compose(all, r);
        if more == all {
            return all;
        }
        all = more;
    }
}

impl Set {
    pub(crate) fn value(&self, case: &Case, env: &mut Env) -> u8 {
        match self {
            Self::A => case.a,
            Self::B => case.b,
            Self::Var(v) => 1 << env[*v],
            Self::Both(op, x, y) => {
                let (x, y) = (x.value(case, env), y.value(case, env));
                match op {
                    '+' => x | y,
                    '-' => x & !y,
                    _ => x & y,
                }
            }
            Self::Join(x, r) => {
                let (x, r) = (x.value(case, env), r.value(case, env));
                collect(|j| members(x).any(|i| holds(r, i, j)))
            }
            Self::JoinBack(r, x) => {
                let (x, r) = (x.value(case, env), r.value(case, env));
                collect(|i| members(x).any(|j| holds(r, i, j)))
            }
            Self::Those(_, x, body) => {
                let x = x.value(case, env);
                let mut chosen = 0;
                for i in members(x) {
                    env.push(i);
                    if body.value(case, env) {
                        chosen |= 1 << i;
                    }
                    env.pop();
                }
                chosen
            }
            Self::Either(test, x, y) => if test.value(case, env) { x } else { y }.value(case, env),
        }
    }

    pub(crate) fn write(&self, out: &mut Text) {
        match self {
            Self::A => out.word("A"),
            Self::B => out.word("B"),
            Self::Var(v) => out.variable(*v),
            Self::Both(op, x, y) => out.group(|out| {
                x.write(out);
                out.word(&format!(" {op} "));
                y.write(out);
            }),
            Self::Join(x, r) => out.group(|out| {
                x.write(out);
                out.word(".");
                r.write(out);
            }),
            Self::JoinBack(r, x) => out.group(|out| {
                r.write(out);
                out.word(".");
                x.write(out);
            }),
            Self::Those(v, x, body) => {
                out.word("{ ");
                out.variable(*v);
                out.word(": ");
                x.write(out);
                out.word(" | ");
                body.write(out);
                out.word(" }");
            }
            Self::Either(test, x, y) => out.group(|out| {
                test.write(out);
                out.word(" => ");
                x.write(out);
                out.word(" else ");
                y.write(out);
            }),
        }
    }
}

impl Pairs {
    pub(crate) fn value(&self, case: &Case, env: &mut Env) -> u16 {
        match self {
            Self::F => case.f,
            Self::G => case.g,
            Self::Turned(r) => {
                let r = r.value(case, env);
                table(|i, j| holds(r, j, i))
            }
            Self::Closure(r) => closure(r.value(case, env)),
            Self::Reachable(x, r) => {
                let (x, r) = (x.value(case, env), closure(r.value(case, env)));
                table(|i, j| has(x, i) && (i == j || holds(r, i, j)))
            }
            Self::Both(op, r, s) => {
                let (r, s) = (r.value(case, env), s.value(case, env));
                match op {
                    '+' => r | s,
                    '-' => r & !s,
                    _ => r & s,
                }
            }
            Self::Override(r, s) => {
                let (r, s) = (r.value(case, env), s.value(case, env));
                table(|i, j| holds(s, i, j) || holds(r, i, j) && (0..ATOMS).all(|k| !holds(s, i, k)))
            }
            Self::Join(r, s) => compose(r.value(case, env), s.value(case, env)),
            Self::Product(x, y) => {
                let (x, y) = (x.value(case, env), y.value(case, env));
                table(|i, j| has(x, i) && has(y, j))
            }
            Self::From(x, r) => {
                let (x, r) = (x.value(case, env), r.value(case, env));
                table(|i, j| has(x, i) && holds(r, i, j))
            }
            Self::To(r, x) => {
                let (x, r) = (x.value(case, env), r.value(case, env));
                table(|i, j| has(x, j) && holds(r, i, j))
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Text) {
        let two = |out: &mut Text, r: &Self, op: &str, s: &Self| {
            out.group(|out| {
                r.write(out);
                out.word(op);
                s.write(out);
            });
        };
        match self {
            Self::F => out.field("f"),
            Self::G => out.field("g"),
            Self::Turned(r) => {
                out.word("~");
                r.write(out);
            }
            Self::Closure(r) => {
                out.word("^");
                r.write(out);
            }
            Self::Reachable(x, r) => out.group(|out| {
                x.write(out);
                out.word(" <: *");
                r.write(out);
            }),
            Self::Both(op, r, s) => two(out, r, &format!(" {op} "), s),
            Self::Override(r, s) => two(out, r, " ++ ", s),
            Self::Join(r, s) => two(out, r, ".", s),
            Self::Product(x, y) => out.group(|out| {
                x.write(out);
                out.word(" -> ");
                y.write(out);
            }),
            Self::From(x, r) => out.group(|out| {
                x.write(out);
                out.word(" <: ");
                r.write(out);
            }),
            Self::To(r, x) => out.group(|out| {
                r.write(out);
                out.word(" :> ");
                x.write(out);
            }),
        }
    }
}

fn quantified(word: &str, tried: &[bool]) -> bool {
    let count = tried.iter().map(|&held| u32::from(held)).sum();
    if word == "all" { tried.iter().all(|&held| held) } else { many(word, count) }
}

impl Formula {
    pub(crate) fn value(&self, case: &Case, env: &mut Env) -> bool {
        match self {
            Self::Many(word, x) => many(word, x.value(case, env).count_ones()),
            Self::ManyPairs(word, r) => many(word, r.value(case, env).count_ones()),
            Self::Compare(op, x, y) => {
                compare(op, u16::from(x.value(case, env)), u16::from(y.value(case, env)))
            }
            Self::ComparePairs(op, r, s) => compare(op, r.value(case, env), s.value(case, env)),
            Self::Size(x, op, number) => {
                let size = x.value(case, env).count_ones();
                match *op {
                    "<" => size < *number,
                    ">" => size > *number,
                    _ => size == *number,
                }
            }
            Self::Not(x) => !x.value(case, env),
            Self::Both(op, x, y) => {
                let (x, y) = (x.value(case, env), y.value(case, env));
                match *op {
                    "and" => x && y,
                    "or" => x || y,
                    "=>" => !x || y,
                    _ => x == y,
                }
            }
            Self::Each(word, _, x, body) => {
                let x = x.value(case, env);
                let mut tried = Vec::new();
                for i in members(x) {
                    env.push(i);
                    tried.push(body.value(case, env));
                    env.pop();
                }
                quantified(word, &tried)
            }
            Self::Pair(word, _, x, body) => {
                let x = x.value(case, env);
                let mut tried = Vec::new();
                for (i, j) in members(x).flat_map(|i| members(x).map(move |j| (i, j))).filter(|(i, j)| i != j)
                {
                    env.extend([i, j]);
                    tried.push(body.value(case, env));
                    env.truncate(env.len() - 2);
                }
                quantified(word, &tried)
            }
        }
    }

    pub(crate) fn write(&self, out: &mut Text) {
        out.group(|out| match self {
            Self::Many(word, x) => {
                out.word(&format!("{word} "));
                x.write(out);
            }
            Self::ManyPairs(word, r) => {
                out.word(&format!("{word} "));
                r.write(out);
            }
            Self::Compare(op, x, y) => {
                x.write(out);
                out.word(&format!(" {op} "));
                y.write(out);
            }
            Self::ComparePairs(op, r, s) => {
                r.write(out);
                out.word(&format!(" {op} "));
                s.write(out);
            }
            Self::Size(x, op, number) => {
                out.word("#");
                x.write(out);
                out.word(&format!(" {op} {number}"));
            }
            Self::Not(x) => {
                out.word("not ");
                x.write(out);
            }
            Self::Both(op, x, y) => {
                x.write(out);
                out.word(&format!(" {op} "));
                y.write(out);
            }
            Self::Each(word, v, x, body) => {
                out.word(&format!("{word} "));
                out.variable(*v);
                out.word(": ");
                x.write(out);
                out.word(" | ");
                body.write(out);
            }
            Self::Pair(word, v, x, body) => {
                out.word(&format!("{word} disj "));
                out.variable(*v);
                out.word(", ");
                out.variable(*v + 1);
                out.word(": ");
                x.write(out);
                out.word(" | ");
                body.write(out);
            }
        });
    }

    /// As it is written in Alloy.
    pub(crate) fn text(&self) -> String {
        let mut out = Text::default();
        self.write(&mut out);
        out.text
    }

    /// As it is written in the facts of a signature, where the first variable is `this`.
    pub(crate) fn text_of_this(&self) -> String {
        let mut out = Text { text: String::new(), of_this: true };
        self.write(&mut out);
        out.text
    }
}

fn compare(op: &str, x: u16, y: u16) -> bool {
    match op {
        "in" => x & !y == 0,
        "!in" => x & !y != 0,
        "=" => x == y,
        _ => x != y,
    }
}

/// Alloy text that is being written.
#[derive(Default)]
pub(crate) struct Text {
    text: String,
    of_this: bool,
}

impl Text {
    fn word(&mut self, word: &str) {
        self.text.push_str(word);
    }

    fn field(&mut self, name: &str) {
        if self.of_this {
            self.text.push('@');
        }
        self.text.push_str(name);
    }

    fn variable(&mut self, v: usize) {
        if self.of_this && v == 0 {
            self.text.push_str("this");
        } else {
            let _ = write!(self.text, "x{v}");
        }
    }

    fn group(&mut self, inside: impl FnOnce(&mut Self)) {
        self.text.push('(');
        inside(self);
        self.text.push(')');
    }
}
