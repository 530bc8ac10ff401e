// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of memory in one step, as words of a slot.

use awgstar_frame::quantity::narrow;
use awgstar_request::{Change, Kind, Op, UPDATE_BYTES, Update};

/// Operations, in the order of their codes; codes of the kinds of an accumulate come after them.
const OPS: [Op; 7] = [Op::Add, Op::Swap, Op::CompareSwap, Op::And, Op::Or, Op::Xor, Op::Fetch];

/// Bytes of the codes: what is done, and bytes of the value or of the data.
const CODES: usize = 8;

/// The words of a change, as bytes.
pub(crate) fn bytes(change: &Change) -> Vec<u8> {
    let position = match change {
        Change::Update(update) => OPS.iter().position(|op| *op == update.op),
        Change::Accumulate { kind, .. } => {
            Kind::ALL.iter().position(|one| one == kind).map(|at| at + OPS.len())
        }
    };
    let code: u32 = narrow(position.unwrap_or_default());
    let size: u32 = narrow(change.bytes());
    let mut all = [code.to_le_bytes(), size.to_le_bytes()].concat();
    match change {
        Change::Update(update) => {
            all.extend(update.operand);
            all.extend(update.expected);
        }
        Change::Accumulate { scale, data, .. } => {
            all.extend(scale);
            all.extend(&**data);
        }
    }
    all
}

/// The change in so many words; `None` if there is no such one.
pub(crate) fn read(word: impl Fn(usize) -> u32, words: usize) -> Option<Change> {
    let all: Vec<u8> = (0..words).flat_map(|at| word(at).to_le_bytes()).collect();
    let (codes, rest) = all.split_first_chunk::<CODES>()?;
    let (first, rest) = rest.split_first_chunk::<UPDATE_BYTES>()?;
    let [code, size] = [0, 4].map(|at| {
        let code: [u8; 4] = std::array::from_fn(|byte| codes[at + byte]);
        u32::from_le_bytes(code) as usize
    });
    if let Some(&op) = OPS.get(code) {
        let expected = *rest.first_chunk()?;
        let bytes = u8::try_from(size).ok()?;
        let update = Update { op, bytes, operand: *first, expected };
        return update.is_valid().then_some(Change::Update(update));
    }
    let kind = *Kind::ALL.get(code - OPS.len())?;
    let whole = size > 0 && size == rest.len() && size.is_multiple_of(kind.bytes());
    whole.then(|| Change::Accumulate { kind, scale: *first, data: rest.into() })
}

/// Bytes of which the address of a change is a multiple: those of a word of it.
pub(crate) fn unit(change: &Change) -> u8 {
    match change {
        Change::Update(update) => update.bytes.min(8),
        Change::Accumulate { kind: Kind::Int32 | Kind::Float32 | Kind::Complex32, .. } => 4,
        Change::Accumulate { .. } => 8,
    }
}
