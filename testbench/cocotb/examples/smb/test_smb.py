# SPDX-License-Identifier: MIT OR Apache-2.0
"""A board on a ring of one, with the bench as the rest of the ring, beside the model."""

import os

import cocotb
from awgstar import Frame, Token
from awgstar.cocotb import Board, Fibre, LinkSink, Scoreboard, Traffic
from awgstar.errors import AccessError
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles

OTHER = "02:53:4d:42:00:09"
#: A ring of one: small times make a short test.
SMALL = dict(NODE_ID=1, TOKENS=1, TIMEOUT=1_000, COMBINE=40, PERIOD=300)
#: Frames of the other board.
FRAMES = int(os.environ.get("FRAMES", "20"))


async def start(dut, fibre_cycles=8):
    """The parts of the bench; clock and reset come with `reset`."""
    fibre = Fibre(dut, dut.clk, dut.rst, cycles=fibre_cycles)
    sink = LinkSink(dut, dut.clk, dut.rst)
    board = Board(dut, dut.clk, dut.rst)
    dut.s_axi_awprot.value = 0
    dut.s_axi_arprot.value = 0
    dut.rst.value = 1
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    return fibre, sink, board


async def reset(dut):
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    # The board clears its table of the other boards.
    await ClockCycles(dut.clk, 300)


@cocotb.test(timeout_time=10, timeout_unit="ms")
async def registers(dut):
    """Registers by name; an access that the board refuses is an exception."""
    fibre, sink, board = await start(dut)
    async with Scoreboard(dut, dut.clk, dut.rst):
        await reset(dut)
        assert await board.read("ID") == int.from_bytes(b"AWGS", "big")
        await board.enable(**SMALL)
        status = await board.until("STATUS", active=1)
        assert status.synced and not status.stalled
        try:
            await board.write("NODE_ID", 4)
        except AccessError:
            pass
        else:
            raise AssertionError("NODE_ID is locked while the board is enabled")
        await ClockCycles(dut.clk, 500)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def own_words(dut):
    """Data and a signal go round and return."""
    fibre, sink, board = await start(dut, fibre_cycles=30)
    async with Scoreboard(dut, dut.clk, dut.rst, frames=8):
        await reset(dut)
        await board.enable(**SMALL)
        await board.until("STATUS", active=1)
        for block in range(3):
            data = bytes(range(block, block + 40))
            await board.write_memory(0x100 * block, data)
            await board.write_memory(0x100 * block + 9, b"xy")
            await board.write_memory(0x100 * block + 20, b"z")
            data = data[:9] + b"xy" + data[11:20] + b"z" + data[21:]
            assert await board.read_memory(0x100 * block, len(data)) == data
        await board.send_signal(Token.BROADCAST, 9, b"fives", multi_g=2)
        await board.settled()
        frames = await board.read("FRAMES")
        assert frames.base == frames.next == frames.tail >= 3, frames
    sent = [r.frame.token for r in iter(sink.recv_nowait, None) if r.frame]
    assert sent.count(Token.DATA) >= 3 and Token.BROADCAST in sent


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def words_of_another_board(dut):
    """The bench is board 9: its random data is in the replica, and its frames return to it."""
    fibre, sink, board = await start(dut)
    traffic = Traffic(macs=[OTHER], node_ids=[9], tokens=[Token.DATA], length=64)
    async with Scoreboard(dut, dut.clk, dut.rst, frames=FRAMES):
        await reset(dut)
        await board.enable(**SMALL)
        fibre.send(Frame(Token.CONTROL, OTHER, c_st=1, node_id=9))
        replica = {}
        for number in range(FRAMES):
            # Whole words: a word of which a byte was never written is x, which cocotbext-axi refuses to read.
            frame = next(traffic).frame
            frame = frame._replace(data=frame.data[: len(frame.data) & ~3] or b"word", packet_cnt=number)
            fibre.send(frame)
            replica.update({frame.addr + at: byte for at, byte in enumerate(frame.data)})
        while len(fibre.returned) < FRAMES + 1:
            await ClockCycles(dut.clk, 100)
        await ClockCycles(dut.clk, 500)
        assert await board.read("COUNT", 16) == FRAMES, "counter DATA"
        for addr in [addr for addr in replica if addr % 4 == 0][:40]:
            expected = bytes(replica[addr + lane] for lane in range(4))
            assert await board.read_memory(addr, 4) == expected, hex(addr)
