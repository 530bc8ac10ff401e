//! From Verilog to a shared library, at run time: the command line works without Verilator, and
//! says what to install when it is asked for the Verilog.

use super::{shape::Shape, shim};
use crate::sim::{
    SimError, process,
    simulator::{build_once, fnv, list},
};
use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(600);

/// `--x-initial unique` lets the seed choose what is not reset; `--flatten` makes every register a
/// member of one class.
const VERILATOR: &[&str] = &[
    "--cc",
    "--flatten",
    "-O3",
    "--x-initial",
    "unique",
    "--x-assign",
    "fast",
    "--noassert",
    "-Wno-fatal",
    "-Wno-lint",
];

const COMPILER: &[&str] = &[
    "-std=c++17",
    "-O1",
    "-fPIC",
    "-shared",
    "-fvisibility-inlines-hidden",
    "-Wl,-Bsymbolic",
    // The shim has these; and what the design prints is no answer of the command.
    "-DVL_USER_FINISH",
    "-DVL_USER_STOP",
    "-DVL_PRINTF(...)=fprintf(stderr,__VA_ARGS__)",
    "-w",
];

/// `.v` files of `hdl`, sorted.
///
/// # Errors
/// When the folder cannot be read or holds none.
pub fn sources(hdl: &Path) -> Result<Vec<PathBuf>, SimError> {
    let files = list(hdl, "v")?;
    if files.is_empty() {
        return Err(SimError::format(hdl, "no Verilog here"));
    }
    Ok(files)
}

/// Compiles the module of this shape below `out`, unless the same sources are there already, and
/// gives the library.
///
/// # Errors
/// When a program is missing or the Verilog does not compile.
pub fn build(shape: &Shape, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    let top = shape.layout.module;
    let files = sources(hdl)?;
    let (visible, shim) = (shim::visible(shape), shim::source(shape));
    let mut hash = 0xcbf2_9ce4_8422_2325;
    for text in [VERILATOR.join(" "), COMPILER.join(" "), visible.clone(), shim.clone()] {
        hash = fnv(hash, text.as_bytes());
    }
    for file in files.iter().chain(&list(&hdl.join("include"), "vh")?) {
        hash = fnv(hash, file.file_name().unwrap_or_default().as_encoded_bytes());
        hash = fnv(hash, &fs::read(file).map_err(SimError::io(file))?);
    }
    let folder = out.join("lockstep").join(format!("{top}-{hash:016x}"));
    let library = folder.join("node.so");
    build_once(&folder, |scratch| {
        let write = |name: &str, text: &str| {
            let path = scratch.join(name);
            fs::write(&path, text).map_err(SimError::io(&path)).map(|()| path)
        };
        let config = write("visible.vlt", &visible)?;
        let shim = write("shim.cpp", &shim)?;
        let mut verilator = Command::new("verilator");
        verilator
            .args(VERILATOR)
            .arg(format!("-I{}", hdl.join("include").display()))
            .args(["--top-module", top, "--Mdir"])
            .arg(scratch)
            .arg(config)
            .args(&files);
        step(&mut verilator, "verilator", top)?;
        let unity = write("unity.cpp", &unity(scratch, &shim)?)?;
        let root = runtime()?;
        let mut compiler = Command::new("g++");
        compiler
            .args(COMPILER)
            .arg(format!("-I{}", scratch.display()))
            .arg(format!("-I{}", root.display()))
            .arg(format!("-I{}", root.join("vltstd").display()))
            .args(["-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0", "-o"])
            .arg(scratch.join("node.so"))
            .arg(unity);
        step(&mut compiler, "g++", top)
    })?;
    Ok(library)
}

fn step(
    command: &mut Command,
    package: &'static str,
    module: &'static str,
) -> Result<(), SimError> {
    let done = process::run(command, package, LIMIT)?;
    if done.success {
        return Ok(());
    }
    Err(SimError::build(package, module, done.text))
}

/// One file that includes all of Verilator's: one run of the compiler, and calls between them
/// can be inlined.
fn unity(folder: &Path, shim: &Path) -> Result<String, SimError> {
    let mut text = String::new();
    let own = [shim.to_path_buf(), folder.join("unity.cpp")];
    for file in list(folder, "cpp")?.iter().filter(|f| !own.contains(f)) {
        let _ = writeln!(
            text,
            "#include \"{}\"",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    text.push_str("#include \"shim.cpp\"\n");
    // Verilator names the parts of its run time that this design needs.
    for make in list(folder, "mk")? {
        let lines = fs::read_to_string(&make).map_err(SimError::io(&make))?;
        let lines = lines.lines().map(|l| l.trim_end_matches('\\').trim());
        for part in lines.filter(|l| l.starts_with("verilated") && !l.contains(' ')) {
            let _ = writeln!(text, "#include \"{part}.cpp\"");
        }
    }
    Ok(text)
}

/// Folder of Verilator's run time.
fn runtime() -> Result<PathBuf, SimError> {
    let mut ask = Command::new("verilator");
    let found = process::run(ask.args(["-getenv", "VERILATOR_ROOT"]), "verilator", LIMIT)?;
    Ok(PathBuf::from(found.text.trim()).join("include"))
}
