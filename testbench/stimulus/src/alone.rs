// SPDX-License-Identifier: MIT OR Apache-2.0
//! A block of the board alone, for what no board of the default size can be brought to.

use crate::case::Case;
use crate::machine::machine;
use awgstar::{
    contract::limits::DATA_MAX,
    ring::RESET_CYCLES,
    rtl::{Parameters, WriteCombiner, write_combiner, write_combiner::Inputs},
};

machine!(WriteCombiner, write_combiner, Parameters::DEFAULT);

/// Words of a full frame.
const FRAME: u32 = 256;

/// Inputs with a word of the host.
fn piece(inputs: &Inputs, word: u32) -> Inputs {
    Inputs { put_valid: true, put_addr: 4 * word, put_len: 4, put_data: word, ..*inputs }
}

/// One block of 17 full frames: Act_Seq goes beyond 15 and begins anew (WRT-4). 16 KB, the memory of the
/// default size, are over with frame 16. Then words one a cycle with COMBINE 0, each a frame (WRT-3): a
/// board with AXI4-Lite has none so near.
#[must_use]
pub fn long_block() -> Case<WriteCombiner> {
    let mut inputs = Vec::new();
    for _ in 0..RESET_CYCLES.0 {
        inputs.push(Inputs { rst: true, ..Inputs::default() });
    }
    let block = 17 * DATA_MAX / 4;
    let words = block + 4;
    let mut combiner = WriteCombiner::default();
    let mut word = 0u32;
    while (word as usize) < words {
        let now = Inputs {
            cfg_combine: if (word as usize) < block { 9 } else { 0 },
            put_valid: true,
            put_addr: 4 * word,
            put_len: 4,
            put_data: word,
            word_room: true,
            frame_room: true,
            ..Inputs::default()
        };
        word += u32::from(combiner.outputs(&now).put_ready);
        combiner.clock(&now);
        inputs.push(now);
    }
    // Full frames that an order closes in their first cycle without a piece, and a word that finds no room in
    // an open frame: the block goes on behind each.
    combiner.clock(&Inputs::default());
    inputs.push(Inputs::default());
    let quiet = Inputs { cfg_combine: 9, frame_room: true, ..Inputs::default() };
    for (flush, e_flush) in [(true, false), (false, true)] {
        let end = word + FRAME;
        while word < end {
            let put = Inputs { word_room: true, ..piece(&quiet, word) };
            word += u32::from(combiner.outputs(&put).put_ready);
            combiner.clock(&put);
            inputs.push(put);
        }
        for next in [Inputs { flush, e_flush, ..quiet }, piece(&quiet, word), piece(&quiet, word)] {
            combiner.clock(&next);
            inputs.push(next);
        }
    }
    for word_room in [true, false, true] {
        let next = Inputs { word_room, ..piece(&quiet, word) };
        word += u32::from(combiner.outputs(&next).put_ready);
        combiner.clock(&next);
        inputs.push(next);
    }
    Case::fed(inputs)
}
