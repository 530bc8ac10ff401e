// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions of C, called as C calls them: wrong handles, pointers, names and orders of calls have codes, and a
//! run fails unless it has compared traffic. Checks LCK-3, LCK-4.

use awgstar::rtl::Link;
use awgstar::rtl::{
    RingNode,
    ring_node::{Inputs, Outputs},
    state::{Ports, State},
};
use awgstar_dpi::error::CODES;
use awgstar_dpi::{
    awg_dpi_clock_ring_node, awg_dpi_compared, awg_dpi_cycle_ring_node, awg_dpi_cycle_smb,
    awg_dpi_decode, awg_dpi_difference, awg_dpi_difference_path, awg_dpi_encode, awg_dpi_explain,
    awg_dpi_explain_frame, awg_dpi_finish, awg_dpi_frames, awg_dpi_free, awg_dpi_message,
    awg_dpi_new, awg_dpi_outputs_ring_node, awg_dpi_ports_ring_node, awg_dpi_register,
    awg_dpi_wires_ring_node, awg_dpi_word,
};
use awgstar_dpi::{bits, texts};
use awgstar_stimulus::machine::{Machine, memories};
use awgstar_stimulus::shape::image;
use std::{
    ffi::{CStr, c_char, c_int},
    ptr::{null, null_mut},
};

fn code(name: &str) -> c_int {
    CODES.iter().find(|(known, ..)| *known == name).unwrap().1
}

fn owned(text: *const c_char) -> String {
    // SAFETY: the library gives texts that end with 0.
    unsafe { CStr::from_ptr(text) }.to_str().unwrap().to_owned()
}

fn message() -> String {
    owned(awg_dpi_message())
}

fn node(parameters: &CStr) -> c_int {
    // SAFETY: texts that end with 0.
    unsafe { awg_dpi_new(c"ring_node".as_ptr(), parameters.as_ptr(), texts::layout::<RingNode>()) }
}

fn packed<P: Ports>(ports: &P) -> Vec<u32> {
    let mut words = vec![0; bits::words(P::PORTS)];
    bits::structure(P::PORTS, &image(ports), &mut words);
    words
}

/// A node that runs beside the model, with a change of the registers.
struct Design {
    node: RingNode,
    handle: c_int,
    cycle: u32,
}

impl Design {
    fn new() -> Design {
        let handle = node(c"");
        assert!(handle > 0, "{}", message());
        Design { node: RingNode::default(), handle, cycle: 0 }
    }

    /// One cycle; `change` makes a register differ.
    fn step(&mut self, change: Option<usize>) -> c_int {
        let inputs = Inputs {
            rst: self.cycle < 2,
            s_axis: Link {
                tvalid: self.cycle > 4,
                tlast: self.cycle % 16 == 15,
                tkeep: 15,
                tdata: self.cycle,
                ..Link::default()
            },
            ..Inputs::default()
        };
        if self.cycle < 2 {
            for (memory, words) in memories(&self.node).iter().enumerate() {
                for (address, word) in words.iter().enumerate() {
                    assert_eq!(self.word(memory, address, *word), 0);
                }
            }
        }
        let outputs: Outputs = self.node.outputs(&inputs);
        let mut registers = vec![0; RingNode::WORDS];
        self.node.pack(&mut registers);
        if let Some(at) = change {
            registers[at] ^= 1;
        }
        let (inputs_words, outputs_words) = (packed(&inputs), packed(&outputs));
        // SAFETY: the sizes of the package.
        let code = unsafe {
            awg_dpi_cycle_ring_node(
                self.handle,
                inputs_words.as_ptr(),
                outputs_words.as_ptr(),
                registers.as_ptr(),
            )
        };
        self.node.clock(&inputs);
        self.cycle += 1;
        code
    }

    fn word(&self, memory: usize, address: usize, value: u128) -> c_int {
        let words: Vec<u32> = (0..4).map(|i| (value >> (32 * i) & 0xffff_ffff) as u32).collect();
        let [memory, address] = [memory, address].map(|n| u32::try_from(n).unwrap());
        // SAFETY: four words.
        unsafe { awg_dpi_word(self.handle, memory, address, words.as_ptr()) }
    }
}

#[test]
fn a_run_that_holds() {
    let mut design = Design::new();
    for _ in 0..60 {
        assert_eq!(design.step(None), 0, "{}", message());
    }
    assert_eq!((awg_dpi_compared(design.handle), awg_dpi_frames(design.handle) > 0), (59, true));
    assert_eq!(awg_dpi_finish(design.handle), 0, "{}", message());
    assert_eq!(design.step(None), code("ORDER"));
    assert_eq!(awg_dpi_free(design.handle), 0);
    assert_eq!(awg_dpi_free(design.handle), code("HANDLE"));
}

