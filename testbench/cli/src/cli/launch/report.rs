// SPDX-License-Identifier: MIT OR Apache-2.0
//! What each process did: tables, the longest waits, and a picture of the time lines.

use super::rings;
use awgstar::quantity::{ByteAddress, Nanoseconds, NodeId};
use awgstar_draw::{
    page::Document,
    svg::{Legend, Shape, Svg, step, tenth, whole},
    table::Table,
};
use awgstar_program::{Allocation, Call, Cause, Forked, Lock, Monitor, Span, Traffic, Usage};
use awgstar_rings::machine::Counts;
use awgstar_scenario::page::{LANES_MAX, Scene, Unit};
use std::collections::BTreeMap;

/// Kinds of calls in the picture, with their colours; a colour stands for a kind everywhere.
const KINDS: [(&str, &str); 13] = [
    ("compute", "#9bbf85"),
    ("read", "#7da7d9"),
    ("write", "#b8cbe4"),
    ("lock", "#e0a458"),
    ("unlock", "#f0d2a0"),
    ("barrier", "#c96567"),
    ("signal", "#8f7bb8"),
    ("wait", "#c9bfe0"),
    ("update", "#6fa8a0"),
    ("fence", "#a8d0ca"),
    ("change", "#d8c9a8"),
    ("read fault", "#4f7fb5"),
    ("write fault", "#35597f"),
];
/// Longest waits and busiest areas that are listed.
const ROWS: usize = 10;
/// Size of the picture.
const WIDTH: f64 = 1000.0;
const LEFT: f64 = 70.0;
const LANE: f64 = 26.0;

/// The run in a report.
pub(super) struct Report<'a> {
    /// The ring and its protocols.
    pub(super) machine: String,
    /// Program of each node.
    pub(super) programs: &'a [Vec<String>],
    /// How it ended.
    pub(super) outcome: String,
    pub(super) end: Nanoseconds,
    pub(super) monitor: &'a Monitor,
    /// What the gateways of rings did.
    pub(super) gateways: Option<&'a Counts>,
}

/// Microseconds, with three digits after the point.
fn micros(ns: Nanoseconds) -> String {
    format!("{}.{:03}", ns.0 / 1000, ns.0 % 1000)
}

/// Counts of one process.
struct Row(NodeId, Usage);

/// A wait of one process.
struct Wait {
    node: NodeId,
    span: Span,
}

/// An area of memory that processes accessed without a gap.
struct Area {
    from: ByteAddress,
    to: ByteAddress,
    read: u64,
    written: u64,
}

fn place(call: Call) -> String {
    match call {
        Call::Lock(lock) | Call::Unlock(lock) => match Lock::of(lock) {
            Lock::Program(lock) if lock <= awgstar_program::LOCK_MAX => lock.to_string(),
            Lock::Program(_) => "of the atomic functions".into(),
            of_library => of_library.to_string(),
        },
        Call::Changed { addr, bytes } => format!("{bytes} bytes at {addr:#x}"),
        Call::WritePart { addr, bytes } => format!("{} bytes at {addr:#x}", bytes.count_ones()),
        Call::Signal { number, .. } | Call::Await { number: Some(number), .. } => {
            number.to_string()
        }
        Call::Fence(Some(to)) => format!("to node {to}"),
        _ => {
            let area = call.area();
            area.map_or_else(String::new, |(addr, bytes)| format!("{bytes} bytes at {addr:#x}"))
        }
    }
}

/// Traffic of all threads of an OpenMP program, by its cause.
pub(super) fn traffic(forked: &Forked, nodes: usize) -> String {
    let sum = |cause: Cause| {
        let all = (0..nodes).map(|node| forked.traffic(node, cause));
        all.fold(Traffic::default(), |sum, one| Traffic {
            reads: sum.reads + one.reads,
            read_bytes: sum.read_bytes + one.read_bytes,
            writes: sum.writes + one.writes,
            written_bytes: sum.written_bytes + one.written_bytes,
        })
    };
    let rows = Cause::ALL.map(|cause| (cause, sum(cause)));
    let rows: Vec<_> =
        rows.into_iter().filter(|(_, counts)| *counts != Traffic::default()).collect();
    let table = Table::new()
        .text("cause", |row: &(Cause, Traffic)| row.0.name())
        .number("reads", |row| row.1.reads)
        .number("read bytes", |row| row.1.read_bytes)
        .number("writes", |row| row.1.writes)
        .number("written bytes", |row| row.1.written_bytes);
    table.markdown(&rows)
}

