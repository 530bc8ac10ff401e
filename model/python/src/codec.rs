// SPDX-License-Identifier: MIT OR Apache-2.0
//! The frame codec.

use crate::argument::{self, MacArg, TokenArg};
use crate::error::Error;
use awgstar::codec::{self, Frame, Mac};
use awgstar::contract::{Field, FieldLayout, LAYOUT, Token, limits::FRAME_MAX};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn largest(field: Field) -> u64 {
    LAYOUT.iter().find(|at| at.field == field).map_or(0, FieldLayout::max)
}

/// A number that must fit a field.
fn number<T: TryFrom<i64>>(field: Field, found: i64) -> Result<T, Error> {
    let max = largest(field);
    let fits = u64::try_from(found).is_ok_and(|found| found <= max);
    let wrong = || Error::new("EncodeError", field.name(), format!("at most {max}"), found);
    T::try_from(found).ok().filter(|_| fits).ok_or_else(wrong)
}

/// Returns the bytes of a frame.
#[pyfunction]
#[allow(
    clippy::too_many_arguments,
    clippy::needless_pass_by_value,
    reason = "the fields of a frame, as PyO3 gives them"
)]
pub(crate) fn encode<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = argument::token)] token: TokenArg,
    #[pyo3(from_py_with = argument::mac)] mac: MacArg,
    data: &[u8],
    #[pyo3(from_py_with = argument::c_st)] c_st: i64,
    #[pyo3(from_py_with = argument::node_id)] node_id: i64,
    #[pyo3(from_py_with = argument::multi_g)] multi_g: i64,
    #[pyo3(from_py_with = argument::act_seq)] act_seq: i64,
    #[pyo3(from_py_with = argument::packet_cnt)] packet_cnt: i64,
    #[pyo3(from_py_with = argument::addr)] addr: i64,
) -> PyResult<Bound<'py, PyBytes>> {
    let mac = match mac {
        MacArg::Text(text) => text.parse::<Mac>().map_err(Error::from)?,
        MacArg::Number(number) => {
            let max = largest(Field::Mac);
            let fits = u64::try_from(number).ok().filter(|number| *number <= max);
            let wrong = || Error::new("EncodeError", "mac", format!("at most {max}"), number);
            Mac::from_u64(fits.ok_or_else(wrong)?)
        }
    };
    let frame = Frame {
        mac,
        token: token.token("EncodeError")?,
        c_st: number(Field::CSt, c_st)?,
        node_id: number(Field::NodeId, node_id)?,
        multi_g: number(Field::MultiG, multi_g)?,
        act_seq: number(Field::ActSeq, act_seq)?,
        packet_cnt: number(Field::PacketCnt, packet_cnt)?,
        addr: number(Field::Addr, addr)?,
        data,
    };
    let mut line = [0; FRAME_MAX];
    let end = frame.encode(&mut line).map_err(Error::from)?;
    Ok(PyBytes::new(py, &line[..end]))
}

/// The fields of `awgstar.Frame`, in their order.
type Fields<'py> = (Bound<'py, PyAny>, String, Bound<'py, PyBytes>, u8, u8, u8, u8, u8, u32);

/// Returns the fields of a frame.
#[pyfunction]
pub(crate) fn decode<'py>(py: Python<'py>, frame: &[u8]) -> PyResult<Fields<'py>> {
    let f = Frame::decode(frame).map_err(Error::from)?;
    let data = PyBytes::new(py, f.data);
    let token = token(py, f.token)?;
    let mac = f.mac.to_string();
    Ok((token, mac, data, f.c_st, f.node_id, f.multi_g, f.act_seq, f.packet_cnt, f.addr))
}

/// A member of `awgstar.contract.Token`.
pub(crate) fn token(py: Python<'_>, token: Token) -> PyResult<Bound<'_, PyAny>> {
    py.import("awgstar.contract")?.getattr("Token")?.call1((token.code(),))
}

/// Returns a drawing of bytes as a frame.
#[pyfunction]
pub(crate) fn explain(frame: &[u8]) -> String {
    codec::explain(frame)
}
