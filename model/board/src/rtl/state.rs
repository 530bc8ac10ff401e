// SPDX-License-Identifier: MIT OR Apache-2.0
//! Registers, memories and ports by name: what the lockstep compares (LCK-2, LCK-3).
//!
//! `state!` declares the registers of a module with their widths in bits, its memories (those whose depth
//! follows from parameters as `buffers`) and its instances; `ports!` its inputs or outputs. Both give the
//! names to the test that compares them with the elaborated Verilog, and a flat image of `u32`
//! words to the lockstep: every value takes as many words as its width needs, least significant
//! first, which is how Verilator stores them. A header is one value here. Between inner modules it is
//! one vector in the Verilog as well; on the modules that others use, it is a port for each field.
//!
//! An instance declared `= e` has the parameters `e`, and otherwise those of the module that it is in.
//!
//! Instances that two modules include, as their Verilog does with a file, are declared once and named by `include`:
//! they are instances of the module, which derefs to them.
//!
//! A module declared `with p` has widths or depths that follow from its [`Parameters`], called `p` in
//! those expressions. A width of 33 bits or more never does, so an image has the same words under
//! all parameters.

use super::parameters::Parameters;
pub use super::value::Value;
use awgstar_frame::contract::{HDR_FIELDS, Hdr};
use std::collections::BTreeSet;
use std::ops::{Deref, DerefMut};

/// A register or port.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signal {
    /// Name in Verilog.
    pub name: &'static str,
    /// Width in bits.
    pub bits: usize,
    /// Words of its image: as under the contract's parameters, whatever others make of its width.
    words: usize,
}

impl Signal {
    /// A signal of so many bits, at most 128, in as few words as hold them.
    #[must_use]
    pub const fn new(name: &'static str, bits: usize) -> Signal {
        Signal { name, bits, words: bits.div_ceil(32) }
    }

    /// The signal, in the place that it has under the contract's parameters.
    #[must_use]
    pub(crate) const fn placed_as(self, usual: &Signal) -> Signal {
        Signal { words: usual.words, ..self }
    }

    /// Words of its image.
    #[must_use]
    pub const fn words(&self) -> usize {
        self.words
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryShape {
    /// Name in Verilog.
    pub name: &'static str,
    /// Width of a word in bits.
    pub bits: usize,
    /// Number of words.
    pub depth: usize,
}

/// A memory whose depth follows from parameters: 2^n words. An address counts with its lower n bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer<T>(Box<[T]>, Changes);

/// Words of a line, of which a memory that is watched keeps whether it has changed.
pub const LINE: usize = 64;

/// Lines that have changed, if the memory is watched. They are not part of the state: all are equal.
#[derive(Clone, Debug, Default)]
struct Changes(Option<BTreeSet<usize>>);

impl PartialEq for Changes {
    fn eq(&self, _: &Changes) -> bool {
        true
    }
}

impl Eq for Changes {}

impl<T: Copy + Default> Buffer<T> {
    /// A memory of `depth` zeros.
    ///
    /// # Panics
    /// If `depth` is no power of two.
    #[must_use]
    pub fn new(depth: usize) -> Self {
        assert!(depth.is_power_of_two(), "{depth} words");
        Buffer(vec![T::default(); depth].into_boxed_slice(), Changes::default())
    }

    #[inline]
    fn place(&self, address: usize) -> usize {
        address & (self.0.len() - 1)
    }

    /// The word at an address.
    #[must_use]
    #[inline]
    pub fn at(&self, address: impl Into<usize>) -> T {
        self.0[self.place(address.into())]
    }

    /// The word at an address, to be written.
    #[inline]
    pub fn at_mut(&mut self, address: impl Into<usize>) -> &mut T {
        let place = self.place(address.into());
        &mut self.0[place]
    }

    /// Notes that the word at an address has changed, for [`Buffer::take_changes`].
    #[inline]
    pub(crate) fn note(&mut self, address: impl Into<usize>) {
        let line = self.place(address.into()) / LINE;
        if let Some(lines) = &mut self.1.0 {
            lines.insert(line);
        }
    }

    /// Begins to note which words the module changes; what is changed from outside is not noted.
    pub fn watch(&mut self) {
        self.1.0.get_or_insert_default();
    }

    /// Returns true after [`Buffer::watch`].
    #[must_use]
    pub fn is_watched(&self) -> bool {
        self.1.0.is_some()
    }

    /// Removes and returns the lines of [`LINE`] words with changes: the index of the first word, and the words.
    pub fn take_changes(&mut self) -> impl Iterator<Item = (usize, &[T])> {
        let lines = self.1.0.as_mut().map(std::mem::take).unwrap_or_default();
        let words = &self.0;
        lines.into_iter().map(move |line| {
            let from = LINE * line;
            (from, &words[from..words.len().min(from + LINE)])
        })
    }

    /// Sets every word to zero, as in a new memory that is not watched.
    pub fn clear(&mut self) {
        self.0.fill(T::default());
        self.1 = Changes::default();
    }

    /// Number of words, of a memory with at most 2^15.
    #[must_use]
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "2^15 at most")]
    pub fn full(&self) -> u16 {
        self.0.len() as u16
    }

