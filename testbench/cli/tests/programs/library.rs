// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C library: its errors, its installation, sanitizers.

use super::{link, program, result, root, run};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

#[test]
fn every_error_has_a_code_and_a_text() {
    let (code, out, err) = run(&["-n", "3", "--", "@wrong", "errors"]);
    assert_eq!((code, out.as_str(), err.as_str()), (0, "", ""));
    assert!(Command::new(program("wrong")).arg("alone").status().unwrap().success());
    let (_, texts, _) = result(&Command::new(program("wrong")).arg("texts").output().unwrap());
    let texts: Vec<&str> = texts.lines().collect();
    assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), 26, "{texts:?}");
    assert_eq!(texts[22], "expected a signal from 0 to 65535");
    assert_eq!(texts[24], "address and bytes of a far access must be multiples of 4");
    assert!(texts[25].contains("not an error code"));
    // C++ takes it.
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.cpp");
    std::fs::write(&file, "#include <awgstar.h>\nint main() { return awg_init(); }\n").unwrap();
    let cpp = Command::new("c++")
        .args(["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic", "-I"])
        .arg(root().join("model/capi/include"))
        .arg(&file)
        .status()
        .unwrap();
    assert!(cpp.success());
}

/// A C program of ours with these flags of the compiler, as `name` in `folder`.
fn compile(source: &str, flags: &[&str], folder: &Path) -> PathBuf {
    let to = folder.join("program");
    let library = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap().join("libawgstar.a");
    // It is built with the others.
    program("wrong");
    let done = Command::new("cc")
        .args(["-std=gnu99", "-g", "-I"])
        .arg(root().join("model/capi/include"))
        .args(flags)
        .arg(root().join(source))
        .arg(library)
        .args(["-lm", "-lpthread", "-ldl", "-o"])
        .arg(&to)
        .status()
        .unwrap();
    assert!(done.success(), "{source} {flags:?}");
    to
}

/// The functions of the library under valgrind and the sanitizers of the C compiler. The thread sanitizer
/// holds signals back until a call of the C library, so `handler` is left out there.
#[test]
fn no_sanitizer_finds_anything() {
    let folder = tempfile::tempdir().unwrap();
    let all = ["errors", "posted", "fork", "threads"];
    for flags in
        [&["-fsanitize=address,undefined", "-fno-sanitize-recover"][..], &["-fsanitize=thread"]]
    {
        let program = compile("testbench/cli/tests/programs/wrong.c", flags, folder.path());
        for mode in all {
            let result = run(&["-n", "2", "--", program.to_str().unwrap(), mode]);
            assert_eq!(result, (0, String::new(), String::new()), "{flags:?} {mode}");
        }
    }
    for mode in all {
        let valgrind =
            ["-n", "2", "--", "valgrind", "-q", "--error-exitcode=9", "--leak-check=full"];
        let result = run(&[&valgrind[..], &["@wrong", mode]].concat());
        assert_eq!(result, (0, String::new(), String::new()), "valgrind {mode}");
    }
    // They do find what is there: a read beyond the end of the word that the library fills.
    let bad = folder.path().join("bad.c");
    std::fs::write(
        &bad,
        "#include <awgstar.h>\n#include <stdlib.h>\nint main(void) {\n  uint32_t *word = malloc(4);\n  \
         if (awg_init() || awg_read(0, word, 4)) return 1;\n  int found = word[1] == 7;\n  \
         return found | awg_finalize();\n}\n",
    )
    .unwrap();
    let program = compile(bad.to_str().unwrap(), &["-fsanitize=address"], folder.path());
    let (code, _, err) = run(&["-n", "2", "--", program.to_str().unwrap()]);
    assert!(code != 0 && err.contains("heap-buffer-overflow"), "{code} {err}");
}

