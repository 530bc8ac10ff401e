// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers, the manual page and the list in `docs/armci.md` follow from `src/interface`. To write them anew:
//! `UPDATE=1 cargo test -p awgstar-armci --test header`.

use std::{fmt::Write as _, fs, path::Path};

/// A function of the library.
struct Function {
    name: String,
    /// The name for profiling.
    other: Option<String>,
    doc: Vec<String>,
    /// Result with its space, and arguments with parentheses.
    result: String,
    arguments: String,
}

impl Function {
    fn declaration(&self, name: &str) -> String {
        let whole = format!("{}{name}{};", self.result, self.arguments);
        if whole.len() <= 120 {
            return whole;
        }
        // Broken after the last comma that fits.
        let at = whole[..120].rfind(", ").unwrap();
        format!("{}\n    {}", &whole[..=at], &whole[at + 2..])
    }
}

fn file(path: &str) -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// A type of Rust in C, with its space.
fn c_type(rust: &str) -> String {
    let known = match rust {
        "()" => "void ",
        "c_int" => "int ",
        "c_long" => "long ",
        "c_longlong" => "long long ",
        "c_ulong" => "unsigned long ",
        "c_float" => "float ",
        "c_double" => "double ",
        "c_char" => "char ",
        "Memory" => "void *",
        "Const" => "const void *",
        "Text" => "const char *",
        "Operation" => "char *",
        "Size" => "armci_size_t ",
        "Domain" => "armci_domain_t ",
        "GroupHandle" => "ARMCI_Group ",
        "Handle" => "armci_hdl_t ",
        "Vector" => "armci_giov_t ",
        "MutexSet" => "armcix_mutex_hdl_t ",
        "Pair" => "awgstar_armci_pair_t ",
        "ConstPair" => "const awgstar_armci_pair_t *",
        "Comm" => "MPI_Comm ",
        "Datatype" => "MPI_Datatype ",
        "Op" => "MPI_Op ",
        "Info" => "MPI_Info ",
        "Aint" => "MPI_Aint ",
        "Status" => "MPI_Status ",
        other => {
            let inner = other.strip_prefix("Array<").and_then(|of| of.strip_suffix('>'));
            let inner = inner.unwrap_or_else(|| panic!("a type that no header knows: {other}"));
            return format!("{}*", c_type(inner));
        }
    };
    known.into()
}

/// The functions of a header, in the order of its source.
fn functions(header: &str) -> Vec<Function> {
    let source =
        fs::read_to_string(file("src/interface").join(header).with_extension("rs")).unwrap();
    let (mut all, mut doc) = (Vec::new(), Vec::new());
    let list = source.split_once("\ninterface! {\n").unwrap().1;
    let mut rest = list;
    while let Some((line, after)) = rest.split_once('\n') {
        if let Some(text) = line.strip_prefix("    /// ") {
            doc.push(text.to_owned());
        } else if let Some(begun) = rest.strip_prefix("    fn ") {
            let (names, begun) = begun.split_once('(').unwrap();
            let (arguments, begun) = begun.split_once(')').unwrap();
            let result = begun.split_once(" =").unwrap().0.trim();
            let (name, other) =
                names.split_once(" as ").map_or((names, None), |(name, other)| (name, Some(other)));
            let arguments: Vec<String> = arguments
                .split(',')
                .map(str::trim)
                .filter(|argument| !argument.is_empty())
                .map(|argument| {
                    let (name, of) = argument.split_once(": ").unwrap();
                    format!("{}{}", c_type(of), name.trim_end_matches('_'))
                })
                .collect();
            let none = arguments.is_empty();
            let arguments = if none { "void".into() } else { arguments.join(", ") };
            all.push(Function {
                name: name.to_owned(),
                other: other.map(str::to_owned),
                doc: std::mem::take(&mut doc),
                result: c_type(result.strip_prefix("-> ").unwrap_or("()")),
                arguments: format!("({arguments})"),
            });
        } else {
            assert!(!line.trim_start().starts_with("fn "), "{header}: {line}");
        }
        rest = after;
    }
    all
}

struct Header {
    name: &'static str,
    /// What the header is, and how many functions it has at least.
    text: &'static str,
    least: usize,
    head: &'static str,
}

