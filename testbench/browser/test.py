# SPDX-License-Identifier: MIT OR Apache-2.0
"""Pages of runs, of studies and of the conformance suite in headless Chromium: test.py CHROMIUM AWGSTAR FOLDER.

Called by test.sh.
"""

import json
import os
import pathlib
import re
import shutil
import statistics
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


# Texts of a page with less contrast to what they are on.
CONTRAST = """(() => {
    const channels = colour => colour.match(/[\\d.]+/g).map(Number);
    const light = colour => channels(colour).slice(0, 3).map(c => c / 255)
        .map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [.2126, .7152, .0722][i], 0);
    const under = e => {
        for (; e; e = e.parentElement) {
            const colour = getComputedStyle(e).backgroundColor;
            if ((channels(colour)[3] ?? 1) > 0) return colour;
        }
        return getComputedStyle(document.body).backgroundColor;
    };
    const low = new Set();
    for (const e of document.querySelectorAll('h1, h2, h3, p, pre, td, th button, summary')) {
        if (!e.textContent.trim()) continue;
        const [a, b] = [light(getComputedStyle(e).color), light(under(e))];
        if ((Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5) low.add(e.tagName + ' ' + e.className);
    }
    return [...low];
})()"""


class Browser:
    """A page that fails on a request or a message."""

    def __init__(self, browser, width, height, **options):
        self.context = browser.new_context(viewport={"width": width, "height": height}, **options)
        self.page = self.context.new_page()
        self.bad = []
        self.page.on("console", lambda message: self.bad.append(f"console: {message.text}"))
        self.page.on("pageerror", lambda error: self.bad.append(f"error: {error}"))
        self.page.on("request", lambda request: self.bad.append(f"request: {request.url}")
                     if not request.url.startswith(OUT.resolve().as_uri()) else None)

    def open(self, path):
        """Opens the page of a run; returns the time until it is drawn."""
        begin = time.monotonic()
        self.page.goto(path.resolve().as_uri())
        self.page.wait_for_function("Number(document.getElementById('view').dataset.painted) > 0")
        return time.monotonic() - begin

    def read(self, path):
        """Opens a page of text and tables."""
        self.page.goto(path.resolve().as_uri())

    def rows(self, table):
        """Cells of the rows of a table that are shown."""
        return self.run(f"""[...document.querySelectorAll('table.rows')[{table}].tBodies[0].rows]
            .filter(row => !row.hidden).map(row => [...row.cells].map(cell => cell.textContent))""")

    def is_legible(self, what):
        """Nothing is wider than the window, and every text has a contrast of 4.5 (WCAG 2.1, AA)."""
        check(f"{what}: width", self.run("document.documentElement.scrollWidth"), self.page.viewport_size["width"])
        check(f"{what}: contrast", self.run(CONTRAST), [])

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

    def coloured(self):
        """Share of the picture that has a colour: paper, lines, nodes and texts are grey."""
        return self.run("""(() => { const c = document.getElementById('view'), g = c.getContext('2d');
            const d = g.getImageData(0, 0, c.width, c.height).data;
            let found = 0;
            for (let i = 0; i < d.length; i += 4)
                found += Math.max(d[i], d[i + 1], d[i + 2]) - Math.min(d[i], d[i + 1], d[i + 2]) > 24;
            return found * 4 / d.length; })()""")

    def is_dark(self, dark):
        """The page follows the scheme that the reader has chosen, and so does each plot."""
        paper = self.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
        check(f"dark paper {paper}", max(paper) < 64, dark)
        plots = self.run("[...document.querySelectorAll('svg')].map(plot => getComputedStyle(plot).filter !== 'none')")
        check("dark plots", set(plots), {dark} if plots else set())

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


# Time of each redraw while the wheel zooms from all of a run to single words, and of each move of the pointer.
TIMES = """(() => {
    const view = document.getElementById('view'), g = view.getContext('2d'), out = {zoom: [], hover: [], tips: 0};
    const box = view.getBoundingClientRect(), tip = document.getElementById('tip');
    const timed = action => { const begin = performance.now(); action(); return performance.now() - begin; };
    awgstarPage.fit();
    let last = 0;
    while (awgstarPage.view().scale !== last) {
        last = awgstarPage.view().scale;
        // Into the part that has frames.
        const at = {clientX: box.left + box.width / 2, clientY: box.top + box.height * .15};
        // The picture is drawn when a pixel of it is asked for.
        out.zoom.push(timed(() => { awgstarPage.paint(); g.getImageData(0, 0, 1, 1); }));
        for (let i = 1; i < 40; i++) {
            const move = {pointerType: 'mouse', clientX: box.left + 80 + i * (box.width - 100) / 40,
                clientY: box.top + 40 + i * 37 % (box.height - 60)};
            out.hover.push(timed(() => { view.dispatchEvent(new PointerEvent('pointermove', move)); tip.offsetHeight; }));
            out.tips += !tip.hidden;
        }
        view.dispatchEvent(new WheelEvent('wheel', {...at, deltaY: -120, cancelable: true}));
    }
    return out;
})()"""


