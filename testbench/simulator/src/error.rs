// SPDX-License-Identifier: MIT OR Apache-2.0
//! Errors around a simulator. None of them ever counts as a pass.

use std::{fmt, io, path::PathBuf, time::Duration};

/// Error in the output of a testbench.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ParseError {
    /// The testbench gave up.
    #[error("the testbench says: {0}")]
    Bench(String),
    /// A line lacks a key.
    #[error("line `{line}` lacks `{key}`")]
    Key {
        /// The line.
        line: String,
        /// The key.
        key: &'static str,
    },
    /// A value is not what it should be.
    #[error("line `{line}`: `{value}` is no {what}")]
    Value {
        /// The line.
        line: String,
        /// The value.
        value: String,
        /// Form that was expected.
        what: &'static str,
    },
    /// The testbench did not come to its end.
    #[error("no RESULT line; last output: {0}")]
    NoResult(String),
    /// The design prints what only the testbench may.
    #[error("no verdict: the design prints a line of the testbench: {0}")]
    Forged(String),
    /// More than one RESULT line.
    #[error("no verdict: more than one RESULT line")]
    Twice,
    /// The RESULT line does not have the vectors of the class.
    #[error("no verdict: {found} vectors ran, {expected} apply")]
    Vectors {
        /// By the files of the class.
        expected: usize,
        /// By the RESULT line.
        found: usize,
    },
    /// The RESULT line does not agree with the FAIL lines.
    #[error("RESULT says {result} failing vectors, the FAIL lines name {lines}")]
    Count {
        /// By the RESULT line.
        result: usize,
        /// By the FAIL lines.
        lines: usize,
    },
}

/// A run that gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SimError {
    /// A simulator is not installed.
    #[error("{program} is not installed; install it with: apt-get install {package}")]
    Missing {
        /// The program that was not found.
        program: String,
        /// Debian package that holds it.
        package: &'static str,
    },
    /// The Verilog does not compile.
    #[error("{simulator} does not compile {module}:\n{log}")]
    Build {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Messages of the compiler.
        log: String,
    },
    /// Files of the design are missing, so nothing is said about it.
    #[error("{simulator} cannot judge {module}: {}", .missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Incomplete {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// The missing files and modules; never empty.
        missing: Vec<Missing>,
    },
    /// The simulator lacks what the design needs, so nothing is said about the design.
    #[error("{simulator} cannot read {module}, so it is not judged:\n{log}")]
    Unreadable {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Messages of the compiler.
        log: String,
    },
    /// The design names something that is not in it.
    #[error("{simulator} does not run {module}: the design names something outside itself:\n{log}")]
    Outside {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Messages of the compiler about these names.
        log: String,
    },
    /// A signal ended a program.
    #[error("no verdict: signal {signal} ended {program}")]
    Killed {
        /// The program.
        program: String,
        /// Number of the signal.
        signal: i32,
    },
    /// A program could not work on this computer: no space, no memory, a program that it needs.
    #[error("no verdict: {program} could not work on this computer: {tail}")]
    Machine {
        /// The program.
        program: String,
        /// What it printed.
        tail: String,
    },
    /// A program ran longer than it may.
    #[error("{program} did not end within {limit:?}")]
    Timeout {
        /// The program.
        program: String,
        /// Limit of the running time.
        limit: Duration,
    },
    /// A program printed more than it may.
    #[error("{program} prints without end: more than {bytes} bytes")]
    Flood {
        /// The program.
        program: String,
        /// Limit of the output in bytes.
        bytes: usize,
    },
    /// The name of a file, folder or module that no program may get.
    #[error("the name \"{name}\" has a control character: rename the file or folder")]
    Name {
        /// The name, escaped.
        name: String,
    },
    /// The testbench printed something that is not its grammar, or no result.
    #[error("{simulator}, {module}, {class}: {source}")]
    Output {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Folder of the class.
        class: String,
        /// Error in the output.
        source: ParseError,
    },
    /// The run ended before the testbench had given its verdict.
    #[error("no verdict: the run of {module} in {simulator} ended early; last output: {tail}")]
    Ended {
        /// Name of the simulator.
        simulator: &'static str,
        /// Module under test.
        module: &'static str,
        /// Last lines of the output, or what ended the run.
        tail: String,
    },
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file's contents are not what they should be.
    #[error("{path}: {why}", path = .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Description of the error.
        why: String,
    },
    /// A stimulus, or a file of one, cannot be used.
    #[error(transparent)]
    Stimulus(#[from] awgstar_stimulus::StimulusError),
    /// Nothing was run: an empty selection is not a pass.
    #[error("no vector was run: {0}")]
    NothingRun(String),
}

/// File or module that a compiler did not find.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Missing {
    Module(String),
    /// An included file.
    Include(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Module(name) => write!(
                f,
                "module `{name}` is in no file of the design: add its file (conform: --dut, cosim: the folder of --hdl)"
            ),
            Missing::Include(name) => write!(
                f,
                "included file `{name}` is in no folder that is searched: add its folder (conform: --include, cosim: include/ of --hdl)"
            ),
        }
    }
}

