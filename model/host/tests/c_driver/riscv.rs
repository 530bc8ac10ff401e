// SPDX-License-Identifier: MIT OR Apache-2.0
//! The driver on a RISC-V processor (RV32I) that has the board in its memory: loads and stores of the firmware are
//! accesses to the host port of the model. An instruction takes a cycle.

use crate::process::{End, Report, driver};
use crate::{Case, Kind, WORKS, results, temporary};
use awgstar_board::ring::{HostOp, HostResult, Outcome};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use awgstar_host::{CustomHost, work::Work};
use std::{
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex},
};

const RAM: usize = 0x1_0000;
const REGISTERS: u32 = 0x4000_0000;
const TEST: u32 = 0x5000_0000;
const WINDOW: u32 = 0x8000_0000;
/// Instructions without an access after which a firmware is taken for lost.
const LOST: u32 = 10_000_000;

/// Compiles the firmware; an image of the memory from address 0.
fn image() -> Vec<u8> {
    let folder = temporary().join("riscv");
    std::fs::create_dir_all(&folder).expect("folder");
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_driver/riscv");
    let (elf, image): (PathBuf, PathBuf) =
        (folder.join("firmware.elf"), folder.join("firmware.bin"));
    let run = |program: &str, command: &mut Command| {
        let output = command.output().unwrap_or_else(|e| {
            panic!("{program}: {e}; testbench/registers/riscv.sh installs gcc-riscv64-unknown-elf")
        });
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
    };
    let gcc = "riscv64-unknown-elf-gcc";
    let flags = [
        "-march=rv32i",
        "-mabi=ilp32",
        "-Os",
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wconversion",
    ];
    let mut command = Command::new(gcc);
    command.args(flags).args(["-ffreestanding", "-nostdlib", "-I"]).arg(driver()).arg("-T");
    command.arg(here.join("link.ld")).args(["start.S", "firmware.c"].map(|name| here.join(name)));
    run(gcc, command.arg(driver().join("smb.c")).arg("-o").arg(&elf));
    let objcopy = "riscv64-unknown-elf-objcopy";
    run(objcopy, Command::new(objcopy).args(["-O", "binary"]).args([&elf, &image]));
    std::fs::read(image).expect("image")
}

/// An access that waits for the board.
#[derive(Clone, Copy)]
enum Access {
    Load { rd: usize, funct: u32, lane: u32 },
    Store,
    Idle,
}

struct Processor {
    ram: Vec<u8>,
    x: [u32; 32],
    pc: u32,
    access: Option<Access>,
    settings: [u32; 9],
    end: Report,
}

/// Bits `high` to `low` of an instruction.
const fn bits(word: u32, high: u32, low: u32) -> u32 {
    word << (31 - high) >> (31 - high + low)
}

/// The value of `bits` bits with a sign.
const fn signed(value: u32, bits: u32) -> u32 {
    (value.cast_signed() << (32 - bits) >> (32 - bits)).cast_unsigned()
}

/// What a load makes of a word.
fn extend(word: u32, funct: u32, lane: u32) -> u32 {
    let value = word >> (8 * lane);
    match funct {
        0 => signed(value & 0xff, 8),
        1 => signed(value & 0xffff, 16),
        2 => value,
        4 => value & 0xff,
        5 => value & 0xffff,
        _ => panic!("load {funct}"),
    }
}

impl Processor {
    fn word(&self, at: u32) -> u32 {
        let at = at as usize & !3;
        let bytes = self
            .ram
            .get(at..at + 4)
            .unwrap_or_else(|| panic!("no memory at {at:#x}, pc {:#x}", self.pc));
        u32::from_le_bytes(bytes.try_into().expect("four"))
    }

    fn set(&mut self, rd: usize, value: u32) {
        if rd != 0 {
            self.x[rd] = value;
        }
    }

