// SPDX-License-Identifier: MIT OR Apache-2.0
//! A verilated module behind a safe interface: all unsafe code of the lockstep is here.
#![allow(unsafe_code, reason = "calls a library that is built at run time")]

use crate::SimError;
use crate::library as build;
use awgstar::rtl::state::{MemoryRef, MemoryShape};
use awgstar_stimulus::deposit;
use awgstar_stimulus::deposit::Deposit;
use awgstar_stimulus::shape::Shape;
use libloading::Library;
use std::{
    ffi::c_void,
    path::Path,
    ptr::NonNull,
    sync::{Arc, Mutex, PoisonError},
};

type New = unsafe extern "C" fn(u32) -> *mut c_void;
type Free = unsafe extern "C" fn(*mut c_void);
type Settle = unsafe extern "C" fn(*mut c_void, *const u32);
type Edge = unsafe extern "C" fn(*mut c_void);
type Ended = unsafe extern "C" fn(*mut c_void) -> u32;
type Image = unsafe extern "C" fn(*mut c_void, *mut u32);
type Memory = unsafe extern "C" fn(*mut c_void, u32) -> *const c_void;
type Load = unsafe extern "C" fn(*mut c_void, *const u32, *const *const c_void);
type Cycle = unsafe extern "C" fn(
    *mut c_void,
    *const u32,
    *const u32,
    *const u32,
    *const *const c_void,
) -> u32;

/// Memories of a module, at most.
const MEMORIES: usize = 128;

/// A compiled module, from which instances are made.
pub struct Verilated {
    shape: Arc<Shape>,
    new: New,
    free: Free,
    settle: Settle,
    edge: Edge,
    ended: Ended,
    outputs: Image,
    registers: Image,
    memory: Memory,
    load: Load,
    cycle: Cycle,
}

impl Verilated {
    /// Builds (or finds built) and loads the Verilog in `hdl` of the module of this shape.
    ///
    /// # Errors
    /// If a program is missing, the Verilog does not compile, or a register is not in it.
    pub fn load(shape: &Arc<Shape>, hdl: &Path, out: &Path) -> Result<Arc<Self>, SimError> {
        if shape.memories.len() > MEMORIES {
            return Err(SimError::format(hdl, format!("more than {MEMORIES} memories")));
        }
        for (name, m) in &shape.memories {
            if !matches!(m.bits, 1..=64 | 97..=128) {
                return Err(SimError::format(hdl, format!("memory {name}: {} bits", m.bits)));
            }
        }
        let path = build::build(shape, hdl, out)?;
        let failed = |e: libloading::Error| SimError::format(&path, e.to_string());
        // SAFETY: the library is Verilator's output and the shim; its initialisers only set up
        // Verilator's run time.
        let library = unsafe { Library::new(&path) }.map_err(failed)?;
        // Verilator's run time has thread-local data, so the library is never unloaded.
        let library: &'static Library = Box::leak(Box::new(library));
        macro_rules! symbol {
            ($name:literal, $type:ty) => {
                // SAFETY: the shim, whose text is part of the file's name, declares it so.
                *unsafe { library.get::<$type>($name) }.map_err(failed)?
            };
        }
        Ok(Arc::new(Verilated {
            shape: shape.clone(),
            new: symbol!(b"awg_new", New),
            free: symbol!(b"awg_free", Free),
            settle: symbol!(b"awg_settle", Settle),
            edge: symbol!(b"awg_edge", Edge),
            ended: symbol!(b"awg_ended", Ended),
            outputs: symbol!(b"awg_outputs", Image),
            registers: symbol!(b"awg_registers", Image),
            memory: symbol!(b"awg_memory", Memory),
            load: symbol!(b"awg_load", Load),
            cycle: symbol!(b"awg_cycle", Cycle),
        }))
    }

    /// Shape that the model was built for.
    #[must_use]
    pub fn shape(&self) -> &Arc<Shape> {
        &self.shape
    }

    /// An instance whose registers and memories have random values from `seed`.
    ///
    /// # Panics
    /// If Verilator's constructor gives nothing, which it does not.
    #[must_use]
    pub fn instance(self: &Arc<Self>, seed: u32) -> Dut {
        // Verilator's random numbers restart in every thread when any thread sets a seed.
        static ONE: Mutex<()> = Mutex::new(());
        let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: takes a number only.
        let raw = unsafe { (self.new)(seed) };
        Dut { library: self.clone(), raw: NonNull::new(raw).expect("operator new gives no null") }
    }
}

