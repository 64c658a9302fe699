//! Expressions as lines of tokens with their columns, so that a conjunction list stays one when something is put in
//! place of a name in it.
//!
//! Each line has an anchor: the last token, in a line above it, that stands at or to the left of its beginning. Where
//! that token moves to the right, the line does.

use std::cell::Cell;
use std::rc::Rc;

use super::lexer::{Lexeme, Sort};
use super::lines::{Line, Mark, Origin, Spot};

/// A token and its column, which its line's anchor may share.
#[derive(Debug)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) sort: Sort,
    column: Rc<Cell<usize>>,
    /// Where it stands in the algorithm, if it does.
    origin: Option<Origin>,
}

impl Clone for Token {
    fn clone(&self) -> Self {
        Self { origin: self.origin, ..Self::new(&self.text, self.sort, self.column.get()) }
    }
}

impl Token {
    pub(super) fn new(text: &str, sort: Sort, column: usize) -> Self {
        Self { text: text.to_owned(), sort, column: Rc::new(Cell::new(column)), origin: None }
    }

    fn from_lexeme(lexeme: &Lexeme) -> Self {
        let mut token = Self::new(&lexeme.text, lexeme.sort, lexeme.spot.1);
        token.origin = Some(Origin { spot: lexeme.spot, width: token.end() - lexeme.spot.1 });
        token
    }

    fn is(&self, text: &str) -> bool {
        self.sort != Sort::Text && self.text == text
    }

    pub(super) fn end(&self) -> usize {
        self.column.get() + self.text.chars().count() + if self.sort == Sort::Text { 2 } else { 0 }
    }

    fn shift(&self, by: usize) {
        self.column.set(self.column.get() + by);
    }

    fn written(&self) -> String {
        if self.sort == Sort::Text { format!("\"{}\"", self.text) } else { self.text.clone() }
    }
}

/// A token that a line stands under, and where it stood.
type Anchor = Option<(Rc<Cell<usize>>, usize)>;

/// An expression, or nothing.
#[derive(Debug, Default)]
pub(super) struct Expr {
    pub(super) lines: Vec<Vec<Token>>,
    anchors: Vec<Anchor>,
    /// Where it begins in the algorithm.
    pub(super) spot: Spot,
}

impl Clone for Expr {
    fn clone(&self) -> Self {
        Self::from_lines(self.lines.clone(), self.spot)
    }
}

impl Expr {
    pub(super) fn from_lexemes(lexemes: &[Lexeme]) -> Self {
        let mut lines: Vec<Vec<Token>> = Vec::new();
        let first = lexemes.first().map_or((0, 0), |lexeme| lexeme.spot);
        for lexeme in lexemes {
            lines.resize_with((lexeme.spot.0 - first.0 + 1).max(lines.len()), Vec::new);
            lines[lexeme.spot.0 - first.0].push(Token::from_lexeme(lexeme));
        }
        Self::from_lines(lines, first)
    }

    /// Tokens in one line, with so many spaces between them.
    pub(super) fn line(tokens: &[(&str, Sort)], spaces: usize) -> Self {
        let mut column = 0;
        let tokens = tokens.iter().map(|(text, sort)| {
            let token = Token::new(text, *sort, column);
            column = token.end() + spaces;
            token
        });
        Self::from_lines(vec![tokens.collect()], (0, 0))
    }

