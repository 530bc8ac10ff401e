// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with `OpenSHMEM`: their results on every machine, those of Debian's library, wrong use.

use super::{
    Wrong, killed_at_any_moment, link, machine_of, of_debian, prints, program, result, root,
    without_times, wrong_uses,
};
use crate::libraries::built;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use tempfile::TempDir;

pub(super) const EXAMPLES: [&str; 3] = ["gups", "halo", "sort"];
/// The static library keeps addresses of functions out of what is symmetric only so.
pub(super) const FLAGS: &[&str] = &["-Wl,-z,now"];

fn find_their_results(sizes: &[&'static str]) {
    for name in ["ring", "gen1", "cluster"] {
        for &nodes in sizes {
            let (on, pes) = (machine_of(name, nodes), nodes.parse::<i64>().unwrap());
            let out = prints(&on, &["@shmem/gups", "16", "40"]);
            let begin = format!("{} words, {} updates on {pes} PEs: ", 16 * pes, 40 * pes);
            assert!(out.starts_with(&begin) && out.ends_with(", 0 wrong\n"), "{name}: {out}");
            let first = |at| if at % 7 == 0 { 1_000_000 } else { 40 * at };
            let sum: i64 = (0..10 * pes).map(first).sum();
            let expected =
                format!("{} cells after 7 steps on {pes} PEs: sum {sum}, 0 wrong\n", 10 * pes);
            assert_eq!(prints(&on, &["@shmem/halo", "10", "7"]), expected, "{name}");
            let out = prints(&on, &["@shmem/sort", "60"]);
            let begin = format!("{} keys on {pes} PEs: sum ", 60 * pes);
            assert!(out.starts_with(&begin) && out.ends_with(", in order\n"), "{name}: {out}");
        }
    }
}

#[test]
fn the_examples_find_their_results() {
    find_their_results(&["1", "3"]);
}

#[test]
#[ignore = "a minute: more processes"]
fn the_examples_find_their_results_on_more_nodes() {
    find_their_results(&["2", "5", "16"]);
}

/// The table after all updates is the same on both machines, whatever their order.
#[test]
fn updates_give_the_same_table_on_both_machines() {
    let words = ["@shmem/gups", "16", "40"];
    assert_eq!(prints(&machine_of("ring", "3"), &words), prints(&machine_of("gen1", "3"), &words));
}

/// What Debian's library printed: `testbench/fixtures`.
fn printed(nodes: &str) -> String {
    let file = format!("testbench/fixtures/shmem-{nodes}.txt");
    fs::read_to_string(root().join(file)).unwrap()
}

/// Every family of functions of 1.4 leaves the same memory as it did with Debian's library.
#[test]
fn every_family_prints_what_it_did_with_debians_library() {
    for (name, nodes) in [("ring", "2"), ("gen1", "3"), ("cluster", "3")] {
        assert_eq!(prints(&machine_of(name, nodes), &["@shmem/shmem"]), printed(nodes), "{name}");
    }
}

/// A program with Debian's library, until the folder is dropped. That library finds the static data of a program by the
/// words of `/proc/self/maps`: in a path with a space it finds none, and takes no lock there.
fn with_debians() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("shmem");
    let compiled = Command::new("oshcc")
        .args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1"])
        .arg(root().join("testbench/cli/tests/programs/shmem.c"))
        .args(["-lm", "-o"])
        .arg(&to)
        .status()
        .expect("oshcc: testbench/setup.sh long installs it");
    assert!(compiled.success());
    (folder, to)
}

/// What it prints with Debian's library, whose end of the program may crash.
fn debian_prints(program: &Path, nodes: &str) -> String {
    let output = of_debian("oshrun", nodes)
        .arg(program)
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .output()
        .expect("oshrun: testbench/setup.sh long installs it");
    let (_, out, err) = result(&output);
    assert!(out.ends_with("\n0 failures\n") && out.lines().count() == 12, "{nodes}: {out}{err}");
    without_times(&out)
}

#[test]
#[ignore = "needs Debian's OpenSHMEM"]
fn what_debians_library_printed_is_what_it_prints() {
    let (_folder, debians) = with_debians();
    for nodes in ["2", "3"] {
        assert_eq!(debian_prints(&debians, nodes), printed(nodes));
    }
}

