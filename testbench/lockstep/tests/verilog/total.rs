// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock of every module is total: from any state and with any inputs the model does what the Verilog
//! does, in the width of each register. Random states, many of which no reset leads to, are loaded into both;
//! the Verilog runs in Icarus.

use awgstar::quantity::Cycle;
use awgstar::rtl::{
    self, Parameters,
    state::{MemoryMut, Ports, State},
};
use awgstar_simulator::bench::{Bench, NAME};
use awgstar_simulator::build::{Recipe, build};
use awgstar_simulator::library::sources;
use awgstar_simulator::process::Task;
use awgstar_simulator::{Icarus, Scratch, Token};
use awgstar_stimulus::deposit::{self, Deposit, put};
use awgstar_stimulus::shape::{Shape, value};
use awgstar_stimulus::vector::stimulus;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(120);
/// Deposits that a testbench has room for, with a margin.
const DEPOSITS: usize = 4_000;
/// States of a module with few registers.
const STATES: usize = 300;

/// xorshift64*
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A value of `bits` bits; often 0, 1, or one of the two greatest.
    fn value(&mut self, bits: usize) -> u128 {
        let most = u128::MAX >> (128 - bits);
        let any = u128::from(self.next()) << 64 | u128::from(self.next());
        most & match self.next() % 8 {
            0 => 0,
            1 => 1,
            2 => most,
            3 => most - 1,
            _ => any,
        }
    }
}

/// A module of the model beside its Verilog.
struct Subject<M, I> {
    /// Parameters of the instance in the Verilog.
    settings: Vec<String>,
    parameters: Parameters,
    outputs: fn(&M, &I),
    clock: fn(&mut M, &I),
}

fn load<M: State>(model: &mut M, shape: &Shape, image: &[u32], memories: Option<&[u128]>) {
    model.unpack(image);
    let Some(memories) = memories else { return };
    let mut values = memories.iter().zip(&shape.memories);
    model.memories_mut(&mut |mut memory: MemoryMut<'_>| {
        for (value, (_, m)) in values.by_ref().take(1) {
            (0..m.depth).for_each(|word| memory.set(word, value ^ word as u128));
        }
    });
}

/// Even cycles begin with a random state; odd ones show what the edge made of it.
fn compare<M: State, I: Ports>(subject: &Subject<M, I>, seed: u64) {
    let shape = Shape::of::<M>(&subject.parameters);
    let module = shape.layout.module;
    let mut random = Random(seed);
    let states = STATES.min((DEPOSITS - shape.memories.len()) / shape.registers.len().max(1));
    let memories: Vec<_> = shape.memories.iter().map(|(_, m)| random.value(m.bits)).collect();
    let mut deposits: Vec<Deposit> = (shape.memories.iter().zip(&memories))
        .map(|((path, _), &value)| Deposit { cycle: Cycle(0), path: path.clone(), value })
        .collect();
    let mut images = Vec::new();
    let mut inputs: Vec<I> = Vec::new();
    for state in 0..states {
        let mut image = vec![0; M::WORDS];
        for (path, bits, at) in shape.register_words() {
            let value = random.value(bits);
            put(&mut image, at, bits, value);
            let cycle = Cycle(2 * state as u64);
            deposits.push(Deposit { cycle, path: path.to_owned(), value });
        }
        images.push(image);
        for _ in 0..2 {
            let mut image = vec![0; I::WORDS];
            for (name, bits, at) in shape.input_words() {
                let rst = name == "rst" && random.next() & 7 != 0;
                put(&mut image, at, bits, if rst { 0 } else { random.value(bits) });
            }
            inputs.push(I::unpack(&image));
        }
    }
    let rows = in_icarus(&shape, &subject.settings, &inputs, &deposits);
    assert_eq!(rows.len(), 2 * states, "{module}");
    let mut model = M::new(&subject.parameters);
    let mut wrong = Vec::new();
    for (state, image) in images.iter().enumerate() {
        load(&mut model, &shape, image, (state == 0).then_some(&memories[..]));
        let first = inputs[2 * state];
        (subject.outputs)(&model, &first);
        (subject.clock)(&mut model, &first);
        let mut after = vec![0; M::WORDS];
        model.pack(&mut after);
        for ((path, bits, at), verilog) in shape.register_words().zip(&rows[2 * state + 1]) {
            let ours = value(&after, at, bits);
            if *verilog != Some(ours) {
                wrong.push(format!(
                    "state {state}: {path} is {ours:x}, in the Verilog {verilog:x?}"
                ));
            }
        }
        // The memories go on from both edges.
        (subject.clock)(&mut model, &inputs[2 * state + 1]);
    }
    assert!(
        wrong.is_empty(),
        "{module}: {} wrong\n{}",
        wrong.len(),
        wrong[..wrong.len().min(20)].join("\n")
    );
}

