# SPDX-License-Identifier: MIT OR Apache-2.0
"""ring_node: the link from AxiStreamSource, Data for the host into a slow AxiStreamSink."""

import itertools

import cocotb
from cocotb.triggers import ClockCycles
from cocotbext.axi import AxiStreamBus, AxiStreamFrame, AxiStreamMonitor, AxiStreamSink, AxiStreamSource

from frames import BROADCAST, DATA, frame, start


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def delivers_and_passes_on(dut):
    for name in dir(dut):
        if name.startswith("s_") and name.endswith("_valid") or name in ("issue", "discard"):
            getattr(dut, name).value = 0
    for name in ("s_data_axis_tvalid", "s_signal_axis_tvalid", "cfg_monitor", "count_addr"):
        getattr(dut, name).value = 0
    dut.cfg_mac.value = 0x02_534D_4200_02
    dut.cfg_node_id.value = 2
    dut.cfg_groups.value = 0
    dut.m_rx_hdr_ready.value = 1
    link = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    passed = AxiStreamMonitor(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    data = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_rx_axis"), dut.clk, dut.rst)
    data.set_pause_generator(itertools.cycle([0, 1, 1, 0, 1]))
    await start(dut)
    for number, length in enumerate([1, 3, 46, 47, 50, 253, 1024]):
        payload = bytes((3 * number + i) & 255 for i in range(length))
        token = BROADCAST if number % 2 else DATA
        sent = frame(token, payload, c_st=9 if token == BROADCAST else 0, packet_cnt=number)
        link.send_nowait(AxiStreamFrame(sent, tuser=0))
        assert bytes((await passed.recv()).tdata) == sent
        assert bytes((await data.recv()).tdata) == sent[14:-4]
        await ClockCycles(dut.clk, 4)
