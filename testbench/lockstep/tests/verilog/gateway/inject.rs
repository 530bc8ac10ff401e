// SPDX-License-Identifier: MIT OR Apache-2.0
//! `window_inject`: words, a host, and a board that answers at once, late, or with an error.

use super::agrees;
use crate::link::Tool;
use awgstar::random::SplitMix64;
use awgstar::rtl::window_inject::{self, WindowInject};
use awgstar_stimulus::Case;
use std::collections::VecDeque;

/// What a case reaches.
#[derive(Debug, Default)]
struct Reached {
    written: u64,
    in_a_row: u64,
    refused: u64,
    late: u64,
    host: u64,
    host_refused: u64,
    both: u64,
    resets: u64,
}

/// Inputs, what was reached, and what went wrong: a word lost, doubled or out of order, an answer for the wrong one, a
/// request that changed before its answer, or one that did not get its turn.
#[expect(clippy::cast_possible_truncation, reason = "parts of words")]
fn case(seed: u64, cycles: usize) -> (Case<WindowInject>, Reached, Vec<String>) {
    let mut random = SplitMix64::new(seed);
    let mut model = WindowInject::default();
    let (mut reached, mut wrong) = (Reached::default(), Vec::new());
    let mut inputs = Vec::new();
    // Words that were taken and are not written yet, with the cycle in which they were taken.
    let mut waiting: VecDeque<(u64, usize)> = VecDeque::new();
    let mut host: Option<(bool, u32, u32, u8)> = None;
    let mut offered: Option<u64> = None;
    let mut under_way: Option<(bool, u32, u32, u8)> = None;
    // Answers for the other while one waits.
    let (mut word_waits, mut host_waits) = (0, 0);
    let (mut pace, mut last_stored) = ((4, 4, 4), false);
    for cycle in 0..cycles {
        if cycle % 64 == 0 {
            pace = [(8, 0, 8), (8, 8, 8), (2, 2, 8), (8, 8, 2), (0, 8, 4), (4, 4, 1)]
                [random.number::<usize>(6)];
        }
        let rst = cycle < 3 || cycle % 5000 == 4999;
        if host.is_none() && random.below(8) < pace.1 {
            let any = random.next_u64();
            host =
                Some((any & 1 != 0, (any >> 8) as u32, (any >> 32) as u32, (any >> 1) as u8 & 15));
        }
        if offered.is_none() && random.below(8) < pace.0 {
            offered = Some(random.next_u64());
        }
        let (write, addr, wdata, wstrb) = host.unwrap_or((
            random.below(2) == 0,
            random.next_u32(),
            random.next_u32(),
            random.number(16),
        ));
        let mut i = window_inject::Inputs {
            rst,
            s_valid: offered.is_some(),
            s_word: offered.unwrap_or_else(|| random.next_u64()),
            h_valid: host.is_some(),
            h_write: write,
            h_addr: addr,
            h_wdata: wdata,
            h_wstrb: wstrb,
            rsp_valid: false,
            rsp_error: random.below(2) == 0,
            rsp_rdata: random.next_u32(),
        };
        let asks = model.outputs(&i);
        if asks.req_valid {
            i.rsp_valid = random.below(8) < pace.2;
            i.rsp_error = random.below(6) == 0;
        }
        let o = model.outputs(&i);
        inputs.push(i);
        model.clock(&i);
        if rst {
            // What was taken is gone; the host of a board in reset begins anew.
            (host, under_way) = (None, None);
            waiting.clear();
            (word_waits, host_waits, last_stored) = (0, 0, false);
            if cycle > 3 {
                reached.resets += 1;
            }
            continue;
        }
        let request = (o.req_write, o.req_addr, o.req_wdata, o.req_wstrb);
        let asking = waiting.front().filter(|&&(_, taken)| cycle >= taken + 2);
        let word = asking.map(|&(word, _)| {
            // GWY-6: to the window (HST-2), at the address of the word.
            let addr = 0x8000_0000 + ((word >> 36) as u32 & 0x0FFF_FFFF) * 4;
            (true, addr, word as u32, (word >> 32) as u8 & 15)
        });
        let (due, count) = (word.is_some(), waiting.len());
        let (mut stored, mut said) = (false, Vec::new());
        if under_way.is_some_and(|before| !o.req_valid || before != request) {
            said.push("changed before its answer".to_owned());
        }
        if o.req_valid != (host.is_some() || due) {
            said.push("a request that is none, or is missing".into());
        }
        if o.req_valid && i.rsp_valid {
            under_way = None;
            if o.h_done {
                if host != Some(request) || o.h_error != i.rsp_error || o.h_rdata != i.rsp_rdata {
                    said.push(format!("not what the host asked for: {request:?}"));
                }
                reached.host += 1;
                reached.host_refused += u64::from(i.rsp_error);
                host = None;
                host_waits = 0;
                word_waits += u64::from(due);
            } else {
                if word != Some(request) {
                    said.push(format!("not the word that is due: {request:?}"));
                }
                if i.rsp_error {
                    reached.refused += 1;
                } else {
                    waiting.pop_front();
                    stored = true;
                    reached.written += 1;
                    reached.in_a_row += u64::from(last_stored);
                }
                word_waits = 0;
                host_waits += u64::from(host.is_some());
            }
            reached.both += u64::from(i.h_valid && due);
        } else if o.req_valid {
            under_way = Some(request);
            reached.late += 1;
        } else if o.h_done {
            said.push("an answer without a request".into());
        }
        // GWY-7: one answer for the other at most, and the one that was under way.
        if word_waits > 1 || host_waits > 2 {
            said.push(format!("no turn: {word_waits} {host_waits}"));
        }
        if o.s_ready && i.s_valid {
            waiting.extend(offered.take().map(|word| (word, cycle)));
        }
        if count > 2 {
            said.push(format!("{count} words taken"));
        }
        last_stored = stored;
        wrong.extend(said.into_iter().map(|text| format!("cycle {cycle}: {text}")));
    }
    (Case::fed(inputs), reached, wrong)
}

/// The inputs alone.
pub(super) fn inputs(seed: u64, cycles: usize) -> Case<WindowInject> {
    case(seed, cycles).0
}

fn holds(tool: Tool, seed: u64, cycles: usize) {
    let (case, reached, wrong) = case(seed, cycles);
    println!("{tool:?}, seed {seed}: {reached:?}");
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(9)]);
    let Reached { written, in_a_row, refused, late, host, host_refused, both, resets } = reached;
    for count in [written, in_a_row, refused, late, host, host_refused, both] {
        assert!(count > 50, "{reached:?}");
    }
    assert!(resets > 0, "{reached:?}");
    agrees(tool, case);
}

// checks GWY-6, GWY-7
#[test]
fn inject_is_its_model() {
    holds(Tool::Icarus, 1, 10_000);
    holds(Tool::Verilator, 2, 100_000);
}
