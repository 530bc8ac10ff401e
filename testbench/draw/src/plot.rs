// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plots over logarithmic axes as SVG.

use crate::svg::{step, text_width};
use plotters::coord::{
    combinators::{BindKeyPoints, LogCoord},
    ranged1d::Ranged,
};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::ops::Range;

/// A line of a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Name at its end.
    pub name: String,
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

/// A rectangle of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    pub x: Range<f64>,
    pub y: Range<f64>,
    /// It has the colour of this line; white without.
    pub line: Option<usize>,
    /// In its corner, at the lower left.
    pub text: String,
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
const GREY: RGBColor = RGBColor(120, 120, 120);
/// Colour of the lines at ticks.
pub const GRID: RGBColor = RGBColor(232, 232, 232);

/// Draws lines in a plot with logarithmic axes to the base 2 or 10, whichever fits.
///
/// # Errors
/// The message of the plotting library.
pub fn plot(axes: Axes<'_>, lines: &[Line]) -> Result<String, String> {
    map(axes, &[], COLOURS.len(), lines)
}

/// Draws lines over areas, which fill the plot. Lines have so many colours in turn, bounds too.
///
/// # Errors
/// The message of the plotting library.
pub fn map(
    axes: Axes<'_>,
    areas: &[Area],
    colours: usize,
    lines: &[Line],
) -> Result<String, String> {
    let mut text = String::new();
    draw(axes, areas, colours, lines, &mut text).map_err(|e| e.to_string())?;
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

/// Places on an axis that have a label and a line of the grid.
type Marks = Vec<f64>;

/// Least labels of an axis that are no points: two may lie at one end of it.
const SCALE: usize = 3;
/// Most points of an axis that all have a label.
const POINTS: usize = 12;

/// The places of the points, of a few whole numbers; none of others.
fn point_marks(points: impl Iterator<Item = f64>) -> Marks {
    let mut marks: Vec<f64> = points.collect();
    marks.sort_by(f64::total_cmp);
    marks.dedup();
    let short = marks.iter().all(|mark| mark.fract() == 0.0);
    if marks.len() <= POINTS && short { marks } else { Vec::new() }
}

/// These digits in each decade.
fn digit_marks(range: &Range<f64>, digits: &[f64]) -> Marks {
    let last = range.end.log10().ceil();
    let mut exponent = range.start.log10().floor();
    let mut all = Vec::new();
    while exponent <= last {
        let marks = digits.iter().map(|digit| digit * 10_f64.powf(exponent));
        all.extend(marks.filter(|mark| (range.start..=range.end).contains(mark)));
        exponent += 1.0;
    }
    all
}

/// Labels of an axis on which few of the others lie: multiples of 1, 2 or 5 times a power of ten, at most ten.
fn even_marks(range: &Range<f64>) -> Marks {
    let least = (range.end - range.start) / 10.0;
    let power = 10_f64.powf(least.log10().floor());
    #[expect(clippy::cast_precision_loss, reason = "1 to 10")]
    let distance = step(least / power) as f64 * power;
    let first = (range.start / distance).ceil();
    let marks = (0..11).map(|mark| (first + f64::from(mark)) * distance);
    marks.take_while(|mark| *mark <= range.end).collect()
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
        f64::from(apart) < half(pair[0]) + half(pair[1])
    })
}

/// Pixels right of the plot that the last label of the axis needs.
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

/// Height of a name at the end of a line, and pixels between a line and its name.
const NAME: (f64, f64) = (13.0, 8.0);

/// Most pixels of a name that lines share on one line.
const NAME_WIDTH: f64 = 150.0;

/// Returns true if points differ by less than can be seen.
fn near(one: (f64, f64), other: (f64, f64)) -> bool {
    let near = |a: f64, b: f64| (a - b).abs() <= 0.01 * a.abs();
    near(one.0, other.0) && near(one.1, other.1)
}

/// Returns true if lines look the same.
fn coincide(one: &Line, other: &Line) -> bool {
    one.bound == other.bound
        && one.points.len() == other.points.len()
        && one.points.iter().zip(&other.points).all(|(a, b)| near(*a, *b))
}

