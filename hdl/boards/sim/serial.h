// SPDX-License-Identifier: MIT OR Apache-2.0
// The serial pins of a simulated FPGA on a pseudo-terminal. A program that opens the terminal sees what it would
// see on the serial line of the real board.
#pragma once

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string>
#include <termios.h>
#include <unistd.h>

#ifndef CLOCKS
#error "CLOCKS: cycles of a bit, as in the Verilog"
#endif

class Serial {
  public:
    Serial() {
        terminal = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK);
        if (terminal < 0 || grantpt(terminal) || unlockpt(terminal))
            fail();
        path = ptsname(terminal);
        // Kept open: the line is there before and after a program uses it.
        int kept = open(path.c_str(), O_RDWR | O_NOCTTY);
        termios raw;
        if (kept < 0 || tcgetattr(kept, &raw))
            fail();
        cfmakeraw(&raw);
        tcsetattr(kept, TCSANOW, &raw);
    }

    const std::string &name() const { return path; }

    // Level of the pin to the FPGA in the next cycle of its clock.
    bool send() {
        if (sender.idle() && cycle++ % 64 == 0) {
            unsigned char byte;
            if (read(terminal, &byte, 1) == 1)
                sender.take(byte);
        }
        return sender.clock();
    }

    // Level of the pin from the FPGA in that cycle.
    void receive(bool level) {
        int byte = receiver.clock(level);
        if (byte < 0)
            return;
        unsigned char out = static_cast<unsigned char>(byte);
        if (write(terminal, &out, 1) != 1)
            fail();
    }

  private:
    struct Sender {
        int left = 0;
        int wait = 0;
        unsigned bits = 0;

        bool idle() const { return left == 0; }
        void take(unsigned char byte) {
            bits = (byte | 0x100u) << 1;
            left = 10;
            wait = 0;
        }
        bool clock() {
            if (left == 0)
                return true;
            bool level = bits & 1;
            if (++wait == CLOCKS) {
                wait = 0;
                bits >>= 1;
                --left;
            }
            return level;
        }
    };

    // The result of a cycle is -1, or the byte.
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

    [[noreturn]] static void fail() {
        perror("pseudo-terminal");
        exit(2);
    }

    int terminal;
    std::string path;
    unsigned long cycle = 0;
    Sender sender;
    Receiver receiver;
};