    /// Executes an instruction; an access to the board or to the test ends it half-way.
    fn instruction(&mut self) -> Option<HostOp> {
        let word = self.word(self.pc);
        let (rd, funct) = (bits(word, 11, 7) as usize, bits(word, 14, 12));
        let (a, b) = (self.x[bits(word, 19, 15) as usize], self.x[bits(word, 24, 20) as usize]);
        let immediate = signed(bits(word, 31, 20), 12);
        let here = self.pc;
        self.pc = here.wrapping_add(4);
        match bits(word, 6, 0) {
            0x37 => self.set(rd, word & 0xffff_f000),
            0x17 => self.set(rd, here.wrapping_add(word & 0xffff_f000)),
            0x6f => {
                let offset = bits(word, 31, 31) << 20
                    | bits(word, 19, 12) << 12
                    | bits(word, 20, 20) << 11
                    | bits(word, 30, 21) << 1;
                self.set(rd, self.pc);
                self.pc = here.wrapping_add(signed(offset, 21));
            }
            0x67 => {
                let target = a.wrapping_add(immediate) & !1;
                self.set(rd, self.pc);
                self.pc = target;
            }
            0x63 => {
                let offset = bits(word, 31, 31) << 12
                    | bits(word, 7, 7) << 11
                    | bits(word, 30, 25) << 5
                    | bits(word, 11, 8) << 1;
                let taken = match funct {
                    0 => a == b,
                    1 => a != b,
                    4 => a.cast_signed() < b.cast_signed(),
                    5 => a.cast_signed() >= b.cast_signed(),
                    6 => a < b,
                    7 => a >= b,
                    _ => panic!("branch {funct} at {here:#x}"),
                };
                if taken {
                    self.pc = here.wrapping_add(signed(offset, 13));
                }
            }
            0x03 => return self.load(rd, funct, a.wrapping_add(immediate)),
            0x23 => {
                let offset = bits(word, 31, 25) << 5 | bits(word, 11, 7);
                return self.store(funct, a.wrapping_add(signed(offset, 12)), b);
            }
            0x13 => {
                let shifts_sign = funct == 5 && bits(word, 30, 30) == 1;
                self.set(rd, arithmetic(funct, a, immediate, shifts_sign));
            }
            0x33 => {
                assert!(bits(word, 31, 25) & 0x5f == 0, "no RV32I: {word:#010x} at {here:#x}");
                let other = bits(word, 30, 30) == 1;
                self.set(
                    rd,
                    if other && funct == 0 {
                        a.wrapping_sub(b)
                    } else {
                        arithmetic(funct, a, b, other)
                    },
                );
            }
            0x0f => {}
            _ => panic!("no RV32I: {word:#010x} at {here:#x}"),
        }
        None
    }

    fn load(&mut self, rd: usize, funct: u32, at: u32) -> Option<HostOp> {
        let lane = at & 3;
        if at >= WINDOW || (REGISTERS..REGISTERS + 0x1000).contains(&at) {
            self.access = Some(Access::Load { rd, funct, lane });
            return Some(HostOp::Read { addr: bus(at) });
        }
        let word = if at >= TEST {
            self.settings.get((at - TEST) as usize / 4).copied().unwrap_or(0)
        } else {
            self.word(at)
        };
        self.set(rd, extend(word, funct, lane));
        None
    }

    fn store(&mut self, funct: u32, at: u32, value: u32) -> Option<HostOp> {
        let (lane, bytes) = (at & 3, 1_u32 << funct);
        if at >= WINDOW || (REGISTERS..REGISTERS + 0x1000).contains(&at) {
            self.access = Some(Access::Store);
            let strobe = ((1_u32 << bytes) - 1) << lane;
            let (data, strobe) = (value << (8 * lane), strobe.to_le_bytes()[0]);
            return Some(HostOp::Write { addr: bus(at), data, strobe });
        }
        match at.checked_sub(TEST) {
            Some(0) => {
                self.access = Some(Access::Idle);
                return Some(HostOp::Interrupt { limit: Cycle(value.into()) });
            }
            Some(8) => *self.end.lock().expect("no panic") = End::Done(value.cast_signed()),
            Some(other) => panic!("store to {other:#x} of the test"),
            None => {
                let at = at as usize;
                let bytes = bytes as usize;
                self.ram[at..at + bytes].copy_from_slice(&value.to_le_bytes()[..bytes]);
            }
        }
        None
    }
}

/// Address at the host port.
fn bus(at: u32) -> ByteAddress {
    ByteAddress(if at >= WINDOW { at & !3 } else { (at - REGISTERS) & !3 })
}