#[test]
#[ignore = "a minute, and Debian's OpenSHMEM"]
fn every_family_is_as_with_debians_library_on_more_nodes() {
    let (_folder, debians) = with_debians();
    for (name, nodes) in [("ring", "3"), ("ring", "5"), ("ring", "8"), ("gen1", "2"), ("gen1", "8")]
    {
        let expected = debian_prints(&debians, nodes);
        assert_eq!(prints(&machine_of(name, nodes), &["@shmem/shmem"]), expected, "{name} {nodes}");
    }
}

/// What 1.4 does not have: expected values are from arithmetic.
fn what_is_new(machines: &[(&'static str, &'static str)]) {
    let source = root().join("testbench/cli/tests/programs/shmem_new.c");
    let flags = [FLAGS, &["-std=gnu11"]].concat();
    program("shmem/shmem");
    // The macros of C11 choose the functions, or names of types do.
    let new = link(&source, "shmem", "awgstar_shmem", &flags, "shmem");
    for &(name, nodes) in machines {
        let out = prints(&machine_of(name, nodes), &[new.to_str().unwrap()]);
        assert_eq!(out, "0 failures\n", "{name} {nodes}");
    }
}

#[test]
fn functions_of_1_5_find_what_arithmetic_says() {
    what_is_new(&[("ring", "3"), ("gen1", "2"), ("cluster", "3")]);
}

#[test]
#[ignore = "a minute: more processes"]
fn functions_of_1_5_find_what_arithmetic_says_on_more_nodes() {
    what_is_new(&[("ring", "1"), ("ring", "4"), ("ring", "7"), ("gen1", "1"), ("gen1", "5")]);
}

const SYMMETRIC: &str =
    "expected symmetric memory: static data, or bytes of one allocation of shmem_malloc";

/// A case of `shmem_wrong.c`, its exit code, and what it says.
#[rustfmt::skip]
const WRONG: [Wrong; 55] = [
    ("active", 1, "shmem_barrier: argument `PE_size`: 3, expected 0 to 2"),
    ("after", 1, "shmem_quiet: OpenSHMEM does not run: expected between shmem_init and shmem_finalize"),
    ("alignment", 1, "shmem_align: argument `alignment`: 12, expected a power of two, 8 or more"),
    ("atomic", 1, "shmem_int_atomic_fetch: argument `pe`: 7, expected 0 to 2"),
    ("before", 1, "shmem_barrier_all: OpenSHMEM does not run: expected between shmem_init and shmem_finalize"),
    ("beyond", 1, "shmem_long_put: argument `dest`: 8388608 bytes at "),
    ("cmp", 1, "shmem_long_wait_until: argument `cmp`: 6, expected SHMEM_CMP_EQ to SHMEM_CMP_GE"),
    ("collective stride", 1, "shmem_long_alltoalls: argument `sst`: 0, expected 1 or more"),
    ("config", 1, "shmem_team_split_strided: argument `config`: null pointer"),
    ("ctx", 1, "shmem_ctx_long_p: argument `ctx`: context 0, expected a context that was not destroyed"),
    ("default", 1, "shmem_ctx_destroy: argument `ctx`: SHMEM_CTX_DEFAULT, expected another context"),
    ("destroyed", 1, "shmem_ctx_quiet: argument `ctx`: context 3, expected a context that was not destroyed"),
    ("fcollect", 1, "shmem_long_fcollect: argument `nelems`: "),
    ("fetch", 1, "shmem_long_atomic_fetch_nbi: argument `fetch`: null pointer"),
    ("free", 1, "shmem_free: argument `ptr`: "),
    ("full", 1, "shmem_set_lock: argument `lock`: 1099511627776, expected 0 before its first use"),
    ("global", 9, ""),
    ("global zero", 0, ""),
    ("heap", 1, "shmem_free: another process calls another function of the heap"),
    ("held", 1, "shmem_finalize: a lock is still held"),
    ("implicit", 0, ""),
    ("indices", 1, "shmem_long_wait_until_some: argument `indices`: null pointer"),
    ("info", 1, "shmem_info_get_name: argument `name`: null pointer"),
    ("local", 1, "shmem_long_p: argument `dest`: 8 bytes at "),
    ("local dest", 1, "shmem_long_max_reduce: argument `dest`: 8 bytes at "),
    ("local source", 1, "shmem_long_broadcast: argument `source`: 8 bytes at "),
    ("lock twice", 1, "shmem_test_lock: argument `lock`: "),
    ("log", 1, "shmem_barrier: argument `logPE_stride`: 64, expected the logarithm of a stride"),
    ("many", 1, "shmem_putmem: argument `nelems`: 18446744073709551615, expected fewer"),
    ("mask", 1, "shmem_team_split_strided: argument `config_mask`: 2, expected SHMEM_TEAM_NUM_CONTEXTS or 0"),
    ("member", 1, "shmem_barrier: argument `PE_size`: 2, expected an active set with this process"),
    ("negative", 1, "shmem_long_g: argument `pe`: -1, expected 0 to 2"),
    ("nreduce", 1, "shmem_long_sum_reduce: message of 16 bytes: expected 8"),
    ("nreduce old", 1, "shmem_long_sum_to_all: argument `nreduce`: -1, expected 0 or more"),
    ("null", 1, "shmem_long_put: argument `source`: null pointer"),
    ("null remote", 1, "shmem_long_get: argument `source`: 8 bytes at 0x0, "),
    ("options", 1, "shmem_ctx_create: argument `options`: 8, expected options SHMEM_CTX_SERIALIZED"),
    ("pe", 1, "shmem_long_p: argument `pe`: 3, expected 0 to 2"),
    ("root", 1, "shmem_long_broadcast: argument `PE_root`: 3, expected 0 to 2"),
    ("signal", 1, "shmem_long_put_signal: argument `sig_op`: 2, expected SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD"),
    ("signal place", 1, "shmem_long_put_signal: argument `sig_addr`: 8 bytes at "),
    ("sizes", 1, "shmem_malloc: argument `size`: "),
    ("start", 1, "shmem_barrier: argument `PE_start`: 3, expected 0 to 2"),
    ("stride", 1, "shmem_long_iput: argument `dst`: 0, expected 1 or more"),
    ("strided", 1, "shmem_long_iget: argument `source`: 8388616 bytes at "),
    ("team", 1, "shmem_team_sync: argument `team`: team 0, expected a team with this process"),
    ("translate", 1, "shmem_team_translate_pe: argument `src_pe`: 3, expected 0 to 2"),
    ("twice", 1, "shmem_init: a second time"),
    ("unaligned", 1, "shmem_long_atomic_inc: argument `dest`: "),
    ("unlock", 1, "shmem_clear_lock: argument `lock`: "),
    ("values", 1, "shmem_long_wait_until_all_vector: argument `cmp_values`: null pointer"),
    ("wait", 1, "shmem_long_wait_until: argument `ivar`: 8 bytes at "),
    ("waits", 1, "shmem_long_wait_until_any: argument `ivars`: 8 bytes at "),
    ("world", 1, "shmem_team_destroy: argument `team`: SHMEM_TEAM_WORLD, expected another team"),
    ("xrange", 1, "shmem_team_split_2d: argument `xrange`: 0, expected 1 or more"),
];

