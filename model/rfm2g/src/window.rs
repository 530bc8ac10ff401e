// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mapped windows of the shared memory.
//!
//! A program stores through a mapped pointer and polls through it. Time passes only in calls, so every access
//! has to be one: the pages are protected, an access traps (SIGSEGV), what it reads is fetched from the
//! replica, the instruction is executed alone (the trap flag, SIGTRAP), what it wrote is posted, and the page
//! is protected again. The library writes the page through a second mapping that the program does not know.
//!
//! With `awgstar run --mapped flush` loads and stores run free: the window is a private mapping of the replica, so
//! the first store to a page makes a copy of the page. At the next call the bytes in which the copies differ from
//! the replica are written, and the copies are dropped.

use crate::{
    board::{self, Board},
    free,
    page::{PAGE, die},
    status::Status,
};
use awgstar_frame::quantity::{ByteAddress, narrow};
use iced_x86::{
    Decoder, DecoderOptions, Instruction, InstructionInfoFactory, OpAccess, OpKind, UsedMemory,
};
use libc::{c_int, c_void, siginfo_t, ucontext_t};
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous};
use std::{
    cell::Cell,
    mem::ManuallyDrop,
    ops::Range,
    os::fd::AsFd,
    ptr,
    sync::{
        Mutex, Once, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
};

/// The trap flag of the processor.
const TRAP: i64 = 1 << 8;
/// The direction flag: string instructions go downwards.
const DOWN: i64 = 1 << 10;
/// Signals that instructions cause, which cannot be blocked.
const OF_INSTRUCTIONS: u64 = 1 << (libc::SIGSEGV - 1)
    | 1 << (libc::SIGTRAP - 1)
    | 1 << (libc::SIGBUS - 1)
    | 1 << (libc::SIGILL - 1)
    | 1 << (libc::SIGFPE - 1);
/// Longest instruction, in bytes.
const LONGEST: usize = 15;

#[derive(Clone, Copy)]
struct Window {
    /// Where the program sees it, and the library.
    seen: usize,
    own: usize,
    /// Bytes mapped: whole pages.
    size: usize,
    /// Address of its first byte in the shared memory, and its bytes.
    offset: u32,
    length: u32,
    /// Bytes mapped that the shared memory has.
    readable: usize,
}

impl Window {
    /// Addresses of the program that belong to the window: its pages, and the one after them.
    fn addresses(&self) -> Range<usize> {
        self.seen..self.seen + self.size + PAGE as usize
    }
}

/// Environment variable that the command sets: `flush` or `trap`.
const VARIABLE: &str = "AWGSTAR_MAPPED";

/// Bytes of a window that an instruction accesses.
struct Part {
    window: Window,
    from: usize,
    bytes: usize,
    reads: bool,
    writes: bool,
}

impl Part {
    /// Address of the first byte in the shared memory.
    fn memory(&self) -> usize {
        self.window.offset as usize + self.from
    }
}

/// An instruction that is being executed.
struct Step {
    parts: Vec<Part>,
    /// Register RCX before it.
    count: u64,
    /// Repetitions of a string instruction that are executed as one access; 1 for other instructions.
    most: usize,
    repeats: bool,
    /// Signals that the program had blocked.
    mask: u64,
}

impl Step {
    /// Repetitions that were executed so far.
    fn executed(&self, context: &ucontext_t) -> usize {
        let after = greg(context, libc::REG_RCX);
        if self.repeats { narrow(self.count.wrapping_sub(after)) } else { 0 }
    }
}

static WINDOWS: Mutex<Vec<Window>> = Mutex::new(Vec::new());
/// A thread executes a step. A second one would close the window under it.
static STEPPING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// Without a destructor: functions that run at the end of the program can access windows.
    static STEP: Cell<Option<ManuallyDrop<Step>>> = const { Cell::new(None) };
}

fn windows() -> std::sync::MutexGuard<'static, Vec<Window>> {
    WINDOWS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Maps `length` bytes from `offset` on.
