// SPDX-License-Identifier: MIT OR Apache-2.0
//! The host's accesses to its board: what the driver does with registers (docs/programming.md).

use awgstar_board::ring::{
    HostOp, HostResult,
    boards::{Engine, configure_engine, register, send_signal},
};
use awgstar_frame::contract::{
    Interrupt, Order, Signal, Token,
    board::{
        BARRIER_ARRIVE, BARRIER_WAITING, ENGINE_IRQ_STATUS, FLUSH, FRAMES, IRQ_ENABLE, IRQ_STATUS,
        LOCK_ACQUIRE, LOCK_HELD, LOCK_RELEASE, MAIL_COUNT, MAIL_DATA, MAIL_POP, Register, STATUS,
    },
};
use awgstar_frame::quantity::{Cycle, NodeId};
use awgstar_request::{PROCESS_C_ST, ProcessSignal, SIGNAL_BYTES};
use awgstar_sync::firmware::{Message, MessageError, message::MESSAGE_BYTES};

/// Interrupts that the driver handles.
pub(super) const EVENTS: u32 = 1 << Interrupt::Mail.code() | 1 << Interrupt::SignalDone.code();

/// The event that a signal was lost.
pub(super) const MAIL_FULL: u32 = 1 << Interrupt::MailFull.code();

fn read(register: &Register, index: u32) -> HostOp {
    HostOp::Read { addr: register.offset + 4 * index }
}

pub(super) const fn enable() -> HostOp {
    register(&IRQ_ENABLE, EVENTS)
}

/// Accesses before a board is enabled: its interrupts, and its engine if the host uses it.
pub(super) fn begin(engine: Option<&Engine>) -> Vec<HostOp> {
    [enable()].into_iter().chain(engine.into_iter().flat_map(configure_engine)).collect()
}

pub(super) fn status() -> HostOp {
    read(&IRQ_STATUS, 0)
}

pub(super) fn engine_status() -> HostOp {
    read(&ENGINE_IRQ_STATUS, 0)
}

pub(super) const fn clear_engine(events: u32) -> HostOp {
    register(&ENGINE_IRQ_STATUS, events)
}

pub(super) const fn acquire(lock: u32) -> HostOp {
    register(&LOCK_ACQUIRE, lock)
}

pub(super) const fn release(lock: u32) -> HostOp {
    register(&LOCK_RELEASE, lock)
}

pub(super) const fn arrive(barrier: u32) -> HostOp {
    register(&BARRIER_ARRIVE, barrier)
}

/// Locks that the process has.
pub(super) fn held() -> HostOp {
    read(&LOCK_HELD, 0)
}

/// Barriers at which the process waits.
pub(super) fn waiting() -> HostOp {
    read(&BARRIER_WAITING, 0)
}

pub(super) fn board_status() -> HostOp {
    read(&STATUS, 0)
}

pub(super) const fn clear(events: u32) -> HostOp {
    register(&IRQ_STATUS, events)
}

pub(super) fn mails() -> HostOp {
    read(&MAIL_COUNT, 0)
}

/// Numbers of data frames.
pub(super) fn frames() -> HostOp {
    read(&FRAMES, 0)
}

/// The data frame under way is closed.
pub(super) const fn close() -> HostOp {
    register(&FLUSH, 1)
}

/// The data frame under way is closed; then the numbers.
pub(super) fn flush() -> [HostOp; 2] {
    [close(), frames()]
}

/// Cycles between two reads of a word, or of the numbers of data frames.
pub(super) const PAUSE: Cycle = Cycle(8);

/// The numbers that `FRAMES` has: of the oldest data frame that is not confirmed, and of the next.
pub(super) const fn numbers(frames: u32) -> (u8, u8) {
    let [base, _, tail, _] = frames.to_le_bytes();
    (base, tail)
}

/// All data frames before this number are confirmed. At most 16 are under way.
pub(super) const fn confirmed(mark: u8, base: u8) -> bool {
    mark.wrapping_sub(base).wrapping_sub(1) >= 0x80
}

/// Words of a message that were read: TOKEN to Node_ID, MAC, and the first three of Data. What its
/// signal does not have stays zero.
pub(super) type Words = [u32; 5];
/// Index of the words in `MAIL_DATA`.
const INDEX: [u32; 5] = [0, 2, 4, 5, 6];
/// Number of these words that every signal has: a host that reads no more than it needs keeps pace
/// with the ring.
const HEAD: usize = 3;

/// Reads the part of the oldest message that every message has.
pub(super) fn take_head() -> [HostOp; HEAD] {
    [0, 1, 2].map(|i| read(&MAIL_DATA, INDEX[i]))
}

/// The words that [`take_head`] read.
pub(super) fn head(results: &[HostResult], words: &mut Words) {
    let first = results.len().saturating_sub(HEAD);
    *words = Words::default();
    for (word, result) in words.iter_mut().zip(&results[first..]) {
        *word = result.data;
    }
}

/// Further words that a message with this head has.
pub(super) fn rest(words: &Words) -> Vec<HostOp> {
    let fields = codes(words).and_then(|(token, c_st)| Signal::from_codes(token, c_st));
    let end = fields.into_iter().flat_map(Signal::fields).map(|f| f.offset + f.bytes).max();
    let of_process = codes(words).is_some_and(|(_, c_st)| c_st == PROCESS_C_ST);
    let end = if of_process { Some(SIGNAL_BYTES) } else { end };
    let words = end.unwrap_or(0).div_ceil(4);
    INDEX[HEAD..].iter().take(words.saturating_sub(1)).map(|&i| read(&MAIL_DATA, i)).collect()
}

/// The words that [`rest`] read.
pub(super) fn body(results: &[HostResult], words: &mut Words) {
    for (word, result) in words[HEAD..].iter_mut().zip(results) {
        *word = result.data;
    }
}

/// Away with the oldest message.
pub(super) const fn pop() -> HostOp {
    register(&MAIL_POP, 1)
}

fn codes(words: &Words) -> Option<(Token, u8)> {
    let code = words[0].to_be_bytes()[0];
    Some((Token::from_code(code >> 5)?, code & 0x1f))
}

/// A message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mail {
    Firmware(Message),
    Process(ProcessSignal),
}

/// The message in these words.
pub(super) fn mail(words: &Words) -> Result<Mail, MessageError> {
    let [_, node_id, ..] = words[0].to_be_bytes();
    let [_, source, ..] = words[1].to_be_bytes();
    let (source, node_id) = (NodeId(source), NodeId(node_id));
    let mut data = [0; 12];
    for (bytes, word) in data.chunks_mut(4).zip(&words[2..]) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    let codes = codes(words).unwrap_or((Token::Control, 0));
    if let Some((first, _)) = data.split_first_chunk()
        && let Some(signal) = ProcessSignal::read(codes, source, node_id, *first)
    {
        return Ok(Mail::Process(signal));
    }
    Message::read(codes, source, node_id, &data[..MESSAGE_BYTES]).map(Mail::Firmware)
}

/// Accesses that send a message.
pub(super) fn send(mail: &Mail, order: Order) -> Vec<HostOp> {
    match mail {
        Mail::Firmware(message) => {
            let signal = message.signal;
            send_signal(signal.token(), signal.c_st(), message.node_id, order, &message.data())
        }
        Mail::Process(signal) => {
            let to = signal.to.unwrap_or_default();
            send_signal(signal.token(), PROCESS_C_ST, to, order, &signal.data())
        }
    }
}
