// SPDX-License-Identifier: MIT OR Apache-2.0
// axil_port: one AXI4-Lite access at a time becomes one request of the board.
//
// Promises: an access is answered once, with OKAY or SLVERR, and the next begins behind it. Reads
// and writes take turns when both wait (HST-1).
//
// Latency: access taken in cycle t, request from t + 1 on, response one cycle behind rsp_valid.
//
// Requirements: HST-1.
`include "awgstar.vh"
`default_nettype none

module axil_port (
    input  wire        clk,
    input  wire        rst,

    input  wire [31:0] s_axi_awaddr,
    input  wire [2:0]  s_axi_awprot,
    input  wire        s_axi_awvalid,
    output wire        s_axi_awready,

    input  wire [31:0] s_axi_wdata,
    input  wire [3:0]  s_axi_wstrb,
    input  wire        s_axi_wvalid,
    output wire        s_axi_wready,

    output wire [1:0]  s_axi_bresp,
    output wire        s_axi_bvalid,
    input  wire        s_axi_bready,

    input  wire [31:0] s_axi_araddr,
    input  wire [2:0]  s_axi_arprot,
    input  wire        s_axi_arvalid,
    output wire        s_axi_arready,

    output wire [31:0] s_axi_rdata,
    output wire [1:0]  s_axi_rresp,
    output wire        s_axi_rvalid,
    input  wire        s_axi_rready,

    output wire        req_valid,
    output wire        req_write,
    output wire [31:0] req_addr,
    output wire [31:0] req_wdata,
    output wire [3:0]  req_wstrb,

    input  wire        rsp_valid,
    input  wire        rsp_error,
    input  wire [31:0] rsp_rdata
);
    reg [1:0]  state_q, state_d;
    reg        write_q, write_d;
    reg [31:0] addr_q, addr_d;
    reg [31:0] wdata_q, wdata_d;
    reg [3:0]  wstrb_q, wstrb_d;
    reg [31:0] rdata_q, rdata_d;
    reg        error_q, error_d;
    reg        turn_q, turn_d; // the last access was a write: a read goes first
    reg        ready_q;        // the access has just been picked: a register, as AXI asks for

    wire idle       = state_q == `AWG_AXIL_PORT_IDLE;
    wire done       = state_q == `AWG_AXIL_PORT_DONE;
    wire pick_write = idle && s_axi_awvalid && s_axi_wvalid && !(s_axi_arvalid && turn_q);
    wire pick_read  = idle && s_axi_arvalid && !pick_write;

    wire unused_prot = &{1'b0, s_axi_awprot, s_axi_arprot}; // there is one kind of access only

    always @* begin
        state_d = state_q;
        write_d = write_q;
        addr_d  = addr_q;
        wdata_d = wdata_q;
        wstrb_d = wstrb_q;
        rdata_d = rdata_q;
        error_d = error_q;
        turn_d  = turn_q;

        case (state_q)
            `AWG_AXIL_PORT_IDLE: begin
                if (pick_write) begin
                    state_d = `AWG_AXIL_PORT_BUSY;
                    write_d = 1'b1;
                    addr_d  = s_axi_awaddr;
                    wdata_d = s_axi_wdata;
                    wstrb_d = s_axi_wstrb;
                    turn_d  = 1'b1;
                end
                if (pick_read) begin
                    state_d = `AWG_AXIL_PORT_BUSY;
                    write_d = 1'b0;
                    addr_d  = s_axi_araddr;
                    turn_d  = 1'b0;
                end
            end

            `AWG_AXIL_PORT_BUSY: if (rsp_valid) begin
                state_d = `AWG_AXIL_PORT_DONE;
                rdata_d = rsp_rdata;
                error_d = rsp_error;
            end

            `AWG_AXIL_PORT_DONE: if (write_q ? s_axi_bready : s_axi_rready) begin
                state_d = `AWG_AXIL_PORT_IDLE;
            end

            default: ;
        endcase
    end

    always @(posedge clk) begin
        state_q <= state_d;
        write_q <= write_d;
        addr_q  <= addr_d;
        wdata_q <= wdata_d;
        wstrb_q <= wstrb_d;
        rdata_q <= rdata_d;
        error_q <= error_d;
        turn_q  <= turn_d;
        ready_q <= pick_write || pick_read;
        if (rst) begin
            state_q <= `AWG_AXIL_PORT_IDLE;
            turn_q  <= 1'b0;
            ready_q <= 1'b0;
        end
    end

    assign s_axi_awready = ready_q && write_q;
    assign s_axi_wready  = ready_q && write_q;
    assign s_axi_arready = ready_q && !write_q;
    assign s_axi_bvalid  = done && write_q;
    assign s_axi_rvalid  = done && !write_q;
    assign s_axi_bresp   = {error_q, 1'b0};
    assign s_axi_rresp   = {error_q, 1'b0};
    assign s_axi_rdata   = rdata_q;

    assign req_valid = state_q == `AWG_AXIL_PORT_BUSY;
    assign req_write = write_q;
    assign req_addr  = addr_q;
    assign req_wdata = wdata_q;
    assign req_wstrb = wstrb_q;
endmodule

`default_nettype wire
