// SPDX-License-Identifier: MIT OR Apache-2.0
//! `awgstar frame encode | decode | explain` (CLI-1, CLI-2).

use super::{CliError, CliResult, Outcome, number};
use awgstar::{
    codec::{Frame, Mac, explain},
    contract::{Token, limits::FRAME_MAX},
};
use awgstar_stimulus::echo;
use clap::{Subcommand, ValueEnum};
use serde::Serialize;
use std::io::{self, BufRead, Read, Write};

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Fields to one line of hex: the whole frame with pad and FCS
    #[command(
        after_help = "Example:\n  awgstar frame encode --token data --mac 02:53:4d:42:00:01 --node-id 1 --addr 0x100 --data 0011aabb"
    )]
    Encode(EncodeArgs),
    /// Hex to fields; a bad frame exits with 1 and names the field
    ///
    /// With `-`, every line that is no good frame is reported on standard error with its number, the
    /// lines after it are decoded, and the exit code is 1.
    #[command(
        after_help = "Example:\n  awgstar frame decode --json $(awgstar frame encode --token free --mac 02:53:4d:42:00:01)"
    )]
    Decode {
        /// One JSON object per frame
        #[arg(long)]
        json: bool,
        /// The frame, MAC to FCS, in hex; `-` reads one frame per line from standard input
        hex: String,
    },
    /// Draw a frame: bits, places in the RTL's words, meanings, every error
    #[command(
        after_help = "Example:\n  awgstar frame explain $(awgstar frame encode --token p2p --c-st 9 --mac 02:53:4d:42:00:01 --data 0300000000000007)"
    )]
    Explain {
        /// The frame, MAC to FCS, in hex; `-` reads one frame per line from standard input
        hex: String,
    },
}

#[derive(clap::Args)]
pub(crate) struct EncodeArgs {
    /// Kind of frame
    #[arg(long, value_enum)]
    token: TokenArg,
    /// Address of the SMB that sends it
    #[arg(long, value_name = "XX:XX:XX:XX:XX:XX")]
    mac: Mac,
    /// C.ST, 5 bits; on a data token the short form is set by itself
    #[arg(long, default_value = "0", value_parser = number::within::<u8>(0..=0x1f))]
    c_st: u8,
    /// Node_ID, 8 bits
    #[arg(long, default_value = "0", value_parser = number::within::<u8>(0..=0xff))]
    node_id: u8,
    /// Multicast group, 4 bits
    #[arg(long, default_value = "0", value_parser = number::within::<u8>(0..=0xf))]
    multi_g: u8,
    /// Fragment number of a divided block, 4 bits
    #[arg(long, default_value = "0", value_parser = number::within::<u8>(0..=0xf))]
    act_seq: u8,
    /// Sender's frame counter, 8 bits
    #[arg(long, default_value = "0", value_parser = number::within::<u8>(0..=0xff))]
    packet_cnt: u8,
    /// Byte offset in the shared memory, 32 bits
    #[arg(long, default_value = "0", value_parser = number::any_32())]
    addr: u32,
    /// Valid bytes in hex
    #[arg(long, default_value = "", value_name = "HEX")]
    data: String,
    /// One JSON object: the fields, and the frame in hex
    #[arg(long)]
    json: bool,
}

/// TOKEN as the command line spells it.
#[derive(Clone, Copy)]
struct TokenArg(Token);

impl ValueEnum for TokenArg {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [TokenArg; 6] = {
            let mut all = [TokenArg(Token::Free); 6];
            let mut i = 0;
            while i < all.len() {
                all[i] = TokenArg(Token::ALL[i]);
                i += 1;
            }
            all
        };
        &ALL
    }
    fn to_possible_value(&self) -> Option<clap::builder::PossibleValue> {
        Some(clap::builder::PossibleValue::new(self.0.name()).help(self.0.doc()))
    }
}

/// A frame as `frame decode --json` and `frame encode --json` print it.
#[derive(Serialize)]
struct Json {
    mac: String,
    token: &'static str,
    c_st: u8,
    node_id: u8,
    multi_g: u8,
    act_seq: u8,
    packet_cnt: u8,
    addr: u32,
    data: String,
    fcs: String,
    /// The whole frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    frame: Option<String>,
}

impl Json {
    fn new(frame: &Frame, bytes: &[u8]) -> Self {
        Json {
            mac: frame.mac.to_string(),
            token: frame.token.name(),
            c_st: frame.c_st,
            node_id: frame.node_id,
            multi_g: frame.multi_g,
            act_seq: frame.act_seq,
            packet_cnt: frame.packet_cnt,
            addr: frame.addr,
            data: hex::encode(frame.data),
            fcs: hex::encode(&bytes[bytes.len().saturating_sub(4)..]),
            frame: None,
        }
    }

    fn print(&self, out: &mut dyn Write) -> CliResult {
        let text = serde_json::to_string(self).map_err(|e| CliError::Usage(e.to_string()))?;
        writeln!(out, "{text}")?;
        Ok(Outcome::Holds)
    }
}

