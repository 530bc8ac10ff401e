// SPDX-License-Identifier: MIT OR Apache-2.0
//! Space-time diagram of firmware: nodes across, time down, the process's state in each column,
//! signals as lines from the host that sent them to the hosts that read them.

use crate::spacetime::{LEFT, Scale};
use awgstar::contract::limits::CLOCK_HZ;
use awgstar::host::{Happened, Record};
use awgstar::quantity::NodeId;
use awgstar::request::{Place, Request, Space};
use awgstar_draw::svg::{Legend, Shape, Svg, step, tenth, text_width, whole};

const FONT: &str = "DejaVu Sans, sans-serif";
const COLUMN: f64 = 14.0;
const HEIGHT_MAX: f64 = 1500.0;
const SCALE_MAX: f64 = 2.0;
/// Size of the labels' font, and from one to the next.
const LABEL: f64 = 9.0;
const LABEL_LINE: f64 = 11.0;
/// Widest label; longer ones are cut and whole in their tooltip.
const LABEL_MAX: f64 = 250.0;
pub(crate) const SIGNAL: &str = "#2c7a4b";
pub(crate) const LOST: &str = "#c0392b";
const STATE: &str = "#556";

/// A way of a frame from one node to the next one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Cycle and node.
    pub from: (u64, usize),
    /// Cycle and node.
    pub to: (u64, usize),
    /// Label at its start.
    pub text: String,
    /// The frame is lost before it arrives.
    pub lost: bool,
}

/// Contents of a drawing.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    pub nodes: usize,
    /// Events, by cycle.
    pub records: &'a [Record],
    /// Frames from node to node, where each of their ways is known.
    pub hops: &'a [Hop],
    /// First cycle and the one after the last.
    pub window: (u64, u64),
    /// Line above the picture.
    pub title: &'a str,
}

/// Activity of a process, drawn as a colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Doing {
    Works,
    WaitsForLock,
    Inside,
    Leaves,
    WaitsAtBarrier,
    WaitsForPage,
    HasPage,
}

/// Activities with their colours and names.
pub(crate) const ACTIVITIES: [(Doing, &str, &str); 7] = [
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
        ACTIVITIES.iter().find(|entry| entry.0 == self).map_or("#000", |entry| entry.1)
    }

    /// Activity of the process after a record; `None` if it does not change.
    fn after(what: &Happened) -> Option<Doing> {
        Some(match what {
            Happened::Asked(Request::Lock(_)) => Doing::WaitsForLock,
            Happened::Answered(Request::Lock(_)) => Doing::Inside,
            Happened::Asked(Request::Unlock(_)) => Doing::Leaves,
            Happened::Asked(Request::Barrier(_)) => Doing::WaitsAtBarrier,
            Happened::Answered(Request::Unlock(_) | Request::Barrier(_)) => Doing::Works,
            Happened::Asked(
                Request::Read(Place { space: Space::Virtual, .. }, _)
                | Request::Write(Place { space: Space::Virtual, .. }, _),
            ) => Doing::WaitsForPage,
            Happened::Answered(
                Request::Read(Place { space: Space::Virtual, .. }, _)
                | Request::Write(Place { space: Space::Virtual, .. }, _),
            ) => Doing::HasPage,
            _ => return None,
        })
    }
}

impl Scale {
    /// Middle of the column of a node.
    fn x(&self, node: usize) -> f64 {
        self.left(node) + 40.0
    }
}

/// A text beside a node's column.
struct Label {
    cycle: u64,
    text: String,
    colour: &'static str,
}

/// The picture as an SVG document, in cycles and microseconds.
#[must_use]
pub fn firmware(picture: &Picture<'_>) -> String {
    draw(picture, None)
}

/// Like [`firmware`], for a run with steps instead of times: each step takes `cycles`.
#[must_use]
pub fn firmware_steps(picture: &Picture<'_>, cycles: u64) -> String {
    draw(picture, Some(cycles.max(1)))
}

