# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages of runs in headless Chromium: test.py CHROMIUM AWGSTAR FOLDER. Called by test.sh."""

import json
import pathlib
import re
import subprocess
import sys
import time

from playwright.sync_api import sync_playwright

CHROMIUM, AWGSTAR, OUT = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
SCENARIOS = pathlib.Path("docs/scenarios")

# 256 nodes, more than 100,000 frames on links.
BIG = """
title = "256 nodes that send at random"
system = "node-ring"
nodes = 256
cycles = 30000
tokens = 40
fibre_m = 10
[[random]]
from = 100
until = 29000
every = 2000
signals = 0.3
bytes_max = 64
"""

# Every text of a user tries to leave its place.
EVIL = "</script><script>document.title='evil'</script><img src=x onerror=\"document.title='evil'\"><!--"
HOSTILE = f"""
title = '''{EVIL}'''
system = "board-ring"
nodes = 2
cycles = 20000
[[program]]
nodes = 1
do = [{{ write = 0x100, text = '''{EVIL}''' }}]
"""


def page_of(scenario, *options):
    """Runs a scenario; returns the path of its page and its data."""
    path = OUT / (pathlib.Path(scenario).stem + ".html")
    subprocess.run([AWGSTAR, "sim", str(scenario), "--html", str(path), *options], check=True,
                   stdout=subprocess.DEVNULL)
    text = path.read_text()
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return path, json.loads(found.group(1))


def check(what, found, expected):
    """Ends the test unless both are the same."""
    if found != expected:
        sys.exit(f"{what}: found {found!r}, expected {expected!r}")


def frames(data):
    """The frames of a page, as dictionaries: the decoder of this test."""
    f, first, all_frames = data["frames"], 0, []
    for i, link in enumerate(f["link"]):
        first += f["first"][i]
        row = f["contents"][f["content"][i]]
        kind = f["kinds"][f["how"][i] & 15]["name"]
        all_frames.append({"link": link, "first": first, "kind": kind, "sent": f["how"][i] >> 7 & 1,
                           "through": f["through"][i], **dict(zip(f["fields"], row[0])), "bytes": row[1],
                           "valid": row[2], "data": row[3]})
    return all_frames


class Browser:
    """A page that fails on a request or a message."""

    def __init__(self, browser, width, height, **options):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page = self.context.new_page()
        self.bad = []
        self.page.on("console", lambda message: self.bad.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.bad.append(f"error: {error}"))
        self.page.on("request", lambda request: self.bad.append(f"request: {request.url}")
                     if not request.url.startswith("file://" + str(OUT)) else None)

    def open(self, path):
        begin = time.monotonic()
        self.page.goto(f"file://{path.resolve()}")
        self.page.wait_for_function("Number(document.getElementById('view').dataset.painted) > 0")
        return time.monotonic() - begin

    def run(self, script):
        return self.page.evaluate(script)

    def text(self, name):
        return self.page.inner_text(name)

    def search(self, words):
        self.page.fill("#search", words)
        self.page.wait_for_timeout(250)
        return self.run("awgstarPage.hits()")

    def pixels(self):
        """Number of colours of the picture, looked at in a grid: an empty picture has one or two."""
        return self.run("""(() => { const c = document.getElementById('view'), g = c.getContext('2d'), seen = new Set();
            const d = g.getImageData(0, 0, c.width, c.height).data;
            for (let i = 0; i < d.length; i += 4 * 37) seen.add(d[i] << 16 | d[i + 1] << 8 | d[i + 2]);
            return seen.size; })()""")

    def close(self, what):
        self.page.screenshot(path=OUT / f"{what}.png")
        check(f"{what}: messages and requests", self.bad, [])
        self.context.close()


