//! Runs a program with a time limit.

use super::SimError;
use std::{
    io::{self, Read},
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

/// What a program printed (standard output, then standard error) and whether it succeeded.
#[derive(Debug)]
pub struct Finished {
    /// Both outputs.
    pub text: String,
    /// Exit code 0.
    pub success: bool,
}

/// Runs `command`; `package` is named when the program is missing.
///
/// # Errors
/// When the program is missing, cannot be run, or does not end within `limit` (it is killed then).
pub fn run(
    command: &mut Command,
    package: &'static str,
    limit: Duration,
) -> Result<Finished, SimError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let failed = |e: io::Error| match e.kind() {
        io::ErrorKind::NotFound => SimError::Missing { program: program.clone(), package },
        _ => SimError::io(&program)(e),
    };
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    let out = drain(child.stdout.take());
    let err = drain(child.stderr.take());
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    let status = loop {
        if let Some(status) = child.try_wait().map_err(SimError::io(&program))? {
            break status;
        }
        if start.elapsed() > limit {
            let _ = child.kill();
            let _ = child.wait();
            return Err(SimError::Timeout { program, limit });
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let mut text = out.join().unwrap_or_default();
    text.push_str(&err.join().unwrap_or_default());
    Ok(Finished { text, success: status.success() })
}

fn drain(pipe: Option<impl Read + Send + 'static>) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_says_what_to_install() {
        let e = run(&mut Command::new("no-such-simulator"), "iverilog", Duration::from_secs(1))
            .unwrap_err();
        assert!(e.to_string().contains("apt-get install iverilog"), "{e}");
    }

    #[test]
    fn a_program_that_hangs_is_ended() {
        let e = run(Command::new("sleep").arg("5"), "coreutils", Duration::from_millis(50));
        assert!(matches!(e, Err(SimError::Timeout { .. })));
    }
}
