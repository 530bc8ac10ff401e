// SPDX-License-Identifier: MIT OR Apache-2.0
// Drives the verilated `link_boards`: for each board its clock, that of its host and the one recovered from
// the line, in fs, in the order of their edges; and a program on each host. Prints counts, each line
// marked by the last argument; it judges nothing.
//   link_boards NODES WORDS SEED PPM MODE TOKEN
// WORDS: words that each host writes; one signal to all for every 40 of them.
// PPM: limit of the deviations of the boards' clocks; board 0 has the upper end, board 1 the lower. The
// hosts have 50, 125, 33.3 and 67.25 MHz.
// MODE: load, errors (a bit inverted on a line now and then) or dark (a line dark now and then).
#include "Vlink_boards.h"
#include "verilated.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <string>
#include <vector>

static uint32_t at(const uint32_t& v, int) { return v; }
static uint32_t at(const uint64_t& v, int k) { return static_cast<uint32_t>(v >> (32 * k)); }
template <std::size_t N> static uint32_t at(const VlWide<N>& v, int k) { return v[k]; }
static void put(uint64_t& v, int k, uint32_t x) {
    v = (v & ~(0xFFFFFFFFull << (32 * k))) | (uint64_t(x) << (32 * k));
}
template <std::size_t N> static void put(VlWide<N>& v, int k, uint32_t x) { v[k] = x; }
template <class T> static void set(T& v, int k, bool x) {
    v = x ? v | (1u << k) : v & ~(1u << k);
}
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

const uint32_t MEMORY = 0x80000000, REGION = 1024;
enum Register { CONTROL = 0x08, STATUS = 0x0C, NODE_ID = 0x18, TOKENS = 0x20, TIMEOUT = 0x24, COMBINE = 0x28,
    PERIOD = 0x2C, FLUSH = 0x30, IRQ_STATUS = 0x34, IRQ_ENABLE = 0x38, SIGNAL_SEND = 0x40, MAIL_COUNT = 0x48,
    MAIL_POP = 0x4C, SIGNAL_DATA = 0x80, MAIL_DATA = 0xC0, COUNT = 0x100 };

struct Shared { // what all hosts know, for their pace and for what may be read
    int nodes;
    uint64_t words;
    uint64_t written[4] = {}; // words of each host that were answered
    uint64_t begun[4] = {};   // words that were put on the port
    uint64_t sent[4] = {};    // signals
    uint64_t seen[4][4] = {}; // signals of the second in the mailbox of the first
    uint64_t wrong_reads = 0, wrong_signals = 0, refused = 0, reads = 0, mails = 0, counters[32] = {};
    bool settled[4] = {}; // nothing of this board is under way
    bool read_all[4] = {};
    uint64_t signals() const { return words / 40; }
};

// A host: a batch of writes or of reads, up to eight under way, which is more than the crossing holds, then the next step of the program.
struct Host {
    int me;
    Shared& all;
    Random random;
    struct Access { uint32_t addr, data; };
    std::vector<Access> batch;
    bool writes = false;
    std::size_t aw = 0, w = 0, ar = 0, done = 0; // accesses put on the channel; answered
    std::vector<uint32_t> got;
    bool awvalid = false, wvalid = false, arvalid = false, bready = false, rready = false;
    enum { IDENTIFY, CONFIGURE, SYNC, WORK, WRITTEN, READ_OWN, READ_OTHER, SIGNAL, CLEAR, MAILS, MAIL, POP,
        SETTLE, CHECK, COUNTERS, END } step = IDENTIFY;
    uint64_t first = 0, count = 0; // of the words in the batch
    int other = 0, region = 0;
    uint32_t place = 0;
    std::size_t mails = 0;
    unsigned pause = 0;

    Host(int k, Shared& s, uint64_t seed) : me(k), all(s), random{seed} { ask_read({0}); }

    void ask_read(std::vector<uint32_t> addrs) {
        batch.clear();
        for (uint32_t a : addrs) batch.push_back({a, 0});
        begin(false);
    }
    void ask_write(std::vector<Access> a) {
        batch = std::move(a);
        begin(true);
    }
    void begin(bool write) {
        writes = write;
        aw = w = ar = done = 0;
        got.clear();
    }
    uint32_t word(uint64_t n) const { return uint32_t(me) << 30 | uint32_t(n); }
    uint32_t address(int k, uint64_t n) const { return MEMORY + 4 * (k * REGION + uint32_t(n % REGION)); }

    // A word of another board that is read while it writes: any of its words at that place.
    void judge(int k, uint32_t offset, uint32_t value) {
        ++all.reads;
        const uint64_t n = value & 0x3FFFFFFF;
        const bool none = value == 0 && k != 0; // not written yet: what the memory began with
        const bool zero = value == 0 && k == 0 && offset != 0;
        if (none || zero) return;
        if (int(value >> 30) != k || n % REGION != offset || n >= all.begun[k]) ++all.wrong_reads;
    }

