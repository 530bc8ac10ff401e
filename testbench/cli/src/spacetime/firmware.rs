//! Space-time diagram of firmware: nodes across, time down, the process's state in each column,
//! signals as lines from the host that sent them to the hosts that read them.

use awgstar::contract::limits::CLOCK_HZ;
use awgstar::firmware::Message;
use awgstar::host::{Ask, Happened, Record};
use awgstar_draw::markup::escape;
use std::fmt::Write;

const TOP: f64 = 78.0;
const LEFT: f64 = 84.0;
const COLUMN: f64 = 14.0;
const HEIGHT_MAX: f64 = 1500.0;
const SCALE_MAX: f64 = 2.0;

/// A way of a frame from one node to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Cycle and node.
    pub from: (u64, usize),
    /// Cycle and node.
    pub to: (u64, usize),
    /// What stands where it leaves.
    pub text: String,
    /// It is lost before it arrives.
    pub lost: bool,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    /// Nodes.
    pub nodes: usize,
    /// What happened, by cycle.
    pub records: &'a [Record],
    /// Frames from node to node, where each of their ways is known.
    pub hops: &'a [Hop],
    /// First cycle and the one behind the last.
    pub window: (u64, u64),
    /// Line above the picture.
    pub title: &'a str,
}

/// What a process does, as a colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Doing {
    Works,
    WaitsForLock,
    Inside,
    Leaves,
    WaitsAtBarrier,
    WaitsForPage,
    HasPage,
}

const LEGEND: [(Doing, &str, &str); 7] = [
    (Doing::Works, "#e6e8eb", "works"),
    (Doing::WaitsForLock, "#f0c674", "waits for the lock"),
    (Doing::Inside, "#c0392b", "has the lock"),
    (Doing::Leaves, "#d98880", "gives it back"),
    (Doing::WaitsAtBarrier, "#7fb3d5", "waits at the barrier"),
    (Doing::WaitsForPage, "#f0c674", "waits for a page"),
    (Doing::HasPage, "#7a9e7e", "accesses its page"),
];
/// Those of locks and barriers come first, the others are of pages.
const OF_PAGES: usize = 5;

impl Doing {
    fn colour(self) -> &'static str {
        LEGEND.iter().find(|entry| entry.0 == self).map_or("#000", |entry| entry.1)
    }

    /// What the process does behind a record; `None` when that does not change.
    fn after(what: &Happened) -> Option<Doing> {
        Some(match what {
            Happened::Asked(Ask::Lock(_)) => Doing::WaitsForLock,
            Happened::Answered(Ask::Lock(_)) => Doing::Inside,
            Happened::Asked(Ask::Unlock(_)) => Doing::Leaves,
            Happened::Asked(Ask::Barrier) => Doing::WaitsAtBarrier,
            Happened::Answered(Ask::Unlock(_) | Ask::Barrier) => Doing::Works,
            Happened::Asked(Ask::ReadVirtual(_) | Ask::WriteVirtual(..)) => Doing::WaitsForPage,
            Happened::Answered(Ask::ReadVirtual(_) | Ask::WriteVirtual(..)) => Doing::HasPage,
            _ => return None,
        })
    }
}

struct Scale {
    y: f64,
    pitch: f64,
    from: u64,
    to: u64,
}

impl Scale {
    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn y(&self, cycle: u64) -> f64 {
        TOP + (cycle.clamp(self.from, self.to) - self.from) as f64 * self.y
    }

    #[expect(clippy::cast_precision_loss, reason = "pixels")]
    fn x(&self, node: usize) -> f64 {
        LEFT + 40.0 + node as f64 * self.pitch
    }

    fn shows(&self, cycle: u64) -> bool {
        (self.from..self.to).contains(&cycle)
    }
}

