//! The picture as SVG: real text, no scripts, no fonts of its own, readable in light and dark.

use std::fmt::Write as _;

use crate::boundary::edge_label;
use crate::categories::Categories;
use crate::geometry::Point;
use crate::layout::{Anchor, LabelPlace, Layout, Limits, layout};
use crate::measure::{DOT, LINE, TITLE};
use crate::scene::{EdgeStyle, Emphasis, End, PortKind, Scene, Shape};
use crate::style::{self, Theme};
use crate::{DrawError, legend};

/// How a picture is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// For which surroundings.
    pub theme: Theme,
    /// Whether the paper is painted. Without it, what is behind the picture shines through.
    pub background: bool,
    /// Whether the colours of categories and the kinds of ports are explained below the picture.
    pub legend: bool,
    /// How large the scene may be.
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Self { theme: Theme::Auto, background: true, legend: true, limits: Limits::default() }
    }
}

/// The room around the picture.
const MARGIN: f64 = 20.0;

/// Draws a scene as SVG.
///
/// The text is complete and well-formed whatever the names in the scene contain.
pub fn svg(scene: &Scene, options: &Options) -> Result<String, DrawError> {
    let layout = layout(scene, &options.limits)?;
    let categories = Categories::new(scene);
    let mut drawing = Drawing { scene, layout: &layout, categories: &categories, out: String::new() };
    drawing.all(options);
    Ok(drawing.out)
}

struct Drawing<'a> {
    scene: &'a Scene,
    layout: &'a Layout,
    categories: &'a Categories<'a>,
    out: String,
}