#[expect(clippy::cast_precision_loss, reason = "pixels")]
fn draw(picture: &Picture<'_>, steps: Option<u64>) -> String {
    let (from, to) = picture.window;
    let labels = labels(picture);
    let widest = labels.iter().flatten().map(|label| text_width(&label.text, LABEL));
    let room = widest.fold(0.0, f64::max).min(LABEL_MAX);
    // As wide as the labels, unless there are too many nodes for one sheet.
    let most = (2000.0 / picture.nodes.max(1) as f64).max(60.0);
    let pitch = (room + COLUMN + 16.0).max(60.0).min(most);
    let cycles = to.saturating_sub(from).max(1) as f64;
    let y = (HEIGHT_MAX / cycles).min(SCALE_MAX);
    let mut scale = Scale { top: 0.0, y, pitch, from, to };
    let width = (scale.x(picture.nodes) + 10.0).max(640.0);
    // The legend decides where the window begins.
    scale.top = legend(&mut Svg::new(0.0, 0.0, false, "", 0), picture, &labels, width) + 26.0;

    // A label is beside its event, or below the previous label.
    let mut bottom = scale.y(to);
    let mut placed = Vec::new();
    for (node, labels) in labels.iter().enumerate() {
        let mut free = scale.top + LABEL;
        for label in labels {
            let y = (scale.y(label.cycle) + 3.0).max(free);
            free = y + LABEL_LINE;
            bottom = bottom.max(y);
            placed.push((scale.x(node) + COLUMN / 2.0 + 5.0, y, label));
        }
    }

    let mut out = Svg::new(width, bottom + 24.0, false, FONT, 10);
    out.add(&Shape::new("rect").with([
        ("width", &"100%"),
        ("height", &"100%"),
        ("fill", &"white"),
    ]));
    out.add(&Shape::text(12, 20, picture.title).set("font-size", 14));
    legend(&mut out, picture, &labels, width);
    axis(&mut out, &scale, width, steps);
    for node in 0..picture.nodes {
        column(&mut out, &scale, picture, node);
    }
    for hop in picture.hops {
        span(&mut out, &scale, hop.from, hop.to, if hop.lost { LOST } else { SIGNAL });
    }
    for (sent, read) in read_signals(picture) {
        let place = |record: &Record| (record.cycle.0, record.node.index());
        span(&mut out, &scale, place(sent), place(read), SIGNAL);
    }
    for (x, y, label) in placed {
        out.add(&written(x, y, label, pitch - COLUMN - 12.0));
    }
    out.text()
}

/// The label on white, so that lines below it do not hide it.
fn written(x: f64, y: f64, label: &Label, room: f64) -> Shape {
    let mut short: String = label.text.clone();
    while text_width(&short, LABEL) > room && short.chars().count() > 2 {
        short.pop();
        short.pop();
        short.push('…');
    }
    let shape = Shape::text(tenth(x), tenth(y), &short)
        .with([("font-size", &LABEL), ("fill", &label.colour)]);
    let shape = if short == label.text { shape } else { shape.tooltip(&label.text) };
    let width = text_width(&short, LABEL) + 2.0;
    let below = Shape::rect(tenth(x - 1.0), tenth(y - LABEL), tenth(width), tenth(LABEL + 2.0));
    Shape::new("g").inside(&below.set("fill", "white").set("fill-opacity", "0.9")).inside(&shape)
}

