# SPDX-License-Identifier: MIT OR Apache-2.0
"""smb_axi4 under the AXI4 master of cocotbext-axi."""

import itertools
import random

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBurstType, AxiBus, AxiMaster, AxiResp

from frames import start

ID, VERSION, CONTROL, STATUS = 0x000, 0x004, 0x008, 0x00C
NODE_ID, TOKENS, TIMEOUT, COMBINE, PERIOD = 0x018, 0x020, 0x024, 0x028, 0x02C
FRAMES, MEM_SIZE = 0x044, 0x050
WINDOW, BYTES = 0x8000_0000, 0x4000


async def board(dut):
    axi = AxiMaster(AxiBus.from_prefix(dut, "s_axi"), dut.clk, dut.rst)
    await start(dut)
    return axi


async def enable(axi, dut):
    """A ring of one: it syncs, becomes monitor and makes a token."""
    for register, value in [(NODE_ID, 0), (TOKENS, 1), (TIMEOUT, 2000), (COMBINE, 40), (PERIOD, 150)]:
        await axi.write_dword(register, value)
    await axi.write_dword(CONTROL, 1)
    for _ in range(200):
        if await axi.read_dword(STATUS) & 3 == 3:
            return
        await ClockCycles(dut.clk, 50)
    raise AssertionError("never synced and active")


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
    # Two registers in one burst.
    assert (await axi.read(ID, 8)).data[4:] == b"\x01\0\0\0"


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def errors(dut):
    """SLVERR: no such register, read only, beyond the memory, FIXED and WRAP bursts."""
    axi = await board(dut)
    # Memory without a value is X here, and the master takes no X, not even with SLVERR.
    for at in range(0, BYTES, 1024):
        await axi.write(WINDOW + at, bytes(1024))
        if at >= 3072:
            break
    word = bytes(4)
    for address, data in [(0x054, word), (0x800, word), (TIMEOUT + 1, b"\x01"), (ID, word), (WINDOW + BYTES, word)]:
        assert (await axi.write(address, data)).resp == AxiResp.SLVERR, hex(address)
    for burst in (AxiBurstType.FIXED, AxiBurstType.WRAP):
        assert (await axi.write(WINDOW, bytes(b"\xff" * 16), burst=burst)).resp == AxiResp.SLVERR
        assert (await axi.read(WINDOW, 16, burst=burst)).resp == AxiResp.SLVERR
    assert (await axi.read(WINDOW, 16)).data == bytes(16)
    assert (await axi.read(ID, 4)).resp == AxiResp.OKAY


@cocotb.test(timeout_time=80, timeout_unit="ms")
async def window(dut):
    """Odd lengths at odd addresses, in bursts, over 4 KiB: the bytes written are there, and no other."""
    axi = await board(dut)
    await enable(axi, dut)
    shadow = bytearray(BYTES)
    for at in range(0, BYTES, 1024):
        await axi.write(WINDOW + at, bytes(1024))
    pick = random.Random(1)
    for offset, size in itertools.product(range(4), (0, 1, 2)):
        for length in (1, 3, 17, 300):
            for base in (4 * pick.randrange(0xE00), 0x1000 - 20, 0x2000 - 8):
                at = base + offset
                data = pick.randbytes(length if size == 2 else min(length, 17))
                assert (await axi.write(WINDOW + at, data, size=size)).resp == AxiResp.OKAY
                shadow[at : at + len(data)] = data
                got = await axi.read(WINDOW + at, len(data) + 5, size=size)
                assert got.resp == AxiResp.OKAY and got.data == bytes(shadow[at : at + len(data) + 5])
    assert (await axi.read(WINDOW, BYTES)).data == bytes(shadow)
    await settled(axi, dut)


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def pauses(dut):
    """Many bursts under way, read and written, with a master that is slow on every channel."""
    axi = await board(dut)
    await enable(axi, dut)
    for at in range(0, 4096, 1024):
        await axi.write(WINDOW + at, bytes(1024))
    pick = random.Random(3)
    for channel in [
        axi.write_if.aw_channel,
        axi.write_if.w_channel,
        axi.write_if.b_channel,
        axi.read_if.ar_channel,
        axi.read_if.r_channel,
    ]:
        pattern = [pick.randrange(2) for _ in range(37)] + [0]
        channel.set_pause_generator(itertools.cycle(pattern))
    data = [pick.randbytes(pick.randrange(1, 200)) for _ in range(16)]
    writes = [cocotb.start_soon(axi.write(WINDOW + 256 * k + 3, data[k])) for k in range(8)]
    reads = [cocotb.start_soon(axi.read(WINDOW + 256 * k, 100)) for k in range(8, 16)]
    for task in writes:
        assert (await task).resp == AxiResp.OKAY
    for task in reads:
        assert (await task).data == bytes(100)
    for k in range(8):
        assert (await axi.read(WINDOW + 256 * k + 3, len(data[k]))).data == data[k]


@cocotb.test(timeout_time=50, timeout_unit="ms")
async def line_rate(dut):
    """Blocks of 1,024 bytes without a pause: the link carries frames of 1,024 bytes end to end."""
    axi = await board(dut)
    await enable(axi, dut)
    await settled(axi, dut)
    blocks = [cocotb.start_soon(axi.write(WINDOW + 1024 * k, bytes([k] * 1024))) for k in range(16)]
    await ClockCycles(dut.clk, 900)
    busy = 0
    for _ in range(2000):
        await RisingEdge(dut.clk)
        busy += int(dut.dut.m_axis_tvalid.value)
    for task in blocks:
        assert (await task).resp == AxiResp.OKAY
    await settled(axi, dut)
    base, following, tail = (await axi.read_dword(FRAMES)).to_bytes(4, "little")[:3]
    assert base == following == tail == 16
    # Of 262 cycles of a frame 261 are words of it; a free token may be among them.
    assert busy > 1940, busy