def processor_time(process):
    """Processor time of a process so far, in ms."""
    fields = pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 1000 / os.sysconf("SC_CLK_TCK")


def redraw(b, processes, wheel):
    """Processor time of a redraw in ms, after so many steps of the wheel from the whole run on."""
    b.run(f"""(() => {{ const view = document.getElementById('view'), box = view.getBoundingClientRect();
        awgstarPage.fit();
        for (let i = 0; i < {wheel}; i++) view.dispatchEvent(new WheelEvent('wheel', {{clientX: box.left + box.width / 2,
            clientY: box.top + box.height * .15, deltaY: -120, cancelable: true}})); }})()""")
    before = sum(map(processor_time, processes))
    b.run("""(() => { const g = document.getElementById('view').getContext('2d');
        for (let i = 0; i < 20; i++) { awgstarPage.paint(); g.getImageData(0, 0, 1, 1); } })()""")
    return (sum(map(processor_time, processes)) - before) / 20


def big(browser):
    """256 nodes and 100,000 frames: time and memory."""
    (OUT / "big.toml").write_text(BIG)
    begin = time.monotonic()
    path, data = page_of(OUT / "big.toml")
    made = time.monotonic() - begin
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
    # All of it: cells of many frames, with a sentence that says so.
    check("says what cells are", "each cell is" in b.text("#dense"), True)
    if not .1 < b.coloured() < .95:
        sys.exit(f"all of 256 nodes: {b.coloured():.3f} of the picture has a colour")
    b.page.screenshot(path=OUT / "big-all.png")
    begin = time.monotonic()
    hits = b.search("data from:22")
    search = time.monotonic() - begin - .25
    expected = sum(f["kind"] == "data token" and f["mac"] % 256 == 22 and (f["sent"] or not f["through"])
                   for f in frames(data))
    check("search", hits, expected)
    times = b.run(TIMES)
    all_processes = [one["id"] for one in processes if one["type"] in ("renderer", "GPU")]
    spent = [redraw(b, all_processes, wheel) for wheel in (0, 8, 14, 20)]
    print("processor time of a redraw from the whole run to single frames: "
          + ", ".join(f"{one:.0f}" for one in spent) + " ms")
    # The advice is about this test, which reads pixels.
    b.bad = [message for message in b.bad if "willReadFrequently" not in message]
    if len(times["zoom"]) < 20 or times["tips"] < 100:
        sys.exit(f"zoom and pointer: {len(times['zoom'])} steps, {times['tips']} with a text")
    middle = {what: statistics.median(times[what]) for what in ("zoom", "hover")}
    most = {what: max(times[what]) for what in ("zoom", "hover")}
    print(f"zoom: {len(times['zoom'])} redraws, {middle['zoom']:.0f} ms each (median), {most['zoom']:.0f} ms at most; "
          f"pointer: {len(times['hover'])} moves, {middle['hover']:.1f} ms each, {most['hover']:.0f} ms at most")
    print(f"256 nodes, 100,000 frames: {path.stat().st_size / 1e6:.1f} MB, written in {made:.1f} s, loaded in {load:.2f} s, "
          f"process {memory:.0f} MB at most, of it {heap:.0f} MB heap of the script, "
          f"all drawn in {fit:.0f} ms, search {search * 1e3:.0f} ms")
    if load > 10 or memory > 500 or fit > 3000 or most["zoom"] > 1000 or middle["hover"] > 50 or colours < 20 or not hits:
        sys.exit(f"too slow, too much or nothing: {load} s, {memory} MB, {fit} ms, {colours} colours, {hits} hits")
    b.close("big")
    # Where a link has frames, its cells have the colour of what it carries most: looked at in the dark, on a phone.
    b = Browser(browser, 390, 844, color_scheme="dark")
    b.open(path)
    b.is_dark(True)
    b.run("awgstarPage.fit()")
    b.page.wait_for_timeout(200)
    check("says what cells are", "each cell is" in b.text("#dense"), True)
    check("width", b.run("document.documentElement.scrollWidth"), 390)
    if not .1 < b.coloured() < .95:
        sys.exit(f"all of 256 nodes in the dark: {b.coloured():.3f} of the picture has a colour")
    b.page.screenshot(path=OUT / "big-phone-dark.png")
    b.run("awgstarPage.point(20)")
    b.page.wait_for_timeout(200)
    check("single frames have no such sentence", b.page.is_visible("#dense"), False)
    b.close("big-phone")


