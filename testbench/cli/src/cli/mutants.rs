// SPDX-License-Identifier: MIT OR Apache-2.0
//! `cargo xtask mutants`: injected bugs in the firmware, in generation 1 and in the comparison, one after another.

use super::{CliError, CliResult, Outcome, checkout, shard};
use awgstar_cli::work::Work;
use awgstar_lockstep::mutants::firmware::{Copy, Fate, LISTS};
use awgstar_lockstep::mutants::{self, Mutant, Oracle, firmware};
use awgstar_simulator::SimError;
use awgstar_stimulus::echo;
use clap::builder::PossibleValuesParser;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, io::Write, path::PathBuf, sync::mpsc, thread};

#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  cargo xtask mutants firmware-lock\n  cargo xtask mutants firmware-barrier --only mw-worker-sends-once"
)]
pub(crate) struct Args {
    /// A list in testbench/mutants
    #[arg(value_parser = PossibleValuesParser::new(LISTS.iter().map(|list| list.name)))]
    list: String,
    /// Root of the repository
    #[arg(long, default_value = ".")]
    root: PathBuf,
    /// Scratch folder; what is built there is used again
    #[arg(long, value_name = "FOLDER", default_value = "target/mutants")]
    scratch: PathBuf,
    /// These only
    #[arg(long, value_delimiter = ',', value_name = "ID,...")]
    only: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    pub(super) part: shard::ShardArgs,
}

pub(super) fn run(args: &Args, work: &Work, out: &mut dyn Write) -> CliResult {
    let failed = |e: SimError| CliError::Usage(e.to_string());
    let list = LISTS.iter().find(|list| list.name == args.list).ok_or_else(|| {
        let all = echo::expected(&args.list, LISTS.iter().map(|list| list.name));
        CliError::Usage(format!("list is `{}`: {all}", args.list))
    })?;
    checkout(&args.root, &["testbench/mutants"])?;
    let path = mutants::list_of(&args.root, list.name);
    let mut mutants = mutants::read(&path).map_err(failed)?;
    if let Some(id) = args.only.iter().find(|id| !mutants.iter().any(|m| m.id == **id)) {
        let ids = echo::expected(id, mutants.iter().map(|mutant| mutant.id.as_str()));
        let path = path.display();
        return Err(CliError::Usage(format!("--only: `{id}` is not in {path}: {ids}")));
    }
    mutants.retain(|mutant| args.only.is_empty() || args.only.contains(&mutant.id));
    let ids: Vec<String> = mutants.iter().map(|mutant| mutant.id.clone()).collect();
    work.reads(|| firmware::inputs(&args.root, list)).map_err(failed)?;
    let chosen = work.chosen(mutants.len());
    let mutants: Vec<Mutant> = chosen.iter().map(|&i| mutants[i].clone()).collect();
    let own = if mutants.is_empty() {
        Vec::new()
    } else {
        // Cargo needs a separate folder.
        let folder = std::path::absolute(args.scratch.join(list.tests)).map_err(CliError::from)?;
        let copy = Copy::new(&args.root, &folder, list).map_err(failed)?;
        tried(&mutants, &copy, &mut |line| if args.json { Ok(()) } else { said(line, out) })?
    };
    let Some(fates) = work.collect(&ids, own)? else {
        return Ok(Outcome::Holds);
    };
    if args.json {
        let outcome = judged(&fates);
        let text = serde_json::to_string(&Results::new(list.name, ids, fates));
        writeln!(out, "{}", text.map_err(|e| CliError::Usage(e.to_string()))?)?;
        return Ok(outcome);
    }
    if chosen.is_empty() {
        for Tried { line, .. } in &fates {
            said(line, out)?;
        }
    }
    summed(&fates, out)
}

/// How many ended so.
fn count(fates: &[Tried], end: End) -> usize {
    fates.iter().filter(|fate| fate.end == end).count()
}

/// A mutant that was not tried leaves its list without a verdict.
fn judged(fates: &[Tried]) -> Outcome {
    let count = |end| count(fates, end);
    match (count(End::Survived), count(End::NotTried), count(End::Killed)) {
        (1.., ..) => Outcome::Failed,
        (0, 1.., _) | (0, 0, 0) => Outcome::NotJudged,
        (0, 0, _) => Outcome::Holds,
    }
}

/// Prints the counts. A mutant that was not tried is in neither of them.
fn summed(fates: &[Tried], out: &mut dyn Write) -> CliResult {
    let killed = count(fates, End::Killed);
    write!(out, "{killed} of {} killed", killed + count(fates, End::Survived))?;
    let untried = count(fates, End::NotTried);
    if untried > 0 {
        write!(
            out,
            "; {untried} not judged: no mutant, because its text is not found once or does not compile"
        )?;
    }
    writeln!(out)?;
    Ok(judged(fates))
}

/// Results of a list.
#[derive(Serialize)]
struct Results {
    list: &'static str,
    killed: usize,
    survived: usize,
    not_tried: usize,
    mutants: Vec<Row>,
}

/// A mutant in the results.
#[derive(Serialize)]
struct Row {
    id: String,
    end: End,
    line: String,
}

impl Results {
    fn new(list: &'static str, ids: Vec<String>, fates: Vec<Tried>) -> Self {
        let [killed, survived, not_tried] =
            [End::Killed, End::Survived, End::NotTried].map(|end| count(&fates, end));
        let rows = ids.into_iter().zip(fates);
        let mutants = rows.map(|(id, Tried { line, end })| Row { id, end, line }).collect();
        Results { list, killed, survived, not_tried, mutants }
    }
}

