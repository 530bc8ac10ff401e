//! Save files for GTKWave: what every one of them has, and the signals of a testbench in groups.

use super::Module;
use awgstar::contract::{Check, FrameKind, Signal, Token, TxClass, TxStatus, fsm::FSMS};
use std::{collections::BTreeSet, fmt::Write as _, ops::Range, path::Path};

/// (group, signals) of a module; a signal's name as it stands in the wave file, below the testbench.
#[must_use]
pub fn groups(module: Module) -> &'static [(&'static str, &'static [&'static str])] {
    match module {
        Module::Crc32 => {
            &[("crc32", &["crc_in[31:0]", "tdata[31:0]", "tkeep[3:0]", "crc_out[31:0]"])]
        }
        Module::FrameTx => &[
            ("clock", &["clk", "rst"]),
            (
                "header in",
                &[
                    "s_hdr_valid",
                    "s_hdr_ready",
                    "s_hdr_mac[47:0]",
                    "s_hdr_token[2:0]",
                    "s_hdr_c_st[4:0]",
                    "s_hdr_node_id[7:0]",
                    "s_hdr_multi_g[3:0]",
                    "s_hdr_act_seq[3:0]",
                    "s_hdr_packet_cnt[7:0]",
                    "s_hdr_addr[31:0]",
                    "s_hdr_len[10:0]",
                ],
            ),
            (
                "payload in",
                &[
                    "s_axis_tvalid",
                    "s_axis_tready",
                    "s_axis_tdata[31:0]",
                    "s_axis_tkeep[3:0]",
                    "s_axis_tlast",
                ],
            ),
            ("link out", LINK_OUT),
            ("status", &["status_valid", "status_error[2:0]"]),
            ("state", &["dut.state_q[1:0]"]),
        ],
        Module::FrameRx => &[
            ("clock", &["clk", "rst"]),
            (
                "link in",
                &[
                    "s_axis_tvalid",
                    "s_axis_tdata[31:0]",
                    "s_axis_tkeep[3:0]",
                    "s_axis_tlast",
                    "s_axis_tuser",
                ],
            ),
            ("data out", LINK_OUT),
            (
                "header out",
                &[
                    "m_hdr_valid",
                    "m_hdr_good",
                    "m_hdr_check[3:0]",
                    "m_hdr_monitor",
                    "m_hdr_mac[47:0]",
                    "m_hdr_token[2:0]",
                    "m_hdr_c_st[4:0]",
                    "m_hdr_node_id[7:0]",
                    "m_hdr_multi_g[3:0]",
                    "m_hdr_act_seq[3:0]",
                    "m_hdr_packet_cnt[7:0]",
                    "m_hdr_addr[31:0]",
                    "m_hdr_len[10:0]",
                ],
            ),
            ("state", &["dut.state_q[1:0]"]),
        ],
    }
}

const LINK_OUT: &[&str] =
    &["m_axis_tvalid", "m_axis_tdata[31:0]", "m_axis_tkeep[3:0]", "m_axis_tlast", "m_axis_tuser"];

/// The save file for `vcd`, which lies in the same folder and covers `times`. `top` is
/// the scope of the testbench: Verilator puts it below `TOP`.
#[must_use]
pub fn save_file(module: Module, vcd: &Path, top: &str, times: Range<u64>) -> String {
    let name = vcd.file_name().unwrap_or_default().to_string_lossy();
    let mut save = Save::new(&name, times, 0);
    for (group, signals) in groups(module) {
        save.group(group);
        for signal in *signals {
            save.row(shown_as(module, signal), &format!("{top}{signal}"));
        }
    }
    save.text()
}

/// How a row shows its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown<'a> {
    /// Hexadecimal.
    Hex,
    /// Decimal.
    Decimal,
    /// Binary; also of a text.
    Binary,
    /// By the names in this filter file, without `.filter`.
    Names(&'a str),
}

/// A save file under way.
#[derive(Clone, Debug)]
pub struct Save {
    text: String,
    paths: BTreeSet<String>,
}

