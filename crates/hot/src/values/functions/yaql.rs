//! The syntax of YAQL, the language of the function `yaql`: whether an expression can be read. What it means is not
//! worked out here.

use locus_schema::{Content, Datum};
use locus_source::words::short;

/// How deep an expression may be nested. A deeper one is taken for right.
const MOST_NESTED: usize = 200;

/// Operators between two operands.
const BINARY: [&str; 19] = [
    ".", "?.", "=~", "!~", "*", "/", "mod", "+", "-", ">", "<", ">=", "<=", "!=", "=", "in", "and", "or",
    "->",
];

/// The functions and methods of YAQL's library, in the version that Heat 27 uses.
const FUNCTIONS: &str = "\
     abs accumulate add aggregate all any append assert bitwiseAnd bitwiseNot bitwiseOr bitwiseXor bool call \
     characters coalesce concat contains containsKey containsValue count cycle datetime def defaultIfEmpty \
     delete deleteAll dict difference distinct endsWith enumerate escapeRegex examine filter first flatten \
     float format generate generateMany get groupBy hex indexOf indexWhere insert insertMany int intersect \
     isBoolean isDatetime isDict isEmpty isInteger isIterable isList isNumber isRegex isSet isString \
     isTimespan items join keys last lastIndexOf lastIndexWhere len let limit list localtz map matches max \
     memorize mergeWith min norm now orderBy orderByDescending pow random range reduce regex remove repeat \
     replace replaceBy replaceMany reverse rightSplit round search searchAll select selectAllCases selectCase \
     selectMany sequence set shiftBitsLeft shiftBitsRight sign single skip skipWhile slice sliceWhere split \
     splitAt splitWhere startsWith str substring sum switch switchCase symmetricDifference take takeWhile \
     thenBy thenByDescending timespan toCharArray toDict toList toLower toSet toUpper trim trimLeft trimRight \
     union unpack utctz values where with zip zipLongest";

#[derive(Clone, Copy, PartialEq, Debug)]
enum Token<'t> {
    /// A number, a text, `true`, or a variable such as `$` and `$name`.
    Operand,
    /// A word, which is a key, an operator or, before a bracket, a function.
    Word(&'t str),
    /// An operator of signs.
    Sign(&'t str),
    /// A bracket or a comma.
    Mark(char),
}

/// The error in an expression, if it cannot be read.
pub(super) fn problem(text: &str) -> Option<String> {
    let tokens = match tokens(text) {
        Ok(tokens) => tokens,
        Err(problem) => return Some(problem),
    };
    let mut reader = Reader { tokens: &tokens, at: 0, depth: 0 };
    match reader.expression() {
        Err(problem) => problem,
        Ok(()) => reader.peek().map(|token| format!("`{}` cannot stand there", shown(token))),
    }
}

/// A function that YAQL does not have, in an expression that can be read and defines none.
pub(super) fn unknown_function(text: &str) -> Option<String> {
    let tokens = tokens(text).ok()?;
    let called = |pair: &[Token<'_>]| pair[1] == Token::Mark('(');
    let names = tokens.windows(2).filter(|pair| called(pair)).filter_map(|pair| match pair[0] {
        Token::Word(name) if !BINARY.contains(&name) && name != "not" => Some(name),
        _ => None,
    });
    let names: Vec<&str> = names.collect();
    if names.contains(&"def") {
        return None;
    }
    let known = |name: &str| FUNCTIONS.split_whitespace().any(|known| known == name);
    names.into_iter().find(|name| !known(name)).map(|name| format!("there is no function `{}`", short(name)))
}

/// A key of the data that the expression begins with and that is not there.
pub(super) fn missing_key(text: &str, data: &Datum) -> Option<String> {
    let mut rest = text.trim().strip_prefix("$.data")?;
    let mut at = data;
    while let Some(more) = rest.strip_prefix('.') {
        let length = run(more, |c| c.is_alphanumeric() || c == '_');
        let (key, after) = more.split_at(length);
        // Only maps are looked at: of other values the names may mean something else.
        if key.is_empty() || after.trim_start().starts_with('(') || !matches!(at.value, Content::Map(_)) {
            return None;
        }
        let Some(next) = at.get(key) else { return Some(format!("the data have no key `{}`", short(key))) };
        (rest, at) = (after, next);
    }
    None
}

fn shown(token: Token<'_>) -> String {
    match token {
        Token::Operand => "a value".to_owned(),
        Token::Word(text) | Token::Sign(text) => text.to_owned(),
        Token::Mark(mark) => mark.to_string(),
    }
}

fn tokens(text: &str) -> Result<Vec<Token<'_>>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let (token, length) = match first {
            '\'' | '"' | '`' => (Token::Operand, quoted(rest, first)?),
            '$' => (Token::Operand, 1 + run(&rest[1..], word)),
            '0'..='9' => (Token::Operand, run(rest, |c| c.is_ascii_alphanumeric() || c == '.')),
            c if word(c) => {
                let length = run(rest, word);
                let name = &rest[..length];
                let is_value = ["true", "false", "null"].contains(&name);
                (if is_value { Token::Operand } else { Token::Word(name) }, length)
            }
            '(' | ')' | '[' | ']' | '{' | '}' | ',' => (Token::Mark(first), 1),
            _ => {
                let length = run(rest, |c| "!@#%^&*=.:;|\\-<>/~+?".contains(c));
                if length == 0 {
                    return Err(format!("`{}` means nothing there", first.escape_debug()));
                }
                (Token::Sign(&rest[..length]), length)
            }
        };
        match token {
            Token::Sign(signs) => split_signs(signs, &mut tokens)?,
            token => tokens.push(token),
        }
        rest = rest[length..].trim_start();
    }
    Ok(tokens)
}