/// What became of a mutant, for the counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum End {
    Killed,
    Survived,
    /// It does not compile, or its text is not in the file once.
    NotTried,
}

impl End {
    fn of(fate: &Fate) -> Self {
        match fate {
            Fate::Killed(_) | Fate::Hung(_) => End::Killed,
            Fate::Survived => End::Survived,
            Fate::DoesNotCompile(_) | Fate::NoMatch(_) => End::NotTried,
        }
    }
}

/// What became of a mutant.
#[derive(Serialize, Deserialize)]
struct Tried {
    line: String,
    end: End,
}

fn said(line: &str, out: &mut dyn Write) -> Result<(), CliError> {
    writeln!(out, "{line}")?;
    Ok(out.flush()?)
}

/// Tries the mutants; `say` gets a line for each, in their order, as soon as it and those before it are known.
fn tried(
    mutants: &[Mutant],
    copy: &impl Oracle<By = String>,
    say: &mut dyn FnMut(&str) -> Result<(), CliError>,
) -> Result<Vec<Tried>, CliError> {
    let failed = |e: SimError| CliError::Usage(e.to_string());
    let (send, lines) = mpsc::channel();
    // It owns the sender, which ends with the thread: then there are no more lines.
    let tell = move |mutant: &Mutant, fate: &Fate| {
        let what = match fate {
            Fate::Killed(test) => format!("killed by {test}"),
            Fate::Hung(_) => "killed: the tests do not end".into(),
            Fate::Survived => format!("SURVIVED: {}", mutant.story),
            Fate::DoesNotCompile(text) => format!("DOES NOT COMPILE\n{text}"),
            Fate::NoMatch(count) => format!("MATCHES {count} TIMES in {}", mutant.file),
        };
        let number = mutants.iter().position(|one| one.id == mutant.id).unwrap_or(0);
        let line = format!("{:<36} {what}", mutant.id);
        // The receiver is gone when the output is closed.
        let _ = send.send((number, Tried { line, end: End::of(fate) }));
    };
    thread::scope(|scope| {
        let run = scope.spawn(move || mutants::run(mutants, copy, &tell));
        let (mut early, mut all) = (BTreeMap::new(), Vec::new());
        for (number, one) in lines {
            early.insert(number, one);
            while let Some(one) = early.remove(&all.len()) {
                say(&one.line)?;
                all.push(one);
            }
        }
        let fates = run.join().map_err(|_| CliError::Usage("a thread ended early".into()))?;
        fates.map_err(failed).map(|_| all)
    })
}

#[cfg(test)]
mod tests {
    use super::{CliError, End, Fate, Mutant, Oracle, Outcome, SimError, Tried, summed, tried};
    use std::{path::Path, sync::mpsc, thread, time::Duration};

    /// Finds every bug.
    struct Finder(tempfile::TempDir);

    impl Oracle for Finder {
        type By = String;

        fn sources(&self) -> &Path {
            self.0.path()
        }

        fn judge(&self, mutant: &Mutant) -> Result<Fate, SimError> {
            Ok(Fate::Killed(format!("test_of_{}", mutant.id)))
        }
    }

    /// A mutant that does not compile counted as one that survived.
    #[test]
    fn a_mutant_that_does_not_compile_has_a_class_of_its_own() {
        let sum = |ends: &[End]| {
            let fates = ends.iter().map(|&end| Tried { line: String::new(), end });
            let mut text = Vec::new();
            let outcome = summed(&fates.collect::<Vec<_>>(), &mut text).unwrap();
            let text = String::from_utf8(text).unwrap();
            (outcome, text.split(':').next().unwrap().trim().to_owned())
        };
        let (killed, survived) = (End::of(&Fate::Hung(String::new())), End::of(&Fate::Survived));
        let untried = End::of(&Fate::DoesNotCompile(String::new()));
        assert_eq!(untried, End::of(&Fate::NoMatch(2)));
        let held = |outcome, text: &str| (outcome, text.to_owned());
        assert_eq!(sum(&[killed, killed]), held(Outcome::Holds, "2 of 2 killed"));
        assert_eq!(sum(&[untried]), held(Outcome::NotJudged, "0 of 0 killed; 1 not judged"));
        let both = held(Outcome::NotJudged, "1 of 1 killed; 1 not judged");
        assert_eq!(sum(&[killed, untried]), both);
        let worst = held(Outcome::Failed, "1 of 2 killed; 1 not judged");
        assert_eq!(sum(&[untried, survived, killed]), worst);
        assert_eq!(sum(&[]), held(Outcome::NotJudged, "0 of 0 killed"));
    }

    /// The command waited for more lines without end after the last one.
    #[test]
    fn the_command_ends_after_the_last_mutant() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.rs"), "good").unwrap();
        let one = |id: &str| Mutant {
            list: String::new(),
            id: id.into(),
            file: "a.rs".into(),
            find: "good".into(),
            replace: "bad".into(),
            story: "a mistake".into(),
            first: 0,
        };
        let mutants = [one("b"), one("a"), one("c")];
        let (send, end) = mpsc::channel();
        thread::spawn(move || {
            let mut lines = Vec::new();
            let mut say = |line: &str| {
                lines.push(line.to_owned());
                Ok::<(), CliError>(())
            };
            let count = tried(&mutants, &Finder(folder), &mut say).map(|all| all.len());
            let _ = send.send((count.ok(), lines));
        });
        let (count, lines) = end.recv_timeout(Duration::from_secs(60)).expect("it ends");
        let ids: Vec<_> = lines.iter().filter_map(|line| line.split_whitespace().next()).collect();
        assert_eq!((count, ids), (Some(3), vec!["b", "a", "c"]));
    }
}
