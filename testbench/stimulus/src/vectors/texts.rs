// SPDX-License-Identifier: MIT OR Apache-2.0
//! Contents of the files of a class, and of a vector of the board.

use crate::StimulusError;
use crate::machine::Machine;
use crate::vector::Vector;
use crate::vectors::hex;
use crate::vectors::manifest::{SCHEMA_VERSION, VectorLine};
use crate::vectors::tree::Tree;
use crate::vectors::vector::{Class, CrcVector, FrameVector, Vectors};
use serde::Serialize;
use std::io;

/// Files of a class: path below `vectors/` and text.
///
/// # Errors
/// If a text cannot be made.
pub(super) fn class_files(class: &Class) -> io::Result<Tree> {
    let folder = format!("{}/{}", class.module().name(), class.name);
    let mut texts = match &class.vectors {
        Vectors::Frame(v) => frame_texts(v),
        Vectors::Crc32(v) => crc_texts(v),
    };
    texts.push(("vectors.json", vector_list(class)?));
    Ok(texts.into_iter().map(|(name, text)| (format!("{folder}/{name}"), text)).collect())
}

/// Files of a story's vector, in this folder.
///
/// # Errors
/// If the story gives no vector, or a text cannot be made.
pub(super) fn story_files<M: Machine>(
    folder: &str,
    vector: Result<Vector<M>, StimulusError>,
) -> io::Result<Tree> {
    let vector = vector.map_err(|e| io::Error::other(format!("{folder}: {e}")))?;
    let texts = vector.files().map_err(|e| io::Error::other(format!("{folder}: {e}")))?;
    Ok(texts.into_iter().map(|(name, text)| (format!("{folder}/{name}"), text)).collect())
}

fn frame_texts(vectors: &[FrameVector]) -> Vec<(&'static str, String)> {
    let fields: Vec<[u64; 16]> = vectors.iter().map(frame_fields).collect();
    let wire = || vectors.iter().flat_map(|v| &v.wire);
    let tx = || vectors.iter().flat_map(|v| &v.tx_payload);
    let rx = || vectors.iter().flat_map(|v| &v.rx_payload);
    let sizes = [vectors.len(), wire().count(), tx().count(), rx().count()];
    vec![
        ("sizes.hex", hex::render_sizes(&sizes)),
        ("fields.hex", hex::render(&hex::FRAME_FIELDS, &fields)),
        ("wire.hex", hex::render_words(wire())),
        ("tx_payload.hex", hex::render_words(tx())),
        ("rx_payload.hex", hex::render_words(rx())),
    ]
}

fn frame_fields(v: &FrameVector) -> [u64; 16] {
    let h = &v.header;
    [
        u64::from(v.tx) | u64::from(v.rx) << 1 | u64::from(v.monitor) << 2,
        v.check.code().into(),
        v.tx_status.code().into(),
        h.mac,
        h.token.into(),
        h.c_st.into(),
        h.node_id.into(),
        h.multi_g.into(),
        h.act_seq.into(),
        h.packet_cnt.into(),
        h.addr.into(),
        0,
        v.len.into(),
        v.wire.len() as u64,
        v.tx_payload.len() as u64,
        v.rx_payload.len() as u64,
    ]
}

fn crc_texts(vectors: &[CrcVector]) -> Vec<(&'static str, String)> {
    let fields: Vec<[u64; 4]> = vectors
        .iter()
        .map(|v| [v.keep.into(), v.crc_in.into(), v.data.into(), v.crc_out.into()])
        .collect();
    vec![
        ("sizes.hex", hex::render_sizes(&[vectors.len()])),
        ("fields.hex", hex::render(&hex::CRC_FIELDS, &fields)),
    ]
}

/// One line of JSON per vector.
fn vector_list(class: &Class) -> io::Result<String> {
    let lines = class
        .notes()
        .into_iter()
        .enumerate()
        .map(|(index, note)| {
            let frame = match &class.vectors {
                Vectors::Frame(v) => v.get(index),
                Vectors::Crc32(_) => None,
            };
            Ok(serde_json::to_string(&VectorLine {
                id: class.id(index),
                comment: note.comment.clone(),
                check: frame.filter(|v| v.rx).map(|v| v.check.name().into()),
                tx_status: frame.filter(|v| v.tx).map(|v| v.tx_status.name().into()),
                requirements: note.requirements.clone(),
            })?)
        })
        .collect::<io::Result<Vec<String>>>()?;
    Ok(format!(
        "{{\"schema_version\":{SCHEMA_VERSION},\"class\":\"{}\",\"vectors\":[\n{}\n]}}\n",
        class.name,
        lines.join(",\n")
    ))
}

/// A text of several lines.
pub(super) fn pretty(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string_pretty(value)? + "\n")
}

#[cfg(test)]
mod tests {
    use super::{StimulusError, story_files};
    use crate::vectors::board;
    use awgstar::rtl::Smb;

    /// Such a story gave no files and no message.
    #[test]
    fn a_story_that_cannot_be_written_is_an_error() {
        let golden = &board::plain().unwrap()[0];
        assert_eq!(story_files("board/a_story", golden.vector()).unwrap().len(), 3);
        let error = StimulusError::format("stimulus", "no host");
        let error = story_files::<Smb>("board/a_story", Err(error)).unwrap_err().to_string();
        assert_eq!(error, "board/a_story: stimulus: no host");
    }
}
