# SPDX-License-Identifier: MIT OR Apache-2.0
"""frame_tx between AxiStreamSource (payload) and AxiStreamSink (link, no tready), no adapter."""

import cocotb
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

from frames import BROADCAST, DATA, OTHER, frame, start


@cocotb.test(timeout_time=5, timeout_unit="ms")
async def frames_of_all_lengths(dut):
    source = AxiStreamSource(AxiStreamBus.from_prefix(dut, "s_axis"), dut.clk, dut.rst)
    sink = AxiStreamSink(AxiStreamBus.from_prefix(dut, "m_axis"), dut.clk, dut.rst)
    dut.s_hdr_valid.value = 0
    await start(dut)
    for number, length in enumerate([1, 2, 3, 4, 5, 44, 45, 46, 47, 48, 49, 50, 255, 1023, 1024]):
        data = bytes((7 * number + i) & 255 for i in range(length))
        token = DATA if number % 3 else BROADCAST
        fields = dict(c_st=0 if token == DATA else 17, mac=OTHER, node_id=3, multi_g=2, act_seq=number)
        fields.update(packet_cnt=number, addr=0x0123_4500 + number)
        source.send_nowait(data)
        await ClockCycles(dut.clk, 2)  # TX-5: the payload waits when its header comes
        for name, value in [*fields.items(), ("token", token), ("len", length)]:
            getattr(dut, f"s_hdr_{name}").value = value
        dut.s_hdr_valid.value = 1
        while True:
            await RisingEdge(dut.clk)
            if dut.s_hdr_ready.value:
                break
        dut.s_hdr_valid.value = 0
        got = await sink.recv()
        assert bytes(got.tdata) == frame(token, data, **fields), length
        user = got.tuser if isinstance(got.tuser, (list, bytearray)) else [got.tuser]
        assert not any(int(u or 0) for u in user)