fn arithmetic(funct: u32, a: u32, b: u32, other: bool) -> u32 {
    match funct {
        0 => a.wrapping_add(b),
        1 => a << (b & 31),
        2 => u32::from(a.cast_signed() < b.cast_signed()),
        3 => u32::from(a < b),
        4 => a ^ b,
        5 if other => (a.cast_signed() >> (b & 31)).cast_unsigned(),
        5 => a >> (b & 31),
        6 => a | b,
        _ => a & b,
    }
}

impl CustomHost for Processor {
    fn next(&mut self, cycle: Cycle, results: &[HostResult]) -> Vec<HostOp> {
        if let Some(access) = self.access {
            let Some(last) = results.last() else { return Vec::new() };
            self.access = None;
            // On this processor a refused access is a trap: the firmware is lost.
            if last.outcome == Outcome::Refused {
                println!("pc {:#x}: {:?} is refused", self.pc, last.op);
                *self.end.lock().expect("no panic") = End::Gone;
            }
            if let Access::Load { rd, funct, lane } = access {
                self.set(rd, extend(last.data, funct, lane));
            }
        }
        if *self.end.lock().expect("no panic") == End::Gone {
            return Vec::new();
        }
        let low = u32::try_from(cycle.0 & 0xffff_ffff).expect("32 bits");
        for instructions in 1..LOST {
            self.settings[1] = low.wrapping_add(instructions);
            if let Some(op) = self.instruction() {
                return vec![HostOp::Wait { cycles: Cycle(instructions.into()) }, op];
            }
        }
        *self.end.lock().expect("no panic") = End::Gone;
        Vec::new()
    }

    fn ended(&self) -> bool {
        matches!(*self.end.lock().expect("no panic"), End::Done(_) | End::Gone)
    }
}

/// RISC-V processors beside the firmware in Rust and an engine, with bit errors in the second round.
#[test]
#[ignore = "needs riscv64-unknown-elf-gcc: testbench/registers/riscv.sh installs it and runs this"]
fn riscv_firmware_on_the_ring() {
    let image = image();
    let rings: [&[bool]; 3] = [&[true, true], &[true, false, true], &[false, true, true, false]];
    for (rate, kinds) in
        [(0, rings), (150_000, rings)].into_iter().flat_map(|(r, all)| all.map(|k| (r, k)))
    {
        for (number, work) in (0_u32..).zip(WORKS) {
            let others: Vec<Kind> = kinds
                .iter()
                .map(|_| if kinds.len() > 3 { Kind::RustEngine } else { Kind::Rust })
                .collect();
            let work = match work {
                Work::Counter { rounds, .. } => {
                    Work::Counter { rounds, inside: Cycle(0), outside: Cycle(0) }
                }
                other => other,
            };
            let case = Case::new(&others, Path::new("")).noise(rate, 11);
            let text = format!("{kinds:?} {rate} {work:?}");
            let (mut system, _) =
                case.begin("", &[], Vec::new()).unwrap_or_else(|e| panic!("{text}: {e}"));
            let mut reports = Vec::new();
            let programs = work.programs(kinds.len());
            for (((node, _), &riscv), program) in case.nodes().zip(kinds).zip(programs) {
                if !riscv {
                    system.start(node, awgstar_host::process(node, program)).expect("a node");
                    continue;
                }
                let end = Arc::new(Mutex::new(End::Running));
                let mut ram = image.clone();
                ram.resize(RAM, 0);
                let nodes = u32::try_from(kinds.len()).expect("few");
                let (timeout, period) = (case.setup.timeout, case.setup.period);
                let settings = [0, 0, 0, node.into(), nodes, timeout, period, case.retry, number];
                let processor =
                    Processor { ram, x: [0; 32], pc: 0, access: None, settings, end: end.clone() };
                system.set_host(node, Box::new(processor), Cycle(10)).expect("a node");
                reports.push((node, end));
            }
            system.run(case.limit).unwrap_or_else(|e| panic!("{text}: {e}"));
            system.settle(case.limit).unwrap_or_else(|e| panic!("{text}: {e}"));
            results(&reports).unwrap_or_else(|e| panic!("{text}: {e}"));
            work.check(&system).unwrap_or_else(|e| panic!("{text}: {e}"));
        }
    }
}
