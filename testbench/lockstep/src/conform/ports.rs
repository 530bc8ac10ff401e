// SPDX-License-Identifier: MIT OR Apache-2.0
//! The ports of a design against those of the module it is to be (CNF-1).
//!
//! Yosys elaborates, so widths that follow from parameters are known.

use crate::conform::dut::Dut;
use awgstar::rtl::state::Signal;
use awgstar_simulator::process::Task;
use awgstar_simulator::{Scratch, SimError};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt, fs, process::Command, time::Duration};

const LIMIT: Duration = Duration::from_secs(120);

/// A port: whether the module drives it, and its bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Port {
    /// An output of the module.
    pub output: bool,
    /// Width.
    pub bits: usize,
}

impl fmt::Display for Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.output { "output" } else { "input" };
        let s = if self.bits == 1 { "" } else { "s" };
        write!(f, "{direction} of {} bit{s}", self.bits)
    }
}

/// A port that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Name of the port.
    pub port: String,
    /// Expected direction and width.
    pub expected: String,
    /// Direction and width found.
    pub found: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "port {}: expected {}, found {}", self.port, self.expected, self.found)
    }
}

/// Result of the port check.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ports {
    /// Ports that are as they should be.
    pub right: Vec<String>,
    /// Ports that are not.
    pub findings: Vec<Finding>,
    /// Further ports and parameters that do no harm.
    pub remarks: Vec<String>,
    /// Parameters that the top module declares.
    #[serde(skip)]
    pub parameters: Vec<String>,
    /// Reason why the ports could not be checked, if so.
    pub unread: Option<String>,
}

/// The ports of the module: inputs, outputs, and the clock where it has one.
#[must_use]
pub fn expected(
    inputs: &[Signal],
    outputs: &[Signal],
    clock: bool,
) -> BTreeMap<&'static str, Port> {
    let port = |output| move |s: &Signal| (s.name, Port { output, bits: s.bits });
    let all = inputs.iter().map(port(false)).chain(outputs.iter().map(port(true)));
    all.chain(clock.then_some(("clk", Port { output: false, bits: 1 }))).collect()
}

#[derive(Deserialize)]
struct Json {
    modules: BTreeMap<String, JsonModule>,
}

#[derive(Deserialize)]
struct JsonModule {
    #[serde(default)]
    ports: BTreeMap<String, JsonPort>,
    #[serde(default)]
    parameter_default_values: BTreeMap<String, serde_json::Value>,
    #[serde(default)]
    attributes: BTreeMap<String, serde_json::Value>,
}

#[derive(Deserialize)]
struct JsonPort {
    direction: String,
    bits: Vec<serde_json::Value>,
}

/// Looks at the ports of `dut`, whose parameters get the values of `wanted`, each `NAME=VALUE`, if it declares them.
///
/// # Errors
/// If Yosys is missing, or the design has no module of that name.
pub fn check(
    dut: &Dut,
    expected: &BTreeMap<&'static str, Port>,
    wanted: &[String],
) -> Result<Ports, SimError> {
    let ports = check_with(dut, expected, &[])?;
    // Yosys refuses a parameter that is not declared.
    let set = ports.clone().settings(wanted);
    if ports.unread.is_some() || set.is_empty() {
        return Ok(ports);
    }
    let Ports { parameters, .. } = ports;
    Ok(Ports { parameters, ..check_with(dut, expected, &set)? })
}

fn check_with(
    dut: &Dut,
    expected: &BTreeMap<&'static str, Port>,
    settings: &[String],
) -> Result<Ports, SimError> {
    let unread = |why: String| Ok(Ports { unread: Some(why), ..Ports::default() });
    let mut scratch = Scratch::new()?;
    let file = scratch.path().join("ports.json");
    let mut words = vec!["read_verilog -sv".to_owned()];
    for include in &dut.includes {
        words.push(format!("-I{}", scratch.link(include)?.display()));
    }
    for name in &dut.files {
        words.push(scratch.link(name)?.display().to_string());
    }
    let (read, top) = (words.join(" "), &dut.top);
    let set = settings.iter().flat_map(|s| [" -chparam ".to_owned(), s.replace('=', " ")]);
    let set: String = set.collect();
    let script = format!("{read}; hierarchy -top {top}{set}; proc; write_json {}", file.display());
    let task = Task::new("yosys", LIMIT).doing("building the ports");
    let done = match task.run(Command::new("yosys").args(["-q", "-p", &script])) {
        Err(e @ (SimError::Timeout { .. } | SimError::Flood { .. })) => {
            return unread(e.to_string());
        }
        other => other?,
    };
    if !done.success {
        if done.text.contains(&format!("Module `{}' not found", dut.top)) {
            return Err(SimError::format(&dut.files[0], format!("no module {} here", dut.top)));
        }
        let said = scratch.names().restore(done.text.trim());
        return unread(format!("Yosys cannot read it: {said}"));
    }
    let text = fs::read_to_string(&file).map_err(SimError::io(&file))?;
    from_json(&text, &dut.top, expected).map_err(|e| SimError::format(&file, e.to_string()))
}

