// SPDX-License-Identifier: MIT OR Apache-2.0
//! `libawgstar_dpi`: the model as reference of a `SystemVerilog` bench, over DPI-C.
//!
//! Each function is a thin shell over [`awgstar_compare::Comparison`] and the codec. `unsafe` is needed for the
//! pointers of the caller and for names without mangling; nothing else is done here. A handle is a number, not a
//! pointer, so that a wrong one is found. A panic ends in an error code. [`texts`] writes `include/awgstar_dpi.h`
//! and the imports of `sv/awgstar_pkg.sv` from the functions below and their comments.

pub mod bits;
pub mod error;
mod frames;
mod models;
pub mod texts;

use error::DpiError;
use models::{Kind, with, with_kind};
use std::{
    cell::RefCell,
    ffi::{CStr, CString, c_char, c_int},
    panic::{AssertUnwindSafe, catch_unwind},
    slice,
};

use awgstar::rtl::{RingNode, Smb};

/// Words of `awg_ring_node_in_t`.
pub type RingNodeInputs = u32;
/// Words of `awg_ring_node_out_t`.
pub type RingNodeOutputs = u32;
/// Words of `awg_ring_node_registers_t`.
pub type RingNodeRegisters = u32;
/// Words of `awg_ring_node_wires_t`.
pub type RingNodeWires = u32;
/// Words of `awg_smb_in_t`.
pub type SmbInputs = u32;
/// Words of `awg_smb_out_t`.
pub type SmbOutputs = u32;
/// Words of `awg_smb_registers_t`.
pub type SmbRegisters = u32;
/// Words of `awg_smb_wires_t`.
pub type SmbWires = u32;
/// Words of `bit [127:0]`.
pub type Value = u32;
/// Words of `awg_frame_t`.
pub type Frame = u32;
/// Words of `awg_line_t`.
pub type Line = u32;

thread_local! {
    /// The text of the last error.
    static MESSAGE: RefCell<CString> = RefCell::default();
    /// The last other text that was given.
    static TEXT: RefCell<CString> = RefCell::default();
}

fn c_text(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// The code of a result, whose error becomes the message.
fn code(result: Result<(), DpiError>) -> c_int {
    let Err(error) = result else { return 0 };
    MESSAGE.with(|message| *message.borrow_mut() = c_text(&error.to_string()));
    error.code()
}

/// Does `work`; a panic becomes an error.
fn caught<T>(work: impl FnOnce() -> Result<T, DpiError>) -> Result<T, DpiError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        Err(DpiError::Failed(text.unwrap_or("a panic without a text").to_owned()))
    })
}

fn guarded(work: impl FnOnce() -> Result<(), DpiError>) -> c_int {
    code(caught(work))
}

/// A text for the caller, valid until the next call of this thread that gives one; empty after an error.
fn text(work: impl FnOnce() -> Result<String, DpiError>) -> *const c_char {
    let text = caught(work).unwrap_or_else(|error| {
        code(Err(error));
        String::new()
    });
    TEXT.with(|last| {
        *last.borrow_mut() = c_text(&text);
        last.borrow().as_ptr()
    })
}

/// Words of the caller.
///
/// # Safety
/// `pointer` is null or points to `count` words that are not written during the call.
unsafe fn read<'a>(
    name: &'static str,
    pointer: *const u32,
    count: usize,
) -> Result<&'a [u32], DpiError> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(DpiError::Pointer(name));
    }
    // SAFETY: the caller's promise; not null, aligned.
    Ok(unsafe { slice::from_raw_parts(pointer, count) })
}

/// Words of the caller, to be written.
///
/// # Safety
/// `pointer` is null or points to `count` words that can be written and that nothing else uses during the call.
unsafe fn write<'a>(
    name: &'static str,
    pointer: *mut u32,
    count: usize,
) -> Result<&'a mut [u32], DpiError> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(DpiError::Pointer(name));
    }
    // SAFETY: the caller's promise; not null, aligned.
    Ok(unsafe { slice::from_raw_parts_mut(pointer, count) })
}

/// A number of the caller, to be written.
///
/// # Safety
/// `pointer` is null or points to a number that can be written.
unsafe fn put(name: &'static str, pointer: *mut u64, value: u64) -> Result<(), DpiError> {
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(DpiError::Pointer(name));
    }
    // SAFETY: the caller's promise; not null, aligned.
    unsafe { pointer.write(value) };
    Ok(())
}

/// A text of the caller.
///
/// # Safety
/// `pointer` is null or points to a text that ends with 0.
unsafe fn name<'a>(argument: &'static str, pointer: *const c_char) -> Result<&'a str, DpiError> {
    if pointer.is_null() {
        return Err(DpiError::Pointer(argument));
    }
    // SAFETY: the caller's promise; not null.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map_err(|_| DpiError::Argument(format!("argument {argument}: expected UTF-8")))
}

