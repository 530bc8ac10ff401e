// SPDX-License-Identifier: MIT OR Apache-2.0
//! Atomic instructions of the program: they have no entry point. The first byte of each is replaced by a
//! breakpoint. Its handler takes a lock of the ring, the instruction runs in a copy elsewhere, and a second
//! breakpoint behind the copy publishes what it has changed.

use crate::{cell::Guarded, die::die, layout::PAGE, objects, objects::Loaded, sync, system, wire};
use iced_x86::{Decoder, DecoderOptions, Encoder, Instruction, Mnemonic, OpKind, Register};
use object::{Object, ObjectSection, ObjectSymbol, SectionKind, SymbolKind};
use std::{collections::BTreeMap, ffi::CString};

#[derive(Clone, Copy)]
enum Trap {
    /// An atomic instruction: address of its copy.
    Atomic(usize),
    /// The end of a copy: the instruction that comes next.
    Done(usize),
    /// A fence, which stands for a flush: the instruction that comes next.
    Flush(usize),
}

static TRAPS: Guarded<BTreeMap<usize, Trap>> = Guarded::new(BTreeMap::new());

/// Bytes of a copy with its breakpoint.
const COPY: usize = 32;
const BREAK: u8 = 0xcc;

/// Does the work of the breakpoint before `rip`, and gives the instruction that comes next; `None` if the
/// breakpoint is not the library's.
pub(crate) fn at(rip: usize) -> Option<usize> {
    let trap = *TRAPS.borrow().get(&(rip - 1))?;
    Some(match trap {
        Trap::Atomic(copy) => {
            sync::enter(wire::lock::ATOMIC, "an atomic operation");
            copy
        }
        Trap::Done(next) => {
            sync::leave(wire::lock::ATOMIC);
            next
        }
        Trap::Flush(next) => {
            sync::flush();
            next
        }
    })
}

/// A fence: `mfence`, or what gcc writes in its place. Without a lock the same instruction touches the stack
/// (`-fstack-clash-protection`) and orders nothing.
fn is_flush(instruction: &Instruction) -> bool {
    let or = instruction.mnemonic() == Mnemonic::Or
        && instruction.has_lock_prefix()
        && instruction.op0_kind() == OpKind::Memory
        && instruction.memory_base() == Register::RSP
        && matches!(
            instruction.op1_kind(),
            OpKind::Immediate8 | OpKind::Immediate8to32 | OpKind::Immediate8to64
        )
        && instruction.immediate(1) == 0;
    instruction.mnemonic() == Mnemonic::Mfence || or
}

fn is_atomic(instruction: &Instruction) -> bool {
    let memory = (0..instruction.op_count()).any(|op| instruction.op_kind(op) == OpKind::Memory);
    instruction.has_lock_prefix() || instruction.mnemonic() == Mnemonic::Xchg && memory
}

/// Atomic instructions of a loaded file.
fn found(loaded: &Loaded) -> Vec<Instruction> {
    let path = if loaded.is_main() { "/proc/self/exe" } else { &loaded.path };
    let bytes = CString::new(path).map(|path| system::file(&path)).unwrap_or_default();
    let Ok(file) = object::File::parse(&bytes[..]) else {
        die!("cannot read {path} to find its atomic instructions");
    };
    let starts = file.symbols().chain(file.dynamic_symbols());
    let starts =
        starts.filter(|symbol| symbol.kind() == SymbolKind::Text && !symbol.is_undefined());
    let starts: Vec<u64> = starts.map(|symbol| symbol.address()).collect();
    let mut all = Vec::new();
    for section in file.sections().filter(|section| section.kind() == SectionKind::Text) {
        let Ok(code) = section.data() else { continue };
        let (first, end) = (section.address(), section.address() + code.len() as u64);
        // Decoding begins again at each function, so that data between functions does no harm.
        let mut bounds: Vec<u64> =
            starts.iter().copied().filter(|at| (first..end).contains(at)).collect();
        bounds.extend([first, end]);
        bounds.sort_unstable();
        bounds.dedup();
        for part in bounds.windows(2) {
            let code = &code[(part[0] - first) as usize..(part[1] - first) as usize];
            let base = part[0] + loaded.base as u64;
            let mut decoder = Decoder::with_ip(64, code, base, DecoderOptions::NONE);
            while decoder.can_decode() {
                let instruction = decoder.decode();
                if instruction.is_invalid() {
                    continue;
                }
                if is_atomic(&instruction) || is_flush(&instruction) {
                    all.push(instruction);
                }
            }
        }
    }
    all
}

