# SPDX-License-Identifier: MIT OR Apache-2.0
"""Frames of the link, independent of the model, and what every test needs."""

import zlib

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

DATA, P2P, MULTICAST, BROADCAST, CONTROL = 1, 3, 4, 5, 6
OTHER = 0x02_534D_4200_09


def frame(token, data, c_st=0, mac=OTHER, node_id=9, multi_g=0, act_seq=0, packet_cnt=0, addr=0):
    """A whole frame, with padding, short count and FCS."""
    body = bytes(data).ljust(46, b"\0")
    if token == DATA and len(data) < 46:
        c_st, body = 1, body[:45] + bytes([len(data)])
    head = mac.to_bytes(6, "big") + bytes([token << 5 | c_st, node_id])
    head += bytes([multi_g << 4 | act_seq, packet_cnt]) + addr.to_bytes(4, "big")
    return head + body + zlib.crc32(head + body).to_bytes(4, "little")


async def start(dut):
    """Clock and reset."""
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, units="ns").start())
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 1)