/// # Safety
/// As the functions of C below.
unsafe fn cycle<M: Kind>(
    handle: c_int,
    inputs: *const u32,
    outputs: *const u32,
    registers: Option<*const u32>,
) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise, with the sizes of the package, which awg_dpi_new has checked.
        let (inputs, outputs, registers) = unsafe {
            let registers = registers.map(|words| read("registers", words, M::WORDS));
            (
                read("inputs", inputs, models::input_words::<M>())?,
                read("outputs", outputs, models::output_words::<M>())?,
                registers.transpose()?,
            )
        };
        with_kind::<M, _>(handle, |model| models::cycle(model, inputs, outputs, registers))
    })
}

/// Makes a model of `name`, `ring_node` or `smb`, with parameters of its Verilog, `NAME=VALUE` with commas between
/// them; those not named have the default of the Verilog. `layout` is `AWG_RING_NODE_LAYOUT` or `AWG_SMB_LAYOUT` of
/// the package. Gives a handle above 0, or an error code with a minus.
///
/// # Safety
/// The texts must end with 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_new(
    name: *const c_char,
    parameters: *const c_char,
    layout: u32,
) -> c_int {
    let made = caught(|| {
        // SAFETY: the caller's promise.
        let (module, settings) =
            unsafe { (self::name("name", name)?, self::name("parameters", parameters)?) };
        models::make(module, settings, layout)
    });
    made.unwrap_or_else(|error| -code(Err(error)))
}

/// Takes back a model. A run that compares must be finished before, see `awg_dpi_verdict`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_free(handle: c_int) -> c_int {
    guarded(|| models::free(handle))
}

/// One cycle of a design with the registers of `ring_node`: call it just before the rising edge, after
/// `awg_dpi_word`, with `rst` high in the first cycle. Compares registers, outputs and the memory words that were
/// given; if all are equal, does the edge. Else the run is over and `awg_dpi_explain` has the report.
///
/// # Safety
/// The pointers must be those of structures of the package.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_cycle_ring_node(
    handle: c_int,
    inputs: *const RingNodeInputs,
    outputs: *const RingNodeOutputs,
    registers: *const RingNodeRegisters,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { cycle::<RingNode>(handle, inputs, outputs, Some(registers)) }
}

/// The same for `smb`.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_cycle_smb(
    handle: c_int,
    inputs: *const SmbInputs,
    outputs: *const SmbOutputs,
    registers: *const SmbRegisters,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { cycle::<Smb>(handle, inputs, outputs, Some(registers)) }
}

/// One cycle of a design with the ports of `ring_node` and registers of your choice: compares the bits of outputs
/// that have a meaning in this cycle and that the reset or the inputs have set, then does the edge.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_ports_ring_node(
    handle: c_int,
    inputs: *const RingNodeInputs,
    outputs: *const RingNodeOutputs,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { cycle::<RingNode>(handle, inputs, outputs, None) }
}

/// The same for `smb`.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_ports_smb(
    handle: c_int,
    inputs: *const SmbInputs,
    outputs: *const SmbOutputs,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe { cycle::<Smb>(handle, inputs, outputs, None) }
}

/// Ports of all instances of a `ring_node` in this cycle, before `awg_dpi_cycle_ring_node`, if the report is to name
/// the cause: the module whose inputs agree and of which an output differs.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_wires_ring_node(
    handle: c_int,
    wires: *const RingNodeWires,
) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let wires = read("wires", wires, texts::wire_words::<RingNode>())?;
        with_kind::<RingNode, _>(handle, |model| {
            model.wires(wires);
            Ok(())
        })
    })
}

/// The same for `smb`.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_wires_smb(handle: c_int, wires: *const SmbWires) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let wires = read("wires", wires, texts::wire_words::<Smb>())?;
        with_kind::<Smb, _>(handle, |model| {
            model.wires(wires);
            Ok(())
        })
    })
}

/// A memory word of the design in this cycle. The macros of `awgstar_design.svh` call it for all words, which must be
/// done in the first two cycles; later it is a comparison, as often as you like.
///
/// # Safety
/// `value` must point to four words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_word(
    handle: c_int,
    memory: u32,
    address: u32,
    value: *const Value,
) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise.
        let value = unsafe { read("value", value, 4)? };
        with(handle, |model| {
            Ok(model.word(memory as usize, address as usize, bits::get(value, 0, 128))?)
        })
    })
}

/// Outputs of the model with these inputs, just before the edge: the model in the place of a design.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_outputs_ring_node(
    handle: c_int,
    inputs: *const RingNodeInputs,
    outputs: *mut RingNodeOutputs,
) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let inputs = read("inputs", inputs, models::input_words::<RingNode>())?;
        let outputs = write("outputs", outputs, models::output_words::<RingNode>())?;
        with_kind::<RingNode, _>(handle, |model| {
            models::outputs(model, inputs, outputs);
            Ok(())
        })
    })
}

/// The same for `smb`.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_outputs_smb(
    handle: c_int,
    inputs: *const SmbInputs,
    outputs: *mut SmbOutputs,
) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let inputs = read("inputs", inputs, models::input_words::<Smb>())?;
        let outputs = write("outputs", outputs, models::output_words::<Smb>())?;
        with_kind::<Smb, _>(handle, |model| {
            models::outputs(model, inputs, outputs);
            Ok(())
        })
    })
}

