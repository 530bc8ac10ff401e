// SPDX-License-Identifier: MIT OR Apache-2.0
//! A small machine with signals of 1, 33, 65 and 128 bits and memories of 4 and 64.

use awgstar::rtl::Parameters;
use awgstar::rtl::state::{
    Layout, MemoryMut, MemoryRef, MemoryShape, Ports, Signal as Port, State, Value,
};
use awgstar_compare::{Cycle, Sample, Seen};
use awgstar_stimulus::machine::{Machine, Never, PortsVisit};
use awgstar_stimulus::shape::{Shape, image};
use std::sync::{Arc, LazyLock};

const fn port(name: &'static str, bits: usize) -> Port {
    Port::new(name, bits)
}

/// Declares ports: type, then each with the type that holds it and its width.
macro_rules! ports {
    ($name:ident { $($port:ident: $type:ty = $bits:literal),* $(,)? }) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) struct $name { $(pub(crate) $port: $type,)* }

        impl Ports for $name {
            const PORTS: &'static [Port] = &[$(port(stringify!($port), $bits),)*];
            const WORDS: usize = 0 $(+ ($bits as usize).div_ceil(32))*;

            fn ports(_: &Parameters) -> Vec<Port> {
                Self::PORTS.to_vec()
            }

            fn pack(&self, out: &mut [u32]) {
                let mut at = 0;
                $(
                    let words = ($bits as usize).div_ceil(32);
                    self.$port.pack(&mut out[at..at + words]);
                    at += words;
                )*
                assert!(at <= out.len());
            }

            fn unpack(image: &[u32]) -> Self {
                let mut at = 0;
                $(
                    let words = ($bits as usize).div_ceil(32);
                    let $port = Value::unpack(&image[at..at + words]);
                    at += words;
                )*
                assert!(at <= image.len());
                $name { $($port,)* }
            }
        }
    };
}

ports!(Inputs {
    rst: bool = 1,
    s_axis_tdata: u64 = 32,
    s_axis_tkeep: u8 = 4,
    s_axis_tvalid: bool = 1,
    s_axis_tlast: bool = 1,
});

ports!(Outputs {
    sum: u128 = 65,
    m_axis_tdata: u32 = 32,
    m_axis_tkeep: u8 = 4,
    m_axis_tlast: bool = 1,
    m_axis_tvalid: bool = 1,
});

ports!(Registers {
    valid_q: bool = 1,
    long_q: u64 = 33,
    wide_q: u128 = 65,
    full: u128 = 128,
    inner_q: u8 = 8,
});

ports!(InnerInputs { d: u8 = 8 });
ports!(InnerOutputs { q: u8 = 8 });

/// A value of `full` with which a reset sets `long_q` to 1: no start of the model has this value by chance.
pub(crate) const RARE: u128 = 0x0123_4567_89ab_cdef_0011_2233_4455_6677;

/// `probe`: a reset sets `valid_q` and `long_q` only.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Probe {
    pub(crate) registers: Registers,
    pub(crate) few: [u8; 4],
    pub(crate) many: [u64; 8],
}

impl Probe {
    pub(crate) fn inner(&self, inputs: &Inputs) -> InnerInputs {
        InnerInputs { d: inputs.s_axis_tkeep ^ u8::from(self.registers.valid_q) }
    }
}

impl State for Probe {
    const WORDS: usize = Registers::WORDS;

    fn layout_of(_: &Parameters) -> Layout {
        let inner = Layout {
            module: "inner",
            inputs: InnerInputs::PORTS.to_vec(),
            outputs: InnerOutputs::PORTS.to_vec(),
            registers: vec![port("inner_q", 8)],
            memories: vec![MemoryShape { name: "many", bits: 64, depth: 8 }],
            children: Vec::new(),
        };
        Layout {
            module: "probe",
            inputs: Inputs::PORTS.to_vec(),
            outputs: Outputs::PORTS.to_vec(),
            registers: Registers::PORTS[..4].to_vec(),
            memories: vec![MemoryShape { name: "few", bits: 4, depth: 4 }],
            children: vec![("u_inner", inner)],
        }
    }

    fn new(_: &Parameters) -> Self {
        Probe::default()
    }

