// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs in Python on boards without firmware: each call is a list of accesses to the board.

use crate::argument;
use crate::error::Error;
use crate::process::{Step, number, order, resume};
use crate::shared::Shared;
use awgstar::contract::{
    Token,
    board::{self, MAIL_DATA, MAIL_POP, Register, SIGNAL_MAX},
};
use awgstar::quantity::{ByteAddress, Cycle, NodeId};
use awgstar::ring::boards::{in_window, read_block, register, send_signal, write_block};
use awgstar::ring::{HostOp, HostResult, Outcome};
use awgstar_scenario::run::boards::Stepper;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyTuple};

/// What the answer to a call is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Gives {
    Nothing,
    Word,
    Words,
}

/// A call under way.
#[derive(Debug)]
struct Call {
    name: String,
    ops: Vec<HostOp>,
    gives: Gives,
}

/// State of a program.
#[derive(Debug)]
enum State {
    /// It begins when its board is set up.
    Start,
    /// It waits for this cycle.
    Until(u64),
    /// It waits for the end of a call.
    Access(Call),
    /// The board was reset during the call with this name.
    Lost(String),
    /// It has ended.
    Ended,
}

/// The answer to a call, or the call that a reset ended.
enum Reply {
    Nothing,
    Results(Call, Vec<HostResult>),
    Lost(String),
}

/// The host of a board that runs a coroutine.
#[derive(Debug)]
pub(crate) struct Plain {
    pub(crate) board: usize,
    /// Bytes of the shared memory.
    memory: u64,
    state: State,
}

impl Plain {
    /// The host of a board.
    pub(crate) fn new(board: usize, memory: u64) -> Plain {
        Plain { board, memory, state: State::Start }
    }

    /// The program has ended.
    pub(crate) fn ended(&self) -> bool {
        matches!(self.state, State::Ended)
    }

    /// Between two cycles: goes on with the program if its call is over.
    #[inline]
    pub(crate) fn poll(&mut self, stepper: &mut Stepper, shared: &Shared) {
        let ring = stepper.ring();
        match &self.state {
            State::Ended => return,
            State::Until(cycle) if ring.cycle().0 < *cycle => return,
            State::Access(call) => {
                let host = ring.host(self.board);
                let results = host.results();
                if results.len() < call.ops.len() && !host.is_idle() {
                    // What a host does after a reset is no answer.
                    let same = results.last().is_none_or(|r| r.op == call.ops[results.len() - 1]);
                    if same {
                        return;
                    }
                }
                let same = results.iter().map(|result| result.op).eq(call.ops.iter().copied());
                if !same {
                    self.state = State::Lost(call.name.clone());
                }
            }
            State::Start | State::Until(_) | State::Lost(_) => {}
        }
        // A host dies with its board, and one whose board was reset sets it up first.
        if !stepper.acts_done(self.board) || !stepper.ring().is_live(self.board) {
            return;
        }
        let results = stepper.ring_mut().take_results(self.board);
        let reply = match std::mem::replace(&mut self.state, State::Ended) {
            State::Access(call) => Reply::Results(call, results),
            State::Lost(name) => Reply::Lost(name),
            _ => Reply::Nothing,
        };
        self.go_on(stepper, shared, reply);
    }

