// SPDX-License-Identifier: MIT OR Apache-2.0
//! A design that is pushed.

use super::probe::{Inputs, Probe, RARE, inputs, sample, words};
use super::shown::{blur, design, flip, wires};
use awgstar_compare::{
    Comparison, Difference, Divergence, Kind, Refused, Rules, Sample, Seen, Starts, text,
};
use awgstar_stimulus::machine::Machine;

/// Cycles of a run.
const CYCLES: u64 = 40;

/// What the design shows otherwise in a cycle, and what it does at an edge.
type Change<'a> = &'a dyn Fn(u64, &mut Sample);
type Clock<'a> = &'a dyn Fn(u64, &mut Probe, &Inputs);

/// A run of a design in which `change` alters what it shows.
fn run_of(
    mut design: Probe,
    cycles: u64,
    clock: Clock<'_>,
    change: Change<'_>,
) -> Comparison<Starts<Probe>> {
    let shape = Probe::shape();
    let source = Starts::<Probe>::taking_over(shape);
    let mut comparison = Comparison::new(shape, source, Rules::PUSHED);
    for cycle in 0..cycles {
        let now = inputs(cycle);
        let mut shown = sample(&design, &now);
        change(cycle, &mut shown);
        if !comparison.push(&shown).unwrap() {
            break;
        }
        clock(cycle, &mut design, &now);
    }
    comparison
}

fn run(cycles: u64, change: Change<'_>) -> Comparison<Starts<Probe>> {
    run_of(design(), cycles, &|_, design, now| design.clock(now), change)
}

/// The path, bit and cycle of the first difference.
fn first(comparison: &Comparison<Starts<Probe>>) -> Option<(String, u32, u64)> {
    let first = comparison.found()?.first()?;
    Some((first.path(), first.bit(), first.cycle))
}

fn signals(comparison: &Comparison<Starts<Probe>>) -> Vec<String> {
    comparison.found().map(|d| d.signals.iter().map(Difference::path).collect()).unwrap_or_default()
}

#[test]
fn a_right_design_holds_from_any_start() {
    let mut rare = design();
    rare.registers.full = RARE;
    for start in [design(), Probe::default(), rare] {
        let mut right = run_of(start, CYCLES, &|_, design, now| design.clock(now), &|_, _| ());
        assert_eq!(first(&right), None);
        assert_eq!((right.compared(), right.source().count()), (CYCLES - 1, 1));
        assert!(right.frames()[0] > 3, "{:?}", right.frames());
        assert_eq!(right.finish(), Ok(()));
        assert_eq!(right.push(&Sample::default()), Err(Refused::Finished));
    }
}

/// Each bit of each signal, in the first cycle that is compared, in one in the middle and in the last.
#[test]
fn each_bit_of_each_signal_is_compared_in_each_cycle() {
    let shape = Probe::shape();
    let registers = shape.registers.iter().map(|(path, bits)| (path.as_str(), *bits));
    let outputs = shape.outputs.iter().map(|port| (port.name, port.bits));
    // In cycle 1 the registers that no reset sets are taken over.
    let set = |path: &str, cycle: u64| cycle > 1 || ["valid_q", "long_q"].contains(&path);
    for cycle in [1, 2, 9, CYCLES - 1] {
        for (number, (path, bits)) in registers.clone().enumerate() {
            for bit in (0..bits).filter(|_| set(path, cycle)) {
                let found = run(CYCLES, &|now, sample| {
                    if now == cycle {
                        flip(&mut sample.registers, number, bit);
                    }
                });
                let bit = u32::try_from(bit).unwrap();
                assert_eq!(first(&found), Some((path.to_owned(), bit, cycle)));
                assert_eq!(signals(&found).len(), 1);
            }
        }
        for (number, (path, bits)) in outputs.clone().enumerate() {
            for bit in (0..bits).filter(|_| cycle > 1 || path != "sum") {
                let found = run(CYCLES, &|now, sample| {
                    if now == cycle {
                        flip(&mut sample.outputs, number, bit);
                    }
                });
                let bit = u32::try_from(bit).unwrap();
                assert_eq!(first(&found), Some((path.to_owned(), bit, cycle)));
            }
        }
    }
    for number in 0..words(&design()).len() {
        for bit in 0..4 {
            let found = run(CYCLES, &|now, sample| {
                if now == 9 {
                    sample.words[number].2.value ^= 1 << bit;
                }
            });
            let path = if number < 4 {
                format!("few[{number}]")
            } else {
                format!("u_inner.many[{}]", number - 4)
            };
            assert_eq!(first(&found), Some((path, bit, 9)));
        }
    }
}