    fn pack(&self, out: &mut [u32]) {
        self.registers.pack(out);
    }

    fn unpack(&mut self, image: &[u32]) {
        self.registers = Registers::unpack(image);
    }

    fn memories<'a>(&'a self, visit: &mut dyn FnMut(MemoryRef<'a>)) {
        visit(MemoryRef::U8(&self.few));
        visit(MemoryRef::U64(&self.many));
    }

    fn memories_mut(&mut self, visit: &mut dyn FnMut(MemoryMut<'_>)) {
        visit(MemoryMut::U8(&mut self.few));
        visit(MemoryMut::U64(&mut self.many));
    }

    fn fill_memories(&mut self, bit: bool) {
        self.few = [if bit { 15 } else { 0 }; 4];
        self.many = [if bit { u64::MAX } else { 0 }; 8];
    }
}

impl Machine for Probe {
    type Inputs = Inputs;
    type Outputs = Outputs;
    type Stimulus = Never;
    type Ring = Never;

    fn shape() -> &'static Arc<Shape> {
        static SHAPE: LazyLock<Arc<Shape>> =
            LazyLock::new(|| Shape::of::<Probe>(&Parameters::DEFAULT));
        &SHAPE
    }

    fn outputs(&self, _: &Inputs) -> Outputs {
        let Registers { valid_q, long_q, wide_q, .. } = self.registers;
        let [b0, b1, b2, b3, last, ..] = long_q.to_le_bytes();
        Outputs {
            sum: wide_q,
            m_axis_tdata: u32::from_le_bytes([b0, b1, b2, b3]),
            m_axis_tkeep: 0b0111,
            m_axis_tlast: last == 1,
            m_axis_tvalid: valid_q,
        }
    }

    fn clock(&mut self, inputs: &Inputs) {
        let r = self.registers;
        let inner = self.inner(inputs);
        let data = inputs.s_axis_tdata;
        self.registers = Registers {
            valid_q: !inputs.rst && inputs.s_axis_tvalid,
            long_q: if inputs.rst {
                u64::from(r.full == RARE)
            } else {
                (3 * r.long_q + data + 1) & (u64::MAX >> 31)
            },
            wide_q: r.wide_q >> 1 | (r.wide_q & 1) << 64,
            full: r.full.rotate_left(1),
            inner_q: inner.d,
        };
        if inputs.s_axis_tvalid {
            let place = usize::from(inputs.s_axis_tkeep & 7);
            self.few[place & 3] = inputs.s_axis_tkeep;
            self.many[place] = data << 32 | data;
        }
    }

    fn look(&self, inputs: &Inputs, visit: &mut PortsVisit<'_>) {
        visit("u_inner", InnerInputs::PORTS, &image(&self.inner(inputs)));
        let outputs = InnerOutputs { q: self.registers.inner_q };
        visit("u_inner", InnerOutputs::PORTS, &image(&outputs));
    }
}

/// Inputs of a cycle: reset, then words on the link in two cycles of three; every fifth is the last of a frame.
pub(crate) fn inputs(cycle: u64) -> Inputs {
    let number = u32::try_from(cycle).unwrap();
    Inputs {
        rst: cycle < 2,
        s_axis_tdata: number.wrapping_mul(0x9E37_79B9).into(),
        s_axis_tkeep: u8::try_from(cycle * 7 % 16).unwrap(),
        s_axis_tvalid: !cycle.is_multiple_of(3),
        s_axis_tlast: cycle % 5 == 4,
    }
}

/// All words of the memories.
pub(crate) fn words(design: &Probe) -> Vec<(usize, usize, Seen)> {
    let mut all = Vec::new();
    for (m, memory) in design.memory_refs().iter().enumerate() {
        let depth = Probe::shape().memories[m].1.depth;
        all.extend((0..depth).map(|index| (m, index, Seen::known(memory.get(index)))));
    }
    all
}

/// What the design shows in a cycle, with all words.
pub(crate) fn sample(design: &Probe, inputs: &Inputs) -> Sample {
    let (shape, outputs) = (Probe::shape(), design.outputs(inputs));
    let cycle = Cycle::of_images(shape, &image(&outputs), &image(&design.registers));
    Sample { words: words(design), ..cycle.sample(shape, &image(inputs)) }
}
