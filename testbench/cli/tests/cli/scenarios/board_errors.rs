// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is said of a file of boards that cannot be used (RING-1).

use awgstar_scenario::scenario;

/// What a check of a file says, for each key that can be wrong.
#[test]
fn errors_name_the_field_and_what_was_expected() {
    let head = "system = \"board-ring\"\nnodes = 4\ncycles = 100\n";
    let act = |act: &str| format!("[[program]]\nnodes = 0\ndo = [\n{act}\n]\n");
    let router = |rest: &str| format!("[router]\n{rest}\n");
    let lost = |rest: &str| format!("[router]\n[[lost]]\nnodes = 1\nat = 5\n{rest}\n");
    let fault = |rest: &str| format!("[[fault]]\nlink = 1\n{rest}\n");
    for (text, line, what) in [
        (
            "show = [4]\n".to_owned(),
            4,
            "has no key `show`: expected one of system, title, nodes, cycles, ... (",
        ),
        ("tokens = 0\n".into(), 4, "tokens is 0: expected 1 to 255"),
        ("memory_bytes = 1000\n".into(), 4, "memory_bytes is 1000: expected a power of two"),
        ("memory_bytes = 8\n".into(), 4, "memory_bytes is 8: expected 16 to 2147483648"),
        (
            "memory_bytes = 64\n[[program]]\nnodes = 0\ndo = [{ write = 60, bytes = 5 }]\n".into(),
            7,
            "do.write is 60: expected 0 to 59",
        ),
        ("timeout = 16777216\n".into(), 4, "timeout is 16777216: expected 1 to 16777215"),
        ("period = 0\n".into(), 4, "period is 0"),
        ("combine = 65536\n".into(), 4, "combine is 65536"),
        ("noise = 0.5\n".into(), 4, "noise is 0.5: expected 0 to 0.03125 of all bits"),
        ("fibre_m = [1, 2]\n".into(), 4, "fibre_m has 2 values"),
        ("[[board]]\nnodes = 4\n".into(), 5, "board.nodes is 4: expected 0 to 3"),
        ("[[board]]\nnodes = 3\nnode_id = 256\n".into(), 6, "board.node_id is 256"),
        ("[[board]]\nnodes = 3\nprefix = -1\n".into(), 6, "board.prefix is -1"),
        ("[[program]]\nnodes = 9\ndo = []\n".into(), 5, "program.nodes is 9: expected 0 to 3"),
        ("[[program]]\nnodes = 0\ntimes = 0\ndo = []\n".into(), 6, "program.times is 0"),
        (act("{}"), 7, "do: expected exactly one of write, read, register"),
        (act("{ write = 0, read = 0 }"), 7, "do: expected exactly one of write, read"),
        (act("{ write = 0 }"), 7, "exactly one of hex, text, bytes, value"),
        (act("{ write = 0, hex = \"0\" }"), 7, "do.hex is not hex"),
        (act("{ write = 0, text = \"\" }"), 7, "0 bytes: expected 1 to 16384"),
        (act("{ write = 16383, bytes = 2 }"), 7, "do.write is 16383: expected 0 to 16382"),
        (act("{ write = 0, bytes = 1, order = \"sent\" }"), 7, "order does not go with write"),
        (act("{ read = 0, bytes = 16385 }"), 7, "do.bytes is 16385"),
        (act("{ register = \"STATE\" }"), 7, "do.register is `STATE`: expected one of ID, VERSION"),
        (act("{ register = \"ID\", value = -1 }"), 7, "do.value is -1"),
        (act("{ flush = false }"), 7, "do.flush is false: expected true"),
        (act("{ compute = 0 }"), 7, "do.compute is 0"),
        (
            act("{ signal = \"control\" }"),
            7,
            "expected p2p, multicast, broadcast or one of lock_mw",
        ),
        (act("{ signal = \"p2p\", c_st = 32 }"), 7, "do.c_st is 32"),
        (act("{ signal = \"p2p\", to = 256 }"), 7, "do.to is 256"),
        (
            act("{ signal = \"broadcast\", order = \"late\" }"),
            7,
            "do.order is `late`: expected one of none, sent",
        ),
        (
            act("{ signal = \"swap_request\", lock_number = 1 }"),
            7,
            "swap_request has no lock_number",
        ),
        (
            act("{ signal = \"swap_request\", text = \"a\" }"),
            7,
            "do.text does not go with signal swap_request",
        ),
        (act(&format!("{{ signal = \"p2p\", hex = \"{}\" }}", "00".repeat(47))), 7, "47 bytes"),
        (
            act("{ until = \"later\" }"),
            7,
            "do.until is `later`: expected one of synced, acknowledged",
        ),
        (act("{ until = \"visible\", hex = \"00\" }"), 7, "`visible` needs addr"),
        (act("{ until = \"synced\", addr = 0 }"), 7, "addr goes with until = \"visible\" only"),
        (act("{ until = \"synced\", limit = 0 }"), 7, "do.limit is 0"),
        (act("{ receive = 0 }"), 7, "do.receive is 0"),
        (
            "[[lost]]\nnodes = 1\nat = 0\nwhat = \"power\"\n".into(),
            4,
            "lost: expected a table [router]",
        ),
        (
            lost("what = \"light\""),
            8,
            "lost.what is `light`: expected one of power, uplink, downlink",
        ),
        (
            lost("what = \"power\"\nuntil = 4"),
            9,
            "lost.until is 4: expected 6 to 100: the run ends",
        ),
        (router("tune_us = -1"), 5, "router.tune_us is -1: expected 0 to 1000000 microseconds"),
        (router("wavelengths = [58]"), 5, "router.wavelengths has 1 values: expected 4"),
        (
            router("wavelengths = [58, 62, 66, 54]"),
            5,
            "router.wavelengths is 54: expected 56 to 180",
        ),
        (
            router("wavelengths = [58, 58, 66, 66]"),
            5,
            "expected one ring, found 2: ports 1 → 2; 3 → 4",
        ),
        (router("wavelengths = [58, 62, 66, 64]"), 5, "ports 1 and 4 both send to port 2"),
        (fault("frame = 0"), 5, "exactly one of bit, words, lose, twice"),
        (fault("lose = true"), 5, "fault: expected exactly one of frame, from"),
        (fault("frame = 0\nlose = true\ntimes = 2"), 8, "kind, source and times go with from"),
        (
            fault("from = 0\nlose = true\nkind = \"token\""),
            8,
            "fault.kind is `token`: expected one of free",
        ),
        (fault("from = 0\nlose = true\nsource = 256"), 8, "fault.source is 256"),
        (fault("from = 0\nlose = true\ntimes = 0"), 8, "fault.times is 0"),
        (
            "[[cut]]\nlink = 1\nfrom = 9\nuntil = 8\n".into(),
            7,
            "cut.until is 8: expected 10 to 100",
        ),
        ("[[dead]]\nnodes = 4\nat = 9\n".into(), 5, "dead.nodes is 4"),
        ("[[slow]]\nnodes = 0\ncycles = 0\n".into(), 6, "slow.cycles is 0: expected 1 to 340000"),
        ("[[reset]]\nnodes = 0\nat = 0\ncycles = 0\n".into(), 7, "reset.cycles is 0"),
    ] {
        let error = scenario::read("test.toml", &format!("{head}{text}")).expect_err("no error");
        let right = error.line == line && error.what.contains(what);
        assert!(right, "{text}: line {}: {}", error.line, error.what);
    }
}
