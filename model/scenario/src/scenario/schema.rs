// SPDX-License-Identifier: MIT OR Apache-2.0
//! JSON schema of scenario files, for editors: from the tables of [`file`](super::file) and the lists of names that
//! the readers use.
//!
//! Whatever a reader accepts, the schema accepts. It knows the keys of each system and of each act, what they mean,
//! their types, the names of their values and their [ranges](super::limits); what keys say together, only a reader
//! knows.

use super::{
    act::{ALL, Host, VERBS},
    boards::{LOSSES, STATES, VARIANTS},
    described::Key,
    file::described,
    gen1::{AWAITED, FORWARDING, PROCESSING},
    limits::{INTEGERS, real},
    machine::{barrier_names, lock_names},
    mandelbrot::{READS, WRITES},
    nodes::TOKENS,
    system::{SYSTEMS, System},
};
use crate::run::{boards::FrameFilter, mandelbrot::Machine};
use awgstar::contract::{Interrupt, Order, Signal, board::REGISTERS};
use awgstar_cluster::Fences;
use awgstar_thesis::gen1::MailRepairs;
use serde_json::{Map, Value, json};

/// The field of a key, as errors name it.
fn field(table: &str, key: &str) -> String {
    match table {
        "File" => key.to_owned(),
        "Act" => format!("do.{key}"),
        _ => format!("{}.{key}", table.to_lowercase()),
    }
}

/// Puts a range on every number of a schema. The largest integer is no limit.
fn bound(schema: &mut Value, least: &Value, most: &Value) {
    if let Some(list) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        for one in list {
            bound(one, least, most);
        }
    } else if schema["type"] == "array" {
        bound(&mut schema["items"], least, most);
    } else if schema["type"] == "integer" || schema["type"] == "number" {
        schema["minimum"] = least.clone();
        if most.as_i64() != Some(i64::MAX) {
            schema["maximum"] = most.clone();
        }
    }
}

/// The range of a key over all systems.
fn widest(field: &str) -> Option<(Value, Value)> {
    let all = || INTEGERS.iter().filter(|limit| limit.0 == field);
    let integer = all().map(|limit| limit.2).min().zip(all().map(|limit| limit.3).max());
    let integer = integer.map(|(least, most)| (json!(least), json!(most)));
    integer.or_else(|| real(field).map(|(least, most)| (json!(least), json!(most))))
}

/// Ranges in a system of the keys of a table that have another one in other systems.
fn special(table: &str, system: System) -> Map<String, Value> {
    let prefix = field(table, "");
    let mut keys = Map::new();
    for (name, systems, least, most) in INTEGERS {
        let Some(key) = name.strip_prefix(&prefix).filter(|key| !key.contains('.')) else {
            continue;
        };
        let several = INTEGERS.iter().filter(|other| other.0 == *name).count() > 1;
        if several && systems.contains(&system) {
            let mut range = json!({ "type": "integer" });
            bound(&mut range, &json!(least), &json!(most));
            keys.insert(key.into(), range);
        }
    }
    keys
}