#[test]
fn one_bit_of_a_register_is_found() {
    // Every 7th register word, one bit each.
    let shape = RingNode::shape();
    let names: Vec<_> = shape.register_words().map(|(name, _, at)| (name.to_owned(), at)).collect();
    for (name, at) in names.iter().step_by(7) {
        let mut design = Design::new();
        for _ in 0..20 {
            assert_eq!(design.step(None), 0);
        }
        assert_eq!(design.step(Some(*at)), code("DIFFERS"), "{name}");
        assert!(message().contains("cycle 20") && message().contains(name), "{}", message());
        assert_eq!(owned(awg_dpi_difference_path(design.handle)), *name);
        let (mut cycle, mut expected, mut found) = (0, [0_u32; 4], [0_u32; 4]);
        // SAFETY: a number and four words each.
        let result = unsafe {
            let (expected, found) = (expected.as_mut_ptr(), found.as_mut_ptr());
            awg_dpi_difference(design.handle, &raw mut cycle, expected, found)
        };
        assert_eq!((result, cycle, expected[0] ^ found[0]), (0, 20, 1));
        assert!(
            owned(awg_dpi_explain(design.handle)).contains("model and Verilog differ in cycle 20")
        );
        assert_eq!(awg_dpi_finish(design.handle), code("DIFFERS"));
        awg_dpi_free(design.handle);
    }
}

#[test]
fn a_memory_word_is_found() {
    let mut design = Design::new();
    for _ in 0..20 {
        assert_eq!(design.step(None), 0);
    }
    let words = memories(&design.node);
    assert_eq!(design.word(0, 3, words[0][3] ^ 1), 0);
    assert_eq!(design.step(None), code("DIFFERS"));
    assert!(message().contains("[3]"), "{}", message());
    awg_dpi_finish(design.handle);
    awg_dpi_free(design.handle);
}

#[test]
fn wrong_handles_and_pointers() {
    let handle = node(c"");
    let words = [0_u32; 4096];
    let mut out = [0_u32; 4096];
    // SAFETY: more words than any structure has; null pointers are what is tested.
    unsafe {
        let (at, to) = (words.as_ptr(), out.as_mut_ptr());
        for wrong in [0, -1, c_int::MAX, c_int::MIN] {
            assert_eq!(awg_dpi_cycle_ring_node(wrong, at, at, at), code("HANDLE"));
            assert_eq!(awg_dpi_ports_ring_node(wrong, at, at), code("HANDLE"));
            assert_eq!(awg_dpi_word(wrong, 0, 0, at), code("HANDLE"));
            assert_eq!(awg_dpi_register(wrong, c"u_ingress.state_q".as_ptr(), to), code("HANDLE"));
            assert_eq!(awg_dpi_finish(wrong), code("HANDLE"));
            assert_eq!(owned(awg_dpi_explain(wrong)), "");
            assert_eq!((awg_dpi_compared(wrong), awg_dpi_frames(wrong)), (0, 0));
        }
        assert_eq!(awg_dpi_cycle_smb(handle, at, at, at), code("MODULE"));
        assert!(message().contains("expected a model of smb, found one of ring_node"));
        assert_eq!(awg_dpi_cycle_ring_node(handle, null(), at, at), code("POINTER"));
        assert!(message().contains("inputs"), "{}", message());
        assert_eq!(awg_dpi_cycle_ring_node(handle, at, null(), at), code("POINTER"));
        assert_eq!(awg_dpi_cycle_ring_node(handle, at, at, null()), code("POINTER"));
        let odd = at.cast::<u8>().add(1).cast();
        assert_eq!(awg_dpi_cycle_ring_node(handle, odd, at, at), code("POINTER"));
        assert_eq!(awg_dpi_wires_ring_node(handle, null()), code("POINTER"));
        assert_eq!(awg_dpi_word(handle, 0, 0, null()), code("POINTER"));
        assert_eq!(awg_dpi_outputs_ring_node(handle, at, null_mut()), code("POINTER"));
        assert_eq!(awg_dpi_clock_ring_node(handle, null()), code("POINTER"));
        assert_eq!(awg_dpi_register(handle, null(), to), code("POINTER"));
        assert_eq!(awg_dpi_register(handle, c"u_ingress.none_q".as_ptr(), to), code("ARGUMENT"));
        assert_eq!(awg_dpi_encode(null(), to), code("POINTER"));
        assert_eq!(awg_dpi_decode(at, null_mut()), code("POINTER"));
        assert_eq!(owned(awg_dpi_explain_frame(null())), "");
    }
    awg_dpi_free(handle);
}

