// SPDX-License-Identifier: MIT OR Apache-2.0
//! Functions of libc that the library replaces: memory.

use crate::{arena, cell::Value, image, layout, slices, system};
use libc::{c_char, c_int, c_void, pid_t};

/// Depth of calls into libc whose memory belongs to this process alone.
static INSIDE: Value<u32> = Value::new(0);

/// Does something for which libc allocates memory that must not travel.
pub(crate) fn inside<R>(work: impl FnOnce() -> R) -> R {
    INSIDE.set(INSIDE.get() + 1);
    let result = work();
    INSIDE.set(INSIDE.get() - 1);
    result
}

/// Returns true while the library does so.
pub(crate) fn is_inside() -> bool {
    INSIDE.get() > 0
}

/// libc's own `fork`.
pub(crate) fn real_fork() -> pid_t {
    type Fork = unsafe extern "C" fn() -> pid_t;
    // SAFETY: libc has this function with this type.
    inside(|| unsafe { std::mem::transmute::<*mut c_void, Fork>(system::next(c"fork"))() })
}

/// Bytes before a block of this process alone: its size.
const HEAD: usize = 16;

fn private(size: usize, align: usize) -> *mut c_void {
    let align = align.max(HEAD);
    let Some(total) = size.checked_add(align) else { return std::ptr::null_mut() };
    let start = arena::allocate(total, align);
    if start.is_null() {
        return start.cast();
    }
    // SAFETY: `align` bytes are before the block, 16 at least.
    unsafe {
        let block = start.add(align);
        block.sub(16).cast::<usize>().write(total);
        block.sub(8).cast::<usize>().write(align);
        block.cast()
    }
}

fn allocate(size: usize, align: usize, zero: bool) -> *mut c_void {
    let inside = INSIDE.get() > 0;
    let (block, old) = if inside {
        (private(size, align), true)
    } else {
        match slices::allocate(size, align) {
            Some((at, old)) => (at as *mut c_void, old),
            None => (std::ptr::null_mut(), false),
        }
    };
    if block.is_null() {
        // SAFETY: the thread's own variable.
        unsafe { *libc::__errno_location() = libc::ENOMEM };
    } else if zero && old {
        // SAFETY: the block has so many bytes.
        unsafe { block.write_bytes(0, size) };
    }
    block
}

fn size(block: *mut c_void) -> usize {
    let at = block as usize;
    if layout::own(at) {
        // SAFETY: a block of `private` has its size before it.
        unsafe { block.sub(16).cast::<usize>().read() - block.sub(8).cast::<usize>().read() }
    } else {
        slices::size(at).unwrap_or_else(|| bad(at))
    }
}

fn bad(at: usize) -> ! {
    crate::die::die!("free or realloc of {at:#x}, where no block of memory begins")
}

#[unsafe(no_mangle)]
extern "C" fn malloc(size: usize) -> *mut c_void {
    allocate(size, 16, false)
}

#[unsafe(no_mangle)]
extern "C" fn calloc(count: usize, size: usize) -> *mut c_void {
    count.checked_mul(size).map_or(std::ptr::null_mut(), |all| allocate(all, 16, true))
}

#[unsafe(no_mangle)]
extern "C" fn free(block: *mut c_void) {
    let at = block as usize;
    if at == 0 {
        return;
    }
    if layout::own(at) {
        // SAFETY: as in `size`.
        unsafe {
            let (total, align) =
                (block.sub(16).cast::<usize>().read(), block.sub(8).cast::<usize>().read());
            arena::release(block.cast::<u8>().sub(align), total, align);
        }
    } else if !slices::release(at) {
        bad(at);
    }
}

#[unsafe(no_mangle)]
extern "C" fn realloc(block: *mut c_void, new: usize) -> *mut c_void {
    if block.is_null() {
        return malloc(new);
    }
    let old = size(block);
    if new <= old && new > old / 2 {
        return block;
    }
    let to = malloc(new.max(1));
    if !to.is_null() {
        // SAFETY: both blocks have so many bytes, and they are not the same.
        unsafe { std::ptr::copy_nonoverlapping(block.cast::<u8>(), to.cast(), old.min(new)) };
        free(block);
    }
    to
}

#[unsafe(no_mangle)]
extern "C" fn aligned_alloc(align: usize, size: usize) -> *mut c_void {
    allocate(size, align.max(16), false)
}

#[unsafe(no_mangle)]
extern "C" fn memalign(align: usize, size: usize) -> *mut c_void {
    allocate(size, align.max(16), false)
}

#[unsafe(no_mangle)]
extern "C" fn valloc(size: usize) -> *mut c_void {
    allocate(size, layout::PAGE, false)
}

#[unsafe(no_mangle)]
extern "C" fn pvalloc(size: usize) -> *mut c_void {
    allocate(size.next_multiple_of(layout::PAGE), layout::PAGE, false)
}

/// # Safety
/// `to` points to a pointer that can be written.
#[unsafe(no_mangle)]
unsafe extern "C" fn posix_memalign(to: *mut *mut c_void, align: usize, size: usize) -> c_int {
    if !align.is_power_of_two() || align < size_of::<usize>() {
        return libc::EINVAL;
    }
    let block = allocate(size, align.max(16), false);
    if block.is_null() {
        return libc::ENOMEM;
    }
    // SAFETY: the caller's promise.
    unsafe { to.write(block) };
    0
}

#[unsafe(no_mangle)]
extern "C" fn malloc_usable_size(block: *mut c_void) -> usize {
    if block.is_null() { 0 } else { size(block) }
}

/// Memory that all threads share, for the library.
pub(crate) fn shared(size: usize, align: usize) -> *mut c_void {
    allocate(size, align, false)
}

/// Frees a block of [`shared`].
pub(crate) fn shared_free(block: *mut c_void) {
    free(block);
}

/// As [`shared`], zero.
pub(crate) fn shared_zero(count: usize, size: usize) -> *mut c_void {
    calloc(count, size)
}

/// libc would give the system a fresh block, whose pages are protected.
#[unsafe(no_mangle)]
unsafe extern "C" fn getcwd(buffer: *mut c_char, size: usize) -> *mut c_char {
    type Real = unsafe extern "C" fn(*mut c_char, usize) -> *mut c_char;
    // SAFETY: libc has this function with this type.
    let real = unsafe { std::mem::transmute::<*mut c_void, Real>(system::next(c"getcwd")) };
    if !buffer.is_null() {
        image::open_all(buffer as usize, size);
        // SAFETY: the program's own call.
        return unsafe { real(buffer, size) };
    }
    // On the stack, which is not protected.
    let mut path = [0; libc::PATH_MAX as usize];
    let room = if size == 0 { path.len() } else { size.min(path.len()) };
    // SAFETY: the array has so many bytes, and a path in it ends with a zero.
    unsafe {
        if real(path.as_mut_ptr(), room).is_null() {
            return std::ptr::null_mut();
        }
        let bytes = libc::strlen(path.as_ptr()) + 1;
        let block = malloc(size.max(bytes)).cast::<c_char>();
        if !block.is_null() {
            block.copy_from_nonoverlapping(path.as_ptr(), bytes);
        }
        block
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn get_current_dir_name() -> *mut c_char {
    // SAFETY: no buffer is asked for.
    unsafe { getcwd(std::ptr::null_mut(), 0) }
}