impl Report<'_> {
    fn nodes(&self) -> impl Iterator<Item = NodeId> {
        NodeId::all(self.programs.len())
    }

    /// Calls, bytes and times of each process.
    fn processes(&self) -> String {
        let rows: Vec<_> = self.nodes().map(|node| Row(node, self.monitor.usage(node))).collect();
        let of = |name: &'static str| {
            move |Row(_, usage): &Row| {
                micros(usage.calls.get(name).map_or(Nanoseconds(0), |(_, time)| *time))
            }
        };
        let table = Table::new()
            .number("node", |row: &Row| row.0)
            .number("calls", |row| row.1.calls.values().map(|(count, _)| count).sum::<u64>())
            .number("read bytes", |row| row.1.read)
            .number("written bytes", |row| row.1.written)
            .number("read µs", of("read"))
            .number("write µs", of("write"));
        // Most machines have no other rings.
        let far = ["far read", "far write"];
        let calls = |name: &str| rows.iter().any(|row| row.1.calls.contains_key(name));
        let table = if far.iter().any(|name| calls(name)) {
            table.number("far read µs", of(far[0])).number("far write µs", of(far[1]))
        } else {
            table
        };
        let table = table
            .number("lock µs", of("lock"))
            .number("barrier µs", of("barrier"))
            .number("compute µs", of("compute"))
            .number("end µs", |row| micros(row.1.end));
        table.markdown(&rows)
    }

    /// The longest waits for a lock, at a barrier, for a signal, a fence or a change.
    fn waits(&self) -> String {
        let mut all = Vec::new();
        for node in self.nodes() {
            let spans = self.monitor.spans(node).into_iter();
            let waits = spans.filter(|span| {
                matches!(
                    span.call,
                    Call::Lock(_)
                        | Call::Barrier
                        | Call::Await { .. }
                        | Call::Fence(_)
                        | Call::Changed { .. }
                )
            });
            all.extend(waits.map(|span| Wait { node, span }));
        }
        all.sort_by_key(|wait| {
            let time = wait.span.to - wait.span.from;
            (std::cmp::Reverse(time), wait.span.from, wait.node)
        });
        all.truncate(ROWS);
        let table = Table::new()
            .number("node", |wait: &Wait| wait.node)
            .text("call", |wait| wait.span.call.name())
            .text("lock", |wait| place(wait.span.call))
            .number("from µs", |wait| micros(wait.span.from))
            .number("time µs", |wait| micros(wait.span.to - wait.span.from));
        table.markdown(&all)
    }

    /// The allocations with the most bytes read and written; empty if no process has allocated.
    fn allocations(&self) -> String {
        let mut all = self.monitor.allocations();
        if all.is_empty() {
            return String::new();
        }
        all.sort_by_key(|one| (std::cmp::Reverse(one.read + one.written), one.addr, one.bytes));
        all.truncate(ROWS);
        let (read, written) = self.monitor.outside();
        let outside = Allocation { number: 0, addr: ByteAddress(0), bytes: 0, read, written };
        all.extend((read + written > 0).then_some(outside));
        let inside =
            |one: &Allocation, text: String| if one.number == 0 { String::new() } else { text };
        let table = Table::new()
            .text("allocation", |one: &Allocation| match one.number {
                0 => "none".into(),
                number => number.to_string(),
            })
            .text("from", |one| inside(one, format!("{:#x}", one.addr)))
            .text("bytes", |one| inside(one, one.bytes.to_string()))
            .number("read bytes", |one| one.read)
            .number("written bytes", |one| one.written);
        format!("\nAllocations with the most bytes\n{}", table.markdown(&all))
    }

    /// The areas of memory with the most bytes read and written.
    fn areas(&self) -> String {
        let mut touched: BTreeMap<(ByteAddress, ByteAddress), (u64, u64)> = BTreeMap::new();
        for span in self.nodes().flat_map(|node| self.monitor.spans(node)) {
            let Some((addr, bytes)) = span.call.area() else { continue };
            let count = touched.entry((addr, addr + bytes)).or_default();
            match span.call {
                Call::Read { .. } => count.0 += u64::from(bytes),
                _ => count.1 += u64::from(bytes),
            }
        }
        let mut areas: Vec<Area> = Vec::new();
        for ((from, to), (read, written)) in touched {
            match areas.last_mut().filter(|last| from <= last.to) {
                Some(last) => {
                    last.to = last.to.max(to);
                    last.read += read;
                    last.written += written;
                }
                None => areas.push(Area { from, to, read, written }),
            }
        }
        areas.sort_by_key(|area| (std::cmp::Reverse(area.read + area.written), area.from));
        areas.truncate(ROWS);
        let table = Table::new()
            .text("from", |area: &Area| format!("{:#x}", area.from))
            .number("bytes", |area| area.to - area.from)
            .number("read bytes", |area| area.read)
            .number("written bytes", |area| area.written);
        table.markdown(&areas)
    }

    /// The text for standard error.
    pub(super) fn summary(&self) -> String {
        let gateways = self.gateways.map_or_else(String::new, rings::text);
        let (machine, processes) = (&self.machine, self.processes());
        format!("{machine}; modelled times\n{processes}{}\n{gateways}", self.outcome)
    }

    /// The summary as JSON; times in ns.
    pub(super) fn json(&self) -> serde_json::Value {
        let processes = self.nodes().map(|node| {
            let Usage { calls, read, written, end, .. } = self.monitor.usage(node);
            let calls = calls.into_iter().map(|(name, (count, time))| {
                (name.to_owned(), serde_json::json!({ "count": count, "ns": time.0 }))
            });
            serde_json::json!({
                "node": node.index(), "read_bytes": read, "written_bytes": written, "end_ns": end.0,
                "calls": calls.collect::<serde_json::Map<_, _>>(),
            })
        });
        let mut json = serde_json::json!({
            "machine": self.machine, "outcome": self.outcome, "end_ns": self.end.0,
            "processes": processes.collect::<Vec<_>>(),
        });
        if let Some(counts) = self.gateways {
            json["gateways"] = rings::json(counts);
        }
        json
    }

    /// The whole report as text.
    pub(super) fn text(&self) -> String {
        format!(
            "{}\nLongest waits\n{}{}\nAreas of memory with the most bytes\n{}",
            self.summary(),
            self.waits(),
            self.allocations(),
            self.areas()
        )
    }

    /// The report as a page that needs no other file.
    pub(super) fn html(&self) -> String {
        let mut page = Document::new(&format!("Run of {} processes", self.programs.len()));
        page.lines(&self.commands());
        page.pictures([self.timeline().as_str()]);
        page.lines(&self.text());
        page.html()
    }

    /// The program of each node, in lines.
    fn commands(&self) -> String {
        let line =
            |(node, words): (NodeId, &Vec<String>)| format!("node {node}: {}", words.join(" "));
        let lines: Vec<String> = self.nodes().zip(self.programs).map(line).collect();
        lines.join("\n")
    }

    /// Adds the time lines of the processes and the report to the page of the run.
    pub(super) fn add_to(&self, page: &mut Scene, good: bool) {
        let all = |node| self.monitor.spans(node);
        let many = self.nodes().map(|node| all(node).len()).sum::<usize>() > LANES_MAX;
        let moment = |time: Nanoseconds| match page.unit() {
            Unit::Cycle => time.to_cycles().0,
            Unit::Ns => time.0,
        };
        let mut spans = Vec::new();
        #[expect(clippy::cast_precision_loss, reason = "a picture")]
        let end = self.end.0.max(1) as f64;
        for node in self.nodes() {
            let mut add = |name, from, to, text| {
                if let Some(kind) = KINDS.iter().find(|kind| kind.0 == name) {
                    spans.push((node.index(), (moment(from), moment(to)), *kind, text));
                }
            };
            if many {
                for (name, from, to) in merged(&all(node), end) {
                    add(name, from, to, String::new());
                }
            } else {
                for span in all(node) {
                    add(span.call.name(), span.from, span.to, place(span.call));
                }
            }
        }
        for (node, span, kind, text) in spans {
            page.add_span(node, span, kind, text);
        }
        if many {
            page.leave_out("Calls that are nearer than a thousandth of the run are one span.");
        }
        let first = self.programs.first().map(|words| words.join(" ")).unwrap_or_default();
        let same = self.programs.iter().all(|words| Some(words) == self.programs.first());
        page.rename("programs", &if same { first } else { format!("{first} : ...") });
        page.add_report(&format!("{}\n\n{}", self.commands(), self.text()), Some(good));
        page.set_verdict(&self.outcome);
    }

    /// A lane for each process: what it did when.
    pub(super) fn timeline(&self) -> String {
        #[expect(clippy::cast_precision_loss, reason = "a picture")]
        let (lanes, end) = (self.programs.len() as f64, self.end.0.max(1) as f64);
        let bottom = 44.0 + lanes * LANE;
        let mut picture = Svg::new(WIDTH, bottom + 70.0, true, "sans-serif", 12);
        picture.title("What each process did, in time on the ring");
        picture.add(&Shape::text(whole(LEFT), "22", "What each process did, in time on the ring"));
        #[expect(clippy::cast_precision_loss, reason = "a picture")]
        let x = |ns: u64| LEFT + (WIDTH - LEFT - 20.0) * ns as f64 / end;
        for (node, lane) in self.nodes().zip(0_u32..) {
            let top = 40.0 + f64::from(lane) * LANE;
            let label = Shape::text(whole(LEFT - 8.0), whole(top + 14.0), &format!("node {node}"));
            picture.add(&label.set("text-anchor", "end"));
            for (call, from, to) in merged(&self.monitor.spans(node), end) {
                let Some((_, colour)) = KINDS.iter().find(|(name, _)| *name == call) else {
                    continue;
                };
                let (left, right) = (x(from.0), x(to.0));
                let tip = format!("{call}: {} µs from {} µs", micros(to - from), micros(from));
                let width = tenth((right - left).max(0.3));
                let span = Shape::rect(tenth(left), tenth(top), width, tenth(LANE - 8.0));
                picture.add(&span.set("fill", colour).tooltip(&tip));
            }
        }
        let axis = bottom + 2.0;
        picture
            .add(&Shape::rule(whole(LEFT), whole(WIDTH - 20.0), whole(axis)).set("stroke", "#000"));
        let grid = step(end / 8.0);
        let mut at = 0;
        while at <= self.end.0 {
            let tick = Shape::line(tenth(x(at)), whole(axis), tenth(x(at)), whole(axis + 5.0));
            picture.add(&tick.set("stroke", "#000"));
            let text = Shape::text(tenth(x(at)), whole(axis + 18.0), &micros_short(at));
            picture.add(&text.set("text-anchor", "middle"));
            at += grid;
        }
        picture.add(
            &Shape::text(whole(WIDTH - 20.0), whole(axis + 34.0), "µs").set("text-anchor", "end"),
        );
        let mut legend = Legend::new(LEFT, WIDTH - 20.0, axis + 44.0, 12.0);
        for (name, colour) in KINDS {
            let mark = Shape::rect(0, 0, 12, 12).set("fill", colour);
            legend.entry(&mut picture, &mark, name);
        }
        picture.text()
    }
}

/// Microseconds without zeros at the end.
fn micros_short(ns: u64) -> String {
    let text = micros(Nanoseconds(ns));
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Spans, with neighbours of one kind that are nearer than a pixel made one: a run has many calls.
fn merged(spans: &[Span], end: f64) -> Vec<(&'static str, Nanoseconds, Nanoseconds)> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a picture")]
    let pixel = Nanoseconds((end / WIDTH) as u64);
    let mut all: Vec<(&'static str, Nanoseconds, Nanoseconds)> = Vec::new();
    for span in spans {
        match all.last_mut() {
            Some((name, _, to))
                if *name == span.call.name() && span.from.saturating_sub(*to) <= pixel =>
            {
                *to = span.to;
            }
            _ => all.push((span.call.name(), span.from, span.to)),
        }
    }
    all
}
