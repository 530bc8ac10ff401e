// SPDX-License-Identifier: MIT OR Apache-2.0
//! Words of the command line that have another name now: accepted for one release, each with a warning.

use std::ffi::OsString;

/// A command with another name.
struct Moved {
    /// The words after `awgstar`.
    old: &'static [&'static str],
    new: &'static [&'static str],
    /// What to type in its place.
    say: &'static str,
}

const MOVED: [Moved; 7] = [
    Moved {
        old: &["contract", "generate"],
        new: &["xtask", "contract", "generate"],
        say: "cargo xtask contract generate",
    },
    Moved {
        old: &["contract", "check"],
        new: &["xtask", "contract", "check"],
        say: "cargo xtask contract check",
    },
    Moved { old: &["mutants"], new: &["xtask", "mutants"], say: "cargo xtask mutants" },
    Moved { old: &["man"], new: &["xtask", "man"], say: "cargo xtask man" },
    Moved { old: &["speed"], new: &["xtask", "speed"], say: "cargo xtask speed" },
    Moved { old: &["latency"], new: &["study", "latency"], say: "awgstar study latency" },
    Moved {
        old: &["wave"],
        new: &["wave"],
        say: "awgstar sim FILE --vcd FILE.vcd` with `--window` and `--nodes",
    },
];

/// Commands, an option that they had, and its name now.
const OPTIONS: [(&[&str], &str, &str); 8] = [
    (&["cosim"], "--scenarios", "--cases"),
    (&["cosim"], "--random", "--cases"),
    (&["campaign"], "--episodes", "--cases"),
    (&["campaign"], "--episode", "--case"),
    (&["campaign"], "--boards", "--nodes"),
    (&["study", "latency"], "--boards", "--nodes"),
    (&["study", "bypass"], "--boards", "--nodes"),
    // `--limit` of conform is a time.
    (&["study", "mandelbrot"], "--limit", "--iterations"),
];

/// Commands, an option, a value that it had, and its name now.
const VALUES: [(&[&str], &str, &str, &str); 1] = [(&["cosim"], "--module", "node", "ring_node")];

/// Arguments in the words of now.
pub(super) struct Renewed {
    /// The arguments; the first is the program.
    pub(super) arguments: Vec<OsString>,
    /// A line for each old word.
    pub(super) warnings: Vec<String>,
}

fn warning(old: &str, new: &str) -> String {
    format!("warning: `{old}` is an old name, which the next release does not know: use `{new}`")
}

/// The command of these words: one of `study` has two, between which there may be options.
fn is(command: &[&str], words: &[OsString]) -> bool {
    let mut words = words.iter();
    let mut parts = command.iter();
    let first = parts.next();
    words.next().and_then(|word| word.to_str()) == first.copied()
        && parts.all(|part| words.any(|word| word.to_str() == Some(*part)))
}

/// Replaces the old words of these arguments. Those after `--` belong to another program.
pub(super) fn renewed(arguments: impl IntoIterator<Item = OsString>) -> Renewed {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let mut warnings = Vec::new();
    let begins = |arguments: &[OsString], old: &[&str]| {
        let words = arguments.iter().skip(1).map(|word| word.to_str());
        arguments.len() > old.len() && words.zip(old).all(|(word, old)| word == Some(*old))
    };
    if let Some(moved) = MOVED.iter().find(|moved| begins(&arguments, moved.old)) {
        warnings.push(warning(&format!("awgstar {}", moved.old.join(" ")), moved.say));
        drop(arguments.splice(1..=moved.old.len(), moved.new.iter().map(OsString::from)));
    }
    let end = arguments.iter().position(|word| word == "--").unwrap_or(arguments.len());
    let own = arguments.get(1..end).unwrap_or_default().to_vec();
    let options = || OPTIONS.iter().filter(|(command, ..)| is(command, &own));
    let values = || VALUES.iter().filter(|(command, ..)| is(command, &own));
    let mut before = String::new();
    for word in arguments.iter_mut().take(end).skip(1) {
        let Some(text) = word.to_str().map(str::to_owned) else { continue };
        let (name, value) = text.split_once('=').map_or((&*text, None), |(n, v)| (n, Some(v)));
        if let Some((_, old, new)) = options().find(|(_, old, _)| *old == name) {
            warnings.push(warning(old, new));
            *word = value.map_or(new.into(), |value| format!("{new}={value}").into());
        }
        let (option, said) = value.map_or((&*before, &*text), |value| (name, value));
        if let Some((_, _, old, new)) = values().find(|row| (row.1, row.2) == (option, said)) {
            warnings.push(warning(&format!("{option} {old}"), &format!("{option} {new}")));
            *word = value.map_or(new.into(), |_| format!("{option}={new}").into());
        }
        before = text;
    }
    Renewed { arguments, warnings }
}

#[cfg(test)]
mod tests {
    use super::{MOVED, OPTIONS, VALUES, renewed};
    use crate::cli::command_line;

    fn words(text: &str) -> (String, usize) {
        let renewed = renewed(text.split(' ').map(Into::into));
        let all: Vec<_> = renewed.arguments.iter().filter_map(|word| word.to_str()).collect();
        (all.join(" "), renewed.warnings.len())
    }

    #[test]
    fn old_words_are_replaced() {
        for (old, new, warnings) in [
            ("awgstar cosim --scenarios 3", "awgstar cosim --cases 3", 1),
            ("awgstar cosim --scenarios=3 --fast", "awgstar cosim --cases=3 --fast", 1),
            ("awgstar cosim --module node", "awgstar cosim --module ring_node", 1),
            ("awgstar cosim --module=node", "awgstar cosim --module=ring_node", 1),
            ("awgstar cosim --class node", "awgstar cosim --class node", 0),
            ("awgstar campaign --boards 2 --episode 1", "awgstar campaign --nodes 2 --case 1", 2),
            ("awgstar latency --boards 2", "awgstar study latency --nodes 2", 2),
            (
                "awgstar study --shard 1/2 bypass --boards 2",
                "awgstar study --shard 1/2 bypass --nodes 2",
                1,
            ),
            ("awgstar study lock --boards 2", "awgstar study lock --boards 2", 0),
            ("awgstar contract check", "awgstar xtask contract check", 1),
            ("awgstar contract print x", "awgstar contract print x", 0),
            ("awgstar man", "awgstar xtask man", 1),
            ("awgstar run -- man --boards 2", "awgstar run -- man --boards 2", 0),
            ("awgstar run -- campaign --boards", "awgstar run -- campaign --boards", 0),
            ("awgstar", "awgstar", 0),
        ] {
            assert_eq!(words(old), (new.to_owned(), warnings), "{old}");
        }
    }

    /// No new word is missing, and no old one is still there.
    #[test]
    fn the_command_line_has_the_new_words_only() {
        let command = command_line();
        let find = |words: &[&str]| {
            words.iter().try_fold(&command, |command, word| {
                command.get_subcommands().find(|one| one.get_name() == *word)
            })
        };
        for moved in MOVED.iter().filter(|moved| moved.old != moved.new) {
            assert!(find(moved.new).is_some(), "{:?}", moved.new);
            assert!(find(moved.old).is_none(), "{:?}", moved.old);
        }
        let has = |words: &[&str], option: &str| {
            let command = find(words).expect("a command");
            command.get_arguments().any(|arg| arg.get_long() == option.strip_prefix("--"))
        };
        for (command, old, new) in OPTIONS {
            assert!(has(command, new) && !has(command, old), "{command:?} {old} {new}");
        }
        for (command, option, ..) in VALUES {
            assert!(has(command, option), "{command:?} {option}");
        }
    }
}