#[test]
fn wrong_names_settings_and_layouts() {
    let layout = texts::layout::<RingNode>();
    let new = |name: &CStr, parameters: &CStr, layout| {
        // SAFETY: texts that end with 0.
        unsafe { awg_dpi_new(name.as_ptr(), parameters.as_ptr(), layout) }
    };
    assert_eq!(new(c"ring", c"", layout), -code("ARGUMENT"));
    for wrong in [c"MEM_ADDR_W=5", c"RX_ADDR_W=99", c"RX_ADDR_W", c"RX_ADDR_W=", c"\xff"] {
        assert_eq!(new(c"ring_node", wrong, layout), -code("ARGUMENT"), "{wrong:?}");
        assert!(!message().is_empty());
    }
    assert_eq!(new(c"ring_node", c"", layout ^ 1), -code("LAYOUT"));
    assert!(message().contains("one version"));
    assert_eq!(new(c"smb", c"", layout), -code("LAYOUT"));
    // SAFETY: null pointers are what is tested.
    unsafe {
        assert_eq!(awg_dpi_new(null(), c"".as_ptr(), layout), -code("POINTER"));
        assert_eq!(awg_dpi_new(c"ring_node".as_ptr(), null(), layout), -code("POINTER"));
    }
    let handle = new(c"ring_node", c" RX_ADDR_W=5 , BUFFER_ADDR_W=6,", layout);
    assert!(handle > 0, "{}", message());
    awg_dpi_free(handle);
}

#[test]
fn calls_out_of_order() {
    let words = [0_u32; 4096];
    let handle = node(c"");
    // SAFETY: more words than any structure has.
    unsafe {
        let at = words.as_ptr();
        assert_eq!(awg_dpi_cycle_ring_node(handle, at, at, at), code("ORDER"));
        assert!(message().contains("rst"), "{}", message());
        assert_eq!(awg_dpi_word(handle, 99, 0, at), code("RANGE"));
        assert_eq!(awg_dpi_word(handle, 0, u32::MAX, at), code("RANGE"));
        let reset = packed(&Inputs { rst: true, ..Inputs::default() });
        assert_eq!(awg_dpi_cycle_ring_node(handle, reset.as_ptr(), at, at), code("ORDER"));
        assert!(message().contains("memory words"), "{}", message());
        assert_eq!(awg_dpi_ports_ring_node(handle, reset.as_ptr(), at), code("ORDER"));
        assert_eq!(awg_dpi_clock_ring_node(handle, reset.as_ptr()), code("ORDER"));
    }
    assert_eq!(awg_dpi_finish(handle), code("NOTHING"));
    awg_dpi_free(handle);
}

#[test]
fn without_traffic_a_run_fails() {
    let handle = node(c"");
    let reset = packed(&Inputs { rst: true, ..Inputs::default() });
    let mut outputs = vec![0; bits::words(Outputs::PORTS)];
    for _ in 0..50 {
        // SAFETY: the sizes of the package.
        unsafe {
            let inputs = reset.as_ptr();
            assert_eq!(awg_dpi_outputs_ring_node(handle, inputs, outputs.as_mut_ptr()), 0);
            assert_eq!(awg_dpi_ports_ring_node(handle, inputs, outputs.as_ptr()), 0);
        }
    }
    assert_eq!(awg_dpi_finish(handle), code("NO_TRAFFIC"));
    awg_dpi_free(handle);
}

/// The short signal of `docs/programming.md` style: header by hand, bytes by the table of the contract.
#[test]
fn frames_of_the_codec() {
    let mut frame = vec![0_u32; 260];
    let mut line = vec![0_u32; 261];
    // mac 02:53:4d:42:00:01, TOKEN data, len 3, data 01 02 03; header at bit 8203, len at 8192.
    bits::put(&mut frame, 8203, 112, 0x0253_4d42_0001_u128 << 64 | 1 << 61);
    bits::put(&mut frame, 8192, 11, 3);
    bits::put(&mut frame, 0, 24, 0x03_0201);
    // SAFETY: the sizes of the package.
    unsafe {
        assert_eq!(awg_dpi_encode(frame.as_ptr(), line.as_mut_ptr()), 0, "{}", message());
        assert_eq!(bits::get(&line, 8336, 11), 64);
        // Bytes 0 to 6: MAC, then TOKEN 001 and C.ST 00001.
        assert_eq!(bits::get(&line, 0, 56), 0x21_0100_424d_5302);
        assert_eq!(bits::get(&line, 8 * (14 + 45), 8), 3);
        let mut back = vec![u32::MAX; 260];
        assert_eq!(awg_dpi_decode(line.as_ptr(), back.as_mut_ptr()), 0, "{}", message());
        assert_eq!((bits::get(&back, 8192, 11), bits::get(&back, 0, 32)), (3, 0x03_0201));
        assert!(owned(awg_dpi_explain_frame(line.as_ptr())).contains("64 bytes"));
        line[5] ^= 1;
        assert_eq!(awg_dpi_decode(line.as_ptr(), back.as_mut_ptr()), code("FRAME"));
        assert!(message().starts_with("fcs"), "{}", message());
        bits::put(&mut line, 8336, 11, 2000);
        assert_eq!(awg_dpi_decode(line.as_ptr(), back.as_mut_ptr()), code("FRAME"));
        bits::put(&mut frame, 8192, 11, 2000);
        assert_eq!(awg_dpi_encode(frame.as_ptr(), line.as_mut_ptr()), code("FRAME"));
    }
}
