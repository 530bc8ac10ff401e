// SPDX-License-Identifier: MIT OR Apache-2.0
//! What could give a wrong result without a word: each case is like libgomp, or ends with a message.

use super::{cases, each, ring, same};

/// Cases that are as under libgomp.
const SAME: [&str; 40] = [
    "use_rand",
    "use_strtok",
    "scan_in_single",
    "read_into_variable",
    "stat_into_variable",
    "fread_into_variable",
    "file_before_the_region",
    "map_before",
    "map_inside",
    "exit_in_region",
    "exit_zero_in_region",
    "exit_in_critical",
    "exit_at_once",
    "exit_code",
    "exit_without_region",
    "handler_for_segv",
    "handler_for_trap",
    "other_signals",
    "much_at_a_barrier",
    "much_in_a_critical_section",
    "command_in_serial",
    "change_of_arguments",
    "own_buffer",
    "position_after_the_region",
    "read_after_a_barrier",
    "output_opened_again",
    "wide_output",
    "file_of_each_thread",
    "affinity_into_variable",
    "folder_into_the_heap",
    "lock_of_a_stream",
    "unmap_in_parts",
    "control_variables",
    "many_locks",
    "lock_released_after_the_region",
    "locks_with_a_limit_of_time",
    "block_used_again",
    "process_number",
    "time_of_one_thread",
    "exit_handler_with_another_code",
];

/// Cases that end with a message, and what it says; the number is the exit code.
const TOLD: [(&str, i32, &str); 44] = [
    ("scan", 1, "scanf in a parallel region on thread"),
    ("file_of_another_thread", 1, "uses what node 0 has opened after the first parallel region"),
    ("descriptor_of_another_thread", 1, "which node 0 has opened or closed"),
    ("environment", 1, "setenv after the first parallel region"),
    ("fork_program", 1, "fork: not supported"),
    ("exec_program", 1, "execlp: not supported"),
    ("own_thread", 1, "pthread_create: not supported"),
    ("alternate_stack", 1, "sigaltstack: not supported"),
    ("map_shared", 1, "as shared memory: not supported"),
    ("map_unknown", 1, "can be written, and the library does not know it"),
    ("race", 1, "race on `shared_counter`"),
    ("race_on_heap", 1, "race on byte 16 of a block of up to 112 bytes that node 0 has allocated"),
    ("race_with_a_critical_section", 1, "race on `flags`"),
    ("crash", 139, "access to 0x8 at crash._omp_fn.0"),
    ("abort_in_region", 134, "node 3: signal 6 (abort)"),
    ("killed", 137, "node 2: signal 9 (kill)"),
    ("first_killed", 137, "node 0: signal 9 (kill)"),
    ("too_many_threads", 1, "a region asks for 9 threads: run with -n 9"),
    ("set_too_many_threads", 1, "omp_set_num_threads(9): run with -n 9"),
    ("lock_twice", 1, "is taken by the thread that holds it already"),
    ("unset_of_another", 1, "is released by a thread that does not hold it"),
    ("critical_in_itself", 1, "is entered again by the thread that is in it"),
    ("deadlock", 1, "no call can end: node 0 waits for lock"),
    ("wait_for_ever", 1, "thread 1 waits in a loop at wait_for_ever._omp_fn.0"),
    ("offload", 1, "calls GOMP_target_ext, which is not supported"),
    ("doacross", 1, "calls GOMP_loop_doacross_static_start, which is not supported"),
    ("task_reduction", 1, "taskloop with a reduction: not supported"),
    ("after_the_end", 1, "a parallel region after the end of the program"),
    ("hidden_write", 1, "audit: after barrier"),
    ("command_in_region", 1, "system in a parallel region: not supported"),
    ("crash_before_exit", 139, "access to 0x8 at crash_before_exit._omp_fn.0"),
    ("crash_that_was_sent", 139, "node 1: signal 11 (segmentation fault)"),
    ("state_of_a_stream", 1, "only thread 0 can ask for the state of a stream"),
    ("output_that_cannot_be_written", 1, "output cannot be written: No space left on device"),
    ("race_before_exit", 1, "race on `shared_counter`"),
    ("race_with_touches_of_the_stack", 1, "race on `shared_counter`"),
    ("fread_by_all", 1, "fread in a parallel region on thread"),
    ("getc_unlocked_by_all", 1, "__uflow in a parallel region on thread"),
    ("fgets_by_all", 1, "fgets in a parallel region on thread"),
    ("seek_by_all", 1, "only thread 0 can use the position in a file"),
    ("read_and_write", 1, "on a file that thread 0 reads and another thread writes"),
    (
        "file_opened_after_another_was_closed",
        1,
        "uses what node 0 has opened after the first parallel region",
    ),
    ("dprintf_to_the_file_of_another_thread", 1, "dprintf of file descriptor"),
    ("pipe_before_the_region", 1, "a pipe of popen is open when the first parallel region begins"),
];