/// Maps memory near the instructions of a file, within the reach of their relative addresses.
fn near(loaded: &Loaded, size: usize) -> usize {
    let text = loaded.text.first().map_or(0, |text| text.start);
    let places = (1..64).map(|step| text.saturating_sub(step << 24) & !(PAGE - 1));
    let above = (1..64).map(|step| (text + (step << 24)) & !(PAGE - 1));
    let mut places = places.chain(above).filter(|&at| at >= 1 << 16);
    places
        .find(|&at| system::map(at, size))
        .unwrap_or_else(|| die!("no memory near the program for copies of its atomic instructions"))
}

/// Replaces the atomic instructions of the program and of its own libraries, once.
pub(crate) fn patch() {
    static DONE: Guarded<Vec<usize>> = Guarded::new(Vec::new());
    for loaded in objects::all().iter().filter(|loaded| !loaded.is_system()) {
        if DONE.borrow().contains(&loaded.base) {
            continue;
        }
        DONE.borrow().push(loaded.base);
        let all = found(loaded);
        if all.is_empty() {
            continue;
        }
        let size = (all.len() * COPY).next_multiple_of(PAGE);
        let copies = near(loaded, size);
        for (index, instruction) in all.iter().enumerate() {
            let (site, next) = (instruction.ip() as usize, instruction.next_ip() as usize);
            let trap = if is_flush(instruction) {
                Trap::Flush(next)
            } else {
                let copy = copies + index * COPY;
                let end = copy + encode(instruction, copy);
                TRAPS.borrow().insert(end, Trap::Done(next));
                Trap::Atomic(copy)
            };
            TRAPS.borrow().insert(site, trap);
        }
        for instruction in &all {
            // SAFETY: the byte is that of an instruction of the program, which does not run yet.
            unsafe { writable_text(instruction.ip() as usize, |at| at.write(BREAK)) };
        }
        // SAFETY: the copies are complete; from now on they are only executed.
        unsafe {
            libc::syscall(libc::SYS_mprotect, copies, size, libc::PROT_READ | libc::PROT_EXEC)
        };
    }
}

/// Writes the copy of an instruction and its breakpoint; gives the length of the instruction.
fn encode(instruction: &Instruction, copy: usize) -> usize {
    let mut encoder = Encoder::new(64);
    if let Err(e) = encoder.encode(instruction, copy as u64) {
        die!("cannot copy the atomic instruction at {:#x}: {e}", instruction.ip());
    }
    let mut bytes = encoder.take_buffer();
    let length = bytes.len();
    bytes.push(BREAK);
    // SAFETY: a copy has room for the longest instruction, 15 bytes, and the breakpoint.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), copy as *mut u8, bytes.len()) };
    length
}

/// Does something with a byte of the program's instructions while it can be written.
unsafe fn writable_text(at: usize, work: impl FnOnce(*mut u8)) {
    let page = at & !(PAGE - 1);
    let change = |prot: libc::c_int| {
        // SAFETY: a page of the program's instructions, which stay as they are.
        let done = unsafe { libc::syscall(libc::SYS_mprotect, page, PAGE, prot) };
        if done != 0 {
            die!("the system does not allow breakpoints in the program");
        }
    };
    change(libc::PROT_READ | libc::PROT_WRITE | libc::PROT_EXEC);
    work(at as *mut u8);
    change(libc::PROT_READ | libc::PROT_EXEC);
}
