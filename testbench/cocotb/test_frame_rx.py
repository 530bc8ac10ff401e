# SPDX-License-Identifier: MIT OR Apache-2.0
"""frame_rx between AxiStreamSource (link) and AxiStreamMonitor (Data), no adapter."""

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamMonitor, AxiStreamSource

from frames import BROADCAST, DATA, frame, start


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def frames_of_all_lengths(dut):
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    monitor = AxiStreamMonitor(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    await start(dut)
    for number, length in enumerate([1, 2, 3, 4, 5, 44, 45, 46, 47, 48, 49, 50, 255, 1023, 1024]):
        token = DATA if number % 2 else BROADCAST
        data = bytes((5 * number + i) & 255 for i in range(length))
        good = frame(token, data, packet_cnt=number, addr=number << 8)
        for broken in (False, True):
            sent = good[:-1] + bytes([good[-1] ^ 0x40]) if broken else good
            source.send_nowait(AxiStreamFrame(sent, tuser=0))
            while True:
                await RisingEdge(dut.clk)
                if dut.m_hdr_valid.value:
                    break
            assert bool(dut.m_hdr_good.value) != broken, length
            if not broken:
                assert int(dut.m_hdr_len.value) == (length if token == DATA else max(length, 46))
                assert int(dut.m_hdr_addr.value) == number << 8
            got = await monitor.recv()
            # RX-2: Data as it stands on the link, padding and all.
            assert bytes(got.tdata) == sent[14:-4], length
            users = got.tuser if isinstance(got.tuser, list) else [got.tuser]
            assert bool(users[-1]) == broken
            await ClockCycles(dut.clk, 2)
