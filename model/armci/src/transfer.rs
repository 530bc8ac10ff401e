// SPDX-License-Identifier: MIT OR Apache-2.0
//! Put, get, accumulate and read-modify-write. All shapes are lists of pieces, which are all checked before the
//! first one is moved.

use crate::state::Armci;
use awgstar_caller::{
    memory::{Array, Memory},
    wrong::{Wrong, size},
};
use awgstar_onesided::{Kind, Op, Place, Update};
use std::ffi::{c_int, c_long};

/// Most levels of strides of the interface.
const LEVELS: c_int = 8;

/// What is done with a piece.
#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    Put,
    Get,
    /// A number of a kind, times which what is added is taken.
    Accumulate(Kind, &'a [u8]),
}

impl Way<'_> {
    /// Local and remote of source and destination.
    fn sides<T>(self, source: T, destination: T) -> (T, T) {
        if matches!(self, Way::Get) { (destination, source) } else { (source, destination) }
    }
}

/// Bytes that follow one another on both sides.
#[derive(Clone, Copy)]
struct Piece {
    local: Memory,
    remote: Memory,
    bytes: usize,
}

/// Pieces of one call.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    /// Adds a piece. What follows the last one on both sides is a part of it.
    fn add(&mut self, piece: Piece) {
        if piece.bytes == 0 {
            return;
        }
        if let Some(last) = self.0.last_mut() {
            let next = |memory: Memory| memory.address().wrapping_add(last.bytes);
            if next(last.local) == piece.local.address()
                && next(last.remote) == piece.remote.address()
            {
                last.bytes += piece.bytes;
                return;
            }
        }
        self.0.push(piece);
    }
}

/// A box: strides and counts as the interface has them.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    source_strides: Array<c_int>,
    destination_strides: Array<c_int>,
    count: Array<c_int>,
    levels: c_int,
}

impl Shape {
    pub(crate) const fn new(
        source_strides: Array<c_int>,
        destination_strides: Array<c_int>,
        count: Array<c_int>,
        levels: c_int,
    ) -> Shape {
        Shape { source_strides, destination_strides, count, levels }
    }
}

/// `armci_giov_t`: segments of the same length.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Vector {
    sources: Array<Memory>,
    destinations: Array<Memory>,
    bytes: c_int,
    count: c_int,
}

/// `armci_hdl_t`.
#[derive(Clone, Copy)]
#[repr(C)]
pub(crate) struct Handle {
    target: c_int,
    aggregate: c_int,
}

impl Handle {
    pub(crate) const NEW: Handle = Handle { target: -1, aggregate: 0 };

    pub(crate) const fn aggregate(self, aggregate: bool) -> Handle {
        Handle { aggregate: aggregate as c_int, ..self }
    }
}

/// Notes in the handle which process an operation is for; null is the implicit handle.
pub(crate) fn begin(handle: Array<Handle>, proc: c_int) -> Result<(), Wrong> {
    if !handle.is_null() {
        let before = handle.get("hdl")?;
        handle.put(Handle { target: proc, ..before });
    }
    Ok(())
}

/// Counts of a box, as many as it has levels and one more. Their product, its bytes, is not more than `most`.
fn counts(count: Array<c_int>, levels: c_int, most: usize) -> Result<(Vec<usize>, usize), Wrong> {
    if !(0..=LEVELS).contains(&levels) {
        return Err(Wrong::argument("stride_levels", levels, format!("0 to {LEVELS}")));
    }
    let levels = size("stride_levels", levels)?;
    let count = count.list("count", levels + 1)?;
    let count: Result<Vec<usize>, Wrong> = count.iter().map(|&n| size("count", n)).collect();
    let count = count?;
    let bytes = count.iter().try_fold(1_usize, |bytes, &n| bytes.checked_mul(n));
    if !count.contains(&0) && bytes.is_none_or(|bytes| bytes > most) {
        return Err(Wrong::argument(
            "count",
            format!("{count:?}"),
            format!("{most} bytes or less"),
        ));
    }
    Ok((count, levels))
}

/// Distances of the rows of a box from its begin, on both sides, the rows nearest to each other first.
fn rows(count: &[usize], strides: [&[c_int]; 2], mut row: impl FnMut([isize; 2])) {
    if count.contains(&0) {
        return;
    }
    let total: usize = count[1..].iter().product();
    for number in 0..total {
        let (mut rest, mut distance) = (number, [0_isize; 2]);
        for (level, &times) in count[1..].iter().enumerate() {
            // At most 2^31 - 1 each.
            let index = isize::try_from(rest % times).unwrap_or(isize::MAX);
            for (distance, strides) in distance.iter_mut().zip(strides) {
                *distance += index * strides[level] as isize;
            }
            rest /= times;
        }
        row(distance);
    }
}

