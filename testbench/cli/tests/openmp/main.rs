// SPDX-License-Identifier: MIT OR Apache-2.0
//! OpenMP programs under `awgstar run --openmp`: what they print is compared with what they print under libgomp
//! with as many threads, byte by byte. The audit is on in all of them.

#[path = "../../../../model/test_support/document.rs"]
mod document;
#[path = "../common/killed.rs"]
mod killed;
#[path = "../common/libraries.rs"]
mod libraries;

mod coherence;
#[path = "../common/html.rs"]
mod html;
mod page;
mod pitfalls;
mod refused;
mod runs;
mod stall;

use assert_cmd::cargo::CommandCargoExt;
use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    thread,
};

const PROGRAMS: [&str; 9] =
    ["pi", "mandelbrot", "jacobi", "cg", "lu", "matmul", "histogram", "queens", "pipeline"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

fn compile(compiler: &str, options: &[&str], source: &str, to: &Path) {
    let source = root().join("testbench/cli/tests/openmp").join(source);
    let mut command = Command::new(compiler);
    // gfortran writes a file for each module into the current folder.
    command.current_dir(to.parent().unwrap());
    command.args(options).arg(source).arg("-lm").arg("-o").arg(to);
    let found = command.output();
    let output =
        found.unwrap_or_else(|e| panic!("{compiler}: {e}; testbench/setup.sh installs it"));
    assert!(output.status.success(), "{compiler}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Folder of the programs, which are compiled once; the library is made, too.
fn built() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("openmp");
        std::fs::create_dir_all(&folder).unwrap();
        libraries::built();
        let c = ["-fopenmp", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off"];
        let jobs: Vec<(&str, Vec<&str>, String, &str)> = [
            ("constructs.c", "constructs", "-O2"),
            ("constructs.c", "constructs-O0", "-O0"),
            ("pitfalls.c", "pitfalls", "-O1"),
            ("pitfalls.c", "pitfalls-fortified", "-O2"),
        ]
        .into_iter()
        .map(|(source, to, level)| {
            let fortified = ["-D_FORTIFY_SOURCE=2", "-Wno-unused-result", "-Wno-array-bounds"];
            let more = if to.ends_with("fortified") { &fortified[..] } else { &[] };
            ("gcc", [&c[..], &[level], more].concat(), source.to_owned(), to)
        })
        .chain(
            PROGRAMS.map(|name| {
                ("gcc", [&c[..], &["-O2"]].concat(), format!("programs/{name}.c"), name)
            }),
        )
        .chain(
            ["scattered", "circles", "rows", "leftovers", "coherence", "nas_cg", "sharing"].map(
                |name| ("gcc", [&c[..], &["-O2"]].concat(), format!("programs/{name}.c"), name),
            ),
        )
        .chain([("gcc", [&c[..], &["-O2"]].concat(), "programs/random.c".into(), "random")])
        .chain([("gcc", [&c[..], &["-O2"]].concat(), "programs/hooks.c".into(), "hooks")])
        .chain([("gfortran", vec!["-fopenmp", "-O2"], "programs/fortran.f90".into(), "fortran")])
        .collect();
        thread::scope(|scope| {
            for half in jobs.chunks(jobs.len().div_ceil(2)) {
                let folder = &folder;
                scope.spawn(move || {
                    for (compiler, options, source, to) in half {
                        compile(compiler, options, source, &folder.join(to));
                    }
                });
            }
        });
        compile(
            "g++",
            &["-fopenmp", "-O2", "-std=c++17"],
            "programs/cplusplus.cc",
            &folder.join("cplusplus"),
        );
        let shared = ["-fopenmp", "-O2", "-shared", "-fPIC"];
        for (name, source) in
            [("liblibrary.so", "library"), ("libother.so", "library"), ("libregions.so", "regions")]
        {
            compile("gcc", &shared, &format!("programs/{source}.c"), &folder.join(name));
        }
        let (path, run_path) =
            (format!("-L{}", folder.display()), format!("-Wl,-rpath,{}", folder.display()));
        let source = root().join("testbench/cli/tests/openmp/programs/uses_library.c");
        let mut gcc = Command::new("gcc");
        gcc.args(["-fopenmp", "-O2"]).arg(source).args([&path, &run_path]);
        gcc.args(["-llibrary", "-ldl", "-o"]).arg(folder.join("uses_library"));
        assert!(gcc.status().unwrap().success());
        compile("gcc", &["-O2"], "programs/plain.c", &folder.join("plain"));
        let source = root().join("testbench/cli/tests/openmp/programs/plain.c");
        let mut gcc = Command::new("gcc");
        gcc.args(["-O2", "-DLINKED"]).arg(source).args([&path, &run_path]);
        gcc.args(["-lregions", "-o"]).arg(folder.join("plain_linked"));
        assert!(gcc.status().unwrap().success());
        // The options of gcc that the page recommends.
        let calls = ["-fopenmp", "-O2", "-fno-inline-atomics", "-latomic"];
        let source = root().join("testbench/cli/tests/openmp/constructs.c");
        let mut gcc = Command::new("gcc");
        gcc.args(&calls[..3])
            .arg(source)
            .arg(calls[3])
            .arg("-o")
            .arg(folder.join("constructs-calls"));
        assert!(gcc.status().unwrap().success());
        folder
    })
}

/// Exit code and both outputs of a command that reads `input`.
fn output(command: &mut Command, input: &str) -> (i32, String, String) {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that does not read ends before.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code().unwrap_or(-1), text(&output.stdout), text(&output.stderr))
}

