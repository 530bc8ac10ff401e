// SPDX-License-Identifier: MIT OR Apache-2.0
//! Report of a failing vector, with everything needed to find the cause.

use crate::classes::Note;
use crate::signals;
use crate::{Built, Class, Failure, Module, RunArgs, RunOutput, SimError, Simulator, Word};
use awgstar::contract::{HeaderWire, layout};
use awgstar_draw::gtkw;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

/// One failing vector of one run.
#[derive(Clone, Debug)]
pub struct Report {
    /// `<class>/<index>`.
    pub id: String,
    /// Index of the vector in its class.
    pub index: usize,
    /// Class's name.
    pub class: String,
    /// Module under test.
    pub module: Module,
    /// Name of the simulator.
    pub simulator: &'static str,
    /// Mode of the run.
    pub mode: u32,
    /// Comment and requirements of the vector.
    pub note: Note,
    /// FAIL lines of the vector; never empty.
    pub failures: Vec<Failure>,
    /// The frame on the link, as the vector has it.
    pub wire: Vec<Word>,
    /// The words that came out.
    pub found: Vec<Word>,
    /// Values of the header ports at the verdict.
    pub header: Option<BTreeMap<String, String>>,
    /// Wave file, once [`wave`] has written it.
    pub wave: Option<PathBuf>,
    /// Without the vectors before it, as [`wave`] runs it, it passes.
    pub passes_alone: bool,
}

impl Report {
    /// The report of vector `index` of a run.
    ///
    /// # Errors
    /// If the class cannot be read.
    pub fn new(
        simulator: &'static str,
        class: &Class,
        output: &RunOutput,
        index: usize,
    ) -> Result<Self, SimError> {
        let failures: Vec<Failure> =
            output.failures.iter().filter(|f| f.index == index).cloned().collect();
        let module = failures
            .first()
            .map(|f| f.module)
            .ok_or_else(|| SimError::format(&class.dir, "no failure of that index"))?;
        Ok(Report {
            id: class.id(index),
            index,
            class: class.name.clone(),
            module,
            simulator,
            mode: output.mode,
            note: class.note(index),
            failures,
            wire: match module {
                Module::Crc32 => Vec::new(),
                Module::FrameTx | Module::FrameRx => class.wire(index)?,
            },
            found: output.found.get(&index).cloned().unwrap_or_default(),
            header: output.headers.get(&index).cloned(),
            wave: None,
            passes_alone: false,
        })
    }

    /// The frame as the vector has it; empty when none is sent.
    #[must_use]
    pub fn expected_frame(&self) -> Vec<u8> {
        self.wire.iter().flat_map(Word::bytes).collect()
    }

    /// The frame as the module under test has it. For `frame_rx` it is put together from the header
    /// ports and the beats, with a good FCS; `None` when there was no verdict.
    #[must_use]
    pub fn found_frame(&self) -> Option<Vec<u8>> {
        if self.failures.iter().any(|f| f.expected == "verdict") {
            return None;
        }
        let data = self.found.iter().flat_map(Word::bytes);
        if self.module != Module::FrameRx {
            return Some(data.collect());
        }
        let ports = self.header.as_ref()?;
        let port = |name: &str| u64::from_str_radix(ports.get(name)?, 16).ok();
        let byte = |name: &str| u8::try_from(port(name)?).ok();
        let header = HeaderWire {
            mac: port("mac")?,
            token: byte("token")?,
            c_st: byte("c_st")?,
            node_id: byte("node_id")?,
            multi_g: byte("multi_g")?,
            act_seq: byte("act_seq")?,
            packet_cnt: byte("packet_cnt")?,
            addr: u32::try_from(port("addr")?).ok()?,
        };
        let mut frame = layout::pack(&header).to_be_bytes()[..14].to_vec();
        frame.extend(data);
        let fcs = crc::Crc::<u32>::new(&crc::CRC_32_ISO_HDLC).checksum(&frame);
        frame.extend(fcs.to_le_bytes());
        Some(frame)
    }

