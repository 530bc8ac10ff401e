// SPDX-License-Identifier: MIT OR Apache-2.0
// Drives the verilated `links`: a clock for each node, in fs, and a recovered clock for each line, in the
// order of their edges. Prints counts, each line marked by the last argument; it judges nothing.
//   links NODES FRAMES SEED PPM TOKENS MODE TOKEN
// PPM: limit of the clocks' deviations; node 0 has the upper end, node 1 the lower.
// MODE: load    every node always sends, until FRAMES were sent and all have returned
//       slow    the same, but the slowest node, 1, never sends
//       fast    the same, but the fastest node, 0, never sends
//       light   node 0 sends alone, one frame at a time: latencies
//       errors  as load, with a bit inverted on a line now and then
//       dark    as load, with a line dark now and then
#include "Vlinks.h"
#include "verilated.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <string>

static uint32_t at(const uint32_t& v, int) { return v; }
static uint32_t at(const uint64_t& v, int k) { return static_cast<uint32_t>(v >> (32 * k)); }
template <std::size_t N> static uint32_t at(const VlWide<N>& v, int k) { return v[k]; }

template <class T> static uint64_t sum(const T& v, int nodes) {
    uint64_t total = 0;
    for (int k = 0; k < nodes; ++k) total += at(v, k);
    return total;
}

// splitmix64
struct Random {
    uint64_t state;
    uint64_t next() {
        uint64_t z = (state += 0x9E3779B97F4A7C15);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        return z ^ (z >> 31);
    }
    uint64_t below(uint64_t n) { return next() % n; }
};

struct Span { // of times in fs
    int64_t least = INT64_MAX, most = 0;
    double total = 0;
    uint64_t count = 0;
    void add(int64_t t) {
        least = std::min(least, t);
        most = std::max(most, t);
        total += t;
        ++count;
    }
};

