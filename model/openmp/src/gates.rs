// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ways between the program and the library. What is on the stack of the program travels, so nothing that depends
//! on the build of the library may remain there: no frames, no addresses of its code, no registers. The program
//! calls a function of the library through a gate, code at a fixed address that changes to the stack of the
//! library, and the library calls the program through another one.
//!
//! The addresses of the functions in the tables of the program are replaced by those of gates when it is loaded.

use crate::{
    cell::Guarded,
    die::die,
    layout::{GATE_WORDS, GATES, GATES_SIZE, OWN_STACK, OWN_STACK_SIZE, PAGE, page},
    objects::{self, Loaded},
    system,
};
use std::{
    arch::global_asm,
    collections::{BTreeMap, BTreeSet},
    ptr,
    sync::atomic::{AtomicBool, Ordering},
};

global_asm!(
    // r11: the function. Eight words of arguments on the stack are more than any function has.
    ".globl awgstar_gate_in",
    ".hidden awgstar_gate_in",
    "awgstar_gate_in:",
    "mov r10, rsp",
    "shr r10, 40",
    "cmp r10, {own}",
    "je 2f",
    "movabs rax, {words}",
    "mov r10, rsp",
    "mov rsp, [rax]",
    "push qword ptr [rax + 8]",
    "push r10",
    "mov [rax + 8], r10",
    "push qword ptr [r10 + 64]",
    "push qword ptr [r10 + 56]",
    "push qword ptr [r10 + 48]",
    "push qword ptr [r10 + 40]",
    "push qword ptr [r10 + 32]",
    "push qword ptr [r10 + 24]",
    "push qword ptr [r10 + 16]",
    "push qword ptr [r10 + 8]",
    "call r11",
    "add rsp, 64",
    "pop r10",
    "movabs r11, {words}",
    "pop qword ptr [r11 + 8]",
    "mov rsp, r10",
    "xor ecx, ecx",
    "xor esi, esi",
    "xor edi, edi",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "xor r10d, r10d",
    "xor r11d, r11d",
    "pxor xmm2, xmm2",
    "pxor xmm3, xmm3",
    "pxor xmm4, xmm4",
    "pxor xmm5, xmm5",
    "pxor xmm6, xmm6",
    "pxor xmm7, xmm7",
    "ret",
    "2: jmp r11",
    // rdi: the function, rsi: where its stack begins, rdx, rcx, r8: its arguments.
    ".globl awgstar_gate_out",
    ".hidden awgstar_gate_out",
    "awgstar_gate_out:",
    "push rbx",
    "push rbp",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "sub rsp, 8",
    "movabs rax, {words}",
    "push qword ptr [rax + 8]",
    "push qword ptr [rax]",
    "mov [rax], rsp",
    "mov rsp, rsi",
    "mov rax, rdi",
    "mov rdi, rdx",
    "mov rsi, rcx",
    "mov rdx, r8",
    "xor ebx, ebx",
    "xor ecx, ecx",
    "xor ebp, ebp",
    "xor r8d, r8d",
    "xor r9d, r9d",
    "xor r10d, r10d",
    "xor r11d, r11d",
    "xor r12d, r12d",
    "xor r13d, r13d",
    "xor r14d, r14d",
    "xor r15d, r15d",
    "pxor xmm0, xmm0",
    "pxor xmm1, xmm1",
    "pxor xmm2, xmm2",
    "pxor xmm3, xmm3",
    "pxor xmm4, xmm4",
    "pxor xmm5, xmm5",
    "pxor xmm6, xmm6",
    "pxor xmm7, xmm7",
    "call rax",
    "movabs rcx, {words}",
    "mov rsp, [rcx]",
    "pop qword ptr [rcx]",
    "pop qword ptr [rcx + 8]",
    "add rsp, 8",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbp",
    "pop rbx",
    "ret",
    ".globl awgstar_gate_end",
    ".hidden awgstar_gate_end",
    "awgstar_gate_end:",
    own = const OWN_STACK >> 40,
    words = const GATE_WORDS,
);

unsafe extern "C" {
    static awgstar_gate_in: u8;
    static awgstar_gate_out: u8;
    static awgstar_gate_end: u8;
}

/// Words of the gates.
#[repr(C)]
struct Words {
    /// Where the stack of the library is free.
    free: usize,
    /// Stack pointer of the program at the entry of the library: there is the return address.
    entry: usize,
}

/// The words are mapped.
pub(crate) static READY: AtomicBool = AtomicBool::new(false);

fn words() -> *mut Words {
    GATE_WORDS as *mut Words
}