    void work(bool irq) {
        if (irq) {
            step = CLEAR;
            return ask_write({{IRQ_STATUS, 1}});
        }
        bool room = all.sent[me] < all.signals() && all.sent[me] * 40 <= all.written[me];
        for (int k = 0; k < all.nodes; ++k) // two of each host wait in a mailbox at most
            if (k != me && all.sent[me] >= all.seen[k][me] + 2) room = false;
        const uint64_t dice = random.below(10);
        if (room) {
            step = SIGNAL;
            const uint32_t m = uint32_t(all.sent[me]);
            // To all, C.ST 11111, 8 bytes, order 0.
            return ask_write({{SIGNAL_DATA, word(m)}, {SIGNAL_DATA + 4, ~word(m)},
                {SIGNAL_SEND, 5u | 0x1Fu << 3 | 8u << 20}});
        }
        if (all.written[me] < all.words && dice < 6) {
            step = WRITTEN;
            first = all.written[me];
            count = std::min<uint64_t>(all.words - first, 1 + random.below(dice < 3 ? 200 : 4));
            std::vector<Access> a;
            for (uint64_t n = first; n < first + count; ++n) a.push_back({address(me, n), word(n)});
            all.begun[me] = first + count;
            return ask_write(a);
        }
        if (all.written[me] > 0 && dice < 8) {
            step = READ_OWN;
            return ask_read({address(me, all.written[me] - 1)});
        }
        bool over = all.written[me] == all.words && all.sent[me] == all.signals();
        for (int k = 0; k < all.nodes; ++k)
            if (k != me && all.seen[me][k] < all.signals()) over = false;
        if (over) {
            step = SETTLE;
            return ask_read({STATUS, MAIL_COUNT});
        }
        step = READ_OTHER;
        other = int(random.below(all.nodes));
        place = uint32_t(random.below(REGION));
        ask_read({address(other, place)});
    }

    // All accesses of the batch are answered.
    void proceed(bool irq) {
        switch (step) {
        case IDENTIFY:
            if (got[0] != 0x41574753) ++all.wrong_reads;
            step = CONFIGURE;
            return ask_write({{NODE_ID, uint32_t(me)}, {TOKENS, uint32_t(all.nodes)}, {TIMEOUT, 10000},
                {COMBINE, 20}, {PERIOD, 2500}, {IRQ_ENABLE, 1}, {CONTROL, 1}});
        case CONFIGURE: step = SYNC; return ask_read({STATUS});
        case SYNC:
            if (!(got[0] & 1)) return ask_read({STATUS});
            step = WORK;
            break;
        case WRITTEN: all.written[me] = first + count; break;
        case READ_OWN:
            ++all.reads;
            if (got[0] != word(all.written[me] - 1)) ++all.wrong_reads;
            break;
        case READ_OTHER: judge(other, place, got[0]); break;
        case SIGNAL: ++all.sent[me]; break;
        case CLEAR: step = MAILS; return ask_read({MAIL_COUNT});
        case MAILS:
            mails = got[0];
            if (mails == 0) break;
            step = MAIL;
            return ask_read({MAIL_DATA, MAIL_DATA + 8, MAIL_DATA + 16, MAIL_DATA + 20});
        case MAIL: {
            const int from = int(got[1] >> 16 & 0xFF); // Node_ID of the sender, the end of its MAC
            const uint32_t data = got[2];
            ++all.mails;
            if (from >= all.nodes || from == me || int(data >> 30) != from || got[3] != ~data
                || (data & 0x3FFFFFFF) != all.seen[me][from] || (got[1] & 0x7FF) != 46) ++all.wrong_signals;
            else ++all.seen[me][from];
            step = POP;
            return ask_write({{MAIL_POP, 0}});
        }
        case POP:
            if (--mails == 0) break;
            step = MAIL;
            return ask_read({MAIL_DATA, MAIL_DATA + 8, MAIL_DATA + 16, MAIL_DATA + 20});
        case SETTLE:
            // Data and signals have returned, no message waits.
            all.settled[me] = !(got[0] & 0x18) && got[1] == 0;
            if (irq) break;
            for (int k = 0; k < all.nodes; ++k)
                if (!all.settled[k]) return ask_read({STATUS, MAIL_COUNT});
            step = CHECK;
            region = 0;
            return whole();
        case CHECK:
            for (uint32_t p = 0; p < got.size(); ++p) {
                const uint64_t n = all.words - 1 - (all.words - 1 - p) % REGION; // the last at this place
                if (got[p] != (uint32_t(region) << 30 | uint32_t(n))) ++all.wrong_reads;
                ++all.reads;
            }
            if (++region < all.nodes) return whole();
            step = COUNTERS;
            {
                std::vector<uint32_t> a;
                for (uint32_t k = 0; k < 32; ++k) a.push_back(COUNT + 4 * k);
                return ask_read(a);
            }
        case COUNTERS:
            for (int k = 0; k < 32; ++k) all.counters[k] += got[k];
            all.read_all[me] = true;
            step = END;
            return;
        default: return;
        }
        step = WORK;
        work(irq);
    }
    void whole() {
        std::vector<uint32_t> a;
        for (uint32_t p = 0; p < std::min<uint64_t>(REGION, all.words); ++p) a.push_back(address(region, p));
        ask_read(a);
    }

