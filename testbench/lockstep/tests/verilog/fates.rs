// SPDX-License-Identifier: MIT OR Apache-2.0
//! What became of each injected bug in the Verilog, in `testbench/fixtures/mutants.csv`: a bug that was found stays
//! found, at the same place: the part that found it is played first. `UPDATE=1` writes the rows of the bugs that a test tries; a whole list
//! (`AWGSTAR_MUTANTS=all`) adds the rows that are missing.

use awgstar_lockstep::mutants::{self, Fate, Found, Mutant, Oracle};
use awgstar_simulator::SimError;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{env, fs, thread};

const TITLE: &str = "list,id,suite,fate,part,cycle,signal";

/// One test writes at a time.
static WRITING: Mutex<()> = Mutex::new(());

fn table() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/mutants.csv")
}

/// List, id and suite of a bug; fate, part, cycle and signal.
type Rows = BTreeMap<[String; 3], String>;

fn read() -> Rows {
    let text = fs::read_to_string(table()).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some(TITLE));
    let rows = lines.map(|line| {
        let mut parts = line.splitn(4, ',').map(str::to_owned);
        let key = [(); 3].map(|()| parts.next().unwrap());
        (key, parts.next().unwrap())
    });
    rows.collect()
}

fn row<By: Found>(fate: &Fate<By>) -> String {
    match fate {
        Fate::Killed(by) => {
            let [part, cycle, signal] = by.place();
            format!("found,{part},{cycle},{signal}")
        }
        Fate::Hung(_) => "no end,,,".into(),
        Fate::Survived => "survived,,,".into(),
        Fate::DoesNotCompile(_) | Fate::NoMatch(_) => "no mutant,,,".into(),
    }
}

/// The first difference in the words of a test, which may have no cycle.
#[derive(Debug)]
pub(crate) struct Said(pub(crate) String);

impl Found for Said {
    fn place(&self) -> [String; 3] {
        [String::new(), String::new(), self.0.replace([',', '\n'], ";")]
    }
}

fn suite() -> String {
    thread::current().name().unwrap_or_default().to_owned()
}

/// The bugs, each with the part that found it by the table: with it, most fall to the first part that is played.
fn with_parts(list: &[Mutant]) -> Vec<Mutant> {
    let rows = read();
    let part = |mutant: &Mutant| {
        let row = rows.get(&[mutant.list.clone(), mutant.id.clone(), suite()])?;
        row.split(',').nth(1)?.parse().ok()
    };
    list.iter()
        .map(|mutant| Mutant { first: part(mutant).unwrap_or(0), ..mutant.clone() })
        .collect()
}

/// Compares the fates that the test which calls this has seen with the table, or writes them; a sentence for each
/// that differs.
pub(crate) fn compared<By: Found>(list: &[Mutant], fates: &[Fate<By>]) -> Vec<String> {
    let key = |mutant: &Mutant| [mutant.list.clone(), mutant.id.clone(), suite()];
    let now = list.iter().map(key).zip(fates.iter().map(row));
    let _one = WRITING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut rows = read();
    let is = |variable: &str, value: &str| env::var_os(variable).is_some_and(|now| now == value);
    let (update, whole) = (is("UPDATE", "1"), is("AWGSTAR_MUTANTS", "all"));
    let mut differ = Vec::new();
    for (key, row) in now {
        let before = rows.get(&key);
        if update || whole && before.is_none() {
            rows.insert(key, row);
        } else if before != Some(&row) {
            let key = key.join(",");
            differ.push(format!("{key}: {row}, in the table {before:?}; UPDATE=1 writes it"));
        }
    }
    if update || whole {
        let lines = rows.iter().map(|(key, row)| format!("{},{row}\n", key.join(",")));
        fs::write(table(), format!("{TITLE}\n{}", lines.collect::<String>())).unwrap();
    }
    differ
}

/// Tries every mutant, prints what becomes of each, and gives a sentence for each that is not found, or not as in the
/// table.
pub(crate) fn survivors<O>(list: &[Mutant], oracle: &O) -> Result<Vec<String>, SimError>
where
    O: Oracle<By: Found>,
{
    let list = &with_parts(list);
    let fates = mutants::run(list, oracle, &|mutant, fate| println!("{}: {fate:?}", mutant.id))?;
    let mut told = mutants::missed(list, &fates);
    told.extend(compared(list, &fates));
    Ok(told)
}

/// A row of a bug that is gone would stay.
#[test]
fn rows_are_of_bugs_that_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut lists = BTreeMap::new();
    for [list, id, suite] in read().into_keys() {
        let mutants = lists
            .entry(list.clone())
            .or_insert_with(|| mutants::read(&mutants::list_of(&root, &list)).unwrap());
        assert!(mutants.iter().any(|mutant| mutant.id == id), "{list}: no {id} for {suite}");
    }
}