/// Text before the name of an included file, or of a module, that Icarus, Verilator or Yosys
/// misses.
const INCLUDES: [&str; 3] =
    ["Include file ", "Cannot find include file: ", "Can't open include file "];
const MODULES: [&str; 2] = ["Unknown module type: ", "Cannot find file containing module: "];

/// Messages of a compiler that mean: the design may be valid, but the compiler does not support it.
const UNREADABLE: [&str; 6] = [
    "sorry:",
    "%Error-UNSUPPORTED",
    "internal error",
    "Internal Error",
    "Assertion `",
    "Segmentation fault",
];

/// Messages that are about the computer, not about a design.
const MACHINE: [&str; 11] = [
    "No space left on device",
    "Disk quota exceeded",
    "Cannot allocate memory",
    "virtual memory exhausted",
    "std::bad_alloc",
    "Too many open files",
    "File size limit exceeded",
    "signal terminated program",
    "Verilator threw signal",
    "Command signaled",
    "exited with 127",
];

/// Extracts the missing files and modules from the messages of a compiler.
fn missing(log: &str) -> Vec<Missing> {
    let after = |line: &str, starts: &[&str]| {
        let rest = starts.iter().find_map(|start| line.split_once(start))?.1;
        let name = rest.trim_start_matches(['\'', '`', '"', '\\']);
        let end = name.find(['\'', '`', '"', ' ']).unwrap_or(name.len());
        Some(name[..end].to_owned())
    };
    let mut found = Vec::new();
    for line in log.lines() {
        found.extend(after(line, &INCLUDES).map(Missing::Include));
        found.extend(after(line, &MODULES).map(Missing::Module));
    }
    found.sort();
    found.dedup();
    found
}

impl SimError {
    /// Whether these messages of a program say that the computer was at its end, or lacks a program.
    #[must_use]
    pub fn is_of_the_machine(text: &str) -> bool {
        // `make` and `sh` name the program that they do not find.
        let lacks = |line: &str| {
            let by = line.starts_with("make") || line.starts_with("sh: ");
            by && (line.ends_with(": not found") || line.ends_with(": No such file or directory"))
        };
        MACHINE.iter().any(|message| text.contains(message)) || text.lines().any(lacks)
    }

    /// Converts the messages of a compiler that did not accept `module` into an error.
    #[must_use]
    pub fn build(simulator: &'static str, module: &'static str, log: String) -> Self {
        let missing = missing(&log);
        if !missing.is_empty() {
            return SimError::Incomplete { simulator, module, missing };
        }
        if SimError::is_of_the_machine(&log) {
            return SimError::Machine { program: simulator.into(), tail: log };
        }
        if UNREADABLE.iter().any(|text| log.contains(text)) {
            return SimError::Unreadable { simulator, module, log };
        }
        SimError::Build { simulator, module, log }
    }

    /// Wraps an I/O error with its path.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> SimError {
        let path = path.into();
        move |source| SimError::Io { path, source }
    }

    /// A file whose contents are unusable.
    pub fn format(path: impl Into<PathBuf>, why: impl Into<String>) -> SimError {
        SimError::Format { path: path.into(), why: why.into() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_missing_is_named() {
        let include = |name: &str| vec![Missing::Include(name.into())];
        let module = |name: &str| vec![Missing::Module(name.into())];
        // As Icarus 11, Verilator 5.006 and Yosys 0.23 print it.
        for (log, expected) in [
            (
                "tx.v:17: Include file awgstar.vh not found\nerror: Unable to find",
                include("awgstar.vh"),
            ),
            ("%Error: tx.v:16:10: Cannot find include file: awgstar.vh\n", include("awgstar.vh")),
            ("tx.v:16: ERROR: Can't open include file `awgstar.vh'!\n", include("awgstar.vh")),
            ("tx.v:217: error: Unknown module type: crc32\n2 error(s)", module("crc32")),
            ("%Error: tx.v:217:5: Cannot find file containing module: 'crc32'\n", module("crc32")),
        ] {
            match SimError::build("icarus", "frame_tx", log.into()) {
                SimError::Incomplete { missing, .. } => assert_eq!(missing, expected, "{log}"),
                other => panic!("{log}: {other:?}"),
            }
        }
    }

    #[test]
    fn what_a_compiler_lacks_is_no_fault_of_the_design() {
        let kind = |log: &str| SimError::build("icarus", "frame_tx", log.into());
        for log in ["u.sv:4: sorry: Streaming", "%Error-UNSUPPORTED: u.sv", "internal error: x"] {
            assert!(matches!(kind(log), SimError::Unreadable { .. }), "{log}");
        }
        assert!(matches!(kind("u.sv:4: syntax error"), SimError::Build { .. }));
    }
}
