//! For people: an excerpt of the source with carets under every place, over as many files as are involved.

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Renderer, Snippet, renderer::DecorStyle};

use crate::{FileId, Finding, Severity, SourceFile, Sources, Span};

/// How the excerpt is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Colour and weight by terminal escapes.
    pub colour: bool,
    /// Number of columns to fit into.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { colour: false, width: 120 }
    }
}

/// Lines between two labels of one file from which on they are drawn as separate excerpts. The renderer below
/// reads every line between the first and the last label, so a finding with places at both ends of a large
/// file would otherwise cost as much as the file is long.
const FAR_APART: u32 = 40;

/// Lines shown before and after what is labelled.
const CONTEXT: u32 = 1;

/// Draws one finding, without a line break at the end.
pub fn human(finding: &Finding, sources: &Sources, style: Style) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let title = visible(&finding.message);
    let excerpts = excerpts(finding, sources);
    let mut group = Group::with_title(level.primary_title(title).id(finding.code.as_str()));
    for excerpt in &excerpts {
        group = group.element(excerpt.snippet());
    }
    for note in &finding.notes {
        group = group.element(Level::NOTE.message(visible(note)));
    }
    if let Some(more) = super::more(finding) {
        group = group.element(Level::NOTE.message(more));
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(visible(help)));
    }
    let renderer = if style.colour { Renderer::styled() } else { Renderer::plain() };
    renderer.decor_style(DecorStyle::Ascii).term_width(style.width).render(&[group])
}

/// Some consecutive lines of a file and what is to be said of them.
struct Excerpt<'a> {
    name: String,
    text: String,
    first_line: u32,
    labels: Vec<(bool, std::ops::Range<usize>, &'a str)>,
}

impl Excerpt<'_> {
    fn snippet(&self) -> Snippet<'_, Annotation<'_>> {
        let annotations = self.labels.iter().map(|(primary, range, message)| {
            let kind = if *primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(range.clone());
            if message.is_empty() { annotation } else { annotation.label(visible(message)) }
        });
        Snippet::source(self.text.as_str())
            .path(self.name.as_str())
            .line_start(self.first_line as usize)
            .annotations(annotations)
    }
}

/// The excerpts of a finding: that with the main place first, the others in order of file name and line.
fn excerpts<'a>(finding: &'a Finding, sources: &Sources) -> Vec<Excerpt<'a>> {
    let mut labels: Vec<(bool, FileId, Span, &str)> = vec![(
        true,
        finding.primary.place.file,
        finding.primary.place.span,
        finding.primary.message.as_str(),
    )];
    labels.extend(finding.secondary.iter().map(|l| (false, l.place.file, l.place.span, l.message.as_str())));
    let mut files: Vec<_> = labels.iter().map(|&(_, file, _, _)| file).collect();
    files.sort_unstable();
    files.dedup();
    let mut files: Vec<_> = files.into_iter().map(|id| sources.get(id)).collect();
    files.sort_by(|a, b| a.name().cmp(b.name()));

    let mut excerpts = Vec::new();
    for file in files {
        let mut here: Vec<_> = labels
            .iter()
            .filter(|&&(_, id, _, _)| id == file.id())
            .map(|&(primary, _, span, message)| (primary, span, message))
            .collect();
        here.sort_by_key(|&(primary, span, _)| (span.start, !primary));
        let mut from = 0;
        for next in 1..=here.len() {
            if next == here.len()
                || line_of(&file, here[next].1) > end_line(&file, here[next - 1].1) + FAR_APART
            {
                excerpts.push(excerpt(&file, &here[from..next]));
                from = next;
            }
        }
    }
    excerpts.sort_by_key(|excerpt| !excerpt.labels.iter().any(|&(primary, _, _)| primary));
    excerpts
}

fn excerpt<'a>(file: &SourceFile, labels: &[(bool, Span, &'a str)]) -> Excerpt<'a> {
    let first = labels.iter().map(|&(_, span, _)| line_of(file, span)).min().unwrap_or(1);
    let last = labels.iter().map(|&(_, span, _)| end_line(file, span)).max().unwrap_or(first);
    let first_line = first.saturating_sub(CONTEXT).max(1);
    let last_line = (last + CONTEXT).min(file.line_count());
    let line = |number| file.line_span(number).unwrap_or_default();
    let window = Span { start: line(first_line).start, end: line(last_line).end };
    let start = window.start as usize;
    let inside = |offset: u32| (offset as usize).clamp(start, window.end as usize) - start;
    Excerpt {
        name: visible(file.name()),
        // The renderer makes most control characters visible, but not these; the stand-ins have as many bytes.
        text: file
            .slice(window)
            .replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "·")
            .replace(super::turns_text_around, "\u{fffd}"),
        first_line,
        labels: labels
            .iter()
            .map(|&(primary, span, message)| {
                let range = inside(span.start)..inside(end_of_first_line(file, span));
                (primary, range, message)
            })
            .collect(),
    }
}

