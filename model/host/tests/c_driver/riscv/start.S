/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Reset: the memory is zero, so only the stack is set up. */
    .section .text.start
    .global _start
_start:
    li sp, 0x10000
    j main
