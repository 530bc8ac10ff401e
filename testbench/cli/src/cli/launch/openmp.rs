// SPDX-License-Identifier: MIT OR Apache-2.0
//! OpenMP programs: one process, which forks those of the other nodes itself.

use super::{
    args::{Args, Coherence},
    process::{Running, failure, locked},
};
use crate::cli::CliError;
use awgstar::contract::Order;
use awgstar_program::{Computing, Forked, Life};
use object::{
    Architecture, Object, ObjectSymbol,
    read::elf::{ElfFile64, ProgramHeader},
};
use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, WaitOptions, set_child_subreaper, test_kill_process, waitpid};
use std::{
    env, fs,
    os::{
        fd::{AsRawFd, OwnedFd},
        unix::process::ExitStatusExt,
    },
    path::{Path, PathBuf},
    process::ExitStatus,
    sync::{Arc, Mutex},
    time::Instant,
};

/// Environment variable of the library's options.
const OPTIONS: &str = "AWGSTAR_OPENMP";
const LIBRARY: &str = "libawgstar_openmp.so";
/// Greatest number of nodes: each has a slice of the heap's addresses.
const NODES_MAX: usize = 64;

/// Most bytes of thread-local variables: they are above the stack of each thread.
const TLS_MAX: u64 = 768 << 20;

/// Environment of the program, and the program itself.
pub(super) struct Program {
    pub(super) words: Vec<String>,
    pub(super) environment: Vec<(&'static str, String)>,
    /// The library's file, open until the program is started.
    #[expect(dead_code, reason = "kept open")]
    library: OwnedFd,
}

fn usage(what: String) -> CliError {
    CliError::Usage(what)
}

/// The file that a name stands for, as a shell finds it.
pub(super) fn found(name: &str) -> Result<PathBuf, CliError> {
    if name.contains('/') {
        return Ok(name.into());
    }
    let folders = env::var_os("PATH").unwrap_or_default();
    let paths = env::split_paths(&folders).map(|folder| folder.join(name));
    paths
        .into_iter()
        .find(|path| path.is_file())
        .ok_or_else(|| usage(format!("program `{name}`: not found")))
}

/// Refuses a program that the library cannot take the place of libgomp in.
fn check(path: &Path) -> Result<(), CliError> {
    let name = path.display();
    let bytes = fs::read(path)
        .map_err(|source| CliError::Io { what: format!("program `{name}`"), source })?;
    if bytes.get(..5) == Some(b"\x7fELF\x01") {
        return Err(usage(format!(
            "{name} is a 32-bit program: --openmp needs one for x86-64 (leave out -m32)"
        )));
    }
    let no_elf = || {
        usage(format!("{name} is no ELF program: --openmp needs a compiled program, not a script"))
    };
    let file: ElfFile64 = ElfFile64::parse(&bytes[..]).map_err(|_| no_elf())?;
    if file.architecture() != Architecture::X86_64 {
        return Err(usage(format!(
            "{name} is not a program for x86-64: --openmp supports no other processor"
        )));
    }
    let needed = needed(&file).map_err(|_| no_elf())?;
    let has = |library: &str| needed.iter().any(|one| one.starts_with(library));
    if has("libomp.") || has("libiomp5.") {
        return Err(usage(format!(
            "{name} uses the OpenMP library of clang: --openmp needs libgomp (compile with gcc -fopenmp or gfortran -fopenmp)"
        )));
    }
    if needed.is_empty() {
        return Err(usage(format!(
            "{name} is linked statically: --openmp needs a dynamically linked program (leave out -static)"
        )));
    }
    check_entries(&file, path, &needed)?;
    let endian = file.endian();
    let tls =
        file.elf_program_headers().iter().find(|one| one.p_type(endian) == object::elf::PT_TLS);
    if let Some(bytes) = tls.map(|one| one.p_memsz(endian)).filter(|&bytes| bytes > TLS_MAX) {
        return Err(usage(format!(
            "{name} has {bytes} bytes of thread-local variables (threadprivate): --openmp has room for {TLS_MAX} in each thread"
        )));
    }
    Ok(())
}

/// Libraries that have no regions of the program.
const SYSTEM: [&str; 13] = [
    "ld-linux",
    "libatomic.",
    "libc.",
    "libdl.",
    "libgcc_s.",
    "libgfortran.",
    "libgomp.",
    "libm.",
    "libmvec.",
    "libpthread.",
    "libquadmath.",
    "librt.",
    "libstdc++.",
];

/// Refuses a program that begins no region. Regions may be in a library that it is linked with or that it loads:
/// the preloaded library looks for them there.
fn check_entries(file: &ElfFile64, path: &Path, needed: &[String]) -> Result<(), CliError> {
    let imports = |test: &dyn Fn(&str) -> bool| {
        let mut names = file.dynamic_symbols().filter(ObjectSymbol::is_undefined);
        names.any(|symbol| symbol.name().is_ok_and(test))
    };
    let alone = needed.iter().all(|one| SYSTEM.iter().any(|system| one.starts_with(system)));
    if !alone || imports(&|name| name.starts_with("GOMP_") || name == "dlopen") {
        return Ok(());
    }
    let name = path.display();
    let advice = "compile with gcc -fopenmp or gfortran -fopenmp";
    Err(usage(if needed.iter().any(|one| one.starts_with("libgomp.")) {
        format!(
            "{name} is linked with libgomp, but begins no parallel region (clang -fopenmp=libgomp ignores the directives): {advice}"
        )
    } else {
        format!("{name} does not use libgomp: {advice}")
    }))
}

/// Names of the libraries that a program needs.
fn needed(file: &ElfFile64) -> object::Result<Vec<String>> {
    let table = file.elf_dynamic_table()?;
    let needed = table.iter().filter(|one| one.tag == object::elf::DT_NEEDED);
    let name = |one| table.string(one).map(|name| String::from_utf8_lossy(name).into_owned());
    needed.map(name).collect()
}

/// The program with its environment; refuses what cannot run.
pub(super) fn program(words: &[Vec<String>], args: &Args) -> Result<Program, CliError> {
    let nodes = words.len();
    let Some((first, rest)) =
        words.split_first().filter(|(first, rest)| rest.iter().all(|one| one == *first))
    else {
        return Err(usage("--openmp runs one program on all nodes: expected no `:`".into()));
    };
    let _ = rest;
    if nodes > NODES_MAX {
        return Err(usage(format!("-n is {nodes}: --openmp has 1 to {NODES_MAX} nodes")));
    }
    let name = first.first().map_or("", String::as_str);
    check(&found(name)?)?;
    let own = env::current_exe()?;
    let library = own.parent().unwrap_or(Path::new("")).join(LIBRARY);
    if !library.is_file() {
        return Err(usage(format!(
            "{} is missing: `cargo build` makes it beside the command",
            library.display()
        )));
    }
    let computing = match args.compute {
        Computing::Told => "told",
        Computing::Counted { .. } => "counted",
        Computing::Measured { .. } => "measured",
    };
    let (audit, races) = (u8::from(args.audit), args.races.name());
    // With SCASH all pages can be read at first; with FDSM the first access to each is seen.
    let pages = match args.coherence {
        Some(Coherence::Scash) => ",pages=clean",
        Some(Coherence::Fdsm) => ",pages=closed",
        None | Some(Coherence::Replica) => "",
    };
    let check = if args.check.is_some() { ",check=pattern" } else { "" };
    let options =
        format!("nodes={nodes},audit={audit},races={races},computing={computing}{pages}{check}");
    // The loader takes a list with spaces and colons: a path is given as a descriptor, which the program inherits.
    let opened = rustix::fs::open(&library, OFlags::RDONLY, Mode::empty());
    let library = opened
        .map_err(|e| CliError::Io { what: library.display().to_string(), source: e.into() })?;
    let preload = format!("/proc/self/fd/{}", library.as_raw_fd());
    let environment =
        vec![(OPTIONS, options), ("LD_BIND_NOW", "1".into()), ("LD_PRELOAD", preload)];
    // Processes of the other nodes are forked by one of the program's, which ends: then they are ours.
    set_child_subreaper(Pid::from_raw(1)).map_err(|e| CliError::Io {
        what: "parent of forked processes".into(),
        source: e.into(),
    })?;
    Ok(Program { words: first.clone(), environment, library })
}

/// With another order a thread could pass a barrier before the changes of the others have arrived.
pub(super) fn check_order(order: Order) -> Result<(), CliError> {
    if order == Order::Confirmed {
        return Ok(());
    }
    Err(usage(format!("order is {}: --openmp needs confirmed", order.name())))
}

/// The program has run without the library.
pub(super) fn not_loaded() -> CliError {
    usage(format!("{LIBRARY} was not loaded: the threads of the program were not on the ring"))
}

/// The process of another node than the first.
pub(super) struct Worker {
    forked: Forked,
    node: usize,
    status: Mutex<Option<ExitStatus>>,
}

impl Worker {
    pub(super) fn new(forked: &Forked, node: usize) -> Arc<Self> {
        Arc::new(Worker { forked: forked.clone(), node, status: Mutex::default() })
    }