    /// Renders the report as text; `explain` decodes the bytes of a frame.
    #[must_use]
    pub fn render(&self, explain: &dyn Fn(&[u8]) -> String) -> String {
        let mut out = format!(
            "{} fails on {} ({}, mode {})\n",
            self.id, self.module, self.simulator, self.mode
        );
        if !self.note.comment.is_empty() {
            let _ = writeln!(out, "  vector:       {}", self.note.comment);
        }
        if !self.note.requirements.is_empty() {
            let _ = writeln!(out, "  requirements: {}", self.note.requirements.join(", "));
        }
        for f in &self.failures {
            let _ = writeln!(
                out,
                "  {} at {}: expected {}, found {}{}",
                f.kind,
                f.at,
                f.expected,
                f.found,
                difference(f)
            );
        }
        if self.module != Module::Crc32 {
            side(&mut out, "expected", Some(self.expected_frame()), explain);
            side(&mut out, "found", self.found_frame(), explain);
        }
        if let Some(wave) = &self.wave {
            let _ = writeln!(out, "  wave:         {}", wave.display());
        }
        if self.passes_alone {
            out.push_str(
                "  alone, as in the wave, it passes: the vectors before it change a state\n",
            );
        }
        out
    }
}

fn side(out: &mut String, name: &str, frame: Option<Vec<u8>>, explain: &dyn Fn(&[u8]) -> String) {
    let text = match frame {
        None => "no verdict".to_owned(),
        Some(bytes) if bytes.is_empty() => "no frame".to_owned(),
        Some(bytes) => explain(&bytes),
    };
    let _ = writeln!(out, "  {name} frame:");
    for line in text.lines() {
        let _ = writeln!(out, "    {line}");
    }
}

/// Describes the byte and bits in which the two words differ.
fn difference(f: &Failure) -> String {
    let (Ok(expected), Ok(found)) = (f.expected.parse::<Word>(), f.found.parse::<Word>()) else {
        return String::new();
    };
    let what = match f.module {
        Module::FrameTx => "frame byte",
        Module::FrameRx => "index in Data",
        Module::Crc32 => "crc_out byte",
    };
    let lane = (0..4).find(|&i| {
        expected.keep.unwrap_or(0xF) >> i & 1 == 1 && expected.lanes[i] != found.lanes[i]
    });
    if let Some(i) = lane {
        let at = f.at * 4 + i as u64;
        return match (expected.lanes[i], found.lanes[i]) {
            (Some(e), Some(g)) => {
                format!(": {what} {at} is {g:02x}, not {e:02x} (bits {:08b})", e ^ g)
            }
            _ => format!(": {what} {at} is unknown"),
        };
    }
    if expected.keep != found.keep {
        return ": tkeep differs".to_owned();
    }
    ": tlast or tuser differs".to_owned()
}

/// Runs the vector once more, alone, and writes its waves and a `GTKWave` save file to `folder`.
///
/// # Errors
/// If the run gives no result or the file cannot be written.
pub fn wave(
    report: &mut Report,
    simulator: &dyn Simulator,
    built: &Built,
    args: &RunArgs,
    folder: &Path,
) -> Result<(), SimError> {
    fs::create_dir_all(folder).map_err(SimError::io(folder))?;
    let stem =
        format!("{}-{}-{:04}-{}", report.module, report.class, report.index, simulator.name());
    let vcd = folder.join(format!("{stem}.vcd"));
    let args = RunArgs { only: Some(report.index), vcd: Some(vcd.clone()), ..args.clone() };
    let _ = fs::remove_file(&vcd);
    let mut alone = simulator.run(built, &args)?;
    if !vcd.exists() {
        // It fails in the resets before the vectors, so those are what is to be seen.
        alone = simulator.run(built, &RunArgs { vcd_all: true, ..args })?;
    }
    if !vcd.exists() {
        return Err(SimError::format(vcd, "the simulator wrote no waves"));
    }
    report.passes_alone = alone.failed == 0;
    let top = match simulator.name() {
        "verilator" => format!("TOP.tb_{}.", report.module),
        _ => format!("tb_{}.", report.module),
    };
    let save = folder.join(format!("{stem}.gtkw"));
    let text = fs::read_to_string(&vcd).map_err(SimError::io(&vcd))?;
    let times = || text.lines().filter_map(|line| line.strip_prefix('#')?.parse().ok());
    let (first, last) = (times().next().unwrap_or(0), times().next_back().unwrap_or(0));
    let text = signals::save_file(report.module, &vcd, &top, first..last);
    fs::write(&save, text).map_err(SimError::io(&save))?;
    for (name, text) in gtkw::filters() {
        let path = folder.join(name);
        fs::write(&path, text).map_err(SimError::io(&path))?;
    }
    report.wave = Some(vcd);
    Ok(())
}
