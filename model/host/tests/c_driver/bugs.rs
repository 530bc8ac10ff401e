// SPDX-License-Identifier: MIT OR Apache-2.0
//! Injected bugs in `smb.c`, each of which the tests must find. `find` occurs once in the file.

use crate::{CHECKS, plain, process, steps, temporary};
use std::{fs, path::Path};

struct Bug {
    name: &'static str,
    find: &'static str,
    replace: &'static str,
}

const fn bug(name: &'static str, find: &'static str, replace: &'static str) -> Bug {
    Bug { name, find, replace }
}

const BUGS: &[Bug] = &[
    bug("strobe ignored", "if ((strobe >> i & 1u) != 0) {", "if (strobe != 0) {"),
    bug(
        "word offset of the window",
        "window + (address & ~SMB_WINDOW)",
        "window + (address >> 2 & ~SMB_WINDOW)",
    ),
    bug(
        "refusal not seen",
        "value) == 0 ? SMB_OK : SMB_E_BUS;\n    }\n    *value",
        "value) == 0 ? SMB_OK : SMB_OK;\n    }\n    *value",
    ),
    bug(
        "fence after a write only",
        "    fence(smb);\n    return bus_write(",
        "    return bus_write(",
    ),
    bug("timer that never runs", "timer->runs = 1;", "timer->runs = 0;"),
    bug(
        "timer compared as a number",
        "(now(smb) - timer->end) < UINT32_C(0x80000000)",
        "now(smb) >= timer->end",
    ),
    bug(
        "numbers in the order of the processor",
        "data[offset + i] = (uint8_t)(value >> (8 * (bytes - 1 - i)) & 0xFFu);",
        "data[offset + i] = (uint8_t)(value >> (8 * i) & 0xFFu);",
    ),
    bug("numbers do not wrap", "return a != b && (uint16_t)(a - b) < 0x8000u;", "return a > b;"),
    bug(
        "equal numbers are newer",
        "return a != b && (uint16_t)(a - b)",
        "return (uint16_t)(a - b)",
    ),
    bug(
        "signal queued twice",
        "(smb->is_flying != 0 && same(&smb->flying, one))",
        "(smb->is_flying > 1 && same(&smb->flying, one))",
    ),
    bug(
        "queue loses its end",
        "if (smb->last == one) {\n                smb->last = before;\n            }",
        "",
    ),
    bug(
        "length of a signal",
        "(uint32_t)one->length << SMB_SIGNAL_SEND_LEN_SHIFT",
        "(uint32_t)(one->length - 1u) << SMB_SIGNAL_SEND_LEN_SHIFT",
    ),
    bug(
        "order of a signal",
        "(uint32_t)one->order << SMB_SIGNAL_SEND_ORDER_SHIFT",
        "(uint32_t)(one->order & 1u) << SMB_SIGNAL_SEND_ORDER_SHIFT",
    ),
    bug(
        "group of a signal",
        "(uint32_t)one->multi_g << SMB_SIGNAL_SEND_MULTI_G_SHIFT",
        "(uint32_t)(one->multi_g & 3u) << SMB_SIGNAL_SEND_MULTI_G_SHIFT",
    ),
    bug(
        "last word of Data",
        "for (unsigned i = 0; i < one->length; i += 4) {",
        "for (unsigned i = 0; i + 4 <= one->length; i += 4) {",
    ),
    bug(
        "request with an order",
        "smb->config->node_id, SMB_ORDER_NONE, lock->tag",
        "smb->config->node_id, smb->config->order, lock->tag",
    ),
    bug(
        "request without a timer",
        "send(smb, &lock->request);\n    start(smb, &lock->request_timer);",
        "send(smb, &lock->request);",
    ),
    bug(
        "pass without an order",
        "lock->given_node, smb->config->order, lock->given_tag",
        "lock->given_node, SMB_ORDER_NONE, lock->given_tag",
    ),
    bug(
        "pass without an epoch",
        "put_number(lock->pass.data, SMB_DATA_EPOCH, SMB_DATA_EPOCH_BYTES, lock->epoch);",
        "",
    ),
    bug(
        "old requests are new",
        "if (has(lock->known, node) && !newer(tag, lock->latest[node])) {\n        return false;\n    }",
        "",
    ),
    bug(
        "a waiting node stays",
        "        if (lock->waiting[i] != node) {",
        "        if (lock->waiting[i] != node || i == 0) {",
    ),
    bug(
        "last come, first served",
        "uint8_t next = lock->waiting[0];",
        "uint8_t next = lock->waiting[lock->waiting_count - 1];",
    ),
    bug("ownership stays", "    lock->here = 0;\n    lock->epoch", "    lock->epoch"),
    bug("epoch stays", "lock->epoch = (uint16_t)(lock->epoch + 1u);", ""),
    bug(
        "served while inside",
        "if (lock->here != 0 && lock->caller == IDLE) {\n        serve",
        "if (lock->here != 0) {\n        serve",
    ),
    bug(
        "no second pass",
        "        /* A process has waited long: ownership may not have reached the next holder. */\n        give(smb, lock);\n",
        "",
    ),
    bug(
        "served requests wait on",
        "    if (!newer(lock->latest[node], tag)) {\n        forget(lock, node);\n    }",
        "",
    ),
    bug("old passes count", "    if (!newer(epoch, lock->epoch)) {\n        return;\n    }", ""),
    bug(
        "given for ever",
        "        lock->given = 0;\n        lock->pass_timer.runs = 0;",
        "        lock->pass_timer.runs = 0;",
    ),
    bug(
        "pass for an older request",
        "if (tag != lock->tag || !enter(lock)) {",
        "if (!enter(lock)) {",
    ),
    bug(
        "request timer runs inside",
        "    lock->caller = INSIDE;\n    lock->request_timer.runs = 0;",
        "    lock->caller = INSIDE;",
    ),
    bug(
        "arrival of the wrong episode",
        "barrier->waiting != 0 ? barrier->episode : (uint16_t)(barrier->episode - 1u)",
        "barrier->episode",
    ),
    bug(
        "arrivals of the last episode stay",
        "        barrier->heard[i] = 0;",
        "        barrier->heard[i] = barrier->heard[i];",
    ),
    bug(
        "member 0 is not waited for",
        "for (unsigned node = 0; node < 256; node++) {\n        if (has(barrier->members",
        "for (unsigned node = 1; node < 256; node++) {\n        if (has(barrier->members",
    ),
    bug(
        "the next episode does not release",
        "    if (tag == (uint16_t)(barrier->episode + 1u)) {\n        pass(barrier);\n    }",
        "",
    ),
    bug(
        "no answer to who asks",
        "if (asked == node && (barrier->waiting != 0 || !now_here)) {",
        "if (asked == node && barrier->waiting != 0 && !now_here) {",
    ),
    bug(
        "arrivals of all episodes count",
        "    if (now_here) {\n        count",
        "    if (now_here || tag != 0) {\n        count",
    ),
    bug(
        "barrier without a timer",
        "    call(smb, barrier, &barrier->question, node < 0 ? smb->config->node_id : (uint8_t)node);\n    start(smb, &barrier->timer);",
        "    call(smb, barrier, &barrier->question, node < 0 ? smb->config->node_id : (uint8_t)node);",
    ),
    bug(
        "number of a barrier",
        "put_number(one->data, SMB_DATA_BARRIER_NUMBER, SMB_DATA_BARRIER_NUMBER_BYTES, barrier->number);",
        "",
    ),
    bug(
        "engine's lock by firmware, too",
        "        } else if (engine_lock(smb, lock)) {\n            /* It arrived before the engine was set up: its sender repeats it. */\n            return;\n",
        "",
    ),
    bug(
        "inbox without an end",
        "smb->inbox_count >= config->inbox_size",
        "smb->inbox_count > config->inbox_size",
    ),
    bug(
        "source of a message",
        "(mac & SMB_MAIL_SOURCE_MASK) >> SMB_MAIL_SOURCE_SHIFT",
        "(mac & SMB_MAIL_LEN_MASK) >> SMB_MAIL_LEN_SHIFT",
    ),
    bug(
        "message not dropped",
        "        result = put(smb, SMB_MAIL_POP_OFFSET, 1);",
        "        result = SMB_OK;",
    ),
    bug("one message of many", "i < messages && i < ROUND_MAX; i++", "i < messages && i < 1; i++"),
    bug(
        "mailbox without a bound",
        "result >= 0 && i < messages && i < ROUND_MAX",
        "result >= 0 && i < messages",
    ),
    bug(
        "signal that never returns",
        "    smb->is_flying = 0;\n    if (one->more",
        "    if (one->more",
    ),
    bug(
        "pass repeated after its return",
        "== lock->epoch) {\n            lock->pass_timer.runs = 0;",
        "== lock->epoch + 1u) {\n            lock->pass_timer.runs = 0;",
    ),
    bug(
        "engine's events not cleared",
        "    result = put(smb, SMB_ENGINE_IRQ_STATUS_OFFSET, events);",
        "",
    ),
    bug(
        "engine's locks not read",
        "    if (result >= 0) {\n        result = get(smb, SMB_LOCK_HELD_OFFSET, &smb->engine_held);\n    }\n    if (result >= 0) {\n        result = get(smb, SMB_BARRIER",
        "    if (result >= 0) {\n        result = get(smb, SMB_BARRIER",
    ),
    bug(
        "events not cleared",
        "result = put(smb, SMB_IRQ_STATUS_OFFSET, status);",
        "result = SMB_OK;",
    ),
    bug("events forgotten", "smb->events |= status;", ""),
    bug(
        "return before the mailbox",
        "    if (result >= 0 && smb->drain != 0) {\n        result = drain(smb);\n    }",
        "    if (result >= 0 && smb->drain != 0 && (status & SMB_IRQ_SIGNAL_DONE) == 0) {\n        result = drain(smb);\n    }",
    ),
    bug(
        "lost messages are not told",
        "smb->lost = (uint8_t)(smb->lost | ((status & SMB_IRQ_MAIL_FULL) != 0));",
        "",
    ),
    bug(
        "wait without an end",
        "if (tick - wait->begin >= wait->timeout || wait->still >= STUCK) {",
        "if (wait->still >= STUCK) {",
    ),
    bug("broken clock", " || wait->still >= STUCK) {", ") {"),
    bug(
        "stalled is a timeout",
        "(status & SMB_STATUS_STALLED_MASK) != 0 ? SMB_E_STALLED : SMB_E_TIMEOUT",
        "(status & SMB_STATUS_STALLED_MASK) != 0 ? SMB_E_TIMEOUT : SMB_E_TIMEOUT",
    ),
    bug("retry of the engine", "(engine->retry - 1u) & SMB_ENGINE_RETRY_CYCLES_MASK", "0"),
    bug(
        "members of the engine",
        "&engine->members[barrier][4 * word]",
        "&engine->members[barrier][word]",
    ),
    bug(
        "first owner, engine",
        "{SMB_LOCK_FIRST_OFFSET, engine->first},",
        "{SMB_LOCK_FIRST_OFFSET, 0},",
    ),
    bug(
        "engine's interrupt off",
        "{SMB_ENGINE_IRQ_ENABLE_OFFSET, SMB_ENGINE_IRQ_LOCK | SMB_ENGINE_IRQ_BARRIER},",
        "{SMB_ENGINE_IRQ_ENABLE_OFFSET, SMB_ENGINE_IRQ_LOCK & 0u},",
    ),
    bug(
        "upper part of the prefix",
        "(uint32_t)(config->mac_prefix >> 32)",
        "(uint32_t)(config->mac_prefix >> 40)",
    ),
    bug("interrupts of the driver off", "config->interrupts | EVENTS},", "config->interrupts},"),
    bug(
        "version not looked at",
        "result >= 0 && value != SMB_VERSION_RESET",
        "result >= 0 && value == 0",
    ),
    bug(
        "first owner is everybody",
        "lock->here = first == smb->config->node_id;",
        "lock->here = 1;",
    ),
    bug("first owner is nobody", "lock->here = first == smb->config->node_id;", "lock->here = 0;"),
    bug(
        "signal lost in a reset",
        "    if (smb->is_flying != 0) {\n        result = hand_over(smb, &smb->flying);\n    }",
        "",
    ),
    bug(
        "end of the memory",
        "offset <= smb->memory && length <= smb->memory - offset",
        "offset + length <= smb->memory",
    ),
    bug(
        "read from the wrong lane",
        "bytes[at] = (uint8_t)(word >> (8 * lane) & 0xFFu);\n        }\n    }\n    return SMB_OK;\n}\n\n/* Waits until words",
        "bytes[at] = (uint8_t)(word >> (8 * (3 - lane)) & 0xFFu);\n        }\n    }\n    return SMB_OK;\n}\n\n/* Waits until words",
    ),
    bug("strobes of the whole word", "strobe |= 1u << lane;", "strobe |= 0xFu;"),
    bug(
        "writes although stalled",
        "if (*words != 0 && (status & SMB_STATUS_STALLED_MASK) == 0) {",
        "if (*words != 0) {",
    ),
    bug(
        "flush that does not close",
        "int result = put(smb, SMB_FLUSH_OFFSET, 1);",
        "int result = SMB_OK;",
    ),
    bug(
        "flush that does not wait",
        "if (((base - tail) & 0x80u) == 0) {",
        "if (((base - tail) & 0x180u) != 0x100u) {",
    ),
    bug("flush for equality", "if (((base - tail) & 0x80u) == 0) {", "if (base >= tail) {"),
    bug(
        "second signal of the caller",
        "    if (smb->user_pending != 0) {\n        return SMB_E_BUSY;\n    }",
        "",
    ),
    bug(
        "number of a process signal",
        "put_number(message->data, SMB_DATA_PROCESS_NUMBER, SMB_DATA_PROCESS_NUMBER_BYTES, number);",
        "put_number(message->data, 0, SMB_DATA_PROCESS_NUMBER_BYTES, number);",
    ),
    bug(
        "inbox turns round late",
        "if (smb->inbox_first == smb->config->inbox_size) {",
        "if (smb->inbox_first > smb->config->inbox_size) {",
    ),
    bug(
        "a lock that is held again",
        "    if (smb_lock_held(smb, lock)) {\n        return SMB_E_STATE;\n    }\n    begin_wait",
        "    begin_wait",
    ),
    bug(
        "a lock that nobody holds is released",
        "    if (!smb_lock_held(smb, lock)) {\n        return SMB_E_STATE;\n    }",
        "",
    ),
    bug(
        "engine asked twice",
        "((asking | smb->engine_held) >> lock->number & 1u) != 0",
        "(smb->engine_held >> lock->number & 1u) != 0",
    ),
    bug("request number stays", "lock->tag = (uint16_t)(lock->tag + 1u);", ""),
    bug(
        "release without a successor",
        "    lock->caller = IDLE;\n    serve(smb, lock);",
        "    lock->caller = IDLE;",
    ),
    bug(
        "cancelled request is repeated",
        "    lock->caller = IDLE;\n    lock->request_timer.runs = 0;",
        "    lock->caller = IDLE;",
    ),
    bug(
        "cancel changes nothing",
        "    lock->caller = IDLE;\n    lock->request_timer.runs = 0;",
        "    lock->request_timer.runs = 0;",
    ),
    bug(
        "arrival sent again",
        "    if (barrier->waiting == 0) {\n        barrier->waiting = 1;",
        "    {\n        barrier->waiting = 1;",
    ),
    bug(
        "own arrival is not counted",
        "        count(barrier, smb->config->node_id);\n        /*",
        "        /*",
    ),
    bug(
        "arrival that waits for the next poll",
        "may not poll for long. */\n        int result = poll_outbox(smb);",
        "may not poll for long. */\n        int result = SMB_OK;",
    ),
    bug(
        "barrier of the engine does not wait",
        "(smb->engine_waiting >> barrier->number & 1u) == 0) {",
        "smb->engine_waiting <= 0xFFFFu) {",
    ),
];

