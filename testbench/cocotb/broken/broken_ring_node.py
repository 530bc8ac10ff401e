# SPDX-License-Identifier: MIT OR Apache-2.0
"""Benches that must fail: no frame, no reset, and a monitor that sees an illegal word."""

import cocotb
from awgstar import Token
from awgstar.cocotb import Illegal, LinkMonitor, LinkSource, NodeHost, Scoreboard, Traffic
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles


def bench(dut, rst):
    source = LinkSource(dut, dut.clk, dut.rst)
    NodeHost(dut, dut.clk, dut.rst, node_id=2)
    dut.rst.value = rst
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    return source


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def no_frame(dut):
    """Every cycle is compared, but no frame was on a link."""
    bench(dut, 1)
    async with Scoreboard(dut, dut.clk, dut.rst):
        await ClockCycles(dut.clk, 4)
        dut.rst.value = 0
        await ClockCycles(dut.clk, 50)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def no_reset(dut):
    """The scoreboard sees no reset, so it has nothing to begin with."""
    source = bench(dut, 0)
    async with Scoreboard(dut, dut.clk, dut.rst):
        source.send(next(Traffic(1, macs=[9])).frame)
        await ClockCycles(dut.clk, 400)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def no_hole_is_legal(dut):
    """A strict monitor at the input of the node."""
    source = bench(dut, 1)
    LinkMonitor(dut, dut.clk, dut.rst, "s_axis", strict=True)
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    traffic = Traffic(1, macs=[9], tokens=[Token.BROADCAST])
    source.send(next(traffic).frame, illegal=Illegal.HOLE, pick=traffic.pick)
    await ClockCycles(dut.clk, 400)