/// The registers before each edge; `None` where a bit is unknown.
fn in_icarus<I: Ports>(
    shape: &Shape,
    settings: &[String],
    inputs: &[I],
    deposits: &[Deposit],
) -> Vec<Vec<Option<u128>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let token = Token::PLACE;
    let mut sample = format!("            $write(\"{token} R\");\n");
    for (path, _) in &shape.registers {
        let _ = writeln!(sample, "            $write(\" %h\", dut.{path});");
    }
    sample.push_str("            $write(\"\\n\");\n");
    let bench = Bench {
        shape,
        top: shape.layout.module,
        settings,
        room: 2 * STATES,
        items: deposit::verilog(shape),
        begin: deposit::READ.into(),
        go_on: "k < cycles".into(),
        before: deposit::DUE,
        sample,
        end: format!("        $display(\"{token} END\");\n"),
    };
    let recipe = Recipe {
        module: shape.layout.module,
        top: NAME.into(),
        flags: vec!["-g2012".into()],
        texts: vec![("tb.v", bench.text())],
        files: sources(&root.join("hdl")).unwrap(),
        includes: vec![root.join("hdl/include")],
        ..Recipe::default()
    };
    let program =
        build(&Icarus, &recipe, &root.join("target/cosim")).unwrap_or_else(|e| panic!("{e}")).file;
    let scratch = Scratch::new().unwrap();
    scratch.write("stimulus.hex", &stimulus(inputs)).unwrap();
    scratch.write("deposits.hex", &deposit::file(shape, deposits)).unwrap();
    let mut command = Command::new("vvp");
    command.arg("-n").arg(&program).arg(format!("+dir={}", scratch.path().display()));
    command.arg(format!("+cycles={}", inputs.len()));
    command.arg(format!("+deposited={}", deposits.len()));
    let done = Task::new("iverilog", LIMIT).keep_all(64 << 20).run(&mut command).unwrap();
    let token = Token::load(program.parent().unwrap()).unwrap();
    let lines: Vec<_> = token.lines(&done.text).collect();
    assert_eq!(lines.last().copied(), Some("END"), "{}", done.text);
    let rows = lines.iter().filter_map(|line| line.strip_prefix("R"));
    let row =
        |line: &str| line.split_whitespace().map(|v| u128::from_str_radix(v, 16).ok()).collect();
    rows.map(row).collect()
}

/// Node 2^2 of the engine's modules, which have none by default.
fn parameters(module: &str) -> (Vec<String>, Parameters) {
    let usual = Parameters::DEFAULT;
    let set = usual.with("smb", "ENGINE_NODE_W", 2).expect("legal");
    match module {
        "sync_engine" | "engine_router" | "engine_regs" | "lock_engine" | "barrier_engine"
        | "request_list" => (vec!["NODE_W=2".into()], set),
        "smb" | "smb_axi4" => (vec!["ENGINE_NODE_W=2".into()], set),
        _ => (Vec::new(), usual),
    }
}

macro_rules! total {
    ($($module:ident: $type:ident $($with:ident)?,)*) => {$(
        #[test]
        fn $module() {
            let (settings, parameters) = parameters(stringify!($module));
            compare(&Subject::<rtl::$type, rtl::$module::Inputs> {
                settings,
                parameters,
                outputs: total!(@ $($with)?),
                clock: |model, inputs| model.clock(inputs),
            }, 0x5eed);
        }
    )*};
    (@) => { |model, inputs| { let _ = model.outputs(inputs); } };
    (@ moore) => { |model, _| { let _ = model.outputs(); } };
}

total! {
    axi4_port: Axi4Port,
    axil_port: AxilPort,
    barrier_engine: BarrierEngine,
    data_window: DataWindow,
    dec_8b10b: Dec8b10b moore,
    enc_8b10b: Enc8b10b moore,
    engine_mux: EngineMux,
    engine_regs: EngineRegs,
    engine_router: EngineRouter,
    frame_rx: FrameRx moore,
    frame_tx: FrameTx moore,
    host_regs: HostRegs,
    host_window: HostWindow,
    insert_buffer: InsertBuffer moore,
    link_control: LinkControl,
    link_rx: LinkRx,
    link_tx: LinkTx,
    lock_engine: LockEngine,
    mail_box: Mailbox moore,
    mem_writer: MemWriter,
    node_counters: NodeCounters moore,
    order_gate: OrderGate moore,
    request_list: RequestList,
    ring_egress: RingEgress,
    ring_ingress: RingIngress,
    ring_node: RingNode,
    rx_buffer: RxBuffer,
    rx_filter: RxFilter,
    rx_sorter: RxSorter,
    shared_memory: SharedMemory moore,
    signal_mux: SignalMux,
    signal_sender: SignalSender,
    smb: Smb,
    smb_axi4: SmbAxi4,
    sync_engine: SyncEngine,
    tx_arbiter: TxArbiter,
    tx_mux: TxMux,
    word_aligner: WordAligner moore,
    write_combiner: WriteCombiner,
}