#[test]
fn an_x_is_wrong_where_the_model_knows_all_bits() {
    let found = run(CYCLES, &|now, sample| {
        if now == 9 {
            blur(&mut sample.registers, 2, 64);
        }
    });
    assert_eq!(first(&found), Some(("wide_q".into(), 64, 9)));
    let wide = found.found().and_then(Divergence::first).unwrap();
    assert!(wide.is_x() && wide.found().hex(65).starts_with('x'), "{wide:?}");
    // Before the design's state is known it may be X.
    let found = run(CYCLES, &|now, sample| {
        if now < 2 {
            blur(&mut sample.registers, 3, 127);
        }
    });
    assert_eq!(first(&found), None);
    // Inputs with an X: what follows from them is unknown, and the rest is compared.
    let blurred = |now: u64, sample: &mut Sample| {
        if now == 9 {
            blur(&mut sample.inputs, 1, 0);
        } else if now > 9 {
            blur(&mut sample.registers, 1, 0);
        }
    };
    assert_eq!(first(&run(11, &blurred)), None);
    let found = run(11, &|now, sample| {
        blurred(now, sample);
        if now == 10 {
            flip(&mut sample.registers, 4, 7);
        }
    });
    assert_eq!(first(&found), Some(("u_inner.inner_q".into(), 7, 10)));
}

/// A design that is a cycle late or early, from the first cycle on or later.
#[test]
fn a_design_that_is_late_or_early_is_found() {
    let clocks: [Clock<'_>; 2] = [
        &|cycle, design, now| {
            if cycle != 20 {
                design.clock(now);
            }
        },
        &|cycle, design, now| {
            design.clock(now);
            if cycle == 20 {
                design.clock(&inputs(21));
            }
        },
    ];
    for clock in clocks {
        let found = run_of(design(), CYCLES, clock, &|_, _| ());
        assert_eq!(first(&found).map(|(.., cycle)| cycle), Some(21));
    }
}

/// What a reset sets must be so in the first cycle, and what it does not set is taken over with the memories.
#[test]
fn a_reset_that_is_missing_is_found() {
    let reset = |_, design: &mut Probe, now: &Inputs| {
        let kept = design.registers.long_q;
        design.clock(now);
        if now.rst {
            design.registers.long_q = kept;
        }
    };
    let found = run_of(design(), CYCLES, &reset, &|_, _| ());
    assert_eq!(first(&found).map(|(path, _, cycle)| (path, cycle)), Some(("long_q".into(), 1)));
    let mut comparison = Comparison::new(
        Probe::shape(),
        Starts::<Probe>::taking_over(Probe::shape()),
        Rules::PUSHED,
    );
    assert_eq!(comparison.push(&sample(&design(), &inputs(2))), Err(Refused::Reset));
    let mut unknown = sample(&design(), &inputs(0));
    blur(&mut unknown.inputs, 0, 0);
    assert_eq!(comparison.push(&unknown), Err(Refused::Reset));
}

/// Ports beside a `valid` that is 0 have a meaning in a design with all registers only.
#[test]
fn a_design_without_a_register_is_compared_at_its_ports() {
    let foreign = |sample: &mut Sample| sample.registers = vec![None; 5];
    let noise = |now: u64, sample: &mut Sample| {
        foreign(sample);
        if sample.outputs[4] == Some(Seen::known(0)) && now > 1 {
            flip(&mut sample.outputs, 1, 3);
            blur(&mut sample.outputs, 3, 0);
        }
        // A lane that `tkeep` leaves out.
        if now > 1 {
            flip(&mut sample.outputs, 1, 31);
        }
        // What `wide_q` was is not known.
        if now > 5 {
            flip(&mut sample.outputs, 0, 5);
        }
    };
    assert_eq!(first(&run(CYCLES, &noise)), None);
    for (number, path) in [(4, "m_axis_tvalid"), (1, "m_axis_tdata"), (2, "m_axis_tkeep")] {
        // The model has a word on its output in cycle 12.
        let found = run(CYCLES, &|now, sample| {
            noise(now, sample);
            if now == 12 {
                assert_eq!(sample.outputs[4], Some(Seen::known(1)));
                flip(&mut sample.outputs, number, 0);
            }
        });
        assert_eq!(first(&found), Some((path.into(), 0, 12)));
    }
    // Memories that are not in the first cycle, and outputs.
    let found = run(CYCLES, &|now, sample| {
        sample.outputs[3] = None;
        sample.words.retain(|word| word.0 == 1);
        if now == 9 {
            sample.words.push((0, 0, Seen::known(9)));
        }
    });
    assert_eq!(first(&found), None);
}