impl Drawing<'_> {
    fn all(&mut self, options: &Options) {
        let legend = if options.legend {
            legend::legend(self.scene, self.categories, self.layout.width)
        } else {
            legend::Legend::default()
        };
        let width = self.layout.width.max(legend.width) + 2.0 * MARGIN;
        let below = if legend.height > 0.0 { legend.height + MARGIN } else { 0.0 };
        let height = self.layout.height + below + 2.0 * MARGIN;
        let (w, h) = (number(width), number(height));
        let _ = writeln!(
            self.out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"locus-picture\" role=\"img\" \
             width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">"
        );
        let _ = writeln!(self.out, "<title>{}</title>", escaped(self.scene.title()));
        let _ = writeln!(self.out, "<desc>{}</desc>", escaped(&self.description()));
        let sheet = style::sheet(options.theme, self.categories.colours());
        let _ = writeln!(self.out, "<style>\n{sheet}</style>");
        if options.background {
            let _ = writeln!(self.out, "<rect class=\"paper\" width=\"{w}\" height=\"{h}\"/>");
        }
        // A picture narrower than its legend stands in the middle.
        let left = (width - self.layout.width) / 2.0;
        let _ = writeln!(self.out, "<g transform=\"translate({} {})\">", number(left), number(MARGIN));
        self.groups();
        self.edges();
        self.nodes();
        self.ports();
        self.labels();
        self.out.push_str("</g>\n");
        if legend.height > 0.0 {
            let top = self.layout.height + 2.0 * MARGIN;
            let left = (width - legend.width) / 2.0;
            let _ = writeln!(
                self.out,
                "<g class=\"legend\" transform=\"translate({} {})\">\n{}</g>",
                number(left),
                number(top),
                legend.svg
            );
        }
        self.out.push_str("</svg>\n");
    }

    fn description(&self) -> String {
        if !self.scene.long_description().is_empty() {
            return self.scene.long_description().to_owned();
        }
        let count = |n: usize, one: &str, many: &str| format!("{n} {}", if n == 1 { one } else { many });
        let mut text = format!(
            "A graph of {} and {}",
            count(self.scene.nodes().len(), "node", "nodes"),
            count(self.scene.edges().len(), "edge", "edges"),
        );
        if !self.scene.groups().is_empty() {
            let _ = write!(text, " in {}", count(self.scene.groups().len(), "group", "groups"));
        }
        text.push('.');
        text
    }

    fn groups(&mut self) {
        for (group, place) in self.scene.groups().iter().zip(&self.layout.groups) {
            let parity = if place.depth % 2 == 0 { "even" } else { "odd" };
            let mut class = format!("group {parity}");
            self.add_look(&mut class, group.category.as_deref(), group.emphasis);
            self.open(&class, Some(&group.key), &group.title, group.tooltip.as_deref());
            let (x, y) = (place.corner.x, place.corner.y);
            let _ = write!(
                self.out,
                "<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\"/>",
                number(x),
                number(y),
                number(place.width),
                number(place.height)
            );
            if !place.title.is_empty() {
                self.text("heading", Point::new(x + 12.0, y + 19.0), &place.title);
            }
            self.close();
        }
    }

    fn edges(&mut self) {
        for (at, (edge, place)) in self.scene.edges().iter().zip(&self.layout.edges).enumerate() {
            let mut class = String::from("edge");
            class.push_str(match edge.style {
                EdgeStyle::Solid => "",
                EdgeStyle::Dashed => " dashed",
                EdgeStyle::Dotted => " dotted",
            });
            self.add_look(&mut class, edge.category.as_deref(), edge.emphasis);
            let label = edge_label(self.scene, at);
            let ends = format!("{} – {}", self.end_name(edge.from), self.end_name(edge.to));
            let name = if label.is_empty() { ends } else { format!("{label}: {ends}") };
            self.open(&class, None, &name, edge.tooltip.as_deref());
            let _ = write!(self.out, "<path class=\"way\" d=\"{}\"/>", path(&place.path));
            if let (true, [.., before, tip]) = (edge.directed, place.path.as_slice()) {
                let _ = write!(self.out, "<path class=\"head\" d=\"{}\"/>", head(*before, *tip));
            }
            self.close();
        }
    }

    /// Returns the name of an end of an edge where the edge is spoken of.
    fn end_name(&self, end: End) -> &str {
        match end {
            End::Node(node) => &self.scene.nodes()[node.index()].title,
            End::Port(port) => self.end_name(End::Node(self.scene.ports()[port.index()].0)),
            End::Group(group) => &self.scene.groups()[group.index()].title,
        }
    }

    fn nodes(&mut self) {
        for (node, place) in self.scene.nodes().iter().zip(&self.layout.nodes) {
            let mut class = String::from("node");
            self.add_look(&mut class, node.category.as_deref(), node.emphasis);
            self.open(&class, Some(&node.key), &node.title, node.tooltip.as_deref());
            let (cx, cy) = (place.centre.x, place.centre.y);
            self.out.push_str(&shape(node.shape, place.centre, place.width, place.height));
            let title_height = if place.title.is_empty() { 0.0 } else { TITLE.line_height() };
            let mut y = cy - f64::midpoint(title_height, place.lines.len() as f64 * LINE.line_height());
            if !place.title.is_empty() {
                self.text("title", Point::new(cx, y + title_height / 2.0 + TITLE.size * 0.35), &place.title);
            }
            y += title_height;
            for line in &place.lines {
                self.text("line", Point::new(cx, y + LINE.line_height() / 2.0 + LINE.size * 0.35), line);
                y += LINE.line_height();
            }
            self.close();
        }
    }

    fn ports(&mut self) {
        for ((node, port), place) in self.scene.ports().iter().zip(&self.layout.ports) {
            let node = &self.scene.nodes()[node.index()];
            let mut class = String::from("port");
            class.push_str(match port.kind {
                PortKind::Provided => " provided",
                PortKind::Required => " required",
                PortKind::Plain => "",
            });
            class.push_str(paper_class(node.group.map(|g| self.layout.groups[g.index()].depth + 1)));
            if node.emphasis == Emphasis::Muted {
                class.push_str(" muted");
            }
            self.open(&class, None, &port.label, port.tooltip.as_deref());
            let _ = write!(
                self.out,
                "<circle class=\"dot\" cx=\"{}\" cy=\"{}\" r=\"{DOT}\"/>",
                number(place.at.x),
                number(place.at.y)
            );
            if let Some(label) = &place.label {
                self.label("name", label);
            }
            self.close();
        }
    }

    /// The labels of edges come last, so that no line runs over them.
    fn labels(&mut self) {
        for (edge, place) in self.scene.edges().iter().zip(&self.layout.edges) {
            let Some(label) = &place.label else { continue };
            let mut class = format!("edge{}", paper_class(Some(place.depth)));
            self.add_look(&mut class, edge.category.as_deref(), edge.emphasis);
            self.open(&class, None, &edge.label, edge.tooltip.as_deref());
            self.label("label", label);
            self.close();
        }
    }

    fn label(&mut self, class: &str, label: &LabelPlace) {
        let anchor = match label.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.text(&format!("{class} {anchor}"), label.at, &label.text);
    }

    fn add_look(&self, class: &mut String, category: Option<&str>, emphasis: Emphasis) {
        class.push_str(&self.categories.class(category));
        class.push_str(match emphasis {
            Emphasis::Normal => "",
            Emphasis::Strong => " strong",
            Emphasis::Muted => " muted",
            Emphasis::Alarm => " alarm",
        });
    }

    fn open(&mut self, class: &str, key: Option<&str>, name: &str, tooltip: Option<&str>) {
        let _ = write!(self.out, "<g class=\"{class}\"");
        if let Some(key) = key {
            let _ = write!(self.out, " data-id=\"{}\"", escaped(key));
        }
        self.out.push('>');
        let title = match tooltip {
            Some(tooltip) if name.is_empty() => tooltip.to_owned(),
            Some(tooltip) => format!("{name}\n{tooltip}"),
            None => name.to_owned(),
        };
        if !title.is_empty() {
            let _ = write!(self.out, "<title>{}</title>", escaped(&title));
        }
    }

    fn close(&mut self) {
        self.out.push_str("</g>\n");
    }

    fn text(&mut self, class: &str, at: Point, text: &str) {
        let (x, y) = (number(at.x), number(at.y));
        let _ = write!(self.out, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(text));
    }
}

