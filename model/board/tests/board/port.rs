// SPDX-License-Identifier: MIT OR Apache-2.0
//! AXI4-Lite, one module at a time. Checks HST-1, HST-6.

use super::seeded::seeded;
use awgstar_board::rtl::AxilRequest;
use awgstar_board::rtl::axil_port::Inputs;
use awgstar_board::rtl::{AxilPort, HostWindow, WriteCombiner, host_window, write_combiner};
use proptest::prelude::*;

/// HST-1: a port whose requests are answered at once.
fn drive(port: &mut AxilPort, mut i: Inputs) -> awgstar_board::rtl::axil_port::Outputs {
    let o = port.outputs(&i);
    (i.rsp_valid, i.rsp_rdata) = (o.req_valid, !o.req_addr);
    let o = port.outputs(&i);
    port.clock(&i);
    o
}

/// HST-1: when reads and writes always wait, they take turns, and each has its own answer.
#[test]
fn reads_and_writes_take_turns() {
    let mut port = AxilPort::default();
    port.clock(&Inputs { rst: true, ..Inputs::default() });
    let i = Inputs {
        s_axi: AxilRequest {
            awaddr: 0x10,
            awvalid: true,
            wvalid: true,
            bready: true,
            araddr: 0x20,
            arvalid: true,
            rready: true,
            ..AxilRequest::default()
        },
        ..Inputs::default()
    };
    let mut order = Vec::new();
    for _ in 0..30 {
        let o = drive(&mut port, i);
        assert!(!(o.s_axi.bvalid && o.s_axi.rvalid));
        if o.s_axi.bvalid {
            order.push('w');
        }
        if o.s_axi.rvalid {
            assert_eq!(o.s_axi.rdata, !0x20);
            order.push('r');
        }
    }
    assert_eq!(order.iter().collect::<String>(), "wrwrwrwrwr");
}

proptest! {
    #![proptest_config(seeded(256))]

    /// HST-1, AXI4-Lite: valid stays until ready, an answer stays as it is until it is taken, there are as many
    /// answers as accesses, and never two at a time.
    #[test]
    fn any_handshake(steps in prop::collection::vec((any::<[bool; 6]>(), any::<u32>()), 1..400)) {
        let mut port = AxilPort::default();
        port.clock(&Inputs { rst: true, ..Inputs::default() });
        let mut i = Inputs::default();
        let (mut open, mut waiting) = (0, None);
        for ([aw, ar, b, r, rsp, error], data) in steps {
            // A host keeps valid, address and data until it is taken.
            if aw && !i.s_axi.awvalid {
                (i.s_axi.awvalid, i.s_axi.wvalid, i.s_axi.awaddr, i.s_axi.wdata) = (true, true, data, !data);
            }
            if ar && !i.s_axi.arvalid {
                (i.s_axi.arvalid, i.s_axi.araddr) = (true, data);
            }
            (i.s_axi.bready, i.s_axi.rready) = (b, r);
            (i.rsp_valid, i.rsp_error, i.rsp_rdata) = (rsp && port.state_q == 1, error, data);
            let o = port.outputs(&i);
            prop_assert_eq!(o.s_axi.awready, o.s_axi.wready);
            let answer = (o.s_axi.bvalid, o.s_axi.rvalid, o.s_axi.bresp, o.s_axi.rresp, o.s_axi.rdata);
            if let Some(before) = waiting {
                prop_assert_eq!(answer, before);
            }
            let taken = u32::from(o.s_axi.awready) + u32::from(o.s_axi.arready);
            let given = u32::from(o.s_axi.bvalid && b) + u32::from(o.s_axi.rvalid && r);
            waiting = ((o.s_axi.bvalid || o.s_axi.rvalid) && given == 0).then_some(answer);
            port.clock(&i);
            open = open + taken - given;
            prop_assert!(open <= 1);
            if o.s_axi.awready {
                prop_assert_eq!((port.addr_q, port.wdata_q, port.write_q), (i.s_axi.awaddr, i.s_axi.wdata, true));
                (i.s_axi.awvalid, i.s_axi.wvalid) = (false, false);
            }
            if o.s_axi.arready {
                prop_assert_eq!((port.addr_q, port.write_q), (i.s_axi.araddr, false));
                i.s_axi.arvalid = false;
            }
        }
    }

    /// HST-6, WRT-2: a write of any strobe into a combiner with or without room: it ends, and what was put is what
    /// was written to the memory, lane by lane.
    #[test]
    fn any_strobe(strobe in 0u8..16, data in any::<u32>(), room in prop::collection::vec(any::<[bool; 3]>(), 300)) {
        let mut window = HostWindow::default();
        let mut combiner = WriteCombiner::default();
        combiner.clock(&write_combiner::Inputs { rst: true, ..Default::default() });
        let (mut put, mut written) = (Vec::new(), 0);
        let mut ended = None;
        for [word_room, frame_room, stalled] in room {
            let mut i = host_window::Inputs {
                win_valid: true, win_write: true, win_addr: 0x40, win_wdata: data, win_wstrb: strobe,
                stalled, ..Default::default()
            };
            let o = window.outputs(&i);
            let c = write_combiner::Inputs {
                put_valid: o.put_valid, put_addr: o.put_addr, put_len: o.put_len, put_data: o.put_data,
                word_room, frame_room, cfg_combine: 64, ..Default::default()
            };
            i.put_ready = combiner.outputs(&c).put_ready;
            let o = window.outputs(&i);
            if combiner.outputs(&c).word_valid {
                for k in 0..o.put_len {
                    let byte = o.put_data.to_le_bytes()[usize::from(k)];
                    put.push((o.put_addr + u32::from(k), byte));
                }
                prop_assert!(o.put_len == 4 || o.put_data >> (8 * o.put_len) == 0);
            }
            written |= o.mem_we;
            window.clock(&i);
            combiner.clock(&c);
            if o.win_done {
                ended = Some(o.win_error);
                break;
            }
        }
        let lanes = |lanes: u8| (0..4u32).filter(move |l| lanes >> l & 1 != 0);
        let expected: Vec<_> = lanes(written).map(|l| (0x40 + l, data.to_le_bytes()[l as usize])).collect();
        prop_assert_eq!(put, expected);
        prop_assert_eq!(window.state_q, host_window::IDLE);
        match ended {
            Some(false) => prop_assert_eq!(written, strobe),
            Some(true) => prop_assert_eq!(written & !strobe, 0),
            None => prop_assert!(false, "it hangs"),
        }
    }
}