#[test]
fn a_report_begins_upstream() {
    let found = run(CYCLES, &|now, sample| {
        if now == 12 {
            (0..5).for_each(|number| flip(&mut sample.outputs, number, 0));
            (0..5).for_each(|number| flip(&mut sample.registers, number, 0));
            sample.words[3].2.value ^= 1;
            sample.words[4].2.value ^= 1;
        }
    });
    let order = [
        "valid_q",
        "long_q",
        "wide_q",
        "full",
        "few[3]",
        "u_inner.inner_q",
        "u_inner.many[0]",
        "sum",
        "m_axis_tvalid",
        "m_axis_tdata",
        "m_axis_tkeep",
        "m_axis_tlast",
    ];
    assert_eq!(signals(&found), order);
    let report = text::render(found.found().unwrap());
    assert!(report.starts_with("model and Verilog differ in cycle 12, node 0\n"), "{report}");
    // The inputs of cycle 11.
    assert!(report.contains("s_axis_tkeep 4'hd"), "{report}");
    assert_eq!(run(CYCLES, &|_, _| ()).found().map(text::render), None);
}

/// The design feeds the instance with another value in cycle 8, and its register differs in cycle 9.
#[test]
fn a_cause_is_a_cycle_earlier() {
    let mut found = run(CYCLES, &|now, sample| {
        if now == 9 {
            flip(&mut sample.registers, 4, 1);
        }
    });
    let mut design = design();
    let mut shown = Vec::new();
    for cycle in 0..10 {
        let mut ports = wires(&design, &inputs(cycle));
        if cycle == 8 {
            ports[0].value ^= 2;
        }
        shown.push(ports);
        design.clock(&inputs(cycle));
    }
    found.wires(Some(&shown[8]), Some(&shown[9]));
    let cause = found.found().and_then(|d| d.first()?.cause.clone()).unwrap();
    let wire = cause.wire.as_ref().unwrap();
    assert_eq!((cause.module, wire.path().as_str(), wire.cycle), ("probe", "u_inner.d", 8));
    assert_eq!(wire.signal.kind, Kind::Wire { output: false });
    assert!(cause.to_string().contains("wire to u_inner.d in cycle 8 (module probe)"), "{cause}");
    // All ports agree: the module computes another value.
    shown[8][0].value ^= 2;
    found.wires(Some(&shown[8]), Some(&shown[9]));
    let report = text::render(found.found().unwrap());
    let line = "cause: the next value computed in module inner: all ports of instances agree";
    assert!(report.contains(line), "{report}");
}

/// An output alone differs in the cycle of its cause.
#[test]
fn the_cause_of_an_output_is_in_its_cycle() {
    let mut found = run(CYCLES, &|now, sample| {
        if now == 12 {
            flip(&mut sample.outputs, 1, 0);
        }
    });
    let (before, mut now) = (vec![Seen::unknown(8); 2], vec![Seen::unknown(8); 2]);
    found.wires(Some(&before), Some(&now));
    assert_eq!(found.found().and_then(|d| d.first()?.cause.clone()), None);
    let mut design = design();
    (0..12).for_each(|cycle| design.clock(&inputs(cycle)));
    now[1] = Seen::known(u128::from(design.registers.inner_q) ^ 1);
    found.wires(Some(&before), Some(&now));
    let cause = found.found().and_then(|d| d.first()?.cause.clone()).unwrap();
    let wire = cause.wire.as_ref().unwrap();
    assert_eq!((cause.module, wire.path().as_str(), wire.cycle), ("inner", "u_inner.q", 12));
}

#[test]
fn the_end_of_a_run() {
    let mut nothing = run(1, &|_, _| ());
    assert_eq!(nothing.finish(), Err(Refused::Nothing));
    let mut quiet = run(4, &|_, _| ());
    assert_eq!(
        (quiet.compared(), quiet.frames(), quiet.finish()),
        (3, [0, 0], Err(Refused::NoTraffic))
    );
    let mut wrong = run(CYCLES, &|now, sample| {
        if now == 9 {
            flip(&mut sample.registers, 4, 0);
            flip(&mut sample.registers, 4, 3);
        }
    });
    assert_eq!(first(&wrong), Some(("u_inner.inner_q".into(), 0, 9)), "the lowest wrong bit");
    assert_eq!(wrong.push(&Sample::default()), Err(Refused::Over(9)));
    let text = wrong.finish().unwrap_err().to_string();
    // inner_q is s_axis_tkeep of cycle 8, 56 mod 16, with valid_q in the lowest bit.
    assert_eq!(text, "cycle 9, u_inner.inner_q: expected 8'h9, found 8'h0");
    let mut far = run(2, &|_, _| ());
    let sample = Sample { words: vec![(0, 4, Seen::known(0))], ..sample(&design(), &inputs(2)) };
    assert_eq!(far.push(&sample), Err(Refused::NoWord { module: "probe", memory: 0, address: 4 }));
}