/// Labels of each node inside the window, by cycle.
fn labels(picture: &Picture<'_>) -> Vec<Vec<Label>> {
    let mut all: Vec<Vec<Label>> = (0..picture.nodes).map(|_| Vec::new()).collect();
    let mut put = |node: usize, cycle: u64, text: &str, colour| {
        let shown = (picture.window.0..picture.window.1).contains(&cycle) && !text.is_empty();
        if let Some(labels) = all.get_mut(node).filter(|_| shown) {
            labels.push(Label { cycle, text: text.to_owned(), colour });
        }
    };
    for (index, record) in picture.records.iter().enumerate() {
        match &record.what {
            Happened::Sent(message) if !readers(picture, index).is_empty() => {
                put(record.node.index(), record.cycle.0, message.signal.name(), SIGNAL);
            }
            what => {
                if let Some(state) = state(what) {
                    put(record.node.index(), record.cycle.0, state, STATE);
                }
            }
        }
    }
    for hop in picture.hops {
        put(hop.from.1, hop.from.0, &hop.text, if hop.lost { LOST } else { SIGNAL });
    }
    for labels in &mut all {
        labels.sort_by_key(|label| label.cycle);
    }
    all
}

/// The new state of a state machine, if that is what happened.
pub(crate) fn state(what: &Happened) -> Option<&str> {
    match what {
        Happened::State(_, state) | Happened::Pages(_, state) => Some(state),
        _ => None,
    }
}

/// Each signal that a host sent, and a record of a host that read it.
pub(crate) fn read_signals<'a>(
    picture: &Picture<'a>,
) -> impl Iterator<Item = (&'a Record, &'a Record)> {
    let all = picture.records.iter().enumerate();
    all.flat_map(|(index, sent)| readers(picture, index).into_iter().map(move |read| (sent, read)))
}

/// The records of those that read the signal that record `index` sends, up to where it is retransmitted.
fn readers<'a>(picture: &Picture<'a>, index: usize) -> Vec<&'a Record> {
    let Happened::Sent(message) = &picture.records[index].what else { return Vec::new() };
    let mut all = Vec::new();
    for record in &picture.records[index + 1..] {
        match &record.what {
            Happened::Received(read) if read == message => all.push(record),
            // A copy: later events may belong to that one.
            Happened::Sent(again) if again == message => break,
            _ => {}
        }
    }
    all
}

/// Draws the legend of colours, lines and labels; returns its lower end.
fn legend(out: &mut Svg, picture: &Picture<'_>, labels: &[Vec<Label>], width: f64) -> f64 {
    let mut legend = Legend::new(12.0, width - 12.0, 32.0, 10.0);
    let pages = picture.records.iter().any(|record| matches!(record.what, Happened::Pages(..)));
    let shown = |i: &usize| *i == 0 || (*i >= OF_PAGES) == pages;
    for (_, fill, name) in (0..ACTIVITIES.len()).filter(shown).map(|i| ACTIVITIES[i]) {
        legend.entry(out, &Shape::rect(0, 0, 13, 12).set("fill", fill), name);
    }
    let line = |colour: &str| {
        let line = Shape::line(0, 3, 12, 9).set("stroke", colour);
        Shape::new("g").inside(&line).inside(&Shape::circle(12, 9, 2).set("fill", colour))
    };
    legend.end_line();
    let what = if picture.hops.is_empty() {
        "a signal with its name, from the host that sends it to the host that reads it"
    } else {
        "a frame from node to node, with what it carries"
    };
    legend.entry(out, &line(SIGNAL), what);
    if picture.hops.iter().any(|hop| hop.lost) {
        legend.entry(out, &line(LOST), "a frame that is lost");
    }
    let has = |part: &str| labels.iter().flatten().any(|label| label.text.contains(part));
    let machine = if pages { "page protocol" } else { "lock or barrier protocol" };
    legend.note(
        out,
        &format!("Grey text: the state of the node's {machine}, from the moment beside it on."),
    );
    if has(", right ") {
        legend.note(
            out,
            "Lock: “asking #1” is the node's request 1; “right here (2)” or “right away (2)” says whether it owns the lock after grant 2; “waiting [1#2]”: node 1 waits with its request 2.",
        );
    } else if has("waiting [") {
        legend.note(
            out,
            "Lock: “asking #1” is the node's request 1; “waiting [1#2]”: node 1 waits with its request 2.",
        );
    }
    if has("arrived [") {
        legend.note(
            out,
            "Barrier: “waiting in 0” or “away in 0” says whether the node has arrived at episode 0; “arrived [1, 3]”: it knows that nodes 1 and 3 have.",
        );
    }
    legend.bottom()
}

