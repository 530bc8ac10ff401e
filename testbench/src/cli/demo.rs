//! `awgstar demo`: the main job with nothing but Rust.

use super::{CliError, CliResult, Outcome, at, link_wave};
use awgstar::{
    contract::{Signal, limits::FRAME_MAX},
    frame::{Frame, Mac, explain},
};
use awgstar_testbench::vectors;
use std::{fs, io::Write, path::PathBuf};

#[derive(clap::Args)]
#[command(after_help = "Example:\n  awgstar demo --out /tmp/awgstar-demo")]
pub(crate) struct Args {
    /// Folder for what it writes
    #[arg(long, default_value = "target/demo")]
    out: PathBuf,
}

/// Node 3 asks the master, node 1, for lock 7.
const LOCK_REQUEST_DATA: [u8; 8] = [3, 0, 0, 1, 0, 0, 0, 7];

fn mac(node: u8) -> Mac {
    Mac([0x02, b'S', b'M', b'B', 0, node])
}

pub(crate) fn run(args: &Args, out: &mut dyn Write) -> CliResult {
    let request = Frame {
        c_st: Signal::LockMwRequest.c_st(),
        node_id: 1,
        packet_cnt: 41,
        ..Frame::new(Signal::LockMwRequest.token(), mac(3), &LOCK_REQUEST_DATA)
    };
    let write = Frame {
        node_id: 3,
        packet_cnt: 42,
        addr: 0x100,
        ..Frame::new(awgstar::contract::Token::Data, mac(3), &[0x00, 0x11, 0xaa, 0xbb])
    };
    let mut frames = Vec::new();
    for (title, frame) in [
        ("Node 3 asks node 1, the master, for lock 7", request),
        ("Node 3 writes 4 bytes at 0x100: every board gets them, and no byte behind them", write),
    ] {
        let mut line = [0; FRAME_MAX];
        let end = frame.encode(&mut line).map_err(|e| CliError::Check(e.to_string()))?;
        let bytes = line[..end].to_vec();
        let decoded = Frame::decode(&bytes).map_err(|e| CliError::Check(e.to_string()))?;
        if !decoded.data.starts_with(frame.data) || decoded.mac != frame.mac {
            return Err(CliError::Check(format!("decoded frame differs: {decoded:?}")));
        }
        writeln!(out, "== {title}\n{}\n\n{}", hex::encode(&bytes), explain(&bytes))?;
        frames.push(bytes);
    }
    at(args.out.display(), fs::create_dir_all(&args.out))?;
    at(args.out.display(), link_wave::write(&args.out, &frames))?;
    let vectors = args.out.join("vectors");
    at(vectors.display(), vectors::write(&vectors))?;
    let count: usize = vectors::generate().iter().map(vectors::Class::len).sum();
    let folder = args.out.display();
    writeln!(
        out,
        "Written:\n  {folder}/frames.vcd, frames.gtkw   both frames on the link, word by word\n  \
         {folder}/vectors/                  {count} golden vectors, ready for $readmemh\n\n\
         Look next:\n  cd {folder} && gtkwave frames.gtkw     the fields fill in as their words pass\n  \
         awgstar vectors list                    what each class of vectors catches\n  \
         awgstar frame explain HEX               flip a digit of a frame above and see what it names\n  \
         awgstar cosim --sim icarus              the same kind of frames through the Verilog\n  \
         awgstar doctor                          what is installed for that"
    )?;
    Ok(Outcome::Holds)
}