    /// Resumes the coroutine, and begins its next call.
    #[cold]
    fn go_on(&mut self, stepper: &mut Stepper, shared: &Shared, reply: Reply) {
        Python::attach(|py| {
            let mut reply = match reply {
                Reply::Nothing => Ok(py.None()),
                Reply::Lost(name) => Err(Error {
                    class: "ResetError",
                    message: format!("{name}: the board was reset").into(),
                    field: Some(name.into()),
                    ..Error::default()
                }
                .into()),
                Reply::Results(call, results) => answer(py, &call, &results),
            };
            loop {
                let request = match resume(py, shared, self.board, reply) {
                    Step::Request(request) => request,
                    Step::End => return,
                };
                reply = match self.begin(request.bind(py), stepper.ring().cycle()) {
                    Err(error) => Err(error),
                    // Nothing to wait for.
                    Ok(State::Access(call)) if call.ops.is_empty() => answer(py, &call, &[]),
                    Ok(State::Access(call)) => {
                        match stepper.ring_mut().push(self.board, call.ops.iter().copied()) {
                            Ok(()) => {
                                self.state = State::Access(call);
                                return;
                            }
                            Err(e) => Err(Error::from(e).into()),
                        }
                    }
                    Ok(state) => {
                        self.state = state;
                        return;
                    }
                };
            }
        });
    }

    fn addr(&self, request: &Bound<'_, PyTuple>, bytes: u64) -> PyResult<ByteAddress> {
        let addr = number(request, 1, "addr", u32::MAX.into())?;
        if addr + bytes > self.memory {
            let expected = format!("{bytes} bytes below {:#x}", self.memory);
            return Err(Error::argument("addr", expected, format!("{addr:#x}")).into());
        }
        Ok(ByteAddress(addr.try_into().unwrap_or(u32::MAX)))
    }

    fn word_addr(&self, request: &Bound<'_, PyTuple>) -> PyResult<ByteAddress> {
        let addr = self.addr(request, 4)?;
        if addr.is_aligned() {
            return Ok(in_window(addr));
        }
        Err(Error::argument("addr", "a multiple of 4", format!("{addr:#x}")).into())
    }

    /// What a request begins in this cycle.
    fn begin(&self, request: &Bound<'_, PyTuple>, now: Cycle) -> PyResult<State> {
        let name: String = request.get_item(0)?.extract()?;
        let word = |at: usize, field: &'static str| -> PyResult<u32> {
            Ok(number(request, at, field, u32::MAX.into())?.try_into().unwrap_or(u32::MAX))
        };
        let limit = |at: usize| number(request, at, "limit", u64::MAX >> 1).map(Cycle);
        let data = |at: usize| -> PyResult<Vec<u8>> {
            Ok(request.get_item(at)?.cast_into::<PyBytes>()?.as_bytes().to_vec())
        };
        let (ops, gives) = match name.as_str() {
            "read" => (vec![HostOp::Read { addr: self.word_addr(request)? }], Gives::Word),
            "write" => {
                let (addr, data) = (self.word_addr(request)?, word(2, "word")?);
                (vec![HostOp::Write { addr, data, strobe: 0b1111 }], Gives::Nothing)
            }
            "read_block" => {
                let words = number(request, 2, "length", self.memory / 4)?;
                let addr = self.addr(request, 4 * words)?;
                (read_block(addr, words.try_into().unwrap_or(u32::MAX)), Gives::Words)
            }
            "write_block" => {
                let bytes = data(2)?;
                let addr = self.addr(request, bytes.len() as u64)?;
                (write_block(addr, &bytes), Gives::Nothing)
            }
            "read_register" => (vec![HostOp::Read { addr: place(request, 2)? }], Gives::Word),
            "write_register" => {
                let (addr, data) = (place(request, 3)?, word(2, "word")?);
                (vec![HostOp::Write { addr, data, strobe: 0b1111 }], Gives::Nothing)
            }
            "poll_register" => {
                let addr = named(request)?.offset;
                let (mask, value) = (word(2, "mask")?, word(3, "value")?);
                (vec![HostOp::Poll { addr, mask, value, limit: limit(4)? }], Gives::Word)
            }
            "interrupt" => (vec![HostOp::Interrupt { limit: limit(1)? }], Gives::Nothing),
            "wait" => {
                let cycles = number(request, 1, "cycles", u64::MAX >> 1)?;
                return Ok(State::Until(now.0.saturating_add(cycles)));
            }
            "send" => (signal(request, &data(6)?)?, Gives::Nothing),
            "take_mail" => {
                let words =
                    (0..MAIL_DATA.count).map(|i| HostOp::Read { addr: MAIL_DATA.offset + 4 * i });
                (words.chain([register(&MAIL_POP, 1)]).collect(), Gives::Words)
            }
            "expire" => return Err(Error::expired(&request.get_item(1)?.to_string()).into()),
            other => {
                let expected = "a call of PlainHost: this ring has no firmware";
                return Err(Error::argument("await", expected, other).into());
            }
        };
        Ok(State::Access(Call { name, ops, gives }))
    }
}

