// SPDX-License-Identifier: MIT OR Apache-2.0
//! The golden vectors through the Rust codec, as the simulators run them through the Verilog.
//!
//! The simulators alone check the properties of a stream: gaps, `tkeep`, aborts, late payload. The
//! codec refuses two things that `frame_tx` silently mends (TX-3): a C.ST given with a data token,
//! and fields given with a free token.

use awgstar::{
    codec::{EncodeError, Frame, Mac, explain},
    contract::{Check, Token, TxStatus},
};
use awgstar_stimulus::vectors::word::bytes;
use awgstar_stimulus::vectors::{Class, FrameVector, Vectors};

/// A vector that the codec fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// `<class>/<index>`.
    pub id: String,
    /// Purpose of the vector.
    pub comment: String,
    /// Requirements it checks.
    pub requirements: Vec<String>,
    /// Description of the difference, with the first word that differs.
    pub what: String,
    /// The frame of the vector, drawn.
    pub expected: String,
    /// The frame of the codec, drawn; empty if there is none.
    pub found: String,
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{} fails on the codec\n  vector:       {}", self.id, self.comment)?;
        writeln!(f, "  requirements: {}\n  {}", self.requirements.join(", "), self.what)?;
        for (side, frame) in [("expected", &self.expected), ("found", &self.found)] {
            writeln!(f, "  {side} frame:")?;
            for line in frame.lines() {
                writeln!(f, "    {line}")?;
            }
        }
        Ok(())
    }
}

/// Result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Vectors decoded or encoded, or both.
    pub run: usize,
    /// Vectors about what only a stream has.
    pub left_out: usize,
    /// Vectors the codec fails.
    pub failures: Vec<Failure>,
}

/// Description of the error, and the bytes that the codec made.
type Verdict = Result<(), (String, Vec<u8>)>;

/// Runs every frame vector of `classes` through [`Frame::decode`] and [`Frame::encode`].
#[must_use]
pub fn run(classes: &[Class]) -> Summary {
    let mut summary = Summary::default();
    for class in classes {
        let Vectors::Frame(vectors) = &class.vectors else {
            continue;
        };
        for (index, vector) in vectors.iter().enumerate() {
            let verdicts: Vec<Verdict> =
                [decoded(vector), encoded(vector)].into_iter().flatten().collect();
            if verdicts.is_empty() {
                summary.left_out += 1;
                continue;
            }
            summary.run += 1;
            for (what, found) in verdicts.into_iter().filter_map(Result::err) {
                summary.failures.push(Failure {
                    id: class.id(index),
                    comment: vector.note.comment.clone(),
                    requirements: class.requirements_of(&vector.note).to_vec(),
                    what,
                    expected: explain(&bytes(&vector.wire)),
                    found: if found.is_empty() { String::new() } else { explain(&found) },
                });
            }
        }
    }
    summary
}

/// The receiving side; `None` when the vector is not about bytes.
fn decoded(vector: &FrameVector) -> Option<Verdict> {
    if !vector.rx || matches!(vector.check, Check::Abort | Check::Keep) {
        return None;
    }
    let line = bytes(&vector.wire);
    let check = Frame::decode(&line).err().map_or(Check::Ok, |error| error.check);
    if check != vector.check {
        let what = format!("check: expected {}, found {}", vector.check.name(), check.name());
        return Some(Err((what, Vec::new())));
    }
    let Ok(frame) = Frame::decode(&line) else {
        return Some(Ok(()));
    };
    let h = &vector.header;
    let data = bytes(&vector.rx_payload);
    let fields: [(&str, u64, u64); 9] = [
        ("mac", h.mac, frame.mac.to_u64()),
        ("token", h.token.into(), frame.token.code().into()),
        ("c_st", h.c_st.into(), frame.c_st.into()),
        ("node_id", h.node_id.into(), frame.node_id.into()),
        ("multi_g", h.multi_g.into(), frame.multi_g.into()),
        ("act_seq", h.act_seq.into(), frame.act_seq.into()),
        ("packet_cnt", h.packet_cnt.into(), frame.packet_cnt.into()),
        ("addr", h.addr.into(), frame.addr.into()),
        ("len", vector.len.into(), frame.data.len() as u64),
    ];
    for (name, expected, found) in fields {
        // A short data token is given to the transmitter with any C.ST; on the line it is 1.
        if expected != found && !(name == "c_st" && vector.tx && frame.token == Token::Data) {
            return Some(Err((format!("{name}: expected {expected:#x}, found {found:#x}"), line)));
        }
    }
    let valid = data.get(..frame.data.len());
    let same = valid == Some(frame.data);
    Some(if same { Ok(()) } else { Err(("data: the valid bytes differ".into(), line)) })
}

/// The sending side; `None` when the vector is about the stream of the payload.
fn encoded(vector: &FrameVector) -> Option<Verdict> {
    if !vector.tx || matches!(vector.tx_status, TxStatus::Underrun | TxStatus::Last) {
        return None;
    }
    let h = &vector.header;
    let Some(token) = Token::from_code(h.token) else {
        let known = vector.tx_status == TxStatus::Token;
        return Some(if known {
            Ok(())
        } else {
            Err(("token: expected an assigned code".into(), Vec::new()))
        });
    };
    let payload = bytes(&vector.tx_payload);
    // A refused header names another length; its payload is only there to be drained.
    let data = match vector.tx_status {
        TxStatus::Length => vec![0; vector.len.into()],
        _ => payload,
    };
    let frame = Frame {
        mac: Mac::from_u64(h.mac),
        token,
        c_st: h.c_st,
        node_id: h.node_id,
        multi_g: h.multi_g,
        act_seq: h.act_seq,
        packet_cnt: h.packet_cnt,
        addr: h.addr,
        data: &data,
    };
    let mut line = vec![0; frame.encoded_len()];
    Some(match (vector.tx_status, frame.encode(&mut line)) {
        (TxStatus::Ok, Ok(end)) => same_words(&bytes(&vector.wire), &line[..end]),
        (TxStatus::Length, Err(EncodeError::DataLength { .. })) => Ok(()),
        (TxStatus::Ok, Err(EncodeError::NotAllowed { .. })) if !vector.rx => Ok(()),
        (status, result) => {
            let expected = if status == TxStatus::Ok { "a frame" } else { status.name() };
            Err((format!("encode: expected {expected}, found {result:?}"), Vec::new()))
        }
    })
}

fn same_words(expected: &[u8], found: &[u8]) -> Verdict {
    if expected == found {
        return Ok(());
    }
    let word = expected.chunks(4).zip(found.chunks(4)).take_while(|(e, f)| e == f).count();
    let at = |bytes: &[u8]| bytes.chunks(4).nth(word).map_or("nothing".into(), hex::encode);
    let what = format!("word {word}: expected {}, found {}", at(expected), at(found));
    Err((what, found.to_vec()))
}