pub(crate) fn open(board: &mut Board, offset: u64, length: u32) -> Result<*mut c_void, Status> {
    let memory = board.node.memory();
    let end = u32::try_from(offset).ok().and_then(|offset| offset.checked_add(length));
    let (Ok(offset), Some(_)) = (u32::try_from(offset), end.filter(|&end| end <= memory)) else {
        return Err(Status::OUT_OF_RANGE);
    };
    if length == 0 {
        return Err(Status::BAD_PARAMETER_4);
    }
    if !offset.is_multiple_of(PAGE) {
        return Err(Status::UNALIGNED_OFFSET);
    }
    let size = length.next_multiple_of(PAGE) as usize;
    if std::env::var_os(VARIABLE).is_some_and(|how| how == "flush") {
        let seen = free::open(&mut board.node, offset, length, size)?;
        install();
        return Ok(seen);
    }
    let os = |_| Status::OS_ERROR;
    let file = rustix::fs::memfd_create("rfm2g", rustix::fs::MemfdFlags::CLOEXEC).map_err(os)?;
    rustix::fs::ftruncate(&file, size as u64).map_err(os)?;
    // A page that nobody can access follows each mapping: an access over the end must not reach the next one.
    let half = size + PAGE as usize;
    // SAFETY: a new mapping, at an address that the system chooses.
    let region =
        unsafe { mmap_anonymous(ptr::null_mut(), 2 * half, ProtFlags::empty(), MapFlags::PRIVATE) }
            .map_err(os)?
            .expose_provenance();
    let map = |at, access| {
        let flags = MapFlags::SHARED | MapFlags::FIXED;
        // SAFETY: within the mapping above, which nobody uses yet.
        unsafe { mmap(ptr::with_exposed_provenance_mut(at), size, access, flags, file.as_fd(), 0) }
            .map(<*mut c_void>::addr)
            .map_err(os)
    };
    let seen = map(region, ProtFlags::empty())?;
    let own = map(region + half, ProtFlags::READ | ProtFlags::WRITE)?;
    install();
    let readable = size.min((memory - offset) as usize);
    windows().push(Window { seen, own, size, offset, length, readable });
    Ok(ptr::with_exposed_provenance_mut(seen))
}

/// Removes the window that begins at a pointer.
pub(crate) fn close(at: *mut c_void) -> Result<(), Status> {
    if free::close(at.addr()) {
        return Ok(());
    }
    let mut all = windows();
    let found = all.iter().position(|window| window.seen == at.addr());
    let window = all.swap_remove(found.ok_or(Status::MEM_NOT_MAPPED)?);
    // SAFETY: `open` mapped both parts, with a page after each, and nobody else unmaps them.
    let _ = unsafe {
        let at = ptr::with_exposed_provenance_mut(window.seen);
        rustix::mm::munmap(at, 2 * (window.size + PAGE as usize))
    };
    Ok(())
}

fn protect(window: &Window, access: c_int) {
    // SAFETY: the window's own mapping.
    let done = unsafe {
        libc::mprotect(ptr::with_exposed_provenance_mut(window.seen), window.size, access)
    };
    if done != 0 {
        die("the protection of a mapped window cannot be changed");
    }
}

/// Handlers of the program, for what is not ours.
static INSTALLED: Once = Once::new();
static OLD: Mutex<Option<[libc::sigaction; 2]>> = Mutex::new(None);

fn install() {
    INSTALLED.call_once(|| {
        // SAFETY: zero is valid for these structures, and the handlers have the form that the flags name.
        unsafe {
            let mut old = [std::mem::zeroed::<libc::sigaction>(); 2];
            for (index, (signal, handler)) in
                [(libc::SIGSEGV, fault as *const ()), (libc::SIGTRAP, stepped as *const ())]
                    .into_iter()
                    .enumerate()
            {
                let mut new = std::mem::zeroed::<libc::sigaction>();
                new.sa_sigaction = handler.expose_provenance();
                // An access on a stack that is full cannot be handled on it.
                new.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
                libc::sigaction(signal, &raw const new, &raw mut old[index]);
            }
            *OLD.lock().unwrap_or_else(PoisonError::into_inner) = Some(old);
        }
    });
}