/// The paper that a text stands on, for its halo: that of the picture or of a group at some depth.
fn paper_class(depth: Option<usize>) -> &'static str {
    match depth.unwrap_or(0) {
        0 => "",
        depth if depth % 2 == 1 => " on-even",
        _ => " on-odd",
    }
}

/// The outline of a node.
pub(crate) fn shape(shape: Shape, centre: Point, width: f64, height: f64) -> String {
    let (cx, cy) = (centre.x, centre.y);
    match shape {
        Shape::Oval | Shape::Circle => format!(
            "<ellipse class=\"shape\" cx=\"{}\" cy=\"{}\" rx=\"{}\" ry=\"{}\"/>",
            number(cx),
            number(cy),
            number(width / 2.0),
            number(height / 2.0)
        ),
        Shape::Box | Shape::Rounded => format!(
            "<rect class=\"shape\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\"/>",
            number(cx - width / 2.0),
            number(cy - height / 2.0),
            number(width),
            number(height),
            if shape == Shape::Rounded { 9 } else { 2 }
        ),
    }
}

fn path(points: &[Point]) -> String {
    let mut d = String::new();
    for (at, point) in points.iter().enumerate() {
        let command = match at {
            0 => "M",
            _ if at % 3 == 1 => "C",
            _ => " ",
        };
        let _ = write!(d, "{command}{} {}", number(point.x), number(point.y));
    }
    d
}

/// An arrowhead with its tip at a point, coming from another.
fn head(before: Point, tip: Point) -> String {
    let (dx, dy) = (tip.x - before.x, tip.y - before.y);
    let length = dx.hypot(dy).max(1e-6);
    let (ux, uy) = (dx / length, dy / length);
    let back =
        |along: f64, aside: f64| Point::new(tip.x - ux * along - uy * aside, tip.y - uy * along + ux * aside);
    let (left, notch, right) = (back(9.0, 3.8), back(7.0, 0.0), back(9.0, -3.8));
    let corner = |p: Point| format!("{} {}", number(p.x), number(p.y));
    format!("M{}L{}L{}L{}Z", corner(tip), corner(left), corner(notch), corner(right))
}

/// A number with one decimal at most.
pub(crate) fn number(value: f64) -> String {
    let tenths = (value * 10.0).round() / 10.0;
    // No "-0".
    format!("{}", if tenths == 0.0 { 0.0 } else { tenths })
}

/// A text as XML: with the characters that mean something there written as references, and those that may not
/// be there at all replaced.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(number(1.0), "1");
        assert_eq!(number(-0.01), "0");
        assert_eq!(number(2.26), "2.3");
    }

    #[test]
    fn nothing_of_a_name_is_markup() {
        assert_eq!(escaped("<a href='x'>&\u{0}"), "&lt;a href=&#39;x&#39;&gt;&amp;\u{fffd}");
    }

    #[test]
    fn an_arrow_points_where_it_goes() {
        assert_eq!(head(Point::new(0.0, 0.0), Point::new(0.0, 10.0)), "M0 10L-3.8 1L0 3L3.8 1Z");
    }
}