/// Runs a program on the ring; `options` are words before `--`.
fn ring(options: &str, threads: usize, program: &[&str]) -> (i32, String, String) {
    output(&mut ring_command(options, threads, program), "1 2 3 4 5 6 7 8\n")
}

fn ring_command(options: &str, threads: usize, program: &[&str]) -> Command {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.args(["run", "--openmp", "--audit", "-n", &threads.to_string()]);
    command.args(options.split_whitespace()).arg("--").arg(built().join(program[0]));
    command.args(&program[1..]);
    command
}

/// Runs a program under libgomp.
fn native(threads: usize, program: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(built().join(program[0]));
    command.args(&program[1..]).env("OMP_NUM_THREADS", threads.to_string());
    output(&mut command, "1 2 3 4 5 6 7 8\n")
}

/// Compares a program on the ring with libgomp; an error says how they differ.
fn same(options: &str, threads: usize, program: &[&str]) -> Result<(), String> {
    let (code, out, _) = native(threads, program);
    let (ring_code, ring_out, err) = ring(options, threads, program);
    // A program that does nothing, for example as there is no such case, would be equal.
    let something = !out.is_empty() || code != 0;
    if (code, &out) == (ring_code, &ring_out) && err.is_empty() && something {
        return Ok(());
    }
    Err(format!(
        "{program:?} {options}: exit code {code}, prints {out:?}; on the ring {ring_code}, {ring_out:?}, {err}"
    ))
}

/// Does work for each item, on as many threads as there are processors, and gives the errors.
fn each<T: Sync>(items: &[T], work: impl Fn(&T) -> Result<(), String> + Sync) -> Vec<String> {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(2, usize::from);
    let errors = std::sync::Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(item) =
                    items.get(next.fetch_add(1, std::sync::atomic::Ordering::Relaxed))
                {
                    if let Err(e) = work(item) {
                        errors.lock().unwrap().push(e);
                    }
                }
            });
        }
    });
    errors.into_inner().unwrap()
}

/// Names that a program of small cases prints.
fn cases(program: &str) -> Vec<String> {
    let (code, out, _) = output(&mut Command::new(built().join(program)), "");
    assert_eq!(code, 0);
    out.lines().map(str::to_owned).collect()
}

