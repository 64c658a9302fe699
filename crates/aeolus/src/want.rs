//! The target of a plan: a condition on how many components there are.
//!
//! ```text
//! wordpress@running >= 2 and mysql = 1
//! #@serious-wordpress = 1 and #(_){_ : #MySQL > 1} = 0
//! ```
//!
//! The second form is that of Zephyrus's specifications. A name alone counts the components of a type, with `@` and a
//! state those in that state. `#` before a name counts components, too, or, if it is the name of a port, how many
//! components provide it. `#(_){_ : …}` counts the machines on which a condition holds.

use crate::{PortId, StateId, TypeId, Universe};

/// The things that are counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Counted {
    /// The components of a type, in one state or in any.
    Components(TypeId, Option<StateId>),
    /// The components that provide a port.
    Providers(PortId),
    /// The machines on which a condition holds.
    Machines(Box<Want>),
}

/// A sum of numbers of things: each with its factor, and a constant.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sum {
    /// The counts, with their factors.
    pub terms: Vec<(i64, Counted)>,
    /// The constant.
    pub constant: i64,
}

/// How the two sides of a comparison relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `=`
    Equal,
    /// `>=`
    AtLeast,
    /// `>`
    Greater,
    /// `!=`
    Different,
}

/// A condition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Want {
    /// Nothing in particular.
    True,
    /// A sum compared with 0.
    Compare(Sum, Relation),
    /// All of them.
    And(Vec<Want>),
    /// At least one of them.
    Or(Vec<Want>),
    /// Not this.
    Not(Box<Want>),
}

/// Why a text is not a condition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct WantError {
    /// The fault, in one sentence.
    pub message: String,
    /// Where, in bytes from the start of the text.
    pub at: usize,
    /// Advice: how to mend it.
    pub help: Option<String>,
}

/// How deep parentheses may be nested.
const DEPTH: usize = 64;
/// How many words a condition may have.
const WORDS: usize = 100_000;

impl Want {
    /// Reads a condition on configurations over a universe.
    ///
    /// # Errors
    /// If the text is not a condition, or names a type, state or port that the universe does not have.
    pub fn parse(universe: &Universe, text: &str) -> Result<Self, WantError> {
        let tokens = tokens(text)?;
        let mut parser = Parser { universe, tokens, next: 0, depth: 0, on_machine: false, end: text.len() };
        let want = parser.want()?;
        if let Some((token, at)) = parser.tokens.get(parser.next) {
            let message = format!("`{token}` is not expected here");
            return Err(error(*at, message, "join conditions with `and` or `or`"));
        }
        Ok(want)
    }

    /// The condition as a text that [`Want::parse`] reads.
    pub fn shown(&self, universe: &Universe) -> String {
        let joined = |parts: &[Self], word: &str| {
            let part = |part: &Self| match part {
                Self::And(_) | Self::Or(_) => format!("({})", part.shown(universe)),
                _ => part.shown(universe),
            };
            parts.iter().map(part).collect::<Vec<_>>().join(word)
        };
        match self {
            Self::True => "true".to_owned(),
            Self::And(parts) => joined(parts, " and "),
            Self::Or(parts) => joined(parts, " or "),
            Self::Not(part) => format!("not ({})", part.shown(universe)),
            Self::Compare(sum, relation) => {
                let sign = match relation {
                    Relation::Less => "<",
                    Relation::AtMost => "<=",
                    Relation::Equal => "=",
                    Relation::AtLeast => ">=",
                    Relation::Greater => ">",
                    Relation::Different => "!=",
                };
                let side = |positive: bool| {
                    let mut words: Vec<String> = Vec::new();
                    for (factor, counted) in sum.terms.iter().filter(|(factor, _)| (*factor > 0) == positive)
                    {
                        let factor =
                            if factor.abs() == 1 { String::new() } else { format!("{} * ", factor.abs()) };
                        words.push(format!("{factor}{}", counted.shown(universe)));
                    }
                    // Alone, or beside something.
                    let constant = if positive { sum.constant } else { -sum.constant };
                    if constant > 0 || words.is_empty() {
                        words.push(constant.max(0).to_string());
                    }
                    words.join(" + ")
                };
                format!("{} {sign} {}", side(true), side(false))
            }
        }
    }
}

