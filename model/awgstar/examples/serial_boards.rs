// SPDX-License-Identifier: MIT OR Apache-2.0
//! The firmware of this project on real boards, or on their simulation, over a serial line (docs/boards.md):
//! each board adds to one counter under the ring queue lock, and all meet at the ring barrier.
//!
//! `cargo run -p awgstar --example serial_boards -- /dev/ttyUSB0 [ROUNDS]`

use awgstar::contract::board::{ID, MAIL_COUNT, MAIL_DATA, MAIL_POP, STATUS};
use awgstar::contract::{Order, Token};
use awgstar::firmware::barrier::{Member, Nodes, Ring};
use awgstar::firmware::lock::RingQueue;
use awgstar::firmware::message::MESSAGE_BYTES;
use awgstar::firmware::{Action, Event, Firmware, Message, Timer};
use awgstar::quantity::{ByteAddress, NodeId};
use awgstar::ring::{HostOp, boards};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

type Error = Box<dyn std::error::Error>;

const COUNTER: ByteAddress = ByteAddress(0x8000_0240); // of the host port
const LOCK: u32 = 1;
/// Polls of the mailbox without a message after which timers run out.
const PATIENCE: u32 = 200;

/// A serial line at 1 Mbit/s with boards on it.
struct Line(File);

impl Line {
    fn open(name: &str) -> Result<Line, Error> {
        let file = OpenOptions::new().read(true).write(true).open(name)?;
        // A read gives up after a second without a byte.
        let stty = ["1000000", "raw", "-echo", "min", "0", "time", "10"];
        let set = Command::new("stty").args(stty).stdin(Stdio::from(file.try_clone()?)).status()?;
        if !set.success() {
            return Err(format!("{name}: stty cannot set the line").into());
        }
        Ok(Line(file))
    }

    /// One request and its reply, which has the value that was read.
    fn access(
        &mut self,
        what: u8,
        board: u8,
        addr: ByteAddress,
        data: u32,
        strobes: u8,
    ) -> Result<u32, Error> {
        let mut request = vec![what, board];
        request.extend(addr.0.to_le_bytes());
        request.extend(data.to_le_bytes());
        request.push(strobes);
        request.push(crc8(&request));
        self.0.write_all(&request)?;
        let mut reply = [0; 7];
        let mut have = 0;
        while have < reply.len() {
            match self.0.read(&mut reply[have..])? {
                0 => return Err(format!("board {board}: no answer for a second").into()),
                count => have += count,
            }
        }
        let [result, a, b, c, d, _, crc] = reply;
        if crc8(&reply[..6]) != crc || result != 0 {
            let what = char::from(what);
            return Err(
                format!("board {board}, {what} of {:#x}: reply {reply:02x?}", addr.0).into()
            );
        }
        Ok(u32::from_le_bytes([a, b, c, d]))
    }

    fn read(&mut self, board: u8, addr: ByteAddress) -> Result<u32, Error> {
        self.access(b'R', board, addr, 0, 0)
    }

    /// What the drivers of this project ask of a board.
    fn carry_out(&mut self, board: u8, op: HostOp) -> Result<u32, Error> {
        match op {
            HostOp::Write { addr, data, strobe } => self.access(b'W', board, addr, data, strobe),
            HostOp::Read { addr } => self.read(board, addr),
            other => Err(format!("{other:?}: not over a serial line").into()),
        }
    }

    /// The oldest message of the mailbox.
    fn receive(&mut self, board: u8) -> Result<Option<Message>, Error> {
        if self.read(board, MAIL_COUNT.offset)? == 0 {
            return Ok(None);
        }
        let mut words = [0; 5];
        for (word, index) in words.iter_mut().zip([0, 2, 4, 5, 6]) {
            *word = self.read(board, MAIL_DATA.offset + 4 * index)?;
        }
        self.access(b'W', board, MAIL_POP.offset, 1, 0b1111)?;
        let [code, node_id, ..] = words[0].to_be_bytes();
        let [_, source, ..] = words[1].to_be_bytes();
        let data: Vec<u8> = words[2..].iter().flat_map(|word| word.to_le_bytes()).collect();
        let codes = (Token::from_code(code >> 5).ok_or("TOKEN without a meaning")?, code & 0x1f);
        let data = &data[..MESSAGE_BYTES];
        Ok(Some(Message::read(codes, NodeId(source), NodeId(node_id), data)?))
    }
}

/// 8-bit CRC: polynomial x^8 + x^2 + x + 1, start value FF.
fn crc8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0xff, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc, _| (crc << 1) ^ if crc & 0x80 == 0 { 0 } else { 0x07 })
    })
}

