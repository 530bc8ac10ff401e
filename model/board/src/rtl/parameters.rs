// SPDX-License-Identifier: MIT OR Apache-2.0
//! Parameters of the Verilog: sizes of memories and buffers, and the token run.
//!
//! Every module of the model is made with one set of them. A set holds all parameters of `smb`; a
//! smaller module reads those it has.

use awgstar_frame::contract::{
    board::{AXI_ID_W, ENGINE_NODE_W, JOIN, MAIL_W, MEM_ADDR_W, SIGNAL_W, TX_ADDR_W, TX_FRAME_W},
    node::{BUFFER_ADDR_W, RX_ADDR_W, RX_HEADER_ADDR_W, TOKEN_RUN},
};
use std::{fmt, ops::RangeInclusive};

/// A parameter, and its place in a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// Shared memory: 2^n words.
    MemAddrW,
    /// Words of data that wait for acknowledgement: 2^n.
    TxAddrW,
    /// Frames of data that wait for acknowledgement: 2^n.
    TxFrameW,
    /// Signals that wait for acknowledgement: 2^n.
    SignalW,
    /// Messages of the mailbox: 2^n.
    MailW,
    /// Insertion buffer: 2^n words.
    BufferAddrW,
    /// Receive buffer: 2^n beats.
    RxAddrW,
    /// Receive buffer: 2^n headers.
    RxHeaderAddrW,
    /// Data frames that a node sends in a row before it lets a free token go.
    TokenRun,
    /// Idle words before a frame of the node's own, at least (LNK-5).
    OwnIdle,
    /// Bits of an ID of the AXI4 port.
    AxiIdW,
    /// Lock and barrier engine: `Node_ID`s below 2^n take part; 0: none.
    EngineNodeW,
    /// 1: the board can join with the memory of the others; 0: it cannot.
    Join,
    /// Elastic buffer of the end of a link: 2^n words.
    ElasticAddrW,
    /// Windows of each ring of a gateway.
    Windows,
}

use Parameter::{
    AxiIdW, BufferAddrW, ElasticAddrW, EngineNodeW, Join, MailW, MemAddrW, OwnIdle, RxAddrW,
    RxHeaderAddrW, SignalW, TokenRun, TxAddrW, TxFrameW, Windows,
};

impl Parameter {
    /// Name in Verilog.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            MemAddrW => "MEM_ADDR_W",
            TxAddrW => "TX_ADDR_W",
            TxFrameW => "TX_FRAME_W",
            SignalW => "SIGNAL_W",
            MailW => "MAIL_W",
            BufferAddrW => "BUFFER_ADDR_W",
            RxAddrW => "RX_ADDR_W",
            RxHeaderAddrW => "RX_HEADER_ADDR_W",
            TokenRun => "TOKEN_RUN",
            OwnIdle => "OWN_IDLE",
            AxiIdW => "AXI_ID_W",
            EngineNodeW => "ENGINE_NODE_W",
            Join => "JOIN",
            ElasticAddrW => "ELASTIC_ADDR_W",
            Windows => "WINDOWS",
        }
    }

    /// Name in the Verilog of this module: the parts of the engine have a shorter one.
    #[must_use]
    pub fn name_in(self, module: &str) -> &'static str {
        match (self, module) {
            (EngineNodeW, "barrier_engine" | "engine_router" | "lock_engine") => "NODE_W",
            _ => self.name(),
        }
    }
}

/// A parameter of a module with its least and greatest legal value.
pub type Legal = (Parameter, RangeInclusive<u8>);

const NODE: &[Legal] = &[
    (BufferAddrW, 5..=15),
    (RxAddrW, 4..=15),
    (RxHeaderAddrW, 1..=15),
    (TokenRun, 1..=15),
    (OwnIdle, 1..=2),
];

/// A board fills frames up to 1,024 bytes, so both of its node's buffers must have room for one.
macro_rules! board {
    ($($more:expr),+) => {
        board!(2..=29, 8..=15, 1..=15; $($more),+)
    };
    ($memory:expr, $beats:expr, $headers:expr; $($more:expr),+) => {
        &[
            (MemAddrW, $memory),
            (TxAddrW, 9..=15),
            (TxFrameW, 1..=6),
            (SignalW, 1..=6),
            (MailW, 1..=12),
            (BufferAddrW, 9..=15),
            (RxAddrW, $beats),
            (RxHeaderAddrW, $headers),
            (TokenRun, 1..=15),
            $($more),+
        ]
    };
}

