// SPDX-License-Identifier: MIT OR Apache-2.0
//! The clock of every module is total: from any state and with any inputs each register wraps in its width.
//! Random states, many of which no reset leads to, are loaded into the model, and for most modules into the
//! Verilog, too, in Icarus: both have the same registers after the edge.

use awgstar::quantity::Cycle;
use awgstar::rtl::{
    self, Parameters,
    state::{MemoryMut, Ports, State},
};
use awgstar_simulator::bench::{Bench, NAME};
use awgstar_simulator::build::build;
use awgstar_simulator::library::sources;
use awgstar_simulator::process::Task;
use awgstar_simulator::recipe::Recipe;
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
            let mask = u128::MAX >> (128 - m.bits);
            (0..m.depth).for_each(|word| memory.set(word, (value ^ word as u128) & mask));
        }
    });
}

/// A random state, and the inputs of the two cycles that follow it.
struct Start<I> {
    image: Vec<u32>,
    inputs: [I; 2],
}

/// Random contents of the memories, and so many random states.
fn starts<M: State, I: Ports>(shape: &Shape, states: usize) -> (Vec<u128>, Vec<Start<I>>) {
    let mut random = Random(0x5eed);
    let memories = shape.memories.iter().map(|(_, m)| random.value(m.bits)).collect();
    let inputs = |random: &mut Random| {
        let mut image = vec![0; I::WORDS];
        for (name, bits, at) in shape.input_words() {
            let quiet = name == "rst" && random.next() & 7 != 0;
            put(&mut image, at, bits, if quiet { 0 } else { random.value(bits) });
        }
        I::unpack(&image)
    };
    let starts = (0..states).map(|_| {
        let mut image = vec![0; M::WORDS];
        for (_, bits, at) in shape.register_words() {
            put(&mut image, at, bits, random.value(bits));
        }
        Start { image, inputs: [inputs(&mut random), inputs(&mut random)] }
    });
    (memories, starts.collect())
}

/// The registers of the model after the first edge from each start. Every one of them has its width.
fn in_model<M: State, I: Ports>(
    subject: &Subject<M, I>,
    shape: &Shape,
    memories: &[u128],
    starts: &[Start<I>],
) -> Vec<Vec<u128>> {
    let mut model = M::new(&subject.parameters);
    let mut rows = Vec::new();
    for (number, start) in starts.iter().enumerate() {
        load(&mut model, shape, &start.image, (number == 0).then_some(memories));
        (subject.outputs)(&model, &start.inputs[0]);
        (subject.clock)(&mut model, &start.inputs[0]);
        let mut after = vec![0; M::WORDS];
        model.pack(&mut after);
        let values = shape.register_words().map(|(path, bits, at)| {
            let value = value(&after, at, bits);
            assert!(value <= u128::MAX >> (128 - bits), "{path}: {value:x} in {bits} bits");
            value
        });
        rows.push(values.collect());
        (subject.outputs)(&model, &start.inputs[1]);
        (subject.clock)(&mut model, &start.inputs[1]);
    }
    rows
}

/// From any state and with any inputs: nothing panics, and every register keeps its width.
fn total<M: State, I: Ports>(subject: &Subject<M, I>) {
    let shape = Shape::of::<M>(&subject.parameters);
    let (memories, starts) = starts::<M, I>(&shape, 2_000);
    in_model(subject, &shape, &memories, &starts);
}

