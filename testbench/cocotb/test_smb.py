# SPDX-License-Identifier: MIT OR Apache-2.0
"""smb under the AXI4-Lite master of cocotbext-axi."""

import itertools
import random

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

from frames import start

ID, VERSION, CONTROL, STATUS = 0x000, 0x004, 0x008, 0x00C
NODE_ID, TOKENS, TIMEOUT, COMBINE, PERIOD = 0x018, 0x020, 0x024, 0x028, 0x02C
FLUSH, SIGNAL_SEND, FRAMES, MEM_SIZE, SIGNAL_DATA = 0x030, 0x040, 0x044, 0x050, 0x080
WINDOW, BYTES = 0x8000_0000, 0x4000


async def board(dut):
    axi = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
    await start(dut)
    return axi


async def enable(axi, dut):
    """A ring of one: it syncs, becomes monitor and makes a token."""
    for register, value in [(NODE_ID, 0), (TOKENS, 1), (TIMEOUT, 400), (COMBINE, 40), (PERIOD, 150)]:
        await axi.write_dword(register, value)
    await axi.write_dword(CONTROL, 1)
    for _ in range(200):
        if await axi.read_dword(STATUS) & 3 == 3:
            return
        await ClockCycles(dut.clk, 50)
    raise AssertionError("never synced and active")


async def frames(axi):
    """base, next, tail."""
    return tuple((await axi.read_dword(FRAMES)).to_bytes(4, "little")[:3])


async def settled(axi, dut):
    """All that was written has come back good."""
    for _ in range(400):
        if not await axi.read_dword(STATUS) & 0x1C:
            return
        await ClockCycles(dut.clk, 50)
    raise AssertionError("nothing comes back")


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def identity(dut):
    axi = await board(dut)
    assert (await axi.read(ID, 4)).data[::-1] == b"AWGS"
    assert await axi.read_dword(VERSION) == 1
    assert await axi.read_dword(MEM_SIZE) == BYTES


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def configuration(dut):
    axi = await board(dut)
    for register, value in [(NODE_ID, 0x5A), (TIMEOUT, 0x123456), (COMBINE, 0xBEEF), (PERIOD, 0x654321)]:
        assert (await axi.write(register, value.to_bytes(4, "little"))).resp == AxiResp.OKAY
        assert await axi.read_dword(register) == value


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def errors(dut):
    """SLVERR: no such register, part of a register, read only, locked, beyond the memory."""
    axi = await board(dut)
    # Memory without a value is X here, and the master takes no X, not even with SLVERR.
    await axi.write(WINDOW, bytes(0x200))
    word = bytes(4)
    for address, data in [(0x054, word), (0x800, word), (TIMEOUT + 1, b"\x01"), (ID, word), (WINDOW + BYTES, word)]:
        assert (await axi.write(address, data)).resp == AxiResp.SLVERR, hex(address)
    for address in (0x054, FLUSH, 0x180, WINDOW + BYTES, 0xFFFF_FFFC):
        assert (await axi.read(address, 4)).resp == AxiResp.SLVERR, hex(address)
    await axi.write_dword(CONTROL, 1)
    assert (await axi.write(NODE_ID, word)).resp == AxiResp.SLVERR
    assert (await axi.read(ID, 4)).resp == AxiResp.OKAY


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def window(dut):
    """Odd lengths at odd addresses: the bytes written are there, and no other has changed."""
    axi = await board(dut)
    await enable(axi, dut)
    shadow = bytearray(256)
    await axi.write(WINDOW, bytes(shadow))
    pick = random.Random(1)
    for offset, length in itertools.product(range(4), range(1, 12)):
        at = 4 * pick.randrange(56) + offset
        data = pick.randbytes(length)
        assert (await axi.write(WINDOW + at, data)).resp == AxiResp.OKAY
        shadow[at : at + length] = data
    got = await axi.read(WINDOW, len(shadow))
    assert got.resp == AxiResp.OKAY and got.data == bytes(shadow)
    for offset, length in itertools.product(range(4), range(1, 10)):
        assert (await axi.read(WINDOW + 64 + offset, length)).data == bytes(shadow[64 + offset :][:length])
    await settled(axi, dut)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def strobes(dut):
    """All 16 strobe patterns: the master's own write has runs only, so one is put on the bus."""
    axi = await board(dut)
    await enable(axi, dut)
    shadow = bytearray(b"\xee" * 64)
    await axi.write(WINDOW, bytes(shadow))
    channel = axi.write_if
    for strobe in range(16):
        data = bytes(random.Random(strobe).randbytes(4))
        aw = channel.aw_channel._transaction_obj(awaddr=WINDOW + 4 * strobe, awprot=0)
        w = channel.w_channel._transaction_obj(wdata=int.from_bytes(data, "little"), wstrb=strobe)
        await channel.aw_channel.send(aw)
        await channel.w_channel.send(w)
        assert int((await channel.b_channel.recv()).bresp) == AxiResp.OKAY
        for lane in range(4):
            if strobe >> lane & 1:
                shadow[4 * strobe + lane] = data[lane]
    assert (await axi.read(WINDOW, 64)).data == bytes(shadow)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def around_the_ring(dut):
    """Data and a signal go round and come back: FRAMES.base follows tail."""
    axi = await board(dut)
    await enable(axi, dut)
    base, _, tail = await frames(axi)
    assert base == tail == 0
    for number in range(5):
        await axi.write(WINDOW + 0x400 * number, bytes(range(37)))
        await axi.write_dword(FLUSH, 1)
    await axi.write(SIGNAL_DATA, b"\x11\x22\x33\x44")
    await axi.write_dword(SIGNAL_SEND, 5 | 9 << 3 | 4 << 20 | 2 << 26)
    await settled(axi, dut)
    base, following, tail = await frames(axi)
    # 37 bytes are 10 pieces, the last of them one byte: one frame each.
    assert base == following == tail == 5, (base, following, tail)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def pauses(dut):
    """Reads and writes at once, with a master that is slow on every channel."""
    axi = await board(dut)
    for k, channel in enumerate(
        [
            axi.write_if.aw_channel,
            axi.write_if.w_channel,
            axi.write_if.b_channel,
            axi.read_if.ar_channel,
            axi.read_if.r_channel,
        ]
    ):
        channel.set_pause_generator(itertools.cycle([0, 1, 1, 0, 1, 0, 0][k:] + [1] * k))
    data = random.Random(2).randbytes(101)
    writes = cocotb.start_soon(axi.write(WINDOW + 3, data))
    for _ in range(20):
        assert await axi.read_dword(VERSION) == 1
    await writes
    assert (await axi.read(WINDOW + 3, len(data))).data == data