/// All that a module stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The image of the registers.
    pub registers: Vec<u32>,
    /// The words of each memory, in the order of the shape.
    pub memories: Vec<Vec<u128>>,
}

/// One instance of the Verilog.
pub struct Dut {
    library: Arc<Verilated>,
    raw: NonNull<c_void>,
}

impl Dut {
    /// Sets the inputs and settles the combinational logic, with the clock low.
    ///
    /// # Panics
    /// If the image is not that of the inputs.
    pub fn settle(&mut self, inputs: &[u32]) {
        assert_eq!(inputs.len(), self.library.shape.words[0]);
        // SAFETY: reads as many words as were asserted; `raw` is alive as long as `self`.
        unsafe { (self.library.settle)(self.raw.as_ptr(), inputs.as_ptr()) }
    }

    /// The rising edge of the clock.
    pub fn edge(&mut self) {
        // SAFETY: `raw` is alive as long as `self`.
        unsafe { (self.library.edge)(self.raw.as_ptr()) }
    }

    /// Returns true if the Verilog has called `$finish` or `$stop`, which ends nothing here.
    #[must_use]
    pub fn ended(&self) -> bool {
        // SAFETY: `raw` is alive as long as `self`.
        unsafe { (self.library.ended)(self.raw.as_ptr()) != 0 }
    }

    /// The image of the outputs.
    #[must_use]
    pub fn outputs(&self) -> Vec<u32> {
        self.image(self.library.outputs, self.library.shape.words[1])
    }

    /// The image of the registers.
    #[must_use]
    pub fn registers(&self) -> Vec<u32> {
        self.image(self.library.registers, self.library.shape.words[2])
    }

    fn image(&self, read: Image, words: usize) -> Vec<u32> {
        let mut out = vec![0; words];
        // SAFETY: writes as many words as the shape, from which the shim was made, has.
        unsafe { read(self.raw.as_ptr(), out.as_mut_ptr()) };
        out
    }

    /// The words of memory `index`, in the order of the shape.
    ///
    /// # Panics
    /// If there is no such memory.
    #[must_use]
    pub fn memory(&self, index: usize) -> Vec<u128> {
        let shape = self.library.shape.memories[index].1;
        let number = u32::try_from(index).expect("a memory's number is small");
        // SAFETY: the index is one of the shape's.
        let start = unsafe { (self.library.memory)(self.raw.as_ptr(), number) };
        let size = crate::shim::element(shape.bits);
        // SAFETY: the shim asserts at compile time that the memory has this many elements of this
        // size. As bytes, because Verilator aligns wide elements to 4. Nothing writes while
        // `self` is borrowed.
        let bytes = unsafe { std::slice::from_raw_parts(start.cast::<u8>(), shape.depth * size) };
        bytes
            .chunks_exact(size)
            .map(|word| word.iter().rev().fold(0, |v, &b| v << 8 | u128::from(b)))
            .collect()
    }

    /// What is stored now.
    #[must_use]
    pub fn stored(&self) -> Stored {
        let memories = (0..self.library.shape.memories.len()).map(|m| self.memory(m)).collect();
        Stored { registers: self.registers(), memories }
    }

    /// Gives every register and memory the value that it has there, and settles what hangs on them.
    ///
    /// # Panics
    /// If it is not what a module of this shape stores.
    pub fn load(&mut self, stored: &Stored) {
        let memories: Vec<_> = stored.memories.iter().map(|words| Some(&words[..])).collect();
        self.put(&stored.registers, &memories);
    }

    /// Deposits values in registers and memories and settles what hangs on them.
    ///
    /// # Panics
    /// If the shape has more memories than the library is loaded with, which it has not.
    pub fn deposit(&mut self, deposits: &[Deposit]) {
        if deposits.is_empty() {
            return;
        }
        let shape = self.library.shape.clone();
        let mut registers = self.registers();
        for (path, bits, at) in shape.register_words() {
            for deposit in deposits.iter().filter(|d| d.path == path) {
                deposit::put(&mut registers, at, bits, deposit.value);
            }
        }
        let words: Vec<Option<Vec<u128>>> = shape
            .memories
            .iter()
            .map(|(path, m)| {
                let deposit = deposits.iter().rfind(|d| d.path == *path)?;
                Some((0..m.depth).map(|i| deposit.value ^ i as u128).collect())
            })
            .collect();
        self.put(&registers, &words.iter().map(Option::as_deref).collect::<Vec<_>>());
    }