    /// Ones in the bits of a pointer into it, which has one bit more than an address.
    #[must_use]
    #[inline]
    pub fn pointer_mask(&self) -> u16 {
        (self.full() << 1).wrapping_sub(1)
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for Buffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

/// Contents of a memory; the element is the one Verilator uses for the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryRef<'a> {
    /// Up to 8 bits.
    U8(&'a [u8]),
    /// 9 to 16 bits.
    U16(&'a [u16]),
    /// 17 to 32 bits.
    U32(&'a [u32]),
    /// 33 to 64 bits.
    U64(&'a [u64]),
    /// 97 to 128 bits.
    U128(&'a [u128]),
}

impl MemoryRef<'_> {
    /// The word at `index`.
    ///
    /// # Panics
    /// If `index` is not below the depth.
    #[must_use]
    pub fn get(&self, index: usize) -> u128 {
        match self {
            MemoryRef::U8(m) => m[index].into(),
            MemoryRef::U16(m) => m[index].into(),
            MemoryRef::U32(m) => m[index].into(),
            MemoryRef::U64(m) => m[index].into(),
            MemoryRef::U128(m) => m[index],
        }
    }
}

/// Contents of a memory, to be written.
#[derive(Debug, PartialEq, Eq)]
pub enum MemoryMut<'a> {
    /// Up to 8 bits.
    U8(&'a mut [u8]),
    /// 9 to 16 bits.
    U16(&'a mut [u16]),
    /// 17 to 32 bits.
    U32(&'a mut [u32]),
    /// 33 to 64 bits.
    U64(&'a mut [u64]),
    /// 97 to 128 bits.
    U128(&'a mut [u128]),
}

impl MemoryMut<'_> {
    /// Sets the word at `index`; bits that do not fit the element are dropped.
    ///
    /// # Panics
    /// If `index` is not below the depth.
    #[expect(clippy::cast_possible_truncation, reason = "said above")]
    pub fn set(&mut self, index: usize, value: u128) {
        match self {
            MemoryMut::U8(m) => m[index] = value as u8,
            MemoryMut::U16(m) => m[index] = value as u16,
            MemoryMut::U32(m) => m[index] = value as u32,
            MemoryMut::U64(m) => m[index] = value as u64,
            MemoryMut::U128(m) => m[index] = value,
        }
    }
}

/// Names and widths of a module and of all instances in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Verilog module.
    pub module: &'static str,
    /// Input ports of the module.
    pub inputs: Vec<Signal>,
    /// Output ports of the module.
    pub outputs: Vec<Signal>,
    /// Registers of the module, without those of its instances.
    pub registers: Vec<Signal>,
    /// Memories of the module, without those of its instances.
    pub memories: Vec<MemoryShape>,
    /// Instance names and layouts.
    pub children: Vec<(&'static str, Layout)>,
}

impl Layout {
    /// The same module with the instances of another after its own.
    pub(crate) fn with(mut self, included: Layout) -> Self {
        self.children.extend(included.children);
        self
    }

    /// Every register with its path (`u_rx.state_q`) in the order of [`State::pack`].
    #[must_use]
    pub fn flat_registers(&self) -> Vec<(String, usize)> {
        let mut out = Vec::new();
        self.walk("", &mut |prefix, layout| {
            out.extend(layout.registers.iter().map(|r| (format!("{prefix}{}", r.name), r.bits)));
        });
        out
    }

    /// Every memory with its path in the order of [`State::memories`].
    #[must_use]
    pub fn flat_memories(&self) -> Vec<(String, MemoryShape)> {
        let mut out = Vec::new();
        self.walk("", &mut |prefix, layout| {
            out.extend(layout.memories.iter().map(|m| (format!("{prefix}{}", m.name), *m)));
        });
        out
    }

    /// Calls `visit` for this module and every instance, with the instance's path and a dot.
    pub fn walk(&self, prefix: &str, visit: &mut dyn FnMut(&str, &Layout)) {
        visit(prefix, self);
        for (name, child) in &self.children {
            child.walk(&format!("{prefix}{name}."), visit);
        }
    }
}

/// The registers and memories of a module and of all instances in it.
pub trait State: Default {
    /// Words of the image of all registers.
    const WORDS: usize;

    /// Names and widths under these parameters.
    fn layout_of(parameters: &Parameters) -> Layout;

    /// Names and widths under the contract's parameters.
    #[must_use]
    fn layout() -> Layout {
        Self::layout_of(&Parameters::DEFAULT)
    }

    /// The module with these parameters; [`Default`] has the contract's.
    fn new(parameters: &Parameters) -> Self;

    /// Writes the image: own registers in their order, then those of each instance.
    ///
    /// # Panics
    /// If `out` is shorter than [`State::WORDS`].
    fn pack(&self, out: &mut [u32]);

    /// Takes every register from an image.
    ///
    /// # Panics
    /// If `image` is shorter than [`State::WORDS`].
    fn unpack(&mut self, image: &[u32]);

    /// Calls `visit` with every memory, in the order of [`Layout::flat_memories`].
    fn memories<'a>(&'a self, visit: &mut dyn FnMut(MemoryRef<'a>));

    /// Calls `visit` with every memory, to be written, in the order of [`Layout::flat_memories`].
    fn memories_mut(&mut self, visit: &mut dyn FnMut(MemoryMut<'_>));

    /// Sets every bit of every memory to `bit`: the unknown contents before the first write.
    fn fill_memories(&mut self, bit: bool);
}

/// The inputs or the outputs of a module.
pub trait Ports: Default + Copy {
    /// Names and widths under the contract's parameters, in the order of the Verilog. `clk` is not
    /// among them.
    const PORTS: &'static [Signal];
    /// Names and widths under these parameters.
    fn ports(parameters: &Parameters) -> Vec<Signal>;
    /// Words of the image.
    const WORDS: usize;
    /// Writes the image.
    ///
    /// # Panics
    /// If `out` is shorter than [`Ports::WORDS`].
    fn pack(&self, out: &mut [u32]);
    /// The ports of an image.
    ///
    /// # Panics
    /// If `image` is shorter than [`Ports::WORDS`].
    fn unpack(image: &[u32]) -> Self;
}

/// Called with an instance, its inputs or outputs by name, and their image (see [`Ports::pack`]).
pub type Visit<'a> = dyn FnMut(&'static str, &[Signal], &[u32]) + 'a;

/// Shows the ports of an instance under these parameters to `visit`.
pub(crate) fn show<P: Ports>(
    visit: &mut Visit<'_>,
    instance: &'static str,
    parameters: &Parameters,
    ports: &P,
) {
    let mut image = vec![0; P::WORDS];
    ports.pack(&mut image);
    visit(instance, &P::ports(parameters), &image);
}

/// Declares the state of a module: see the [module's page](crate::rtl::state).
macro_rules! state {
    (
        $(#[$meta:meta])*
        pub struct $name:ident($module:literal, $inputs:ty, $outputs:ty) $(with $p:ident)? {
            $(registers { $($(#[$rmeta:meta])* $reg:ident: $rtype:ty = $rbits:expr,)* })?
            $(memories { $($(#[$mmeta:meta])* $mem:ident: [$mtype:ty; $depth:expr] = $mbits:expr => $variant:ident,)* })?
            $(buffers { $($(#[$bmeta:meta])* $buf:ident: [$btype:ty; $bdepth:expr] = $bbits:expr => $bvariant:ident,)* })?
            $(children { $($(#[$cmeta:meta])* $child:ident: $ctype:ty $(= $cset:expr)?,)* })?
            $(include { $(#[$imeta:meta])* $inc:ident: $itype:ty })?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct $name {
            $($($(#[$rmeta])* pub $reg: $rtype,)*)?
            $($($(#[$mmeta])* pub $mem: Box<[$mtype; $depth]>,)*)?
            $($($(#[$bmeta])* pub $buf: $crate::rtl::state::Buffer<$btype>,)*)?
            $($($(#[$cmeta])* pub $child: $ctype,)*)?
            $($(#[$imeta])* pub $inc: $itype,)?
            $($p: $crate::rtl::Parameters,)?
        }

        impl Default for $name {
            fn default() -> Self {
                <$name as $crate::rtl::state::State>::new(&$crate::rtl::Parameters::DEFAULT)
            }
        }

        $(
            impl std::ops::Deref for $name {
                type Target = $itype;

                #[inline]
                fn deref(&self) -> &$itype {
                    &self.$inc
                }
            }

            impl std::ops::DerefMut for $name {
                #[inline]
                fn deref_mut(&mut self) -> &mut $itype {
                    &mut self.$inc
                }
            }
        )?

        impl $crate::rtl::state::State for $name {
            #[allow(unused_variables, reason = "a module may have no widths of its own")]
            const WORDS: usize = {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                0 $($(+ usize::div_ceil($rbits, 32))*)?
                    $($(+ <$ctype as $crate::rtl::state::State>::WORDS)*)?
                    $(+ <$itype as $crate::rtl::state::State>::WORDS)?
            };

            #[allow(unused_variables, reason = "a module may have no widths of its own")]
            fn layout_of(parameters: &$crate::rtl::Parameters) -> $crate::rtl::state::Layout {
                $(let $p = parameters;)?
                $crate::rtl::state::Layout {
                    module: $module,
                    inputs: <$inputs as $crate::rtl::state::Ports>::ports(parameters),
                    outputs: <$outputs as $crate::rtl::state::Ports>::ports(parameters),
                    registers: vec![$($(
                        $crate::rtl::state::Signal::new(stringify!($reg), $rbits),
                    )*)?],
                    memories: vec![
                        $($($crate::rtl::state::MemoryShape {
                            name: stringify!($mem), bits: $mbits, depth: $depth,
                        },)*)?
                        $($($crate::rtl::state::MemoryShape {
                            name: stringify!($buf), bits: $bbits, depth: $bdepth,
                        },)*)?
                    ],
                    children: vec![$($((stringify!($child), {
                        $(let parameters = &$cset;)?
                        <$ctype as $crate::rtl::state::State>::layout_of(parameters)
                    }),)*)?],
                }
                $(.with(<$itype as $crate::rtl::state::State>::layout_of(parameters)))?
            }

            #[allow(unused_variables, reason = "a module may have no widths of its own")]
            fn new(parameters: &$crate::rtl::Parameters) -> Self {
                $(let $p = parameters;)?
                $name {
                    $($($reg: Default::default(),)*)?
                    $($($mem: Box::new([0; $depth]),)*)?
                    $($($buf: $crate::rtl::state::Buffer::new($bdepth),)*)?
                    $($($child: {
                        $(let parameters = &$cset;)?
                        <$ctype as $crate::rtl::state::State>::new(parameters)
                    },)*)?
                    $($inc: <$itype as $crate::rtl::state::State>::new(parameters),)?
                    $($p: *$p,)?
                }
            }

            #[allow(unused_assignments, unused_variables, unused_mut, reason = "a module may have no registers")]
            fn pack(&self, out: &mut [u32]) {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                let mut at = 0;
                $($(
                    $crate::rtl::value::Value::pack(self.$reg, &mut out[at..at + usize::div_ceil($rbits, 32)]);
                    at += usize::div_ceil($rbits, 32);
                )*)?
                $($(
                    $crate::rtl::state::State::pack(&self.$child, &mut out[at..]);
                    at += <$ctype as $crate::rtl::state::State>::WORDS;
                )*)?
                $($crate::rtl::state::State::pack(&self.$inc, &mut out[at..]);)?
            }

            #[allow(unused_assignments, unused_variables, unused_mut, reason = "a module may have no registers")]
            fn unpack(&mut self, image: &[u32]) {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                let mut at = 0;
                $($(
                    self.$reg = $crate::rtl::value::Value::unpack(&image[at..at + usize::div_ceil($rbits, 32)]);
                    at += usize::div_ceil($rbits, 32);
                )*)?
                $($(
                    $crate::rtl::state::State::unpack(&mut self.$child, &image[at..]);
                    at += <$ctype as $crate::rtl::state::State>::WORDS;
                )*)?
                $($crate::rtl::state::State::unpack(&mut self.$inc, &image[at..]);)?
            }

            #[allow(unused_variables, reason = "a module may have no memories")]
            fn memories<'a>(&'a self, visit: &mut dyn FnMut($crate::rtl::state::MemoryRef<'a>)) {
                $($(visit($crate::rtl::state::MemoryRef::$variant(&self.$mem[..]));)*)?
                $($(visit($crate::rtl::state::MemoryRef::$bvariant(&self.$buf[..]));)*)?
                $($($crate::rtl::state::State::memories(&self.$child, visit);)*)?
                $($crate::rtl::state::State::memories(&self.$inc, visit);)?
            }

            #[allow(unused_variables, reason = "a module may have no memories")]
            fn memories_mut(&mut self, visit: &mut dyn FnMut($crate::rtl::state::MemoryMut<'_>)) {
                $($(visit($crate::rtl::state::MemoryMut::$variant(&mut self.$mem[..]));)*)?
                $($(visit($crate::rtl::state::MemoryMut::$bvariant(&mut self.$buf[..]));)*)?
                $($($crate::rtl::state::State::memories_mut(&mut self.$child, visit);)*)?
                $($crate::rtl::state::State::memories_mut(&mut self.$inc, visit);)?
            }

            #[allow(unused_variables, reason = "a module may have no memories, or none of its own widths")]
            fn fill_memories(&mut self, bit: bool) {
                $(let $p = self.$p;
                let $p = &$p;)?
                $($(self.$mem.fill(if bit { <$mtype>::MAX >> (<$mtype>::BITS as usize - $mbits) } else { 0 });)*)?
                $($(self.$buf.fill(if bit { <$btype>::MAX >> (<$btype>::BITS as usize - $bbits) } else { 0 });)*)?
                $($($crate::rtl::state::State::fill_memories(&mut self.$child, bit);)*)?
                $($crate::rtl::state::State::fill_memories(&mut self.$inc, bit);)?
            }
        }
    };
}

/// Fields of a header port of this width.
pub(crate) const fn header_count(bits: usize) -> usize {
    let mut count = 0;
    while count < HDR_FIELDS.len() && HDR_FIELDS[HDR_FIELDS.len() - 1 - count].low < bits {
        count += 1;
    }
    count
}

/// Words of the image of a header port.
pub(crate) const fn header_words(bits: usize) -> usize {
    let (mut words, mut i) = (0, HDR_FIELDS.len() - header_count(bits));
    while i < HDR_FIELDS.len() {
        words += HDR_FIELDS[i].bits.div_ceil(32);
        i += 1;
    }
    words
}

/// The only signal, 0, of a port that is one vector.
pub(crate) const fn whole_signal(name: &'static str, bits: usize, _index: usize) -> Signal {
    Signal::new(name, bits)
}

/// Signal `index` of a header port of this width; `names` are those of all fields.
pub(crate) const fn header_signal(
    names: &[&'static str; HDR_FIELDS.len()],
    bits: usize,
    index: usize,
) -> Signal {
    let field = HDR_FIELDS.len() - header_count(bits) + index;
    Signal::new(names[field], HDR_FIELDS[field].bits)
}

/// Signal `index` of a bundle whose ports have these names and widths, 0 for `bits`.
pub(crate) const fn bundle_signal(
    names: &[&'static str],
    widths: &[usize],
    bits: usize,
    index: usize,
) -> Signal {
    let width = if widths[index] == 0 { bits } else { widths[index] };
    Signal::new(names[index], width)
}

/// Writes the image of a header port, field by field.
pub(crate) fn pack_header(hdr: Hdr, bits: usize, out: &mut [u32]) {
    let mut at = 0;
    for field in &HDR_FIELDS[HDR_FIELDS.len() - header_count(bits)..] {
        let words = field.bits.div_ceil(32);
        let value = hdr.0 >> field.low & ((1 << field.bits) - 1);
        Value::pack(value, &mut out[at..at + words]);
        at += words;
    }
}

/// Reads it.
pub(crate) fn unpack_header(bits: usize, image: &[u32]) -> Hdr {
    let (mut at, mut hdr) = (0, 0);
    for field in &HDR_FIELDS[HDR_FIELDS.len() - header_count(bits)..] {
        let words = field.bits.div_ceil(32);
        hdr |= <u128 as Value>::unpack(&image[at..at + words]) << field.low;
        at += words;
    }
    Hdr(hdr)
}

/// The signals of a port, its image and its value: of one vector, of a header field by field, or of a bundle.
macro_rules! port {
    (count $type:ty, $bits:expr) => {
        1
    };
    (count $type:ty, $bits:expr, fields) => {
        $crate::rtl::state::header_count($bits)
    };
    (count $type:ty, $bits:expr, $bundle:ident) => {
        <$type as $crate::rtl::bundle::Bundle>::BITS.len()
    };
    (words $type:ty, $bits:expr) => {
        usize::div_ceil($bits, 32)
    };
    (words $type:ty, $bits:expr, fields) => {
        $crate::rtl::state::header_words($bits)
    };
    (words $type:ty, $bits:expr, $bundle:ident) => {
        <$type as $crate::rtl::bundle::Bundle>::BITS.len()
    };
    (signal $port:ident $type:ty, $bits:expr, $index:expr) => {
        $crate::rtl::state::whole_signal(stringify!($port), $bits, $index)
    };
    (signal $port:ident $type:ty, $bits:expr, $index:expr, fields) => {
        $crate::rtl::state::header_signal(&awgstar_frame::header_ports!($port), $bits, $index)
    };
    (signal $port:ident $type:ty, $bits:expr, $index:expr, $bundle:ident) => {
        $crate::rtl::state::bundle_signal(
            &$crate::rtl::bundle::$bundle!($port),
            <$type as $crate::rtl::bundle::Bundle>::BITS,
            $bits,
            $index,
        )
    };
    (pack $value:expr, $bits:expr, $out:expr) => {
        $crate::rtl::value::Value::pack($value, $out)
    };
    (pack $value:expr, $bits:expr, $out:expr, fields) => {
        $crate::rtl::state::pack_header($value, $bits, $out)
    };
    (pack $value:expr, $bits:expr, $out:expr, $bundle:ident) => {
        $crate::rtl::bundle::Bundle::pack($value, $out)
    };
    (unpack $bits:expr, $image:expr) => {
        $crate::rtl::value::Value::unpack($image)
    };
    (unpack $bits:expr, $image:expr, fields) => {
        $crate::rtl::state::unpack_header($bits, $image)
    };
    (unpack $bits:expr, $image:expr, $bundle:ident) => {
        $crate::rtl::bundle::Bundle::unpack($image)
    };
}

/// Declares the inputs or outputs of a module. A header declared `=> fields` has a port for each of its fields, and
/// one declared `=> link_word` those of [`Link`](crate::rtl::bundle::Link); other bundles likewise.
macro_rules! ports {
    ($(#[$meta:meta])* pub struct $name:ident $(with $p:ident)? {
        $($(#[$pmeta:meta])* $port:ident: $type:ty = $bits:expr $(=> $parts:ident)?,)*
    }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct $name { $($(#[$pmeta])* pub $port: $type,)* }

        impl $crate::rtl::state::Ports for $name {
            const PORTS: &'static [$crate::rtl::state::Signal] = {
                #[allow(unused_variables, reason = "only the width of a header says how many ports there are")]
                const COUNT: usize = {
                    $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                    0 $(+ $crate::rtl::state::port!(count $type, $bits $(, $parts)?))*
                };
                const ALL: [$crate::rtl::state::Signal; COUNT] = {
                    $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                    let mut all = [$crate::rtl::state::Signal::new("", 0); COUNT];
                    let mut at = 0;
                    $(
                        let end = at + $crate::rtl::state::port!(count $type, $bits $(, $parts)?);
                        let first = at;
                        while at < end {
                            all[at] = $crate::rtl::state::port!(signal $port $type, $bits, at - first $(, $parts)?);
                            at += 1;
                        }
                    )*
                    all
                };
                &ALL
            };
            #[allow(unused_variables, reason = "the width of a bundle may need no parameter")]
            const WORDS: usize = {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                0 $(+ $crate::rtl::state::port!(words $type, $bits $(, $parts)?))*
            };

            #[allow(unused_variables, reason = "a module may have no widths of its own")]
            fn ports(parameters: &$crate::rtl::Parameters) -> Vec<$crate::rtl::state::Signal> {
                $(let $p = parameters;)?
                let mut all = Vec::with_capacity(Self::PORTS.len());
                $(
                    all.extend((0..$crate::rtl::state::port!(count $type, $bits $(, $parts)?)).map(
                        |index| $crate::rtl::state::port!(signal $port $type, $bits, index $(, $parts)?),
                    ));
                )*
                all.iter().zip(Self::PORTS).map(|(one, usual)| one.placed_as(usual)).collect()
            }

            #[allow(unused_assignments, unused_variables, reason = "the last port's successor; widths of bundles")]
            fn pack(&self, out: &mut [u32]) {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                let mut at = 0;
                $(
                    let end = at + $crate::rtl::state::port!(words $type, $bits $(, $parts)?);
                    $crate::rtl::state::port!(pack self.$port, $bits, &mut out[at..end] $(, $parts)?);
                    at = end;
                )*
            }

            #[allow(unused_assignments, unused_variables, reason = "the last port's successor; widths of bundles")]
            fn unpack(image: &[u32]) -> Self {
                $(let $p = &$crate::rtl::Parameters::DEFAULT;)?
                let mut at = 0;
                $(
                    let end = at + $crate::rtl::state::port!(words $type, $bits $(, $parts)?);
                    let $port = $crate::rtl::state::port!(unpack $bits, &image[at..end] $(, $parts)?);
                    at = end;
                )*
                $name { $($port,)* }
            }
        }
    };
}

pub(crate) use {port, ports, state};
