// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs the top level of a board with its serial pins on a pseudo-terminal, of which it prints the name. A
// program that opens it sees what it would see on the serial line of the real board. Ends when its standard
// input ends.

#include "Vulx3s.h"
#include "verilated.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

#ifndef CLOCKS
#error "CLOCKS: cycles of a bit, as in the Verilog"
#endif

namespace {

// Sends bytes to the pin of the FPGA.
struct Sender {
    int left = 0;
    int wait = 0;
    unsigned bits = 0;
    bool level = true;

    bool idle() const { return left == 0; }
    void take(unsigned char byte) {
        bits = (byte | 0x100u) << 1;
        left = 10;
        wait = 0;
    }
    void clock() {
        if (left == 0) {
            level = true;
            return;
        }
        level = bits & 1;
        if (++wait == CLOCKS) {
            wait = 0;
            bits >>= 1;
            --left;
        }
    }
};

// Receives bytes from the pin of the FPGA; its result is -1, or the byte.
struct Receiver {
    int left = 0;
    int wait = 0;
    unsigned bits = 0;

    int clock(bool level) {
        if (left == 0) {
            if (!level) {
                left = 10;
                wait = CLOCKS / 2;
                bits = 0;
            }
            return -1;
        }
        if (--wait > 0)
            return -1;
        wait = CLOCKS;
        bits = bits >> 1 | (level ? 0x200u : 0);
        if (--left > 0)
            return -1;
        if (!(bits & 0x200) || bits & 1) {
            fprintf(stderr, "the FPGA sends a byte without a start or a stop bit\n");
            exit(1);
        }
        return bits >> 1 & 0xff;
    }
};

} // namespace

int main(int argc, char **argv) {
    Verilated::commandArgs(argc, argv);
    int terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) || unlockpt(terminal)) {
        perror("pseudo-terminal");
        return 2;
    }
    const char *name = ptsname(terminal);
    // Kept open: the line is there before and after a program uses it.
    int kept = open(name, O_RDWR | O_NOCTTY);
    termios raw;
    if (kept < 0 || tcgetattr(kept, &raw)) {
        perror(name);
        return 2;
    }
    cfmakeraw(&raw);
    tcsetattr(kept, TCSANOW, &raw);
    puts(name);
    fflush(stdout);

    Vulx3s top;
    Sender sender;
    Receiver receiver;
    for (unsigned long cycle = 0;; ++cycle) {
        if (sender.idle() && cycle % 64 == 0) {
            unsigned char byte;
            if (read(terminal, &byte, 1) == 1)
                sender.take(byte);
        }
        if (cycle % 4096 == 0) {
            pollfd input = {0, POLLIN, 0};
            char unused;
            if (poll(&input, 1, 0) > 0 && read(0, &unused, 1) <= 0)
                return 0;
        }
        sender.clock();
        top.ftdi_txd = sender.level;
        top.clk_25mhz = 0;
        top.eval();
        top.clk_25mhz = 1;
        top.eval();
        int byte = receiver.clock(top.ftdi_rxd);
        if (byte >= 0) {
            unsigned char out = static_cast<unsigned char>(byte);
            if (write(terminal, &out, 1) != 1) {
                perror("pseudo-terminal");
                return 2;
            }
        }
    }
}
