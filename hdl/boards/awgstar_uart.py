#!/usr/bin/env python3
# SPDX-License-Identifier: MIT OR Apache-2.0
"""Registers and shared memories of the boards of a ring over a serial line (docs/boards.md).

    awgstar_uart.py LINES boards                      # boards that answer, and their state
    awgstar_uart.py LINES read BOARD ADDRESS [WORDS]
    awgstar_uart.py LINES write BOARD ADDRESS VALUE...
    awgstar_uart.py LINES demo [COUNT]                # write, read, signal, barrier, lock
    awgstar_uart.py LINES cable [COUNT]               # the demo, then with a cable pulled out for a while

LINES is a serial device at 1 Mbit/s, such as /dev/ttyUSB0, several with commas between, such as
/dev/ttyUSB0,/dev/ttyUSB1, or a program that prints such names, as the simulations that `make sim` and
`make sim-link` build. Boards are numbered from 0 over all lines. Numbers may be hexadecimal (0x...). Python 3.9,
no packages.
Exit code: 0 as expected, 1 a result is wrong or the board does not answer, 2 wrong use.
"""

import os
import select
import subprocess
import sys
import termios
import time

WINDOW = 0x8000_0000
ID, VERSION, CONTROL, STATUS = 0x000, 0x004, 0x008, 0x00C
NODE_ID, TOKENS, TIMEOUT, COMBINE, PERIOD, FLUSH = 0x018, 0x020, 0x024, 0x028, 0x02C, 0x030
SIGNAL_SEND, FRAMES, MAIL_COUNT, MAIL_POP, MEM_SIZE = 0x040, 0x044, 0x048, 0x04C, 0x050
SIGNAL_DATA, MAIL_DATA = 0x080, 0x0C0
STALLED = 0x04  # of STATUS
RESET_ID = 0x4157_4753
BROADCAST = 0b101
ORDER_NONE, ORDER_SENT, ORDER_CONFIRMED = 0, 1, 2
LOCK_QUEUE_REQUEST, LOCK_QUEUE_PASS, BARRIER_RING_ARRIVAL = 0b00100, 0b00101, 0b00110

RESULTS = {
    0x02: "SLVERR: no such address, or a value that the register does not take",
    0x03: "DECERR",
    0x80: "the request arrived with an error",
    0x81: "no such operation",
    0x82: "no such board",
}


class BoardError(Exception):
    """A board refused an access, or did not answer."""


def crc8(data):
    """8-bit CRC of bytes: polynomial x^8 + x^2 + x + 1, start value FF."""
    crc = 0xFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ (0x07 if crc & 0x80 else 0)) & 0xFF
    return crc


class Line:
    """A serial line with boards on it. `timeout` in seconds."""

    def __init__(self, name, timeout=5.0):
        self.name, self.timeout = name, timeout
        self.file = os.open(name, os.O_RDWR | os.O_NOCTTY)
        settings = termios.tcgetattr(self.file)
        settings[0] = settings[1] = settings[3] = 0
        settings[2] = termios.CS8 | termios.CREAD | termios.CLOCAL
        settings[4] = settings[5] = termios.B1000000
        settings[6][termios.VMIN], settings[6][termios.VTIME] = 0, 0
        termios.tcsetattr(self.file, termios.TCSANOW, settings)
        self._meet()

    def _meet(self):
        """Waits until a board answers: a board that starts loses the first bytes, and another program may have
        ended within a request, which a silence ends."""
        timeout, self.timeout = self.timeout, 0.2
        for attempt in range(int(5 * timeout)):
            termios.tcflush(self.file, termios.TCIOFLUSH)
            try:
                self.access("R", 0, ID)
                break
            except BoardError:
                time.sleep(0.01)
        self.timeout = timeout

    def close(self):
        os.close(self.file)

    def exchange(self, request):
        """Bytes of a reply to the bytes of a request."""
        os.write(self.file, request)
        reply, end = b"", time.monotonic() + self.timeout
        while len(reply) < 7:
            ready, _, _ = select.select([self.file], [], [], max(0.0, end - time.monotonic()))
            if not ready:
                raise BoardError(f"no answer in {self.timeout} s ({len(reply)} of 7 bytes)")
            part = os.read(self.file, 7 - len(reply))
            if not part:
                raise BoardError(f"{self.name} has ended")
            reply += part
        if crc8(reply[:6]) != reply[6]:
            raise BoardError(f"reply {reply.hex()} has a wrong CRC")
        return reply

    def access(self, operation, board, address, value=0, strobes=15):
        """Value read and interrupts, a bit for each board."""
        head = bytes([ord(operation), board]) + address.to_bytes(4, "little")
        head += value.to_bytes(4, "little") + bytes([strobes])
        reply = self.exchange(head + bytes([crc8(head)]))
        if reply[0]:
            what = RESULTS.get(reply[0], f"result {reply[0]:#04x}")
            raise BoardError(f"{self.name}: board {board}, {operation} of {address:#010x}: {what}")
        return int.from_bytes(reply[1:5], "little"), reply[5]