/// A place that goes over several lines is shown by its first: the whole of a mapping under carets helps
/// nobody.
fn end_of_first_line(file: &SourceFile, span: Span) -> u32 {
    file.line_span(line_of(file, span)).map_or(span.end, |line| span.end.min(line.end)).max(span.start)
}

fn line_of(file: &SourceFile, span: Span) -> u32 {
    file.line_column(span.start as usize).line
}

fn end_line(file: &SourceFile, span: Span) -> u32 {
    file.line_column(end_of_first_line(file, span) as usize).line
}

/// Text for one line of the drawing, or several, without tabs, which would shift what is below.
fn visible(text: &str) -> String {
    super::visible(text).replace('\t', " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::sample;
    use crate::{Rule, Severity};

    fn draw(findings: &[Finding], sources: &Sources) -> String {
        findings.iter().map(|f| human(f, sources, Style::default()) + "\n\n").collect()
    }

    #[test]
    fn several_labels_over_several_files() {
        let sources = Sources::new();
        let findings = sample::findings(&sources);
        insta::assert_snapshot!(draw(&findings, &sources), @r#"
        warning[TST002]: parameter "size" is never used
         --> stack.yaml:2:3
          |
        2 |   size: small
          |   ^^^^
          |
          = help: remove it

        error[TST001]: VM2 and VM1 have the same address 10.0.0.5
          --> stack.yaml:11:12
           |
         4 |   address: 10.0.0.5
           |            -------- VM1 already has it
        ...
        11 |   address: 10.0.0.5 # ü
           |            ^^^^^^^^ taken
           |
          ::: dir, a/net.yaml:1:14
           |
         1 | net: { cidr: 10.0.0.0/24 }
           |              ----------- free: 10.0.0.6 and up
           |
           = note: the first server to boot gets it
                   100% of the time
           = help: give VM2 another address
        "#);
    }

    #[test]
    fn places_far_apart_become_excerpts_of_their_own() {
        let sources = Sources::new();
        let text = format!("first: 1\n{}last: 1\n", "filler: 0\n".repeat(100_000));
        let file = sources.add("long.yaml", text.clone());
        let last = text.len() - 8;
        let finding = Finding::new(&sample::TWICE, file.place(Span::new(last, last + 4)), "twice")
            .label("again")
            .also(file.place(Span::new(0, 5)), "first");
        insta::assert_snapshot!(draw(&[finding], &sources), @"
        error[TST001]: twice
              --> long.yaml:100002:1
               |
        100002 | last: 1
               | ^^^^ again
               |
              ::: long.yaml:1:1
               |
             1 | first: 1
               | ----- first
        ");
    }

    #[test]
    fn places_at_the_end_and_over_several_lines_are_drawn() {
        const RULE: Rule = Rule::new("TST003", "end", Severity::Note, "It ends.", "");
        let sources = Sources::new();
        let file = sources.add("short", "a: 1\nb: 2");
        let findings = [
            Finding::new(&RULE, file.place(Span::point(9)), "something is missing at the end"),
            Finding::new(&RULE, file.place(Span::new(0, 9)), "all of it"),
            Finding::new(&RULE, sources.add("empty", "").place(Span::point(0)), "the file is empty"),
        ];
        insta::assert_snapshot!(draw(&findings, &sources), @"
        note[TST003]: something is missing at the end
         --> short:2:5
          |
        2 | b: 2
          |     ^

        note[TST003]: all of it
         --> short:1:1
          |
        1 | a: 1
          | ^^^^

        note[TST003]: the file is empty
         --> empty:1:1
          |
        1 |
          | ^
        ");
    }

    #[test]
    fn nothing_in_a_file_can_steer_the_terminal() {
        let sources = Sources::new();
        let file = sources.add("evil\u{1b}[2J", "a: \u{1b}[31m\u{9b}31m\n");
        let finding = Finding::new(&sample::TWICE, file.place(Span::new(0, 1)), "bad \u{1b}[0m name")
            .label("\u{1b}")
            .note("\u{7}")
            .help("\u{8}");
        let drawn = human(&finding, &sources, Style::default());
        let control: Vec<_> = drawn.chars().filter(|&c| c.is_control() && c != '\n').collect();
        assert_eq!(control, []);
    }
}