/// From any state and with any inputs: every register is that of the Verilog after the edge.
fn equal<M: State, I: Ports>(subject: &Subject<M, I>) {
    let shape = Shape::of::<M>(&subject.parameters);
    let module = shape.layout.module;
    let states = STATES.min((DEPOSITS - shape.memories.len()) / shape.registers.len().max(1));
    let (memories, starts) = starts::<M, I>(&shape, states);
    let ours = in_model(subject, &shape, &memories, &starts);
    let mut deposits: Vec<Deposit> = (shape.memories.iter().zip(&memories))
        .map(|((path, _), &value)| Deposit { cycle: Cycle(0), path: path.clone(), value })
        .collect();
    for (number, start) in starts.iter().enumerate() {
        deposits.extend(shape.register_words().map(|(path, bits, at)| Deposit {
            cycle: Cycle(2 * number as u64),
            path: path.to_owned(),
            value: value(&start.image, at, bits),
        }));
    }
    let inputs: Vec<I> = starts.iter().flat_map(|start| start.inputs).collect();
    let verilog = in_icarus(&shape, &subject.settings, &inputs, &deposits);
    assert_eq!(verilog.len(), 2 * states, "{module}");
    let mut wrong = Vec::new();
    // Even cycles begin with a random state; odd ones show what the edge made of it.
    for (state, (ours, verilog)) in ours.iter().zip(verilog.iter().skip(1).step_by(2)).enumerate() {
        assert_eq!(ours.len(), verilog.len(), "{module}");
        for ((path, _), (ours, verilog)) in shape.registers.iter().zip(ours.iter().zip(verilog)) {
            if *verilog != Some(*ours) {
                wrong.push(format!(
                    "state {state}: {path} is {ours:x}, in the Verilog {verilog:x?}"
                ));
            }
        }
    }
    let few = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{module}: {} wrong\n{}", wrong.len(), few.join("\n"));
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
    scratch.write("stimulus.hex", &stimulus(shape, inputs)).unwrap();
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
        "sync_engine" | "engine_router" | "engine_regs" | "lock_engine" | "barrier_engine" => {
            (vec!["NODE_W=2".into()], set)
        }
        "smb" | "smb_axi4" => (vec!["ENGINE_NODE_W=2".into()], set),
        _ => (Vec::new(), usual),
    }
}

macro_rules! modules {
    ($check:ident { $($module:ident: $type:ident $($with:ident)?,)* }) => {$(
        #[test]
        fn $module() {
            let (settings, parameters) = parameters(stringify!($module));
            $check(&Subject::<rtl::$type, rtl::$module::Inputs> {
                settings,
                parameters,
                outputs: modules!(@ $($with)?),
                clock: |model, inputs| model.clock(inputs),
            });
        }
    )*};
    (@) => { |model, inputs| { let _ = model.outputs(inputs); } };
    (@ moore) => { |model, _| { let _ = model.outputs(); } };
}

modules! { equal {
    axil_port: AxilPort,
    barrier_engine: BarrierEngine,
    dec_8b10b: Dec8b10b moore,
    engine_mux: EngineMux,
    engine_regs: EngineRegs,
    engine_router: EngineRouter,
    frame_rx: FrameRx moore,
    host_regs: HostRegs,
    host_window: HostWindow,
    insert_buffer: InsertBuffer moore,
    link_rx: LinkRx,
    link_tx: LinkTx,
    lock_engine: LockEngine,
    mail_box: Mailbox moore,
    mem_writer: MemWriter,
    node_counters: NodeCounters moore,
    order_gate: OrderGate moore,
    ring_ingress: RingIngress,
    rx_filter: RxFilter,
    rx_sorter: RxSorter,
    shared_memory: SharedMemory moore,
    signal_mux: SignalMux,
    signal_sender: SignalSender,
    sync_engine: SyncEngine,
    tx_arbiter: TxArbiter,
    tx_mux: TxMux,
    window_gate: WindowGate,
    window_inject: WindowInject,
    window_tap: WindowTap,
    word_aligner: WordAligner moore,
    write_combiner: WriteCombiner,
} }

// From states in which two registers contradict each other, and with inputs that no module gives, these find
// the same rule from another register than the Verilog does.
modules! { total {
    axi4_port: Axi4Port,
    axil_crossing: AxilCrossing,
    data_window: DataWindow,
    elastic_buffer: ElasticBuffer,
    enc_8b10b: Enc8b10b moore,
    frame_tx: FrameTx moore,
    link_control: LinkControl,
    request_list: RequestList,
    ring_egress: RingEgress,
    ring_node: RingNode,
    rx_buffer: RxBuffer,
    smb: Smb,
    smb_axi4: SmbAxi4,
} }