#[test]
fn wrong_use_ends_the_run() {
    wrong_uses("shmem/shmem_wrong", "shmem_init", &WRONG, |line| {
        !line.contains(" bytes at ") || line.ends_with(SYMMETRIC)
    });
}

/// A process killed at any moment ends the run.
#[test]
fn a_killed_process_ends_the_run() {
    killed_at_any_moment(&["@shmem/shmem_wrong", "work"]);
}

/// The names of functions in a header, after its macros.
fn declared(name: &str) -> BTreeSet<String> {
    let output = Command::new("cc")
        .args(["-std=c99", "-E", "-P", "-I"])
        .arg(root().join("model/shmem/include"))
        .arg(root().join("model/shmem/include").join(name).with_extension("h"))
        .output()
        .unwrap();
    let (_, text, _) = result(&output);
    let names = text.split(';').filter_map(|one| {
        let (before, _) = one.split_once('(')?;
        Some(before.rsplit([' ', '*', '\n']).next()?.to_owned())
    });
    let ours = ["shmem", "sh", "start_pes", "_my_pe", "_num_pes"];
    names.filter(|name| ours.iter().any(|start| name.starts_with(start))).collect()
}

/// The header declares what the library has: 1,507 functions of 1.5 and those that it keeps for old programs. C99, C11
/// and C++ take it.
#[test]
fn the_headers_are_those_of_the_library() {
    program("shmem/shmem");
    let symbols = Command::new("nm")
        .args(["--defined-only", "--dynamic"])
        .arg(built().join("libawgstar_shmem.so"))
        .output()
        .unwrap();
    let (_, symbols, _) = result(&symbols);
    let ours = symbols.lines().filter_map(|line| line.split(' ').next_back());
    let ours: BTreeSet<String> = ours.map(str::to_owned).collect();
    let all = declared("shmem");
    assert_eq!(ours, declared("shmemx"));
    assert_eq!((all.len(), ours.len()), (1507 + 103 + 6, 1507 + 103 + 6 + 1));
    assert!(ours.is_superset(&all));
    let folder = tempfile::tempdir().unwrap();
    for (compiler, name, standard) in
        [("cc", "a.c", "-std=c99"), ("cc", "a.c", "-std=c11"), ("c++", "a.cpp", "-std=c++11")]
    {
        for include in ["shmem", "shmemx", "mpp/shmem", "mpp/shmemx", "shmem_atomic"] {
            let file = folder.path().join(name);
            let text =
                format!("#include <{include}.h>\nint main(void) {{ return SHMEM_CMP_EQ; }}\n");
            fs::write(&file, text).unwrap();
            let checked = Command::new(compiler)
                .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", standard, "-I"])
                .arg(root().join("model/shmem/include"))
                .arg(&file)
                .status();
            assert!(checked.unwrap().success(), "{compiler} {standard} {include}");
        }
    }
    // Names for profiling are in no header, and are errors of the linker.
    let file = folder.path().join("p.c");
    fs::write(&file, "void pshmem_init(void);\nint main(void) { pshmem_init(); return 0; }\n")
        .unwrap();
    let linked = Command::new("cc")
        .arg(&file)
        .arg(built().join("libawgstar_shmem.a"))
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(folder.path().join("p"))
        .output()
        .unwrap();
    let (code, _, err) = result(&linked);
    assert!(code != 0 && err.contains("undefined reference to `pshmem_init'"), "{err}");
}