const BOARD: &[Legal] = board![(OwnIdle, 1..=2), (EngineNodeW, 0..=8), (Join, 0..=1)];

/// A board whose host port is AXI4.
const BURST_BOARD: &[Legal] =
    board![(OwnIdle, 1..=2), (EngineNodeW, 0..=8), (Join, 0..=1), (AxiIdW, 1..=16)];

/// A board with an end of a link, in which `OWN_IDLE` is 2.
const LINKED_BOARD: &[Legal] = board![(EngineNodeW, 0..=8), (Join, 0..=1), (ElasticAddrW, 3..=10)];

/// Two boards, of each of which the store of a gateway must have room for the receive buffer (GWY-1).
const GATEWAY: &[Legal] =
    board![2..=28, 8..=9, 1..=7; (OwnIdle, 1..=2), (EngineNodeW, 0..=8), (Windows, 1..=4)];

const LINK: &[Legal] = &[(ElasticAddrW, 3..=10)];

const PORT: &[Legal] = &[(MemAddrW, 2..=29), (AxiIdW, 1..=16)];

const MEMORY: &[Legal] = &[(MemAddrW, 2..=29)];

const ENGINE: &[Legal] = &[(EngineNodeW, 0..=8)];

/// Parameters of a Verilog module that can be the top of a design, in the order of its declaration.
#[must_use]
pub fn legal(module: &str) -> &'static [Legal] {
    match module {
        "ring_node" => NODE,
        "smb" => BOARD,
        "smb_axi4" => BURST_BOARD,
        "smb_link" => LINKED_BOARD,
        "ring_link" => LINK,
        "ring_gateway" => GATEWAY,
        "axi4_port" => PORT,
        "barrier_engine" | "engine_router" | "lock_engine" => ENGINE,
        "host_window" | "mem_writer" | "rx_sorter" | "shared_memory" => MEMORY,
        _ => &[],
    }
}

/// A value for each parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameters([u8; 15]);

#[expect(clippy::cast_possible_truncation, reason = "the contract's values are below 16")]
const fn small(value: usize) -> u8 {
    value as u8
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters::DEFAULT
    }
}