/// The edge of a model that is not compared.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_clock_ring_node(
    handle: c_int,
    inputs: *const RingNodeInputs,
) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let inputs = read("inputs", inputs, models::input_words::<RingNode>())?;
        with_kind::<RingNode, _>(handle, |model| model.clock(&bits::ports(inputs)))
    })
}

/// The same for `smb`.
///
/// # Safety
/// As `awg_dpi_cycle_ring_node`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_clock_smb(handle: c_int, inputs: *const SmbInputs) -> c_int {
    // SAFETY: the caller's promise.
    guarded(|| unsafe {
        let inputs = read("inputs", inputs, models::input_words::<Smb>())?;
        with_kind::<Smb, _>(handle, |model| model.clock(&bits::ports(inputs)))
    })
}

/// A register of the model by its path below the module, such as `u_arbiter.turn_q`.
///
/// # Safety
/// The text must end with 0, `value` must point to four words.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_register(
    handle: c_int,
    path: *const c_char,
    value: *mut Value,
) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (path, value) = unsafe { (name("path", path)?, write("value", value, 4)?) };
        with(handle, |model| {
            let found = model.register(path).ok_or_else(|| {
                let module = model.module();
                DpiError::Argument(format!("register {path}: {module} has none of that name"))
            })?;
            bits::put(value, 0, 128, found);
            Ok(())
        })
    })
}

/// The first difference: cycle, value in the model, value in the design. `awg_dpi_difference_path` has the name.
/// `AWG_DPI_NOTHING` if there is none.
///
/// # Safety
/// The pointers must point to a number and to four words each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_difference(
    handle: c_int,
    at: *mut u64,
    expected: *mut Value,
    found: *mut Value,
) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (expected, found) =
            unsafe { (write("expected", expected, 4)?, write("found", found, 4)?) };
        with(handle, |one| {
            let first = one.difference()?;
            bits::put(expected, 0, 128, first.model());
            bits::put(found, 0, 128, first.found().value);
            // SAFETY: the caller's promise.
            unsafe { put("at", at, first.cycle) }
        })
    })
}

/// Name of the register, memory word or output that differs first; empty if none does.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_difference_path(handle: c_int) -> *const c_char {
    text(|| with(handle, |model| Ok(model.difference()?.path())))
}

/// The report of the first difference: cycle, signal, value in the model, value in the Verilog, cause, inputs of the
/// cycle before, frames on the links; empty if there is none.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_explain(handle: c_int) -> *const c_char {
    text(|| with(handle, |model| model.report()))
}

/// Cycles that were compared; 0 for a wrong handle.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_compared(handle: c_int) -> u64 {
    caught(|| with(handle, |model| Ok(model.compared()))).unwrap_or_default()
}

/// Whole frames on the input and the output of the link so far; 0 for a wrong handle.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_frames(handle: c_int) -> u64 {
    caught(|| with(handle, |model| Ok(model.frames()))).unwrap_or_default()
}

/// Ends the run of a model: 0 if at least one cycle was compared, a frame was on a link and nothing differed.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_finish(handle: c_int) -> c_int {
    guarded(|| models::finish(handle))
}

/// The verdict of the simulation: call it in a `final` block. Returns if every run was finished with 0, and there was
/// one; else prints the reason to standard error and ends the process with exit code 1, whatever the design has printed
/// and even if the design has called `$finish`.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_verdict() {
    let verdict = caught(models::verdict);
    if let Err(error) = verdict {
        eprintln!("awgstar: {error}");
        std::process::exit(1);
    }
}

/// The bytes of a frame on the link, from the model's codec; `AWG_DPI_FRAME` if it cannot be sent, with the field.
///
/// # Safety
/// The pointers must be those of structures of the package.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_encode(from: *const Frame, to: *mut Line) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (from, to) = unsafe {
            (read("from", from, frames::FRAME_WORDS)?, write("to", to, frames::LINE_WORDS)?)
        };
        frames::encode(from, to)
    })
}

/// The frame of these bytes, from the model's codec; `AWG_DPI_FRAME` if they are not one, with field and byte.
///
/// # Safety
/// As `awg_dpi_encode`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_decode(from: *const Line, to: *mut Frame) -> c_int {
    guarded(|| {
        // SAFETY: the caller's promise.
        let (from, to) = unsafe {
            (read("from", from, frames::LINE_WORDS)?, write("to", to, frames::FRAME_WORDS)?)
        };
        frames::decode(from, to)
    })
}

/// Fields and errors of a frame in words, as `awgstar frame explain` prints them.
///
/// # Safety
/// As `awg_dpi_encode`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn awg_dpi_explain_frame(line: *const Line) -> *const c_char {
    // SAFETY: the caller's promise.
    text(|| unsafe { frames::explain(read("line", line, frames::LINE_WORDS)?) })
}

/// The text of the last error of this thread.
#[unsafe(no_mangle)]
pub extern "C" fn awg_dpi_message() -> *const c_char {
    MESSAGE.with(|message| message.borrow().as_ptr())
}
