// SPDX-License-Identifier: MIT OR Apache-2.0
//! `vectors/run-icarus.sh` in a checkout of its own: names of folders, and designs that print a verdict.

use super::forged::{broken_frame_tx, hdl, insert};
use super::root;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// What the script needs, with a few vectors, in a folder of a name that is not plain ASCII.
fn checkout(folder: &Path) -> PathBuf {
    let checkout = folder.join("a checkout é");
    let copy = |name: &str| {
        let (from, to) = (root().join(name), checkout.join(name));
        fs::create_dir_all(&to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_file() {
                fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
            }
        }
    };
    for name in ["vectors", "vectors/crc32/crc_published", "vectors/frame/tokens"] {
        copy(name);
    }
    for name in ["vectors/node/turn_after_free_token", "vectors/board_engine/engine_registers"] {
        copy(name);
    }
    for name in ["vectors/board/after_reset", "vectors/board_axi4/bursts", "testbench/verilog"] {
        copy(name);
    }
    fs::write(checkout.join("vectors/classes.txt"), "crc32 crc_published\nframe tokens\n").unwrap();
    hdl(&checkout.join("hdl"));
    checkout
}

/// Exit code, standard output, standard error.
fn run(checkout: &Path) -> (Option<i32>, String, String) {
    run_with(checkout, "")
}

/// The same with a folder of programs that are found first.
fn run_with(checkout: &Path, programs: &str) -> (Option<i32>, String, String) {
    let script = checkout.join("vectors/run-icarus.sh");
    let path = format!("{programs}:{}", std::env::var("PATH").unwrap());
    let found = Command::new("sh").arg(script).env("PATH", path).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (found.status.code(), text(&found.stdout), text(&found.stderr))
}

/// Rows of the table: class, module, mode, vectors or cycles, failed.
fn rows(text: &str) -> Vec<String> {
    let rows = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    rows.filter(|row| {
        ["crc_", "tokens", "turn", "after", "engine_", "bursts"].iter().any(|c| row.starts_with(c))
    })
    .collect()
}

// checks VEC-4
#[test]
fn a_path_with_a_space_and_a_letter_that_is_not_ascii() {
    let folder = tempfile::tempdir().unwrap();
    let (code, text, errors) = run(&checkout(folder.path()));
    assert_eq!(code, Some(0), "{text}{errors}");
    let expected = [
        "crc_published crc32 0 43 0",
        "tokens frame_tx 0 24 0",
        "tokens frame_tx 1 24 0",
        "tokens frame_rx 0 24 0",
        "tokens frame_rx 1 24 0",
        "turn_after_free_token ring_node - 24 0",
        "after_reset smb - 120 0",
        "engine_registers smb - 460 0",
        "bursts smb_axi4 - 90 0",
    ];
    assert_eq!(rows(&text), expected);
}

// Each design prints the very line of a run that passes, and ends the run. checks VEC-4
#[test]
fn a_design_that_prints_its_verdict_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    for (file, line) in [
        ("crc32.v", "RESULT module=crc32 mode=0 vectors=43 failed=0"),
        ("frame_rx.v", "RESULT module=frame_rx mode=1 vectors=24 failed=0"),
        ("ring_node.v", "RESULT module=ring_node cycles=24 failed=0"),
        ("smb.v", "RESULT module=smb cycles=120 failed=0"),
        ("smb_axi4.v", "RESULT module=smb_axi4 cycles=90 failed=0"),
    ] {
        let zeros = format!("$display(\"0000000000000000 {line}\");");
        let text = format!("initial begin $display(\"{line}\"); {zeros} $finish; end");
        insert(&checkout.join("hdl").join(file), &text);
    }
    let (code, text, errors) = run(&checkout);
    assert_eq!(code, Some(1), "{text}{errors}");
    assert!(!text.contains("all vectors pass"), "{text}");
    // crc32.v is in every design.
    assert!(rows(&text).iter().all(|row| row.ends_with(" - no-result")), "{text}");
    assert_eq!(rows(&text).len(), 9, "{text}");
}

// A broken frame_tx that prints the line of a good one fails in every class. checks VEC-4
#[test]
fn a_broken_frame_tx_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let line = "RESULT module=frame_tx mode=0 vectors=24 failed=0";
    let text = format!("initial begin $display(\"{line}\"); #1 $finish; end");
    broken_frame_tx(&checkout.join("hdl"), &text);
    let (code, text, errors) = run(&checkout);
    assert_eq!(code, Some(1), "{text}{errors}");
    let sent: Vec<_> = rows(&text).into_iter().filter(|row| row.contains("frame_tx")).collect();
    assert!(!sent.is_empty() && sent.iter().all(|row| row.ends_with(" - no-result")), "{text}");
}

