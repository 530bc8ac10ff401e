// SPDX-License-Identifier: MIT OR Apache-2.0
//! Four programs add to one counter under a lock and meet at a barrier.
//!
//! `cargo run -p awgstar --example lock_and_barrier`

use awgstar::host::{Choice, DrivenRing, Handle, Program, Setup, Stopped};
use awgstar::quantity::{ByteAddress, Cycle};

const COUNTER: ByteAddress = ByteAddress(0x40); // byte address in the shared memory
const LOCK: u32 = 1;
const ROUNDS: u32 = 5;

fn program(host: &mut Handle) -> Result<(), Stopped> {
    for _ in 0..ROUNDS {
        host.lock(LOCK)?;
        let value = host.read(COUNTER)?;
        host.write(COUNTER, value + 1)?;
        host.unlock(LOCK)?;
    }
    host.barrier()?;
    let value = host.read(COUNTER)?;
    assert_eq!(value, 4 * ROUNDS, "every addition counts");
    println!("node {}, cycle {}: the counter is {value}", host.node(), host.cycle());
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut system = DrivenRing::new(Choice::new(), &Setup::new(4, 4))?; // nodes, cycles of fibre
    let programs = (0..4).map(|_| -> Program { Box::new(program) }).collect();
    for end in system.run_programs(Cycle(2_000_000), programs)? {
        end?;
    }
    Ok(())
}
