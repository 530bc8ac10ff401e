// SPDX-License-Identifier: MIT OR Apache-2.0
//! A program in C as the host of a board: its accesses come over pipes and go to the board of the model.

use awgstar_board::ring::{HostOp, HostResult, Outcome};
use awgstar_frame::quantity::{ByteAddress, Cycle};
use awgstar_host::CustomHost;
use std::{
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
};

/// Folder of the driver.
pub(crate) fn driver() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/driver")
}

fn here() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c_driver")
}

/// Flags with which the driver compiles without a word.
pub(crate) const FLAGS: [&str; 10] = [
    "-std=c99",
    "-pedantic",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wshadow",
    "-Wcast-qual",
    "-O1",
];

/// Compiles a test program of this folder with the driver in `driver`.
///
/// # Errors
/// What the compiler says.
pub(crate) fn compile(driver: &Path, name: &str, folder: &Path) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
    let program = folder.join(name);
    let object = folder.join(format!("{name}.smb.o"));
    let run = |command: &mut Command| {
        let output = command.output().map_err(|e| format!("cc: {e}"))?;
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() { Ok(()) } else { Err(text) }
    };
    let source = driver.join("smb.c");
    let mut cc = Command::new("cc");
    run(cc.args(FLAGS).args(["-ffreestanding", "-c"]).arg(source).arg("-o").arg(&object))?;
    let files = [format!("{name}.c"), "model_bus.c".to_string()].map(|file| here().join(file));
    let mut cc = Command::new("cc");
    cc.args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-I"]).arg(driver);
    run(cc.args(files).arg(object).arg("-o").arg(&program))?;
    Ok(program)
}

/// Result of a program: what it said, or that it has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Running,
    Done(i32),
    Gone,
    /// It wants its board to be reset.
    Reset,
}

/// A program that runs.
pub(crate) struct Program {
    child: Child,
    end: Arc<Mutex<End>>,
    /// An access is under way.
    asked: bool,
}

/// Where the result of a program can be read.
pub(crate) type Report = Arc<Mutex<End>>;

impl Program {
    /// Starts `program`; it may compute for `seconds` seconds.
    pub(crate) fn start(program: &Path, arguments: &[String], seconds: u32) -> (Program, Report) {
        let mut shell = Command::new("sh");
        let limit = format!("ulimit -t {seconds}; exec \"$0\" \"$@\"");
        shell.arg("-c").arg(limit).arg(program).args(arguments);
        let child = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("sh");
        let end = Arc::new(Mutex::new(End::Running));
        (Program { child, end: end.clone(), asked: false }, end)
    }

    fn say(&self, what: End) {
        *self.end.lock().expect("no panic") = what;
    }

    fn request(&mut self) -> Option<[u32; 4]> {
        let mut bytes = [0; 16];
        self.child.stdout.as_mut()?.read_exact(&mut bytes).ok()?;
        let word = |i: usize| u32::from_ne_bytes(bytes[4 * i..4 * i + 4].try_into().expect("four"));
        Some([word(0), word(1), word(2), word(3)])
    }

    fn answer(&mut self, refused: bool, data: u32, Cycle(cycle): Cycle) -> Option<()> {
        let [low, ..] = [cycle & 0xffff_ffff];
        let words = [u32::from(refused), data, u32::try_from(low).ok()?];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
        self.child.stdin.as_mut()?.write_all(&bytes).ok()
    }

    fn step(&mut self, cycle: Cycle, results: &[HostResult]) -> Option<HostOp> {
        if self.asked {
            let last = results.last()?;
            self.answer(last.outcome == Outcome::Refused, last.data, cycle)?;
            self.asked = false;
        }
        loop {
            let op = match self.request()? {
                [0, addr, ..] => HostOp::Read { addr: ByteAddress(addr) },
                [1, addr, data, strobe] => {
                    let strobe = strobe.to_le_bytes()[0];
                    HostOp::Write { addr: ByteAddress(addr), data, strobe }
                }
                [2, _, most, _] => HostOp::Interrupt { limit: Cycle(most.into()) },
                [3, _, cycles, _] => HostOp::Wait { cycles: Cycle(cycles.into()) },
                [4, _, result, _] => {
                    self.say(End::Done(result.cast_signed()));
                    self.answer(false, 0, cycle)?;
                    continue;
                }
                [5, ..] => {
                    self.say(End::Reset);
                    self.answer(false, 0, cycle)?;
                    return Some(HostOp::Wait { cycles: Cycle(40) });
                }
                other => panic!("no request: {other:?}"),
            };
            self.asked = true;
            return Some(op);
        }
    }
}

impl CustomHost for Program {
    fn next(&mut self, cycle: Cycle, results: &[HostResult]) -> Vec<HostOp> {
        if *self.end.lock().expect("no panic") == End::Gone || self.asked && results.is_empty() {
            return Vec::new();
        }
        let op = self.step(cycle, results);
        // A program that has said its result and ends has done its work.
        if op.is_none() {
            let now = *self.end.lock().expect("no panic");
            if !matches!(now, End::Done(_)) {
                self.say(End::Gone);
            }
            return vec![HostOp::Wait { cycles: Cycle(1 << 40) }];
        }
        op.into_iter().collect()
    }

    fn ended(&self) -> bool {
        matches!(*self.end.lock().expect("no panic"), End::Done(_) | End::Gone)
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}