pub(crate) fn run(command: &Command, out: &mut dyn Write) -> CliResult {
    match command {
        Command::Encode(args) => encode(args, out),
        Command::Decode { json, hex } => each(hex, *json, out, &mut |bytes, out| {
            let frame = Frame::decode(bytes).map_err(|e| CliError::Check(e.to_string()))?;
            decoded(&frame, bytes, *json, out)
        }),
        Command::Explain { hex } => each(hex, false, out, &mut |bytes, out| {
            write!(out, "{}", explain(bytes))?;
            Ok(if Frame::decode(bytes).is_ok() { Outcome::Holds } else { Outcome::Failed })
        }),
    }
}

fn encode(args: &EncodeArgs, out: &mut dyn Write) -> CliResult {
    let data = bytes_of(&args.data).map_err(|e| CliError::Usage(format!("data: {e}")))?;
    let frame = Frame {
        mac: args.mac,
        token: args.token.0,
        c_st: args.c_st,
        node_id: args.node_id,
        multi_g: args.multi_g,
        act_seq: args.act_seq,
        packet_cnt: args.packet_cnt,
        addr: args.addr,
        data: &data,
    };
    let mut line = [0; FRAME_MAX];
    let end = frame.encode(&mut line).map_err(|e| CliError::Usage(e.to_string()))?;
    let whole = hex::encode(&line[..end]);
    if args.json {
        // As it is on the line: the short form is set by itself.
        let sent = Frame::decode(&line[..end]).map_err(|e| CliError::Usage(e.to_string()))?;
        let object = Json { frame: Some(whole), ..Json::new(&sent, &line[..end]) };
        return object.print(out);
    }
    writeln!(out, "{whole}")?;
    Ok(Outcome::Holds)
}

fn decoded(frame: &Frame, bytes: &[u8], json: bool, out: &mut dyn Write) -> CliResult {
    let fields = Json::new(frame, bytes);
    if json {
        return fields.print(out);
    }
    let Json { mac, token, c_st, node_id, multi_g, act_seq, packet_cnt, addr, data, fcs, frame: _ } =
        fields;
    writeln!(
        out,
        "mac {mac}\ntoken {token}\nc_st {c_st}\nnode_id {node_id}\nmulti_g {multi_g}\nact_seq {act_seq}\n\
         packet_cnt {packet_cnt}\naddr 0x{addr:08x}\ndata {data}\nfcs {fcs}"
    )?;
    Ok(Outcome::Holds)
}

/// Longest line of standard input in bytes: two digits for each byte of the longest frame, and as
/// many separators.
const LINE_MAX: usize = 4 * FRAME_MAX;

/// Runs `work` on the frame in `hex`, or on each line of standard input for `-`. A line that is no
/// good frame is reported with its number, and the lines after it are still read.
fn each(
    hex: &str,
    json: bool,
    out: &mut dyn Write,
    work: &mut dyn FnMut(&[u8], &mut dyn Write) -> CliResult,
) -> CliResult {
    if hex != "-" {
        let bytes = bytes_of(hex).map_err(CliError::Usage)?;
        return work(&bytes, out);
    }
    let mut input = io::stdin().lock();
    let mut outcome = Outcome::Holds;
    for number in 1.. {
        let Some(line) = super::at("standard input", line(&mut input))? else { break };
        let done = line.and_then(|line| bytes_of(&line)).map_or_else(
            |what| Err(CliError::Check(what)),
            |bytes| if bytes.is_empty() { Ok(Outcome::Holds) } else { work(&bytes, out) },
        );
        match done {
            Ok(Outcome::Holds) => {}
            Ok(other) => outcome = other,
            Err(error @ CliError::Check(_)) => {
                super::failed(&error, Some(number), json, out)?;
                outcome = Outcome::Failed;
            }
            Err(other) => return Err(other),
        }
    }
    Ok(outcome)
}

/// The next line; `None` at the end of the input. Of a line that is too long no more than
/// [`LINE_MAX`] bytes are kept.
fn line(input: &mut impl BufRead) -> io::Result<Option<Result<String, String>>> {
    let mut bytes = Vec::new();
    input.by_ref().take(LINE_MAX as u64 + 1).read_until(b'\n', &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() > LINE_MAX && !bytes.ends_with(b"\n") {
        input.skip_until(b'\n')?;
        return Ok(Some(Err(format!(
            "longer than {LINE_MAX} bytes: expected the hex digits of a frame, {FRAME_MAX} bytes at most"
        ))));
    }
    Ok(Some(String::from_utf8(bytes).map_err(|e| {
        let at = e.utf8_error().valid_up_to();
        format!("byte {at}: expected text in UTF-8")
    })))
}

/// Hex to bytes; white space and `_` between digits are skipped.
fn bytes_of(text: &str) -> Result<Vec<u8>, String> {
    let digits: String = text.chars().filter(|c| !c.is_whitespace() && *c != '_').collect();
    echo::hex(&digits)
}