impl Counted {
    fn shown(&self, universe: &Universe) -> String {
        let name = |name: &str| {
            let plain = name.chars().all(is_name) && name.chars().any(|c| !c.is_ascii_digit());
            if plain { name.to_owned() } else { format!("\"{name}\"") }
        };
        match self {
            Self::Components(kind, None) => name(&universe.kind(*kind).name),
            Self::Components(kind, Some(state)) => {
                format!("{}@{}", name(&universe.kind(*kind).name), name(&universe.state(*kind, *state).name))
            }
            Self::Providers(port) => format!("#{}", name(universe.port_name(*port))),
            Self::Machines(condition) => format!("#(_){{_ : {}}}", condition.shown(universe)),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Token {
    Number(i64),
    Name(String),
    Sign(&'static str),
}

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Name(name) => f.write_str(name),
            Self::Sign(sign) => f.write_str(sign),
        }
    }
}

const SIGNS: [&str; 20] =
    ["<=", ">=", "!=", "==", "=>", "<", ">", "=", "(", ")", "{", "}", "+", "-", "*", "#", ",", ":", ";", "@"];

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/')
}

/// The words of a text with their places. A `-` within a name belongs to it: a difference needs blanks.
fn tokens(text: &str) -> Result<Vec<(Token, usize)>, WantError> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let start = at;
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        if tokens.len() == WORDS {
            let message = format!("the condition has more than {WORDS} words");
            return Err(WantError { message, at, help: None });
        }
        if c == '"' {
            let Some(length) = rest[1..].find('"') else {
                let message = "the name in quotes does not end".to_owned();
                return Err(WantError { message, at, help: Some("close it with `\"`".to_owned()) });
            };
            at += length + 2;
            tokens.push((Token::Name(rest[1..=length].to_owned()), start));
        } else if is_name(c) {
            let end = name_end(rest);
            at += end;
            let word = &rest[..end];
            let token = if word.bytes().all(|b| b.is_ascii_digit()) {
                let Ok(number) = word
                    .parse::<i64>()
                    .map_err(drop)
                    .and_then(|n| if n <= i64::from(u32::MAX) { Ok(n) } else { Err(()) })
                else {
                    let message = format!("the number {word} is larger than {}", u32::MAX);
                    return Err(WantError { message, at: start, help: None });
                };
                Token::Number(number)
            } else {
                Token::Name(word.to_owned())
            };
            tokens.push((token, start));
        } else if let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
            at += sign.len();
            tokens.push((Token::Sign(sign), start));
        } else {
            let message = format!("`{}` is not expected here", c.escape_debug());
            let help = Some("put names with other characters in double quotes".to_owned());
            return Err(WantError { message, at, help });
        }
    }
    Ok(tokens)
}

fn name_end(rest: &str) -> usize {
    let mut end = 0;
    let mut chars = rest.char_indices().peekable();
    while let Some((index, c)) = chars.next() {
        let joins = c == '-' && index > 0 && chars.peek().is_some_and(|&(_, next)| is_name(next));
        if !is_name(c) && !joins {
            break;
        }
        end = index + c.len_utf8();
    }
    end
}

struct Parser<'a> {
    universe: &'a Universe,
    tokens: Vec<(Token, usize)>,
    next: usize,
    depth: usize,
    on_machine: bool,
    end: usize,
}