fn names<T>(pairs: &[(&'static str, T)]) -> Vec<&'static str> {
    pairs.iter().map(|(name, _)| *name).collect()
}

/// Every name that a key can have as its value, if it has only some.
fn choices(table: &str, key: &str) -> Option<Vec<&'static str>> {
    let orders = || Order::ALL.iter().map(|order| order.name()).collect();
    Some(match (table, key) {
        ("File", "system") => names(&SYSTEMS),
        ("File", "forwarding") => names(&FORWARDING),
        ("File", "processing") => names(&PROCESSING),
        ("File", "machine") => Machine::ALL.iter().map(|machine| machine.name()).collect(),
        ("File", "read") => names(&READS),
        ("File", "writes") => names(&WRITES),
        ("Act", "register") => REGISTERS.iter().map(|register| register.name).collect(),
        ("Act", "signal") => {
            let tokens = TOKENS.iter().map(|token| token.name());
            tokens.chain(Signal::ALL.iter().map(|signal| signal.name())).collect()
        }
        ("Act", "until") => {
            let mut all = STATES.to_vec();
            all.extend(Interrupt::ALL.iter().map(|event| event.name()));
            all.extend(names(&AWAITED));
            all.sort_unstable();
            all.dedup();
            all
        }
        ("Act" | "Primitives", "order") => orders(),
        ("Fault", "kind") => names(&FrameFilter::NAMES),
        ("Primitives", "lock") => lock_names(),
        ("Primitives", "barrier") => barrier_names(),
        ("Primitives", "fences") => Fences::ALL.iter().map(|kind| kind.name()).collect(),
        ("Primitives", "variant") => names(&VARIANTS),
        ("Primitives", "without") => MailRepairs::LIST.iter().map(|(_, name)| *name).collect(),
        ("Lost", "what") => names(&LOSSES),
        _ => return None,
    })
}

/// Keys that a file of a system must have, next to `system`.
fn needed(system: System) -> &'static [&'static str] {
    match system {
        System::NodeRing => &["nodes", "cycles"],
        // The ring of `awgstar run --ring` has no `cycles`.
        System::BoardRing | System::Generation1 | System::Cluster => &["nodes"],
        System::Mandelbrot => &["size"],
        System::Rings => &["rings", "nodes"],
        System::Clusters => &["clusters", "nodes"],
        System::Paging => &["nodes", "pages", "room", "page_bytes"],
    }
}

/// Names of the definitions of the programs and acts of a host.
fn program(host: Host) -> String {
    format!("Program{host:?}")
}

fn act(host: Host) -> String {
    format!("Act{host:?}")
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

fn only<'a>(keys: impl IntoIterator<Item = &'a str>) -> Value {
    let keys: Vec<&str> = keys.into_iter().filter(|key| !key.is_empty()).collect();
    json!({ "propertyNames": { "enum": keys } })
}

/// The acts that a host supports: one verb, and the keys that go with it.
fn acts(host: Host) -> Value {
    let supported = || VERBS.iter().filter(|(.., hosts)| hosts.contains(&host));
    let one: Vec<Value> = supported().map(|(verb, ..)| json!({ "required": [verb] })).collect();
    let mut all = vec![reference("Act"), json!({ "oneOf": one })];
    all.extend(supported().map(|(verb, others, _)| {
        let known = host.act_keys(others);
        json!({ "if": { "required": [verb] }, "then": only(known.split(' ').chain([*verb])) })
    }));
    let mut keys = special("Act", host.system());
    keys.insert("do".into(), json!({ "type": "array", "items": reference(&act(host)) }));
    json!({ "allOf": all, "properties": keys })
}

/// The rule of the files of a system, with or without firmware.
fn rule(name: &str, system: System, host: Option<Host>) -> Value {
    let mut when = json!({ "properties": { "system": { "const": name } }, "required": ["system"] });
    match host {
        Some(Host::Firmware) => when["required"] = json!(["system", "primitives"]),
        Some(Host::BoardRing) => when["not"] = json!({ "required": ["primitives"] }),
        _ => {}
    }
    let mut then = only(["system", "title"].into_iter().chain(system.keys().split_whitespace()));
    then["required"] = json!(needed(system));
    let mut keys = special("File", system);
    let faults = special("Fault", system);
    if !faults.is_empty() {
        keys.insert("fault".into(), json!({ "items": { "properties": faults } }));
    }
    if let Some(host) = host {
        let programs = json!({ "type": "array", "items": reference(&program(host)) });
        keys.insert("program".into(), programs);
    }
    then["properties"] = Value::Object(keys);
    json!({ "if": when, "then": then })
}

/// The schema as the text of a file.
#[must_use]
pub fn schema() -> String {
    let mut definitions = Map::new();
    for table in described() {
        let mut keys = Map::new();
        for Key { name, doc, mut schema } in table.keys {
            if let Some(names) = choices(table.name, name) {
                let place =
                    if schema["type"] == "array" { &mut schema["items"] } else { &mut schema };
                place["enum"] = json!(names);
            }
            if let Some((least, most)) = widest(&field(table.name, name)) {
                bound(&mut schema, &least, &most);
            }
            // Next to a reference nothing else is read.
            if schema.get("$ref").is_some() {
                schema = json!({ "allOf": [schema] });
            }
            schema["description"] = json!(doc);
            keys.insert(name.into(), schema);
        }
        let definition = json!({
            "description": table.doc,
            "type": "object",
            "properties": keys,
            "additionalProperties": false,
        });
        definitions.insert(table.name.into(), definition);
    }
    for &host in ALL {
        definitions.insert(act(host), acts(host));
        let known = only(host.program_keys().split(' '));
        let list = json!({ "type": "array", "items": reference(&act(host)) });
        let mut keys = special("Program", host.system());
        keys.insert("do".into(), list);
        let rules = json!({
            "allOf": [reference("Program"), known],
            "properties": keys,
            "required": ["do"],
        });
        definitions.insert(program(host), rules);
    }
    let rules: Vec<Value> = SYSTEMS
        .iter()
        .flat_map(|&(name, system)| {
            let hosts: &[Option<Host>] = match system {
                System::NodeRing => &[Some(Host::NodeRing)],
                System::BoardRing => &[Some(Host::BoardRing), Some(Host::Firmware)],
                System::Generation1 => &[Some(Host::Generation1)],
                System::Mandelbrot | System::Cluster | System::Rings | System::Clusters => &[None],
                System::Paging => &[Some(Host::Paging)],
            };
            hosts.iter().map(move |host| rule(name, system, *host))
        })
        .collect();
    let mut file = definitions.remove("File").unwrap_or_default();
    file["$schema"] = json!("http://json-schema.org/draft-07/schema#");
    file["title"] = json!("AWG-STAR scenario file");
    file["required"] = json!(["system"]);
    file["allOf"] = json!(rules);
    file["definitions"] = Value::Object(definitions);
    format!("{file:#}\n")
}
