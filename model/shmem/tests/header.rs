// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers, the manual page and the list in `docs/shmem.md` follow from `src/interface` and the tables of
//! `src/types.rs`. To write them anew: `UPDATE=1 cargo test -p awgstar-shmem --test header`.

#[path = "../../test_support/document.rs"]
mod document;
#[path = "../../test_support/interface.rs"]
mod interface;

use interface::{Function, Header, Library, plain};
use std::{collections::BTreeMap, fmt::Write as _, fs};

const LIBRARY: Library = Library {
    name: "shmem",
    title: "OpenSHMEM 1.5 on a modelled AWG-STAR machine",
    headers: &HEADERS,
    types: &[
        ("T", "TYPE "),
        ("Context", "shmem_ctx_t "),
        ("TeamHandle", "shmem_team_t "),
        ("Config", "shmem_team_config_t "),
    ],
};

const HEADERS: [Header; 7] = [
    Header {
        name: "shmem",
        text: "OpenSHMEM: start and end, symmetric memory, order, locks, teams and contexts",
        least: 37,
        head: r#"#include <stddef.h>
#include <stdint.h>

#define SHMEM_MAJOR_VERSION 1
#define SHMEM_MINOR_VERSION 5
#define SHMEM_VENDOR_STRING "awgstar"
#define SHMEM_MAX_NAME_LEN 8

enum { SHMEM_THREAD_SINGLE, SHMEM_THREAD_FUNNELED, SHMEM_THREAD_SERIALIZED, SHMEM_THREAD_MULTIPLE };
enum { SHMEM_MALLOC_ATOMICS_REMOTE = 1, SHMEM_MALLOC_SIGNAL_REMOTE = 2 };
enum { SHMEM_CTX_SERIALIZED = 1, SHMEM_CTX_PRIVATE = 2, SHMEM_CTX_NOSTORE = 4 };
enum { SHMEM_CMP_EQ, SHMEM_CMP_NE, SHMEM_CMP_GT, SHMEM_CMP_LE, SHMEM_CMP_LT, SHMEM_CMP_GE };
enum { SHMEM_SIGNAL_SET, SHMEM_SIGNAL_ADD };
enum { SHMEM_TEAM_NUM_CONTEXTS = 1 };

/* A context: a number. */
typedef struct awgstar_shmem_ctx *shmem_ctx_t;
#define SHMEM_CTX_INVALID ((shmem_ctx_t)0)
#define SHMEM_CTX_DEFAULT ((shmem_ctx_t)1)

/* A team: a number. SHMEM_TEAM_SHARED is the PE alone. */
typedef struct awgstar_shmem_team *shmem_team_t;
#define SHMEM_TEAM_INVALID ((shmem_team_t)0)
#define SHMEM_TEAM_WORLD ((shmem_team_t)1)
#define SHMEM_TEAM_SHARED ((shmem_team_t)2)

typedef struct {
    int num_contexts;
} shmem_team_config_t;
"#,
    },
    Header {
        name: "shmem_rma",
        text: "put and get of OpenSHMEM, and puts with signals",
        least: 12,
        head: "",
    },
    Header { name: "shmem_atomic", text: "atomic updates of OpenSHMEM", least: 22, head: "" },
    Header { name: "shmem_wait", text: "waits and tests of OpenSHMEM", least: 14, head: "" },
    Header {
        name: "shmem_collective",
        text: "barriers, collectives and reductions of OpenSHMEM",
        least: 15,
        head: "",
    },
    Header {
        name: "shmem_deprecated",
        text: "functions that OpenSHMEM keeps for old programs",
        least: 40,
        head: r"/* Work arrays of active sets, which are not used. */
#define SHMEM_SYNC_VALUE 0L
#define SHMEM_SYNC_SIZE 1
#define SHMEM_BARRIER_SYNC_SIZE 1
#define SHMEM_BCAST_SYNC_SIZE 1
#define SHMEM_COLLECT_SYNC_SIZE 1
#define SHMEM_REDUCE_SYNC_SIZE 1
#define SHMEM_ALLTOALL_SYNC_SIZE 1
#define SHMEM_ALLTOALLS_SYNC_SIZE 1
#define SHMEM_REDUCE_MIN_WRKDATA_SIZE 1

#define _SHMEM_SYNC_VALUE SHMEM_SYNC_VALUE
#define _SHMEM_BARRIER_SYNC_SIZE SHMEM_BARRIER_SYNC_SIZE
#define _SHMEM_BCAST_SYNC_SIZE SHMEM_BCAST_SYNC_SIZE
#define _SHMEM_COLLECT_SYNC_SIZE SHMEM_COLLECT_SYNC_SIZE
#define _SHMEM_REDUCE_SYNC_SIZE SHMEM_REDUCE_SYNC_SIZE
#define _SHMEM_REDUCE_MIN_WRKDATA_SIZE SHMEM_REDUCE_MIN_WRKDATA_SIZE
#define _SHMEM_MAJOR_VERSION SHMEM_MAJOR_VERSION
#define _SHMEM_MINOR_VERSION SHMEM_MINOR_VERSION
#define _SHMEM_MAX_NAME_LEN SHMEM_MAX_NAME_LEN
#define _SHMEM_VENDOR_STRING SHMEM_VENDOR_STRING
#define _SHMEM_CMP_EQ SHMEM_CMP_EQ
#define _SHMEM_CMP_NE SHMEM_CMP_NE
#define _SHMEM_CMP_GT SHMEM_CMP_GT
#define _SHMEM_CMP_LE SHMEM_CMP_LE
#define _SHMEM_CMP_LT SHMEM_CMP_LT
#define _SHMEM_CMP_GE SHMEM_CMP_GE
",
    },
    Header {
        name: "shmemx",
        text: "what OpenSHMEM does not have",
        least: 1,
        head: "#include <shmem.h>\n",
    },
];

