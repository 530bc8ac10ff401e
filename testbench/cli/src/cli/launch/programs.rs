// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line's programs: which one runs on which node.

use crate::cli::CliError;

/// Greatest number of nodes.
const NODES_MAX: usize = 256;

/// The words of the program of each node; `count` nodes have the first.
pub(super) fn programs(count: usize, words: &[String]) -> Result<Vec<Vec<String>>, CliError> {
    let mut all = Vec::new();
    let (mut count, mut nodes) = (count, 0_usize);
    for (number, part) in words.split(|word| word == ":").enumerate() {
        let mut words = part;
        if number > 0 {
            count = match words {
                [flag, n, ..] if flag == "-n" => n.parse().map_err(|_| {
                    CliError::Usage(format!("-n is `{n}`: expected a number of nodes"))
                })?,
                _ => return Err(CliError::Usage("after `:`: expected -n N PROGRAM".into())),
            };
            words = &words[2..];
            if words.first().is_some_and(|word| word == "--") {
                words = &words[1..];
            }
        }
        if words.is_empty() {
            return Err(CliError::Usage("expected a program".into()));
        }
        if count == 0 {
            return Err(CliError::Usage("-n is 0: expected 1 node or more".into()));
        }
        nodes = nodes.saturating_add(count);
        all.extend(std::iter::repeat_n(words.to_vec(), count.min(NODES_MAX)));
    }
    if nodes > NODES_MAX {
        let what = format!("-n: expected 1 to {NODES_MAX} nodes, found {nodes}");
        return Err(CliError::Usage(what));
    }
    Ok(all)
}