    // An edge of the host's clock has passed: `taken` is what the channels did in that cycle.
    void edge(Vlink_boards& top, bool aw_taken, bool w_taken, bool ar_taken, bool b, bool r, uint32_t resp,
        uint32_t data, bool irq) {
        if (aw_taken) awvalid = false;
        if (w_taken) wvalid = false;
        if (ar_taken) arvalid = false;
        if (b || r) {
            if (resp != 0) ++all.refused;
            got.push_back(data);
            ++done;
        }
        if (step != END && done == batch.size()) proceed(irq);
        if (step != END) {
            const std::size_t most = std::min(batch.size(), done + 8);
            if (writes) {
                if (!awvalid && aw < most && random.below(4) != 0) {
                    put(top.awaddr, me, batch[aw++].addr);
                    awvalid = true;
                }
                if (!wvalid && w < most && random.below(4) != 0) {
                    put(top.wdata, me, batch[w++].data);
                    wvalid = true;
                }
            } else if (!arvalid && ar < most && random.below(4) != 0) {
                put(top.araddr, me, batch[ar++].addr);
                arvalid = true;
            }
        }
        // Now and then answers wait, until the board has to.
        if (pause > 0) --pause;
        else if (random.below(300) == 0) pause = 40;
        bready = pause == 0 && random.below(3) != 0;
        rready = pause == 0 && random.below(3) != 0;
        set(top.awvalid, me, awvalid);
        set(top.wvalid, me, wvalid);
        set(top.arvalid, me, arvalid);
        set(top.bready, me, bready);
        set(top.rready, me, rready);
    }
};

