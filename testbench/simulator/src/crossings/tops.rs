// SPDX-License-Identifier: MIT OR Apache-2.0
//! Top levels with more than one clock or with pins of no clock: what their clocks are, and which port belongs to which.

/// A clock of a top level.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    /// Its net in the top level; a port, or an output of a PLL.
    pub net: &'static str,
    /// Its cycle in ps, for the constraint files.
    pub ps: u64,
    /// What a file for nextpnr asks for: kind and name of the net there, and MHz, above the rate of the clock so that
    /// the placer does not stop there.
    pub asked: Option<(&'static str, &'static str, &'static str)>,
}

/// A top level.
#[derive(Clone, Copy, Debug)]
pub struct Top {
    /// The module.
    pub module: &'static str,
    /// It is in `hdl/boards` and has parts of the ECP5.
    pub board: bool,
    /// Its clocks.
    pub clocks: &'static [Clock],
    /// Clock of each port, by the first pattern that fits: `*` at the end is any rest. "" is no clock: a pin that
    /// changes at any time.
    pub ports: &'static [(&'static str, &'static str)],
}

/// A memory that one clock writes and another reads without a register between.
#[derive(Clone, Copy, Debug)]
pub struct Store {
    /// Its name, at the end of its path.
    pub memory: &'static str,
    /// Pointers beside it, each with the synchronizer that takes it to the other side: of the writer, of the reader.
    pub pointers: [(&'static str, &'static str); 2],
    /// Why a word may be read.
    pub reason: &'static str,
}

/// All of them.
pub const STORES: &[Store] = &[Store {
    memory: "mem",
    pointers: [("wr_gray_q", "u_wr_gray"), ("rd_gray_q", "u_rd_gray")],
    reason: "the reader uses a word only after the writer's pointer has passed it, and the writer writes it again \
             only after the reader's has",
}];

/// A cycle at 67.25 MHz.
const LINE: u64 = 14_869;
/// A cycle at 125 MHz, the fastest host of the rings of boards.
const HOST: u64 = 8_000;

const fn clock(net: &'static str, ps: u64) -> Clock {
    Clock { net, ps, asked: None }
}

const fn asked(
    net: &'static str,
    ps: u64,
    at: (&'static str, &'static str, &'static str),
) -> Clock {
    Clock { net, ps, asked: Some(at) }
}

/// All of them: a module of `hdl` or `hdl/boards` that has more than one clock is here.
pub const TOPS: &[Top] = &[
    Top {
        module: "clock_crossing",
        board: false,
        clocks: &[clock("wr_clk", LINE), clock("rd_clk", LINE)],
        ports: &[("wr_*", "wr_clk"), ("rd_*", "rd_clk")],
    },
    Top {
        module: "elastic_buffer",
        board: false,
        clocks: &[clock("wr_clk", LINE), clock("rd_clk", LINE)],
        ports: &[("wr_*", "wr_clk"), ("s_*", "wr_clk"), ("ev_overflow", "wr_clk"), ("*", "rd_clk")],
    },
    Top {
        module: "axil_crossing",
        board: false,
        clocks: &[clock("s_clk", HOST), clock("m_clk", LINE)],
        ports: &[("s_*", "s_clk"), ("m_*", "m_clk")],
    },
    Top {
        module: "ring_link",
        board: false,
        clocks: &[clock("clk", LINE), clock("rx_clk", LINE)],
        ports: &[("rx_*", "rx_clk"), ("*", "clk")],
    },
    Top {
        module: "smb_link",
        board: false,
        clocks: &[clock("host_clk", HOST), clock("clk", LINE), clock("rx_clk", LINE)],
        ports: &[
            ("host_*", "host_clk"),
            ("s_axi_*", "host_clk"),
            ("irq", "host_clk"),
            ("rx_*", "rx_clk"),
            ("*", "clk"),
        ],
    },
    Top {
        module: "ring_gateway",
        board: false,
        clocks: &[clock("a_clk", LINE), clock("b_clk", LINE)],
        ports: &[("a_*", "a_clk"), ("b_*", "b_clk")],
    },
    Top {
        module: "clock_watch",
        board: false,
        clocks: &[clock("clk", LINE), clock("watched", LINE)],
        ports: &[("*", "clk")],
    },
    Top {
        module: "pin_link",
        board: true,
        clocks: &[clock("clk", 17_500), clock("clk_90", 17_500), clock("rx_clk_pin", 17_500)],
        ports: &[
            ("rx_light_pin", ""),
            ("rx_*", "rx_clk_pin"),
            ("tx_clk_pin", "clk_90"),
            ("clk_90", "clk_90"),
            ("*", "clk"),
        ],
    },
    Top {
        module: "ulx3s",
        board: true,
        clocks: &[asked("clk", 14_737, ("NET", "u_pll.clk_out", "72"))],
        ports: &[("ftdi_rxd", "clk"), ("*", "")],
    },
    Top {
        module: "ulx3s_link",
        board: true,
        clocks: &[
            asked("clk", 17_500, ("NET", "u_link.clk", "72")),
            clock("clk_90", 17_500),
            asked("rx_clk_pin", 17_500, ("PORT", "rx_clk_pin", "72")),
        ],
        ports: &[
            ("ftdi_rxd", "clk"),
            ("rx_pins", "rx_clk_pin"),
            ("rx_clk_pin", "rx_clk_pin"),
            ("tx_clk_pin", "clk_90"),
            ("tx_*", "clk"),
            ("*", ""),
        ],
    },
];

impl Top {
    /// The pattern and clock of a port.
    #[must_use]
    pub fn clock_of(&self, port: &str) -> Option<&(&'static str, &'static str)> {
        self.ports.iter().find(|(pattern, _)| match pattern.strip_suffix('*') {
            Some(begin) => port.starts_with(begin),
            None => port == *pattern,
        })
    }
}
