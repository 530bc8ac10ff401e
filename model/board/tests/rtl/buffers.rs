// SPDX-License-Identifier: MIT OR Apache-2.0
//! `insert_buffer` against a queue, and `order_gate`. Checks NODE-9, NODE-10.

use super::seeded::seeded;
use awgstar_board::rtl::state::State;
use awgstar_board::rtl::{InsertBuffer, OrderGate, Parameters, insert_buffer, order_gate};
use proptest::prelude::*;
use std::collections::VecDeque;

proptest! {
    #![proptest_config(seeded(32))]

    /// NODE-9: a first-in, first-out queue of 512 words; a word can be read in the cycle after it
    /// was written.
    #[test]
    fn insert_buffer_is_a_queue(
        bursts in prop::collection::vec((0u8..4, 0u8..4, 1usize..300), 1..40), seed: u32,
    ) {
        let mut buffer = InsertBuffer::default();
        let mut queue: VecDeque<u64> = VecDeque::new();
        let mut next = u64::from(seed);
        for (write, read, cycles) in bursts {
            for cycle in 0..cycles {
                let o = buffer.outputs();
                prop_assert_eq!(usize::from(o.words), queue.len());
                if let Some(&head) = queue.front() {
                    prop_assert_eq!(o.rd_word, head);
                }
                let on = |rate: u8| cycle % 3 < usize::from(rate);
                let i = insert_buffer::Inputs {
                    rst: false,
                    wr_valid: on(write),
                    wr_word: next & 0xf_ffff_ffff,
                    rd_ready: on(read),
                };
                if i.wr_valid && queue.len() < buffer.mem.len() {
                    // A full buffer does not take a word even when one leaves.
                    queue.push_back(i.wr_word);
                    next = next.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                    if i.rd_ready && queue.len() > 1 {
                        queue.pop_front();
                    }
                } else if i.rd_ready {
                    queue.pop_front();
                }
                buffer.clock(&i);
            }
        }
    }

    /// NODE-10: the gate opens when as many words have left as lay there when the request came.
    #[test]
    fn order_gate_counts(words in 0u16..512, pops in prop::collection::vec(any::<bool>(), 1200), first_pop: bool) {
        let mut gate = OrderGate::default();
        prop_assert!(!gate.outputs().open);
        let first_pop = first_pop && words > 0;
        let mut left = words - u16::from(first_pop);
        gate.clock(&order_gate::Inputs { rst: false, req: true, grant: false, words, pop: first_pop });
        for pop in pops {
            prop_assert_eq!(gate.outputs().open, left == 0);
            let i = order_gate::Inputs { rst: false, req: true, grant: false, words: 500, pop };
            gate.clock(&i);
            left = left.saturating_sub(u16::from(pop));
        }
        gate.clock(&order_gate::Inputs { rst: false, req: true, grant: true, words: 0, pop: false });
        prop_assert!(!gate.outputs().open, "closed behind each grant");
    }
}

/// The longest buffer: the mask of its count of words has all bits of a `u16`. It was computed with an overflow, so
/// that a node with `BUFFER_ADDR_W` 15 panicked in its first cycle in a build with checks.
#[test]
fn the_longest_insert_buffer_fills() {
    let parameters = Parameters::DEFAULT.parse("ring_node", ["BUFFER_ADDR_W=15"]).unwrap();
    let mut buffer = InsertBuffer::new(&parameters);
    let push =
        |wr_word| insert_buffer::Inputs { rst: false, wr_valid: true, wr_word, rd_ready: false };
    for word in 0..1 << 15 {
        buffer.clock(&push(word));
    }
    let o = buffer.outputs();
    assert_eq!((o.words, o.rd_word), (1 << 15, 0));
    buffer.clock(&push(7));
    assert_eq!(buffer.outputs().words, 1 << 15, "a full buffer takes no word");
}