/// Parts of `shmem.h` that are headers of their own.
const PARTS: [&str; 5] =
    ["shmem_rma", "shmem_atomic", "shmem_wait", "shmem_collective", "shmem_deprecated"];

/// Types of C by their names in functions, and the name of the type of C11 that it is, if it has another one.
const TYPES: [(&str, &str, &str); 32] = [
    ("float", "float", ""),
    ("double", "double", ""),
    ("longdouble", "long double", ""),
    ("complexd", "awgstar_shmem_complexd", ""),
    ("complexf", "awgstar_shmem_complexf", ""),
    ("char", "char", ""),
    ("schar", "signed char", ""),
    ("short", "short", ""),
    ("int", "int", ""),
    ("long", "long", ""),
    ("longlong", "long long", ""),
    ("uchar", "unsigned char", ""),
    ("ushort", "unsigned short", ""),
    ("uint", "unsigned int", ""),
    ("ulong", "unsigned long", ""),
    ("ulonglong", "unsigned long long", ""),
    ("int8", "int8_t", "signed char"),
    ("int16", "int16_t", "short"),
    ("int32", "int32_t", "int"),
    ("int64", "int64_t", "long"),
    ("uint8", "uint8_t", "unsigned char"),
    ("uint16", "uint16_t", "unsigned short"),
    ("uint32", "uint32_t", "unsigned int"),
    ("uint64", "uint64_t", "unsigned long"),
    ("size", "size_t", "unsigned long"),
    ("ptrdiff", "ptrdiff_t", "long"),
    ("8", "void", ""),
    ("16", "void", ""),
    ("32", "void", ""),
    ("64", "void", ""),
    ("128", "void", ""),
    ("mem", "void", ""),
];

fn type_of(name: &str) -> (&'static str, &'static str) {
    let known = TYPES.iter().find(|(known, ..)| *known == name);
    let &(_, c, other) = known.unwrap_or_else(|| panic!("a type that no header knows: {name}"));
    (c, if other.is_empty() { c } else { other })
}

/// The tables of `src/types.rs`: names of types.
fn tables() -> BTreeMap<String, Vec<String>> {
    let source = fs::read_to_string(document::file("model/shmem/src/types.rs")).unwrap();
    let source = source.split_once("macro_rules! table {").unwrap().1;
    let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for part in source.split("\n    (").skip(1).take_while(|part| !part.starts_with('@')) {
        let (name, rest) = part.split_once(' ').unwrap();
        let rest = rest.split_once("table! { ").unwrap().1;
        let base = rest.split(' ').next().unwrap();
        let mut names = tables.get(base).cloned().unwrap_or_default();
        for entry in rest.split('[').skip(1).filter(|entry| !entry.trim().is_empty()) {
            let name = entry.split(' ').next().unwrap();
            // The type of a size is in brackets, too.
            names.extend((!name.ends_with(';')).then(|| name.to_owned()));
        }
        tables.insert(name.to_owned(), names);
    }
    // `long double` by value has other functions.
    let all = tables["rma"].clone();
    tables.insert("values".into(), all);
    assert_eq!(tables["rma"].len(), 24);
    tables
}

/// Functions of an item.
fn count(function: &Function) -> usize {
    let tables = tables();
    let all: usize = function.family.iter().map(|[_, table, _]| tables[table].len()).sum();
    let all = if function.family.is_empty() { 1 } else { all };
    if function.context { 2 * all } else { all }
}

