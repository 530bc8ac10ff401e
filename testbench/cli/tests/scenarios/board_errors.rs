//! What is said of a file of boards that cannot be used (RING-1).

use awgstar_cli::scenario;

/// What a check of a file says, for each key that can be wrong.
#[test]
fn errors_name_the_field_and_what_was_expected() {
    let head = "boards = 4\ncycles = 100\n";
    let act = |act: &str| format!("[[host]]\nboard = 0\ndo = [\n{act}\n]\n");
    let router = |rest: &str| format!("[router]\n{rest}\n");
    let lost = |rest: &str| format!("[router]\n[[lost]]\nboard = 1\nat = 5\n{rest}\n");
    let fault = |rest: &str| format!("[[fault]]\nlink = 1\n{rest}\n");
    for (text, line, what) in [
        ("nodes = 4\n".to_owned(), 3, "unknown field `nodes`"),
        ("tokens = 0\n".into(), 3, "tokens is 0: expected 1 to 255"),
        ("timeout = 16777216\n".into(), 3, "timeout is 16777216: expected 1 to 16777215"),
        ("period = 0\n".into(), 3, "period is 0"),
        ("combine = 65536\n".into(), 3, "combine is 65536"),
        ("noise = 0.5\n".into(), 3, "noise is 0.5: expected 0 to 0.03125 of all bits"),
        ("fibre_m = [1, 2]\n".into(), 3, "fibre_m has 2 values"),
        ("[[board]]\nboard = 4\n".into(), 4, "board.board is 4: expected 0 to 3"),
        ("[[board]]\nboard = 3\nnode_id = 256\n".into(), 5, "board.node_id is 256"),
        ("[[board]]\nboard = 3\nprefix = -1\n".into(), 5, "board.prefix is -1"),
        ("[[host]]\nboard = 9\ndo = []\n".into(), 4, "host.board is 9: expected 0 to 3"),
        ("[[host]]\nboard = 0\ntimes = 0\ndo = []\n".into(), 5, "host.times is 0"),
        (act("{}"), 6, "do: expected exactly one of write, read, register"),
        (act("{ write = 0, read = 0 }"), 6, "do: expected exactly one of write, read"),
        (act("{ write = 0 }"), 6, "exactly one of hex, text and bytes"),
        (act("{ write = 0, hex = \"0\" }"), 6, "do.hex is not hex"),
        (act("{ write = 0, text = \"\" }"), 6, "0 bytes: expected 1 to 16384"),
        (act("{ write = 16383, bytes = 2 }"), 6, "do.write is 16383: expected 0 to 16382"),
        (act("{ write = 0, bytes = 1, order = \"sent\" }"), 6, "order does not go with write"),
        (act("{ read = 0, bytes = 16385 }"), 6, "do.bytes is 16385"),
        (act("{ register = \"STATE\" }"), 6, "do.register is `STATE`: expected one of ID, VERSION"),
        (act("{ register = \"ID\", value = -1 }"), 6, "do.value is -1"),
        (act("{ flush = false }"), 6, "do.flush is false: expected true"),
        (act("{ wait = 0 }"), 6, "do.wait is 0"),
        (
            act("{ signal = \"control\" }"),
            6,
            "expected p2p, multicast, broadcast or one of lock_mw",
        ),
        (act("{ signal = \"p2p\", c_st = 32 }"), 6, "signal.c_st is 32"),
        (act("{ signal = \"p2p\", to = 256 }"), 6, "do.to is 256"),
        (
            act("{ signal = \"p2p\", order = \"late\" }"),
            6,
            "do.order is `late`: expected none, sent",
        ),
        (
            act("{ signal = \"swap_request\", lock_number = 1 }"),
            6,
            "swap_request has no lock_number",
        ),
        (
            act("{ signal = \"swap_request\", text = \"a\" }"),
            6,
            "expected one of hex and text, and a",
        ),
        (act(&format!("{{ signal = \"p2p\", hex = \"{}\" }}", "00".repeat(47))), 6, "47 bytes"),
        (act("{ until = \"later\" }"), 6, "do.until is `later`: expected synced, acknowledged"),
        (act("{ until = \"visible\", hex = \"00\" }"), 6, "`visible` needs addr"),
        (act("{ until = \"synced\", addr = 0 }"), 6, "addr goes with until = \"visible\" only"),
        (act("{ until = \"synced\", limit = 0 }"), 6, "do.limit is 0"),
        (act("{ receive = 0 }"), 6, "do.receive is 0"),
        (
            "[[lost]]\nboard = 1\nat = 0\nwhat = \"power\"\n".into(),
            4,
            "lost: expected a table [router]",
        ),
        (
            lost("what = \"light\""),
            7,
            "lost.what is `light`: expected one of power, uplink, downlink",
        ),
        (
            lost("what = \"power\"\nuntil = 4"),
            8,
            "lost.until is 4: expected 6 to 100: the run ends",
        ),
        (router("tune_us = -1"), 4, "router.tune_us is -1: expected 0 to 1000000 microseconds"),
        (router("wavelengths = [58]"), 4, "router.wavelengths has 1 values: expected 4"),
        (
            router("wavelengths = [58, 62, 66, 54]"),
            4,
            "router.wavelengths is 54: expected 56 to 180",
        ),
        (
            router("wavelengths = [58, 58, 66, 66]"),
            4,
            "expected one ring, found 2: ports 1 → 2; 3 → 4",
        ),
        (router("wavelengths = [58, 62, 66, 64]"), 4, "ports 1 and 4 both send to port 2"),
        (fault("frame = 0"), 4, "exactly one of bit, words, lose and twice"),
        (fault("lose = true"), 4, "fault: expected exactly one of frame and from"),
        (fault("frame = 0\nlose = true\ntimes = 2"), 7, "kind, source and times go with from"),
        (
            fault("from = 0\nlose = true\nkind = \"token\""),
            7,
            "fault.kind is `token`: expected one of free",
        ),
        (fault("from = 0\nlose = true\nsource = 256"), 7, "fault.source is 256"),
        (fault("from = 0\nlose = true\ntimes = 0"), 7, "fault.times is 0"),
        (
            "[[cut]]\nlink = 1\nfrom = 9\nuntil = 8\n".into(),
            6,
            "cut.until is 8: expected 10 to 100",
        ),
        ("[[dead]]\nboard = 4\nat = 9\n".into(), 4, "dead.board is 4"),
        ("[[slow]]\nboard = 0\ncycles = 0\n".into(), 5, "slow.cycles is 0: expected 1 to 340000"),
        ("[[reset]]\nboard = 0\nat = 0\ncycles = 0\n".into(), 6, "reset.cycles is 0"),
    ] {
        let error = scenario::read("test.toml", &format!("{head}{text}")).expect_err("no error");
        let right = error.line == line && error.what.contains(what);
        assert!(right, "{text}: line {}: {}", error.line, error.what);
    }
}
