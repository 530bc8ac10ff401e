// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shell completions and man pages, from clap.

use super::{CliResult, Outcome, at};
use clap_complete::Shell;
use std::{io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  awgstar completions bash > ~/.local/share/bash-completion/completions/awgstar"
)]
pub(crate) struct CompletionArgs {
    shell: Shell,
}

#[derive(clap::Args)]
#[command(after_help = "Example:\n  cargo xtask man | man -l -")]
pub(crate) struct ManArgs {
    /// Write awgstar.1 and a page per subcommand into this folder instead
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
}

pub(crate) fn completions(
    args: &CompletionArgs,
    command: &clap::Command,
    out: &mut dyn Write,
) -> CliResult {
    // A shell would offer hidden commands, too.
    let visible = command.get_subcommands().filter(|one| !one.is_hide_set()).cloned();
    let mut command = clap::Command::new("awgstar").version(env!("CARGO_PKG_VERSION"));
    command = command.subcommands(visible);
    // Through a buffer: the generator panics when its output is closed early.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut command, "awgstar", &mut text);
    out.write_all(&text)?;
    Ok(Outcome::Holds)
}

pub(crate) fn man(args: &ManArgs, command: clap::Command, out: &mut dyn Write) -> CliResult {
    match &args.out {
        None => clap_mangen::Man::new(command).render(&mut &mut *out)?,
        Some(folder) => {
            at(folder.display(), std::fs::create_dir_all(folder))?;
            at(folder.display(), clap_mangen::generate_to(command, folder))?;
            writeln!(out, "wrote man pages to {}", folder.display())?;
        }
    }
    Ok(Outcome::Holds)
}