const HEADERS: [Header; 5] = [
    Header {
        name: "armci",
        text: "remote memory copy, accumulate and synchronization (ARMCI) on a modelled machine",
        least: 85,
        head: r"#include <mpi.h>

typedef long armci_size_t;
#define ARMCII_MPI_SIZE_T MPI_LONG

/* Numbers of an accumulate. */
enum ARMCI_Acc_e { ARMCI_ACC_INT, ARMCI_ACC_LNG, ARMCI_ACC_FLT, ARMCI_ACC_DBL, ARMCI_ACC_CPL, ARMCI_ACC_DCP };

/* Operations of ARMCI_Rmw. */
enum ARMCI_Rmw_e { ARMCI_FETCH_AND_ADD, ARMCI_FETCH_AND_ADD_LONG, ARMCI_SWAP, ARMCI_SWAP_LONG };

/* An operation that does not wait. */
typedef struct armci_hdl_s {
    int target;
    int aggregate;
} armci_hdl_t;

/* Segments of the same length. */
typedef struct {
    void **src_ptr_array;
    void **dst_ptr_array;
    int bytes;         /* of a segment */
    int ptr_array_len; /* segments */
} armci_giov_t;

/* A group of processes. A process that is no member has rank -1. */
typedef struct {
    MPI_Comm comm; /* no communicator of MPI */
    MPI_Comm noncoll_pgroup_comm;
    int *grp_to_abs;
    int *abs_to_grp;
    int rank;
    int size;
} ARMCI_Group;

/* Processes that share a node: each has its own. */
enum armci_domain_e { ARMCI_DOMAIN_SMP };
typedef int armci_domain_t;

#include <message.h>
",
    },
    Header {
        name: "armcix",
        text: "ARMCI: sets of mutexes, groups by color, progress",
        least: 8,
        head: r"#include <armci.h>
#include <stdint.h>

typedef struct armcix_mutex_hdl_s *armcix_mutex_hdl_t;
",
    },
    Header {
        name: "message",
        text: "messages and collectives of ARMCI",
        least: 30,
        head: r"#include <armci.h>

/* A node has one process. */
enum armci_scope_e { SCOPE_ALL, SCOPE_NODE, SCOPE_MASTERS };

enum armci_type_e { ARMCI_INT, ARMCI_LONG, ARMCI_LONG_LONG, ARMCI_FLOAT, ARMCI_DOUBLE };
",
    },
    Header {
        name: "awgstar_armci",
        text: "compare and swap, and pairs of long, which paper 001 adds to ARMCI for its queue lock",
        least: 5,
        head: r"#include <armci.h>

typedef struct {
    long first;
    long second;
} awgstar_armci_pair_t;
",
    },
    Header {
        name: "mpi",
        text: "the few functions of MPI that ARMCI programs call, on MPI_COMM_WORLD",
        least: 15,
        head: r"#include <stddef.h>

typedef int MPI_Comm;
typedef int MPI_Datatype;
typedef int MPI_Op;
typedef int MPI_Info;
typedef long MPI_Aint;

typedef struct {
    int MPI_SOURCE;
    int MPI_TAG;
    int MPI_ERROR;
    int bytes;
} MPI_Status;

#define MPI_SUCCESS 0
#define MPI_UNDEFINED (-32766)
#define MPI_IN_PLACE ((void *)-1)
#define MPI_STATUS_IGNORE ((MPI_Status *)NULL)
#define MPI_INFO_NULL ((MPI_Info)0)
#define MPI_MAX_PROCESSOR_NAME 256

#define MPI_COMM_NULL ((MPI_Comm)0)
#define MPI_COMM_WORLD ((MPI_Comm)1)

#define MPI_BYTE ((MPI_Datatype)1)
#define MPI_CHAR MPI_BYTE
#define MPI_INT ((MPI_Datatype)2)
#define MPI_UNSIGNED ((MPI_Datatype)3)
#define MPI_LONG ((MPI_Datatype)4)
#define MPI_LONG_LONG MPI_LONG
#define MPI_UNSIGNED_LONG ((MPI_Datatype)5)
#define MPI_FLOAT ((MPI_Datatype)6)
#define MPI_DOUBLE ((MPI_Datatype)7)

#define MPI_SUM ((MPI_Op)1)
#define MPI_PROD ((MPI_Op)2)
#define MPI_MIN ((MPI_Op)3)
#define MPI_MAX ((MPI_Op)4)
#define MPI_BAND ((MPI_Op)5)
#define MPI_BOR ((MPI_Op)6)
#define MPI_BXOR ((MPI_Op)7)
#define MPI_LAND ((MPI_Op)8)
#define MPI_LOR ((MPI_Op)9)
#define MPI_LXOR ((MPI_Op)10)

enum { MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED, MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE };
",
    },
];

fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn header(header: &Header) -> String {
    let guard = format!("AWGSTAR_{}_H", header.name.to_uppercase());
    let functions = functions(header.name);
    assert!(functions.len() >= header.least, "{}: {}", header.name, functions.len());
    let mut text = format!(
        "/* SPDX-License-Identifier: MIT OR Apache-2.0 */\n/* libawgstar_armci: {}.\n *\n\
         \x20* Functions that return int return 0, unless they say otherwise. Wrong use ends the process with a message\n\
         \x20* that names the function and the argument, and the run with code 1. The test\n\
         \x20* model/armci/tests/header.rs writes this file. */\n\
         #ifndef {guard}\n#define {guard}\n\n{}\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n",
        header.text, header.head
    );
    for function in &functions {
        let doc = plain(&function.doc.join("\n * "));
        writeln!(text, "\n/* {doc} */\n{}", function.declaration(&function.name)).unwrap();
    }
    let others: Vec<&Function> = functions.iter().filter(|f| f.other.is_some()).collect();
    if !others.is_empty() {
        text.push_str("\n/* Each does the same as the function without the first letter, which calls it. */\n");
    }
    for function in others {
        writeln!(text, "{}", function.declaration(function.other.as_ref().unwrap())).unwrap();
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

fn manual() -> String {
    let bold = |text: &str| {
        // Words in backquotes are bold.
        let parts = text.split('`').enumerate().map(|(at, part)| {
            let part = part.replace('\\', "\\e").replace('-', "\\-");
            if at % 2 == 1 { format!("\\fB{part}\\fR") } else { part }
        });
        parts.collect::<String>()
    };
    let mut text = String::from(
        ".\\\" SPDX-License-Identifier: MIT OR Apache-2.0\n.TH AWGSTAR_ARMCI 3 \"\" \"awgstar\" \"Library Functions\"\n\
         .SH NAME\nawgstar_armci \\- ARMCI and a small MPI on a modelled AWG-STAR machine\n\
         .SH SYNOPSIS\n",
    );
    for header in &HEADERS {
        writeln!(text, ".B #include <{}.h>\n.br", header.name).unwrap();
    }
    text.push_str(
        ".sp\nLink with \\fI\\-lawgstar_armci\\fR. Start the program with \\fBawgstar run\\fR.\n.SH DESCRIPTION\n\
         Functions that return \\fBint\\fR return 0, unless they say otherwise. Wrong use ends the process with a \
         message that names the function and the argument, and the run with code 1.\n",
    );
    for header in &HEADERS {
        writeln!(text, ".SS {}.h\n{}.", header.name, bold(header.text)).unwrap();
        for function in functions(header.name) {
            let declaration = function.declaration(&function.name).replace("\n    ", " ");
            writeln!(text, ".TP\n.B {declaration}\n{}", bold(&function.doc.join(" "))).unwrap();
        }
    }
    text
}

/// The part of the page between its marks.
fn list() -> String {
    let mut text = String::new();
    for header in &HEADERS {
        let functions = functions(header.name);
        let others = functions.iter().filter(|function| function.other.is_some()).count();
        let count = functions.len();
        writeln!(text, "\n`{}.h` has {count} functions: {}.\n", header.name, header.text).unwrap();
        if others > 0 {
            writeln!(
                text,
                "{others} of them have a name for profiling, with `P` or `p` before it.\n"
            )
            .unwrap();
        }
        text.push_str("| function | meaning |\n|---|---|\n");
        for function in functions {
            let doc = function.doc.join(" ").replace('|', "\\|");
            let first = doc.split_once(". ").map_or(doc.as_str(), |(first, _)| first);
            writeln!(text, "| `{}` | {} |", function.name, first.trim_end_matches('.')).unwrap();
        }
    }
    text + "\n"
}

fn is_current(path: &str, expected: &str) {
    let path = file(path);
    if std::env::var_os("UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, expected).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    let differs = found.lines().zip(expected.lines()).position(|(a, b)| a != b);
    assert!(found == expected, "{}: line {:?} is old", path.display(), differs.map(|l| l + 1));
}

#[test]
fn the_headers_follow_from_the_library() {
    for one in &HEADERS {
        is_current(&format!("include/{}.h", one.name), &header(one));
    }
}

#[test]
fn the_manual_page_follows_from_the_library() {
    is_current("man/awgstar_armci.3", &manual());
}

#[test]
fn the_list_of_the_page_follows_from_the_library() {
    let page = fs::read_to_string(file("../../docs/armci.md")).unwrap();
    let (before, rest) = page.split_once("<!-- functions -->\n").unwrap();
    let (_, after) = rest.split_once("<!-- end of functions -->\n").unwrap();
    let new = format!("{before}<!-- functions -->\n{}<!-- end of functions -->\n{after}", list());
    is_current("../../docs/armci.md", &new);
}
