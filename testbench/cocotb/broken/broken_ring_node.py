# SPDX-License-Identifier: MIT OR Apache-2.0
"""Benches that must fail: no frame, no reset, a model with other parameters, a monitor that sees an illegal word."""

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
async def other_parameters(dut):
    """A model with a smaller memory than the design."""
    bench(dut, 1)
    async with Scoreboard(dut, dut.clk, dut.rst, parameters={"RX_ADDR_W": 8}):
        await ClockCycles(dut.clk, 4)


@cocotb.test(timeout_time=1, timeout_unit="ms")
async def other_run(dut):
    """A model that sends a free token after each data frame; the design after more of them."""
    source = LinkSource(dut, dut.clk, dut.rst)
    node = NodeHost(dut, dut.clk, dut.rst, node_id=2)
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    async with Scoreboard(dut, dut.clk, dut.rst, parameters={"TOKEN_RUN": 1}):
        await ClockCycles(dut.clk, 4)
        dut.rst.value = 0
        source.send(next(Traffic(1, macs=[9])).frame)
        node.issue(2)
        node.send_data(b"data of the node", 4)
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