#[expect(clippy::cast_precision_loss, reason = "a label")]
fn axis(out: &mut Svg, scale: &Scale, width: f64, steps: Option<u64>) {
    let end = |y: f64, text: &str| {
        Shape::text(whole(LEFT - 6.0), tenth(y), text).set("text-anchor", "end")
    };
    let unit = if steps.is_some() { "step" } else { "cycle" };
    out.add(&Shape::text(12, tenth(scale.top - 14.0), unit).set("fill", "#667"));
    let of = steps.unwrap_or(1);
    let step = step(50.0 / (scale.y * of as f64)) * of;
    let mut cycle = scale.from.next_multiple_of(step);
    while cycle < scale.to {
        let y = scale.y(cycle);
        let rule = Shape::rule(LEFT, whole(width - 20.0), tenth(y)).set("stroke", "#e3e5e8");
        let number = end(y, &(cycle / of).to_string()).set("fill", "#667");
        let microseconds = format!("{:.2} µs", cycle as f64 * 1e6 / CLOCK_HZ as f64);
        let time = end(y + 10.0, &microseconds).set("fill", "#99a").set("font-size", 8);
        out.row([&rule, &number].into_iter().chain(steps.is_none().then_some(&time)));
        cycle += step;
    }
}

/// What a node's process does from which cycle to which, up to `end`.
pub(crate) fn activities(records: &[Record], node: usize, end: u64) -> Vec<(u64, u64, Doing)> {
    let (mut doing, mut since) = (Doing::Works, 0);
    let mut all = Vec::new();
    let mut ends = |from: u64, to: u64, doing| {
        if to > from {
            all.push((from, to, doing));
        }
    };
    for record in records.iter().filter(|record| record.node == NodeId::at(node)) {
        if let Some(next) = Doing::after(&record.what) {
            ends(since, record.cycle.0, doing);
            (since, doing) = (record.cycle.0, next);
        } else if doing == Doing::HasPage && matches!(record.what, Happened::Asked(Request::End)) {
            ends(since, record.cycle.0, doing);
            (since, doing) = (record.cycle.0, Doing::Works);
        }
    }
    ends(since, end, doing);
    all
}

/// The node's process from state to state.
fn column(out: &mut Svg, scale: &Scale, picture: &Picture<'_>, node: usize) {
    let x = scale.x(node) - COLUMN / 2.0;
    for (from, to, doing) in activities(picture.records, node, scale.to) {
        if to > scale.from && from < scale.to {
            let (y0, y1) = (scale.y(from), scale.y(to));
            let bar = Shape::rect(tenth(x), tenth(y0), COLUMN, tenth(y1 - y0));
            out.add(&bar.set("fill", doing.colour()));
        }
    }
    let name = format!("node {node}");
    let name = Shape::text(tenth(scale.x(node)), tenth(scale.top - 8.0), &name);
    out.add(&name.set("text-anchor", "middle").set("font-weight", "bold"));
}

/// A line from one cycle and node to others.
fn span(out: &mut Svg, scale: &Scale, from: (u64, usize), to: (u64, usize), colour: &str) {
    if to.0 <= scale.from || from.0 >= scale.to {
        return;
    }
    let side = if to.1 > from.1 { COLUMN / 2.0 } else { -COLUMN / 2.0 };
    let (x0, x1) = (scale.x(from.1) + side, scale.x(to.1) - side);
    let (y0, y1) = (scale.y(from.0), scale.y(to.0));
    out.row([
        &Shape::line(tenth(x0), tenth(y0), tenth(x1), tenth(y1)).with([
            ("stroke", &colour),
            ("stroke-width", &1),
            ("stroke-opacity", &"0.7"),
        ]),
        &Shape::circle(tenth(x1), tenth(y1), 2).set("fill", colour),
    ]);
}
