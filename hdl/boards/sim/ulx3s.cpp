// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the top level of a board with its serial pins on a pseudo-terminal, of which it prints the name. Ends when
// its standard input ends.

#include "Vulx3s.h"
#include "serial.h"
#include "verilated.h"

#include <poll.h>

int main(int argc, char **argv) {
    Verilated::commandArgs(argc, argv);
    Serial serial;
    puts(serial.name().c_str());
    fflush(stdout);

    Vulx3s top;
    for (unsigned long cycle = 0;; ++cycle) {
        if (cycle % 4096 == 0) {
            pollfd input = {0, POLLIN, 0};
            char unused;
            if (poll(&input, 1, 0) > 0 && read(0, &unused, 1) <= 0)
                return 0;
        }
        top.ftdi_txd = serial.send();
        top.clk_25mhz = 0;
        top.eval();
        top.clk_25mhz = 1;
        top.eval();
        serial.receive(top.ftdi_rxd);
    }
}
