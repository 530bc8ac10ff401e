// SPDX-License-Identifier: MIT OR Apache-2.0
// Runs two FPGAs with the top level ulx3s_link, joined by a cable in both directions, each with its serial pins on a
// pseudo-terminal. Prints the names of the terminals with a comma between.
//
//     Vulx3s_link [SEED]
//
// The first FPGA is 100 ppm slow, the second 100 ppm fast; the seed gives the phase of their clocks, when the second
// one is switched on, and the delay of each wire of the cable: DELAY plus or minus SKEW. A wire that changes less than
// WINDOW before or after the edge of the clock at the receiver is taken as 0 or 1 at random.
//
// Each line of standard input names wires, "all", "clock", "light" or "data" (of both directions), and says whether
// they are plugged in: "out clock", "in clock". The contacts bounce for BOUNCE cycles. Ends when standard input ends.

#include "Vulx3s_link.h"
#include "serial.h"
#include "verilated.h"

#include <memory>
#include <poll.h>
#include <random>
#include <stdint.h>
#include <string.h>

namespace {

using Time = int64_t; // fs
constexpr Time NEVER = INT64_MAX;
constexpr Time NS = 1000000;
constexpr Time QUARTER = 4375 * NS / 1000; // of a cycle of 57.143 MHz
constexpr int PPM = 100;
constexpr Time DELAY = 2500 * NS / 1000;
constexpr Time SKEW = 1500 * NS / 1000;
constexpr Time WINDOW = 1000 * NS / 1000;
constexpr unsigned long BOUNCE = 2000;

constexpr unsigned PINS = 20; // data
constexpr uint32_t LIGHT = 1u << PINS;
constexpr uint32_t CLOCK = LIGHT << 1;
constexpr uint32_t DATA = LIGHT - 1;
constexpr uint32_t ALL = DATA | LIGHT | CLOCK;

std::mt19937_64 random_bits;

Time between(Time low, Time high) { return std::uniform_int_distribution<Time>(low, high)(random_bits); }

// The wires from one FPGA to the other.
class Cable {
  public:
    Cable() {
        for (Time &wire : delay)
            wire = between(DELAY - SKEW, DELAY + SKEW);
        contact = ALL;
    }

    // What the sender drives from `now` on.
    void drive(Time now, uint32_t pins) {
        uint32_t changes = pins ^ level;
        if (changes & ~CLOCK) {
            before = level;
            changed = now;
        }
        level = pins;
        if (changes & CLOCK)
            due = now + delay[PINS + 1];
    }

    // The receiver's next edge, or a part of one when contacts change.
    Time edge() const { return due; }

    // What the receiver takes at that edge.
    uint32_t take() {
        uint32_t pins = level & CLOCK;
        for (unsigned pin = 0; pin <= PINS; ++pin) {
            uint32_t bit = 1u << pin;
            Time since = due - (changed + delay[pin]);
            if (since > -WINDOW && since < WINDOW && ((level ^ before) & bit))
                pins |= random_bits() & bit;
            else
                pins |= (since < 0 ? before : level) & bit;
        }
        due = NEVER;
        return pins & contact;
    }

    void plug(Time now, uint32_t wires) {
        if ((wires ^ contact) & level & CLOCK)
            due = now;
        contact = wires;
    }

  private:
    Time delay[PINS + 2]; // data, light, clock
    uint32_t contact;
    uint32_t level = 0;
    uint32_t before = 0; // the last change of data and light
    Time changed = -NS * NS;
    Time due = NEVER;
};

struct Fpga {
    VerilatedContext context;
    Vulx3s_link top{&context};
    Serial serial;
    Cable cable; // from this one
    Time next;
    Time quarter;
    unsigned edges = 0;

    explicit Fpga(int ppm) {
        next = between(1, 4 * QUARTER);
        quarter = QUARTER + QUARTER * ppm / 1000000;
        top.eval();
    }

    void eval(Time now) {
        top.eval();
        cable.drive(now, top.tx_pins | (top.tx_light_pin ? LIGHT : 0) | (top.tx_clk_pin ? CLOCK : 0));
    }

    // An edge of the oscillator, a quarter of a cycle of the line clock.
    void tick() {
        if (edges % 4 == 0)
            top.ftdi_txd = serial.send();
        top.clk_25mhz = !top.clk_25mhz;
        eval(next);
        if (edges % 4 == 0)
            serial.receive(top.ftdi_rxd);
        ++edges;
        next += quarter;
    }

    void take(Time now, uint32_t pins) {
        top.rx_pins = pins & DATA;
        top.rx_light_pin = (pins & LIGHT) != 0;
        top.rx_clk_pin = (pins & CLOCK) != 0;
        eval(now);
    }
};

// Lines of standard input.
class Commands {
  public:
    // False at its end. Changes the wires that are to be plugged in.
    bool poll(uint32_t &wires) {
        pollfd input = {0, POLLIN, 0};
        if (::poll(&input, 1, 0) <= 0)
            return true;
        char byte;
        if (read(0, &byte, 1) <= 0)
            return false;
        if (byte != '\n') {
            line += byte;
            return true;
        }
        size_t space = line.find(' ');
        std::string what = space == std::string::npos ? "" : line.substr(space + 1);
        uint32_t named = what == "all" ? ALL : what == "clock" ? CLOCK : what == "light" ? LIGHT : what == "data" ? DATA : 0;
        if (named && line.substr(0, space) == "out")
            wires &= ~named;
        else if (named && line.substr(0, space) == "in")
            wires |= named;
        else
            fprintf(stderr, "%s: expected \"out\" or \"in\" and \"all\", \"clock\", \"light\" or \"data\"\n", line.c_str());
        line.clear();
        return true;
    }

  private:
    std::string line;
};

} // namespace

int main(int argc, char **argv) {
    random_bits.seed(argc > 1 ? strtoull(argv[1], nullptr, 0) : 1);
    std::unique_ptr<Fpga> fpgas[2] = {std::make_unique<Fpga>(PPM), std::make_unique<Fpga>(-PPM)};
    fpgas[1]->next += between(0, 40000) * QUARTER; // switched on up to 175 us later
    printf("%s,%s\n", fpgas[0]->serial.name().c_str(), fpgas[1]->serial.name().c_str());
    fflush(stdout);

    Commands commands;
    uint32_t wires = ALL;
    uint32_t plugged = ALL;
    unsigned long bounce = 0; // cycles left
    for (unsigned long cycle = 0;;) {
        int first = 0;
        bool edge = false;
        Time now = NEVER;
        for (int i = 0; i < 2; ++i) {
            if (fpgas[i]->next < now) {
                now = fpgas[i]->next;
                first = i;
                edge = false;
            }
            if (fpgas[i]->cable.edge() < now) {
                now = fpgas[i]->cable.edge();
                first = i;
                edge = true;
            }
        }
        if (edge) {
            fpgas[1 - first]->take(now, fpgas[first]->cable.take());
            continue;
        }
        fpgas[first]->tick();
        if (first != 0 || fpgas[0]->edges % 4 != 0)
            continue;
        // Once in a cycle of the first FPGA.
        if (++cycle % 1024 == 0) {
            if (!commands.poll(wires))
                return 0;
        }
        if (wires != plugged) {
            if (bounce == 0)
                bounce = BOUNCE;
            uint32_t touching = --bounce == 0 ? wires : (wires & plugged) | ((wires ^ plugged) & uint32_t(random_bits()));
            for (auto &fpga : fpgas)
                fpga->cable.plug(now, touching);
            if (bounce == 0)
                plugged = wires;
        }
    }
}