impl Save {
    /// The window shows all of the file, which covers `times` in its unit of time; the marker is at
    /// `marker`.
    #[must_use]
    pub fn new(vcd_name: &str, times: Range<u64>, marker: u64) -> Self {
        let Range { start, end } = times;
        // Zoom 0 shows about 5 units of time in a window of that width, each step down twice as many.
        let zoom = (end.saturating_sub(start) / 5).max(1).ilog2() + 1;
        let text = format!(
            "[dumpfile] \"{vcd_name}\"\n[timestart] {start}\n[size] 1400 700\n[signals_width] 250\n*-{zoom}.000000 {marker}\n"
        );
        Save { text, paths: BTreeSet::new() }
    }

    /// A heading.
    pub fn group(&mut self, title: &str) {
        let _ = writeln!(self.text, "@200\n-{title}");
    }

    /// A signal by its path with its range, unless it has a row already. GTKWave shows the last part of a
    /// path only, so a signal below the first scope gets a name with all parts and `/` between them.
    pub fn row(&mut self, shown: Shown<'_>, path: &str) {
        if !self.paths.insert(path.to_owned()) {
            return;
        }
        let flags = match shown {
            Shown::Hex => "@22".to_owned(),
            Shown::Decimal => "@24".to_owned(),
            Shown::Binary => "@28".to_owned(),
            Shown::Names(filter) => format!("@2028\n^1 {filter}.filter"),
        };
        let deep = path.matches('.').count() > 1;
        let name = if deep { format!("+{{{}}} ", path.replace('.', "/")) } else { String::new() };
        let _ = writeln!(self.text, "{flags}\n{name}{path}");
    }

    /// What was put together.
    #[must_use]
    pub fn text(self) -> String {
        self.text
    }
}

fn shown_as(module: Module, signal: &str) -> Shown<'static> {
    let name = signal.split('[').next().unwrap_or(signal);
    let filter = match (module, name.trim_start_matches("s_hdr_").trim_start_matches("m_hdr_")) {
        (_, "token") => "token",
        (_, "check") => "check",
        (_, "status_error") => "tx_status",
        (Module::FrameTx, "dut.state_q") => "frame_tx_state",
        (Module::FrameRx, "dut.state_q") => "frame_rx_state",
        (_, "c_st") => "c_st",
        (_, "node_id" | "multi_g" | "act_seq" | "packet_cnt" | "len") => return Shown::Decimal,
        _ if signal.contains('[') => return Shown::Hex,
        _ => return Shown::Binary,
    };
    Shown::Names(filter)
}

/// Filter files that turn codes into names: file name and text.
#[must_use]
pub fn filters() -> Vec<(String, String)> {
    let lines = |codes: &mut dyn Iterator<Item = (usize, u8, &str)>| -> String {
        codes.fold(String::new(), |mut text, (bits, code, name)| {
            let _ = writeln!(text, "{code:0bits$b} {name}");
            text
        })
    };
    let mut files = vec![
        ("token.filter".into(), lines(&mut Token::ALL.iter().map(|t| (3, t.code(), t.name())))),
        ("check.filter".into(), lines(&mut Check::ALL.iter().map(|c| (4, c.code(), c.name())))),
        (
            "tx_status.filter".into(),
            lines(&mut TxStatus::ALL.iter().map(|c| (3, c.code(), c.name()))),
        ),
        ("kind.filter".into(), lines(&mut FrameKind::ALL.iter().map(|k| (2, k.code(), k.name())))),
        ("class.filter".into(), lines(&mut TxClass::ALL.iter().map(|c| (2, c.code(), c.name())))),
        ("c_st.filter".into(), c_st()),
    ];
    for fsm in FSMS {
        let states = lines(&mut fsm.states.iter().map(|(name, code)| (fsm.bits, *code, *name)));
        files.push((format!("{}_state.filter", fsm.module), states));
    }
    files
}

/// Names of C.ST. A code that two signals share has both: TOKEN tells them apart.
fn c_st() -> String {
    let mut names: std::collections::BTreeMap<u8, Vec<&str>> = std::collections::BTreeMap::new();
    for signal in Signal::ALL {
        names.entry(signal.c_st()).or_default().push(signal.name());
    }
    names.iter().fold(String::new(), |mut text, (code, names)| {
        let _ = writeln!(text, "{code:05b} {}", names.join("/"));
        text
    })
}
