// SPDX-License-Identifier: MIT OR Apache-2.0
//! Text of the C++ between Verilator's class and [`crate::verilated`], and of the file that keeps
//! every register visible to it.

use awgstar_stimulus::shape::{Shape, is_clock};
use std::{collections::BTreeSet, fmt::Write as _};

/// A Verilator configuration: registers and memories of every module stay, under their names.
#[must_use]
pub fn visible(shape: &Shape) -> String {
    let mut lines = BTreeSet::new();
    shape.layout.walk("", &mut |_, module| {
        let names = module.registers.iter().map(|r| r.name);
        for name in names.chain(module.memories.iter().map(|m| m.name)) {
            lines.insert(format!("public_flat_rd -module \"{}\" -var \"{name}\"\n", module.module));
        }
    });
    lines.into_iter().fold("`verilator_config\n".to_owned(), |text, line| text + &line)
}

/// The member of Verilator's root class that is the register `path`.
fn member(top: &str, path: &str) -> String {
    format!("r->{top}__DOT__{}", path.replace('.', "__DOT__"))
}

/// C type of the element that Verilator uses for a word of a memory, and its size in bytes.
pub const fn element(bits: usize) -> usize {
    match bits {
        0..=8 => 1,
        9..=16 => 2,
        17..=32 => 4,
        33..=64 => 8,
        _ => bits.div_ceil(32) * 4,
    }
}

/// `value` as the words of an image, from word `at` on: (index, expression) pairs.
fn words(value: &str, bits: usize, at: usize) -> Vec<(usize, String)> {
    match bits {
        0..=32 => vec![(at, format!("(uint32_t){value}"))],
        33..=64 => vec![
            (at, format!("(uint32_t){value}")),
            (at + 1, format!("(uint32_t)((uint64_t){value} >> 32)")),
        ],
        _ => (0..bits.div_ceil(32)).map(|i| (at + i, format!("(uint32_t){value}[{i}]"))).collect(),
    }
}

/// An assignment of the words of `image` from word `at` on to `target`.
fn assign(target: &str, bits: usize, image: &str, at: usize) -> String {
    match bits {
        0..=32 => format!("{target} = {image}[{at}];"),
        33..=64 => format!("{target} = {image}[{at}] | (uint64_t){image}[{}] << 32;", at + 1),
        _ => (0..bits.div_ceil(32))
            .fold(String::new(), |text, i| format!("{text}{target}[{i}] = {image}[{}]; ", at + i)),
    }
}