impl std::fmt::Display for Plain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let what = match &self.state {
            State::Start => "its board to be set up",
            State::Until(_) => "the end of a wait",
            State::Access(call) => &call.name,
            State::Lost(_) => "its board to be set up after a reset",
            State::Ended => "nothing",
        };
        write!(f, "board {} waits for {what}", self.board)
    }
}

/// The register that a request names.
fn named(request: &Bound<'_, PyTuple>) -> PyResult<&'static Register> {
    let name: String = argument::register(&request.get_item(1)?)?;
    let mut all = board::registers();
    let found = all.find(|register| register.name == name);
    found.ok_or_else(|| Error::argument("register", "a name of contract.REGISTERS", name).into())
}

/// The address of the register that a request names, with its index in the row.
fn place(request: &Bound<'_, PyTuple>, index: usize) -> PyResult<ByteAddress> {
    let register = named(request)?;
    let index = number(request, index, "index", (register.count - 1).into())?;
    Ok(register.offset + 4 * u32::try_from(index).unwrap_or(0))
}

fn signal(request: &Bound<'_, PyTuple>, data: &[u8]) -> PyResult<Vec<HostOp>> {
    let code = number(request, 1, "token", 7)?;
    let token = u8::try_from(code).ok().and_then(Token::from_code).filter(|t| t.is_signal());
    let token =
        token.ok_or_else(|| Error::argument("token", "P2P, MULTICAST or BROADCAST", code))?;
    let small = |at, field, most| {
        number(request, at, field, most).map(|value| u8::try_from(value).unwrap_or(u8::MAX))
    };
    let (c_st, to) = (small(2, "c_st", 31)?, small(3, "to", 255)?);
    let (group, order) = (small(4, "group", 15)?, order(number(request, 5, "order", 2)?));
    if data.len() > SIGNAL_MAX {
        let expected = format!("at most {SIGNAL_MAX} bytes");
        return Err(Error::argument("data", expected, data.len()).into());
    }
    let mut ops = send_signal(token, c_st, NodeId(to), order, data);
    if let Some(HostOp::Write { data, .. }) = ops.last_mut() {
        *data |= u32::from(group) << 16;
    }
    Ok(ops)
}

/// The answer to a call whose accesses are done.
fn answer(py: Python<'_>, call: &Call, results: &[HostResult]) -> Result<Py<PyAny>, PyErr> {
    for result in results {
        let addr = match result.op {
            HostOp::Write { addr, .. } | HostOp::Read { addr } | HostOp::Poll { addr, .. } => {
                addr.0
            }
            HostOp::Wait { .. } | HostOp::Interrupt { .. } => 0,
        };
        match result.outcome {
            Outcome::Done => {}
            Outcome::Refused => return Err(Error::refused(&call.name, addr.into()).into()),
            Outcome::Expired => return Err(Error::expired(&call.name).into()),
        }
    }
    Ok(match call.gives {
        Gives::Nothing => py.None(),
        Gives::Word => {
            let data = results.last().map_or(0, |result| result.data);
            data.into_pyobject(py)?.into_any().unbind()
        }
        Gives::Words => {
            let read = results.iter().filter(|result| matches!(result.op, HostOp::Read { .. }));
            PyList::new(py, read.map(|result| result.data).collect::<Vec<_>>())?.into_any().unbind()
        }
    })
}