class Lines:
    """The serial lines of a ring. `names`: devices with commas between, or a program that prints such."""

    def __init__(self, names):
        self.program, self.lines = None, []
        if os.access(names, os.X_OK) and os.path.isfile(names):
            self.program = subprocess.Popen([names], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            names = self.program.stdout.readline().decode().strip()
        try:
            for name in names.split(","):
                self.lines.append(Line(name))
        except (OSError, termios.error):
            self.close()
            raise

    def close(self):
        for line in self.lines:
            line.close()
        if self.program:
            self.program.stdin.close()
            self.program.wait()

    def boards(self):
        """All boards, numbered over all lines."""
        places = [(line, place) for line in self.lines for place in range(count(line))]
        return [Board(line, number, place) for number, (line, place) in enumerate(places)]

    def board(self, number):
        """Board `number`; whether there is one shows when it is accessed."""
        place = number
        for line in self.lines[:-1]:
            here = count(line)
            if place < here:
                return Board(line, number, place)
            place -= here
        return Board(self.lines[-1], number, place)

    def plug(self, wires, inside):
        """Plugs wires of the cables in or pulls them out: "all", "clock", "light" or "data"."""
        if self.program:
            self.program.stdin.write(f"{'in' if inside else 'out'} {wires}\n".encode())
            self.program.stdin.flush()
        else:
            input(f"{'plug in' if inside else 'pull out'} the cable, {wires} wires, and press Enter: ")


class Board:
    """A board on a line: its registers, its replica of the shared memory (byte addresses from 0), its signals.
    `number` on the ring, `place` on the line."""

    def __init__(self, line, number, place=None):
        self.line, self.number = line, number
        self.place = number if place is None else place

    def read(self, address):
        return self.line.access("R", self.place, address)[0]

    def write(self, address, value, strobes=15):
        self.line.access("W", self.place, address, value, strobes)

    def load(self, address):
        return self.read(WINDOW + address)

    def store(self, address, value):
        self.write(WINDOW + address, value)

    def set_up(self, timeout=2000, period=4000, tokens=1):
        """Starts the board with its number as Node_ID; `timeout` and `period` in cycles."""
        for register, value in [
            (NODE_ID, self.number), (TOKENS, tokens), (TIMEOUT, timeout), (PERIOD, period), (CONTROL, 1)
        ]:
            self.write(register, value)

    def wait_until_synced(self, seconds=30.0):
        end = time.monotonic() + seconds
        while not self.read(STATUS) & 1:
            if time.monotonic() > end:
                raise BoardError(f"board {self.number} is not synced after {seconds} s")

    def signal(self, c_st, node_id, order, tag, lock=0, epoch=0):
        """Broadcasts a signal of a lock or a barrier."""
        data = bytes(2) + tag.to_bytes(2, "big") + lock.to_bytes(4, "big") + epoch.to_bytes(2, "big")
        data += bytes(2)
        for word in range(3):
            value = int.from_bytes(data[4 * word : 4 * word + 4], "little")
            self.write(SIGNAL_DATA + 4 * word, value)
        send = BROADCAST | c_st << 3 | node_id << 8 | 10 << 20 | order << 26
        self.write(SIGNAL_SEND, send)

    def receive(self):
        """The oldest signal in the mailbox as (C.ST, source, Node_ID, tag, lock, epoch), or None."""
        if self.read(MAIL_COUNT) == 0:
            return None
        word = [self.read(MAIL_DATA + 4 * i) for i in (0, 2, 4, 5, 6)]
        self.write(MAIL_POP, 1)
        data = b"".join(w.to_bytes(4, "little") for w in word[2:])
        big = lambda at, n: int.from_bytes(data[at : at + n], "big")
        c_st, node_id, source = word[0] >> 24 & 31, word[0] >> 16 & 255, word[1] >> 16 & 255
        return c_st, source, node_id, big(2, 2), big(4, 4), big(8, 2)


def newer(a, b):
    """Number a was given after b, modulo 65,536."""
    return a != b and (a - b) % 65536 < 0x8000


class Barrier:
    """The ring barrier of docs/protocols-barrier.md on one board."""

    def __init__(self, board, members):
        self.board, self.members = board, set(members)
        self.episode, self.waiting, self.heard = 0, False, set()

    def arrive(self):
        self.waiting = True
        self._call(self.board.number)
        self._count(self.board.number)

    def again(self):
        """A timer runs out."""
        if self.waiting:
            self._call(min(self.members - self.heard))

    def take(self, source, node_id, tag):
        if tag == (self.episode + 1) % 65536:
            self._pass()
        same = tag == self.episode
        if node_id == self.board.number and (self.waiting or not same):
            self._call(self.board.number)
        if same:
            self._count(source)

    def _call(self, asked):
        tag = self.episode if self.waiting else (self.episode - 1) % 65536
        self.board.signal(BARRIER_RING_ARRIVAL, asked, ORDER_CONFIRMED, tag)

    def _count(self, node):
        self.heard.add(node)
        if self.heard >= self.members:
            self._pass()

    def _pass(self):
        if self.waiting:
            self.waiting, self.heard = False, set()
            self.episode = (self.episode + 1) % 65536


class Lock:
    """The ring queue lock of docs/protocols-lock.md on one board."""

    def __init__(self, board, number, first):
        self.board, self.number = board, number
        self.state, self.here = "idle", board.number == first
        self.tag = self.epoch = 0
        self.waiting, self.latest, self.given = [], {}, None

    @property
    def inside(self):
        return self.state == "inside"

    def acquire(self):
        if self.here:
            self.state = "inside"
        else:
            self.state, self.tag = "asking", (self.tag + 1) % 65536
            self._request()

    def release(self):
        self.state = "idle"
        self._serve()

    def again(self):
        """A timer runs out."""
        if self.state == "asking":
            self._request()

    def requested(self, node, tag):
        if not self._learn(node, tag):
            self._give()
            return
        self.waiting = [w for w in self.waiting if w[0] != node] + [(node, tag)]
        if self.here and self.state == "idle":
            self._serve()

    def passed(self, node, tag, epoch):
        self._learn(node, tag)
        self.waiting = [w for w in self.waiting if w[0] != node or newer(w[1], tag)]
        if not newer(epoch, self.epoch):
            return
        self.epoch, self.given = epoch, None
        if node == self.board.number:
            self.here = True
            if tag == self.tag and self.state == "asking":
                self.state = "inside"
            else:
                self._serve()

    def _learn(self, node, tag):
        new = node not in self.latest or newer(tag, self.latest[node])
        if new:
            self.latest[node] = tag
        return new

    def _request(self):
        self.board.signal(LOCK_QUEUE_REQUEST, self.board.number, ORDER_NONE, self.tag, self.number)

    def _serve(self):
        if self.waiting:
            self.given = self.waiting.pop(0)
            self.here, self.epoch = False, (self.epoch + 1) % 65536
            self._give()
        elif self.state == "asking":
            self.state = "inside"

    def _give(self):
        if self.given:
            node, tag = self.given
            self.board.signal(LOCK_QUEUE_PASS, node, ORDER_CONFIRMED, tag, self.number, self.epoch)


class Node:
    """A board with one barrier and one lock, and the program that runs on it: a generator that yields while it
    waits."""

    def __init__(self, board, members, program):
        self.barrier, self.lock = Barrier(board, members), Lock(board, 0, min(members))
        self.board = board
        self.start(program)

    def start(self, program):
        self.program = program(self)
        self.done, self.idle = False, 0

    def step(self):
        mail = self.board.receive()
        if mail:
            c_st, source, node_id, tag, _, epoch = mail
            if c_st == BARRIER_RING_ARRIVAL:
                self.barrier.take(source, node_id, tag)
            elif c_st == LOCK_QUEUE_REQUEST:
                self.lock.requested(node_id, tag)
            elif c_st == LOCK_QUEUE_PASS:
                self.lock.passed(node_id, tag, epoch)
        self.idle = 0 if mail else self.idle + 1
        if self.idle == 200:
            self.idle = 0
            self.barrier.again()
            self.lock.again()
        if not self.done:
            self.done = next(self.program, "end") == "end"


def run(nodes, seconds=600.0):
    """Runs the programs of all nodes to their ends."""
    end = time.monotonic() + seconds
    while not all(node.done for node in nodes):
        if time.monotonic() > end:
            raise BoardError(f"the programs have not ended after {seconds} s")
        for node in nodes:
            node.step()


def count(line):
    """How many boards are on a line."""
    for place in range(8):
        try:
            found = line.access("R", place, ID)[0]
        except BoardError as error:
            if RESULTS[0x82] in str(error):
                return place
            raise
        if found != RESET_ID:
            raise BoardError(f"{line.name}: board {place}: ID is {found:#010x} instead of {RESET_ID:#010x}")
    return 8


def wait_for(what, true, seconds=30.0):
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise BoardError(f"{what}: not after {seconds} s")


def check(what, found, expected):
    if found != expected:
        raise BoardError(f"{what}: {found}, expected {expected}")
    print(f"{what}: {found}")


def start(boards):
    """Starts all boards of a ring."""
    if len(boards) < 2:
        raise BoardError(f"boards: {len(boards)}, expected 2 or more")
    print(f"boards: {len(boards)}")
    for board in boards:
        board.set_up()
    for board in boards:
        board.wait_until_synced()


def write_and_read(boards, values):
    """Written on the first board, read on the last."""
    for address, value in values:
        boards[0].store(address, value)
        boards[0].write(FLUSH, 1)
        wait_for_word(boards[-1], address, value)


def wait_for_word(board, address, value):
    end = time.monotonic() + 5.0
    while board.load(address) != value and time.monotonic() < end:
        pass
    check(f"word {address:#x} on board {board.number}", board.load(address), value)


def share(boards, nodes, rounds):
    """Every board counts in turns, after a barrier; `nodes`: locks and barriers of a run before, or None."""
    order, members = [], [board.number for board in boards]
    before = nodes[0].barrier.episode if nodes else 0

    def program(node):
        board, barrier, lock = node.board, node.barrier, node.lock
        for episode in range(before + 1, before + rounds + 1):
            # Nobody passes before all have written.
            board.store(0x100 + 4 * board.number, episode)
            barrier.arrive()
            while barrier.waiting:
                yield
            cells = [board.load(0x100 + 4 * other) for other in members]
            if any(cell < episode for cell in cells):
                raise BoardError(f"board {board.number} passed episode {episode} with {cells}")
            # A counter that two at a time would get wrong.
            lock.acquire()
            while not lock.inside:
                yield
            value = board.load(0x200)
            yield
            board.store(0x200, value + 1)
            order.append(board.number)
            lock.release()
        barrier.arrive()
        while barrier.waiting:
            yield

    first = boards[0].load(0x200) if nodes else 0
    if nodes:
        for node in nodes:
            node.start(program)
    else:
        boards[0].store(0x200, first)
        nodes = [Node(board, members, program) for board in boards]
    run(nodes)
    for board in boards:
        check(f"counter on board {board.number}", board.load(0x200), first + rounds * len(boards))
    for node in nodes:
        check(f"episodes of board {node.board.number}", node.barrier.episode, before + rounds + 1)
    check("times that the lock was held", len(order), rounds * len(boards))
    print("holders of the lock:", " ".join(map(str, order)))
    return nodes


def demo(lines, rounds):
    boards = lines.boards()
    start(boards)
    write_and_read(boards, [(0, 0x1234_5678), (boards[0].read(MEM_SIZE) - 4, 0xCAFE_F00D)])
    share(boards, None, rounds)
    print("the demo passes")


def cable(lines, rounds):
    """The demo on boards whose ring goes through a cable, and again after it was out. Nothing that was written
    meanwhile is lost."""
    boards = lines.boards()
    start(boards)
    write_and_read(boards, [(0, 0x1234_5678), (boards[0].read(MEM_SIZE) - 4, 0xCAFE_F00D)])
    nodes = share(boards, None, rounds)
    # A program can pull single wires, and so shows that each of them alone makes a cut.
    for turn, wires in enumerate(["all", "clock", "light", "data"] if lines.program else ["all"], 1):
        old = boards[-1].load(0x300)
        lines.plug(wires, False)
        # All boards write until they find that none of their frames returns.
        for board in boards:
            def cut():
                board.store(0x310 + 4 * board.number, turn)
                return board.read(STATUS) & STALLED
            wait_for(f"{wires} out: board {board.number} sees the cut", cut)
        boards[0].store(0x300, turn)
        boards[0].write(FLUSH, 1)
        check(f"{wires} out: word 0x300 on board {boards[-1].number}", boards[-1].load(0x300), old)
        lines.plug(wires, True)
        for board in boards:
            wait_for(f"{wires} in: board {board.number} sees no cut", lambda: not board.read(STATUS) & STALLED)
        # Nothing is lost.
        for board in boards:
            for address in [0x300] + [0x310 + 4 * other.number for other in boards]:
                wait_for(
                    f"{wires} in: word {address:#x} on board {board.number}",
                    lambda: board.load(address) == turn,
                )
        print(f"{wires} in: all boards have what was written")
        nodes = share(boards, nodes, rounds)
    print("the demo with the cable passes")


def main(arguments):
    number = lambda text: int(text, 0)
    try:
        name, command, *rest = arguments
        numbers = [number(text) for text in rest]
        low, high = {
            "boards": (0, 0), "read": (2, 3), "write": (3, 9999), "demo": (0, 1), "cable": (0, 1)
        }[command]
        if not low <= len(numbers) <= high:
            raise ValueError
    except (ValueError, KeyError):
        print(__doc__.strip(), file=sys.stderr)
        return 2
    try:
        lines = Lines(name)
    except (OSError, termios.error) as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    try:
        if command == "boards":
            for board in lines.boards():
                print(f"board {board.number}: STATUS {board.read(STATUS):08x}, {board.read(MEM_SIZE)} bytes")
        elif command == "read":
            board = lines.board(numbers[0])
            for word in range(numbers[2] if len(numbers) > 2 else 1):
                address = numbers[1] + 4 * word
                print(f"{address:08x}: {board.read(address):08x}")
        elif command == "write":
            board = lines.board(numbers[0])
            for word, value in enumerate(numbers[2:]):
                board.write(numbers[1] + 4 * word, value)
        else:
            {"demo": demo, "cable": cable}[command](lines, numbers[0] if numbers else 5)
    except BoardError as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        lines.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
