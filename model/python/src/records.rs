// SPDX-License-Identifier: MIT OR Apache-2.0
//! Traces as plain records: dictionaries of numbers and texts, the same keys in each.

use awgstar::contract::{Check, Token, limits::CLOCK_HZ};
use awgstar::firmware::Message;
use awgstar::host::pager::Side;
use awgstar::host::{Happened, Record};
use awgstar::request::{Data, Place, ProcessSignal, Request, Space};
use awgstar::rtl::state::State;
use awgstar::trace::{Event, Fate, Identity, Kind, Trace};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// Cycles in ns.
#[expect(clippy::cast_precision_loss, reason = "a minute of ring time is far below 2^53 cycles")]
pub(crate) fn ns(cycle: u64) -> f64 {
    cycle as f64 * 1e9 / CLOCK_HZ as f64
}

fn identity(out: &Bound<'_, PyDict>, frame: Option<Identity>) -> PyResult<()> {
    out.set_item("source", frame.and_then(|frame| frame.source()))?;
    out.set_item("mac", frame.map(|frame| frame.mac.to_string()))?;
    out.set_item("token", frame.and_then(|frame| frame.kind()).map(Token::name))?;
    out.set_item("c_st", frame.map(|frame| frame.c_st))?;
    out.set_item("node_id", frame.map(|frame| frame.node_id))?;
    out.set_item("packet_cnt", frame.map(|frame| frame.packet_cnt))
}

/// Name of an event.
fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Begins => "begins",
        Kind::Ends { aborted: false } => "ends",
        Kind::Ends { aborted: true } => "aborted",
        Kind::Passed => "passed",
        Kind::TokenTaken => "token_taken",
        Kind::Stripped => "stripped",
        Kind::TokenBack => "token_back",
        Kind::Issued => "issued",
        Kind::Discarded => "discarded",
        Kind::Returned { good: true } => "returned_good",
        Kind::Returned { good: false } => "returned_bad",
        Kind::Reserved => "reserved",
        Kind::Orphan => "orphan",
        Kind::Cut => "cut",
        Kind::Dropped => "dropped",
        Kind::Delivered => "delivered",
        Kind::Overflow => "overflow",
        Kind::Bad(_) => "bad",
        Kind::Converted => "converted",
        Kind::Inserted => "inserted",
        Kind::FreeSent => "free_sent",
        Kind::Sent(_) => "sent",
    }
}

fn event<'py>(py: Python<'py>, event: &Event, node: usize) -> PyResult<Bound<'py, PyDict>> {
    let out = PyDict::new(py);
    out.set_item("cycle", event.cycle.0)?;
    out.set_item("ns", ns(event.cycle.0))?;
    out.set_item("node", node)?;
    out.set_item("event", name(event.kind))?;
    identity(&out, event.frame)?;
    out.set_item("held", event.held)?;
    out.set_item(
        "verdict",
        match event.kind {
            Kind::Bad(code) => Check::from_code(code).map(Check::name),
            Kind::Sent(status) => Some(status.name()),
            _ => None,
        },
    )?;
    Ok(out)
}

/// The events of a trace. `order` has the node at each place of the ring.
pub(crate) fn events<'py>(
    py: Python<'py>,
    trace: &Trace,
    order: &[usize],
) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(py);
    for one in &trace.events {
        out.append(event(py, one, order[one.node])?)?;
    }
    Ok(out)
}

fn fate(fate: Fate) -> &'static str {
    match fate {
        Fate::UnderWay => "under_way",
        Fate::Passed => "passed",
        Fate::Delivered => "delivered",
        Fate::Stripped => "stripped",
        Fate::Taken => "taken",
        Fate::Absorbed => "absorbed",
        Fate::Cut => "cut",
        Fate::Dropped => "dropped",
    }
}

/// The frames on the links of a trace.
pub(crate) fn frames<'py>(
    py: Python<'py>,
    trace: &Trace,
    order: &[usize],
) -> PyResult<Bound<'py, PyList>> {
    let out = PyList::empty(py);
    for (place, flights) in trace.links.iter().enumerate() {
        for flight in flights {
            let one = PyDict::new(py);
            one.set_item("link", order[place])?;
            one.set_item("begin", flight.begin.0)?;
            one.set_item("end", flight.end.0)?;
            one.set_item("arrival", flight.arrival.map(|cycle| cycle.0))?;
            identity(&one, Some(flight.frame))?;
            one.set_item("inserted", flight.inserted)?;
            one.set_item("aborted", flight.aborted)?;
            one.set_item("fate", fate(flight.fate))?;
            one.set_item("good", flight.good)?;
            out.append(one)?;
        }
    }
    Ok(out)
}