def phone(browser, path):
    """Fits the width, a tap selects, two fingers zoom."""
    for scheme in ("light", "dark"):
        b = Browser(browser, 390, 844, device_scale_factor=2, has_touch=True, is_mobile=True, color_scheme=scheme)
        b.open(path)
        b.is_dark(scheme == "dark")
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


def texts_of_plots(page):
    """Number of plots, and those with a text or a line that is outside of them or has no size."""
    return page.run("""(() => { const bad = [], plots = document.querySelectorAll('svg');
        plots.forEach((plot, i) => {
            const box = plot.getBoundingClientRect();
            const lines = [...plot.querySelectorAll('polyline, path, circle')];
            if (box.width < 300 || box.height < 150 || !lines.length) bad.push(`plot ${i}: empty`);
            for (const text of plot.querySelectorAll('text')) {
                const r = text.getBoundingClientRect();
                if (r.height < 5) bad.push(`plot ${i}: small: ${text.textContent.trim()}`);
                if (r.left < box.left - 1 || r.right > box.right + 1 || r.top < box.top - 1 || r.bottom > box.bottom + 1)
                    bad.push(`plot ${i}: cut off: ${text.textContent.trim()}`);
            }
        });
        return [plots.length, bad]; })()""")


def windows():
    """Sizes of windows, each with a name."""
    return (("desktop", 1280, 900, {"color_scheme": "light"}), ("desktop-dark", 1280, 900, {"color_scheme": "dark"}),
            ("phone", 390, 844, {"device_scale_factor": 2, "has_touch": True, "is_mobile": True}),
            ("phone-dark", 390, 844, {"device_scale_factor": 2, "has_touch": True, "is_mobile": True, "color_scheme": "dark"}))


def study(browser):
    """The tables of a study are sorted and searched; its plots are there."""
    path = OUT / "study.html"
    output = subprocess.run([AWGSTAR, "study", "paging", "--nodes", "2,4", "--html", str(path), "--json"], check=True,
                            stdout=subprocess.PIPE).stdout
    rows = json.loads(output)
    for name, width, height, options in windows():
        b = Browser(browser, width, height, **options)
        b.read(path)
        check("plots", texts_of_plots(b), [4, []])
        b.is_legible(f"study {name}")
        b.is_dark("dark" in name)
        # All rows are folded, and a search opens them.
        check("folded", b.page.locator("table.rows").nth(1).is_visible(), False)
        b.page.fill("#search", "RANDOM")
        found = sum(row["pattern"] == "random" for row in rows)
        if not 0 < found < len(rows):
            sys.exit(f"nothing to search for: {found}")
        check("rows found", [len(b.rows(0)), len(b.rows(1))], [found, found])
        check("count", b.text("#found"), f"{2 * found} of {2 * len(rows)} rows")
        check("opened", b.page.locator("table.rows").nth(1).is_visible(), True)
        b.page.fill("#search", "no such row")
        check("nothing found", [len(b.rows(0)), b.text("#found")], [0, f"0 of {2 * len(rows)} rows"])
        b.page.fill("#search", "")
        check("all again", [len(b.rows(0)), b.page.locator("table.rows").nth(1).is_visible()], [len(rows), False])
        # A column of numbers, up, down, and as it was.
        b.page.locator("summary").click()
        head = b.page.locator("table.rows").nth(1).locator("th", has_text="time, ns")
        column = b.run("[...document.querySelectorAll('table.rows')[1].tHead.rows[0].cells]"
                       ".findIndex(head => head.textContent === 'time, ns')")
        times = [row["time_ns"] for row in rows]
        for expected, sort in ((sorted(times), "ascending"), (sorted(times, reverse=True), "descending"), (times, None)):
            head.locator("button").click()
            check(f"sorted {sort}", [int(row[column]) for row in b.rows(1)], expected)
            check("aria-sort", head.get_attribute("aria-sort"), sort)
        b.page.locator("summary").click()
        b.run("scrollTo(0, 0)")
        b.close(f"study-{name}")