def what_is_clicked(browser, path, data):
    """Search finds, filter hides, hover and click show the right frame and its registers."""
    b = Browser(browser, 1280, 800)
    b.open(path)
    all_frames = frames(data)
    check("frames", b.run("awgstarPage.frames"), len(all_frames))
    # Search: a frame is found where it was sent.
    begins = [f for f in all_frames if f["sent"] or not f["through"]]
    for words, wanted in [
        ("data", lambda f: f["kind"] == "data token"),
        ("addr:0x102", lambda f: f["kind"] == "data token" and f["addr"] <= 0x102 < f["addr"] + f["valid"]),
        ("from:3", lambda f: f["mac"] % 256 == 3),
        ("node:1 point", lambda f: f["kind"] == "point-to-point" and 1 in (f["mac"] % 256, f["node_id"])),
        ("signal:1", lambda f: f["kind"] not in ("data token", "free token") and f["c_st"] == 1),
        ("0011aabb", lambda f: f["data"].startswith("0011aabb")),
    ]:
        expected = sum(map(wanted, begins))
        if not expected:
            sys.exit(f"search {words}: nothing to find")
        check(f"search {words}", b.search(words), expected)
    check("search for what is not there", (b.search("addr:0x999999"), b.text("#found")), (0, "nothing found"))
    # The next hit is selected: its fields are in the panel.
    b.search("addr:0x100")
    b.page.press("#search", "Enter")
    panel = b.text("#chosen")
    for word in ("data token", "0x100", "00 11 aa bb", "02:53:4d:42:00:01 (node 1)", "u_egress.state_q"):
        if word not in panel:
            sys.exit(f"panel after a search: no {word} in {panel}")
    b.search("")
    # A click on each of some frames shows that frame, and a pointer above it too.
    for i in list(range(0, len(all_frames), 7))[:12]:
        frame = all_frames[i]
        x, y = b.run(f"awgstarPage.point({i})")
        b.page.wait_for_timeout(40)
        b.page.mouse.move(x, y)
        tip = b.text("#tip")
        b.page.mouse.click(x, y)
        panel = b.text("#chosen")
        for shown in (tip, panel):
            for word in (frame["kind"], f"cycle {frame['first']} ", f"{frame['bytes']}, {frame['valid']} valid",
                         f"node {frame['link']} \u2192 node {(frame['link'] + 1) % 4}", "u_ingress.state_q"):
                if word not in shown:
                    sys.exit(f"frame {i}: no {word} in {shown}")
        b.page.mouse.move(5, 5)
    # Registers of a node at some cycles.
    names, changes = data["registers"]["names"], data["registers"]["changes"][1]
    for cycle in (0, 115, 124, 300, 600):
        now, values = 0, {}
        for step, register, value in zip(*[iter(changes)] * 3):
            now += step
            if now <= cycle:
                values[names[register]] = value
        shown = {name: int(re.search(r"\d+(?=\)?$)", text).group()) for name, text in
                 b.run(f"awgstarPage.registers(1, {cycle})")}
        check(f"registers at cycle {cycle}", shown, values)
    # Filters.
    b.page.click("#filter")
    b.page.uncheck("[data-kind='free token']")
    rest = [f for f in all_frames if f["kind"] != "free token"]
    check("without free tokens", b.run("awgstarPage.shown()"), len(rest))
    b.page.fill("#sentby", "2-3")
    check("sent by 2 and 3", b.run("awgstarPage.shown()"), sum(f["mac"] % 256 in (2, 3) for f in rest))
    b.page.fill("#sentby", "")
    b.page.check("#onlybad")
    check("bad", b.run("awgstarPage.shown()"), 2)
    b.page.uncheck("#onlybad")
    b.page.fill("#columns", "1,2")
    check("columns 1 and 2", b.run("awgstarPage.shown()"), sum(f["link"] in (1, 2) for f in rest))
    b.page.fill("#columns", "")
    # Zoom, keys and the viewers' commands.
    b.page.click("#view", position={"x": 300, "y": 200})
    before = b.run("awgstarPage.view().scale")
    b.page.mouse.wheel(0, -300)
    b.page.wait_for_timeout(100)
    closer = b.run("awgstarPage.view().scale")
    b.page.keyboard.press("0")
    if not before < closer > b.run("awgstarPage.view().scale"):
        sys.exit(f"zoom: {before}, {closer}")
    b.page.click("#viewers summary")
    commands = b.text("#moment")
    cycle = int(re.search(r"cycle (\d+)", commands).group(1))
    for word in (f"{cycle * 14868} ps", "awgstar sim docs/scenarios/first.toml --vcd first.vcd --window",
                 "first.gtkw > moment.gtkw && gtkwave moment.gtkw", f"cursor_set {cycle * 14868}"):
        if word not in commands:
            sys.exit(f"viewers: no {word} in {commands}")
    # The command for GTKWave makes a save file with its marker there.
    subprocess.run([AWGSTAR, "sim", "docs/scenarios/first.toml", "--vcd", str(OUT / "first.vcd")], check=True,
                   stdout=subprocess.DEVNULL)
    sed = next(line for line in commands.splitlines() if line.startswith("sed ")).split(" && ")[0]
    subprocess.run(["sh", "-c", sed], cwd=OUT, check=True)
    lines = (OUT / "moment.gtkw").read_text().splitlines()
    check("marker", [line for line in lines if line.startswith("*-")], [f"*-18.0 {cycle * 14868}"])
    b.close("first")