/// The request of a process: name, number and value.
fn asked(request: &Request) -> (&'static str, Option<u64>, Option<u64>) {
    let number = |place: &Place| Some(place.addr.0.into());
    match request {
        Request::Lock(lock) => ("lock", Some((*lock).into()), None),
        Request::Try(lock) => ("try", Some((*lock).into()), None),
        Request::Unlock(lock) => ("unlock", Some((*lock).into()), None),
        Request::Barrier(number) => ("barrier", Some((*number).into()), None),
        Request::Read(place, _) => (
            if place.space == Space::Virtual { "read_virtual" } else { "read" },
            number(place),
            None,
        ),
        Request::Write(place, data) => {
            let name = if place.space == Space::Virtual { "write_virtual" } else { "write" };
            let word = if let Data::Word { data, .. } = data { Some((*data).into()) } else { None };
            (name, number(place), word)
        }
        Request::ComputeWrite { addr, .. } => ("compute_write", Some(addr.0.into()), None),
        Request::Fence(_) => ("fence", None, None),
        Request::Update(place, _) => ("update", number(place), None),
        Request::Changed(place, _) => ("wait_change", number(place), None),
        Request::Status => ("status", None, None),
        Request::Signal(signal, _) => {
            ("signal", Some(signal.number.into()), Some(signal.value.into()))
        }
        Request::Await(number, _) => ("wait_signal", number.map(Into::into), None),
        Request::Compute(span) => ("wait", Some(span.cycles().0), None),
        Request::End => ("end", None, None),
    }
}

/// A text that says who waits for what.
pub(crate) fn waits(board: usize, what: Option<&Request>, since: u64) -> String {
    let what = match what.map(asked) {
        None => "its board to be known to all".to_owned(),
        Some((name, Some(number), _)) => format!("{name} {number:#x}"),
        Some((name, None, _)) => name.to_owned(),
    };
    format!("board {board} waits for {what} since cycle {since}")
}

/// The records of programs and firmware.
pub(crate) fn records(py: Python<'_>, all: &[Record]) -> PyResult<Py<PyList>> {
    let out = PyList::empty(py);
    for Record { cycle, node, what } in all {
        let message = |event, m: &Message| {
            let (number, value) = (Some(m.lock_number.into()), Some(m.tag.into()));
            (event, m.signal.name().to_owned(), number, value, Some(m.source.0))
        };
        let signal = |event, s: &ProcessSignal| {
            let (number, value) = (Some(s.number.into()), Some(s.value.into()));
            (event, "process".to_owned(), number, value, Some(s.source.0))
        };
        let (event, what, number, value, source): (_, _, Option<u64>, Option<u64>, _) = match what {
            Happened::Asked(request) => {
                let (name, number, value) = asked(request);
                ("asked", name.to_owned(), number, value, None)
            }
            Happened::Answered(request) => {
                let (name, number, value) = asked(request);
                ("answered", name.to_owned(), number, value, None)
            }
            Happened::Sent(m) => message("sent", m),
            Happened::Received(m) => message("received", m),
            Happened::Returned(m) => message("returned", m),
            Happened::SentOfProcess(s) => signal("sent", s),
            Happened::ReceivedOfProcess(s) => signal("received", s),
            Happened::ReturnedOfProcess(s) => signal("returned", s),
            Happened::State(Some(lock), state) => {
                ("lock_state", state.clone(), Some((*lock).into()), None, None)
            }
            Happened::State(None, state) => ("barrier_state", state.clone(), None, None, None),
            Happened::Pages(Side::Process, state) => {
                ("page_state", state.clone(), None, None, None)
            }
            Happened::Pages(Side::Master, state) => {
                ("master_state", state.clone(), None, None, None)
            }
        };
        let one = PyDict::new(py);
        one.set_item("cycle", cycle.0)?;
        one.set_item("ns", ns(cycle.0))?;
        one.set_item("board", node.index())?;
        one.set_item("event", event)?;
        one.set_item("what", what)?;
        one.set_item("number", number)?;
        one.set_item("value", value)?;
        one.set_item("source", source)?;
        out.append(one)?;
    }
    Ok(out.unbind())
}

/// Every register of a module: value by path.
pub(crate) fn registers<'py, S: State>(
    py: Python<'py>,
    module: &S,
    parameters: &awgstar::rtl::Parameters,
) -> PyResult<Bound<'py, PyDict>> {
    let mut image = vec![0; S::WORDS];
    module.pack(&mut image);
    let out = PyDict::new(py);
    let mut words = image.into_iter();
    for (path, bits) in S::layout_of(parameters).flat_registers() {
        let parts = words.by_ref().take(bits.div_ceil(32).max(1));
        let value = parts
            .enumerate()
            .fold(0, |value, (at, word)| value | u128::from(word) << (32 * at.min(3)));
        out.set_item(path, value)?;
    }
    Ok(out)
}