impl Parser<'_> {
    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(_, at)| *at)
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|(token, _)| token)
    }

    fn sign(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Sign(found)) if *found == sign);
        self.next += usize::from(found);
        found
    }

    fn word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Some(Token::Name(found)) if found.eq_ignore_ascii_case(word));
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), WantError> {
        if self.sign(sign) {
            return Ok(());
        }
        let found = self.peek().map_or("the end".to_owned(), |token| format!("`{token}`"));
        Err(error(self.at(), format!("expected `{sign}`, found {found}"), ""))
    }

    fn want(&mut self) -> Result<Want, WantError> {
        self.depth += 1;
        if self.depth > DEPTH {
            let message = format!("conditions are nested more than {DEPTH} deep");
            return Err(error(self.at(), message, ""));
        }
        let mut any = vec![self.all()?];
        loop {
            if self.word("or") {
                any.push(self.all()?);
            } else if self.word("impl") || self.sign("=>") {
                let left = Want::Not(Box::new(one(any, Want::Or)));
                any = vec![left, self.all()?];
            } else {
                break;
            }
        }
        self.depth -= 1;
        Ok(one(any, Want::Or))
    }

    fn all(&mut self) -> Result<Want, WantError> {
        let mut all = vec![self.single()?];
        while self.word("and") {
            all.push(self.single()?);
        }
        Ok(one(all, Want::And))
    }

    fn single(&mut self) -> Result<Want, WantError> {
        let mut negations = 0;
        while self.word("not") {
            negations += 1;
        }
        let (start, on_machine) = (self.next, self.on_machine);
        let want = if self.word("true") {
            Want::True
        } else if self.sign("(") {
            // A parenthesis starts a condition or a sum; a comparison sign after it tells which.
            match self.want().and_then(|want| self.expect(")").map(|()| want)) {
                Ok(want) if !self.is_compared() => want,
                first => {
                    let tried = self.next;
                    self.next = start;
                    let depth = std::mem::replace(&mut self.depth, 0);
                    self.on_machine = on_machine;
                    let compared = self.comparison();
                    self.depth = depth.min(DEPTH);
                    match (compared, first) {
                        (Ok(want), _) => want,
                        (Err(_), Err(error)) if tried > start => return Err(error),
                        (Err(error), _) => return Err(error),
                    }
                }
            }
        } else {
            self.comparison()?
        };
        Ok(if negations % 2 == 1 { Want::Not(Box::new(want)) } else { want })
    }

    fn is_compared(&self) -> bool {
        let signs = ["<=", ">=", "!=", "==", "<", ">", "=", "+", "-", "*"];
        matches!(self.peek(), Some(Token::Sign(sign)) if signs.contains(sign))
    }

    fn comparison(&mut self) -> Result<Want, WantError> {
        let mut sum = self.sum()?;
        let relation = [
            ("<=", Relation::AtMost),
            (">=", Relation::AtLeast),
            ("!=", Relation::Different),
            ("==", Relation::Equal),
            ("<", Relation::Less),
            (">", Relation::Greater),
            ("=", Relation::Equal),
        ];
        let Some((_, relation)) = relation.into_iter().find(|(sign, _)| self.sign(sign)) else {
            let found = self.peek().map_or("the end".to_owned(), |token| format!("`{token}`"));
            let message = format!("expected a comparison, found {found}");
            return Err(error(self.at(), message, "write, for example, `wordpress@running >= 2`"));
        };
        let right = self.sum()?;
        sum.constant -= right.constant;
        sum.terms.extend(right.terms.into_iter().map(|(factor, counted)| (-factor, counted)));
        Ok(Want::Compare(sum, relation))
    }

    fn sum(&mut self) -> Result<Sum, WantError> {
        let mut sum = Sum::default();
        let at = self.at();
        let mut sign = if self.sign("-") { -1 } else { 1 };
        let product = matches!(self.tokens.get(self.next + 1), Some((Token::Sign("*"), _)));
        if sign < 0 && matches!(self.peek(), Some(Token::Number(_))) && !product {
            return Err(error(at, "a number of components is not negative", ""));
        }
        loop {
            self.term(&mut sum, sign)?;
            sign = if self.sign("+") {
                1
            } else if self.sign("-") {
                -1
            } else {
                break Ok(sum);
            };
        }
    }

    fn term(&mut self, sum: &mut Sum, sign: i64) -> Result<(), WantError> {
        let at = self.at();
        if self.sign("(") {
            self.depth += 1;
            if self.depth > DEPTH {
                return Err(error(at, format!("sums are nested more than {DEPTH} deep"), ""));
            }
            let inner = self.sum()?;
            self.expect(")")?;
            self.depth -= 1;
            sum.constant += sign * inner.constant;
            sum.terms.extend(inner.terms.into_iter().map(|(factor, counted)| (sign * factor, counted)));
            return Ok(());
        }
        let Some(&Token::Number(number)) = self.peek() else {
            let counted = self.counted()?;
            let factor = if self.sign("*") { self.number()? } else { 1 };
            sum.terms.push((sign * factor, counted));
            return Ok(());
        };
        self.next += 1;
        if self.sign("*") {
            sum.terms.push((sign * number, self.counted()?));
        } else {
            sum.constant += sign * number;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<i64, WantError> {
        if let Some(&Token::Number(number)) = self.peek() {
            self.next += 1;
            return Ok(number);
        }
        Err(error(self.at(), "expected a number after `*`", ""))
    }

    fn counted(&mut self) -> Result<Counted, WantError> {
        let at = self.at();
        if self.sign("#") {
            if self.sign("(") {
                return self.machines();
            }
            if self.sign("@") {
                let name = format!("@{}", self.name("the name of a port")?);
                return self.port(&name, at);
            }
        }
        let name = self.name("the name of a component type")?;
        let Some(kind) = self.universe.find_type(&name) else {
            if self.universe.find_port(&name).is_some() {
                return self.port(&name, at);
            }
            let names = self.universe.types().map(|(_, kind)| (kind.name.as_str(), kind.name.as_str()));
            let help = did_you_mean(&name, names);
            return Err(error(at, format!("there is no component type `{name}`"), &help));
        };
        if !self.sign("@") {
            return Ok(Counted::Components(kind, None));
        }
        let at = self.at();
        let state = self.name("the name of a state")?;
        let found = self.universe.kind(kind);
        let Some(id) = found.find_state(&state) else {
            let names = found.states.iter().map(|state| (state.name.as_str(), state.name.as_str()));
            let help = did_you_mean(&state, names);
            let message = format!("the component type `{name}` has no state `{state}`");
            return Err(error(at, message, &help));
        };
        Ok(Counted::Components(kind, Some(id)))
    }

    fn port(&mut self, name: &str, at: usize) -> Result<Counted, WantError> {
        match self.universe.find_port(name) {
            Some(port) => Ok(Counted::Providers(port)),
            None => Err(error(at, format!("no component type has a port `{name}`"), "")),
        }
    }

    /// After `#(`: `_){_ : condition}`. Conditions on the resources or the repository of a machine are not known.
    fn machines(&mut self) -> Result<Counted, WantError> {
        let any = "only `#(_){_ : …}`, which counts machines of any kind, is known";
        if !self.word("_") {
            return Err(error(self.at(), "machines of a certain kind cannot be counted", any));
        }
        self.expect(")")?;
        self.expect("{")?;
        if !self.word("_") {
            return Err(error(self.at(), "machines with a certain repository cannot be counted", any));
        }
        self.expect(":")?;
        if std::mem::replace(&mut self.on_machine, true) {
            return Err(error(self.at(), "a condition on machines cannot count machines", ""));
        }
        let want = self.want()?;
        self.on_machine = false;
        self.expect("}")?;
        Ok(Counted::Machines(Box::new(want)))
    }

    fn name(&mut self, what: &str) -> Result<String, WantError> {
        match self.peek() {
            Some(Token::Name(name)) => {
                let name = name.clone();
                self.next += 1;
                Ok(name)
            }
            Some(Token::Number(number)) => {
                let name = number.to_string();
                self.next += 1;
                Ok(name)
            }
            other => {
                let found = other.map_or("the end".to_owned(), |token| format!("`{token}`"));
                Err(error(self.at(), format!("expected {what}, found {found}"), ""))
            }
        }
    }
}

fn error(at: usize, message: impl Into<String>, help: &str) -> WantError {
    WantError { message: message.into(), at, help: (!help.is_empty()).then(|| help.to_owned()) }
}

fn one(mut items: Vec<Want>, many: fn(Vec<Want>) -> Want) -> Want {
    if items.len() == 1 { items.remove(0) } else { many(items) }
}

fn did_you_mean<'a>(name: &str, candidates: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let nearest = locus_source::words::nearest(name, candidates);
    nearest.map_or(String::new(), |near| format!("did you mean `{near}`?"))
}
