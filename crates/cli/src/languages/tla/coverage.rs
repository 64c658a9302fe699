//! How often the parts of a specification were evaluated: its lines with a figure each, and under them the parts that
//! were never evaluated or never true.

use std::fmt::Write;

use locus_source::{Place, SourceFile, Sources};
use locus_tla::check::{CheckResult, ExpressionCoverage};

/// A remark on the coverage of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Remark {
    NeverEvaluated,
    NeverTrue,
}

impl Remark {
    fn text(self) -> &'static str {
        match self {
            Self::NeverEvaluated => "never evaluated",
            Self::NeverTrue => "never true",
        }
    }
}

/// A line of the specification.
struct Line<'a> {
    number: u32,
    text: &'a str,
    /// How often the first part that begins in it was evaluated.
    evaluated: u64,
    /// The remarkable parts that begin in it: their columns from 0, as characters, and the remark.
    remarks: Vec<(std::ops::Range<usize>, Remark)>,
}

/// The remark on each part, if there is one. Of parts within one another, the outermost that was never evaluated is
/// named, and the innermost that was never true, for it is the reason of the others.
fn remarks(expressions: &[ExpressionCoverage]) -> Vec<Option<Remark>> {
    let contains = |outer: Place, inner: Place| {
        outer != inner
            && outer.file == inner.file
            && outer.span.start <= inner.span.start
            && inner.span.end <= outer.span.end
    };
    // In the order of places, what contains a part comes before it, and what it contains after it.
    let mut remarks: Vec<Option<Remark>> = Vec::with_capacity(expressions.len());
    let mut untouched: Option<Place> = None;
    for (at, expression) in expressions.iter().enumerate() {
        let place = expression.place;
        remarks.push(if expression.evaluated == 0 {
            if untouched.is_some_and(|outer| contains(outer, place)) {
                None
            } else {
                untouched = Some(place);
                Some(Remark::NeverEvaluated)
            }
        } else if is_never_true(expression) {
            let mut within = expressions[at + 1..].iter().take_while(|inner| contains(place, inner.place));
            (!within.any(is_never_true)).then_some(Remark::NeverTrue)
        } else {
            None
        });
    }
    remarks
}

fn is_never_true(expression: &ExpressionCoverage) -> bool {
    expression.evaluated > 0 && expression.held == Some(0)
}

/// The lines in which parts begin, of one file after the other.
fn files<'a>(
    result: &CheckResult,
    sources: &'a [std::sync::Arc<SourceFile>],
) -> Vec<(&'a SourceFile, Vec<Line<'a>>)> {
    let remarks = remarks(&result.expressions);
    let mut files = Vec::new();
    for file in sources {
        let mut lines: Vec<Line<'_>> = Vec::new();
        for (expression, remark) in result.expressions.iter().zip(&remarks) {
            if expression.place.file != file.id() {
                continue;
            }
            let start = file.line_column(expression.place.span.start as usize);
            let Some(span) = file.line_span(start.line) else { continue };
            if lines.last().is_none_or(|line| line.number != start.line) {
                let text = file.slice(span).trim_end();
                let evaluated = expression.evaluated;
                lines.push(Line { number: start.line, text, evaluated, remarks: Vec::new() });
            }
            let Some(line) = lines.last_mut() else { continue };
            if let Some(remark) = remark {
                let column = |offset: u32| {
                    let end = (offset.saturating_sub(span.start) as usize).min(line.text.len());
                    line.text.get(..end).map_or(end, |text| text.chars().count())
                };
                let (from, to) = (column(expression.place.span.start), column(expression.place.span.end));
                line.remarks.push((from..to.max(from + 1), *remark));
            }
        }
        if !lines.is_empty() {
            files.push((&**file, lines));
        }
    }
    files
}

/// The files in which parts stand.
fn sources_of(result: &CheckResult, sources: &Sources) -> Vec<std::sync::Arc<SourceFile>> {
    let mut ids: Vec<_> = result.expressions.iter().map(|expression| expression.place.file).collect();
    ids.dedup();
    ids.into_iter().map(|id| sources.get(id)).collect()
}

/// The listing.
pub(crate) fn listing(result: &CheckResult, sources: &Sources) -> String {
    let mut text = String::new();
    let all = sources_of(result, sources);
    for (file, lines) in files(result, &all) {
        let _ = writeln!(text, "{:>12}  {}", "evaluated", file.name());
        let width = lines.last().map_or(1, |line| line.number.to_string().len());
        for line in lines {
            let _ = writeln!(text, "{:>12}  {:>width$} | {}", line.evaluated, line.number, line.text);
            for (columns, remark) in line.remarks {
                // Tabs stay, so that what is underlined stands under the text.
                let before: String = line
                    .text
                    .chars()
                    .take(columns.start)
                    .map(|c| if c == '\t' { '\t' } else { ' ' })
                    .collect();
                let under = "^".repeat(columns.len());
                let _ = writeln!(text, "{:>12}  {:>width$} | {before}{under} {}", "", "", remark.text());
            }
        }
        text.push('\n');
    }
    text
}