/// Signs without a space between them: an operator, or one before another (`=-`).
fn split_signs<'t>(signs: &'t str, tokens: &mut Vec<Token<'t>>) -> Result<(), String> {
    if BINARY.contains(&signs) || signs == "=>" {
        tokens.push(Token::Sign(signs));
        return Ok(());
    }
    if let Some(front) = signs.strip_suffix(['+', '-'])
        && !front.is_empty()
    {
        split_signs(front, tokens)?;
        tokens.push(Token::Sign(&signs[front.len()..]));
        return Ok(());
    }
    Err(format!("there is no operator `{signs}`"))
}

fn run(text: &str, fits: impl Fn(char) -> bool) -> usize {
    text.find(|c| !fits(c)).unwrap_or(text.len())
}

/// The length of a text in quotes.
fn quoted(text: &str, quote: char) -> Result<usize, String> {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return Ok(at + 1),
            _ => {}
        }
    }
    Err("a quote is never closed".to_owned())
}

/// Reads tokens. An error without words means that the expression is too deep to tell.
struct Reader<'t> {
    tokens: &'t [Token<'t>],
    at: usize,
    depth: usize,
}

impl<'t> Reader<'t> {
    fn peek(&self) -> Option<Token<'t>> {
        self.tokens.get(self.at).copied()
    }

    fn next(&mut self) -> Option<Token<'t>> {
        let token = self.peek();
        self.at += 1;
        token
    }

    fn expression(&mut self) -> Result<(), Option<String>> {
        if self.depth >= MOST_NESTED {
            return Err(None);
        }
        self.depth += 1;
        self.operand()?;
        while let Some(Token::Word(operator) | Token::Sign(operator)) = self.peek() {
            if !BINARY.contains(&operator) {
                break;
            }
            self.at += 1;
            self.operand()?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<(), Option<String>> {
        while let Some(Token::Word("not") | Token::Sign("+" | "-")) = self.peek() {
            self.at += 1;
        }
        match self.next() {
            None => return Err(Some("it ends where a value must follow".to_owned())),
            Some(Token::Operand) => {}
            Some(Token::Word(_)) => {
                if self.peek() == Some(Token::Mark('(')) {
                    self.at += 1;
                    self.arguments(')')?;
                }
            }
            Some(Token::Mark('(')) => {
                self.expression()?;
                self.close(')')?;
            }
            Some(Token::Mark('[')) => self.arguments(']')?,
            Some(Token::Mark('{')) => self.arguments('}')?,
            Some(token) => return Err(Some(format!("`{}` cannot stand there", shown(token)))),
        }
        while let Some(Token::Mark(open @ ('[' | '{' | '('))) = self.peek() {
            self.at += 1;
            self.arguments(match open {
                '[' => ']',
                '{' => '}',
                _ => ')',
            })?;
        }
        Ok(())
    }

    /// Arguments up to a bracket; some may be left out.
    fn arguments(&mut self, close: char) -> Result<(), Option<String>> {
        loop {
            match self.peek() {
                Some(Token::Mark(mark)) if mark == close || mark == ',' => {}
                _ => {
                    self.expression()?;
                    if self.peek() == Some(Token::Sign("=>")) {
                        self.at += 1;
                        self.expression()?;
                    }
                }
            }
            if self.peek() != Some(Token::Mark(',')) {
                return self.close(close);
            }
            self.at += 1;
        }
    }

    fn close(&mut self, close: char) -> Result<(), Option<String>> {
        match self.next() {
            Some(Token::Mark(mark)) if mark == close => Ok(()),
            Some(token) => Err(Some(format!("`{}` stands where `{close}` must follow", shown(token)))),
            None => Err(Some(format!("`{close}` is missing at its end"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::problem;

    #[test]
    fn what_yaql_reads() {
        for text in [
            "$.data",
            "$",
            "$.data.select($)",
            "$.data.where($ > 1 and not $ = 3).len()",
            "dict($.data)",
            "$.data.select({a => $.x, 'b' => [1, 2]})",
            "$.data[0]",
            "$.data[$.x > 1].y",
            "let(a => 1) -> $a",
            "- 1 + 2 * 3 mod 4",
            "coalesce($.data, 'a\\'b')",
            "$.data?.x",
            "not $.data",
            "`verbatim`",
            "$.data.reduce($1 + $2, 0)",
            "list($.a, $.b).flatten().distinct()",
            "$.a in $.b",
            "1.5e3",
            "$.x =~ 'a.*'",
            "$.data.items().select([$[0], $[1]])",
            "{a => 1}",
            "()".trim_matches(['(', ')']),
        ] {
            let expected = if text.is_empty() { problem(text).is_some() } else { problem(text).is_none() };
            assert!(expected, "{text}: {:?}", problem(text));
        }
    }

    #[test]
    fn what_yaql_does_not_read() {
        for text in [
            "$.data.select(",
            "$.data.select($))",
            "$.data +",
            "'open",
            "$.data y",
            "$.data == 1",
            "$.data && 1",
            "$.data ! 1",
            "$.data.",
            "$.data[",
            "1 2",
            "$.a, $.b",
            "$.data % 2",
            "$.where($ > 1 and)",
        ] {
            assert!(problem(text).is_some(), "{text}");
        }
    }

    #[test]
    fn depth_is_limited() {
        assert_eq!(problem(&"(".repeat(100_000)), None);
    }
}