/// Maps the gates.
pub(crate) fn map() {
    if !system::map(GATES, GATES_SIZE) || !system::map(GATE_WORDS, PAGE) {
        die!("the system refuses memory for the gates of the library");
    }
    // SAFETY: the memory is fresh, and the code is between the two labels.
    unsafe {
        words().write(Words { free: OWN_STACK + OWN_STACK_SIZE, entry: 0 });
        let start = &raw const awgstar_gate_in;
        let end = &raw const awgstar_gate_end;
        ptr::copy_nonoverlapping(start, GATES as *mut u8, end as usize - start as usize);
    }
    READY.store(true, Ordering::Release);
}

/// Where the stack of the library is free.
pub(crate) fn free_stack() -> usize {
    // SAFETY: mapped at the start.
    unsafe { (*words()).free }
}

/// Stack pointer of the program when it entered the library through a gate.
pub(crate) fn entry() -> usize {
    // SAFETY: as above.
    unsafe { (*words()).entry }
}

/// Sets it: no gate was passed.
pub(crate) fn set_entry(at: usize) {
    // SAFETY: as above.
    unsafe { (*words()).entry = at };
}

/// Calls a function of the program with up to three arguments; its stack begins at `top`, a multiple of 16.
/// Callers are on the stack of the library.
pub(crate) fn call(function: usize, top: usize, arguments: [usize; 3]) -> usize {
    type Out = unsafe extern "C" fn(usize, usize, usize, usize, usize) -> usize;
    let [first, second, third] = arguments;
    // SAFETY: a copy of the code above, which keeps the registers that the caller needs.
    unsafe {
        let start = &raw const awgstar_gate_in as usize;
        let out = GATES + (&raw const awgstar_gate_out as usize - start);
        std::mem::transmute::<usize, Out>(out)(function, top, first, second, third)
    }
}

/// Bytes of a gate, and where the first one is.
const GATE: usize = 16;
const FIRST: usize = GATES + PAGE;

/// Functions that need no gate.
static EXEMPT: Guarded<BTreeSet<usize>> = Guarded::new(BTreeSet::new());

/// These functions need no gate.
pub(crate) fn exempt(functions: impl IntoIterator<Item = usize>) {
    EXEMPT.borrow().extend(functions);
}

/// Gates that exist, by the address of their function.
static ALL: Guarded<BTreeMap<usize, usize>> = Guarded::new(BTreeMap::new());

fn gate(function: usize) -> usize {
    let mut all = ALL.borrow();
    let next = FIRST + GATE * all.len();
    if let Some(&gate) = all.get(&function) {
        return gate;
    }
    if next + GATE > GATES + GATES_SIZE {
        die!("internal: the program calls more functions than there are gates");
    }
    let mut code = vec![0x49, 0xbb];
    code.extend_from_slice(&function.to_le_bytes());
    code.push(0xe9);
    let distance = GATES.wrapping_sub(next + code.len() + 4) as u32;
    code.extend_from_slice(&distance.to_le_bytes());
    // SAFETY: room for a gate.
    unsafe { ptr::copy_nonoverlapping(code.as_ptr(), next as *mut u8, code.len()) };
    all.insert(function, next);
    next
}

fn protect(at: usize, size: usize, prot: libc::c_int) {
    // SAFETY: the gates, or a table of the loader that the program only reads.
    if unsafe { libc::syscall(libc::SYS_mprotect, at, size, prot) } != 0 {
        die!("the system does not allow gates of the library");
    }
}

/// Puts gates in the place of functions of the library, in all tables of the program and its libraries. Those of
/// libc and of the loader are left: other threads use them while the processes of the nodes are forked.
pub(crate) fn install() {
    let own = objects::all().iter().find(|one| one.has_text(install as *const () as usize));
    let Some(own) = own else { return };
    protect(GATES, GATES_SIZE, libc::PROT_READ | libc::PROT_WRITE);
    for loaded in objects::all() {
        if loaded.base != own.base && !loaded.is_of_threads() {
            replace(loaded, own);
        }
    }
    protect(GATES, GATES_SIZE, libc::PROT_READ | libc::PROT_EXEC);
}

fn replace(loaded: &Loaded, own: &Loaded) {
    for slot in loaded.slots() {
        // SAFETY: a word that the loader has filled.
        let function = unsafe { (slot as *const usize).read_unaligned() };
        if !own.has_text(function) || EXEMPT.borrow().contains(&function) {
            continue;
        }
        let gate = gate(function);
        let sealed = loaded.sealed.contains(&slot);
        if sealed {
            protect(page(slot), PAGE, libc::PROT_READ | libc::PROT_WRITE);
        }
        // SAFETY: as above; the page can be written.
        unsafe { (slot as *mut usize).write_unaligned(gate) };
        if sealed {
            protect(page(slot), PAGE, libc::PROT_READ);
        }
    }
}