/// The shim for a verilated module of this shape.
#[must_use]
pub fn source(shape: &Shape) -> String {
    let top = shape.layout.module;
    let mut set = String::new();
    for (name, bits, at) in shape.input_words().filter(|(name, ..)| !is_clock(name)) {
        let _ = writeln!(set, "    {}", assign(&format!("d->{name}"), bits, "in", at));
    }
    // A clock among the inputs rises if its bit was set before the edge.
    let at = |clock: &str| shape.input_words().find(|(name, ..)| *name == clock).map(|(.., at)| at);
    let (mut low, mut rise, mut keep) = (String::new(), String::new(), String::new());
    for (number, clock) in shape.clocks().into_iter().enumerate() {
        let _ = write!(low, " d->{clock} = 0;");
        let _ = match at(clock) {
            Some(at) => {
                let _ = write!(keep, " p->rises[{number}] = in[{at}];");
                write!(rise, " d->{clock} = p->rises[{number}];")
            }
            None => write!(rise, " d->{clock} = 1;"),
        };
    }
    let clocks = shape.clocks().len();
    let load = shape.register_words().fold(String::new(), |text, (path, bits, at)| {
        format!("{text}    {}\n", assign(&member(top, path), bits, "registers", at))
    });
    let outputs: Vec<_> = shape
        .output_words()
        .flat_map(|(name, bits, at)| words(&format!("d->{name}"), bits, at))
        .collect();
    let registers: Vec<_> = shape
        .register_words()
        .flat_map(|(path, bits, at)| words(&member(top, path), bits, at))
        .collect();
    let read = |list: &[(usize, String)]| {
        list.iter().fold(String::new(), |t, (at, v)| format!("{t}    out[{at}] = {v};\n"))
    };
    let compare = |name: &str, list: &[(usize, String)]| {
        list.iter().fold(String::new(), |t, (at, v)| format!("{t}    x |= {name}[{at}] ^ {v};\n"))
    };
    let mut memories = String::new();
    let (mut same, mut fill) = (String::new(), String::new());
    for (i, (path, m)) in shape.memories.iter().enumerate() {
        let (name, bytes) = (member(top, path), m.depth * element(m.bits));
        let _ = writeln!(
            memories,
            "    static_assert(sizeof({name}) == {bytes}, \"{path}\");\n    if (index == {i}) return &{name}[0];"
        );
        let _ = writeln!(fill, "    if (mem[{i}]) std::memcpy(&{name}[0], mem[{i}], {bytes});");
        let _ = writeln!(same, "    if (std::memcmp(mem[{i}], &{name}[0], {bytes})) diff |= 4;");
    }
    let using = "    auto* p = static_cast<Dut*>(dut);\n    auto* d = p->top;\n    auto* r = d->rootp;\n    (void)p;\n    (void)r;\n";
    format!(
        "// Generated: see testbench/simulator/src/shim.rs.\n\
         #include \"V{top}.h\"\n#include \"V{top}___024root.h\"\n#include <cstdint>\n#include <cstring>\n\
         namespace {{\n// $finish or $stop was called: Verilator's own would end this process, with exit code 0.\nthread_local bool ended = false;\n}}\n\
         void vl_finish(const char*, int, const char*) {{ ended = true; }}\n\
         void vl_stop(const char*, int, const char*) {{ ended = true; }}\n\
         namespace {{\n// Verilator's own vl_fatal would abort this process, for example when a loop does not settle.\nstruct Fatal {{}};\n}}\n\
         void vl_fatal(const char*, int, const char*, const char*) {{ throw Fatal{{}}; }}\n\
         namespace {{\nstruct Dut {{ VerilatedContext* context; V{top}* top; bool over; uint8_t rises[{clocks}]; }};\n\
         template <class F> inline void guarded(Dut* p, F f) {{\n    ended = false;\n    try {{ f(); }} catch (const Fatal&) {{ ended = true; }}\n    p->over |= ended;\n}}\n\
         inline void eval(Dut* p) {{\n    guarded(p, [p] {{ p->top->eval(); }});\n}}\n\
         inline void set(V{top}* d, const uint32_t* in) {{\n{set}}}\n}}\n\
         extern \"C\" {{\n\
         void* awg_new(uint32_t seed) {{\n    auto* context = new VerilatedContext;\n    context->randReset(2);\n\
         \x20   context->randSeed((int)(seed & 0x7fffffff) | 1);\n    Verilated::threadContextp(context);\n\
         \x20   return new Dut{{context, new V{top}{{context, \"\"}}, false, {{}}}};\n}}\n\
         void awg_free(void* dut) {{\n    auto* p = static_cast<Dut*>(dut);\n    p->top->final();\n    delete p->top;\n    delete p->context;\n    delete p;\n}}\n\
         void awg_settle(void* dut, const uint32_t* in) {{\n{using}    set(d, in);\n   {keep}{low}\n    eval(p);\n}}\n\
         void awg_edge(void* dut) {{\n{using}    {rise}\n    eval(p);\n}}\n\
         uint32_t awg_ended(void* dut) {{\n    return static_cast<Dut*>(dut)->over;\n}}\n\
         void awg_outputs(void* dut, uint32_t* out) {{\n{using}{outs}}}\n\
         void awg_registers(void* dut, uint32_t* out) {{\n{using}{regs}}}\n\
         const void* awg_memory(void* dut, uint32_t index) {{\n{using}{memories}    return nullptr;\n}}\n\
         void awg_load(void* dut, const uint32_t* registers, const void* const* mem) {{\n{using}{load}{fill}\
         \x20   guarded(p, [r] {{ V{top}___024root___eval_settle(r); }});\n}}\n\
         uint32_t awg_cycle(void* dut, const uint32_t* in, const uint32_t* outputs, const uint32_t* registers, const void* const* mem) {{\n\
         {using}    set(d, in);\n   {keep}{low}\n    eval(p);\n    uint32_t diff = 0, x = 0;\n{cmp_out}    diff |= x ? 1 : 0;\n    x = 0;\n{cmp_reg}    diff |= x ? 2 : 0;\n\
         \x20   if (mem) {{\n{same}    }}\n    if (diff) return diff;\n    {rise}\n    eval(p);\n    return p->over ? 8 : 0;\n}}\n}}\n",
        outs = read(&outputs),
        regs = read(&registers),
        cmp_out = compare("outputs", &outputs),
        cmp_reg = compare("registers", &registers),
    )
}