int main(int argc, char** argv) {
    if (argc < 7) return 2; // what follows is for $plusargs
    const int nodes = atoi(argv[1]);
    Shared all;
    all.nodes = nodes;
    all.words = strtoull(argv[2], nullptr, 10);
    const uint64_t seed = strtoull(argv[3], nullptr, 10);
    Random random{seed};
    const double ppm = atof(argv[4]);
    const std::string mode = argv[5];
    const char* const token = argv[6];
    const bool errors = mode == "errors", darkness = mode == "dark";

    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vlink_boards top{&context};

    // Edges: of board k, of host k, of the recovered clock k.
    const double nominal = 1e9 / 67.25; // fs
    const double megahertz[4] = {50, 125, 33.3, 67.25};
    int64_t period[4], host_period[4], base[4], when[12];
    const int64_t jitter = 200000;
    uint32_t skew = 0;
    for (int i = 0; i < nodes; ++i) {
        const double off = i == 0 ? ppm : i == 1 ? -ppm : ppm * (double(random.below(2001)) / 1000 - 1);
        period[i] = int64_t(nominal / (1 + off * 1e-6));
        host_period[i] = int64_t(1e9 / megahertz[(i + seed) % 4]) + int64_t(random.below(1000));
        when[i] = period[i] + int64_t(random.below(period[i]));
        when[nodes + i] = int64_t(random.below(host_period[i]));
        skew |= uint32_t(random.below(40)) << (6 * i);
    }
    for (int i = 0; i < nodes; ++i) {
        const int from = (i + nodes - 1) % nodes;
        base[i] = when[from] + 1000000 + int64_t(random.below(period[from] - 2000000));
        when[2 * nodes + i] = base[i];
    }
    top.skew = skew;
    top.rst = 1;
    std::deque<Host> hosts;
    for (int i = 0; i < nodes; ++i) hosts.emplace_back(i, all, seed * 100 + i);

    uint64_t cycles = 0, flips = 0, cuts = 0, bad = 0, broken = 0, overflow = 0, underrun = 0, downs = 0,
             waiting = 0, dark_left = 0, next_fault = 0;
    bool ran = false;
    int last = -1;
    for (;;) {
        const int which = int(std::min_element(when, when + 3 * nodes) - when);
        const int who = which % nodes;
        const uint32_t bit = 1u << who;
        const int kind = which / nodes;
        if (which == last) { // its fall needs an evaluation
            top.clk = top.host_clk = top.rx_clk = 0;
            top.eval();
        }
        last = which;
        top.clk = kind == 0 ? bit : 0;
        top.host_clk = kind == 1 ? bit : 0;
        top.rx_clk = kind == 2 ? bit : 0;
        if (kind == 2) {
            bad += (top.bad & bit) != 0;
            broken += (top.broken & bit) != 0;
            overflow += (top.overflow & bit) != 0;
            top.eval();
            const int from = (who + nodes - 1) % nodes;
            base[who] += period[from];
            when[which] = base[who] + int64_t(random.below(2 * jitter)) - jitter;
            continue;
        }
        if (kind == 1) {
            Host& host = hosts[who];
            const bool aw = host.awvalid && (top.awready & bit), w = host.wvalid && (top.wready & bit),
                       ar = host.arvalid && (top.arready & bit), b = host.bready && (top.bvalid & bit),
                       r = host.rready && (top.rvalid & bit), irq = (top.irq & bit) != 0;
            const uint32_t resp = ((b ? top.bresp : top.rresp) >> (2 * who)) & 3, data = at(top.rdata, who);
            top.eval();
            // In reset accesses wait; before it they would be lost.
            if (cycles > 30) host.edge(top, aw, w, ar, b, r, resp, data, irq);
            when[which] += host_period[who];
            continue;
        }
        underrun += (top.underrun & bit) != 0;
        waiting = std::max<uint64_t>(waiting, (uint64_t(top.waiting) >> (8 * who)) & 0xFF);
        if (who == 0) {
            ++cycles;
            if (cycles == 60) top.rst = 0;
            bool working = true, ended = true;
            for (const Host& host : hosts) {
                working &= host.step >= Host::WORK;
                ended &= host.step == Host::END;
            }
            ran |= working;
            downs += ran && (top.up & ((1u << nodes) - 1)) != (1u << nodes) - 1;
            if (ended || cycles > 300000 + all.words * 400) break; // stuck: the counts say so
            bool writing = false;
            for (int k = 0; k < nodes; ++k) writing |= all.written[k] < all.words;
            if (writing && ran && dark_left == 0 && cycles >= next_fault && (errors || darkness)) {
                next_fault = cycles + 2000 + random.below(8000);
                if (errors) {
                    top.flip = 1u << random.below(nodes);
                    top.at = uint32_t(random.below(40));
                    ++flips;
                } else {
                    top.dark = 1u << random.below(nodes);
                    dark_left = 1 + random.below(3000);
                    next_fault += dark_left + 40000;
                    ++cuts;
                }
            }
            if (dark_left != 0 && --dark_left == 0) top.dark = 0;
        }
        top.eval();
        if (top.flip & (1u << ((who + 1) % nodes))) top.flip = 0; // lasts one word of the line's sender
        when[which] += period[who];
    }
    const auto print = [&](const char* name, uint64_t value) {
        printf("%s %s %llu\n", token, name, static_cast<unsigned long long>(value));
    };
    uint64_t signals = 0, ended = 0;
    for (int k = 0; k < nodes; ++k) {
        signals += all.sent[k];
        ended += all.read_all[k];
    }
    print("cycles", cycles);
    print("ended", ended);
    print("good", sum(top.good, nodes));
    print("missing", sum(top.missing, nodes));
    print("again", sum(top.again, nodes));
    print("wrong", sum(top.wrong, nodes));
    print("close", sum(top.close, nodes));
    print("signals", signals);
    print("mails", all.mails);
    print("wrong_signals", all.wrong_signals);
    print("reads", all.reads);
    print("wrong_reads", all.wrong_reads);
    print("refused", all.refused);
    print("flips", flips);
    print("cuts", cuts);
    print("downs", downs);
    print("bad_words", bad);
    print("broken", broken);
    print("overflow", overflow);
    print("underrun", underrun);
    print("waiting", waiting);
    const char* const names[] = {"passed", "returned_good", "returned_bad", "token_taken", "reserved", "cut",
        "dropped", "delivered", "bad_fcs", "bad_other", "rx_overflow", "data_sent", "signal_sent", "free_sent",
        "tx_error", "token_overflow", "data", "data_again", "data_gap", "data_range", "signal", "signal_again",
        "signal_early", "signal_long", "mail_full", "rewound", "signal_resend", "timeout", "orphan",
        "token_added", "token_removed", "stray"};
    for (int k = 0; k < 32; ++k) print((std::string("count_") + names[k]).c_str(), all.counters[k]);
    top.final();
    return 0;
}
