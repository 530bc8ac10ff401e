// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host whose rewriting is refused.

use super::{Case, Worker};
use crate::ring::boards::{Aim, BoardRing, BoardScenario, bytes, configure};
use awgstar_frame::quantity::{ByteAddress, Cycle, NodeId};

const FIBRE: u32 = 4;

/// Runs three boards in which host 0, which writes all the time, rewrites its area while the ring
/// is dark for `cycles`. Returns the area as the host knows it, as the boards have it, and the
/// number of refused words.
fn dark_for(cycles: u64, seed: u64) -> (Vec<u8>, [Vec<u8>; 3], u64) {
    let fibre = vec![FIBRE; 3];
    let mut ring = BoardRing::new(&BoardScenario { fibre, ..BoardScenario::new(3) }).unwrap();
    for i in 0..3 {
        ring.push(i, configure(NodeId::at(i), 1, 600, 400)).unwrap();
    }
    ring.run_until(Cycle(6_000));
    let mut worker = Worker::new(&Case { pause: 1, seed, ..Case::new(3, 2) }, 0);
    worker.area = 0..1_536;
    let run = |ring: &mut BoardRing, worker: &mut Worker, cycles: u64| {
        for _ in 0..cycles {
            worker.step(ring, 0).unwrap();
            ring.step();
        }
    };
    worker.rewrite(worker.area.clone());
    while worker.jobs[0].words.is_empty() {
        run(&mut ring, &mut worker, 1);
    }
    // No room is left after a while, and after eight timeouts boards refuse words.
    worker.works = true;
    ring.aim(1, None).unwrap();
    run(&mut ring, &mut worker, cycles);
    ring.aim(1, Some(Aim { to: 2, delay: FIBRE })).unwrap();
    run(&mut ring, &mut worker, 6_000);
    worker.works = false;
    while !worker.idle_job() || Worker::outstanding(&ring, 0) > 0 {
        assert!(ring.cycle() < Cycle(200_000));
        run(&mut ring, &mut worker, 1);
    }
    run(&mut ring, &mut worker, 600);
    let found = [0, 1, 2].map(|i| bytes(ring.board(i), ByteAddress(0), worker.area.len()));
    (worker.image(worker.log.len()), found, worker.refused)
}

/// With 16 boards the campaign found a host that rewrote a refused chunk with the values read
/// before, and so undid an own write that its board had accepted in between. A refused chunk is
/// read again.
#[test]
fn a_refused_chunk_is_read_again() {
    for seed in 0..16 {
        for cycles in [8_000, 10_000] {
            let (known, found, refused) = dark_for(cycles, seed);
            assert!(refused > 100, "seed {seed}, dark for {cycles}: {refused} refused");
            for (board, found) in found.iter().enumerate() {
                let at = known.iter().zip(found).position(|(a, b)| a != b);
                assert_eq!(at, None, "seed {seed}, dark for {cycles}, board {board}: first byte");
            }
        }
    }
}
