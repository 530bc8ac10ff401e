# SPDX-License-Identifier: MIT OR Apache-2.0
"""A ring node under random traffic, beside the model."""

import os

import cocotb
from awgstar import Token
from awgstar.cocotb import LinkSink, LinkSource, NodeHost, Scoreboard, Traffic
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

NODE, OTHERS = 2, ["02:53:4d:42:00:05", "02:53:4d:42:00:07"]
#: Frames of random traffic in each test.
FRAMES = int(os.environ.get("FRAMES", "60"))


def bench(dut, **host):
    """Source, sink and host; clock and reset."""
    source = LinkSource(dut, dut.clk, dut.rst, noise=1)
    sink = LinkSink(dut, dut.clk, dut.rst)
    node = NodeHost(dut, dut.clk, dut.rst, node_id=NODE, **host)
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    return source, sink, node


async def reset(dut):
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await ClockCycles(dut.clk, 2)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def one_frame(dut):
    """A broadcast of another node is delivered and passed on."""
    source, sink, node = bench(dut)
    async with Scoreboard(dut, dut.clk, dut.rst):
        await reset(dut)
        frame = next(Traffic(1, macs=OTHERS, tokens=[Token.BROADCAST])).frame
        source.send(frame)
        passed = await sink.recv(limit=1_000)
        assert passed.frame == frame, passed.error
        await ClockCycles(dut.clk, 300)
        assert len(node.delivered) == 1 and node.delivered[0].data.startswith(frame.data)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def random_traffic(dut):
    """Frames of others, own data and signals, a host that is slow; every register in every cycle."""
    traffic = Traffic(macs=OTHERS, node_ids=[NODE, 5, 7], length=300)
    source, sink, node = bench(dut, pause=0.3, seed=traffic.seed)
    async with Scoreboard(dut, dut.clk, dut.rst, frames=FRAMES):
        await reset(dut)
        node.issue(2)
        for number in range(FRAMES):
            source.send(next(traffic))
            if number % 3 == 0:
                node.send_data(traffic.pick.randbytes(traffic.pick.randint(1, 200)), 4 * number)
            if number % 5 == 0:
                node.send_signal(Token.P2P, 9, traffic.pick.randbytes(12), node_id=5)
        await source.sent()
        await ClockCycles(dut.clk, 2_000)
    assert not sink.violations


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def illegal_traffic(dut):
    """A third of the frames is broken in some way; what the node sends keeps the rules of the link."""
    traffic = Traffic(macs=OTHERS, node_ids=[NODE, 5, 7], length=200, illegal=0.3)
    source, sink, node = bench(dut)
    async with Scoreboard(dut, dut.clk, dut.rst, frames=FRAMES):
        await reset(dut)
        for _ in range(FRAMES):
            source.send(next(traffic), pick=traffic.pick)
        await source.sent()
        await ClockCycles(dut.clk, 1_000)
    broken = 0
    while (received := sink.recv_nowait()) is not None:
        broken += received.error is not None
    assert source.illegal and broken, (source.illegal, broken)
