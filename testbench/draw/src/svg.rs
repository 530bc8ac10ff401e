// SPDX-License-Identifier: MIT OR Apache-2.0
//! SVG documents from shapes.
//!
//! A [`Shape`] is one element; a [`Svg`] is a document with a shape or a row of shapes in each line.
//! Attributes are written in the order in which they are set, so a picture has the same bytes in every
//! run.

use crate::markup::escape;
use std::fmt::{self, Display, Write};

/// A coordinate with one decimal.
pub fn tenth(value: f64) -> String {
    format!("{value:.1}")
}

/// A coordinate without decimals.
pub fn whole(value: f64) -> String {
    format!("{value:.0}")
}

/// An element and what is inside it.
#[derive(Clone, Debug)]
pub struct Shape {
    name: &'static str,
    attributes: String,
    inside: String,
}

impl Shape {
    /// An element without attributes.
    #[must_use]
    pub fn new(name: &'static str) -> Shape {
        Shape { name, attributes: String::new(), inside: String::new() }
    }

    /// With this attribute after the others.
    #[must_use]
    pub fn set(mut self, name: &str, value: impl Display) -> Shape {
        let _ = write!(self.attributes, " {name}=\"{}\"", escape(&value.to_string()));
        self
    }

    /// With these attributes after the others.
    #[must_use]
    pub fn with<const N: usize>(self, attributes: [(&str, &dyn Display); N]) -> Shape {
        attributes.into_iter().fold(self, |shape, (name, value)| shape.set(name, value))
    }

    /// With this element after those inside it.
    #[must_use]
    pub fn inside(mut self, shape: &Shape) -> Shape {
        let _ = write!(self.inside, "{shape}");
        self
    }

    /// With a text that a browser shows while the pointer is over the shape.
    #[must_use]
    pub fn tooltip(mut self, text: &str) -> Shape {
        let _ = write!(self.inside, "<title>{}</title>", escape(text));
        self
    }

    /// A rectangle: left, top, width, height.
    #[must_use]
    pub fn rect(x: impl Display, y: impl Display, w: impl Display, h: impl Display) -> Shape {
        Shape::new("rect").with([("x", &x), ("y", &y), ("width", &w), ("height", &h)])
    }

    /// A line between two points.
    #[must_use]
    pub fn line(x1: impl Display, y1: impl Display, x2: impl Display, y2: impl Display) -> Shape {
        Shape::new("line").with([("x1", &x1), ("y1", &y1), ("x2", &x2), ("y2", &y2)])
    }

    /// A horizontal line of a grid.
    #[must_use]
    pub fn rule(x1: impl Display, x2: impl Display, y: impl Display) -> Shape {
        Shape::new("line").with([("x1", &x1), ("x2", &x2), ("y1", &y), ("y2", &y)])
    }

    /// A circle by its centre and radius.
    #[must_use]
    pub fn circle(x: impl Display, y: impl Display, r: impl Display) -> Shape {
        Shape::new("circle").with([("cx", &x), ("cy", &y), ("r", &r)])
    }

    /// A path in SVG's own notation.
    #[must_use]
    pub fn path(d: impl Display) -> Shape {
        Shape::new("path").set("d", d)
    }

    /// A closed polygon through points with one decimal.
    #[must_use]
    pub fn polygon(points: &[(f64, f64)]) -> Shape {
        let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        Shape::new("polygon").set("points", points.join(" "))
    }

    /// A text on a base line that begins at this point, unless a `text-anchor` is set.
    #[must_use]
    pub fn text(x: impl Display, y: impl Display, text: &str) -> Shape {
        let mut shape = Shape::new("text").with([("x", &x), ("y", &y)]);
        shape.inside = escape(text);
        shape
    }

    /// Shapes moved together.
    #[must_use]
    pub fn group(x: impl Display, y: impl Display, shapes: &[Shape]) -> Shape {
        let group = Shape::new("g").set("transform", format_args!("translate({x} {y})"));
        shapes.iter().fold(group, Shape::inside)
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shape { name, attributes, inside } = self;
        if inside.is_empty() && *name != "text" {
            return write!(f, "<{name}{attributes}/>");
        }
        write!(f, "<{name}{attributes}>{inside}</{name}>")
    }
}

/// A document.
#[derive(Clone, Debug)]
pub struct Svg(String);

impl Svg {
    /// A document of this size in pixels. `scales`: it has no fixed size and fills the place in
    /// which it is shown.
    #[must_use]
    pub fn new(width: f64, height: f64, scales: bool, font: &str, font_size: u32) -> Svg {
        let (width, height) = (whole(width), whole(height));
        let root = Shape::new("svg")
            .set("xmlns", "http://www.w3.org/2000/svg")
            .set("viewBox", format_args!("0 0 {width} {height}"));
        let root = if scales { root } else { root.set("width", &width).set("height", &height) };
        let root = root.set("font-family", font).set("font-size", font_size);
        Svg(format!("<svg{}>\n", root.attributes))
    }

    /// A line with one shape.
    pub fn add(&mut self, shape: &Shape) {
        self.row([shape]);
    }

