// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program and its libraries, as the loader has placed them.

use crate::{cell::Value, layout::page};
use libc::{c_int, c_void, dl_phdr_info};
use std::{ffi::CStr, ops::Range};

/// A loaded file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loaded {
    /// Path; empty for the program itself.
    pub(crate) path: String,
    /// What is added to the addresses in the file.
    pub(crate) base: usize,
    /// Segments with instructions.
    pub(crate) text: Vec<Range<usize>>,
    /// Segments that can be written, without what is read-only after the start.
    pub(crate) data: Vec<Range<usize>>,
    /// Bytes and alignment of thread-local variables.
    pub(crate) tls: Option<(usize, usize)>,
    /// Words with addresses that the loader fills are in these tables: address and bytes.
    tables: Vec<Range<usize>>,
    /// What is read-only after the start.
    pub(crate) sealed: Range<usize>,
    /// What [`Loaded::is_system`] says.
    system: bool,
    /// It has functions that the compiler builds on the stack.
    pub(crate) runs_stack: bool,
}

static LOADED: Value<&[Loaded]> = Value::new(&[]);

/// Libraries of the system whose variables belong to a process: C, Fortran and C++ without the program.
const SYSTEM: [&str; 14] = [
    "linux-vdso",
    "ld-linux",
    "libc.",
    "libm.",
    "libmvec.",
    "libdl.",
    "librt.",
    "libpthread.",
    "libgcc_s.",
    "libgomp.",
    "libgfortran.",
    "libquadmath.",
    "libstdc++.",
    "libatomic.",
];

/// Libraries that threads use which the program does not know.
const THREADS: [&str; 4] = ["linux-vdso", "ld-linux", "libc.", "libpthread."];

impl Loaded {
    /// Returns true for the program.
    pub(crate) fn is_main(&self) -> bool {
        self.path.is_empty()
    }

    /// Returns true for this library, and for those of the system.
    pub(crate) fn is_system(&self) -> bool {
        self.system
    }

    /// Returns true for an address of its instructions.
    pub(crate) fn has_text(&self, at: usize) -> bool {
        self.text.iter().any(|text| text.contains(&at))
    }

    /// Returns true for libraries that threads use which the program does not know: that of C, and the loader.
    pub(crate) fn is_of_threads(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        !self.is_main() && THREADS.iter().any(|one| name.starts_with(one))
    }

    /// Words that the loader has filled with the address of a function or a variable.
    pub(crate) fn slots(&self) -> Vec<usize> {
        /// `R_X86_64_64`, `R_X86_64_GLOB_DAT`, `R_X86_64_JUMP_SLOT`.
        const KINDS: [usize; 3] = [1, 6, 7];
        let entries = self.tables.iter().flat_map(|table| table.clone().step_by(24));
        let slot = |at: usize| {
            // SAFETY: an entry of the table: offset, kind with symbol, addend.
            let [offset, kind, _] = unsafe { (at as *const [usize; 3]).read_unaligned() };
            KINDS.contains(&(kind & 0xffff_ffff)).then_some(self.base + offset)
        };
        entries.filter_map(slot).collect()
    }

    /// Reads where the tables are; `at` is the dynamic section.
    fn read_tables(&mut self, at: usize) {
        let mut found = [0; 4];
        for index in 0.. {
            // SAFETY: pairs of tag and value; the last tag is zero.
            let [tag, value] = unsafe { (at as *const [usize; 2]).add(index).read() };
            match tag {
                0 => break,
                // DT_RELA, DT_RELASZ, DT_JMPREL, DT_PLTRELSZ.
                7 => found[0] = value,
                8 => found[1] = value,
                23 => found[2] = value,
                2 => found[3] = value,
                _ => {}
            }
        }
        for [start, size] in [[found[0], found[1]], [found[2], found[3]]] {
            // The loader adds its base, unless the section is read-only.
            let start = if start < self.base { start + self.base } else { start };
            if size > 0 {
                self.tables.push(start..start + size);
            }
        }
    }

