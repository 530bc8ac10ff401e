// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs with ARMCI and the small MPI: their results on every machine, those of Debian's library, wrong use.

use super::{
    Wrong, killed_at_any_moment, link, machine_of, of_debian, prints, program, result, root, run,
    without_times, wrong_uses,
};
use crate::libraries::built;
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

pub(super) const EXAMPLES: [&str; 4] = ["ga_sync", "lock", "matmul", "mcs"];

/// Programs of the interface alone, with small arguments.
const SMALL: [&[&str]; 4] =
    [&["@ga_sync", "3"], &["@ga_sync", "3", "fence"], &["@lock", "5"], &["@matmul", "16", "4"]];

#[test]
fn the_examples_find_their_results() {
    find_their_results(&["1", "3"]);
}

#[test]
#[ignore = "a minute: more processes"]
fn the_examples_find_their_results_on_more_nodes() {
    find_their_results(&["2", "5", "16"]);
}

fn find_their_results(sizes: &[&'static str]) {
    for name in ["ring", "gen1", "cluster"] {
        for &nodes in sizes {
            let on = machine_of(name, nodes);
            for words in &SMALL[..2] {
                let expected = format!("{nodes} processes, 3 synchronizations, 0 wrong values\n");
                assert_eq!(prints(&on, words), expected, "{name}");
            }
            let times: u32 = nodes.parse().unwrap();
            let expected =
                format!("{nodes} processes, 5 repetitions: the counter is {}\n", 5 * times);
            assert_eq!(prints(&on, SMALL[2]), expected, "{name}");
            let expected =
                format!("16 x 16 in blocks of 4 on {nodes} processes: sum 617, 0 wrong\n");
            assert_eq!(prints(&on, SMALL[3]), expected, "{name}");
            let expected =
                format!("{nodes} processes, 3 times each: the counter is {}\n", 3 * times);
            assert_eq!(prints(&on, &["@mcs", "3"]), expected, "{name}");
        }
    }
    // One process that contends: its own lock, and that of another.
    for alone in ["0", "1"] {
        let out = prints(&machine_of("ring", "2"), &["@lock", "20", alone, alone]);
        assert_eq!(out, "2 processes, 20 repetitions: the counter is 20\n");
    }
}

/// A program with Debian's library.
fn with_debians(name: &str) -> PathBuf {
    let folder = if EXAMPLES.contains(&name) {
        "model/armci/examples"
    } else {
        "testbench/cli/tests/programs"
    };
    let to = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("programs/debian");
    fs::create_dir_all(&to).unwrap();
    let to = to.join(name);
    let compiled = Command::new("mpicc")
        .args(["-std=gnu99", "-Wall", "-Wextra", "-Werror", "-O1", "-ffp-contract=off"])
        .arg(root().join(folder).join(name).with_extension("c"))
        .args(["-larmci-openmpi", "-lm", "-o"])
        .arg(&to)
        .status()
        .expect("mpicc: testbench/setup.sh long installs it");
    assert!(compiled.success(), "{name}");
    to
}

/// What a program prints with Debian's library. Its Open MPI cannot have windows of two groups at a time by its fast
/// way, and cuts a reduction of ARMCI's into pieces for many processes (`docs/armci.md`).
fn debian_prints(program: &Path, nodes: &str, arguments: &[&str]) -> String {
    let output = of_debian("mpirun", nodes)
        .arg(program)
        .args(arguments)
        .env("OMPI_MCA_osc", "pt2pt")
        .env("OMPI_MCA_coll", "^tuned")
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .output()
        .expect("mpirun: testbench/setup.sh long installs it");
    let (code, out, err) = result(&output);
    assert_eq!(code, 0, "{} {nodes}: {out}{err}", program.display());
    without_times(&out)
}

/// Every family of functions leaves the same memory as with Debian's library: the same program prints the same
/// digests.
fn families(machines: &[(&'static str, &'static str)]) {
    let debians = with_debians("armci");
    for &(name, nodes) in machines {
        let expected = debian_prints(&debians, nodes, &[]);
        assert!(
            expected.ends_with("\n0 failures\n") && expected.lines().count() == 17,
            "{expected}"
        );
        assert_eq!(prints(&machine_of(name, nodes), &["@armci"]), expected, "{name} {nodes}");
    }
}

/// What Debian's library printed: `testbench/fixtures`.
fn printed(nodes: &str) -> String {
    let file = format!("testbench/fixtures/armci-{nodes}.txt");
    fs::read_to_string(root().join(file)).unwrap()
}

/// Every family of functions leaves the same memory as it did with Debian's library.
#[test]
fn every_family_prints_what_it_did_with_debians_library() {
    for (name, nodes) in [("ring", "2"), ("gen1", "3"), ("cluster", "3")] {
        assert_eq!(prints(&machine_of(name, nodes), &["@armci"]), printed(nodes), "{name}");
    }
}

#[test]
#[ignore = "needs Debian's ARMCI"]
fn what_debians_library_printed_is_what_it_prints() {
    let debians = with_debians("armci");
    for nodes in ["2", "3"] {
        assert_eq!(debian_prints(&debians, nodes, &[]), printed(nodes));
    }
}

#[test]
#[ignore = "minutes, and Debian's ARMCI"]
fn every_family_is_as_with_debians_library_on_more_nodes() {
    families(&[("ring", "3"), ("ring", "4"), ("ring", "8"), ("ring", "16")]);
    families(&[("gen1", "2"), ("gen1", "5"), ("gen1", "16")]);
    families(&[("cluster", "2"), ("cluster", "5"), ("cluster", "16")]);
}

fn examples(sizes: &[&'static str]) {
    for words in SMALL {
        let debians = with_debians(words[0].trim_start_matches('@'));
        for &nodes in sizes {
            let expected = debian_prints(&debians, nodes, &words[1..]);
            for name in ["ring", "gen1", "cluster"] {
                assert_eq!(prints(&machine_of(name, nodes), words), expected, "{name} {words:?}");
            }
        }
    }
}

#[test]
#[ignore = "a minute, and Debian's ARMCI"]
fn the_examples_are_as_with_debians_library() {
    examples(&["2", "3", "8"]);
}

/// A case of `armci_wrong.c`, its exit code, and what it says.
#[rustfmt::skip]
const WRONG: [Wrong; 80] = [
    ("abort", 1, "armci_msg_abort: code 0"),
    ("acc unaligned", 1, "ARMCI_Acc: argument `dst`: "),
    ("access", 1, "ARMCI_Access_end: argument `ptr`: "),
    ("access other", 1, "ARMCI_Access_begin: argument `ptr`: "),
    ("access twice", 1, "ARMCI_Access_begin: argument `ptr`: "),
    ("across", 1, "ARMCI_Get: argument `src`: 200 bytes at "),
    ("after", 1, "ARMCI_Barrier: ARMCI does not run: expected between ARMCI_Init and ARMCI_Finalize"),
    ("all group", 1, "ARMCI_Group_free: argument `group`: the group of all processes, expected another group"),
    ("alone", 5, "MPI_Abort: code 5"),
    ("before", 1, "ARMCI_Get: argument `src`: 1 bytes at "),
    ("before start", 1, "ARMCI_Barrier: ARMCI does not run: expected between ARMCI_Init and ARMCI_Finalize"),
    ("box", 1, "ARMCI_PutS: argument `dst`: 1 bytes at "),
    ("bytes", 1, "ARMCI_Malloc: argument `bytes`: -1, expected 0 or more"),
    ("comm", 1, "MPI_Barrier: argument `comm`: communicator 16, expected MPI_COMM_WORLD"),
    ("datatype", 1, "ARMCI_Acc: argument `datatype`: 6, expected ARMCI_ACC_INT to ARMCI_ACC_DCP"),
    ("destroy locked", 1, "ARMCI_Destroy_mutexes: a mutex is still locked"),
    ("domain", 1, "armci_domain_id: argument `domain`: 1, expected ARMCI_DOMAIN_SMP"),
    ("end locked", 1, "ARMCI_Finalize: a mutex is still locked"),
    ("error", 7, "ARMCI_Error: it is enough (code 7)"),
    ("fence", 1, "ARMCI_Fence: argument `proc`: -1, expected 0 to 2"),
    ("flag", 1, "ARMCI_Put_flag: argument `flag`: "),
    ("free", 1, "ARMCI_Free: argument `ptr`: "),
    ("freed group", 1, "armci_msg_group_barrier: argument `group`: number 17, expected a group with this process"),
    ("handle", 1, "ARMCI_Wait: argument `hdl`: null pointer"),
    ("helper", 1, "armci_write_strided: argument `stride_levels`: 9, expected 0 to 8"),
    ("large box", 1, "ARMCI_GetS: argument `count`: [1073741824, "),
    ("length", 1, "armci_msg_bcast: argument `len`: 4 bytes, expected the 8 bytes that another process gave"),
    ("lengths", 1, "armci_msg_dgop: message of 0 bytes: expected 8"),
    ("levels", 1, "ARMCI_PutS: argument `stride_levels`: 9, expected 0 to 8"),
    ("local", 1, "ARMCI_Free_local: argument `ptr`: "),
    ("member", 1, "ARMCI_Absolute_id: argument `group_rank`: 3, expected 0 to 2"),
    ("members", 1, "ARMCI_Group_create: argument `pid_list`: 0, expected 0 to 2, each once"),
    ("mpi abort", 3, "MPI_Abort: code 3"),
    ("mpi before", 1, "MPI_Comm_rank: MPI does not run: expected between MPI_Init and MPI_Finalize"),
    ("mpi count", 1, "MPI_Bcast: argument `count`: -8, expected 0 or more"),
    ("mpi op", 1, "MPI_Allreduce: argument `op`: 5, expected an operation of mpi.h that the type has"),
    ("mpi root", 1, "MPI_Bcast: argument `root`: -1, expected 0 to 2"),
    ("mpi type", 1, "MPI_Bcast: argument `datatype`: 99, expected a type of mpi.h"),
    ("mutex number", 1, "ARMCI_Lock: argument `mutex`: 2, expected one of the 2 mutexes of process 0"),
    ("mutex other", 1, "ARMCI_Unlock: argument `mutex`: 0, expected a mutex that this process has locked"),
    ("mutex process", 1, "ARMCI_Lock: argument `proc`: 3, expected 0 to 2"),
    ("mutex twice", 1, "ARMCI_Lock: argument `mutex`: 1, expected a mutex that this process has not locked"),
    ("mutex unlock", 1, "ARMCI_Unlock: argument `mutex`: 0, expected a mutex that this process has locked"),
    ("mutexes many", 1, "ARMCI_Create_mutexes: argument `count`: 70000, expected 21845 in all sets of a process"),
    ("mutexes twice", 1, "ARMCI_Create_mutexes: a second time: expected ARMCI_Destroy_mutexes before"),
    ("negative", 1, "ARMCI_Get: argument `bytes`: -8, expected 0 or more"),
    ("no levels", 1, "ARMCI_GetS: argument `stride_levels`: -1, expected 0 to 8"),
    ("no mutexes", 1, "ARMCI_Destroy_mutexes: no mutexes: expected ARMCI_Create_mutexes before"),
    ("no set", 1, "ARMCI_Lock: no mutexes: expected ARMCI_Create_mutexes before"),
    ("no strides", 1, "ARMCI_PutS: argument `src_stride_ar`: null pointer"),
    ("null", 1, "ARMCI_Put: argument `src`: null pointer"),
    ("null target", 1, "ARMCI_Put: argument `dst`: 8 bytes at 0x0 of process 0, expected bytes of one allocation"),
    ("null value", 1, "ARMCI_Rmw: argument `ploc`: null pointer"),
    ("numbers", 1, "ARMCI_Acc: argument `bytes`: 12, expected whole numbers of 8 bytes"),
    ("of another", 1, "ARMCI_Put: argument `dst`: 8 bytes at "),
    ("op", 1, "armci_msg_igop: argument `op`: xor, expected +, *, min, max, absmin, absmax, or `or` of integers"),
    ("op of type", 1, "armci_msg_dgop: argument `op`: or, expected +, *, min, max, absmin, absmax, or `or` of"),
    ("pair", 1, "AWGSTAR_ARMCI_Fetch_pair: argument `prem`: 16 bytes at "),
    ("process", 1, "ARMCI_Put: argument `proc`: 3, expected 0 to 2"),
    ("range", 1, "ARMCI_Put: argument `dst`: 8 bytes at "),
    ("rmw", 1, "ARMCI_Rmw: argument `op`: 4, expected ARMCI_FETCH_AND_ADD to ARMCI_SWAP_LONG"),
    ("room", 1, "ARMCI_Malloc: argument `bytes`: 1099511627776 bytes for process 0, expected room in a segment"),
    ("room for it", 1, "armci_msg_rcv: argument `buflen`: 4 bytes, expected 8 or more"),
    ("scale", 1, "ARMCI_Acc: argument `scale`: null pointer"),
    ("scope", 1, "armci_msg_gop_scope: argument `scope`: 3, expected SCOPE_ALL, SCOPE_NODE or SCOPE_MASTERS"),
    ("sel", 1, "armci_msg_sel: argument `op`: +, expected min or max"),
    ("start comm", 1, "ARMCI_Init_thread_comm: argument `comm`: communicator 0, expected MPI_COMM_WORLD"),
    ("start mpi", 1, "MPI_Init: a second time"),
    ("strange", 1, "ARMCI_Put: argument `dst`: 8 bytes at "),
    ("strange group", 1, "armci_msg_group_barrier: argument `group`: number 0, expected a group with this process"),
    ("tag", 1, "armci_msg_snd: argument `tag`: -1, expected 0 to 1073741823"),
    ("threads", 1, "ARMCI_Init_thread: argument `armci_requested`: 3, expected MPI_THREAD_SERIALIZED or less"),
    ("to", 1, "armci_msg_snd: argument `to`: 3, expected 0 to 2"),
    ("twice", 1, "ARMCI_Free: argument `ptr`: "),
    ("type", 1, "armci_msg_gop_scope: argument `type`: 5, expected ARMCI_INT to ARMCI_DOUBLE"),
    ("unaligned", 1, "ARMCI_Rmw: argument `prem`: "),
    ("value", 1, "ARMCI_PutValueDouble: argument `dst`: 8 bytes at "),
    ("vector", 1, "ARMCI_PutV: argument `dst`: 8 bytes at "),
    ("vectors", 1, "ARMCI_PutV: argument `iov`: null pointer"),
    ("wait proc", 1, "ARMCI_WaitProc: argument `proc`: 3, expected 0 to 2"),
];

/// Many puts of 8 bytes from each process to all others, and one to the end of the memory.
fn puts(nodes: usize, count: usize, memory: &str, part: &str) {
    for name in ["ring", "gen1", "cluster"] {
        let nodes = nodes.to_string();
        let memory = if name == "gen1" { vec![] } else { vec!["--memory", memory] };
        let machine = [&["-n", &nodes, "--machine", name], &memory[..], &["--"]].concat();
        let found = prints(&machine, &["@puts", &count.to_string(), part]);
        let expected = format!("{count} puts of each of {nodes} processes, 0 wrong\n");
        assert_eq!(found, expected, "{name}");
    }
}

#[test]
fn puts_are_where_they_belong() {
    puts(4, 500, "2M", "0x10000");
    // 512 MB: what no process writes takes no memory.
    puts(4, 20, "512M", "0x7800000");
}

#[test]
#[ignore = "minutes: a million puts"]
fn a_million_puts_end() {
    puts(16, 62_500, "4M", "0x10000");
}

#[test]
fn wrong_use_ends_the_run() {
    wrong_uses("armci_wrong", "MPI_Init", &WRONG, |_| true);
}

/// A process killed at any moment ends the run.
#[test]
fn a_killed_process_ends_the_run() {
    killed_at_any_moment(&["@armci_wrong", "work"]);
}

const HEADERS: [&str; 5] = ["armci", "armcix", "message", "awgstar_armci", "mpi"];

/// The names of functions that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let starts = ["ARMCI", "PARMCI", "armci_", "parmci_", "MPI_", "AWGSTAR_"];
    let mut names = BTreeSet::new();
    for line in header.lines().filter(|line| !line.starts_with(['#', '/', ' '])) {
        let Some((before, _)) = line.split_once('(') else { continue };
        let name = before.rsplit([' ', '*']).next().unwrap();
        if before != name && starts.iter().any(|start| name.starts_with(start)) {
            names.insert(name.to_owned());
        }
    }
    names
}

fn header(name: &str) -> String {
    fs::read_to_string(root().join("model/armci/include").join(name).with_extension("h")).unwrap()
}

/// The headers declare what the library has; C99 and C++ take them in any order.
#[test]
fn the_headers_are_those_of_the_library() {
    program("armci");
    let symbols = Command::new("nm")
        .args(["--defined-only", "--dynamic"])
        .arg(built().join("libawgstar_armci.so"))
        .output()
        .unwrap();
    let (_, symbols, _) = result(&symbols);
    let ours = symbols.lines().filter_map(|line| line.split(' ').next_back());
    let ours: BTreeSet<String> = ours
        .filter(|name| name.contains("ARMCI") || name.contains("armci_") || name.contains("MPI_"))
        .map(str::to_owned)
        .collect();
    let declared: BTreeSet<String> =
        HEADERS.iter().flat_map(|name| declared(&header(name))).collect();
    assert_eq!(ours, declared);
    assert_eq!(declared.len(), 85 + 8 + 30 + 5 + 17 + 58);
    let folder = tempfile::tempdir().unwrap();
    for first in HEADERS {
        for (compiler, name, standard) in
            [("cc", "a.c", "-std=c99"), ("c++", "a.cpp", "-std=c++11")]
        {
            let file = folder.path().join(name);
            let rest = HEADERS.join(".h>\n#include <");
            let text = format!(
                "#include <{first}.h>\n#include <{rest}.h>\nint main(void) {{ return MPI_SUCCESS; }}\n"
            );
            fs::write(&file, text).unwrap();
            let checked = Command::new(compiler)
                .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", standard, "-I"])
                .arg(root().join("model/armci/include"))
                .arg(&file)
                .status();
            assert!(checked.unwrap().success(), "{compiler} {first}");
        }
    }
}

/// What Debian's headers declare and the library does not have.
const MISSING: [&str; 15] = [
    "ARMCI_Free_memdev",
    "ARMCI_Malloc_group_memdev",
    "ARMCI_Malloc_memdev",
    "PARMCI_Free_memdev",
    "PARMCI_Malloc_group_memdev",
    "PARMCI_Malloc_memdev",
    "armci_exchange_address",
    "armci_exchange_address_grp",
    "armci_grp_clus_brdcst",
    "armci_msg_clus_brdcst",
    "armci_msg_clus_dgop",
    "armci_msg_clus_fgop",
    "armci_msg_clus_igop",
    "armci_msg_clus_lgop",
    "armci_msg_clus_llgop",
];

/// The interface is whole: every function of Debian's headers is here but those that the page names.
#[test]
#[ignore = "needs Debian's ARMCI"]
fn every_function_of_debians_headers_is_there() {
    let page = fs::read_to_string(root().join("docs/armci.md")).unwrap();
    let mut missing = BTreeSet::new();
    for name in ["armci", "armcix", "message"] {
        let debians = fs::read_to_string(Path::new("/usr/include").join(name).with_extension("h"));
        let debians = debians.expect("libarmci-mpi-dev: testbench/setup.sh long installs it");
        // A comment may be before a declaration, and spaces before the name.
        let debians: String = debians
            .lines()
            .map(|line| line.trim_start_matches("/* TODO */ ").to_owned() + "\n")
            .collect();
        let debians = declared(&debians);
        assert!(debians.len() >= 8, "{name}: {debians:?}");
        let ours: BTreeSet<String> =
            HEADERS.iter().flat_map(|name| declared(&header(name))).collect();
        missing.extend(debians.difference(&ours).cloned());
    }
    assert_eq!(missing, MISSING.map(str::to_owned).into());
    for name in MISSING.iter().filter(|name| !name.starts_with('P')) {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    // One that is missing is an error of the linker, with its name.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.c");
    fs::write(
        &file,
        "void armci_msg_clus_igop(int *x, int n, char *op);\nint MPI_Send(void);\n\
         int main(void) { armci_msg_clus_igop(0, 0, 0); return MPI_Send(); }\n",
    )
    .unwrap();
    program("armci");
    let linked = Command::new("cc")
        .arg(&file)
        .arg(built().join("libawgstar_armci.a"))
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(folder.path().join("a"))
        .output()
        .unwrap();
    let (code, _, err) = result(&linked);
    for name in ["armci_msg_clus_igop", "MPI_Send"] {
        assert!(code != 0 && err.contains(&format!("undefined reference to `{name}'")), "{err}");
    }
}

/// A program that measures puts functions in place of those of the shared library.
#[test]
fn functions_can_be_measured() {
    let folder = tempfile::tempdir().unwrap();
    let (file, to) = (folder.path().join("a.c"), folder.path().join("a"));
    fs::write(
        &file,
        "#include <armci.h>\n#include <stdio.h>\nstatic int puts_, barriers;\n\
         int ARMCI_Put(void *s, void *d, int n, int p) { puts_++; return PARMCI_Put(s, d, n, p); }\n\
         void ARMCI_Barrier(void) { barriers++; PARMCI_Barrier(); }\n\
         int main(void) {\n  void *part[2];\n  int word = 7;\n  ARMCI_Init();\n  ARMCI_Malloc(part, 4);\n\
         \x20 int me = armci_msg_me();\n  ARMCI_Put(&word, part[1 - me], 4, 1 - me);\n  ARMCI_Barrier();\n\
         \x20 printf(\"%d %d %d\\n\", *(int *)part[me], puts_, barriers);\n  ARMCI_Finalize();\n  return 0;\n}\n",
    )
    .unwrap();
    program("armci");
    let linked = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-I"])
        .arg(root().join("model/armci/include"))
        .arg(&file)
        .arg("-L")
        .arg(built())
        .arg(format!("-Wl,-rpath,{}", built().display()))
        .args(["-lawgstar_armci", "-o"])
        .arg(&to)
        .status();
    assert!(linked.unwrap().success());
    let (code, out, err) = run(&["-n", "2", "--memory", "1M", "--", to.to_str().unwrap()]);
    assert_eq!((code, out.as_str()), (0, "7 1 1\n7 1 1\n"), "{err}");
}

/// The checks of every family under the sanitizers of the C compiler for addresses and undefined behaviour. That for threads maps memory where the segments are.
#[test]
fn no_sanitizer_finds_anything() {
    let source = root().join("testbench/cli/tests/programs/armci.c");
    let flags = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"];
    let program = link(&source, "armci", "awgstar_armci", &flags, "address");
    let out = prints(&machine_of("gen1", "2"), &[program.to_str().unwrap()]);
    assert!(out.ends_with("\n0 failures\n"), "{out}");
}

#[test]
#[ignore = "a minute"]
fn valgrind_finds_nothing() {
    let valgrind = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full", "@armci"];
    let out = prints(&machine_of("gen1", "2"), &valgrind);
    assert!(out.ends_with("\n0 failures\n"), "{out}");
}
