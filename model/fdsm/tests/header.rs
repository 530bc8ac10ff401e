// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers, the manual page and the list in `docs/fdsm.md` follow from `src/interface`. To write them anew:
//! `UPDATE=1 cargo test -p awgstar-fdsm --test header`.

#[path = "../../test_support/document.rs"]
mod document;
#[path = "../../test_support/interface.rs"]
mod interface;

use interface::{Function, Header, Library, plain};
use std::fmt::Write as _;

const LIBRARY: Library = Library {
    name: "fdsm",
    title: "shared memory of FDSM on a modelled cluster",
    headers: &HEADERS,
    types: &[("Type", "fdsm_type_t "), ("Operation", "fdsm_op_t ")],
};

const HEADERS: [Header; 2] = [
    Header {
        name: "fdsm",
        text: "shared memory of programs with loops (paper 003, table 1) on a modelled cluster",
        least: 9,
        head: r"#include <stddef.h>

/* Numbers of fdsm_reduce. */
typedef enum { FDSM_INT, FDSM_LONG, FDSM_DOUBLE } fdsm_type_t;

/* What it makes of them. */
typedef enum { FDSM_SUM, FDSM_MIN, FDSM_MAX } fdsm_op_t;
",
    },
    Header {
        name: "fdsmx",
        text: "what paper 003 does not have: number of the process, time, system calls",
        least: 4,
        head: "#include <fdsm.h>\n",
    },
];

fn header(header: &Header) -> String {
    let mut text = LIBRARY.begin(header.name, header.text, header.head);
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for function in LIBRARY.functions(header) {
        let doc = plain(&function.doc.join("\n * "));
        writeln!(text, "\n/* {doc} */\n{}", function.declaration(&function.name, &[])).unwrap();
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

fn name(function: &Function) -> Vec<String> {
    let plain = function.family.is_empty() && !function.context && function.other.is_none();
    assert!(plain, "{}", function.name);
    vec![function.name.clone()]
}

#[test]
fn the_headers_follow_from_the_library() {
    for one in &HEADERS {
        LIBRARY.is_current(&format!("include/{}.h", one.name), &header(one));
    }
}

#[test]
fn the_manual_page_follows_from_the_library() {
    LIBRARY.is_current("man/awgstar_fdsm.3", &LIBRARY.manual(&name));
}

#[test]
fn the_list_of_the_page_follows_from_the_library() {
    let list = LIBRARY.list(&|_| 1, &name, &|_| String::new());
    document::section("fdsm.md", "functions", &list);
}
