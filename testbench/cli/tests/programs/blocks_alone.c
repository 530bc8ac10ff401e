/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* In place of the library: its time is the number of basic blocks. */
#include <awgstar.h>

static uint64_t blocks;
void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void) { blocks++; }
int awg_init(void) { return 0; }
int awg_finalize(void) { return 0; }
int awg_node(void) { return 0; }
int awg_nodes(void) { return 1; }
uint64_t awg_now(void) { return blocks; }
int awg_barrier(void) { return 1; }
int awg_read(uint32_t addr, void *to, size_t bytes) { return addr && to && bytes; }
int awg_fetch_add(uint32_t addr, uint32_t value, uint32_t *old) { return addr && value && old; }
