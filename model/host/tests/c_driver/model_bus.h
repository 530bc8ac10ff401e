/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The bus of a program whose board is in the model: an access is a request on standard output and an answer on
 * standard input, words in the byte order of the processor. */
#ifndef MODEL_BUS_H
#define MODEL_BUS_H

#include "smb.h"

/* A bus for smb_init. */
struct smb_bus model_bus(void);
/* Tells the model the result of the program. The program goes on: its driver may be asked by others. */
void model_done(int result);
/* Lets `cycles` cycles pass. */
void model_wait(uint32_t cycles);
/* Resets the board. */
void model_reset(void);
/* Cycle of the last answer. */
uint32_t model_cycle(void);

#endif
