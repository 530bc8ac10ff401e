// SPDX-License-Identifier: MIT OR Apache-2.0
//! `mpirun` and its like as starter of a run: they start the command once for each rank.

use crate::cli::CliError;

/// Variables in which starters tell the number of ranks, and the rank: Open MPI, and MPICH and its relatives.
const STARTERS: [(&str, &str); 2] =
    [("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"), ("PMI_SIZE", "PMI_RANK")];

/// The number of nodes; `None` if the command of another rank runs them all.
pub(super) fn nodes(said: Option<usize>) -> Result<Option<usize>, CliError> {
    let number = |name| std::env::var(name).ok()?.parse::<usize>().ok();
    let found = STARTERS.iter().find_map(|(size, rank)| Some((number(size)?, number(rank)?)));
    match (said, found) {
        (Some(nodes), None | Some((1, _))) => Ok(Some(nodes)),
        (Some(_), Some((ranks, _))) => {
            let what = format!("-n: a starter runs this command {ranks} times; leave out -n");
            Err(CliError::Usage(what))
        }
        (None, Some((ranks, 0))) => Ok(Some(ranks)),
        (None, Some(_)) => Ok(None),
        (None, None) => Err(CliError::Usage("expected -n N, the number of nodes".into())),
    }
}
