//! The host's accesses to its board: what the driver does with registers (docs/programming.md).

use crate::contract::{
    Interrupt, Order, Token,
    board::{IRQ_ENABLE, IRQ_STATUS, MAIL_COUNT, MAIL_DATA, MAIL_POP, Register},
};
use crate::firmware::{Message, MessageError, message::MESSAGE_BYTES};
use crate::ring::{
    HostOp, HostResult,
    boards::{register, send_signal},
};

/// Interrupts that the driver handles.
pub(super) const EVENTS: u32 = 1 << Interrupt::Mail.code() | 1 << Interrupt::SignalDone.code();

const fn read(register: &Register, index: u32) -> HostOp {
    HostOp::Read { addr: register.offset + 4 * index }
}

pub(super) const fn enable() -> HostOp {
    register(&IRQ_ENABLE, EVENTS)
}

pub(super) const fn status() -> HostOp {
    read(&IRQ_STATUS, 0)
}

pub(super) const fn clear(events: u32) -> HostOp {
    register(&IRQ_STATUS, events)
}

pub(super) const fn mails() -> HostOp {
    read(&MAIL_COUNT, 0)
}

/// The oldest message: what a [`Message`] needs of it, and away with it.
pub(super) fn take_mail() -> [HostOp; 6] {
    let word = |index| read(&MAIL_DATA, index);
    [word(0), word(2), word(4), word(5), word(6), register(&MAIL_POP, 1)]
}

/// The message that [`take_mail`] read.
pub(super) fn mail(results: &[HostResult]) -> Result<Message, MessageError> {
    let word = |index: usize| results.get(index).map_or(0, |result| result.data);
    let (header, mac) = (word(0), word(1));
    let [codes, node_id, ..] = header.to_be_bytes();
    let [_, source, ..] = mac.to_be_bytes();
    let token = Token::from_code(codes >> 5).unwrap_or(Token::Control);
    let mut data = [0; 12];
    for (index, bytes) in data.chunks_mut(4).enumerate() {
        bytes.copy_from_slice(&word(2 + index).to_le_bytes());
    }
    Message::read((token, codes & 0x1f), source, node_id, &data[..MESSAGE_BYTES])
}

/// Accesses that send a message.
pub(super) fn send(message: &Message, order: Order) -> Vec<HostOp> {
    let signal = message.signal;
    send_signal(signal.token(), signal.c_st(), message.node_id, order, &message.data())
}