/// The name of each line for its end: lines that lie on each other share that of the first, the others have none.
fn names(lines: &[Line]) -> Vec<Option<String>> {
    let first = |line: &Line| lines.iter().position(|other| coincide(other, line));
    let own = |(index, line): (usize, &Line)| {
        (first(line) == Some(index)).then(|| {
            let same = lines.iter().filter(|other| first(other) == Some(index));
            same.map(|other| other.name.as_str()).collect::<Vec<_>>().join(" = ")
        })
    };
    lines.iter().enumerate().map(own).collect()
}

/// The lines of a name: lines of the plot that share a long one are below each other.
fn name_lines(name: &str) -> Vec<String> {
    if text_width(name, FONT) <= NAME_WIDTH {
        return vec![name.to_owned()];
    }
    name.replace(" = ", "\n= ").lines().map(str::to_owned).collect()
}

/// Places of names beside the ends of lines, from the top: none overlaps another or leaves `0..height`.
fn spread(mut places: Vec<f64>, height: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|&a, &b| places[a].total_cmp(&places[b]));
    let mut least = NAME.0 / 2.0;
    for &index in &order {
        places[index] = places[index].max(least);
        least = places[index] + NAME.0;
    }
    let mut most = height - NAME.0 / 2.0;
    for &index in order.iter().rev() {
        places[index] = places[index].min(most);
        most = places[index] - NAME.0;
    }
    places
}

/// How many of the lines drawn later cover a part of this one. It is drawn wider then, so that it is seen.
fn covers(line: &Line, later: &[Line]) -> u32 {
    let parts = |of: &Line| of.points.windows(2).map(|w| (w[0], w[1])).collect::<Vec<_>>();
    let own = parts(line);
    let covered = |part: &((f64, f64), (f64, f64))| {
        own.iter().any(|own| near(own.0, part.0) && near(own.1, part.1))
    };
    let covering = later.iter().filter(|other| !other.bound && parts(other).iter().any(covered));
    covering.map(|_| 1).sum()
}

/// Pixels from the first to the last of each axis of the plot below a title and beside names.
fn plot_size(title: &str, right: u32) -> Result<(i32, i32), Failed> {
    let mut scratch = String::new();
    let root = SVGBackend::with_string(&mut scratch, SIZE).into_drawing_area();
    let chart = ChartBuilder::on(&root.titled(title, CAPTION)?)
        .margin(MARGIN)
        .margin_right(right)
        .x_label_area_size(LABELS.0)
        .y_label_area_size(LABELS.1)
        .build_cartesian_2d(0.0..1.0, 0.0..1.0)?;
    let (width, height) = chart.plotting_area().dim_in_pixel();
    Ok((i32::try_from(width)? - 1, i32::try_from(height)? - 1))
}

/// Pixels of the names right of the plot.
fn names_width(names: &[Option<String>]) -> u32 {
    let lines = names.iter().flatten().flat_map(|name| name_lines(name));
    let most = lines.map(|line| text_width(&line, FONT)).fold(0.0, f64::max);
    if most > 0.0 { to_pixels(most + NAME.1) + MARGIN } else { MARGIN }
}

/// The marks of an axis: its points if there is room, else as few as show its scale.
fn marks_of(range: &Range<f64>, points: Marks, pixels: i32, along_text: bool) -> Marks {
    let digits: [&[f64]; 3] =
        [&[1.0], &[1.0, 2.0, 5.0], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]];
    let sets = digits.map(|digits| digit_marks(range, digits));
    let good = |(least, set): &(usize, Marks)| {
        set.len() >= *least && !crowded(range, set, pixels, along_text)
    };
    let mut all = [(2, points)].into_iter().chain(sets.map(|set| (SCALE, set)));
    all.find(good).map_or_else(|| even_marks(range), |(_, set)| set)
}

/// From the least to the greatest value.
fn extremes(values: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = values.fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), value| {
        (low.min(value), high.max(value))
    });
    if low < high { low..high } else { 1.0..10.0 }
}