int main(int argc, char** argv) {
    if (argc != 8) return 2;
    const int nodes = atoi(argv[1]);
    const uint64_t frames = strtoull(argv[2], nullptr, 10);
    Random random{strtoull(argv[3], nullptr, 10)};
    const double ppm = atof(argv[4]);
    const int tokens = atoi(argv[5]);
    const std::string mode = argv[6];
    const char* const token = argv[7];
    const bool light = mode == "light", errors = mode == "errors", darkness = mode == "dark";

    VerilatedContext context;
    Vlinks top{&context};

    const double nominal = 1e9 / 67.25; // fs
    int64_t period[8], jitter = 200000, when[8], rx_when[8];
    uint64_t skew = 0;
    for (int i = 0; i < nodes; ++i) {
        const double off = i == 0 ? ppm : i == 1 ? -ppm : ppm * (double(random.below(2001)) / 1000 - 1);
        period[i] = int64_t(nominal / (1 + off * 1e-6));
        when[i] = period[i] + int64_t(random.below(period[i]));
        skew |= random.below(40) << (6 * i);
    }
    int64_t base[8]; // of the recovered clock, without its jitter
    for (int i = 0; i < nodes; ++i) {
        const int from = (i + nodes - 1) % nodes;
        base[i] = when[from] + 1000000 + int64_t(random.below(period[from] - 2000000));
        rx_when[i] = base[i];
    }
    top.skew = skew;
    top.rst = 1;
    const uint32_t all = (1u << nodes) - 1;
    const uint32_t senders = light ? 1 : mode == "slow" ? all & ~2u : mode == "fast" ? all & ~1u : all;

    int left = tokens;          // still to be issued, by node 0
    uint64_t steps = 0, cycles = 0, quiet = 0, reissued = 0, flips = 0, cuts = 0;
    uint64_t bad = 0, broken = 0, overflow = 0, underrun = 0, most_waiting = 0, downs = 0;
    uint64_t ready_since = 0, drained = 0, last_sent = 0, dark_left = 0, next_fault = 0;
    uint64_t sent_at_end = 0;
    bool draining = false, ran = false;
    std::deque<int64_t> left_node[8], came[8];
    Span link[8], hop;

    // One edge an evaluation: no clock has two edges in a row, so its fall needs none of its own.
    for (;;) {
        int who = 0;
        bool rx = false;
        int64_t now = INT64_MAX;
        for (int i = 0; i < nodes; ++i) {
            if (when[i] < now) { now = when[i]; who = i; rx = false; }
            if (rx_when[i] < now) { now = rx_when[i]; who = i; rx = true; }
        }
        const uint32_t bit = 1u << who;
        if (rx) {
            bad += (top.bad & bit) != 0;
            broken += (top.broken & bit) != 0;
            overflow += (top.overflow & bit) != 0;
            top.rx_clk = bit;
            top.clk = 0;
            top.eval();
            const int from = (who + nodes - 1) % nodes;
            base[who] += period[from];
            rx_when[who] = base[who] + int64_t(random.below(2 * jitter)) - jitter;
            continue;
        }
        // Just before the edge: what the cycle was.
        underrun += (top.underrun & bit) != 0;
        const int words = static_cast<int>((static_cast<uint64_t>(top.waiting) >> (8 * who)) & 0xFF);
        most_waiting = std::max<uint64_t>(most_waiting, words);
        if (ran && !errors && !darkness) {
            if (top.in_first & bit) {
                auto& queue = left_node[(who + nodes - 1) % nodes];
                if (!queue.empty()) {
                    link[who].add(now - queue.front());
                    queue.pop_front();
                }
                if (light && who != 0) came[who].push_back(now);
            }
            if (top.out_first & bit) {
                left_node[who].push_back(now);
                if (light && who != 0 && !came[who].empty()) {
                    hop.add(now - came[who].front());
                    came[who].pop_front();
                }
            }
        }
        if (who == 0) {
            ++cycles;
            quiet = top.token_seen & 1 ? 0 : quiet + 1;
            if (cycles == 40) top.rst = 0;
            const bool up = (top.up & all) == all;
            ready_since = up ? ready_since + 1 : 0;
            downs += ran && ready_since == 0;
            top.issue = 0;
            if (cycles > 40 && ready_since > 100) {
                ran = true;
                if (left > 0) {
                    top.issue = 1;
                    --left;
                } else if (quiet > 20000 && (errors || darkness)) { // the monitor's work
                    top.issue = 1;
                    ++reissued;
                    quiet = 0;
                }
            }
            top.enable = ran && !draining ? senders : 0;
            if ((cycles & 255) == 0 && ran) {
                const uint64_t sent = sum(top.sent, nodes);
                if (!draining && sent >= frames) draining = true;
                drained = draining && sent == last_sent ? drained + 1 : 0;
                last_sent = sent;
                if (drained > 200) break;
                if (cycles > 4000 + frames * 3000) break; // stuck: the counts say so
            }
            if (ran && !draining && dark_left == 0 && cycles >= next_fault && (errors || darkness)) {
                next_fault = cycles + 2000 + random.below(8000);
                if (errors) {
                    top.flip = 1u << random.below(nodes);
                    top.at = random.below(40);
                    ++flips;
                } else {
                    top.dark = 1u << random.below(nodes);
                    dark_left = 1 + random.below(3000);
                    next_fault += dark_left + 60000;
                    ++cuts;
                }
            }
            if (dark_left != 0 && --dark_left == 0) top.dark = 0;
        }
        top.clk = bit;
        top.rx_clk = 0;
        top.eval();
        // A flip lasts one word of the line's sender.
        if (top.flip & (1u << ((who + 1) % nodes))) top.flip = 0;
        when[who] += period[who];
        ++steps;
    }
    sent_at_end = sum(top.sent, nodes);
    const auto print = [&](const char* name, uint64_t value) {
        printf("%s %s %llu\n", token, name, static_cast<unsigned long long>(value));
    };
    print("cycles", cycles);
    print("sent", sent_at_end);
    print("returned", sum(top.returned, nodes));
    print("good", sum(top.good, nodes));
    print("missing", sum(top.missing, nodes));
    print("again", sum(top.again, nodes));
    print("wrong", sum(top.wrong, nodes));
    print("overflow", overflow);
    print("underrun", underrun);
    print("bad_words", bad);
    print("broken", broken);
    print("waiting", most_waiting);
    print("flips", flips);
    print("cuts", cuts);
    print("downs", downs);
    print("reissued", reissued);
    Span every;
    for (int i = 0; i < nodes; ++i) {
        every.least = std::min(every.least, link[i].least);
        every.most = std::max(every.most, link[i].most);
        every.total += link[i].total;
        every.count += link[i].count;
    }
    if (every.count != 0) {
        print("link_least_ps", every.least / 1000);
        print("link_mean_ps", uint64_t(every.total / every.count / 1e3));
        print("link_most_ps", every.most / 1000);
    }
    if (hop.count != 0) {
        print("node_least_ps", hop.least / 1000);
        print("node_mean_ps", uint64_t(hop.total / hop.count / 1e3));
        print("node_most_ps", hop.most / 1000);
    }
    top.final();
    return 0;
}