/// A signal that is not of a window: as if this library were not there.
fn not_ours(signal: c_int) {
    let old = OLD.lock().unwrap_or_else(PoisonError::into_inner);
    let index = usize::from(signal == libc::SIGTRAP);
    if let Some(old) = *old {
        // SAFETY: what the system gave before. The instruction faults again under that handler.
        unsafe { libc::sigaction(signal, &raw const old[index], ptr::null_mut()) };
    }
    if signal == libc::SIGTRAP {
        // SAFETY: it does not come again by itself.
        unsafe { libc::raise(signal) };
    }
}

/// The instruction at `code`.
fn decode(code: usize) -> Option<Instruction> {
    let page_end = (code | (PAGE as usize - 1)) + 1;
    let mut bytes = [0; LONGEST];
    // The next page may not be there; an instruction that goes on there is read as a whole when it must be.
    let length = LONGEST.min(page_end - code);
    // SAFETY: code that is being executed can be read up to the end of its page.
    unsafe {
        ptr::copy_nonoverlapping(ptr::with_exposed_provenance(code), bytes.as_mut_ptr(), length);
    }
    let decode = |bytes: &[u8]| {
        let mut decoder = Decoder::with_ip(64, bytes, code as u64, DecoderOptions::NONE);
        let instruction = decoder.decode();
        (!instruction.is_invalid()).then_some(instruction)
    };
    decode(&bytes[..length]).or_else(|| {
        // SAFETY: the instruction does not end on its page, so the next one is there.
        unsafe {
            ptr::copy_nonoverlapping(
                ptr::with_exposed_provenance(code),
                bytes.as_mut_ptr(),
                LONGEST,
            );
        }
        decode(&bytes)
    })
}

/// Bytes of memory that an instruction accesses; of a string instruction, those of one repetition.
struct Operand {
    at: usize,
    bytes: usize,
    reads: bool,
    writes: bool,
}

/// All operands in memory; `None` if the address or the size of one is not known.
fn operands(instruction: &Instruction, context: &ucontext_t) -> Option<Vec<Operand>> {
    let string = instruction.is_string_instruction();
    let mut factory = InstructionInfoFactory::new();
    let used = factory.info(instruction).used_memory();
    let of_memory = |memory: &UsedMemory| {
        let at = memory.virtual_address(0, |of, _, _| register(context, of))?;
        // With a prefix that repeats, the size of the operand is that of all repetitions: unknown.
        let size = if string { instruction.memory_size() } else { memory.memory_size() }.size();
        let access = memory.access();
        Some(Operand {
            at: usize::try_from(at).ok()?,
            bytes: Some(size).filter(|&size| size != 0)?,
            // A conditional store may leave bytes as they are; a repetition that is executed writes all.
            reads: !(access == OpAccess::Write || string && access == OpAccess::CondWrite),
            writes: !matches!(access, OpAccess::Read | OpAccess::CondRead),
        })
    };
    used.iter().map(of_memory).collect()
}

/// Returns true if a mask selects the bytes of a vector that the instruction accesses.
fn masked(instruction: &Instruction) -> bool {
    use iced_x86::Mnemonic as M;
    instruction.has_op_mask()
        || matches!(
            instruction.mnemonic(),
            M::Vmaskmovps
                | M::Vmaskmovpd
                | M::Vpmaskmovd
                | M::Vpmaskmovq
                | M::Maskmovq
                | M::Maskmovdqu
                | M::Vmaskmovdqu
        )
}

