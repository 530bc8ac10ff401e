// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame-level run of paging beside the cycle-accurate ring.

use awgstar_frame::contract::PageTable;
use awgstar_frame::quantity::Cycle;
use awgstar_host::{Choice, DrivenRing, Handle, Happened, Program, Setup, Stopped, pager::Side};
use awgstar_thesis::paging::{Costs, Load, Pattern, Visit, run};

/// Cycles of a microsecond.
const MHZ: f64 = 67.25;

struct Run {
    /// Cycles until the last process had let its page go.
    cycles: u64,
    swaps: usize,
}

fn program(node: &mut Handle, visits: &[Visit]) -> Result<(), Stopped> {
    for piece in visits.iter().flat_map(|visit| &visit.pieces) {
        for word in 0..piece.words {
            let addr = piece.addr + 4 * word;
            node.pages().write(addr, addr.0 + 1)?;
        }
    }
    Ok(())
}

fn on_the_ring(at: PageTable, visits: &[Vec<Visit>]) -> Run {
    let nodes = visits.len();
    let setup = Setup { records: true, ..Setup::new(nodes, 4) };
    let choice = Choice { pages: Some(at), ..Choice::new() };
    let mut system = DrivenRing::new(choice, &setup).expect("good");
    system.run_until_up(Cycle(1_000_000)).expect("good");
    let begin = system.ring().cycle();
    let programs =
        visits.iter().map(|v| -> Program { Box::new(|node| program(node, v)) }).collect();
    for end in system.run_programs(Cycle(60_000_000), programs).expect("in time") {
        end.expect("good");
    }
    system.settle(Cycle(1_000_000)).expect("in time");
    let records = system.take_records();
    let pages = |side| {
        records.iter().filter_map(move |record| match &record.what {
            Happened::Pages(one, state) if *one == side => Some((record.cycle, state)),
            _ => None,
        })
    };
    let end = pages(Side::Process).filter(|(_, state)| *state == "idle").map(|one| one.0).max();
    // A request that comes meanwhile changes the state's words, not the page.
    let copies = pages(Side::Master).filter_map(|one| {
        let (state, _) = one.1.split_once(", in")?;
        state.starts_with("master copying_in").then(|| state.to_string())
    });
    let mut copies: Vec<String> = copies.collect();
    copies.dedup();
    let swaps = copies.len();
    Run { cycles: (end.expect("a process ended") - begin).0, swaps }
}

/// Every run takes what it takes on the ring, to a fifth; all together, to a twentieth.
#[test]
fn frame_level_times_are_those_of_the_ring() {
    let mut ratios = Vec::new();
    for nodes in [2_u32, 3, 4] {
        for (page_bytes, pages, frames) in [(64, 64, 16), (256, 16, 8), (1024, 16, 4)] {
            for pattern in [Pattern::Sequential, Pattern::Strided(512), Pattern::Random(8)] {
                let bytes = page_bytes * u32::from(pages);
                let processes = u8::try_from(nodes).expect("small");
                let at = PageTable::new(page_bytes, pages, frames, processes);
                let words = if pattern == Pattern::Sequential { bytes / 4 / nodes } else { 60 };
                let visits: Vec<_> = (0..nodes)
                    .map(|i| pattern.pieces((i, nodes), bytes, words, 1))
                    .map(|pieces| Pattern::visits(&pieces, &at).expect("within the pages"))
                    .collect();
                let ring = on_the_ring(at, &visits);
                let figures = run(&Load { at, costs: Costs::board(10), visits });
                #[expect(clippy::cast_precision_loss, reason = "cycles")]
                let (cycles, ns) = (ring.cycles as f64, figures.time.0 as f64);
                let ratio = ns * MHZ / 1000.0 / cycles;
                let name = pattern.name();
                println!(
                    "| {nodes} | {page_bytes} | {name} | {cycles} | {:.1} | {:.1} | {ratio:.2} |",
                    cycles / MHZ,
                    ns / 1000.0
                );
                assert!((0.8..1.25).contains(&ratio), "{nodes} {page_bytes} {name}: {ratio}");
                let swaps = u64::try_from(ring.swaps).expect("small");
                assert!(figures.swaps > 0 && figures.swaps.abs_diff(swaps) * 3 < swaps + 6);
                ratios.push(ratio.ln());
            }
        }
    }
    #[expect(clippy::cast_precision_loss, reason = "a few")]
    let mean = (ratios.iter().sum::<f64>() / ratios.len() as f64).exp();
    assert!((0.95..1.05).contains(&mean), "all together {mean}");
}
