//! Colours for light and dark surroundings, as a style sheet inside the picture.
//!
//! Every colour is a CSS variable, so that a page that holds the picture can change it; each use also gives
//! the plain colour first, for programs that know no variables. Fills are pale (or dim) enough that text on
//! them has a contrast of at least 7:1, outlines strong enough for 3:1 against the paper.

use std::fmt::Write as _;

/// For which surroundings a picture is drawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// For light ones, and for dark ones where the viewer says that it is dark.
    #[default]
    Auto,
    /// For light ones.
    Light,
    /// For dark ones.
    Dark,
}

/// How many categories have a colour of their own; after that the colours return with a dashed outline.
pub(crate) const COLOURS: usize = 10;

/// A colour by its name, for light and for dark surroundings.
type Colour = (&'static str, &'static str, &'static str);

/// The fills and outlines of categories.
const CATEGORIES: [[(&str, &str); 2]; COLOURS] = [
    [("#e3eefb", "#17304c"), ("#2f6fb5", "#6aa9ec")],
    [("#fdeedd", "#432b12"), ("#b05e0a", "#e89a4a")],
    [("#e2f4e6", "#183a23"), ("#2e7d46", "#5fbf7e")],
    [("#efe8fa", "#33244d"), ("#7a4fb0", "#b48ee8")],
    [("#fce6ec", "#471f2c"), ("#b83b5e", "#ec7d9c")],
    [("#dcf3f3", "#0f3a3c"), ("#137c82", "#4fc0c6")],
    [("#f4f1d6", "#38340f"), ("#7d6c08", "#cdb93f")],
    [("#e8ebf0", "#2a313b"), ("#5a6778", "#9aa8ba")],
    [("#f3e8e0", "#3b2a1e"), ("#8a5a35", "#c99a70")],
    [("#e6e7fb", "#25274f"), ("#4b50b8", "#9297f0")],
];

const COMMON: [Colour; 13] = [
    ("paper", "#ffffff", "#14181f"),
    ("text", "#1a1f27", "#edf1f6"),
    ("faint", "#3d4754", "#c0c9d5"),
    ("node", "#f4f6f8", "#232a34"),
    ("line", "#566170", "#9aa6b6"),
    ("edge", "#5b6675", "#93a0b0"),
    ("frame", "#8490a0", "#66748a"),
    ("even", "#f7f9fb", "#1a2029"),
    ("odd", "#eef2f6", "#212934"),
    ("dot", "#1a1f27", "#edf1f6"),
    ("alarm", "#c62828", "#ff7b72"),
    ("alarm-fill", "#fdeaea", "#4a1b1b"),
    ("strong", "#1a1f27", "#edf1f6"),
];

/// The colours: a selector, a property and the colour it takes.
const RULES: [(&str, &str, &str); 24] = [
    (".paper", "fill", "paper"),
    ("text", "fill", "text"),
    (".line", "fill", "faint"),
    (".name", "fill", "faint"),
    (".label", "fill", "faint"),
    (".name", "stroke", "paper"),
    (".label", "stroke", "paper"),
    (".shape", "fill", "node"),
    (".shape", "stroke", "line"),
    (".frame", "stroke", "frame"),
    (".even .frame", "fill", "even"),
    (".odd .frame", "fill", "odd"),
    (".on-even .name,.on-even .label", "stroke", "even"),
    (".on-odd .name,.on-odd .label", "stroke", "odd"),
    (".way", "stroke", "edge"),
    (".head", "fill", "edge"),
    (".dot", "fill", "dot"),
    (".dot", "stroke", "dot"),
    (".required .dot", "fill", "paper"),
    (".strong .way", "stroke", "strong"),
    (".strong .head", "fill", "strong"),
    (".alarm .shape", "fill", "alarm-fill"),
    (".alarm .shape,.alarm .frame,.alarm .way", "stroke", "alarm"),
    (".alarm .head,.alarm .label", "fill", "alarm"),
];

/// The part that does not depend on the surroundings.
const FIXED: &str = "\
text{font-family:Helvetica,Arial,'Liberation Sans','Noto Sans CJK SC',sans-serif;stroke-linejoin:round}
.title{font-size:13px;font-weight:bold;text-anchor:middle}
.line{font-size:11px;text-anchor:middle}
.label{font-size:11px;stroke-width:4px;paint-order:stroke;text-anchor:middle}
.name{font-size:10px;stroke-width:3px;paint-order:stroke}
.heading{font-size:12px;font-weight:bold}
.start{text-anchor:start}
.middle{text-anchor:middle}
.end{text-anchor:end}
.shape{stroke-width:1.4px}
.frame{stroke-width:1.2px}
.way{fill:none;stroke-width:1.3px}
.dot{stroke-width:1.6px}
.dashed .way{stroke-dasharray:6 4}
.dotted .way{stroke-dasharray:1.5 3.5;stroke-linecap:round}
.again .shape,.again .frame,.again .way{stroke-dasharray:7 3}
.strong .shape,.strong .frame,.alarm .shape,.alarm .frame,.strong .way,.alarm .way{stroke-width:2.6px}
.muted{opacity:.5}
";

/// The style sheet. Every selector starts with the class of the picture, so that it touches nothing else.
pub(crate) fn sheet(theme: Theme, categories: usize) -> String {
    let mut css = String::new();
    let _ = writeln!(css, ".locus-picture{{{}}}", variables(theme == Theme::Dark, categories));
    if theme == Theme::Auto {
        let dark = variables(true, categories);
        let _ = writeln!(css, "@media (prefers-color-scheme:dark){{.locus-picture{{{dark}}}}}");
    }
    for rule in FIXED.lines() {
        let _ = writeln!(css, "{}", scoped(rule));
    }
    let plain = |name: &str| {
        COMMON.iter().find(|c| c.0 == name).map_or("", |c| if theme == Theme::Dark { c.2 } else { c.1 })
    };
    let mut rule = |selector: &str, property: &str, name: &str, plain: &str| {
        let body = format!("{selector}{{{property}:{plain};{property}:var(--locus-{name})}}");
        let _ = writeln!(css, "{}", scoped(&body));
    };
    let (general, special) = RULES.split_at(19);
    for (selector, property, name) in general {
        rule(selector, property, name, plain(name));
    }
    for (at, category) in CATEGORIES.iter().enumerate().take(categories) {
        let [fill, stroke] = category.map(|(light, dark)| if theme == Theme::Dark { dark } else { light });
        rule(&format!(".c{at} .shape"), "fill", &format!("fill-{at}"), fill);
        rule(&format!(".c{at} .shape,.c{at} .frame,.c{at} .way"), "stroke", &format!("stroke-{at}"), stroke);
        rule(&format!(".c{at} .head"), "fill", &format!("stroke-{at}"), stroke);
    }
    // What calls for attention does so whatever its category.
    for (selector, property, name) in special {
        rule(selector, property, name, plain(name));
    }
    css
}

/// Puts the class of the picture before each selector of a rule.
fn scoped(rule: &str) -> String {
    let Some((selectors, body)) = rule.split_once('{') else { return rule.to_owned() };
    let selectors: Vec<String> = selectors.split(',').map(|s| format!(".locus-picture {s}")).collect();
    format!("{}{{{body}", selectors.join(","))
}

fn variables(dark: bool, categories: usize) -> String {
    let pick = |light, dim| if dark { dim } else { light };
    let mut text = String::new();
    for (name, light, dim) in COMMON {
        let _ = write!(text, "--locus-{name}:{};", pick(light, dim));
    }
    for (at, [fill, stroke]) in CATEGORIES.iter().enumerate().take(categories) {
        let _ = write!(text, "--locus-fill-{at}:{};", pick(fill.0, fill.1));
        let _ = write!(text, "--locus-stroke-{at}:{};", pick(stroke.0, stroke.1));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as the Web Content Accessibility Guidelines define it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let value =
                f64::from(u8::from_str_radix(&colour[at..at + 2], 16).expect("two hex digits")) / 255.0;
            if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    fn contrast(a: &str, b: &str) -> f64 {
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    fn common(name: &str, dark: bool) -> &'static str {
        COMMON.iter().find(|c| c.0 == name).map(|c| if dark { c.2 } else { c.1 }).expect("a colour")
    }

    #[test]
    fn text_is_readable_on_everything_it_stands_on() {
        for dark in [false, true] {
            let fills = CATEGORIES.iter().map(|c| if dark { c[0].1 } else { c[0].0 });
            let others = ["paper", "node", "even", "odd", "alarm-fill"].map(|name| common(name, dark));
            for fill in fills.chain(others) {
                for text in ["text", "faint"] {
                    let contrast = contrast(common(text, dark), fill);
                    assert!(contrast >= 7.0, "{text} on {fill}: {contrast:.1}");
                }
            }
        }
    }

    #[test]
    fn outlines_are_visible_on_the_paper_and_in_groups() {
        for dark in [false, true] {
            let strokes = CATEGORIES.iter().map(|c| if dark { c[1].1 } else { c[1].0 });
            let others = ["line", "edge", "frame", "dot", "alarm"].map(|name| common(name, dark));
            for stroke in strokes.chain(others) {
                for paper in ["paper", "even", "odd"] {
                    let contrast = contrast(stroke, common(paper, dark));
                    assert!(contrast >= 2.8, "{stroke} on {paper}: {contrast:.1}");
                }
            }
        }
    }

    #[test]
    fn every_selector_is_scoped() {
        for line in sheet(Theme::Auto, 3).lines().filter(|l| !l.starts_with("@media")) {
            let selectors = line.split('{').next().unwrap_or_default();
            assert!(selectors.split(',').all(|s| s.starts_with(".locus-picture")), "{line}");
        }
    }
}
