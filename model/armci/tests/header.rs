// SPDX-License-Identifier: MIT OR Apache-2.0
//! The headers, the manual page and the list in `docs/armci.md` follow from `src/interface`. To write them anew:
//! `UPDATE=1 cargo test -p awgstar-armci --test header`.

#[path = "../../test_support/document.rs"]
mod document;
#[path = "../../test_support/interface.rs"]
mod interface;

use interface::{Function, Header, Library, plain};
use std::fmt::Write as _;

const LIBRARY: Library = Library {
    name: "armci",
    title: "ARMCI and a small MPI on a modelled AWG-STAR machine",
    headers: &HEADERS,
    types: &[
        ("Const", "const void *"),
        ("Operation", "char *"),
        ("Size", "armci_size_t "),
        ("Domain", "armci_domain_t "),
        ("GroupHandle", "ARMCI_Group "),
        ("Handle", "armci_hdl_t "),
        ("Vector", "armci_giov_t "),
        ("MutexSet", "armcix_mutex_hdl_t "),
        ("Pair", "awgstar_armci_pair_t "),
        ("ConstPair", "const awgstar_armci_pair_t *"),
        ("Comm", "MPI_Comm "),
        ("Datatype", "MPI_Datatype "),
        ("Op", "MPI_Op "),
        ("Info", "MPI_Info "),
        ("Aint", "MPI_Aint "),
        ("Status", "MPI_Status "),
    ],
};

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

fn header(header: &Header) -> String {
    let functions = LIBRARY.functions(header);
    let mut text = LIBRARY.begin(header.name, header.text, header.head);
    text.push_str("#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for function in &functions {
        let doc = plain(&function.doc.join("\n * "));
        writeln!(text, "\n/* {doc} */\n{}", function.declaration(&function.name, &[])).unwrap();
    }
    let others: Vec<&Function> = functions.iter().filter(|f| f.other.is_some()).collect();
    if !others.is_empty() {
        text.push_str("\n/* Each does the same as the function without the first letter, which calls it. */\n");
    }
    for function in others {
        writeln!(text, "{}", function.declaration(function.other.as_ref().unwrap(), &[])).unwrap();
    }
    text + "\n#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

fn name(function: &Function) -> Vec<String> {
    assert!(function.family.is_empty() && !function.context, "{}", function.name);
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
    LIBRARY.is_current("man/awgstar_armci.3", &LIBRARY.manual(&name));
}

#[test]
fn the_list_of_the_page_follows_from_the_library() {
    let others = |functions: &[Function]| {
        let others = functions.iter().filter(|function| function.other.is_some()).count();
        let text =
            format!("{others} of them have a name for profiling, with `P` or `p` before it.\n\n");
        if others > 0 { text } else { String::new() }
    };
    document::section("armci.md", "functions", &LIBRARY.list(&|_| 1, &name, &others));
}