    /// Sets all registers and those memories that are given, and settles.
    fn put(&mut self, registers: &[u32], memories: &[Option<&[u128]>]) {
        let shape = &self.library.shape;
        assert_eq!([registers.len(), memories.len()], [shape.words[2], shape.memories.len()]);
        let elements = |words: &[u128], m: &MemoryShape| -> Vec<u8> {
            let size = crate::shim::element(m.bits);
            assert_eq!(words.len(), m.depth, "words of {}", m.name);
            words.iter().flat_map(|w| w.to_le_bytes().into_iter().take(size)).collect()
        };
        let contents: Vec<Option<Vec<u8>>> = memories
            .iter()
            .zip(&shape.memories)
            .map(|(words, (_, m))| words.map(|words| elements(words, m)))
            .collect();
        let mut pointers = [std::ptr::null::<c_void>(); MEMORIES];
        assert!(contents.len() <= MEMORIES, "`Verilated::load` refuses more");
        for (pointer, bytes) in pointers.iter_mut().zip(&contents) {
            if let Some(bytes) = bytes {
                *pointer = bytes.as_ptr().cast();
            }
        }
        // SAFETY: reads as many words as the shape has, and of each memory that is not null as many
        // bytes as the shim asserts it to have: elements of this size times the depth.
        unsafe { (self.library.load)(self.raw.as_ptr(), registers.as_ptr(), pointers.as_ptr()) }
    }

    /// A whole cycle (LCK-1): sets the inputs, settles, compares, and raises the clock if all is
    /// equal. `memories` are those of the model, in the order of the shape, or empty to leave
    /// them out.
    ///
    /// Returns true if all is equal and the Verilog has not called `$finish`; else the clock has not risen.
    ///
    /// # Panics
    /// If an image or memory is not of the shape's size.
    #[inline]
    pub fn cycle(
        &mut self,
        inputs: &[u32],
        outputs: &[u32],
        registers: &[u32],
        memories: &[MemoryRef<'_>],
    ) -> bool {
        let shape = &self.library.shape;
        assert_eq!([inputs.len(), outputs.len(), registers.len()], shape.words);
        let mut pointers = [std::ptr::null::<c_void>(); MEMORIES];
        let list = if memories.is_empty() {
            std::ptr::null()
        } else {
            assert_eq!(memories.len(), shape.memories.len());
            for ((pointer, memory), (_, m)) in
                pointers.iter_mut().zip(memories).zip(&shape.memories)
            {
                let (start, depth) = match memory {
                    MemoryRef::U8(w) if m.bits <= 8 => (w.as_ptr().cast(), w.len()),
                    MemoryRef::U16(w) if m.bits > 8 && m.bits <= 16 => (w.as_ptr().cast(), w.len()),
                    MemoryRef::U32(w) if m.bits > 16 && m.bits <= 32 => {
                        (w.as_ptr().cast(), w.len())
                    }
                    MemoryRef::U64(w) if m.bits > 32 && m.bits <= 64 => {
                        (w.as_ptr().cast(), w.len())
                    }
                    MemoryRef::U128(w) if m.bits > 96 => (w.as_ptr().cast(), w.len()),
                    _ => (std::ptr::null(), 0),
                };
                assert_eq!(depth, m.depth, "element and depth of {}", m.name);
                *pointer = start;
            }
            pointers.as_ptr()
        };
        // SAFETY: lengths were asserted, and `pointers` holds one pointer per memory of the shape
        // (`load` refuses more than
        // fit), each to as many elements as the shape says.
        let diff = unsafe {
            (self.library.cycle)(
                self.raw.as_ptr(),
                inputs.as_ptr(),
                outputs.as_ptr(),
                registers.as_ptr(),
                list,
            )
        };
        diff == 0
    }
}

impl Drop for Dut {
    fn drop(&mut self) {
        // SAFETY: made by `new` of the same library, and freed once.
        unsafe { (self.library.free)(self.raw.as_ptr()) }
    }
}
