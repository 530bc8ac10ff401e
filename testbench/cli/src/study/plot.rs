//! Plots as SVG.

use plotters::prelude::*;

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

/// What a plot shows.
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
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 90, 181),
    RGBColor(220, 50, 32),
    RGBColor(0, 130, 80),
    RGBColor(150, 80, 170),
    RGBColor(200, 130, 0),
    RGBColor(70, 70, 70),
];
const GREY: RGBColor = RGBColor(150, 150, 150);

/// Lines over a logarithmic axis to the base 2 or 10, whatever fits; both axes are logarithmic.
///
/// # Errors
/// What the plotting library says.
pub fn plot(axes: Axes<'_>, lines: &[Line]) -> Result<String, String> {
    let mut text = String::new();
    draw(axes, lines, &mut text).map_err(|e| e.to_string())?;
    // The library ends without one.
    text.push('\n');
    Ok(text)
}

/// A label of an axis: six significant digits without zeros at the end, and a power of ten below a
/// thousandth.
pub(crate) fn number(value: f64) -> String {
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

fn draw(axes: Axes<'_>, lines: &[Line], text: &mut String) -> Result<(), Failed> {
    let all = || lines.iter().flat_map(|line| &line.points).filter(|p| p.0 > 0.0 && p.1 > 0.0);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(f64::INFINITY, f64::min);
        let high = all().map(of).fold(0.0, f64::max);
        if low < high { (low, high) } else { (1.0, 10.0) }
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(axes.title, ("sans-serif", 17))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(66)
        .build_cartesian_2d((x0..x1).log_scale(), (y0 * 0.8..y1 * 1.25).log_scale())?;
    chart
        .configure_mesh()
        .light_line_style(RGBColor(240, 240, 240))
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&|value| number(*value))
        .y_label_formatter(&|value| number(*value))
        .draw()?;
    for (line, colour) in lines.iter().zip(COLOURS.iter().cycle()) {
        let colour = if line.bound { GREY } else { *colour };
        let width = if line.bound { 1 } else { 2 };
        let points = || line.points.iter().copied().filter(|p| p.0 > 0.0 && p.1 > 0.0);
        chart
            .draw_series(LineSeries::new(points(), colour.stroke_width(width)))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        if !line.bound {
            chart.draw_series(points().map(|p| Circle::new(p, 3, colour.filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    root.present()?;
    Ok(())
}