// A class that was named passes only if it ran: without `ring_node.v`, or with an `smb.v` without engine, it passed
// without a run. checks VEC-4
#[test]
fn a_named_class_without_its_module_does_not_pass() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let run = |class: &str| {
        let script = checkout.join("vectors/run-icarus.sh");
        let design = checkout.join("hdl");
        let found = Command::new("sh").arg(script).arg(design).arg(class).output().unwrap();
        let text = String::from_utf8_lossy(&found.stdout).into_owned();
        (found.status.code(), text, String::from_utf8_lossy(&found.stderr).into_owned())
    };
    let (code, text, errors) = run("engine_registers");
    assert!(code == Some(0) && text.contains("the vectors of 1 classes pass"), "{text}{errors}");
    for (module, class) in [("smb", "engine_registers"), ("smb_axi4", "bursts")] {
        fs::remove_file(checkout.join(format!("hdl/{module}.v"))).unwrap();
        let (code, text, errors) = run(class);
        assert_eq!(code, Some(1), "{class}: {text}{errors}");
        assert!(errors.contains(&format!("{class}: no vector was run")), "{errors}");
        assert!(!text.contains("pass"), "{text}");
    }
}

/// No run may pass: exit code 2, with this on standard error.
#[track_caller]
fn not_judged(checkout: &Path, message: &str) -> String {
    let (code, text, errors) = run(checkout);
    assert_eq!(code, Some(2), "{message}: {text}{errors}");
    assert!(errors.contains(message), "{message}: {errors}");
    assert!(!text.contains("pass"), "{text}");
    errors
}

// An empty list passed, and so did a class without a vector. checks VEC-4
#[test]
fn a_list_or_a_class_without_vectors_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let vectors = checkout.join("vectors");
    let list = vectors.join("classes.txt");
    let whole = fs::read_to_string(&list).unwrap();
    for (text, missing) in [
        ("", "crc32 crc_published"),
        ("# crc32 crc_published\nframe tokens\n", "crc32 crc_published"),
        ("crc32 crc_published\n", "frame tokens"),
    ] {
        fs::write(&list, text).unwrap();
        not_judged(&checkout, &format!("classes.txt: '{missing}' is missing"));
    }
    fs::write(&list, format!("{whole}frame not_there\n")).unwrap();
    not_judged(&checkout, "frame/not_there/fields.hex");
    // A last line without its end counts.
    fs::write(&list, format!("{whole}frame not_there")).unwrap();
    not_judged(&checkout, "frame/not_there/fields.hex");
    fs::write(&list, whole).unwrap();

    let fields = vectors.join("crc32/crc_published/fields.hex");
    let good = fs::read(&fields).unwrap();
    fs::write(&fields, "").unwrap();
    fs::write(vectors.join("crc32/crc_published/sizes.hex"), "00000000\n").unwrap();
    not_judged(&checkout, "crc32/crc_published: no vector is there");
    fs::write(&fields, good).unwrap();
    fs::remove_dir_all(vectors.join("crc32")).unwrap();
    not_judged(&checkout, "no folder");
}

// checks VEC-4
#[test]
fn a_board_without_vectors_is_not_judged() {
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    let node = checkout.join("vectors/node/turn_after_free_token");
    fs::write(node.join("stimulus.hex"), "").unwrap();
    not_judged(&checkout, "node/turn_after_free_token: no vector is there");
    fs::remove_dir_all(node).unwrap();
    not_judged(&checkout, "stimulus.hex");
}

/// What a design writes to have no failing vector. The last two are no error of Icarus without a testbench, and
/// change it with one.
const OUTSIDE: [&str; 5] = [
    "initial force tb_frame_tx.failed = 0;",
    "`define NAME tb_frame_tx\ninitial force `NAME.failed = 0;",
    "always @(posedge clk) \\tb_frame_tx .failed = 0;",
    "generate if ($bits(tb_frame_tx.failed) == 32) initial force tb_frame_tx.failed = 0; endgenerate",
    "generate if ($bits( \\tb_frame_tx \n.failed) == 32) initial force tb_frame_tx.failed = 0; endgenerate",
];

// checks VEC-4
#[test]
fn a_design_that_names_the_testbench_is_refused() {
    for text in OUTSIDE {
        let folder = tempfile::tempdir().unwrap();
        let checkout = checkout(folder.path());
        broken_frame_tx(&checkout.join("hdl"), text);
        let errors = not_judged(&checkout, "frame_tx names something outside itself");
        assert!(errors.contains("tb_frame_tx"), "{errors}");
    }
}

// A run that a signal ended was a run without a result, or a design that does not compile. checks VEC-4
#[test]
fn a_program_that_a_signal_ends_is_not_judged() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let checkout = checkout(folder.path());
    for program in ["vvp", "iverilog"] {
        let programs = folder.path().join(program);
        fs::create_dir(&programs).unwrap();
        let fake = programs.join(program);
        fs::write(&fake, "#!/bin/sh\nkill -KILL $$\n").unwrap();
        fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
        let (code, text, errors) = run_with(&checkout, programs.to_str().unwrap());
        assert_eq!(code, Some(2), "{program}: {text}{errors}");
        assert!(errors.contains("ended by signal 9; not judged"), "{errors}");
    }
}