/// How a page calls it.
fn names(function: &Function) -> Vec<String> {
    if function.family.is_empty() {
        return vec![function.name.clone()];
    }
    let all = function.family.iter().map(|[before, table, after]| match table.as_str() {
        "sizes" | "widths" => format!("shmem_{before}SIZE{after}"),
        "mem" => format!("shmem_{before}mem{after}"),
        _ => format!("shmem_{before}TYPENAME{after}"),
    });
    all.collect()
}

/// The name of a table as a macro.
fn macro_of(table: &str) -> String {
    format!("AWGSTAR_SHMEM_{}", table.to_uppercase())
}

/// Declarations of a family: a macro that declares for a type is given to the macro of the table.
fn family(function: &Function) -> String {
    let mut text = String::new();
    for [before, table, after] in &function.family {
        let continued = |text: String| text.replace('\n', " \\\n").trim_end_matches(';').to_owned();
        let name = format!("shmem_{before}##NAME##{after}").trim_end_matches("##").to_owned();
        write!(
            text,
            "#define AWGSTAR_SHMEM_ONE(NAME, TYPE) \\\n    {};",
            continued(function.declaration(&name, &[]))
        )
        .unwrap();
        if function.context {
            let name = name.replacen("shmem_", "shmem_ctx_", 1);
            let declared = function.declaration(&name, &["shmem_ctx_t ctx"]);
            write!(text, " \\\n    {};", continued(declared)).unwrap();
        }
        writeln!(text, "\n{}(AWGSTAR_SHMEM_ONE)\n#undef AWGSTAR_SHMEM_ONE", macro_of(table))
            .unwrap();
    }
    text
}

const BEGIN: &str = "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
const END: &str = "\n#ifdef __cplusplus\n}\n#endif\n";

fn header(header: &Header) -> String {
    let mut head = header.head.to_owned();
    if PARTS.contains(&header.name) {
        head = format!("#include <shmem.h>\n#include <shmem_types.h>\n\n{head}");
    }
    let mut text = LIBRARY.begin(header.name, header.text, &head) + BEGIN;
    for function in LIBRARY.functions(header) {
        let doc = plain(&function.doc.join("\n * "));
        let also = if function.context {
            " Also with a context before the other arguments: shmem_ctx_."
        } else {
            ""
        };
        writeln!(text, "\n/* {doc}{} */", also.replace(". A", ".\n * A").trim_end()).unwrap();
        if function.family.is_empty() {
            writeln!(text, "{}", function.declaration(&function.name, &[])).unwrap();
        } else {
            text.push_str(&family(&function));
        }
    }
    text.push_str(END);
    if header.name == "shmem" {
        text.push('\n');
        for part in PARTS {
            writeln!(text, "#include <{part}.h>").unwrap();
        }
        text.push_str("#include <shmem_generic.h>\n");
    }
    text + "\n#endif\n"
}

/// Names of the families, with their types.
fn types() -> String {
    let mut text = LIBRARY.begin(
        "shmem_types",
        "tables of the types that functions of OpenSHMEM are made for",
        "#include <stddef.h>\n#include <stdint.h>\n\n#ifdef __cplusplus\n#include <complex>\n\
         typedef std::complex<double> awgstar_shmem_complexd;\ntypedef std::complex<float> awgstar_shmem_complexf;\n\
         #else\ntypedef double _Complex awgstar_shmem_complexd;\ntypedef float _Complex awgstar_shmem_complexf;\n#endif\n",
    );
    for (name, names) in tables() {
        let all = names.iter().map(|name| format!("X({name}, {})", type_of(name).0));
        writeln!(text, "#define {}(X) \\\n    {}\n", macro_of(&name), lines(all, " ")).unwrap();
    }
    text + "#endif\n"
}

/// Words in lines that end with a backslash.
fn lines(words: impl Iterator<Item = String>, between: &str) -> String {
    let (mut text, mut length) = (String::new(), 4);
    for word in words {
        if length + word.len() > 112 {
            text = text.trim_end().to_owned() + " \\\n    ";
            length = 4;
        }
        length += word.len() + between.len();
        text += &(word + between);
    }
    text.trim_end().trim_end_matches(between.trim_end()).to_owned()
}

