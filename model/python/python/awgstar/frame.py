# SPDX-License-Identifier: MIT OR Apache-2.0
"""The frame codec."""

from typing import NamedTuple, Optional, Union

from . import _native, contract
from ._arguments import Bytes, as_bytes
from .contract import Token


class Frame(NamedTuple):
    """The fields of a good frame. Numbers are as in the header; `data` are the valid bytes."""

    #: Kind of frame.
    token: Token
    #: Address of the board that sent it, as `02:53:4d:42:00:01`.
    mac: str
    #: Valid bytes: 1 to 1,024 of a data token, none of a free token, 0 to 1,024 of others.
    data: bytes = b""
    #: C.ST, 5 bits; of a data token it follows from the length.
    c_st: int = 0
    #: Node_ID, 8 bits.
    node_id: int = 0
    #: Multi_G, 4 bits.
    multi_g: int = 0
    #: Act_Seq, 4 bits.
    act_seq: int = 0
    #: Packet_Cnt, 8 bits.
    packet_cnt: int = 0
    #: Byte offset in the shared memory, 32 bits.
    addr: int = 0

    def encode(self) -> bytes:
        """The bytes of the frame on the link, MAC to FCS. Raises `EncodeError`."""
        return encode(
            self.token,
            self.mac,
            self.data,
            c_st=self.c_st,
            node_id=self.node_id,
            multi_g=self.multi_g,
            act_seq=self.act_seq,
            packet_cnt=self.packet_cnt,
            addr=self.addr,
        )

    @property
    def signal(self) -> Optional[contract.Signal]:
        """The signal of the firmware that this frame carries; None if its codes are not assigned."""
        for signal in contract.SIGNALS:
            if (signal.token, signal.c_st) == (self.token, self.c_st):
                return signal
        return None


def encode(
    token: Union[Token, int, str],
    mac: Union[str, int],
    data: Bytes = b"",
    *,
    c_st: int = 0,
    node_id: int = 0,
    multi_g: int = 0,
    act_seq: int = 0,
    packet_cnt: int = 0,
    addr: int = 0,
) -> bytes:
    """Returns the bytes of a frame on the link: header, Data with its pad, FCS (64 to 1,042 bytes).

    `token` is a `Token`, its code or its name; `mac` is text as `02:53:4d:42:00:01` or a number of 48 bits;
    `addr` is a byte offset in the shared memory. C.ST of a data token is set from the length of `data`.

    Raises `EncodeError` if a value does not fit its field or a frame of this kind cannot carry it, `ArgumentError` if
    it is of a wrong type.
    """
    return _native.encode(token, mac, as_bytes("data", data), c_st, node_id, multi_g, act_seq, packet_cnt, addr)


def decode(frame: Bytes) -> Frame:
    """Returns the fields of a frame, given its bytes from MAC to FCS.

    Raises `DecodeError` for the first check that fails: `check`, `field`, `place` (byte offset), `expected` and
    `found` say why.
    """
    return Frame(*_native.decode(as_bytes("frame", frame)))


def explain(frame: Bytes) -> str:
    """Returns a drawing of any bytes as a frame: fields, bits, meanings, and every defect.

    The text is that of the command `awgstar frame explain`.
    """
    return _native.explain(as_bytes("frame", frame))