/// The functions of 1.4 are those of Debian's header.
#[test]
#[ignore = "needs Debian's OpenSHMEM"]
fn every_function_of_debians_header_is_there() {
    let header = "/usr/lib/x86_64-linux-gnu/openmpi/include/shmem.h";
    let text = fs::read_to_string(header).expect("testbench/setup.sh long installs it");
    let names: BTreeSet<String> = text
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("OSHMEM_DECLSPEC"))
        .filter_map(|line| Some(line.split_once('(')?.0.rsplit([' ', '*']).next()?.to_owned()))
        .filter(|name| name.starts_with("shmem_") && !name.starts_with("shmemx"))
        .collect();
    assert!(names.len() > 600, "{}", names.len());
    // Debian's has bitwise operations of numbers with a sign, which the specification does not have.
    let bitwise = |name: &str| {
        let of = |part| name.contains(part);
        let number = ["_int_", "_long_", "_longlong_"].into_iter().any(of);
        number && name.contains("_atomic_") && ["_and", "_or", "_xor"].into_iter().any(of)
    };
    let ours = declared("shmem");
    let missing = names.difference(&ours).filter(|name| !bitwise(name));
    // The first words of a macro.
    let missing: Vec<_> = missing.filter(|name| *name != "shmem_broadcast").collect();
    assert_eq!(missing, Vec::<&String>::new());
}

/// Both libraries: the shared one, too.
#[test]
fn a_program_with_the_shared_library_finds_the_same() {
    program("shmem/shmem");
    let folder = tempfile::tempdir().unwrap();
    let to = folder.path().join("shmem");
    let linked = Command::new("cc")
        .args(["-std=gnu99", "-O1", "-I"])
        .arg(root().join("model/shmem/include"))
        .arg(root().join("testbench/cli/tests/programs/shmem.c"))
        .arg("-L")
        .arg(built())
        .arg(format!("-Wl,-rpath,{}", built().display()))
        .args(["-lawgstar_shmem", "-lm", "-o"])
        .arg(&to)
        .status();
    assert!(linked.unwrap().success());
    assert_eq!(prints(&machine_of("gen1", "2"), &[to.to_str().unwrap()]), printed("2"));
}

/// Every family under the sanitizers of the C compiler for addresses and undefined behaviour. Static data has no
/// guards around variables: the library reads whole pages of it.
#[test]
fn no_sanitizer_finds_anything() {
    let source = root().join("testbench/cli/tests/programs/shmem.c");
    let flags =
        ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover", "--param=asan-globals=0"];
    let flags = [FLAGS, &flags].concat();
    let program = link(&source, "shmem", "awgstar_shmem", &flags, "address");
    let out = prints(&machine_of("gen1", "2"), &[program.to_str().unwrap()]);
    assert_eq!(out, printed("2"));
}

#[test]
#[ignore = "a minute"]
fn valgrind_finds_nothing() {
    let valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "@shmem/shmem"];
    assert_eq!(prints(&machine_of("gen1", "2"), &valgrind), printed("2"));
}
