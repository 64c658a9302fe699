//! The meaning of the colours and the dots, in rows below the picture.

use std::fmt::Write as _;

use crate::categories::Categories;
use crate::geometry::Point;
use crate::measure::DOT;
use crate::scene::{PortKind, Scene, Shape};
use crate::svg::{escaped, number, shape};
use crate::text::{Font, printable};

const FONT: Font = Font { size: 11.0, bold: false };
const ROW: f64 = 20.0;
/// The room before the text of an entry, for its sample.
const SAMPLE: f64 = 28.0;
/// Categories beyond these are told by number only.
const ENTRIES_MAX: usize = 24;

/// The legend, drawn from 0, 0.
#[derive(Default)]
pub(crate) struct Legend {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) svg: String,
}

/// The legend of a scene, about as wide as its picture. Empty when there is nothing to explain.
pub(crate) fn legend(scene: &Scene, categories: &Categories<'_>, width: f64) -> Legend {
    let entries = entries(scene, categories);
    let room = width.max(320.0);
    let mut legend = Legend::default();
    let (mut x, mut y) = (0.0, 0.0);
    for (sample, text) in entries {
        let text = FONT.fit(&printable(&text), 200.0);
        let entry = SAMPLE + FONT.width(&text);
        if x > 0.0 && x + entry > room {
            x = 0.0;
            y += ROW;
        }
        let _ = writeln!(
            legend.svg,
            "<g transform=\"translate({} {})\">{sample}<text class=\"line start\" x=\"{SAMPLE}\" y=\"14\">{}</text></g>",
            number(x),
            number(y),
            escaped(&text)
        );
        legend.width = legend.width.max(x + entry);
        legend.height = y + ROW;
        x += entry + 18.0;
    }
    legend
}

/// The samples and texts of all entries.
fn entries(scene: &Scene, categories: &Categories<'_>) -> Vec<(String, String)> {
    let mut entries = Vec::new();
    for (name, of_things) in categories.names.iter().zip(&categories.of_things).take(ENTRIES_MAX) {
        let class = categories.class(Some(name));
        let sample = if *of_things {
            shape(Shape::Rounded, Point::new(11.0, 10.0), 22.0, 13.0)
        } else {
            "<path class=\"way\" d=\"M0 10L22 10\"/>".to_owned()
        };
        entries.push((format!("<g class=\"{}\">{sample}</g>", class.trim_start()), (*name).to_owned()));
    }
    if categories.names.len() > ENTRIES_MAX {
        let more = categories.names.len() - ENTRIES_MAX;
        entries.push((String::new(), format!("and {more} more categories")));
    }
    for (kind, class, text) in
        [(PortKind::Provided, "provided", "provided"), (PortKind::Required, "required", "required")]
    {
        if scene.ports().iter().any(|(_, port)| port.kind == kind) {
            let dot = format!("<circle class=\"dot\" cx=\"18\" cy=\"10\" r=\"{DOT}\"/>");
            entries.push((format!("<g class=\"port {class}\">{dot}</g>"), text.to_owned()));
        }
    }
    entries
}