/// The axes, filled by areas if there are any.
fn ranges(areas: &[Area], points: &[(f64, f64)]) -> (Range<f64>, Range<f64>) {
    if areas.is_empty() {
        let y = extremes(points.iter().map(|p| p.1));
        return (extremes(points.iter().map(|p| p.0)), y.start * 0.8..y.end * 1.25);
    }
    let ends = |of: fn(&Area) -> &Range<f64>| {
        extremes(areas.iter().flat_map(|area| [of(area).start, of(area).end]))
    };
    (ends(|area| &area.x), ends(|area| &area.y))
}

fn draw(
    axes: Axes<'_>,
    areas: &[Area],
    colours: usize,
    lines: &[Line],
    text: &mut String,
) -> Result<(), Failed> {
    let points = lines.iter().flat_map(|line| &line.points).copied();
    let all: Vec<(f64, f64)> = points.filter(|p| p.0 > 0.0 && p.1 > 0.0).collect();
    let (x, y) = ranges(areas, &all);
    let names = names(lines);
    let beside = names_width(&names);
    let (width, height) = plot_size(axes.title, beside)?;
    let x_marks = marks_of(&x, point_marks(all.iter().map(|p| p.0)), width, true);
    let y_marks = marks_of(&y, Vec::new(), height, false);
    let right = beside.max(right_margin(&x, &x_marks, width));
    let scale = |range: &Range<f64>, marks: Marks| {
        range.clone().log_scale().with_key_points(marks).with_light_points(Vec::new())
    };
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    // In the middle of the page: beside names, the plot may be narrower than its title.
    let mut chart = ChartBuilder::on(&root.titled(axes.title, CAPTION)?)
        .margin(MARGIN)
        .margin_right(right)
        .x_label_area_size(LABELS.0)
        .y_label_area_size(LABELS.1)
        .build_cartesian_2d(scale(&x, x_marks), scale(&y, y_marks))?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .draw()?;
    let palette = &COLOURS[..colours.clamp(1, COLOURS.len())];
    for Area { x, y, line, text } in areas {
        let colour = line.map_or(WHITE, |line| palette[line % palette.len()]);
        let corners = [(x.start, y.start), (x.end, y.end)];
        chart.draw_series([Rectangle::new(corners, colour.mix(0.3).filled())])?;
        // Lines have their points in the middle.
        let corner = chart.backend_coord(&(x.start, y.start));
        let style = TextStyle::from(("sans-serif", 12)).pos(Pos::new(HPos::Left, VPos::Bottom));
        root.draw(&Text::new(text.clone(), (corner.0 + 6, corner.1 - 6), style))?;
    }
    let mut ends = Vec::new();
    let coloured = lines.iter().zip(palette.iter().cycle()).zip(&names);
    for (index, ((line, colour), name)) in coloured.enumerate() {
        let colour = if line.bound && areas.is_empty() { GREY } else { *colour };
        let below = covers(line, &lines[index + 1..]);
        let width = if line.bound { 1 } else { 2 + 3 * below };
        let points = || line.points.iter().copied().filter(|p| p.0 > 0.0 && p.1 > 0.0);
        chart.draw_series(LineSeries::new(points(), colour.stroke_width(width)))?;
        if !line.bound {
            chart.draw_series(points().map(|p| Circle::new(p, 3 + 2 * below, colour.filled())))?;
        }
        if let (Some(name), Some(last)) = (name, points().next_back()) {
            let place = chart.backend_coord(&last);
            ends.extend(name_lines(name).into_iter().map(|line| (line, colour, place)));
        }
    }
    let (across, down) = chart.plotting_area().get_pixel_range();
    let top = f64::from(down.start);
    let places = ends.iter().map(|(.., (_, y))| f64::from(*y) - top).collect();
    let places = spread(places, f64::from(down.end) - top);
    for ((name, colour, _), place) in ends.into_iter().zip(places) {
        let style = TextStyle::from(("sans-serif", 12))
            .color(&colour)
            .pos(Pos::new(HPos::Left, VPos::Center));
        let left = f64::from(across.end) + NAME.1;
        root.draw(&Text::new(name, (whole(left), whole(top + place)), style))?;
    }
    root.present()?;
    Ok(())
}

