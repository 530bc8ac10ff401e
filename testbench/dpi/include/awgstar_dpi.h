/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* libawgstar_dpi: the model as reference of a SystemVerilog bench, over DPI-C.
 * Generated from the contract (model/frame/src/contract), the model and testbench/dpi/src by `cargo xtask contract generate`.
 * Do not edit: `cargo xtask contract check` and the tests fail on drift.
 *
 * A bench in SystemVerilog imports these functions with the package awgstar_pkg; this header is for benches
 * in C and C++, and for simulators that want one. A pointer to words is a packed structure of the package,
 * least significant word first, as svBitVecVal of svdpi.h. A function that returns int returns 0 or an error
 * code, unless it says otherwise; awg_dpi_message has the text. Calls of several threads are made one after
 * another. */
#ifndef AWGSTAR_DPI_H
#define AWGSTAR_DPI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    AWG_DPI_OK = 0,
    AWG_DPI_DIFFERS = 1,     /* the design differs from the model: awg_dpi_explain has the report */
    AWG_DPI_HANDLE = 2,      /* no model has this handle */
    AWG_DPI_MODULE = 3,      /* the model is of another module */
    AWG_DPI_POINTER = 4,     /* a pointer is null or not aligned */
    AWG_DPI_ARGUMENT = 5,    /* a name or a setting is wrong */
    AWG_DPI_LAYOUT = 6,      /* package and library are of different versions */
    AWG_DPI_RANGE = 7,       /* there is no such memory word */
    AWG_DPI_ORDER = 8,       /* a call is missing or out of order */
    AWG_DPI_NOTHING = 9,     /* nothing was compared */
    AWG_DPI_NO_TRAFFIC = 10, /* no frame was on the links */
    AWG_DPI_FRAME = 11,      /* a frame that cannot be sent, or bytes that are not one */
    AWG_DPI_FAILED = 12      /* the library failed; this is a bug */
};

/* Numbers of the layouts, and words of the structures and arrays. */
#define AWG_RING_NODE_LAYOUT 0x22AC0ABCu
#define AWG_RING_NODE_IN_WORDS 11
#define AWG_RING_NODE_OUT_WORDS 9
#define AWG_RING_NODE_REGISTER_WORDS 134
#define AWG_RING_NODE_WIRE_WORDS 240
#define AWG_SMB_LAYOUT 0x693E5E2Cu
#define AWG_SMB_IN_WORDS 5
#define AWG_SMB_OUT_WORDS 3
#define AWG_SMB_REGISTER_WORDS 382
#define AWG_SMB_WIRE_WORDS 925

/* Makes a model of name, ring_node or smb, with parameters of its Verilog, NAME=VALUE with commas between
 * them; those not named have the default of the Verilog. layout is AWG_RING_NODE_LAYOUT or AWG_SMB_LAYOUT of
 * the package. Gives a handle above 0, or an error code with a minus. */
int awg_dpi_new(const char *name, const char *parameters, unsigned int layout);

/* Takes back a model. A run that compares must be finished before, see awg_dpi_verdict. */
int awg_dpi_free(int handle);

/* One cycle of a design with the registers of ring_node: call it just before the rising edge, after
 * awg_dpi_word, with rst high in the first cycle. Compares registers, outputs and the memory words that were
 * given; if all are equal, does the edge. Else the run is over and awg_dpi_explain has the report. */
int awg_dpi_cycle_ring_node(int handle, const uint32_t *inputs, const uint32_t *outputs, const unsigned int *registers);

/* The same for smb. */
int awg_dpi_cycle_smb(int handle, const uint32_t *inputs, const uint32_t *outputs, const unsigned int *registers);

/* One cycle of a design with the ports of ring_node and registers of your choice: compares the bits of outputs
 * that have a meaning in this cycle and that the reset or the inputs have set, then does the edge. */
int awg_dpi_ports_ring_node(int handle, const uint32_t *inputs, const uint32_t *outputs);

/* The same for smb. */
int awg_dpi_ports_smb(int handle, const uint32_t *inputs, const uint32_t *outputs);

/* Ports of all instances of a ring_node in this cycle, before awg_dpi_cycle_ring_node, if the report is to name
 * the cause: the module whose inputs agree and of which an output differs. */
int awg_dpi_wires_ring_node(int handle, const unsigned int *wires);

/* The same for smb. */
int awg_dpi_wires_smb(int handle, const unsigned int *wires);

/* A memory word of the design in this cycle. The macros of awgstar_design.svh call it for all words, which must be
 * done in the first two cycles; later it is a comparison, as often as you like. */
int awg_dpi_word(int handle, unsigned int memory, unsigned int address, const uint32_t *value);

/* Outputs of the model with these inputs, just before the edge: the model in the place of a design. */
int awg_dpi_outputs_ring_node(int handle, const uint32_t *inputs, uint32_t *outputs);

/* The same for smb. */
int awg_dpi_outputs_smb(int handle, const uint32_t *inputs, uint32_t *outputs);

/* The edge of a model that is not compared. */
int awg_dpi_clock_ring_node(int handle, const uint32_t *inputs);

/* The same for smb. */
int awg_dpi_clock_smb(int handle, const uint32_t *inputs);

/* A register of the model by its path below the module, such as u_arbiter.turn_q. */
int awg_dpi_register(int handle, const char *path, uint32_t *value);

/* The first difference: cycle, value in the model, value in the design. awg_dpi_difference_path has the name.
 * AWG_DPI_NOTHING if there is none. */
int awg_dpi_difference(int handle, unsigned long long *at, uint32_t *expected, uint32_t *found);

/* Name of the register, memory word or output that differs first; empty if none does. */
const char *awg_dpi_difference_path(int handle);

/* The report of the first difference: cycle, signal, value in the model, value in the Verilog, cause, inputs of the
 * cycle before, frames on the links; empty if there is none. */
const char *awg_dpi_explain(int handle);

/* Cycles that were compared; 0 for a wrong handle. */
unsigned long long awg_dpi_compared(int handle);

/* Whole frames on the input and the output of the link so far; 0 for a wrong handle. */
unsigned long long awg_dpi_frames(int handle);

/* Ends the run of a model: 0 if at least one cycle was compared, a frame was on a link and nothing differed. */
int awg_dpi_finish(int handle);

/* The verdict of the simulation: call it in a final block. Returns if every run was finished with 0, and there was
 * one; else prints the reason to standard error and ends the process with exit code 1, whatever the design has printed
 * and even if the design has called $finish. */
void awg_dpi_verdict(void);

/* The bytes of a frame on the link, from the model's codec; AWG_DPI_FRAME if it cannot be sent, with the field. */
int awg_dpi_encode(const uint32_t *from, uint32_t *to);

/* The frame of these bytes, from the model's codec; AWG_DPI_FRAME if they are not one, with field and byte. */
int awg_dpi_decode(const uint32_t *from, uint32_t *to);

/* Fields and errors of a frame in words, as awgstar frame explain prints them. */
const char *awg_dpi_explain_frame(const uint32_t *line);

/* The text of the last error of this thread. */
const char *awg_dpi_message(void);

#ifdef __cplusplus
}
#endif

#endif