/// Each construct, on generation 1, which takes the least time of this computer.
#[test]
fn every_construct_gives_what_libgomp_gives() {
    let cases = cases("constructs");
    assert!(cases.len() >= 79, "{}", cases.len());
    let errors = each(&cases, |case| same("--machine gen1", 4, &["constructs", case]));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The constructs that need the most of the machine, on the cycle-accurate ring.
#[test]
fn constructs_on_the_ring() {
    let cases = [
        "atomic_capture",
        "barriers",
        "copyin",
        "copyprivate",
        "critical_named",
        "flag_with_flush",
        "for_dynamic",
        "heap",
        "more_sections_than_threads",
        "ordered",
        "reductions",
        "stack_of_another_thread",
        "task_fib",
        "test_lock",
    ];
    let errors = each(&cases, |case| same("", 4, &["constructs", case]));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Without optimisation other variables are in memory, and with calls of libatomic there are no breakpoints.
#[test]
fn constructs_compiled_otherwise() {
    let cases = ["atomic_capture", "critical_named", "critical_inside", "hand_over", "test_lock"];
    let errors = each(&cases, |case| {
        same("--machine gen1", 4, &["constructs-O0", case])?;
        same("--machine gen1", 4, &["constructs-calls", case])
    });
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Other options of gcc, and all constructs on the ring with 2, 3 and 7 threads.
#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn every_construct_compiled_otherwise_and_with_other_numbers_of_threads() {
    let mut all = Vec::new();
    for case in cases("constructs") {
        all.extend(
            ["constructs-O0", "constructs-calls"].map(|p| ("--machine gen1", 4, p, case.clone())),
        );
        all.push(("", 4, "constructs", case.clone()));
        // These cases have at least four threads.
        let four = [
            "num_threads",
            "masked",
            "flag_without_flush",
            "pointer_to_threadprivate",
            "stack_of_another_thread",
            "function_pointers",
            "fewer_threads_with_barriers",
            "query",
            "threadprivate",
        ];
        if !four.contains(&case.as_str()) {
            all.extend([5, 7].map(|n| ("--machine gen1", n, "constructs", case.clone())));
        }
    }
    let errors = each(&all, |(options, n, program, case)| same(options, *n, &[program, case]));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// The nine programs of the study and one in Fortran, on both machines.
#[test]
fn the_programs_have_the_bits_of_libgomp() {
    let runs: Vec<(&str, &str)> = PROGRAMS
        .iter()
        .chain(&["fortran"])
        .flat_map(|name| [(*name, ""), (*name, "--machine gen1")])
        .collect();
    let errors = each(&runs, |(name, options)| same(options, 4, &[name]));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Thread-local arrays of 1 MiB, which are above the stacks of the threads.
#[test]
fn large_thread_local_variables() {
    for threads in [2, 4] {
        assert_eq!(same("--machine gen1", threads, &["circles"]), Ok(()));
    }
}

/// C++, and libraries of the program: one is linked, another one is loaded before the first region.
#[test]
fn programs_with_libraries() {
    let other = built().join("libother.so");
    let runs: [&[&str]; 3] =
        [&["cplusplus"], &["uses_library"], &["uses_library", other.to_str().unwrap()]];
    let mut errors = each(&runs, |program| same("--machine gen1", 4, program));
    errors.extend(same("", 4, runs[2]).err());
    assert!(errors.is_empty(), "{errors:#?}");
}

/// All directives are in a library: the program is linked with it, or loads it.
#[test]
fn programs_whose_regions_are_in_a_library() {
    let library = built().join("libregions.so");
    assert_eq!(same("--machine gen1", 4, &["plain_linked"]), Ok(()));
    assert_eq!(same("--machine gen1", 4, &["plain", library.to_str().unwrap()]), Ok(()));
    for program in [&["plain_linked"][..], &["plain", library.to_str().unwrap()]] {
        let (code, _, err) = ring("--machine gen1 --report", 4, program);
        let rows = err.lines().filter(|line| line.starts_with("| 3 |")).count();
        assert!(code == 0 && rows == 1, "{program:?}: {code} {err}");
    }
    // Without its library the program would end as one that has run on the ring.
    let (code, _, err) = ring("--machine gen1", 4, &["plain"]);
    let text = "neither the program nor a library that it has loaded begins a parallel region";
    assert!(code == 1 && err.contains(text), "{code} {err}");
}

/// The greatest number of threads, which needs all the addresses that the library has.
#[test]
fn sixty_four_threads() {
    assert_eq!(same("", 64, &["constructs", "parallel"]), Ok(()));
}

/// Streams of C++ that the program separates from those of C: what threads print is not lost, and only thread 0
/// reads.
#[test]
fn streams_of_cplusplus() {
    assert_eq!(same("--machine gen1", 4, &["cplusplus", "print"]), Ok(()));
    let (code, _, err) = ring("--machine gen1", 4, &["cplusplus", "read"]);
    assert!(code == 1 && err.contains("only thread 0 can read input"), "{code} {err}");
}

/// Constructs in many orders.
fn random(seeds: impl Iterator<Item = u32>) {
    let seeds: Vec<String> = seeds.map(|seed| seed.to_string()).collect();
    let errors = each(&seeds, |seed| {
        let options = if seed.ends_with('7') { "" } else { "--machine gen1" };
        same(options, 4, &["random", seed])
    });
    assert!(errors.is_empty(), "{errors:#?}");
}

#[test]
fn constructs_in_any_order() {
    random(0..10);
}

#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn constructs_in_any_order_long() {
    random((10..30).chain(1000..1300));
}

/// The system has 65,530 mappings for a process; each separate page that is open takes two.
#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn more_separate_pages_than_mappings() {
    assert_eq!(same("--machine gen1", 4, &["scattered", "90000"]), Ok(()));
}
