//! Values of attributes, and whether they are of the type of their attribute.

use fancy_regex::Regex;
use locus_source::words;

use crate::syntax::{Content, Form, NumberForm, TextForm};

/// Steps that the comparison with a pattern may take.
const MOST_STEPS: usize = 100_000;

/// A pattern, which is compared with the whole text.
pub(crate) fn pattern(text: &str) -> Result<Regex, Box<fancy_regex::Error>> {
    fancy_regex::RegexBuilder::new(&format!("^(?:{text})$"))
        .backtrack_limit(MOST_STEPS)
        .build()
        .map_err(Box::new)
}

/// Why a value is not one of a type, in a few words; nothing if it is one, or if that is not known.
pub(crate) fn problem(content: &Content, form: &Form) -> Option<String> {
    match (form, content) {
        // XMI has texts for everything, and a list or a map in one is not looked into. The target of a link is an
        // object in JSON and a text elsewhere.
        (Form::Any, _)
        | (_, Content::Null)
        | (Form::Boolean, Content::Boolean(_))
        | (Form::Map, Content::Map | Content::Text(_) | Content::Written(_))
        | (Form::List, Content::List | Content::Written(_)) => None,
        // In XMI a value that is left empty is none.
        (_, Content::Written(text)) if text.is_empty() => None,
        (Form::Words(words), Content::Written(text) | Content::Text(text)) => {
            let is_known = words.is_empty() || words.contains(text);
            (!is_known).then(|| {
                let all: Vec<String> = words.iter().take(12).map(ToString::to_string).collect();
                format!("none of {}", all.join(", "))
            })
        }
        (Form::Boolean, Content::Written(text)) => {
            (!["true", "false"].contains(&&**text)).then(|| "neither true nor false".to_owned())
        }
        (Form::Number(form), Content::Number(value, _)) => number(*value, form),
        (Form::Number(form), Content::Written(text)) => match text.trim().parse::<f64>() {
            Ok(value) if value.is_finite() => number(value, form),
            _ => Some("not a number".to_owned()),
        },
        (Form::Text(form), Content::Written(text) | Content::Text(text)) => self::text(text, form),
        (form, content) => Some(format!("{}, and not {}", what(content), wanted(form))),
    }
}

fn number(value: f64, form: &NumberForm) -> Option<String> {
    if form.is_whole && value.fract() != 0.0 {
        return Some("not a whole number".to_owned());
    }
    let bounds = [
        (form.least, value < form.least.unwrap_or(value), "less than"),
        (form.most, value > form.most.unwrap_or(value), "more than"),
        (form.above, form.above.is_some_and(|bound| value <= bound), "not more than"),
        (form.below, form.below.is_some_and(|bound| value >= bound), "not less than"),
    ];
    let broken = bounds.into_iter().find(|(_, is_broken, _)| *is_broken);
    broken.and_then(|(bound, _, relation)| Some(format!("{relation} {}", bound?)))
}

fn text(text: &str, form: &TextForm) -> Option<String> {
    let length = text.chars().count();
    if let Some(shortest) = form.shortest.filter(|&shortest| length < shortest) {
        return Some(format!("fewer than {shortest} characters"));
    }
    if let Some(longest) = form.longest.filter(|&longest| length > longest) {
        return Some(format!("more than {longest} characters"));
    }
    let written = form.pattern.as_deref()?;
    // A pattern that cannot be read, or takes too long, tells nothing of the value; the former is reported itself.
    let matches = pattern(written).ok()?.is_match(text).ok()?;
    (!matches).then(|| format!("not of the form {}", words::short(written)))
}

fn what(content: &Content) -> &'static str {
    match content {
        Content::Written(_) | Content::Text(_) => "a text",
        Content::Number(..) => "a number",
        Content::Boolean(_) => "a truth",
        Content::Null => "nothing",
        Content::List => "a list",
        Content::Map => "an object",
    }
}

fn wanted(form: &Form) -> &'static str {
    match form {
        Form::Any => "any value",
        Form::Text(_) | Form::Words(_) => "a text",
        Form::Number(_) => "a number",
        Form::Boolean => "a truth",
        Form::List => "a list",
        Form::Map => "an object",
    }
}

/// A value as a text for people.
pub(crate) fn shown(content: &Content) -> Option<String> {
    match content {
        Content::Written(text) | Content::Text(text) | Content::Number(_, text) => Some(text.to_string()),
        Content::Boolean(value) => Some(value.to_string()),
        Content::Null | Content::List | Content::Map => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(content: &Content, form: &Form) -> String {
        problem(content, form).unwrap_or_default()
    }

    #[test]
    fn values_are_compared_with_their_types() {
        let written = |text: &str| Content::Written(text.into());
        let port = Form::Number(NumberForm {
            is_whole: true,
            least: Some(0.0),
            most: Some(4095.0),
            ..NumberForm::default()
        });
        assert_eq!(said(&written("7"), &port), "");
        assert_eq!(said(&written("7.5"), &port), "not a whole number");
        assert_eq!(said(&written("-1"), &port), "less than 0");
        assert_eq!(said(&Content::Number(4096.0, "4096".into()), &port), "more than 4095");
        assert_eq!(said(&written("x"), &port), "not a number");
        assert_eq!(said(&Content::Text("7".into()), &port), "a text, and not a number");
        let above = Form::Number(NumberForm { above: Some(0.0), ..NumberForm::default() });
        assert_eq!(said(&written("0"), &above), "not more than 0");
        let words = Form::Words(vec!["x86".into(), "x64".into()]);
        assert_eq!(said(&written("x64"), &words), "");
        assert_eq!(said(&written("arm"), &words), "none of x86, x64");
        let form = Form::Text(TextForm { pattern: Some("a+".into()), ..TextForm::default() });
        assert_eq!(said(&written("aa"), &form), "");
        assert_eq!(said(&written("aab"), &form), "not of the form a+");
        assert_eq!(said(&written("yes"), &Form::Boolean), "neither true nor false");
        assert_eq!(said(&Content::List, &words), "a list, and not a text");
    }

    #[test]
    fn a_pattern_does_not_take_for_ever() {
        let form = Form::Text(TextForm { pattern: Some("(?:(?=a)a|a)+c".into()), ..TextForm::default() });
        assert_eq!(said(&Content::Written("a".repeat(5_000).into()), &form), "");
    }
}
