//! How wide a text will be, and how to short one that is too wide.
//!
//! The widths are those of the Helvetica family (Arial and Liberation Sans have the same ones), which is what
//! the pictures ask for. A viewer with another font is a few per cent off; boxes have more room than that.

/// Advance widths of U+0020 to U+007E in thousandths of the font size.
const ASCII: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// A size and weight of the font.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Font {
    /// The size in pixels.
    pub(crate) size: f64,
    /// Whether it is the bold face.
    pub(crate) bold: bool,
}

impl Font {
    /// From the top of one line to the top of the next.
    pub(crate) fn line_height(self) -> f64 {
        (self.size * 1.3).round()
    }

    /// The width of a text, in pixels.
    pub(crate) fn width(self, text: &str) -> f64 {
        let thousandths: f64 = text.chars().map(|c| f64::from(advance(c))).sum();
        let face = if self.bold { 1.06 } else { 1.0 };
        thousandths * face * self.size / 1000.0
    }

    /// The text if it fits into `max` pixels, or else its beginning and its end with an ellipsis between.
    ///
    /// Names of resources often differ in their last characters only, so the end is kept as well.
    pub(crate) fn fit(self, text: &str, max: f64) -> String {
        if self.width(text) <= max {
            return text.to_owned();
        }
        let room = (max - self.width("…")).max(0.0);
        let head = self.longest(text.char_indices().map(|(at, c)| (at + c.len_utf8(), c)), room * 0.6);
        let head = head.unwrap_or(0);
        let rest = room - self.width(&text[..head]);
        let tail = self.longest(text[head..].char_indices().rev().map(|(at, c)| (head + at, c)), rest);
        let mut tail = tail.unwrap_or(text.len());
        // A mark that combines with the character before it must not start the tail.
        while let Some(c) = text[tail..].chars().next().filter(|&c| advance(c) == 0) {
            tail += c.len_utf8();
        }
        format!("{}…{}", text[..head].trim_end(), text[tail..].trim_start())
    }

    /// The last offset that is reached before the characters are wider than `room`.
    fn longest(self, chars: impl Iterator<Item = (usize, char)>, room: f64) -> Option<usize> {
        let mut width = 0.0;
        let mut reached = None;
        let mut buffer = [0; 4];
        for (at, c) in chars {
            width += self.width(c.encode_utf8(&mut buffer));
            if width > room {
                break;
            }
            reached = Some(at);
        }
        reached
    }
}

/// The advance width of a character in thousandths of the font size.
fn advance(c: char) -> u16 {
    let code = u32::from(c);
    match code {
        0x20..=0x7e => ASCII[code as usize - 0x20],
        // Marks that combine, joiners and variation selectors take no room.
        0x300..=0x36f | 0x200b..=0x200f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        // Latin, Greek and Cyrillic: capitals are wider. Nearly exact for Latin, a little wide for the rest.
        0xa0..=0x52f | 0x1e00..=0x1fff => {
            if c.is_uppercase() {
                740
            } else {
                570
            }
        }
        // The ellipsis, the long dash, and scripts whose characters are drawn in squares.
        0x2014
        | 0x2026
        | 0x1100..=0x11ff
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xff00..=0xff60 => 1000,
        0x2000..=0x206f => 500,
        // Pictographs and rare ideographs.
        0x1f000..=0x1faff | 0x20000..=0x3ffff => 1250,
        _ => 700,
    }
}

/// The text as it may stand in a picture: one line, without characters that XML forbids or that would let a
/// name rearrange the text around it.
pub(crate) fn printable(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '\t' | '\n' | '\r' => ' ',
            c if c.is_control() => '\u{fffd}',
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
            c => c,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: Font = Font { size: 10.0, bold: false };

    #[test]
    fn widths_add_up() {
        assert!((PLAIN.width("AV.") - (6.67 + 6.67 + 2.78)).abs() < 1e-9);
        assert!((PLAIN.width("漢字") - 20.0).abs() < 1e-9);
        assert!(PLAIN.width("e\u{301}") < PLAIN.width("ee"));
    }

    #[test]
    fn a_short_text_is_left_alone() {
        assert_eq!(PLAIN.fit("web", 100.0), "web");
    }

    #[test]
    fn a_long_text_keeps_both_ends_and_fits() {
        let text = "production-frontend-load-balancer-listener-0042";
        let short = PLAIN.fit(text, 100.0);
        assert!(PLAIN.width(&short) <= 100.0);
        insta::assert_snapshot!(short, @"production-f…er-0042");
    }

    #[test]
    fn no_room_at_all_leaves_the_ellipsis() {
        assert_eq!(PLAIN.fit("web", 1.0), "…");
        assert_eq!(PLAIN.fit("漢字漢字", 0.0), "…");
    }

    #[test]
    fn control_and_reordering_characters_are_made_visible() {
        assert_eq!(printable("a\nb\u{0}c\u{202e}d\u{7f}"), "a b\u{fffd}c\u{fffd}d\u{fffd}");
    }
}