    /// How it ended, if it has.
    fn look(&self, options: WaitOptions) -> Option<ExitStatus> {
        let pid = self.forked.process(self.node)?;
        let mut status = locked(&self.status);
        if status.is_none() {
            *status = match waitpid(Some(pid), options) {
                Ok(found) => found.map(|(_, how)| ExitStatus::from_raw(how.as_raw())),
                // Not ours yet, or gone without a trace.
                Err(_) => test_kill_process(pid).is_err().then(|| ExitStatus::from_raw(9)),
            };
        }
        *status
    }

    /// Says whether the process lives; `main` is that of node 0.
    pub(super) fn life(self: &Arc<Self>, main: &Running) -> Box<dyn FnMut() -> Life + Send> {
        let (worker, main) = (Arc::clone(self), main.alive());
        Box::new(move || {
            if let Some(code) = worker.forked.exit_code() {
                return Life::Failed(format!("exit code {code}"));
            }
            match worker.look(WaitOptions::NOHANG).map(failure) {
                Some(Some((how, _))) => Life::Failed(how),
                Some(None) => Life::Succeeded,
                // Node 0 may be the first to leave.
                None if main() || worker.forked.left(0) => Life::Runs,
                None if worker.forked.process(worker.node).is_none() => Life::Succeeded,
                None => Life::Failed("the process of node 0 has ended".into()),
            }
        })
    }

    /// How it ended, after the process group was ended.
    pub(super) fn finish(&self, end: Instant) -> Option<ExitStatus> {
        while Instant::now() < end && self.forked.process(self.node).is_some() {
            if self.look(WaitOptions::NOHANG).is_some() {
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        // One that has left the ring may have been ended with the group.
        if self.forked.left(self.node) {
            Some(ExitStatus::default())
        } else {
            *locked(&self.status)
        }
    }
}
