// SPDX-License-Identifier: MIT OR Apache-2.0
//! Programs and options that are refused before anything runs.

use super::{built, compile, output, root};
use assert_cmd::cargo::CommandCargoExt;
use std::{fs, os::unix::fs::PermissionsExt, path::Path, process::Command};

fn refusal(args: &[&str]) -> (i32, String) {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.args(["run", "--openmp"]).args(args);
    let (code, _, err) = output(&mut command, "");
    (code, err)
}

fn expect(program: &Path, text: &str) {
    let (code, err) = refusal(&["-n", "2", "--", program.to_str().unwrap()]);
    assert!(code == 2 && err.contains(text), "{}: {code} {err}", program.display());
}

/// A program with other bytes in the place of some.
fn changed(from: &str, to: &Path, old: &[u8], new: &[u8]) {
    let mut bytes = fs::read(built().join(from)).unwrap();
    let at = bytes.windows(old.len()).position(|part| part == old).unwrap();
    bytes[at..at + new.len()].copy_from_slice(new);
    fs::write(to, bytes).unwrap();
    fs::set_permissions(to, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn programs_that_cannot_run() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    compile("gcc", &["-fopenmp", "-static"], "programs/pi.c", &file("static"));
    expect(&file("static"), "is linked statically: --openmp needs a dynamically linked program");
    compile("gcc", &[], "programs/matmul.c", &file("serial"));
    expect(&file("serial"), "does not use libgomp: compile with gcc -fopenmp");
    // What clang -fopenmp=libgomp makes: linked with libgomp, and without a call of it.
    let linked = ["-Wl,--no-as-needed", "-lgomp"];
    compile("gcc", &linked, "programs/matmul.c", &file("ignored"));
    expect(&file("ignored"), "is linked with libgomp, but begins no parallel region (clang");
    compile("gcc", &["-fopenmp", "-DNUMBERS=(1<<27)"], "programs/circles.c", &file("large"));
    expect(
        &file("large"),
        "bytes of thread-local variables (threadprivate): --openmp has room for 805306368",
    );
    changed("pi", &file("clang"), b"libgomp.so.1\0", b"libomp.so.5\0\0");
    expect(&file("clang"), "uses the OpenMP library of clang");
    changed("pi", &file("narrow"), b"\x7fELF\x02", b"\x7fELF\x01");
    expect(&file("narrow"), "is a 32-bit program");
    let mut arm = fs::read(built().join("pi")).unwrap();
    arm[18] = 183;
    fs::write(file("arm"), arm).unwrap();
    expect(&file("arm"), "is not a program for x86-64");
    fs::write(file("script"), "#!/bin/sh\n").unwrap();
    expect(&file("script"), "is no ELF program");
    expect(&file("absent"), "absent");
    let (code, err) = refusal(&["-n", "2", "--", "no-such-program"]);
    assert!(code == 2 && err.contains("`no-such-program`: not found"), "{code} {err}");
}

/// A function of libc that is not in the list could keep state in one process, or be written to by the system.
#[test]
fn functions_of_libc_that_are_not_known() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("unknown");
    compile("gcc", &["-fopenmp"], "programs/unknown.c", &program);
    let (code, err) = refusal(&["-n", "2", "--", program.to_str().unwrap()]);
    let text = "the program uses inet_ntoa of libc, which is not known to work on the ring";
    assert!(code == 1 && err.contains(text), "{code} {err}");
}

/// libgomp refuses the value, too. A number of 32 bits would lose its upper half on the way to other threads.
#[test]
fn schedules_that_are_too_large() {
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.args(["run", "--openmp", "-n", "2", "--"]).arg(built().join("constructs"));
    command.arg("for_runtime").env("OMP_SCHEDULE", "static,4294967296");
    let (code, _, err) = output(&mut command, "");
    assert!(code == 1 && err.contains("expected a number of iterations up to"), "{code} {err}");
}

