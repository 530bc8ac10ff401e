// SPDX-License-Identifier: MIT OR Apache-2.0
//! From Verilog to a shared library, at run time: the command line works without Verilator, and
//! says what to install when it is asked for the Verilog.

use crate::build::rules_in;
use crate::recipe::{Compiled, Compiler, Laid, Recipe};
use crate::shim;
use crate::sources::list;
use crate::verilator::{elaborator, preprocessor, strings, verilate, versions};
use crate::{SimError, process};
use awgstar_stimulus::shape::Shape;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

const LIMIT: Duration = Duration::from_secs(1800);

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
    "-fvisibility-inlines-hidden",
    "-Wl,-Bsymbolic",
    // The shim has these; and what the design prints is no answer of the command.
    "-DVL_USER_FATAL",
    "-DVL_USER_FINISH",
    "-DVL_USER_STOP",
    "-DVL_PRINTF(...)=fprintf(stderr,__VA_ARGS__)",
    "-w",
];

/// `.v` files of `hdl`, sorted.
///
/// # Errors
/// If the folder cannot be read or holds none.
pub fn sources(hdl: &Path) -> Result<Vec<PathBuf>, SimError> {
    let files = list(hdl, "v")?;
    if files.is_empty() {
        return Err(SimError::format(hdl, "no Verilog here"));
    }
    Ok(files)
}

/// Verilator, and the C++ compiler on what it makes and on this shim.
struct Library {
    shim: String,
}

impl Compiler for Library {
    fn about(&self) -> (&'static str, &'static str, Duration) {
        ("lockstep", "verilator", LIMIT)
    }

    fn identity(&self) -> Result<String, SimError> {
        Ok([versions()?, COMPILER.join(" "), self.shim.clone()].join("\n"))
    }

    fn preprocess(&self, recipe: &Recipe, laid: &Laid) -> Command {
        preprocessor(recipe, laid)
    }

    fn elaborate(&self, recipe: &Recipe, laid: &Laid) -> Command {
        elaborator(recipe, laid)
    }

    fn compile(&self, recipe: &Recipe, laid: &Laid) -> Result<Compiled, SimError> {
        let folder = verilate(self, recipe, laid)?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(SimError::io(&path))
        };
        let unity = unity(&folder)?;
        write("shim.cpp", &self.shim)?;
        write("unity.cpp", &unity)?;
        let root = root()?;
        let runtime = self.runtime(&root, &folder, recipe, laid)?;
        let object = folder.join("runtime.o");
        fs::write(&object, &runtime.object).map_err(SimError::io(&object))?;
        self.step(&mut compiler(&cache(), &root, &folder, "unity"), recipe, laid)?;
        let mut linker = Command::new("g++");
        linker.current_dir(&folder).args(COMPILER);
        linker.args(["-shared", "-o", PRODUCT, "unity.o", "runtime.o"]);
        self.step(&mut linker, recipe, laid)?;
        let mut read = rules_in(&folder)?;
        read.extend(runtime.read.iter().cloned());
        Ok(Compiled { product: folder.join(PRODUCT), read })
    }
}

const PRODUCT: &str = "node.so";

/// What comes before the compiler, such as `ccache`, as in the makefiles of Verilator; nothing without it.
fn cache() -> String {
    std::env::var("OBJCACHE").unwrap_or_default()
}

/// The C++ compiler for a file in `folder`, with the rules of what it reads. No argument names the folder, which is
/// another one in each build, so that a cache finds the run time again.
fn compiler(cache: &str, root: &Path, folder: &Path, name: &str) -> Command {
    let mut words = cache.split_ascii_whitespace().chain(["g++"]);
    let mut compiler = Command::new(words.next().unwrap_or("g++"));
    compiler
        .args(words)
        .current_dir(folder)
        .args(COMPILER)
        .arg("-I.")
        .arg(format!("-I{}", root.display()))
        .arg(format!("-I{}", root.join("vltstd").display()))
        .args(["-DVM_COVERAGE=0", "-DVM_SC=0", "-DVM_TRACE=0", "-DVM_TRACE_FST=0"])
        .args(["-MMD", "-MF", &format!("{name}.d"), "-c", "-o"])
        .args([format!("{name}.o"), format!("{name}.cpp")]);
    compiler
}

/// Verilator's run time, compiled: the same for every design.
struct Runtime {
    object: Vec<u8>,
    /// Files that it was made of.
    read: Vec<PathBuf>,
}