/// The examples of both libraries, with valgrind and with the sanitizers of the C compiler; trapped windows are left
/// out.
#[test]
#[ignore = "one and a half minutes"]
fn no_sanitizer_finds_anything_in_the_examples() {
    let capi: [(&str, &[&str]); 10] = [
        ("examples/pi", &["1000"]),
        ("examples/counter", &["3"]),
        ("examples/halo", &["5"]),
        ("examples/halo", &["5", "mapped"]),
        ("examples/lu", &["9"]),
        ("examples/allreduce", &["16"]),
        ("examples/mandelbrot", &["12", "50", "rows"]),
        ("examples/producer", &["5"]),
        ("replica", &["equal"]),
        ("replica", &["later"]),
    ];
    let rfm2g: [(&str, &[&str]); 5] = [
        ("examples/block", &["3", "2"]),
        ("examples/callback", &["4"]),
        ("examples/polling", &["2", "3"]),
        ("examples/control", &["30"]),
        ("flush", &[]),
    ];
    let tests = "testbench/cli/tests/programs";
    for (under, flags) in [
        ("address", &["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover"][..]),
        ("thread", &["-g", "-fsanitize=thread"]),
        ("valgrind", &["-g"]),
    ] {
        for (of, library, all) in [("capi", "awgstar", &capi[..]), ("rfm2g", "rfm2g", &rfm2g)] {
            // What valgrind tells a handler of a fault has no kind of access.
            let known = |name: &str| under != "valgrind" || name != "flush";
            for (name, args) in all.iter().filter(|(name, _)| known(name)) {
                let folder = if name.contains('/') { format!("model/{of}") } else { tests.into() };
                let source = root().join(folder).join(name).with_extension("c");
                let program = link(&source, of, library, flags, under);
                let mut words = vec!["-n", if *name == "examples/control" { "4" } else { "2" }];
                words.extend(["--memory", "16M", "--mapped", "flush", "--"]);
                let check = ["valgrind", "-q", "--error-exitcode=9", "--leak-check=full"];
                words.extend(check.iter().filter(|_| under == "valgrind"));
                words.push(program.to_str().unwrap());
                words.extend(*args);
                let (code, out, err) = run(&words);
                assert_eq!((code, err.as_str()), (0, ""), "{under} {name}: {out}");
            }
        }
    }
}

/// The installed library: a program finds it by the flags of the pkg-config file, in a path with a space.
#[test]
fn the_library_is_installed() {
    let folder = tempfile::tempdir().unwrap();
    let prefix = folder.path().join("a prefix");
    program("halo");
    let built = Path::new(env!("CARGO_BIN_EXE_awgstar")).parent().unwrap();
    let install = Command::new("sh")
        .arg(root().join("model/capi/install.sh"))
        .arg(&prefix)
        .arg(built)
        .status()
        .unwrap();
    assert!(install.success());
    let pages: &[&str] = &["--machine", "cluster", "--coherence", "fdsm"];
    for (library, source, options, start) in [
        ("awgstar", "model/capi/examples/halo.c", &[][..], "sum 1000000"),
        ("rfm2g", "model/rfm2g/examples/block.c", &[], "3 rounds with 1 nodes"),
        (
            "awgstar_armci",
            "model/armci/examples/mcs.c",
            &[],
            "2 processes, 3 times each: the counter is 6",
        ),
        (
            "awgstar_fdsm",
            "model/fdsm/examples/histogram.c",
            pages,
            "3 squares end with 1 1 0 0 1 0 0 0 0 0",
        ),
    ] {
        let file = prefix.join("lib/pkgconfig").join(library).with_extension("pc");
        let file = std::fs::read_to_string(file).unwrap();
        let value = |key: &str| {
            let line = file.lines().find_map(|line| line.strip_prefix(key));
            line.unwrap_or_else(|| panic!("{key} in {file}")).trim().to_owned()
        };
        assert_eq!(value("prefix="), prefix.to_str().unwrap());
        let flags = format!("{} {}", value("Cflags:"), value("Libs:"));
        let script =
            format!("prefix=$1; cc \"$2\" {flags} \"-Wl,-rpath,$1/lib\" -o \"$1/program\"");
        let compiled = Command::new("sh")
            .args(["-c", &script, "sh"])
            .arg(&prefix)
            .arg(root().join(source))
            .status()
            .unwrap();
        assert!(compiled.success(), "{library}");
        let program = prefix.join("program");
        let words = [options, &["-n", "2", "--", program.to_str().unwrap(), "3"]].concat();
        let (code, out, err) = run(&words);
        assert!(code == 0 && out.starts_with(start), "{out}{err}");
    }
    for page in ["awgstar.3", "awgstar_armci.3", "awgstar_fdsm.3"] {
        assert!(prefix.join("share/man/man3").join(page).exists());
    }
}
