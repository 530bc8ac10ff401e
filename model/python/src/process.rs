// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs in Python as processes of the firmware.

use crate::error::Error;
use crate::shared::Shared;
use awgstar::contract::Order;
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::request::{Answer, Got, Place, Process, ProcessSignal, Refused, Request, Span};
use pyo3::exceptions::PyStopIteration;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::sync::Arc;

/// A process whose locks and barriers are noted.
pub(crate) struct Tracked<P> {
    inner: P,
    board: usize,
    asked: Option<Request>,
    shared: Arc<Shared>,
}

impl<P: Process> Tracked<P> {
    /// The process of a board.
    pub(crate) fn new(inner: P, board: usize, shared: Arc<Shared>) -> Self {
        Tracked { inner, board, asked: None, shared }
    }
}

impl<P: Process> Process for Tracked<P> {
    fn next(&mut self, answer: &Answer) -> Request {
        match self.asked.take() {
            Some(Request::Lock(lock)) => {
                self.shared.seen().held.insert((lock, self.board));
            }
            Some(Request::Barrier(number)) if answer.got.is_ok() => {
                *self.shared.seen().passed.entry((self.board, number)).or_default() += 1;
            }
            _ => {}
        }
        let request = self.inner.next(answer);
        if let Request::Unlock(lock) = request {
            self.shared.seen().held.remove(&(lock, self.board));
        }
        self.asked = Some(request.clone());
        request
    }
}

/// A step of a coroutine.
pub(crate) enum Step {
    /// It makes this request, a tuple.
    Request(Py<PyTuple>),
    /// It has ended, or has raised an exception.
    End,
}

/// Sends an answer to the coroutine of a board, or raises an exception in it. A coroutine that ends is forgotten.
pub(crate) fn resume(
    py: Python<'_>,
    shared: &Shared,
    board: usize,
    answer: Result<Py<PyAny>, PyErr>,
) -> Step {
    let Some(program) = shared.programs().get(&board).map(|program| program.clone_ref(py)) else {
        return Step::End;
    };
    let program = program.bind(py);
    let result = match answer {
        Ok(value) => program.call_method1("send", (value,)),
        Err(error) => program.call_method1("throw", (error,)),
    };
    let error = match result {
        Ok(request) => match request.cast_into::<PyTuple>() {
            Ok(request) => return Step::Request(request.unbind()),
            Err(_) => Error::argument("await", "a call of a host", "something else").into(),
        },
        Err(error) if error.is_instance_of::<PyStopIteration>(py) => {
            shared.programs().remove(&board);
            return Step::End;
        }
        Err(error) => error,
    };
    shared.programs().remove(&board);
    shared.fail(error);
    Step::End
}

/// A coroutine as the process of a board.
pub(crate) struct Coroutine {
    board: usize,
    boards: usize,
    /// Bytes of the shared memory.
    memory: u64,
    asked: Option<Request>,
    shared: Arc<Shared>,
}

impl Coroutine {
    /// The process of a board.
    pub(crate) fn new(board: usize, boards: usize, memory: u64, shared: Arc<Shared>) -> Self {
        Coroutine { board, boards, memory, asked: None, shared }
    }

    /// The answer to the last request, for the coroutine.
    fn answer(&self, py: Python<'_>, answer: &Answer) -> Result<Py<PyAny>, PyErr> {
        let place = |place: &Place| u64::from(place.addr.0);
        match &answer.got {
            Ok(Got::Word(word)) => Ok(word.into_pyobject(py)?.into_any().unbind()),
            Ok(Got::Signal(signal)) => {
                let plain = |s: ProcessSignal| (s.source.0, s.to.map(|to| to.0), s.number, s.value);
                Ok(signal.map(plain).into_pyobject(py)?.into_any().unbind())
            }
            Ok(_) => Ok(py.None()),
            Err(refused) => Err(match (refused, &self.asked) {
                (Refused::NoBarrier(number), _) => Error {
                    class: "AccessError",
                    ..Error::argument("barrier", "a barrier of the board", number)
                },
                (Refused::Lost, _) => Error {
                    class: "LostSignalError",
                    message: format!("{refused}").into(),
                    ..Error::default()
                },
                (_, Some(Request::Read(at, _))) => Error::refused("read", place(at)),
                (_, Some(Request::Write(at, _))) => Error::refused("write", place(at)),
                _ => Error::refused("access", 0),
            }
            .into()),
        }
    }