/// Begins the step of the instruction that accessed a window at `address`. The error says why it cannot be
/// executed.
fn begin(address: usize, context: &ucontext_t) -> Result<Step, String> {
    let code = greg(context, libc::REG_RIP);
    let unknown = || {
        format!("an instruction at {code:#x} accesses a mapped window in a way that is not known")
    };
    let instruction = decode(narrow(code)).ok_or_else(unknown)?;
    if instruction.is_vsib() {
        return Err(format!(
            "{:?} at {code:#x} accesses a mapped window with a vector of addresses: expected no gather \
             and no scatter instructions",
            instruction.mnemonic()
        ));
    }
    let operands = operands(&instruction, context).ok_or_else(unknown)?;
    if masked(&instruction) && operands.iter().any(|operand| operand.writes) {
        return Err(format!(
            "{:?} at {code:#x} writes some of the bytes of a vector to a mapped window: expected no masked \
             stores",
            instruction.mnemonic()
        ));
    }
    let count = greg(context, libc::REG_RCX);
    let repeats = instruction.is_string_instruction()
        && (instruction.has_rep_prefix() || instruction.has_repne_prefix());
    // Compares and scans end at data; a copy downwards writes its last word first; with the prefix for addresses
    // of 32 bits the count has 32 bits: one repetition at a time.
    let together = repeats
        && operands.iter().any(|operand| operand.writes)
        && greg(context, libc::REG_EFL).cast_signed() & DOWN == 0
        && !matches!(instruction.op0_kind(), OpKind::MemoryESEDI);
    let mut most = if together { narrow(count) } else { 1 };
    let mut parts = Vec::new();
    for &Operand { at, bytes, reads, writes } in &operands {
        for &window in windows().iter() {
            let Range { start: begin, end } = window.addresses();
            if at + bytes <= begin {
                // The next step begins where the operand reaches the window.
                most = most.min((begin - at) / bytes);
                continue;
            }
            if at >= end {
                continue;
            }
            let (from, to) = (at.saturating_sub(begin), (at + bytes).min(end) - begin);
            let length = window.length as usize;
            let access = if writes { "write" } else { "read" };
            // A read may end beyond the window, not beyond its pages.
            if from >= length || to > if writes { length } else { window.size } {
                return Err(format!(
                    "a {access} of {bytes} bytes at byte {from} ends beyond a mapped window of \
                     {length} bytes"
                ));
            }
            most = most.min(if at < begin { 1 } else { ((length - from) / bytes).max(1) });
            parts.push(Part { window, from, bytes: to - from, reads, writes });
        }
    }
    let holds = |part: &Part| {
        let from = part.window.seen + part.from;
        (from..from + part.bytes).contains(&address)
    };
    if !parts.iter().any(holds) {
        return Err(unknown());
    }
    // Windows of the same memory: what a repetition writes, a later one reads.
    if let [one, other] = &parts[..]
        && one.window.seen != other.window.seen
        && one.memory().abs_diff(other.memory()) < most * one.bytes.max(other.bytes)
    {
        most = 1;
    }
    for part in &mut parts {
        // Functions such as memcmp read whole vectors, also beyond the end: the bytes are those of the memory.
        part.bytes = (part.bytes * most).min(part.window.readable - part.from);
    }
    Ok(Step { parts, count, most, repeats, mask: 0 })
}

/// A register that the system saved.
fn greg(context: &ucontext_t, at: c_int) -> u64 {
    context.uc_mcontext.gregs[narrow::<usize>(at)].cast_unsigned()
}

/// Register of the program at a fault; `None` for those that the system does not save as words.
fn register(context: &ucontext_t, of: iced_x86::Register) -> Option<u64> {
    use iced_x86::Register as R;
    let at = match of.full_register() {
        R::RAX => libc::REG_RAX,
        R::RBX => libc::REG_RBX,
        R::RCX => libc::REG_RCX,
        R::RDX => libc::REG_RDX,
        R::RSI => libc::REG_RSI,
        R::RDI => libc::REG_RDI,
        R::RBP => libc::REG_RBP,
        R::RSP => libc::REG_RSP,
        R::R8 => libc::REG_R8,
        R::R9 => libc::REG_R9,
        R::R10 => libc::REG_R10,
        R::R11 => libc::REG_R11,
        R::R12 => libc::REG_R12,
        R::R13 => libc::REG_R13,
        R::R14 => libc::REG_R14,
        R::R15 => libc::REG_R15,
        // Segments begin at 0 for data of the program.
        R::CS | R::DS | R::ES | R::SS => return Some(0),
        _ => return None,
    };
    let unused = 64_u32.saturating_sub(8 * narrow::<u32>(of.size()));
    Some(greg(context, at) << unused >> unused)
}

