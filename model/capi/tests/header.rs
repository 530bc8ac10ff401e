// SPDX-License-Identifier: MIT OR Apache-2.0
//! `include/awgstar.h` and the manual pages follow from `src/lib.rs` and the error codes. To write them anew:
//! `AWGSTAR_WRITE=1 cargo test -p awgstar-capi --test header`.

use awgstar_program::CallError;
use std::{fmt::Write as _, fs, path::Path};

/// A function of the library.
struct Function {
    name: String,
    /// Its comment, without the section on safety.
    doc: Vec<String>,
    /// The declaration in C.
    declaration: String,
}

fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A type of Rust in C, with its space.
fn c_type(rust: &str) -> &'static str {
    match rust {
        "c_int" => "int ",
        "u32" => "uint32_t ",
        "u64" => "uint64_t ",
        "usize" => "size_t ",
        "*mut *const c_void" => "const void **",
        "*mut usize" => "size_t *",
        "*mut u32" => "uint32_t *",
        "*mut c_void" => "void *",
        "*const c_void" => "const void *",
        "*const c_char" => "const char *",
        other => panic!("a type that the header does not know: {other}"),
    }
}

fn functions() -> Vec<Function> {
    let source = fs::read_to_string(file("src/lib.rs")).unwrap();
    let mut all = Vec::new();
    let mut doc = Vec::new();
    let mut rest = source.as_str();
    while let Some((line, after)) = rest.split_once('\n') {
        if let Some(text) = line.strip_prefix("///") {
            doc.push(text.trim().to_owned());
        } else if let Some((_, signature)) = line.split_once("extern \"C\" fn ") {
            let end = rest.find('{').unwrap();
            let whole = rest[..end].split_once("extern \"C\" fn ").unwrap().1;
            let (name, whole) = whole.split_once('(').unwrap();
            assert!(signature.starts_with(name));
            let (arguments, result) = whole.split_once(')').unwrap();
            let result = result.trim().strip_prefix("->").unwrap().trim();
            let arguments: Vec<String> = arguments
                .split(',')
                .map(str::trim)
                .filter(|argument| !argument.is_empty())
                .map(|argument| {
                    let (name, of) = argument.split_once(": ").unwrap();
                    format!("{}{name}", c_type(of))
                })
                .collect();
            let arguments = if arguments.is_empty() { "void".into() } else { arguments.join(", ") };
            let safety = doc.iter().position(|line| line == "# Safety").unwrap_or(doc.len());
            let mut doc: Vec<String> = std::mem::take(&mut doc);
            doc.truncate(safety);
            while doc.last().is_some_and(String::is_empty) {
                doc.pop();
            }
            let declaration = format!("{}{name}({arguments});", c_type(result));
            all.push(Function { name: name.to_owned(), doc, declaration });
        } else if !line.starts_with("#[") {
            doc.clear();
        }
        rest = after;
    }
    all
}

const HEAD: &str = r#"/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar: programs on a modelled AWG-STAR ring, one process on each node.
 *
 *     cc program.c -I model/capi/include target/debug/libawgstar.a -o program
 *     awgstar run -n 4 -- ./program
 *
 * The shared memory is replicated: each node has its own copy (replica). A write changes the local replica
 * at once and those of the other nodes when its frame arrives there. Writes of one node arrive everywhere
 * in the order of the calls; writes of two nodes are ordered by locks and barriers only.
 *
 * Time is the time of the modelled ring. It passes in calls only, and does not depend on how fast this
 * computer is: the same program with the same input takes the same time in every run.
 *
 * Every function that returns int returns 0 or an error code, unless it says otherwise. Calls of several
 * threads of a process are made one after another. The test model/capi/tests/header.rs writes this file. */
#ifndef AWGSTAR_H
#define AWGSTAR_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AWG_OK = 0,
"#;

const TAIL: &str = "
#ifdef __cplusplus
}
#endif

#endif
";

fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn header(functions: &[Function]) -> String {
    let mut text = HEAD.to_owned();
    for (number, error) in CallError::ALL.iter().enumerate() {
        let comma = if number + 1 < CallError::ALL.len() { "," } else { "" };
        let value = format!("AWG_{} = {}{comma}", error.c_name(), error.code());
        writeln!(text, "    {value:<24} /* {} */", plain(error.doc())).unwrap();
    }
    text.push_str("};\n");
    for function in functions {
        let doc = plain(&function.doc.join("\n * "));
        writeln!(text, "\n/* {doc} */\n{}", function.declaration).unwrap();
    }
    text + TAIL
}

/// A manual page for all functions: the section on C functions.
fn manual(functions: &[Function]) -> String {
    let bold = |text: &str| {
        // Words in backquotes are bold.
        let parts = text.split('`').enumerate().map(|(at, part)| {
            let part = part.replace('\\', "\\e").replace('-', "\\-");
            if at % 2 == 1 { format!("\\fB{part}\\fR") } else { part }
        });
        parts.collect::<String>()
    };
    let mut text = String::from(
        ".\\\" SPDX-License-Identifier: MIT OR Apache-2.0\n.TH AWGSTAR 3 \"\" \"awgstar\" \"Library Functions\"\n\
         .SH NAME\nawgstar \\- programs on a modelled AWG-STAR ring, one process on each node\n\
         .SH SYNOPSIS\n.nf\n.B #include <awgstar.h>\n.sp\n",
    );
    for function in functions {
        writeln!(text, ".B {}", function.declaration).unwrap();
    }
    text.push_str(".fi\n.sp\nLink with \\fI\\-lawgstar\\fR. Start the program with \\fBawgstar run\\fR.\n.SH DESCRIPTION\n");
    for function in functions {
        writeln!(text, ".TP\n.B {}\n{}", function.name, bold(&function.doc.join(" "))).unwrap();
    }
    text.push_str(".SH ERRORS\nEvery function that returns \\fBint\\fR returns 0 or one of these, unless it says otherwise.\n");
    for error in CallError::ALL {
        writeln!(text, ".TP\n.B AWG_{}\n{}", error.c_name(), bold(error.doc())).unwrap();
    }
    text
}

fn is_current(path: &str, expected: &str) {
    let path = file(path);
    if std::env::var_os("AWGSTAR_WRITE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(found == expected, "{}: line {:?} is old", path.display(), differs.map(|l| l + 1));
}

#[test]
fn the_header_follows_from_the_library() {
    let functions = functions();
    assert!(functions.len() >= 19);
    is_current("include/awgstar.h", &header(&functions));
}

#[test]
fn the_manual_page_follows_from_the_library() {
    is_current("man/awgstar.3", &manual(&functions()));
}

/// The numbers of the codes are part of the interface: programs are compiled with them.
#[test]
fn codes_stay() {
    let codes: Vec<i32> = CallError::ALL.iter().map(|error| error.code()).collect();
    assert_eq!(codes, (1..=24).collect::<Vec<_>>());
    for error in CallError::ALL {
        assert_eq!(CallError::from_code(error.code()), Some(*error));
        assert_eq!(error.c_text().to_str(), Ok(error.text()));
    }
    assert_eq!((CallError::NotStarted.code(), CallError::Over.code()), (1, 3));
}