/// Kind of the numbers of an accumulate, and the scale.
fn scaled<'a>(datatype: c_int, scale: Memory) -> Result<Way<'a>, Wrong> {
    let kind = usize::try_from(datatype).ok().and_then(|number| Kind::ALL.get(number).copied());
    let kind = kind
        .ok_or_else(|| Wrong::argument("datatype", datatype, "ARMCI_ACC_INT to ARMCI_ACC_DCP"))?;
    Ok(Way::Accumulate(kind, scale.bytes("scale", kind.bytes())?))
}

impl Armci {
    fn transfer(&mut self, way: Way, pieces: &Pieces, proc: c_int) -> Result<(), Wrong> {
        let rank = self.process("proc", proc)?;
        let (local, remote) = way.sides("src", "dst");
        let mut places = Vec::with_capacity(pieces.0.len());
        for piece in &pieces.0 {
            if piece.local.is_null() {
                return Err(Wrong::Null(local));
            }
            if let Way::Accumulate(kind, _) = way
                && !piece.bytes.is_multiple_of(kind.bytes())
            {
                let expected = format!("whole numbers of {} bytes", kind.bytes());
                return Err(Wrong::argument("bytes", piece.bytes, expected));
            }
            let aligned = match way {
                Way::Accumulate(Kind::Int64 | Kind::Float64 | Kind::Complex64, _) => 8,
                Way::Accumulate(..) => 4,
                _ => 1,
            };
            places.push(self.word(remote, piece.remote, (piece.bytes, aligned), rank)?);
        }
        for (piece, place) in pieces.0.iter().zip(places) {
            self.piece(way, piece, place, local)?;
        }
        Ok(())
    }

    fn piece(
        &mut self,
        way: Way,
        piece: &Piece,
        place: Place,
        local: &'static str,
    ) -> Result<(), Wrong> {
        let Piece { local: memory, remote, bytes } = *piece;
        match way {
            // Buffers in the own segment may overlap with it.
            Way::Put if place.rank == self.world.rank() => remote.copy_from(memory, bytes),
            Way::Get if place.rank == self.world.rank() => memory.copy_from(remote, bytes),
            Way::Put => self.world.put(place, memory.bytes(local, bytes)?)?,
            Way::Get => self.world.get(place, memory.bytes_mut(local, bytes)?)?,
            Way::Accumulate(kind, scale) => {
                self.world.accumulate(place, kind, scale, memory.bytes(local, bytes)?)?;
            }
        }
        Ok(())
    }

    /// Bytes that follow one another.
    pub(crate) fn contiguous(
        &mut self,
        way: Way,
        source: Memory,
        destination: Memory,
        bytes: c_int,
        proc: c_int,
    ) -> Result<(), Wrong> {
        let (local, remote) = way.sides(source, destination);
        let mut pieces = Pieces::default();
        pieces.add(Piece { local, remote, bytes: size("bytes", bytes)? });
        self.transfer(way, &pieces, proc)
    }

    /// A box.
    pub(crate) fn strided(
        &mut self,
        way: Way,
        source: Memory,
        destination: Memory,
        shape: Shape,
        proc: c_int,
    ) -> Result<(), Wrong> {
        let (count, levels) = counts(shape.count, shape.levels, self.segments.bytes)?;
        let sources = shape.source_strides.list("src_stride_ar", levels)?;
        let destinations = shape.destination_strides.list("dst_stride_ar", levels)?;
        let mut pieces = Pieces::default();
        rows(&count, [&sources, &destinations], |[from, to]| {
            let (local, remote) = way.sides(source.beyond(from), destination.beyond(to));
            pieces.add(Piece { local, remote, bytes: count[0] });
        });
        self.transfer(way, &pieces, proc)
    }

    /// Lists of segments.
    pub(crate) fn vector(
        &mut self,
        way: Way,
        vectors: Array<Vector>,
        count: c_int,
        proc: c_int,
    ) -> Result<(), Wrong> {
        let mut pieces = Pieces::default();
        for vector in vectors.list("iov", size("iov_len", count)?)? {
            let bytes = size("bytes", vector.bytes)?;
            let count = size("ptr_array_len", vector.count)?;
            let sources = vector.sources.list("src_ptr_array", count)?;
            let destinations = vector.destinations.list("dst_ptr_array", count)?;
            for (source, destination) in sources.into_iter().zip(destinations) {
                let (local, remote) = way.sides(source, destination);
                pieces.add(Piece { local, remote, bytes });
            }
        }
        self.transfer(way, &pieces, proc)
    }

    pub(crate) fn accumulate(
        &mut self,
        datatype: c_int,
        scale: Memory,
        source: Memory,
        destination: Memory,
        bytes: c_int,
        proc: c_int,
    ) -> Result<(), Wrong> {
        self.contiguous(scaled(datatype, scale)?, source, destination, bytes, proc)
    }

    pub(crate) fn accumulate_strided(
        &mut self,
        datatype: c_int,
        scale: Memory,
        source: Memory,
        destination: Memory,
        shape: Shape,
        proc: c_int,
    ) -> Result<(), Wrong> {
        self.strided(scaled(datatype, scale)?, source, destination, shape, proc)
    }