/// The macros of C11 that choose a function by the type of an argument.
fn generic() -> String {
    let head = "#include <shmem_types.h>\n";
    let text = "functions of OpenSHMEM without the name of a type, for C11";
    let mut text = LIBRARY.begin("shmem_generic", text, head)
        + "#if !defined(__cplusplus) && defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L\n\n\
           /* Functions of a table by their types. */\n";
    for (table, names) in tables() {
        let mut known = Vec::new();
        let mut all = Vec::new();
        for name in names.iter().filter(|name| type_of(name).0 != "void") {
            let (_, of) = type_of(name);
            if !known.contains(&of) {
                known.push(of);
                all.push(format!("{of}: BEFORE##{name}##AFTER,"));
            }
        }
        if !all.is_empty() {
            let name = macro_of(&table).replace("SHMEM_", "SHMEM_ANY_");
            let all = lines(all.into_iter(), " ");
            writeln!(text, "#define {name}(BEFORE, AFTER) \\\n    {}", all.trim_end_matches(','))
                .unwrap();
        }
    }
    text.push_str("\n/* The argument with this number. */\n");
    for number in 4..=9 {
        let all: Vec<String> = (1..=number).map(|at| format!("A{at}")).collect();
        writeln!(text, "#define AWGSTAR_SHMEM_{number}TH({}, ...) A{number}", all.join(", "))
            .unwrap();
    }
    let mut all: BTreeMap<String, (Vec<String>, Function)> = BTreeMap::new();
    for header in &HEADERS {
        for function in LIBRARY.functions(header) {
            for [before, table, after] in &function.family.clone() {
                if before.is_empty() {
                    let again =
                        LIBRARY.functions(header).into_iter().find(|f| f.family == function.family);
                    let entry =
                        all.entry(after.clone()).or_insert_with(|| (Vec::new(), again.unwrap()));
                    entry.0.push(table.clone());
                }
            }
        }
    }
    text.push('\n');
    for (after, (tables, function)) in &all {
        let arguments: Vec<&str> = function
            .arguments
            .iter()
            .map(|argument| argument.rsplit([' ', '*']).next().unwrap())
            .collect();
        let of_type =
            function.arguments.iter().position(|argument| argument.contains("TYPE *")).unwrap();
        let chosen = |before: &str| {
            let any = tables.iter().map(|table| {
                format!("{}({before}, {after})", macro_of(table).replace("SHMEM_", "SHMEM_ANY_"))
            });
            let any: Vec<String> = any.collect();
            format!("_Generic(*({}), {})", arguments[of_type], any.join(", "))
        };
        let list = arguments.join(", ");
        if function.context {
            let number = arguments.len() + 2;
            writeln!(
                text,
                "#define AWGSTAR_SHMEM_PLAIN{after}({list}) \\\n    {}({list})",
                chosen("shmem_")
            )
            .unwrap();
            writeln!(
                text,
                "#define AWGSTAR_SHMEM_CTX{after}(ctx, {list}) \\\n    {}(ctx, {list})",
                chosen("shmem_ctx_")
            )
            .unwrap();
            writeln!(
                text,
                "#define shmem{after}(...) \\\n    AWGSTAR_SHMEM_{number}TH(__VA_ARGS__, AWGSTAR_SHMEM_CTX{after}, \
                 AWGSTAR_SHMEM_PLAIN{after}, 0)(__VA_ARGS__)"
            )
            .unwrap();
        } else {
            writeln!(text, "#define shmem{after}({list}) \\\n    {}({list})", chosen("shmem_"))
                .unwrap();
        }
    }
    text + "\n/* Of a team, or of an active set. */\n#define shmem_sync(...) \\\n    \
            AWGSTAR_SHMEM_5TH(__VA_ARGS__, shmem_sync, shmem_sync, shmem_sync, shmem_team_sync, 0)(__VA_ARGS__)\n\n\
            #endif\n\n#endif\n"
}

#[test]
fn the_headers_follow_from_the_library() {
    for one in &HEADERS {
        LIBRARY.is_current(&format!("include/{}.h", one.name), &header(one));
    }
    LIBRARY.is_current("include/shmem_types.h", &types());
    LIBRARY.is_current("include/shmem_generic.h", &generic());
}

#[test]
fn the_manual_page_follows_from_the_library() {
    LIBRARY.is_current("man/awgstar_shmem.3", &LIBRARY.manual(&names));
}

#[test]
fn the_list_of_the_page_follows_from_the_library() {
    document::section("shmem.md", "functions", &LIBRARY.list(&count, &names, &|_| String::new()));
}

/// The numbers of functions of the specification.
#[test]
fn every_function_of_the_specification_is_there() {
    let of = |name| -> usize {
        let header = HEADERS.iter().find(|header| header.name == name).unwrap();
        LIBRARY.functions(header).iter().map(count).sum()
    };
    // No function has a name for profiling: that is out of scope.
    let functions = |header| LIBRARY.functions(header).into_iter();
    assert!(HEADERS.iter().flat_map(functions).all(|function| function.other.is_none()));
    // RMA and puts with signals; teams, contexts and the rest; collectives and reductions.
    assert_eq!(of("shmem_rma"), 452 + 122);
    assert_eq!(of("shmem_atomic"), 458);
    assert_eq!(of("shmem_wait"), 168);
    assert_eq!(of("shmem_collective"), 128 + 142);
    assert_eq!(of("shmem"), 11 + 26);
    // 103, and six for caches that some lists leave out.
    assert_eq!(of("shmem_deprecated"), 103 + 6);
}