/// A board with a state machine of the lock and one of the barrier.
struct Node {
    board: u8,
    lock: RingQueue,
    barrier: Ring,
    /// Rounds that are left, and what the program waits for.
    rounds: u32,
    waits: Waits,
    quiet: u32,
    sent: Vec<Message>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Waits {
    ForNothing,
    ForLock,
    ForAll,
    Ended,
}

impl Node {
    /// Gives an event to both state machines, and carries out what they ask for.
    fn event(&mut self, line: &mut Line, event: Event) -> Result<(), Error> {
        let mut actions = Vec::new();
        self.lock.step(event, &mut actions);
        self.barrier.step(event, &mut actions);
        for action in actions {
            match action {
                Action::Send(message, order) => self.send(line, message, order)?,
                Action::Acquired => {
                    let value = line.read(self.board, COUNTER)?;
                    let op = HostOp::Write { addr: COUNTER, data: value + 1, strobe: 0b1111 };
                    line.carry_out(self.board, op)?;
                    println!("board {} has the lock: {value} + 1", self.board);
                    self.rounds -= 1;
                    self.waits = Waits::ForNothing;
                    self.event(line, Event::Release)?;
                }
                Action::Passed => self.waits = Waits::Ended,
                Action::Start(_) | Action::Stop(_) | Action::Released => {}
            }
        }
        Ok(())
    }

    fn send(&mut self, line: &mut Line, message: Message, order: Order) -> Result<(), Error> {
        let (token, c_st) = (message.signal.token(), message.signal.c_st());
        for op in boards::send_signal(token, c_st, message.node_id, order, &message.data()) {
            line.carry_out(self.board, op)?;
        }
        self.sent.push(message);
        Ok(())
    }

    fn step(&mut self, line: &mut Line) -> Result<(), Error> {
        self.quiet += 1;
        if let Some(message) = line.receive(self.board)? {
            self.quiet = 0;
            self.event(line, Event::Signal(message))?;
        } else if !self.sent.is_empty() && line.read(self.board, STATUS.offset)? & 1 << 4 == 0 {
            for message in std::mem::take(&mut self.sent) {
                self.event(line, Event::Returned(message))?;
            }
        }
        if self.quiet == PATIENCE {
            self.quiet = 0;
            self.event(line, Event::Timer(Timer::Request))?;
        }
        if self.waits == Waits::ForNothing {
            let arrives = self.rounds == 0;
            self.waits = if arrives { Waits::ForAll } else { Waits::ForLock };
            self.event(line, if arrives { Event::Arrive } else { Event::Acquire })?;
        }
        Ok(())
    }
}

fn run(name: &str, rounds: u32) -> Result<(), Error> {
    let mut line = Line::open(name)?;
    // A board that starts loses the first bytes; a second without a byte ends a request.
    let mut id = line.read(0, ID.offset);
    for _ in 0..3 {
        if id.is_err() {
            id = line.read(0, ID.offset);
        }
    }
    let mut found = 0;
    while found < 8 && line.read(found, ID.offset).is_ok_and(|id| id == ID.reset) {
        found += 1;
    }
    if found < 2 {
        return Err(format!("{found} boards answer ({id:?}); the ring needs two").into());
    }
    for board in 0..found {
        for op in boards::configure(NodeId(board), 1, 2_000, 4_000) {
            line.carry_out(board, op)?;
        }
    }
    let end = Instant::now() + Duration::from_secs(60);
    let in_time = || if Instant::now() < end { Ok(()) } else { Err("not done in 60 s") };
    for board in 0..found {
        while line.read(board, STATUS.offset)? & 1 == 0 {
            in_time()?;
        }
    }
    let before = line.read(0, COUNTER)?;
    let members: Nodes = (0..found).map(NodeId).collect();
    let mut nodes: Vec<Node> = (0..found)
        .map(|board| Node {
            board,
            lock: RingQueue::new(NodeId(board), LOCK, NodeId(0), Order::Confirmed),
            barrier: Ring::new(Member::new(NodeId(board), members)),
            rounds,
            waits: Waits::ForNothing,
            quiet: 0,
            sent: Vec::new(),
        })
        .collect();
    while nodes.iter().any(|node| node.waits != Waits::Ended) {
        in_time()?;
        for node in &mut nodes {
            node.step(&mut line)?;
        }
    }
    for board in 0..found {
        let sum = line.read(board, COUNTER)?.wrapping_sub(before);
        if sum != rounds * u32::from(found) {
            return Err(format!("board {board}: the counter grew by {sum}").into());
        }
        println!("board {board}: the counter grew by {sum}");
    }
    Ok(())
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let rounds = words.get(1).map_or(Ok(3), |word| word.parse());
    let ([name] | [name, _], Ok(rounds)) = (&words[..], rounds) else {
        eprintln!("serial_boards LINE [ROUNDS]: LINE is a serial device with boards on it");
        return ExitCode::from(2);
    };
    match run(name, rounds) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{name}: {error}");
            ExitCode::FAILURE
        }
    }
}
