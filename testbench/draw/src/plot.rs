// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plots over logarithmic axes as SVG.

use crate::svg::{step, text_width};
use plotters::coord::{
    combinators::{BindKeyPoints, LogCoord},
    ranged1d::{BoldPoints, LightPoints, Ranged},
};
use plotters::prelude::*;
use std::ops::Range;

/// A line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name in the legend.
    pub name: String,
    /// Points.
    pub points: Vec<(f64, f64)>,
    /// A bound: thin and grey.
    pub bound: bool,
}

impl Line {
    /// A line for each name, in the order of the first points.
    pub fn by_name(points: impl IntoIterator<Item = (String, (f64, f64))>) -> Vec<Line> {
        let mut all: Vec<Line> = Vec::new();
        for (name, point) in points {
            match all.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(point),
                None => all.push(Line { name, points: vec![point], bound: false }),
            }
        }
        all
    }
}

/// Titles of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes<'a> {
    /// Above it.
    pub title: &'a str,
    /// Below the horizontal axis.
    pub x: &'a str,
    /// Beside the vertical axis.
    pub y: &'a str,
}

const SIZE: (u32, u32) = (720, 420);
/// Colours of lines, in their order.
pub const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 90, 181),
    RGBColor(220, 50, 32),
    RGBColor(0, 130, 80),
    RGBColor(150, 80, 170),
    RGBColor(200, 130, 0),
    RGBColor(70, 70, 70),
    RGBColor(0, 170, 190),
    RGBColor(150, 90, 40),
    RGBColor(235, 120, 170),
];
const GREY: RGBColor = RGBColor(150, 150, 150);

/// Draws lines in a plot with logarithmic axes to the base 2 or 10, whichever fits.
///
/// # Errors
/// The message of the plotting library.
pub fn plot(axes: Axes<'_>, lines: &[Line]) -> Result<String, String> {
    let mut text = String::new();
    draw(axes, lines, &mut text).map_err(|e| e.to_string())?;
    // The library ends without one.
    text.push('\n');
    Ok(text)
}

/// A label of an axis: six significant digits without zeros at the end, and a power of ten below a
/// thousandth.
#[must_use]
pub fn number(value: f64) -> String {
    let digits = format!("{value:.5e}");
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| {
        let zeros = if text.contains('.') { '0' } else { '.' };
        text.trim_end_matches(zeros).trim_end_matches('.').to_owned()
    };
    match usize::try_from(5 - exponent) {
        Ok(places) if places <= 8 => trimmed(&format!("{value:.places$}")),
        Ok(_) if value != 0.0 => format!("{}e{exponent}", trimmed(mantissa)),
        _ => format!("{value:.0}"),
    }
}

type Failed = Box<dyn std::error::Error>;

/// Pixels around the plot.
const MARGIN: u32 = 12;
/// Height of the labels below the plot, width of those beside it.
const LABELS: (u32, u32) = (42, 66);
/// Font size of labels in the file. The library divides the size 12 by 1.24.
const FONT: f64 = 12.0 / 1.24;

const CAPTION: (&str, u32) = ("sans-serif", 17);

/// Marks on an axis: those with labels, and hairlines.
type Marks = (Vec<f64>, Vec<f64>);

/// The marks of the library: 1 to 9 on an axis of one decade, else powers of ten.
fn usual_marks(range: &Range<f64>) -> Marks {
    let axis: LogCoord<f64> = range.clone().log_scale().into();
    // Numbers of labels and hairlines that the library asks for.
    (axis.key_points(BoldPoints(11)), axis.key_points(LightPoints::new(11, 110)))
}

/// Labels at 1, 2 and 5 in each decade, hairlines at 1 to 9.
fn sparse_marks(range: &Range<f64>) -> Marks {
    let decades = (range.start.log10().floor(), range.end.log10().ceil());
    let mut exponent = decades.0;
    let (mut bold, mut light) = (Vec::new(), Vec::new());
    while exponent <= decades.1 {
        for digit in 1..10 {
            let mark = f64::from(digit) * 10_f64.powf(exponent);
            if (range.start..=range.end).contains(&mark) {
                light.push(mark);
                if [1, 2, 5].contains(&digit) {
                    bold.push(mark);
                }
            }
        }
        exponent += 1.0;
    }
    (bold, light)
}