def hostile(browser):
    """No text of a user runs, and each is there as it is."""
    file = OUT / "hostile <img src=x>.toml"
    file.write_text(HOSTILE)
    path, _ = page_of(file)
    b = Browser(browser, 1280, 800)
    b.open(path)
    check("title", (b.page.title(), b.text("#title")), (EVIL, re.sub(r"\s+", " ", EVIL)))
    b.page.click("#viewers summary")
    if "<img src=x>" not in b.text("#moment"):
        sys.exit(f"name of the file: {b.text('#moment')}")
    check("elements", b.run("[document.scripts.length, document.images.length]"), [2, 0])
    # What gets in all the same does not run.
    b.run("document.body.append(Object.assign(document.createElement('script'), {textContent: 'document.title = 1'}))")
    check("title after a script that was put in", b.page.title(), EVIL)
    check("the policy speaks", [m for m in b.bad if "Content Security Policy" not in m], [])
    check("how often", len(b.bad), 1)
    b.bad.clear()
    b.close("hostile")


def resident(process):
    """Most memory of a process so far, in MB."""
    status = pathlib.Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status).group(1)) / 1e3


def big(browser):
    """256 nodes and 100,000 frames: time and memory."""
    (OUT / "big.toml").write_text(BIG)
    path, data = page_of(OUT / "big.toml")
    check("frames in the page", len(data["frames"]["link"]), 100_000)
    check("columns", len(data["nodes"]), 256)
    b = Browser(browser, 1280, 800)
    session = b.context.new_cdp_session(b.page)
    load = b.open(path)
    heap = session.send("Runtime.getHeapUsage")["usedSize"] / 1e6
    processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
    memory = max(resident(one["id"]) for one in processes if one["type"] == "renderer")
    fit = b.run("""new Promise(done => { awgstarPage.fit(); const begin = performance.now();
        requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - begin))); })""")
    colours = b.pixels()
    begin = time.monotonic()
    hits = b.search("data from:22")
    search = time.monotonic() - begin - .25
    expected = sum(f["kind"] == "data token" and f["mac"] % 256 == 22 and (f["sent"] or not f["through"])
                   for f in frames(data))
    check("search", hits, expected)
    print(f"256 nodes, 100,000 frames: {path.stat().st_size / 1e6:.1f} MB, loaded in {load:.2f} s, "
          f"process {memory:.0f} MB at most, of it {heap:.0f} MB heap of the script, "
          f"all drawn in {fit:.0f} ms, search {search * 1e3:.0f} ms")
    if load > 10 or memory > 500 or fit > 3000 or colours < 20 or not hits:
        sys.exit(f"too slow, too much or nothing: {load} s, {memory} MB, {fit} ms, {colours} colours, {hits} hits")
    b.close("big")


def phone(browser, path):
    """Fits the width, a tap selects, two fingers zoom."""
    for scheme in ("light", "dark"):
        b = Browser(browser, 390, 844, device_scale_factor=2, has_touch=True, is_mobile=True, color_scheme=scheme)
        b.open(path)
        check("width", b.run("document.documentElement.scrollWidth"), 390)
        x, y = b.run("awgstarPage.point(20)")
        b.page.wait_for_timeout(60)
        b.page.touchscreen.tap(x, y)
        if "first word" not in b.text("#chosen"):
            sys.exit(f"tap: {b.text('#chosen')}")
        before = b.run("awgstarPage.view().scale")
        session = b.context.new_cdp_session(b.page)
        touch = lambda kind, apart: session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [
            {"x": 200, "y": 330 - apart, "id": 0}, {"x": 205, "y": 330 + apart, "id": 1}] if apart else []})
        touch("touchStart", 20)
        for apart in (25, 35, 45, 60):
            touch("touchMove", apart)
        touch("touchEnd", 0)
        b.page.wait_for_timeout(80)
        if not b.run("awgstarPage.view().scale") > 1.5 * before:
            sys.exit("pinch does not zoom")
        b.close(f"phone-{scheme}")


def main():
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        path, data = page_of(SCENARIOS / "first.toml")
        what_is_clicked(browser, path, data)
        phone(browser, path)
        hostile(browser)
        big(browser)
        for name in ("frames", "lock", "generation1_train", "paging", "mandelbrot", "bypass"):
            path, _ = page_of(SCENARIOS / f"{name}.toml")
            b = Browser(browser, 1280, 800, color_scheme="dark")
            b.open(path)
            if b.pixels() < 5:
                sys.exit(f"{name}: nothing is drawn")
            b.close(name)
        browser.close()
    print(f"pages in Chromium: good; pictures in {OUT}")


main()