/// The signals that stay blocked in a step, in the context of a handler.
fn mask(context: &mut ucontext_t) -> &mut u64 {
    // SAFETY: the system saves a set of 64 signals; the rest of the C library's structure is not there.
    unsafe { &mut *(&raw mut context.uc_sigmask).cast::<u64>() }
}

extern "C" fn fault(signal: c_int, info: *mut siginfo_t, context: *mut c_void) {
    // SAFETY: the system gives valid pointers to a handler with SA_SIGINFO.
    let (address, context) =
        unsafe { ((*info).si_addr().addr(), &mut *context.cast::<ucontext_t>()) };
    let ours = windows().iter().any(|window| window.addresses().contains(&address));
    // Bit 1 of the error code: a write.
    if !ours && greg(context, libc::REG_ERR) & 2 != 0 && free::store(address) {
        return;
    }
    let under_way = STEP.take().map(ManuallyDrop::into_inner);
    if !ours {
        if let Some(step) = under_way {
            // The operand that is not in a window failed: what was executed before stays.
            let executed = step.executed(context);
            finish(&step, executed, context);
        }
        return not_ours(signal);
    }
    if under_way.is_some() {
        die("an instruction accesses a mapped window at an address that is not known");
    }
    if board::inside() {
        die("a mapped window cannot be the buffer of a function of RFM2g");
    }
    // A step of another thread ends soon: its instruction does not wait for anything.
    while STEPPING.swap(true, Ordering::Acquire) {
        std::thread::yield_now();
    }
    let mut step = begin(address, context).unwrap_or_else(|why| die(&why));
    for &Part { window, from, bytes, .. } in step.parts.iter().filter(|part| part.reads) {
        // SAFETY: within the library's own mapping, which is as long as the window.
        let to = unsafe {
            std::slice::from_raw_parts_mut(
                ptr::with_exposed_provenance_mut(window.own + from),
                bytes,
            )
        };
        let at = ByteAddress(window.offset + narrow::<u32>(from));
        let read = board::lock().board().map(|board| board.node.read(at, to));
        if !matches!(read, Some(Ok(()))) {
            die("a read of a mapped window failed: the run is over");
        }
    }
    for part in &step.parts {
        protect(&part.window, libc::PROT_READ | libc::PROT_WRITE);
    }
    // A handler of the program would find the window open.
    step.mask = std::mem::replace(mask(context), !OF_INSTRUCTIONS);
    context.uc_mcontext.gregs[libc::REG_EFL as usize] |= TRAP;
    STEP.set(Some(ManuallyDrop::new(step)));
}

extern "C" fn stepped(signal: c_int, _info: *mut siginfo_t, context: *mut c_void) {
    let Some(step) = STEP.take().map(ManuallyDrop::into_inner) else { return not_ours(signal) };
    // SAFETY: as in `fault`.
    let context = unsafe { &mut *context.cast::<ucontext_t>() };
    if step.most > 1 && step.executed(context) < step.most {
        // The trap comes after each repetition.
        STEP.set(Some(ManuallyDrop::new(step)));
        return;
    }
    finish(&step, step.most, context);
}

/// Ends a step of which so many repetitions were executed: windows are closed, and what was written is posted.
fn finish(step: &Step, executed: usize, context: &mut ucontext_t) {
    context.uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP;
    *mask(context) = step.mask;
    for part in &step.parts {
        protect(&part.window, libc::PROT_NONE);
    }
    for &Part { window, from, bytes, .. } in step.parts.iter().filter(|part| part.writes) {
        // SAFETY: as in `fault`.
        let data = unsafe {
            std::slice::from_raw_parts(
                ptr::with_exposed_provenance::<u8>(window.own + from),
                bytes / step.most * executed,
            )
        };
        let at = ByteAddress(window.offset + narrow::<u32>(from));
        let written = board::lock().board().map(|board| board.node.write(at, data));
        if !matches!(written, Some(Ok(()))) {
            die("a write of a mapped window failed: the run is over");
        }
    }
    STEPPING.store(false, Ordering::Release);
}