/// Labels of an axis on which few of the others lie: multiples of 1, 2 or 5 times a power of ten, at most ten.
fn even_marks(range: &Range<f64>) -> Marks {
    let least = (range.end - range.start) / 10.0;
    let power = 10_f64.powf(least.log10().floor());
    #[expect(clippy::cast_precision_loss, reason = "1 to 10")]
    let distance = step(least / power) as f64 * power;
    let first = (range.start / distance).ceil();
    let marks = (0..11).map(|mark| (first + f64::from(mark)) * distance);
    let marks: Vec<f64> = marks.take_while(|mark| *mark <= range.end).collect();
    (marks.clone(), marks)
}

/// Returns true if an axis has at most one label, and so no scale.
fn without_scale((bold, _): &Marks) -> bool {
    bold.iter().all(|mark| mark.total_cmp(&bold[0]).is_eq())
}

/// Pixels of a label along an axis. Most fonts are narrower than [`text_width`].
fn extent(value: f64, along_text: bool) -> f64 {
    0.85 * if along_text { text_width(&number(value), FONT) } else { FONT }
}

/// Returns true if labels at these marks overlap on an axis of that many pixels.
fn crowded(range: &Range<f64>, marks: &[f64], pixels: i32, along_text: bool) -> bool {
    let axis: LogCoord<f64> = range.clone().log_scale().into();
    let half = |value: f64| extent(value, along_text) / 2.0;
    marks.windows(2).any(|pair| {
        let apart = axis.map(&pair[1], (0, pixels)) - axis.map(&pair[0], (0, pixels));
        // The library marks some places twice, with the same label.
        apart != 0 && f64::from(apart) < half(pair[0]) + half(pair[1])
    })
}

/// Pixels right of the plot; more than [`MARGIN`] if the last label would leave the page.
fn right_margin(range: &Range<f64>, marks: &[f64], width: i32) -> u32 {
    let axis: LogCoord<f64> = range.clone().log_scale().into();
    let cut = |mark: &f64| {
        let beyond = width - axis.map(mark, (0, width));
        extent(*mark, true) / 2.0 - f64::from(beyond)
    };
    let most = marks.iter().map(cut).fold(0.0, f64::max);
    if most <= f64::from(MARGIN) { MARGIN } else { to_pixels(text_width("0", FONT) + most) }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "part of a page")]
fn to_pixels(length: f64) -> u32 {
    length.clamp(0.0, f64::from(SIZE.0)).ceil() as u32
}

/// The corner where the legend hides least of the lines. `to_plot` gives places in the plot from 0 to 1, from
/// the left and from the top.
fn legend_place(
    lines: &[Line],
    size: (f64, f64),
    to_plot: impl Fn((f64, f64)) -> (f64, f64),
) -> SeriesLabelPosition {
    /// Places between two points of a line.
    const STEPS: u32 = 32;
    let mut places = Vec::new();
    for line in lines {
        let points: Vec<(f64, f64)> = line.points.iter().copied().map(&to_plot).collect();
        for pair in points.windows(2) {
            let ((x0, y0), (x1, y1)) = (pair[0], pair[1]);
            let between = |i: u32| f64::from(i) / f64::from(STEPS);
            let at = |part: f64| (x0 + part * (x1 - x0), y0 + part * (y1 - y0));
            places.extend((0..=STEPS).map(between).map(at));
        }
    }
    let hidden = |left: f64, top: f64| {
        let (right, bottom) = (left + size.0, top + size.1);
        let inside = |&&(x, y): &&(f64, f64)| x > left && x < right && y > top && y < bottom;
        places.iter().filter(inside).count()
    };
    let (middle, right, low) = (0.5 - size.0 / 2.0, 1.0 - size.0, 1.0 - size.1);
    [
        (SeriesLabelPosition::UpperLeft, hidden(0.0, 0.0)),
        (SeriesLabelPosition::UpperRight, hidden(right, 0.0)),
        (SeriesLabelPosition::LowerRight, hidden(right, low)),
        (SeriesLabelPosition::LowerLeft, hidden(0.0, low)),
        (SeriesLabelPosition::UpperMiddle, hidden(middle, 0.0)),
        (SeriesLabelPosition::LowerMiddle, hidden(middle, low)),
    ]
    .into_iter()
    .min_by_key(|(_, hidden)| *hidden)
    .map_or(SeriesLabelPosition::UpperLeft, |(place, _)| place)
}

