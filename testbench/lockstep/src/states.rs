// SPDX-License-Identifier: MIT OR Apache-2.0
//! State encodings in the text of the Verilog (LCK-2): every state by its macro, no bare number.

use awgstar::contract::fsm::{FSMS, Fsm};
use awgstar_simulator::SimError;
use std::{fs, path::Path};

/// Lists the errors, a sentence each.
///
/// # Errors
/// If a module cannot be read.
pub fn problems(hdl: &Path) -> Result<Vec<String>, SimError> {
    let mut found = Vec::new();
    for fsm in FSMS {
        let path = hdl.join(format!("{}.v", fsm.module));
        let text = fs::read_to_string(&path).map_err(SimError::io(&path))?;
        check(fsm, &text, &mut found);
    }
    Ok(found)
}

fn check(fsm: &Fsm, text: &str, found: &mut Vec<String>) {
    let code: Vec<&str> = text.lines().map(|l| l.split("//").next().unwrap_or_default()).collect();
    for (state, _) in fsm.states {
        let name = format!("`AWG_{}_{}", fsm.module, state).to_uppercase();
        let word = |line: &str| {
            line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '`')).any(|w| w == name)
        };
        if !code.iter().any(|line| word(line)) {
            found.push(format!("{}.v does not use {name}", fsm.module));
        }
    }
    for (number, line) in code.iter().enumerate() {
        for register in ["state_q", "state_d"] {
            for (at, _) in line.match_indices(register) {
                let rest = line[at + register.len()..].trim_start();
                let operator =
                    ["<=", "===", "!==", "==", "!=", "="].iter().find(|o| rest.starts_with(**o));
                let Some(operator) = operator else { continue };
                let value = rest[operator.len()..].trim_start();
                if value.starts_with(|c: char| c.is_ascii_digit() || c == '\'') {
                    found.push(format!(
                        "{}.v, line {}: `{register}` and a bare number: {}",
                        fsm.module,
                        number + 1,
                        line.trim()
                    ));
                }
            }
        }
    }
}