    /// Lines from column 0 on, and their anchors.
    pub(super) fn from_lines(mut lines: Vec<Vec<Token>>, spot: Spot) -> Self {
        while lines.first().is_some_and(Vec::is_empty) {
            lines.remove(0);
        }
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        let least =
            lines.iter().filter_map(|line| line.first()).map(|token| token.column.get()).min().unwrap_or(0);
        for token in lines.iter().flatten() {
            token.column.set(token.column.get() - least);
        }
        let anchors = (0..lines.len()).map(|at| anchor(&lines, at)).collect();
        Self { lines, anchors, spot }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    pub(super) fn tokens(&self) -> impl Iterator<Item = &Token> {
        self.lines.iter().flatten()
    }

    fn is_one_token(&self) -> bool {
        self.lines.len() == 1 && self.lines[0].len() == 1
    }

    /// Whether it is `TRUE`, perhaps in parentheses.
    pub(super) fn is_true(&self) -> bool {
        let texts: Vec<&str> = self.tokens().map(|token| token.text.as_str()).collect();
        self.lines.len() == 1 && (texts == ["TRUE"] || texts == ["(", "TRUE", ")"])
    }

    /// Its lines as text.
    pub(super) fn written(&self) -> Vec<Line> {
        let line = |tokens: &Vec<Token>| {
            let mut line = Line::default();
            let mut width = 0;
            for token in tokens {
                let before = token.column.get().saturating_sub(width);
                line.text.extend(std::iter::repeat_n(' ', before));
                if let Some(origin) = token.origin {
                    line.marks.push(Mark { column: width + before, origin });
                }
                line.text.push_str(&token.written());
                width = token.end().max(width);
            }
            line
        };
        self.lines.iter().map(line).collect()
    }

    /// Moves lines as far as their anchors have moved.
    fn follow(&mut self) {
        for (line, anchor) in self.lines.iter().zip(&mut self.anchors) {
            if let Some((column, stood)) = anchor {
                let by = column.get().saturating_sub(*stood);
                *stood = column.get();
                for token in line {
                    token.shift(by);
                }
            }
        }
    }

    /// Puts another expression before this one, with so many spaces between them.
    pub(super) fn prepend(&mut self, before: &Self, spaces: usize) {
        let mut before = before.clone();
        let (Some(last), false) = (before.lines.pop(), self.lines.is_empty()) else { return };
        let width = last.last().map_or(0, Token::end) + spaces;
        self.lines[0].iter().for_each(|token| token.shift(width));
        self.lines[0].splice(..0, last);
        let own = self.anchors.split_off(1);
        self.lines.splice(..0, before.lines);
        self.anchors = before.anchors;
        self.anchors.extend(own);
        self.follow();
    }

    /// Puts expressions in place of names, all at once.
    pub(super) fn substitute(&mut self, names: &[String], values: &[Self], parenthesize: bool) {
        let mut at = self.first();
        while let Some(spot) = at {
            match self.find(names, spot) {
                Some((found, which)) => at = self.substitute_at(&values[which], found, parenthesize),
                None => return,
            }
        }
    }

    fn first(&self) -> Option<Spot> {
        self.lines.iter().position(|line| !line.is_empty()).map(|line| (line, 0))
    }

    fn token(&self, spot: Spot) -> &Token {
        &self.lines[spot.0][spot.1]
    }

    /// The place some tokens further on.
    fn step(&self, spot: Spot, count: usize) -> Option<Spot> {
        let mut spot = spot;
        for _ in 0..count {
            spot.1 += 1;
            while self.lines.get(spot.0)?.len() <= spot.1 {
                spot = (spot.0 + 1, 0);
                self.lines.get(spot.0)?;
            }
        }
        Some(spot)
    }

    /// The next of these names from a place on; neither the names of fields, nor what is in strings.
    fn find(&self, names: &[String], from: Spot) -> Option<(Spot, usize)> {
        let mut at = Some(from);
        while let Some(spot) = at {
            let token = self.token(spot);
            let is_field = || {
                let behind = self.step(spot, 2).map(|behind| self.token(behind));
                behind.is_some_and(|token| [":", "|->", "↦"].iter().any(|text| token.is(text)))
            };
            at = if token.sort == Sort::Text {
                self.step(spot, 1)
            } else if token.text == "." {
                self.step(spot, 2)
            } else if (token.text == "[" || token.text == ",") && is_field() {
                self.step(spot, 3)
            } else if let Some(which) = names.iter().position(|name| *name == token.text) {
                return Some((spot, which));
            } else {
                self.step(spot, 1)
            };
        }
        None
    }

    /// Puts an expression in place of a token, and gives the place behind it.
    fn substitute_at(&mut self, value: &Self, (line, column): Spot, parenthesize: bool) -> Option<Spot> {
        let mut value = value.clone();
        // What was made for a name stands where the name does.
        let origin = self.lines[line][column].origin;
        for token in value.lines.iter_mut().flatten() {
            token.origin = token.origin.or(origin);
        }
        if self.is_one_token() {
            let spot = self.spot;
            *self = value;
            self.spot = spot;
            return None;
        }
        let mut rest = self.lines[line].split_off(column);
        let old = rest.remove(0);
        let spaces = rest.first().map_or(0, |next| next.column.get().saturating_sub(old.end()));
        if parenthesize && !value.is_one_token() {
            value.lines.iter().flatten().for_each(|token| token.shift(1));
            value.anchors.iter_mut().flatten().for_each(|(_, stood)| *stood += 1);
            value.lines[0].insert(0, Token::new("(", Sort::Builtin, 0));
            let last = value.lines.last_mut().expect("an argument is not empty");
            let end = last.last().map_or(0, Token::end);
            last.push(Token::new(")", Sort::Builtin, end));
        }
        // What stands below the old token stands below the first of the new ones.
        let first = Rc::clone(&value.lines[0][0].column);
        let shift = old.column.get();
        for anchor in self.anchors.iter_mut().flatten() {
            if Rc::ptr_eq(&anchor.0, &old.column) {
                anchor.0 = Rc::clone(&first);
            }
        }
        value.lines[0].iter().for_each(|token| token.shift(shift));
        for (line, anchor) in value.lines.iter().zip(&mut value.anchors).skip(1) {
            if anchor.is_none() {
                for token in line {
                    token.shift(shift);
                }
                *anchor = Some((Rc::clone(&first), first.get()));
            }
        }
        let added = value.lines.len() - 1;
        let mut lines = value.lines.into_iter();
        self.lines[line].extend(lines.next().into_iter().flatten());
        let below = line + 1;
        self.lines.splice(below..below, lines);
        self.anchors.splice(below..below, value.anchors.into_iter().skip(1));
        let end = line + added;
        // The lines that were put in follow their anchors before anything is set behind them.
        self.follow();
        let behind = (end, self.lines[end].len() - 1);
        if let Some(next) = rest.first() {
            let wanted = self.lines[end].last().map_or(0, Token::end) + spaces;
            let stood = next.column.get();
            for token in &rest {
                token.column.set(wanted + token.column.get() - stood);
            }
        }
        self.lines[end].extend(rest);
        self.follow();
        self.step(behind, 1)
    }

    /// Takes the first token away.
    pub(super) fn without_first(&self) -> Self {
        let mut lines = self.lines.clone();
        if let Some(line) = lines.first_mut() {
            line.remove(0);
        }
        Self::from_lines(lines, self.spot)
    }

    /// In brackets, as a subscript.
    pub(super) fn in_brackets(&self) -> Self {
        let mut lines = self.lines.clone();
        lines.iter().flatten().for_each(|token| token.shift(1));
        if let Some(line) = lines.first_mut() {
            line.insert(0, Token::new("[", Sort::Builtin, 0));
        }
        if let Some(line) = lines.last_mut() {
            let end = line.last().map_or(0, Token::end);
            line.push(Token::new("]", Sort::Builtin, end));
        }
        Self::from_lines(lines, self.spot)
    }
}

/// The anchor of a line.
fn anchor(lines: &[Vec<Token>], at: usize) -> Anchor {
    let column = lines[at].first()?.column.get();
    let above =
        lines[..at].iter().rev().find(|line| line.first().is_some_and(|t| t.column.get() <= column))?;
    let token = above.iter().take_while(|token| token.column.get() <= column).last()?;
    Some((Rc::clone(&token.column), token.column.get()))
}