/// How many of the lines drawn later cover a part of this one. It is drawn wider then, so that it is seen.
fn covers(line: &Line, later: &[Line]) -> u32 {
    let parts = |of: &Line| of.points.windows(2).map(<[_]>::to_vec).collect::<Vec<_>>();
    let own = parts(line);
    let same = |other: &&Line| !other.bound && parts(other).iter().any(|part| own.contains(part));
    later.iter().filter(same).map(|_| 1).sum()
}

/// Pixels from the first to the last of each axis of the plot below a title.
fn plot_size(title: &str) -> Result<(i32, i32), Failed> {
    let mut scratch = String::new();
    let root = SVGBackend::with_string(&mut scratch, SIZE).into_drawing_area();
    let chart = ChartBuilder::on(&root)
        .caption(title, CAPTION)
        .margin(MARGIN)
        .x_label_area_size(LABELS.0)
        .y_label_area_size(LABELS.1)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    let (width, height) = chart.plotting_area().dim_in_pixel();
    Ok((i32::try_from(width)? - 1, i32::try_from(height)? - 1))
}

fn draw(axes: Axes<'_>, lines: &[Line], text: &mut String) -> Result<(), Failed> {
    let all = || lines.iter().flat_map(|line| &line.points).filter(|p| p.0 > 0.0 && p.1 > 0.0);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::INFINITY, f64::min);
        let high = all().map(of).fold(0.0, f64::max);
        if low < high { (low, high) } else { (1.0, 10.0) }
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
    let (x, y) = (x0..x1, y0 * 0.8..y1 * 1.25);
    let (width, height) = plot_size(axes.title)?;
    let (mut x_marks, mut y_marks) = (usual_marks(&x), usual_marks(&y));
    if without_scale(&x_marks)
        || crowded(&x, &x_marks.0, width, true)
        || crowded(&y, &y_marks.0, height, false)
        || right_margin(&x, &x_marks.0, width) > MARGIN
    {
        (x_marks, y_marks) = (sparse_marks(&x), sparse_marks(&y));
    }
    for (range, marks) in [(&x, &mut x_marks), (&y, &mut y_marks)] {
        if without_scale(marks) {
            *marks = even_marks(range);
        }
    }
    let right = right_margin(&x, &x_marks.0, width);
    let scale = |range: &Range<f64>, (bold, light): Marks| {
        range.clone().log_scale().with_key_points(bold).with_light_points(light)
    };
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(axes.title, CAPTION)
        .margin(MARGIN)
        .margin_right(right)
        .x_label_area_size(LABELS.0)
        .y_label_area_size(LABELS.1)
        .build_cartesian_2d(scale(&x, x_marks), scale(&y, y_marks))?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .draw()?;
    for (index, (line, colour)) in lines.iter().zip(COLOURS.iter().cycle()).enumerate() {
        let colour = if line.bound { GREY } else { *colour };
        let below = covers(line, &lines[index + 1..]);
        let width = if line.bound { 1 } else { 2 + 3 * below };
        let points = || line.points.iter().copied().filter(|p| p.0 > 0.0 && p.1 > 0.0);
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(width)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        if !line.bound {
            chart.draw_series(points().map(|p| Circle::new(p, 3 + 2 * below, colour.filled())))?;
        }
    }
    let (across, down) = chart.plotting_area().dim_in_pixel();
    let legend = {
        let names = lines.iter().map(|line| text_width(&line.name, FONT));
        // A mark before each name, and room around them.
        let wide = names.fold(0.0, f64::max) + 60.0;
        let high = lines.iter().map(|_| 15.0).sum::<f64>() + 20.0;
        (wide / f64::from(across), high / f64::from(down))
    };
    let part = |value: f64, range: &Range<f64>| {
        (value / range.start).ln() / (range.end / range.start).ln()
    };
    let place = legend_place(lines, legend, |point| (part(point.0, &x), 1.0 - part(point.1, &y)));
    chart
        .configure_series_labels()
        .position(place)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    root.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_below_another_is_wider() {
        let line = |points: &[(f64, f64)], bound| Line {
            name: String::new(),
            points: points.to_vec(),
            bound,
        };
        let below = line(&[(1.0, 1.0), (2.0, 2.0), (3.0, 5.0)], false);
        let above = line(&[(1.0, 1.0), (2.0, 2.0), (3.0, 4.0)], false);
        let crossing = line(&[(1.0, 2.0), (2.0, 2.0), (3.0, 3.0)], false);
        assert_eq!(covers(&below, &[above.clone(), crossing]), 1);
        assert_eq!(covers(&below, &[Line { bound: true, ..above }]), 0);
    }

    #[test]
    fn an_axis_over_one_power_of_ten_has_labels() {
        let points = vec![(2.0, 100.0), (16.0, 300.0)];
        let axes = Axes { title: "", x: "", y: "" };
        let text = plot(axes, &[Line { name: String::new(), points, bound: false }]).unwrap();
        let labels = |label: &str| text.lines().filter(|line| *line == label).count();
        assert_eq!(["2", "5", "10", "200"].map(labels), [1; 4], "{text}");
    }

    #[test]
    fn an_axis_within_a_power_of_ten_has_labels() {
        // The labels of the other axis become sparse, and neither 1 nor 2 nor 5 is on this one.
        let points = vec![(2.0, 3.0), (16.0, 3.6)];
        let axes = Axes { title: "", x: "", y: "" };
        let text = plot(axes, &[Line { name: String::new(), points, bound: false }]).unwrap();
        let labels = |label: &str| text.lines().filter(|line| *line == label).count();
        assert_eq!(["2.5", "3", "3.5", "4", "4.5"].map(labels), [1; 5], "{text}");
        let (marks, _) = even_marks(&(2.16..4.25));
        assert_eq!((marks.len(), marks[0]), (4, 2.5));
    }

    #[test]
    fn crowded_labels_become_sparse() {
        let range = 10.0..600.0;
        let (labels, _) = usual_marks(&range);
        assert!(crowded(&range, &labels, 330, false));
        let (labels, hairlines) = sparse_marks(&range);
        assert_eq!(labels, [10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
        assert_eq!(hairlines.len(), 15);
        assert!(!crowded(&range, &labels, 330, false));
    }

    #[test]
    fn a_label_at_the_end_of_the_axis_is_not_cut() {
        let range = 100.0..1e6;
        assert_eq!(right_margin(&range, &[100.0, 1000.0], 630), MARGIN);
        assert!(right_margin(&range, &[1e6], 630) > MARGIN);
    }

    #[test]
    fn the_legend_hides_no_line_if_a_place_is_free() {
        let line = |points: &[(f64, f64)]| {
            let (name, points) = (String::new(), points.to_vec());
            [Line { name, points, bound: false }]
        };
        let place = |points| legend_place(&line(points), (0.3, 0.3), |point| point);
        assert!(matches!(place(&[(0.0, 0.5), (1.0, 0.5)]), SeriesLabelPosition::UpperLeft));
        assert!(matches!(place(&[(0.0, 0.1), (0.5, 0.5)]), SeriesLabelPosition::UpperRight));
    }
}