/// Looks for a bug: the first test that fails, with what it says.
fn look(one: &Bug) -> Result<String, String> {
    let name: String =
        one.name.chars().map(|c| if c.is_alphanumeric() { c } else { '_' }).collect();
    let folder = temporary().join("bugs").join(name);
    let from = folder.join("driver");
    fs::create_dir_all(&from).map_err(|e| e.to_string())?;
    for file in ["smb.h", "smb_registers.h"] {
        fs::copy(process::driver().join(file), from.join(file)).map_err(|e| e.to_string())?;
    }
    let source = fs::read_to_string(process::driver().join("smb.c")).map_err(|e| e.to_string())?;
    if source.matches(one.find).count() != 1 {
        let count = source.matches(one.find).count();
        return Err(format!("{}: `{}` occurs {count} times, expected once", one.name, one.find));
    }
    fs::write(from.join("smb.c"), source.replace(one.find, one.replace))
        .map_err(|e| e.to_string())?;
    let found = |from: &Path| -> Result<Option<String>, String> {
        if let Err(text) = plain(from, &folder) {
            // What does not compile is no bug that a test finds.
            return if text.contains("error:") {
                Err(text)
            } else {
                Ok(Some(format!("plain: {text}")))
            };
        }
        if let Err(text) = steps::compare(from, &folder, 8, 200) {
            return Ok(Some(format!("steps: {text}")));
        }
        let program = process::compile(from, "work", &folder)?;
        Ok(CHECKS
            .iter()
            .find_map(|(name, check)| Some(format!("{name}: {}", check(&program).err()?))))
    };
    found(&from)?.ok_or(format!("{}: no test fails", one.name))
}

fn all<'a>(bugs: impl Iterator<Item = &'a Bug>) {
    let mut left = Vec::new();
    for one in bugs {
        match look(one) {
            Ok(text) => println!("{}: {}", one.name, text.lines().next().unwrap_or_default()),
            Err(text) => left.push(text),
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

/// A few of them.
#[test]
fn injected_bugs_are_found() {
    let some = [
        "last come, first served",
        "strobes of the whole word",
        "no answer to who asks",
        "arrival that waits for the next poll",
        "own arrival is not counted",
    ];
    all(BUGS.iter().filter(|one| some.contains(&one.name)));
}

#[test]
#[ignore = "some minutes: all injected bugs"]
fn every_injected_bug_is_found() {
    all(BUGS.iter());
}