/// By the names of its parts. A run of the command compiles each once.
static RUNTIMES: Mutex<BTreeMap<Vec<String>, Arc<Runtime>>> = Mutex::new(BTreeMap::new());

impl Library {
    /// The parts of the run time that the design in `folder` needs.
    fn runtime(
        &self,
        root: &Path,
        folder: &Path,
        recipe: &Recipe,
        laid: &Laid,
    ) -> Result<Arc<Runtime>, SimError> {
        let parts = parts(folder)?;
        // Who needs the same waits for the first.
        let mut all = RUNTIMES.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(runtime) = all.get(&parts) {
            return Ok(Arc::clone(runtime));
        }
        let (source, object) = (folder.join("runtime.cpp"), folder.join("runtime.o"));
        let includes: Vec<_> =
            parts.iter().map(|part| format!("#include \"{part}.cpp\"")).collect();
        fs::write(&source, includes.join("\n") + "\n").map_err(SimError::io(&source))?;
        self.step(&mut compiler(&cache(), root, folder, "runtime"), recipe, laid)?;
        let read = rules_in(folder)?.into_iter().filter(|file| file.starts_with(root)).collect();
        let object = fs::read(&object).map_err(SimError::io(&object))?;
        let runtime = Arc::new(Runtime { object, read });
        all.insert(parts, Arc::clone(&runtime));
        Ok(runtime)
    }
}

/// Compiles the module of this shape below `out`, unless the same is there already, and gives the
/// library.
///
/// # Errors
/// If a program is missing or the Verilog does not compile.
pub fn build(shape: &Shape, hdl: &Path, out: &Path) -> Result<PathBuf, SimError> {
    let parameters = shape.parameters.changed(shape.layout.module);
    let parameters = parameters.iter().map(|p| format!("-G{p}"));
    let recipe = Recipe {
        module: shape.layout.module,
        top: shape.layout.module.into(),
        flags: strings(VERILATOR).chain(parameters).collect(),
        texts: vec![("visible.vlt", shim::visible(shape))],
        files: sources(hdl)?,
        includes: vec![hdl.join("include")],
        ..Recipe::default()
    };
    let library = Library { shim: shim::source(shape) };
    Ok(crate::build::build(&library, &recipe, out)?.file)
}

/// One file that includes all that Verilator has made: one run of the compiler, and calls between them
/// can be inlined.
fn unity(folder: &Path) -> Result<String, SimError> {
    let mut text = String::new();
    for file in list(folder, "cpp")? {
        let _ = writeln!(
            text,
            "#include \"{}\"",
            file.file_name().unwrap_or_default().to_string_lossy()
        );
    }
    text.push_str("#include \"shim.cpp\"\n");
    Ok(text)
}

/// The parts of its run time that Verilator names for the design in `folder`.
fn parts(folder: &Path) -> Result<Vec<String>, SimError> {
    let mut parts = Vec::new();
    for make in list(folder, "mk")? {
        let lines = fs::read_to_string(&make).map_err(SimError::io(&make))?;
        let lines = lines.lines().map(|l| l.trim_end_matches('\\').trim());
        let named = lines.filter(|l| l.starts_with("verilated") && !l.contains(' '));
        parts.extend(named.map(str::to_owned));
    }
    Ok(parts)
}

/// Folder of Verilator's run time.
fn root() -> Result<PathBuf, SimError> {
    let mut ask = Command::new("verilator");
    let found = process::run(ask.args(["-getenv", "VERILATOR_ROOT"]), "verilator", LIMIT)?;
    Ok(PathBuf::from(found.text.trim()).join("include"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_comes_before_the_compiler_and_no_argument_names_the_folder() {
        let (root, folder) = (Path::new("/usr/share/verilator"), Path::new("/tmp/once/obj_dir"));
        for (cache, program, first) in
            [("", "g++", "-std=c++17"), ("ccache", "ccache", "g++"), ("a b", "a", "b")]
        {
            let command = compiler(cache, root, folder, "runtime");
            assert_eq!(command.get_program(), program);
            assert_eq!(command.get_args().next().unwrap(), first);
            assert_eq!(command.get_current_dir(), Some(folder));
            let mut args = command.get_args().map(|arg| arg.to_string_lossy());
            assert!(args.all(|arg| !arg.contains("/tmp/once")));
        }
    }
}