/// The ports of `top` in what Yosys' `write_json` wrote, compared with those that are expected.
///
/// # Errors
/// If the text has another form.
pub fn from_json(
    text: &str,
    top: &str,
    expected: &BTreeMap<&'static str, Port>,
) -> Result<Ports, serde_json::Error> {
    let json: Json = serde_json::from_str(text)?;
    let found =
        json.modules.into_iter().find(|(n, m)| n == top || m.attributes.contains_key("top"));
    let Some((_, found)) = found else {
        let unread = Some(format!("Yosys gives no module {top}"));
        return Ok(Ports { unread, ..Ports::default() });
    };
    let ports = found.ports.into_iter().map(|(n, p)| (n, (p.direction, p.bits.len())));
    let parameters = found.parameter_default_values.into_keys().collect();
    Ok(Ports { parameters, ..compare(expected, &ports.collect()) })
}

impl Ports {
    /// Those of `wanted`, each `NAME=VALUE`, that the top module declares. One that it does not
    /// declare is remarked: the design is taken as built with that value. Of a design that could not
    /// be read, all.
    #[must_use]
    pub fn settings(&mut self, wanted: &[String]) -> Vec<String> {
        let (mut set, mut fixed) = (Vec::new(), Vec::new());
        for setting in wanted {
            let name = setting.split('=').next().unwrap_or_default();
            if self.unread.is_some() || self.parameters.iter().any(|p| p == name) {
                set.push(setting.clone());
            } else {
                fixed.push(format!("no parameter {name}: taken as built with {setting}"));
            }
        }
        self.remarks.extend(fixed);
        set
    }
}

fn compare(
    expected: &BTreeMap<&'static str, Port>,
    found: &BTreeMap<String, (String, usize)>,
) -> Ports {
    let mut ports = Ports::default();
    let described = |(direction, bits): &(String, usize)| match direction.as_str() {
        "input" => Port { output: false, bits: *bits }.to_string(),
        "output" => Port { output: true, bits: *bits }.to_string(),
        other => format!("{other} of {bits} bits"),
    };
    for (name, port) in expected {
        let is = found.get(*name).map_or_else(|| "none".to_owned(), described);
        if is == port.to_string() {
            ports.right.push((*name).to_owned());
        } else {
            let expected = port.to_string();
            ports.findings.push(Finding { port: (*name).to_owned(), expected, found: is });
        }
    }
    for (name, port) in found.iter().filter(|(n, _)| !expected.contains_key(n.as_str())) {
        if port.0 == "output" {
            ports.remarks.push(format!("port {name}: {}, not compared", described(port)));
        } else {
            let (expected, found) = ("no such port".to_owned(), described(port));
            ports.findings.push(Finding { port: name.clone(), expected, found });
        }
    }
    ports
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_difference_is_found() {
        const INPUTS: &[Signal] = &[Signal::new("a", 1), Signal::new("b", 4)];
        const OUTPUTS: &[Signal] = &[Signal::new("y", 2), Signal::new("z", 1)];
        let found = [("a", "input", 1), ("b", "input", 5), ("y", "inout", 2), ("c", "input", 1)];
        let found = found.map(|(n, d, b)| (n.to_owned(), (d.to_owned(), b)));
        let extra = ("more".to_owned(), ("output".to_owned(), 3));
        let ports =
            compare(&expected(INPUTS, OUTPUTS, true), &found.into_iter().chain([extra]).collect());
        let lines: Vec<_> = ports.findings.iter().map(ToString::to_string).collect();
        assert_eq!(
            lines,
            [
                "port b: expected input of 4 bits, found input of 5 bits",
                "port clk: expected input of 1 bit, found none",
                "port y: expected output of 2 bits, found inout of 2 bits",
                "port z: expected output of 1 bit, found none",
                "port c: expected no such port, found input of 1 bit",
            ]
        );
        assert_eq!(ports.right, ["a"]);
        assert_eq!(ports.remarks, ["port more: output of 3 bits, not compared"]);
    }
}