#[expect(clippy::cast_possible_truncation, reason = "a place on the page")]
fn whole(place: f64) -> i32 {
    place.round() as i32
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

    fn line(name: &str, points: &[(f64, f64)]) -> Line {
        Line { name: name.into(), points: points.to_vec(), bound: false }
    }

    /// Labels of a plot with these points.
    fn labels(points: &[(f64, f64)], wanted: &[&str]) -> Vec<usize> {
        let axes = Axes { title: "", x: "", y: "" };
        let text = plot(axes, &[line("", points)]).unwrap();
        let count = |label: &&str| text.lines().filter(|line| line == label).count();
        wanted.iter().map(count).collect()
    }

    #[test]
    fn an_axis_has_a_label_at_each_of_a_few_points() {
        let points: Vec<(f64, f64)> = (1..9).map(|w| (f64::from(1 << w), f64::from(w))).collect();
        let ticks = ["2", "4", "8", "16", "32", "64", "128", "256"];
        // 2 is a label of the other axis, too.
        assert_eq!(labels(&points, &ticks), [2, 1, 1, 1, 1, 1, 1, 1]);
        assert_eq!(labels(&[(2.0, 100.0), (16.0, 300.0)], &["2", "16", "200"]), [1; 3]);
    }

    #[test]
    fn an_axis_within_a_power_of_ten_has_labels() {
        let points = [(2.0, 31.0), (16.0, 36.0)];
        assert_eq!(labels(&points, &["30", "40"]), [1; 2]);
        let marks = even_marks(&(2.16..4.25));
        assert_eq!((marks.len(), marks[0]), (4, 2.5));
    }

    /// No part of the axis is without: 130 to 2000 is more than a decade, with one power of ten.
    #[test]
    fn labels_are_on_all_of_an_axis() {
        let marks = |range: Range<f64>| marks_of(&range, Vec::new(), 330, false);
        assert_eq!(marks(106.0..2700.0), [200.0, 500.0, 1000.0, 2000.0]);
        assert_eq!(marks(0.9..2000.0), [1.0, 10.0, 100.0, 1000.0]);
        assert_eq!(marks(1.6..7.2), [2.0, 3.0, 4.0, 5.0, 6.0, 7.0]);
    }

    #[test]
    fn crowded_labels_become_sparse() {
        let range = 10.0..600.0;
        assert!(crowded(
            &range,
            &(1..60).map(|n| f64::from(10 * n)).collect::<Vec<_>>(),
            330,
            false
        ));
        let marks = digit_marks(&range, &[1.0, 2.0, 5.0]);
        assert_eq!(marks, [10.0, 20.0, 50.0, 100.0, 200.0, 500.0]);
        assert!(!crowded(&range, &marks, 330, false));
    }

    #[test]
    fn a_label_at_the_end_of_the_axis_is_not_cut() {
        let range = 100.0..1e6;
        assert_eq!(right_margin(&range, &[100.0, 1000.0], 630), MARGIN);
        assert!(right_margin(&range, &[1e6], 630) > MARGIN);
    }

    #[test]
    fn lines_on_each_other_share_a_name() {
        let one = [(2.0, 10.0), (4.0, 20.0)];
        let lines = [
            line("queue", &one),
            line("other", &[(2.0, 3.0)]),
            line("ring", &[(2.0, 10.01), (4.0, 20.0)]),
        ];
        assert_eq!(names(&lines), [Some("queue = ring".into()), Some("other".into()), None]);
        assert_eq!(covers(&lines[0], &lines[1..]), 1, "drawn wider, so that it is seen");
        assert_eq!(name_lines("queue = ring"), ["queue = ring"]);
        let long = "2 nodes, 1/2 in memory = 2 nodes, 1/4 in memory";
        assert_eq!(name_lines(long), ["2 nodes, 1/2 in memory", "= 2 nodes, 1/4 in memory"]);
    }

    #[test]
    fn names_do_not_overlap() {
        let places = spread(vec![50.0, 52.0, 5.0, 99.0, 98.0], 100.0);
        let mut sorted = places.clone();
        sorted.sort_by(f64::total_cmp);
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= NAME.0), "{places:?}");
        assert!(places[0] < places[1] && places[4] < places[3], "{places:?}");
        assert!(sorted[0] >= 6.0 && sorted[4] <= 94.0, "{places:?}");
    }
}