    fn ask(&self, request: &Bound<'_, PyTuple>) -> PyResult<Request> {
        let name: String = request.get_item(0)?.extract()?;
        let number = |at: usize, field: &'static str, most: u64| number(request, at, field, most);
        let word = |at: usize, field: &'static str| -> PyResult<u32> {
            Ok(number(at, field, u32::MAX.into())?.try_into().unwrap_or(u32::MAX))
        };
        let addr = || -> PyResult<ByteAddress> {
            let addr = number(1, "addr", u32::MAX.into())?;
            if !addr.is_multiple_of(4) || addr >= self.memory {
                let expected = format!("a multiple of 4 below {:#x}", self.memory);
                return Err(Error::argument("addr", expected, format!("{addr:#x}")).into());
            }
            Ok(ByteAddress(addr.try_into().unwrap_or(u32::MAX)))
        };
        let short = |value: u64| u16::try_from(value).unwrap_or(u16::MAX);
        let byte = |value: u64| u8::try_from(value).unwrap_or(u8::MAX);
        Ok(match name.as_str() {
            "lock" => {
                let lock = word(1, "lock")?;
                if self.shared.seen().held.contains(&(lock, self.board)) {
                    let expected = "a lock that this board does not hold";
                    return Err(Error::argument("lock", expected, lock).into());
                }
                Request::Lock(lock)
            }
            "unlock" => {
                let lock = word(1, "lock")?;
                if !self.shared.seen().held.contains(&(lock, self.board)) {
                    return Err(
                        Error::argument("unlock", "a lock that this board holds", lock).into()
                    );
                }
                Request::Unlock(lock)
            }
            "barrier" => Request::Barrier(byte(number(1, "barrier", 255)?)),
            "read" => Request::read(addr()?),
            "write" => Request::write(addr()?, word(2, "word")?),
            "wait" => Request::wait(Cycle(number(1, "cycles", u64::MAX >> 1)?)),
            "status" => Request::Status,
            "signal" => {
                let to = if request.get_item(1)?.is_none() {
                    None
                } else {
                    let most = self.boards as u64 - 1;
                    Some(NodeId(byte(number(1, "to", most)?)))
                };
                let signal = ProcessSignal {
                    source: NodeId::at(self.board),
                    to,
                    number: short(number(2, "number", u16::MAX.into())?),
                    value: word(3, "value")?,
                };
                Request::Signal(signal, order(number(4, "order", 2)?))
            }
            "wait_signal" => {
                let given = |at: usize| Ok::<_, PyErr>(!request.get_item(at)?.is_none());
                let wanted = given(1)?.then(|| number(1, "number", u16::MAX.into())).transpose()?;
                let limit = given(2)?.then(|| number(2, "limit", u64::MAX >> 1)).transpose()?;
                Request::Await(wanted.map(short), limit.map(|limit| Span::Cycles(Cycle(limit))))
            }
            other => {
                let expected = "a call of Host: this ring has firmware";
                return Err(Error::argument("await", expected, other).into());
            }
        })
    }
}

/// An order by its code, which is in range.
pub(crate) fn order(code: u64) -> Order {
    u8::try_from(code).ok().and_then(Order::from_code).unwrap_or(Order::None)
}

/// A number of a request.
pub(crate) fn number(
    request: &Bound<'_, PyTuple>,
    at: usize,
    field: &'static str,
    most: u64,
) -> PyResult<u64> {
    let item = request.get_item(at)?;
    let found: Option<u64> = item.extract().ok().filter(|found| *found <= most);
    found.ok_or_else(|| Error::argument(field, format!("0 to {most}"), item).into())
}

impl Process for Coroutine {
    fn next(&mut self, answer: &Answer) -> Request {
        Python::attach(|py| {
            let mut reply =
                if self.asked.is_none() { Ok(py.None()) } else { self.answer(py, answer) };
            loop {
                let request = match resume(py, &self.shared, self.board, reply) {
                    Step::Request(request) => request,
                    Step::End => return Request::End,
                };
                match self.ask(request.bind(py)) {
                    Ok(request) => {
                        self.asked = Some(request.clone());
                        return request;
                    }
                    Err(error) => reply = Err(error),
                }
            }
        })
    }
}