/// The picture as an SVG document.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "pixels")]
pub fn firmware(picture: &Picture<'_>) -> String {
    let (from, to) = picture.window;
    let pitch = (860.0 / picture.nodes.max(1) as f64).clamp(60.0, 190.0);
    let cycles = to.saturating_sub(from).max(1) as f64;
    let scale = Scale { y: (HEIGHT_MAX / cycles).min(SCALE_MAX), pitch, from, to };
    let width = (scale.x(picture.nodes.saturating_sub(1)) + 250.0).max(640.0);
    let height = scale.y(to) + 24.0;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"DejaVu Sans, sans-serif\" font-size=\"10\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\">{}</text>\n",
        escape(picture.title)
    );
    let pages = picture.records.iter().any(|record| matches!(record.what, Happened::Pages(..)));
    let legend = |i: &usize| *i == 0 || (*i >= OF_PAGES) == pages;
    for (i, (_, fill, name)) in (0..LEGEND.len()).filter(legend).map(|i| LEGEND[i]).enumerate() {
        let x = 12.0 + 130.0 * i as f64;
        let _ = writeln!(
            out,
            "<rect x=\"{x}\" y=\"32\" width=\"13\" height=\"12\" fill=\"{fill}\"/><text x=\"{:.0}\" y=\"42\">{name}</text>",
            x + 18.0
        );
    }
    axis(&mut out, &scale, width);
    for node in 0..picture.nodes {
        column(&mut out, &scale, picture, node);
    }
    for hop in picture.hops {
        way(&mut out, &scale, hop);
    }
    // Labels of a node stand below each other.
    let mut free = vec![TOP; picture.nodes];
    for (index, record) in picture.records.iter().enumerate() {
        let (text, colour) = match &record.what {
            Happened::Sent(message) => {
                if !signal(&mut out, &scale, picture, index, record, message) {
                    continue;
                }
                (message.signal.name(), "#2c7a4b")
            }
            Happened::State(_, state) | Happened::Pages(_, state) => (state.as_str(), "#667"),
            _ => continue,
        };
        if let Some(free) = free.get_mut(record.node).filter(|_| scale.shows(record.cycle)) {
            let y = (scale.y(record.cycle) + 3.0).max(*free);
            *free = y + 8.0;
            label(&mut out, scale.x(record.node) + COLUMN / 2.0 + 3.0, y, text, colour);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn label(out: &mut String, x: f64, y: f64, text: &str, colour: &str) {
    let text = escape(text);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"8\" fill=\"{colour}\">{text}</text>"
    );
}

#[expect(clippy::cast_precision_loss, reason = "a label")]
fn axis(out: &mut String, scale: &Scale, width: f64) {
    let wanted = 50.0 / scale.y;
    let steps = [10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000];
    let step = steps.into_iter().find(|&s| s as f64 >= wanted).unwrap_or(1_000_000);
    let mut cycle = scale.from.next_multiple_of(step);
    while cycle < scale.to {
        let y = scale.y(cycle);
        let microseconds = cycle as f64 * 1e6 / CLOCK_HZ as f64;
        let _ = writeln!(
            out,
            "<line x1=\"{LEFT}\" x2=\"{:.0}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e3e5e8\"/>\
             <text x=\"{:.0}\" y=\"{y:.1}\" text-anchor=\"end\" fill=\"#667\">{cycle}</text>\
             <text x=\"{:.0}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#99a\" font-size=\"8\">{microseconds:.2} µs</text>",
            width - 20.0,
            LEFT - 6.0,
            LEFT - 6.0,
            y + 10.0
        );
        cycle += step;
    }
}

/// The node's process from state to state.
fn column(out: &mut String, scale: &Scale, picture: &Picture<'_>, node: usize) {
    let x = scale.x(node) - COLUMN / 2.0;
    let mut doing = Doing::Works;
    let mut since = 0;
    let mut bar = |from: u64, to: u64, doing: Doing| {
        if to > scale.from && from < scale.to && to > from {
            let (y0, y1) = (scale.y(from), scale.y(to));
            let _ = writeln!(
                out,
                "<rect x=\"{x:.1}\" y=\"{y0:.1}\" width=\"{COLUMN}\" height=\"{:.1}\" fill=\"{}\"/>",
                y1 - y0,
                doing.colour()
            );
        }
    };
    for record in picture.records.iter().filter(|record| record.node == node) {
        if let Some(next) = Doing::after(&record.what) {
            bar(since, record.cycle, doing);
            (since, doing) = (record.cycle, next);
        } else if doing == Doing::HasPage && record.what == Happened::Asked(Ask::End) {
            bar(since, record.cycle, doing);
            (since, doing) = (record.cycle, Doing::Works);
        }
    }
    bar(since, scale.to, doing);
    let _ = writeln!(
        out,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"bold\">node {node}</text>",
        scale.x(node),
        TOP - 8.0
    );
}

/// From who sent it to each that read it, up to where it is sent again; whether anybody did.
fn signal(
    out: &mut String,
    scale: &Scale,
    picture: &Picture<'_>,
    index: usize,
    sent: &Record,
    message: &Message,
) -> bool {
    let mut read_by_any = false;
    for record in &picture.records[index + 1..] {
        match &record.what {
            Happened::Received(read) if read == message => {
                line(out, scale, sent, record, "#2c7a4b");
                read_by_any = true;
            }
            // A copy: what is read from here on may be that one's.
            Happened::Sent(again) if again == message => break,
            _ => {}
        }
    }
    read_by_any
}

/// A frame on its way; a lost one ends in red.
fn way(out: &mut String, scale: &Scale, hop: &Hop) {
    let colour = if hop.lost { "#c0392b" } else { "#2c7a4b" };
    span(out, scale, hop.from, hop.to, colour);
    if !hop.text.is_empty() && scale.shows(hop.from.0) {
        let side = if hop.to.1 > hop.from.1 { COLUMN } else { -5.0 * COLUMN };
        label(out, scale.x(hop.from.1) + side, scale.y(hop.from.0) - 2.0, &hop.text, colour);
    }
}

fn line(out: &mut String, scale: &Scale, from: &Record, to: &Record, colour: &str) {
    span(out, scale, (from.cycle, from.node), (to.cycle, to.node), colour);
}

/// From one cycle and node to others.
fn span(out: &mut String, scale: &Scale, from: (u64, usize), to: (u64, usize), colour: &str) {
    if to.0 <= scale.from || from.0 >= scale.to {
        return;
    }
    let side = if to.1 > from.1 { COLUMN / 2.0 } else { -COLUMN / 2.0 };
    let (x0, x1) = (scale.x(from.1) + side, scale.x(to.1) - side);
    let (y0, y1) = (scale.y(from.0), scale.y(to.0));
    let _ = writeln!(
        out,
        "<line x1=\"{x0:.1}\" y1=\"{y0:.1}\" x2=\"{x1:.1}\" y2=\"{y1:.1}\" stroke=\"{colour}\" stroke-width=\"1\" stroke-opacity=\"0.7\"/>\
         <circle cx=\"{x1:.1}\" cy=\"{y1:.1}\" r=\"2\" fill=\"{colour}\"/>"
    );
}