def conformance(browser):
    """The report of a design with a bug, and of a file that no simulator can read, with a hostile name."""
    design = OUT / "late"
    shutil.rmtree(design, ignore_errors=True)
    shutil.copytree("hdl", design, ignore=shutil.ignore_patterns("boards", "driver", "registers"))
    file = design / "rx_filter.v"
    text = file.read_text()
    late = re.sub(r"assign m_ret_valid .*", "reg late_q; always @(posedge clk) late_q <= rst ? 1'b0 : ret_valid_q; "
                  "assign m_ret_valid = late_q;", text)
    if late == text:
        sys.exit("rx_filter.v: no m_ret_valid")
    file.write_text(late)
    path = OUT / "conform.html"
    command = [AWGSTAR, "conform", "--dut", *map(str, sorted(design.glob("*.v"))), "--top", "ring_node", "--module",
               "ring_node", "--sim", "icarus", "--only", "directed/every_token", "--html", str(path), "--json"]
    run = subprocess.run(command, stdout=subprocess.PIPE)
    check("exit code", run.returncode, 1)
    report = json.loads(run.stdout)
    for name, width, height, options in windows():
        b = Browser(browser, width, height, **options)
        b.read(path)
        b.is_legible(f"conformance {name}")
        b.is_dark("dark" in name)
        if not b.text(".verdict").startswith("FAIL: ring_node is no ring_node: answers late; 2 of 2 cases fail"):
            sys.exit(f"verdict: {b.text('.verdict')}")
        check("requirements", [row[0] for row in b.rows(0)], [one["id"] for one in report["requirements"]])
        failed = [one["id"] for one in report["requirements"] if one["failed"]]
        check("in red", b.run("[...document.querySelectorAll('tr.fail')].map(row => row.cells[0].textContent)"),
              failed + ["directed"])
        b.page.fill("#search", "fail stripped")
        if not 0 < len(b.rows(0)) < len(failed):
            sys.exit(f"search: {b.rows(0)}")
        b.page.fill("#search", "")
        check("marked", b.run("[...new Set([...document.querySelectorAll('.mark')].map(e => e.cellIndex))].length"), 1)
        b.close(f"conformance-{name}")
    evil = OUT / "<img src=x onerror=alert(1)>.v"
    evil.write_text("module crc32(input a; endmodule\n")
    path = OUT / "unreadable.html"
    command = [AWGSTAR, "conform", "--dut", str(evil), "--top", "crc32", "--module", "crc32", "--sim", "icarus", "--html",
               str(path)]
    check("exit code", subprocess.run(command, stdout=subprocess.DEVNULL).returncode, 1)
    b = Browser(browser, 1280, 800)
    b.read(path)
    check("images", b.run("document.images.length"), 0)
    if "<img src=x onerror=alert(1)>.v" not in b.text("body"):
        sys.exit(f"no name of the file: {b.text('body')}")
    b.close("unreadable")


def failed(browser):
    """The page of a run of programs in which one fails, and of one that was broken off."""
    path = OUT / "failed.html"
    command = [AWGSTAR, "run", "-n", "2", "--html", str(path), "--"]
    check("exit code", subprocess.run([*command, "false"], stderr=subprocess.DEVNULL).returncode, 1)
    b = Browser(browser, 1280, 800)
    b.open(path)
    check("verdict", [b.text("#verdict").split(":")[0], b.run("document.getElementById('verdict').className")],
          ["stopped", "verdict fail"])
    b.close("failed")
    check("exit code", subprocess.run([*command, "/no/program"], stderr=subprocess.DEVNULL).returncode, 2)
    b = Browser(browser, 390, 844)
    b.read(path)
    b.is_legible("failed")
    if not b.text(".verdict.fail").startswith("This run failed: program `/no/program`"):
        sys.exit(f"verdict: {b.text('.verdict')}")
    b.close("not-begun")


def main():
    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        path, data = page_of(SCENARIOS / "first.toml")
        what_is_clicked(browser, path, data)
        phone(browser, path)
        hostile(browser)
        study(browser)
        conformance(browser)
        failed(browser)
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