macro_rules! getters {
    ($($(#[$meta:meta])* $name:ident: $parameter:ident,)*) => {$(
        $(#[$meta])*
        #[must_use]
        #[inline]
        pub const fn $name(&self) -> usize {
            self.0[Parameter::$parameter as usize] as usize
        }
    )*};
}

impl Parameters {
    /// The contract's values.
    pub const DEFAULT: Parameters = Parameters([
        small(MEM_ADDR_W),
        small(TX_ADDR_W),
        small(TX_FRAME_W),
        small(SIGNAL_W),
        small(MAIL_W),
        small(BUFFER_ADDR_W),
        small(RX_ADDR_W),
        small(RX_HEADER_ADDR_W),
        small(TOKEN_RUN),
        1,
        small(AXI_ID_W),
        small(ENGINE_NODE_W),
        small(JOIN),
        6,
        4,
    ]);

    getters! {
        /// Address bits of the shared memory, in words.
        mem_addr_w: MemAddrW,
        /// Address bits of the words of data that wait for acknowledgement.
        tx_addr_w: TxAddrW,
        /// Address bits of the data frames that wait for acknowledgement.
        tx_frame_w: TxFrameW,
        /// Address bits of the queue of signals.
        signal_w: SignalW,
        /// Address bits of the mailbox, in messages.
        mail_w: MailW,
        /// Address bits of the insertion buffer, in link words.
        buffer_addr_w: BufferAddrW,
        /// Address bits of the receive buffer, in beats.
        rx_addr_w: RxAddrW,
        /// Address bits of the receive buffer's headers.
        rx_header_addr_w: RxHeaderAddrW,
        /// Data frames in a row before a free token goes.
        token_run: TokenRun,
        /// Idle words before a frame of the node's own.
        own_idle: OwnIdle,
        /// Bits of an ID of the AXI4 port.
        axi_id_w: AxiIdW,
        /// Bits of the `Node_ID`s that take part in the lock and barrier engine; 0: there is none.
        engine_node_w: EngineNodeW,
        /// 1: the board can join with the memory of the others; 0: it cannot.
        join: Join,
        /// Address bits of the elastic buffer, in link words.
        elastic_addr_w: ElasticAddrW,
        /// Windows of each ring of a gateway.
        windows: Windows,
    }

    /// The value of `parameter`.
    #[must_use]
    pub const fn get(&self, parameter: Parameter) -> u8 {
        self.0[parameter as usize]
    }

    /// This set with two idle words before own frames: that of a board in [`super::SmbLink`] (LNK-5).
    #[must_use]
    pub const fn with_two_idle_words(mut self) -> Self {
        self.0[Parameter::OwnIdle as usize] = 2;
        self
    }

    /// This set with another value for the parameter `name` of `module`.
    ///
    /// # Errors
    /// If the module has no such parameter, or its Verilog refuses the value.
    pub fn with(mut self, module: &str, name: &str, value: u64) -> Result<Self, ParameterError> {
        let all = legal(module);
        let Some((parameter, range)) = all.iter().find(|(p, _)| p.name_in(module) == name) else {
            let names = all.iter().map(|(p, _)| p.name_in(module)).collect();
            let (module, name) = (module.to_owned(), name.to_owned());
            return Err(ParameterError::Unknown { module, name, names });
        };
        match u8::try_from(value) {
            Ok(small) if range.contains(&small) => self.0[*parameter as usize] = small,
            _ => {
                let (module, name) = (module.to_owned(), parameter.name_in(module));
                return Err(ParameterError::Range { module, name, value, range: range.clone() });
            }
        }
        Ok(self)
    }

    /// This set with the parameters of `module` that `settings` names, each `NAME=VALUE`.
    ///
    /// # Errors
    /// If a setting is no `NAME=VALUE` or [`Parameters::with`] refuses it.
    pub fn parse<S: AsRef<str>>(
        self,
        module: &str,
        settings: impl IntoIterator<Item = S>,
    ) -> Result<Self, ParameterError> {
        settings.into_iter().try_fold(self, |set, setting| {
            let setting = setting.as_ref();
            let wrong = || ParameterError::Form(setting.chars().take(80).collect());
            let (name, value) = setting.split_once('=').ok_or_else(wrong)?;
            set.with(module, name.trim(), value.trim().parse().map_err(|_| wrong())?)
        })
    }

    /// Name and value of every parameter of `module`.
    pub fn of<'a>(&'a self, module: &'a str) -> impl Iterator<Item = (&'static str, u8)> + 'a {
        let name = |one: Parameter| (one.name_in(module), self.get(one));
        legal(module).iter().map(move |(parameter, _)| name(*parameter))
    }

    /// The parameters of `module` that do not have the contract's value, each `NAME=VALUE`.
    #[must_use]
    pub fn changed(&self, module: &str) -> Vec<String> {
        let own = self.of(module).zip(Parameters::DEFAULT.of(module));
        own.filter(|(now, usual)| now != usual).map(|((n, v), _)| format!("{n}={v}")).collect()
    }
}

/// A setting that a module does not take.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParameterError {
    /// The text does not have the form `NAME=VALUE`.
    #[error("parameter `{0}`: expected NAME=VALUE with a decimal number")]
    Form(String),
    /// The module has none of that name.
    #[error("parameter {name}: {module} has {}", List(.names))]
    Unknown {
        /// The module.
        module: String,
        /// The name that was given.
        name: String,
        /// Parameters of the module.
        names: Vec<&'static str>,
    },
    /// The Verilog refuses the value.
    #[error("parameter {name} of {module} is {value}: expected {} to {}", .range.start(), .range.end())]
    Range {
        /// The module.
        module: String,
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: u64,
        /// Legal values.
        range: RangeInclusive<u8>,
    },
}

struct List<'a>(&'a [&'static str]);

impl fmt::Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            f.write_str("no parameters")
        } else {
            f.write_str(&self.0.join(", "))
        }
    }
}