    /// A line with some shapes.
    pub fn row<'a>(&mut self, shapes: impl IntoIterator<Item = &'a Shape>) {
        for shape in shapes {
            let _ = write!(self.0, "{shape}");
        }
        self.0.push('\n');
    }

    /// A comment in the file.
    pub fn comment(&mut self, text: &str) {
        let _ = writeln!(self.0, "<!-- {} -->", text.replace("--", "- -"));
    }

    /// Title of the document, for readers that cannot see it and as a tooltip.
    pub fn title(&mut self, text: &str) {
        let mut title = Shape::new("title");
        title.inside = escape(text);
        self.add(&title);
    }

    /// The text of the file.
    #[must_use]
    pub fn text(mut self) -> String {
        self.0.push_str("</svg>\n");
        self.0
    }
}

/// Width of a text in pixels, rather too wide than too narrow: that of `DejaVu Sans`, one of the widest usual fonts.
#[must_use]
pub fn text_width(text: &str, font_size: f64) -> f64 {
    let em = |c: char| match c {
        'i' | 'j' | 'l' | 'I' | '\'' | '|' => 0.32,
        ' ' | '.' | ',' | ':' | ';' | '(' | ')' | '[' | ']' | 'f' | 't' | 'r' => 0.42,
        'm' | 'w' | 'M' | 'W' | '%' | '→' => 0.98,
        c if c.is_uppercase() => 0.75,
        _ => 0.64,
    };
    text.chars().map(em).sum::<f64>() * font_size
}

/// Keys of a picture: a mark and what it means, in lines of a given width.
#[derive(Clone, Debug)]
pub struct Legend {
    left: f64,
    right: f64,
    font_size: f64,
    x: f64,
    y: f64,
}

impl Legend {
    /// Height of a line.
    pub const LINE: f64 = 18.0;

    /// From `left` to `right`, its first line at `top`.
    #[must_use]
    pub const fn new(left: f64, right: f64, top: f64, font_size: f64) -> Legend {
        Legend { left, right, font_size, x: left, y: top }
    }

    /// The next entry; `mark` is drawn in a square of 12 pixels.
    pub fn entry(&mut self, svg: &mut Svg, mark: &Shape, text: &str) {
        let wide = 18.0 + text_width(text, self.font_size);
        if self.x > self.left && self.x + wide > self.right {
            self.end_line();
        }
        let label = Shape::text(18, 10, text);
        svg.add(&Shape::group(whole(self.x), whole(self.y), &[mark.clone(), label]));
        self.x += wide + 14.0;
    }

    /// A text without a mark, in separate lines.
    pub fn note(&mut self, svg: &mut Svg, text: &str) {
        self.end_line();
        let mut line = String::new();
        for word in text.split(' ') {
            let longer = format!("{line}{}{word}", if line.is_empty() { "" } else { " " });
            if text_width(&longer, self.font_size) <= self.right - self.left || line.is_empty() {
                line = longer;
            } else {
                self.note_line(svg, &line);
                word.clone_into(&mut line);
            }
        }
        self.note_line(svg, &line);
    }

    fn note_line(&mut self, svg: &mut Svg, text: &str) {
        let label = Shape::text(whole(self.x), whole(self.y + 10.0), text);
        svg.add(&label.set("fill", "#667"));
        self.y += Legend::LINE;
    }

    /// Begins a new line.
    pub fn end_line(&mut self) {
        if self.x > self.left {
            (self.x, self.y) = (self.left, self.y + Legend::LINE);
        }
    }

    /// Below the last entry.
    #[must_use]
    pub fn bottom(&self) -> f64 {
        if self.x > self.left { self.y + Legend::LINE } else { self.y }
    }
}

/// The distance of an axis' ticks: 1, 2 or 5 times a power of ten, at least `least`.
#[must_use]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "1 or more")]
pub fn step(least: f64) -> u64 {
    let power = 10_f64.powf(least.max(1.0).log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    steps.into_iter().find(|step| *step >= least).unwrap_or(least).max(1.0) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_attributes_keep_their_order() {
        let shape = Shape::text(1, tenth(2.04), "a < b").set("fill", "\"red\"").tooltip("x & y");
        assert_eq!(
            shape.to_string(),
            "<text x=\"1\" y=\"2.0\" fill=\"&quot;red&quot;\">a &lt; b<title>x &amp; y</title></text>"
        );
    }

    #[test]
    fn a_legend_begins_a_new_line_when_one_is_full() {
        let mut svg = Svg::new(100.0, 100.0, false, "sans-serif", 10);
        let mut legend = Legend::new(10.0, 100.0, 20.0, 10.0);
        let mark = Shape::rect(0, 0, 12, 12);
        for name in ["first one", "second one"] {
            legend.entry(&mut svg, &mark, name);
        }
        let text = svg.text();
        assert!(text.contains("translate(10 20)") && text.contains("translate(10 38)"), "{text}");
        assert!((legend.bottom() - 56.0).abs() < 0.1);
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!([0.2, 1.0, 3.0, 12.0, 60.0].map(step), [1, 1, 5, 20, 100]);
    }
}
