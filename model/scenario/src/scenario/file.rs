// SPDX-License-Identifier: MIT OR Apache-2.0
//! The keys of a scenario file: one set of tables for every system. Every key is optional here;
//! [`Source`](super::source::Source) checks which ones a system takes.

use super::described::{Described, Description, Key};
use awgstar_stimulus::echo;
use serde::Deserialize;
use serde_json::{Value, json};
use std::{collections::BTreeMap, ops::Range};
use toml::Spanned;

/// Keys of a table with their places.
pub(super) type Keys = Vec<(&'static str, Range<usize>)>;
/// An array of tables or of inline tables.
type Tables<T> = Vec<Spanned<T>>;
/// Members of each multicast group, by its number.
pub(super) type Groups = BTreeMap<Spanned<String>, Spanned<Which>>;

/// A table of a file.
pub(super) trait Table {
    /// The keys that are there.
    fn keys(&self) -> Keys;
}

/// Declares tables whose keys are all optional. What is said about a key is its description in the schema.
macro_rules! tables {
    ($(
        $(#[doc = $doc:literal])*
        $name:ident { $($(#[doc = $about:literal])+ $key:ident: $type:ty;)+ }
    )+) => { $(
        $(#[doc = $doc])*
        #[derive(Debug, Default, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $name {
            $($(#[doc = $about])+ pub(super) $key: Option<Spanned<$type>>,)+
        }

        impl Table for $name {
            fn keys(&self) -> Keys {
                let place = |key: &'static str, place: Option<Range<usize>>| {
                    Some((key.trim_start_matches("r#"), place?))
                };
                let all = [$(place(stringify!($key), self.$key.as_ref().map(Spanned::span)),)+];
                all.into_iter().flatten().collect()
            }
        }

        impl Described for $name {
            fn schema() -> Value {
                json!({ "$ref": concat!("#/definitions/", stringify!($name)) })
            }
        }
    )+

    /// Every table: its name, what it is, and its keys with their descriptions and the schemas of their types.
    pub(super) fn described() -> Vec<Description> {
        vec![$(Description {
            name: stringify!($name),
            doc: [$($doc),*].concat().trim().to_owned(),
            keys: vec![$(Key {
                name: stringify!($key).trim_start_matches("r#"),
                doc: [$($about),+].concat().trim().to_owned(),
                schema: <$type as Described>::schema(),
            },)+],
        },)+]
    }
    };
}

tables! {
    /// A scenario file: a system, what its hosts do, and what goes wrong.
    File {
        /// What the file describes: a ring of nodes, a ring of boards with their hosts, generation 1 of the thesis, its Mandelbrot program, virtual shared memory, a cluster of computers with messages, rings of boards with gateways between them, or clusters with gateways between them.
        system: String;
        /// Line above reports and pictures.
        title: String;
        /// How a node forwards a frame: cut-through (default), or store-and-forward.
        forwarding: String;
        /// What `processing_ns` is for: each visit of the token (default), or each frame.
        processing: String;
        /// The system on which the program runs (observed).
        machine: String;
        /// How the master reads the results (pointer).
        read: String;
        /// What a worker writes at once (word or row).
        writes: String;
        /// Rings, which have as many boards each.
        rings: i64;
        /// Clusters, which have as many nodes each.
        clusters: i64;
        /// Nodes or boards of the ring; of each ring or cluster, if there are several, where number 0 is the gateway; for the Mandelbrot program 4 by default.
        nodes: i64;
        /// Length of the run in cycles of 14.87 ns, the 4 cycles of reset included.
        cycles: i64;
        /// Seed of noise and of random traffic (0).
        seed: i64;
        /// Free tokens: those that node 0 issues after reset, or that the monitor keeps (the number of nodes, 16 at most).
        tokens: i64;
        /// Register `TIMEOUT` of each board, in cycles.
        timeout: i64;
        /// Register `PERIOD` of each board, in cycles.
        period: i64;
        /// Register `COMBINE` of each board, in cycles (64).
        combine: i64;
        /// From this cycle on there is no noise and no fault of a frame (never).
        calm: i64;
        /// Time in ns that a node needs.
        processing_ns: i64;
        /// Bytes that a node sends in one visit of the token.
        visit_bytes: i64;
        /// Time in ns without a token after which the master makes a new one; 0 for never (two of the longest rotations).
        new_token_ns: i64;
        /// Time in ns at which the run ends if the programs have not.
        limit_ns: i64;
        /// Bytes of the shared memory, a power of two (16384); of a cluster of all processes together, of rings and clusters that of each (16777216).
        memory_bytes: i64;
        /// Most words of a request to another ring (64).
        far_words: i64;
        /// Cycles after which a gateway sends open requests again (1000000).
        request_timeout: i64;
        /// Processes of a computer of a cluster (1).
        per_computer: i64;
        /// Bytes of a page, a multiple of 4.
        page_bytes: i64;
        /// Pages of the virtual memory.
        pages: i64;
        /// Pages that the shared memory has room for: `pages` at most.
        room: i64;
        /// Points of a row of the picture, and its rows.
        size: i64;
        /// Iterations after which a point is one of the set.
        limit: i64;
        /// Time of an iteration in ps.
        iteration_ps: i64;
        /// Time in ns that each point takes besides its iterations.
        point_ns: i64;
        /// Share of the processor that the master has for points, in percent.
        master_percent: i64;
        /// Share of the bits on all links that are inverted (0).
        noise: f64;
        /// Replicas may differ at the end (false).
        may_differ: bool;
        /// Metres of fibre after each node: one number for all, or a list (10). With a router, to it and back.
        fibre_m: OneOrMany;
        /// Real part of the picture: from, to.
        re: [f64; 2];
        /// Imaginary part of the picture: from, to.
        im: [f64; 2];
        /// Byte addresses of words that are printed at the end.
        show: Tables<i64>;
        /// Members of each multicast group: its number, 0 to 15, and nodes.
        groups: Groups;
        /// Locks and barriers: the boards run their firmware.
        primitives: Primitives;
        /// How hosts of generation 1 reach their boards.
        pci: Pci;
        /// What things cost on a cluster.
        costs: Costs;
        /// What steps take on clusters with gateways between them.
        steps: Steps;
        /// What joins the gateways of two rings.
        between: Between;
        /// Gateways whose firmware begins again.
        restart: Tables<Restart>;
        /// Each ring has a second gateway, which takes over when the board of the first one is dead (false).
        standby: bool;
        /// Memory of a ring that its gateway reflects to others.
        window: Tables<Window>;
        /// Words of other rings in the memory of each ring.
        cache: Cache;
        /// The boards are on an AWG router.
        router: Router;
        /// Boards that are set up in another way than the others.
        board: Tables<Board>;
        /// What hosts do.
        program: Tables<Program>;
        /// What happens to frames on a link.
        fault: Tables<Fault>;
        /// Links over which nothing comes.
        cut: Tables<Cut>;
        /// Boards that fail.
        dead: Tables<Dead>;
        /// Boards whose frames are late.
        slow: Tables<Slow>;
        /// Boards that are reset.
        reset: Tables<Reset>;
        /// Boards that the router loses.
        lost: Tables<Lost>;
        /// Nodes that always have data to send.
        saturate: Tables<Saturate>;
        /// Nodes that send at random.
        random: Tables<Random>;
    }
    /// What hosts do, one act after the other.
    Program {
        /// The nodes that run it: a number, a list or "all" (all).
        nodes: Which;
        /// Not before this time: cycles, in generation 1 ns (0).
        at: i64;
        /// How often the acts are done (1).
        times: i64;
        /// Cycles that the host waits before it reads the reports of its board (0).
        slow: i64;
        /// The acts, in their order.
        r#do: Tables<Act>;
    }
    /// An act of a host: one key that says what it does, and those that go with it.
    Act {
        /// Not before this time: cycles, in generation 1 ns.
        at: i64;
        /// Writes to the shared memory at this byte address: `hex`, `text`, `bytes` or `value`.
        write: i64;
        /// Reads from the local replica at this byte address.
        read: i64;
        /// Reads the word at this byte address, adds `by` and writes it.
        add: i64;
        /// Does nothing on the ring for so many cycles, in generation 1 ns.
        compute: i64;
        /// Takes so many messages out of the mailbox.
        receive: i64;
        /// Acquires the lock of this number.
        lock: i64;
        /// Releases the lock of this number.
        unlock: i64;
        /// Adds 1 to the word of the node in this page.
        access: i64;
        /// Does the acts of `do` so many times.
        repeat: i64;
        /// Reads the register of this name, or writes `value` to it.
        register: String;
        /// Sends a signal: one of the contract, or p2p, multicast, broadcast or control with `c_st` and `hex` or `text`.
        signal: String;
        /// Waits for an event.
        until: String;
        /// Closes the data frame under way.
        flush: bool;
        /// Waits for all nodes.
        barrier: bool;
        /// The acts that are repeated.
        r#do: Tables<Act>;
        /// Bytes in hex, byte 0 first.
        hex: String;
        /// Bytes of a text.
        text: String;
        /// How a signal is ordered to data written before (none).
        order: String;
        /// Number of bytes: of a pattern that is written, or that are read (4).
        bytes: i64;
        /// A word of 32 bits.
        value: i64;
        /// What `add` adds (1).
        by: i64;
        /// Bytes by which the address of each node is further on than that of the node before (0).
        each: i64;
        /// The word that must be read.
        expect: i64;
        /// Byte address of what is to be visible.
        addr: i64;
        /// Cycles after which the host goes on without the event (100000).
        limit: i64;
        /// `Node_ID` of the receiver.
        to: i64;
        /// `Multi_G` of the receivers.
        group: i64;
        /// C.ST of the signal (0).
        c_st: i64;
        /// Value of the signal: the node that sends.
        send_node: i64;
        /// Value of the signal: tag.
        tag: i64;
        /// Value of the signal: number of the lock.
        lock_number: i64;
        /// Value of the signal: number of the page.
        page_number: i64;
        /// Value of the signal: episode of the barrier.
        epoch: i64;
        /// By DMA, which a write does not wait for (false).
        dma: bool;
    }
    /// What happens to frames on a link: when, and what.
    Fault {
        /// With several rings: the ring (all).
        ring: i64;
        /// The link after this node.
        link: i64;
        /// The frame with this number of all that leave the node, from 0.
        frame: i64;
        /// The first frames, or the first train, from this time on: cycles, in generation 1 ns.
        from: i64;
        /// With `from`: only frames whose MAC ends in this byte.
        source: i64;
        /// With `from`: so many frames (1).
        times: i64;
        /// This bit is inverted; 0 is bit 0 of the first word, or of the token.
        bit: i64;
        /// The frame is cut short after so many words.
        words: i64;
        /// With `from`: only frames of this kind.
        kind: String;
        /// The frame is lost.
        lose: bool;
        /// The frame is sent twice.
        twice: bool;
    }
    /// Locks and barriers.
    Primitives {
        /// Protocol of the locks (queue).
        lock: String;
        /// Protocol of the barrier (ring).
        barrier: String;
        /// How a process of a cluster waits for its puts: it asks one server after the other, or all (in-turn).
        fences: String;
        /// How unlocks and arrivals are ordered to data written before (confirmed).
        order: String;
        /// The thesis' protocols with their repairs or as published (repaired).
        variant: String;
        /// Cycles until firmware asks again (200000).
        retry_timeout: i64;
        /// Locks of the index, or of all rings or clusters (16).
        locks: i64;
        /// Repairs that are left out.
        without: Tables<String>;
    }
    /// How hosts of generation 1 reach their boards.
    Pci {
        /// Bytes per second that the processor writes (64000000).
        pointer_write: i64;
        /// Bytes per second that the processor reads (125000).
        pointer_read: i64;
        /// Bytes per second that a DMA writes (64000000).
        dma_write: i64;
        /// Bytes per second that a DMA reads (80000000).
        dma_read: i64;
        /// Time in ns to set up a DMA (10000).
        dma_setup_ns: i64;
        /// Time in ns of an interrupt (5000).
        interrupt_ns: i64;
        /// Time in ns between two looks at a word (10000).
        poll_ns: i64;
    }
    /// What things cost on a cluster; without a key as on the machine of paper 001.
    Costs {
        /// Processor time in ns to send a message (1000).
        send_ns: i64;
        /// Time in ns of a message between two network cards (22788).
        latency_ns: i64;
        /// The same, within a computer (`latency_ns`).
        own_latency_ns: i64;
        /// Time in ns until a process that polls, or the server, has a message that is there (0).
        receive_ns: i64;
        /// Bytes of data that a network card sends in a microsecond (250).
        bytes_per_us: i64;
        /// Time in ns until a server that sleeps goes on (59021).
        wake_ns: i64;
        /// Time in ns of the server for a message (1000).
        serve_ns: i64;
        /// Time in ns of an access to the memory of the own computer (100).
        access_ns: i64;
        /// Time in ns of a change of that memory in one step (500).
        atomic_ns: i64;
        /// Time in ns of a fault at a shared page (24000).
        fault_ns: i64;
        /// Time in ns to copy a shared page, or to compare it with its twin (3000).
        page_ns: i64;
    }
    /// What steps take on clusters with gateways between them; without a key as in paper 004.
    Steps {
        /// Time in ns to read memory of another node of the cluster (200000).
        nicam_read_ns: i64;
        /// Time in ns to write it (188000).
        nicam_write_ns: i64;
        /// Time in ns of a message between gateways, one way (220000).
        tcp_ns: i64;
        /// Time in ns of an access to the own memory (8000).
        local_ns: i64;
        /// Time in ns of a gateway for a request or an answer (42000).
        handling_ns: i64;
        /// Bytes beyond 8 that a network card of a cluster sends in a millisecond (32042).
        nicam_bytes_per_ms: i64;
        /// Bytes beyond 8 that a gateway sends to another one in a millisecond (10162).
        tcp_bytes_per_ms: i64;
    }
    /// The AWG router of a ring of boards.
    Router {
        /// Channel of the laser of each board; they form the ring.
        wavelengths: Tables<i64>;
        /// Time in microseconds until a loss of light is detected (1).
        detect_us: f64;
        /// Time in microseconds of an order to a transmitter (10).
        command_us: f64;
        /// Time in microseconds to tune a laser (100).
        tune_us: f64;
    }
    /// Boards that are set up in another way than the others.
    Board {
        /// The boards: a number, a list or "all".
        nodes: Which;
        /// Register `NODE_ID` (the number of the board).
        node_id: i64;
        /// The upper 40 bits of MAC.
        prefix: i64;
        /// Register `TOKENS`.
        tokens: i64;
        /// Register `TIMEOUT`, in cycles.
        timeout: i64;
        /// Register `PERIOD`, in cycles.
        period: i64;
        /// Register `COMBINE`, in cycles.
        combine: i64;
        /// The boards are not set up before this cycle (0).
        at: i64;
    }
    /// A link over which nothing comes.
    Cut {
        /// With several rings: the ring (all).
        ring: i64;
        /// The link after this board.
        link: i64;
        /// First cycle.
        from: i64;
        /// Cycle after the last one (the end of the run).
        until: i64;
    }
    /// Boards that fail.
    Dead {
        /// With several rings: the ring (all).
        ring: i64;
        /// The boards: a number, a list or "all".
        nodes: Which;
        /// First cycle in which they are dead and bridged.
        at: i64;
    }
    /// Boards whose frames are late.
    Slow {
        /// With several rings: the ring (all).
        ring: i64;
        /// The boards: a number, a list or "all".
        nodes: Which;
        /// Cycles by which their frames are late.
        cycles: i64;
        /// First cycle (0).
        from: i64;
        /// Cycle after the last one (the end of the run).
        until: i64;
    }
    /// Boards that are reset.
    Reset {
        /// The boards: a number, a list or "all".
        nodes: Which;
        /// First cycle of the reset.
        at: i64;
        /// Cycles of the reset (4).
        cycles: i64;
    }
    /// What joins the gateways of two rings: a fibre or a network, in each direction.
    Between {
        /// Cycles from the last word of a message in to its last word out (40).
        latency: i64;
        /// Cycles of each word of a message (1).
        word: i64;
    }
    /// Memory of a ring that its gateway reflects to others.
    Window {
        /// The ring that writes it.
        ring: i64;
        /// Address of its first word, a multiple of 4.
        first: i64;
        /// Its bytes, a multiple of 4.
        bytes: i64;
        /// The rings that have it, too: a number, a list or "all" (all others).
        to: Which;
        /// Address of a word in those rings that is odd while the window is whole there (none).
        whole: i64;
    }
    /// Words of other rings that each ring has in its memory, until they are written.
    Cache {
        /// Places for lines.
        lines: i64;
        /// Words of 32 bits of a line.
        words: i64;
    }
    /// A gateway whose firmware begins again, and knows nothing.
    Restart {
        /// The ring of the gateway.
        ring: i64;
        /// The cycle.
        at: i64;
    }
    /// Boards that the router loses.
    Lost {
        /// The boards: a number, a list or "all".
        nodes: Which;
        /// What is lost: their power, their light to the router or the light to them.
        what: String;
        /// First cycle of the loss.
        at: i64;
        /// Cycle in which they return in reset, with an empty memory (never).
        until: i64;
    }
    /// Nodes that always have data to send.
    Saturate {
        /// The nodes: a number, a list or "all" (all).
        nodes: Which;
        /// Bytes of each data frame.
        bytes: i64;
    }
    /// Nodes that send at random.
    Random {
        /// The nodes: a number, a list or "all" (all).
        nodes: Which;
        /// First cycle (0).
        from: i64;
        /// Cycle after the last one.
        until: i64;
        /// Mean number of cycles between two frames of a node.
        every: i64;
        /// Longest write in bytes (64).
        bytes_max: i64;
        /// Share of the frames that are signals (0).
        signals: f64;
    }
}

impl File {
    /// The title as it is shown: one line, without control characters.
    pub(super) fn title(&self) -> String {
        let title = self.title.as_ref().map_or("", |title| title.get_ref());
        echo::printable(title).into_owned()
    }
}

/// One number for all, or one for each.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number or a list of numbers")]
pub(super) enum OneOrMany {
    One(f64),
    Many(Vec<f64>),
}

/// Nodes: `2`, `[0, 1]` or `"all"`.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "expected a number, a list of numbers or \"all\"")]
pub(super) enum Which {
    One(i64),
    Many(Vec<i64>),
    Named(String),
}

impl Described for OneOrMany {
    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "number", "minimum": 0 },
            { "type": "array", "items": { "type": "number", "minimum": 0 }, "minItems": 1 },
        ] })
    }
}

impl Described for Which {
    fn schema() -> Value {
        json!({ "anyOf": [
            { "type": "integer", "minimum": 0 },
            { "type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 1, "uniqueItems": true },
            { "const": "all" },
        ] })
    }
}

impl Described for Groups {
    fn schema() -> Value {
        json!({
            "type": "object",
            "propertyNames": { "pattern": "^\\+?0*([0-9]|1[0-5])$" },
            "additionalProperties": Which::schema(),
        })
    }
}