    /// Returns true for the C library.
    pub(crate) fn is_libc(&self) -> bool {
        self.path.rsplit('/').next().is_some_and(|name| name.starts_with("libc."))
    }

    fn found_system(&self) -> bool {
        let name = self.path.rsplit('/').next().unwrap_or_default();
        let own = self.text.iter().any(|text| text.contains(&(is_own as *const () as usize)));
        own || !self.is_main() && SYSTEM.iter().any(|one| name.starts_with(one))
    }
}

fn is_own() {}

extern "C" fn collect(info: *mut dl_phdr_info, _: usize, all: *mut c_void) -> c_int {
    // SAFETY: the loader gives a valid description, and `all` is the vector of `scan`.
    let (info, all) = unsafe { (&*info, &mut *all.cast::<Vec<Loaded>>()) };
    let base = info.dlpi_addr as usize;
    // SAFETY: as above.
    let path = unsafe { CStr::from_ptr(info.dlpi_name) }.to_string_lossy().into_owned();
    let path = if all.is_empty() { String::new() } else { path };
    let mut loaded = Loaded { path, base, ..Loaded::default() };
    let mut relro = 0..0;
    for index in 0..info.dlpi_phnum {
        // SAFETY: so many headers are there.
        let header = unsafe { &*info.dlpi_phdr.add(index.into()) };
        let start = base + header.p_vaddr as usize;
        let end = start + header.p_memsz as usize;
        match header.p_type {
            libc::PT_LOAD if header.p_flags & libc::PF_W != 0 => loaded.data.push(start..end),
            libc::PT_LOAD if header.p_flags & libc::PF_X != 0 => loaded.text.push(start..end),
            libc::PT_TLS => {
                loaded.tls = Some((header.p_memsz as usize, header.p_align.max(1) as usize));
            }
            libc::PT_GNU_STACK => loaded.runs_stack = header.p_flags & libc::PF_X != 0,
            libc::PT_DYNAMIC => loaded.read_tables(start),
            libc::PT_GNU_RELRO => relro = page(start)..page(end),
            _ => {}
        }
    }
    for data in &mut loaded.data {
        if relro.contains(&data.start) {
            data.start = relro.end.min(data.end);
        }
    }
    loaded.sealed = relro;
    loaded.data.retain(|data| !data.is_empty());
    loaded.system = loaded.found_system();
    all.push(loaded);
    0
}

/// Looks at what is loaded now.
pub(crate) fn scan() {
    let mut all: Vec<Loaded> = Vec::new();
    // SAFETY: `collect` fits, and the vector outlives the call.
    unsafe { libc::dl_iterate_phdr(Some(collect), std::ptr::from_mut(&mut all).cast()) };
    // It is looked at a few times: what was found before stays in memory.
    LOADED.set(Vec::leak(all));
}

/// All loaded files, the program first.
pub(crate) fn all() -> &'static [Loaded] {
    LOADED.get()
}

/// Returns true for an instruction of the program or of a library of the program.
pub(crate) fn in_program(at: usize) -> bool {
    let mut all = all().iter().filter(|one| !one.is_system());
    all.any(|one| one.text.iter().any(|text| text.contains(&at)))
}

/// What is added to the addresses in the program's file.
pub(crate) fn main_base() -> usize {
    all().first().map_or(0, |main| main.base)
}

/// The thread-local variables of the program in the thread that asks: they end at the thread pointer.
pub(crate) fn main_tls() -> Range<usize> {
    let Some((size, align)) = all().first().and_then(|main| main.tls) else { return 0..0 };
    let pointer: usize;
    // SAFETY: the first word of the thread's block is its own address.
    unsafe { std::arch::asm!("mov {}, fs:0", out(reg) pointer, options(nostack, readonly)) };
    let start = pointer - size.next_multiple_of(align);
    start..start + size
}