/// Cases that take seconds.
const LONG: [&str; 2] = ["long_ordered_iteration", "more_locks_than_there_are"];

#[test]
#[ignore = "half a minute: cargo test -p awgstar-cli --test openmp -- --ignored"]
fn long_cases() {
    assert_eq!(same("--machine gen1", 4, &["pitfalls", LONG[0]]), Ok(()));
    let (code, _, err) = ring("--machine gen1", 4, &["pitfalls", LONG[1]]);
    assert!(code == 1 && err.contains("more than 16000 locks"), "{code} {err}");
}

#[test]
fn nothing_is_wrong_without_a_word() {
    let known = TOLD.iter().map(|told| told.0).chain(SAME).chain(LONG);
    let mut known: Vec<&str> = known.collect();
    let mut all = cases("pitfalls");
    known.sort_unstable();
    all.sort_unstable();
    assert_eq!(known, all, "a case that no test expects anything of");
    let mut errors = each(&SAME, |case| same("--machine gen1", 4, &["pitfalls", case]));
    errors.extend(each(&TOLD, |(case, code, text)| {
        let (found, out, err) = ring("--machine gen1", 4, &["pitfalls", case]);
        if found == *code && err.contains(text) {
            return Ok(());
        }
        Err(format!("{case}: expected {code} and `{text}`, found {found}, {out:?}, {err}"))
    }));
    assert!(errors.is_empty(), "{errors:#?}");
}

/// A race that is only reported: the program goes on to its end, and fails then.
#[test]
fn races_can_be_reported() {
    let (code, out, err) = ring("--races report --machine gen1", 4, &["pitfalls", "race"]);
    assert_eq!((code, out.as_str()), (1, "1\n"), "{err}");
    let told = err.lines().filter(|line| line.contains("race on `shared_counter`")).count();
    assert!(told >= 3, "{err}");
    // Every rank has the same value in the end, else the audit would end the run.
    assert!(!err.contains("audit"), "{err}");
}

/// An index that all threads share: the result is that of libgomp, as no thread needs the value of another, but it is
/// a race. With an index for each thread there is none.
#[test]
fn a_race_that_does_not_change_the_result() {
    assert_eq!(same("--machine gen1", 4, &["rows"]), Ok(()));
    let (code, out, err) = ring("--machine gen1", 4, &["rows", "shared"]);
    let text = "race on a variable on the stack of node 0";
    assert!(code == 1 && out.is_empty() && err.contains(text), "{code} {out} {err}");
    let (code, out, err) = ring("--races report --machine gen1", 4, &["rows", "shared"]);
    let (_, native, _) = super::native(4, &["rows"]);
    assert!(code == 1 && out == native && err.contains(text), "{code} {out} {err}");
}

/// A thread that exits with 0 hides no race.
#[test]
fn a_race_before_an_exit_is_a_failure() {
    let case = &["pitfalls", "race_before_exit"];
    let (code, out, err) = ring("--races report --machine gen1", 4, case);
    assert!(
        code == 1 && out.is_empty() && err.contains("race on `shared_counter`"),
        "{code} {err}"
    );
}

/// Functions with another name that gcc calls for arrays of known size: the system writes to the pages of some,
/// and others are input.
#[test]
fn functions_that_check_sizes() {
    for case in ["fread_into_variable", "read_into_variable", "wide_output"] {
        assert_eq!(same("--machine gen1", 4, &["pitfalls-fortified", case]), Ok(()));
    }
    for (case, text) in [
        ("fread_by_all", "__fread_chk in a parallel region on thread"),
        ("fgets_by_all", "__fgets_chk in a parallel region on thread"),
        ("dprintf_to_the_file_of_another_thread", "__dprintf_chk of file descriptor"),
    ] {
        let (code, _, err) = ring("--machine gen1", 4, &["pitfalls-fortified", case]);
        assert!(code == 1 && err.contains(text), "{case}: {code} {err}");
    }
}

/// Much more than a log holds: at a barrier it travels in rounds, in a critical section it is refused.
#[test]
fn small_logs_lose_nothing() {
    let errors = each(&[4, 2], |&n| same("--memory 1M", n, &["constructs", "many_pages"]));
    assert!(errors.is_empty(), "{errors:#?}");
    let (code, _, err) = ring("--memory 1M", 4, &["pitfalls", "much_in_a_critical_section"]);
    assert!(code == 1 && err.contains("the log of") && err.contains("--memory"), "{code} {err}");
    let (code, _, err) = ring("--memory 256K", 4, &["constructs", "parallel"]);
    assert!(code == 1 && err.contains("memory of the ring is too small"), "{code} {err}");
}
