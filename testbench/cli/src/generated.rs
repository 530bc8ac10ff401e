// SPDX-License-Identifier: MIT OR Apache-2.0
//! Files generated from the contract (CTR-1) and drawn from runs of the model: written by `contract
//! generate`, compared by `contract check` and by the tests.

use crate::traceability::Trace;
use crate::{mutation, ports, svd, timing, vector_benches};
use awgstar::contract::{
    crc_equations, picture, python,
    registers::{c_header, system_rdl},
    tables, verilog, wireshark,
};
use awgstar_scenario::scenario;
use sha2::{Digest, Sha256};
use std::{
    fs, io,
    path::{Path, PathBuf},
};

/// Path below the repository's root and text of every generated file.
#[must_use]
pub fn files() -> Vec<(&'static str, String)> {
    let mut all = vec![
        ("hdl/include/awgstar.vh", verilog::header()),
        ("hdl/crc32.v", crc_equations::module()),
        ("hdl/driver/smb_registers.h", c_header::header()),
        ("hdl/registers/awgstar_smb.rdl", system_rdl::text()),
        ("hdl/registers/awgstar_smb.svd", svd::text()),
        ("docs/contract.md", tables::page()),
        ("docs/registers.md", tables::registers()),
        ("docs/frame.svg", picture::svg()),
        ("model/python/python/awgstar/contract.py", python::module()),
        ("testbench/wireshark/awgstar.lua", wireshark::dissector()),
        ("docs/scenarios/scenario.schema.json", scenario::schema()),
    ];
    all.extend(awgstar_dpi::texts::files());
    all.extend(timing::files());
    all.extend(vector_benches::files());
    all
}

/// Writes every generated file below `root`, the traceability page, which is generated from the citations in the
/// repository, the counts of mutants, from their lists, and the tables of ports, from the Verilog.
///
/// # Errors
/// If a file cannot be written, or a citing file cannot be read.
pub fn write(root: &Path) -> io::Result<Vec<PathBuf>> {
    let mut written = Vec::new();
    let page = ("docs/traceability.md", Trace::read(root)?.page());
    let counts = (mutation::PAGE, mutation::page(root)?);
    for (name, text) in files().into_iter().chain([page, counts]) {
        let path = root.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(&path, text)?;
        written.push(path);
    }
    for page in ports::pages(root)? {
        let path = root.join(page.path);
        fs::write(&path, page.new)?;
        written.push(path);
    }
    Ok(written)
}

/// Names of generated files below `root` that are missing or differ from the contract, with the
/// number of the first line that differs (1 for a missing file).
#[must_use]
pub fn drift(root: &Path) -> Vec<(&'static str, usize)> {
    files()
        .into_iter()
        .filter_map(|(name, expected)| {
            let found = fs::read_to_string(root.join(name)).unwrap_or_default();
            if found == expected {
                return None;
            }
            let same = expected.lines().zip(found.lines()).take_while(|(a, b)| a == b).count();
            Some((name, same + 1))
        })
        .collect()
}

/// Made of the `SystemRDL` by `PeakRDL`: `testbench/registers/check.sh write`.
pub const IP_XACT: &str = "hdl/registers/awgstar_smb.xml";

/// Whether [`IP_XACT`] below `root` was made of the present registers: it carries the hash of the `SystemRDL`.
#[must_use]
pub fn ip_xact_is_current(root: &Path) -> bool {
    let hash = format!("sha256 {:x}", Sha256::digest(system_rdl::text()));
    fs::read_to_string(root.join(IP_XACT)).is_ok_and(|text| text.contains(&hash))
}