/// The loader would take a path with a space or a colon for several. A library that it cannot load it leaves out,
/// and the program runs as without the command.
#[test]
fn the_library_is_loaded_from_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("a b:c");
    fs::create_dir(&place).unwrap();
    let command = Path::new(env!("CARGO_BIN_EXE_awgstar"));
    let library = "libawgstar_openmp.so";
    fs::copy(command, place.join("awgstar")).unwrap();
    fs::copy(command.with_file_name(library), place.join(library)).unwrap();
    let run = || {
        let mut command = Command::new(place.join("awgstar"));
        let pi = built().join("pi");
        output(command.args(["run", "--openmp", "-n", "2", "--report", "--"]).arg(pi), "")
    };
    let (code, _, err) = run();
    assert!(code == 0 && err.contains("| 1 |"), "{code} {err}");
    fs::write(place.join(library), "no library").unwrap();
    let (code, _, err) = run();
    assert!(
        code == 2 && err.contains("was not loaded: the threads of the program"),
        "{code} {err}"
    );
}

#[test]
fn options_that_make_no_sense() {
    let pi = built().join("pi");
    let pi = pi.to_str().unwrap();
    for (args, text) in [
        (&["-n", "0", "--", pi][..], "expected 1 to 256"),
        (&["-n", "2", "--order", "none", "--", pi], "order is none: --openmp needs confirmed"),
        (&["-n", "2", "--order", "sent", "--machine", "gen1", "--", pi], "order is sent"),
        (&["-n", "65", "--", pi], "--openmp has 1 to 64 nodes"),
        (&["-n", "257", "--", pi], "expected 1 to 256"),
        (&["-n", "1", "--", pi, ":", "-n", "1", "/bin/true"], "one program on all nodes"),
        (&["-n", "2", "--prefix", "--", pi], "cannot be used with"),
        (&["-n", "2", "--races", "never", "--", pi], "invalid value 'never'"),
    ] {
        let (code, err) = refusal(args);
        assert!(code == 2 && err.contains(text), "{args:?}: {code} {err}");
    }
    let mut command = Command::cargo_bin("awgstar").unwrap();
    command.args(["run", "-n", "2", "--audit", "--", pi]);
    let (code, _, err) = output(&mut command, "");
    assert!(code == 2 && err.contains("--openmp"), "{code} {err}");
}

/// The library is looked for beside the command, and does nothing without it.
#[test]
fn the_library_and_the_command_belong_together() {
    let folder = tempfile::tempdir().unwrap();
    let alone = folder.path().join("awgstar");
    fs::copy(env!("CARGO_BIN_EXE_awgstar"), &alone).unwrap();
    let mut command = Command::new(&alone);
    command.args(["run", "--openmp", "-n", "2", "--"]).arg(built().join("pi"));
    let (code, _, err) = output(&mut command, "");
    assert!(code == 2 && err.contains("libawgstar_openmp.so is missing"), "{code} {err}");
    let name = "libawgstar_openmp.so";
    // The loader would split a path with a space.
    let library = folder.path().join(name);
    fs::copy(Path::new(env!("CARGO_BIN_EXE_awgstar")).with_file_name(name), &library).unwrap();
    let mut command = Command::new(built().join("pi"));
    let (code, _, err) = output(command.env("LD_PRELOAD", library), "");
    assert!(
        code == 1 && err.contains("start the program with `awgstar run --openmp"),
        "{code} {err}"
    );
}

/// Each entry point of the libgomp of this computer is the library's: none falls through to it.
#[test]
fn every_entry_point_of_libgomp_is_taken() {
    let library = Path::new(env!("CARGO_BIN_EXE_awgstar")).with_file_name("libawgstar_openmp.so");
    let _ = (built(), root());
    let (_, libgomp, _) = output(Command::new("gcc").arg("-print-file-name=libgomp.so.1"), "");
    let names = |path: &Path| {
        let (code, out, err) =
            output(Command::new("nm").args(["-D", "--defined-only"]).arg(path), "");
        assert_eq!(code, 0, "{err}");
        let name = |line: &str| {
            line.split_whitespace().last().map(|name| name.split('@').next().unwrap().to_owned())
        };
        out.lines().filter_map(name).collect::<std::collections::BTreeSet<String>>()
    };
    let own = names(&library);
    let theirs = names(Path::new(libgomp.trim()));
    let entry = |name: &&String| {
        let digit = name
            .split('_')
            .nth(1)
            .is_none_or(|part| part.starts_with(|c: char| c.is_ascii_digit()));
        !digit
            && (name.starts_with("omp_")
                || name.starts_with("GOMP_") && !name.starts_with("GOMP_PLUGIN"))
    };
    let missing: Vec<&String> =
        theirs.iter().filter(entry).filter(|name| !own.contains(*name)).collect();
    assert!(theirs.len() > 300 && missing.is_empty(), "{missing:?}");
}