    pub(crate) fn accumulate_vector(
        &mut self,
        datatype: c_int,
        scale: Memory,
        vectors: Array<Vector>,
        count: c_int,
        proc: c_int,
    ) -> Result<(), Wrong> {
        self.vector(scaled(datatype, scale)?, vectors, count, proc)
    }

    /// Sets a flag after the data is in place.
    pub(crate) fn flag(&mut self, flag: Memory, value: c_int, proc: c_int) -> Result<(), Wrong> {
        let rank = self.process("proc", proc)?;
        let place = self.word("flag", flag, (4, 4), rank)?;
        self.world.fence(Some(rank))?;
        Ok(self.world.put(place, &value.to_le_bytes())?)
    }

    pub(crate) fn put_value(
        &mut self,
        value: &[u8],
        destination: Memory,
        proc: c_int,
    ) -> Result<(), Wrong> {
        let rank = self.process("proc", proc)?;
        let place = self.place("dst", destination, value.len(), rank)?;
        Ok(self.world.put(place, value)?)
    }

    pub(crate) fn get_value<const N: usize>(
        &mut self,
        source: Memory,
        proc: c_int,
    ) -> Result<[u8; N], Wrong> {
        let rank = self.process("proc", proc)?;
        let place = self.place("src", source, N, rank)?;
        let mut value = [0; N];
        self.world.get(place, &mut value)?;
        Ok(value)
    }

    /// Read-modify-write of an `int` or a `long`.
    pub(crate) fn rmw(
        &mut self,
        op: c_int,
        local: Memory,
        remote: Memory,
        value: c_int,
        proc: c_int,
    ) -> Result<(), Wrong> {
        let (op, bytes) = match op {
            0 => (Op::Add, 4),
            1 => (Op::Add, 8),
            2 => (Op::Swap, 4),
            3 => (Op::Swap, 8),
            _ => {
                let expected = "ARMCI_FETCH_AND_ADD to ARMCI_SWAP_LONG";
                return Err(Wrong::argument("op", op, expected));
            }
        };
        let rank = self.process("proc", proc)?;
        let place = self.word("prem", remote, (bytes, bytes), rank)?;
        let local = local.bytes_mut("ploc", bytes)?;
        let mut update = Update::of(op, if bytes == 4 { 4 } else { 8 }, 0);
        let added = c_long::from(value).to_le_bytes();
        let operand = if op == Op::Add { &added[..bytes] } else { &*local };
        update.operand[..bytes].copy_from_slice(operand);
        let old = self.world.update(place, update)?;
        local.copy_from_slice(&old[..bytes]);
        Ok(())
    }

    /// An update in one step that gives the old value: of 4 or 8 bytes, or of a pair of `long`s.
    pub(crate) fn exchange<const N: usize>(
        &mut self,
        op: Op,
        [expected, new]: [[u8; N]; 2],
        remote: Memory,
        proc: c_int,
    ) -> Result<[u8; N], Wrong> {
        let rank = self.process("proc", proc)?;
        let place = self.word("prem", remote, (N, N.min(8)), rank)?;
        let mut update = Update::of(op, u8::try_from(N).unwrap_or(u8::MAX), 0);
        update.expected[..N].copy_from_slice(&expected);
        update.operand[..N].copy_from_slice(&new);
        let old = self.world.update(place, update)?;
        let mut value = [0; N];
        value.copy_from_slice(&old[..N]);
        Ok(value)
    }
}

/// What had a handle has been done when its function returned.
pub(crate) fn wait(handle: Array<Handle>) -> Result<(), Wrong> {
    let found = handle.get("hdl")?;
    handle.put(Handle { target: -1, ..found });
    Ok(())
}

/// Copies a box to bytes that follow one another, or back.
pub(crate) fn pack(
    memory: Memory,
    levels: c_int,
    strides: Array<c_int>,
    count: Array<c_int>,
    buffer: Memory,
    back: bool,
) -> Result<(), Wrong> {
    let most = isize::MAX;
    let (count, levels) = counts(count, levels, most.cast_unsigned())?;
    let strides = strides.list("stride_arr", levels)?;
    let bytes = isize::try_from(count[0]).unwrap_or(most);
    if memory.is_null() || buffer.is_null() {
        return Err(Wrong::Null(if memory.is_null() { "ptr" } else { "buf" }));
    }
    let mut done = 0;
    rows(&count, [&strides, &strides], |[distance, _]| {
        let (row, part) = (memory.beyond(distance), buffer.beyond(done));
        if back {
            row.copy_from(part, count[0]);
        } else {
            part.copy_from(row, count[0]);
        }
        done += bytes;
    });
    Ok(())
}

/// Copies local bytes.
pub(crate) fn copy(source: Memory, destination: Memory, bytes: c_int) -> Result<(), Wrong> {
    let bytes = size("size", bytes)?;
    if bytes > 0 && (source.is_null() || destination.is_null()) {
        return Err(Wrong::Null(if source.is_null() { "src" } else { "dst" }));
    }
    destination.copy_from(source, bytes);
    Ok(())
}
