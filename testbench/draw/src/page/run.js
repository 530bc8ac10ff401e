// SPDX-License-Identifier: MIT OR Apache-2.0
// The page of a run: draws its data on a canvas. Texts of the data only ever become text nodes.
'use strict';
(() => {
const D = JSON.parse(document.getElementById('data').textContent);
const $ = id => document.getElementById(id);
const sum = list => { let at = 0; return Float64Array.from(list, d => at += d); };
const make = (tag, text, className) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  if (className) e.className = className;
  return e;
};
const unit = D.unit === 'cycle' ? 'cycle' : 'ns';
const N = D.nodes.length;
const [FROM, TO] = D.window;

// ---------- data ----------
const F = D.frames ? {
  count: D.frames.link.length,
  first: sum(D.frames.first), link: Uint16Array.from(D.frames.link),
  length: Float64Array.from(D.frames.length), content: Uint32Array.from(D.frames.content),
  through: Float64Array.from(D.frames.through), how: Uint16Array.from(D.frames.how),
  kinds: D.frames.kinds, rows: D.frames.contents, fields: D.frames.fields, signals: D.frames.signals,
  until: D.frames.until,
} : null;
const S = {
  count: D.spans.node.length, from: sum(D.spans.from), length: Float64Array.from(D.spans.length),
  node: Uint16Array.from(D.spans.node), kind: Uint16Array.from(D.spans.kind),
  text: Uint32Array.from(D.spans.text), kinds: D.spans.kinds, texts: D.spans.texts,
};
const L = D.lines, T = D.notes, R = D.registers;
D.frames = D.spans = null;
const FATES = ['passed on', 'stripped by its source', 'free token taken', 'absorbed', 'lost or still under way'];
const kindOf = i => F.how[i] & 15, fate = i => F.how[i] >> 4 & 7;
const sent = i => F.how[i] >> 7 & 1, received = i => F.how[i] >> 8 & 1, bad = i => F.how[i] >> 9 & 1;
const fibre = i => D.fibre[F.link[i]] || 0;
const HEAD = F ? F.fields.length - 4 : 0;
const field = (row, name) => { const at = F.fields.indexOf(name); return at < 0 ? undefined : row[0][at]; };
const isTrain = F && F.fields[0] === 'source';
const source = row => isTrain ? (row[0][0] < 65536 ? row[0][0] : -1) : row[0][0] % 256;
const mac = v => v.toString(16).padStart(12, '0').replace(/..(?!$)/g, '$&:');
const hex = v => '0x' + v.toString(16);
const signalOf = (row, kind) => F.signals.find(s => s.kind === kind && s.c_st === field(row, 'c_st'));
// The greatest time from the first word of a frame on a link to where it is no longer drawn.
let longest = 0;
// Frames of each link, in the order of time.
const onLink = Array.from({length: N}, () => []);
const kindOfRow = F ? new Uint8Array(F.rows.length) : null;
const reach = i => F.length[i] || Math.max(0, TO - F.first[i]);
if (F) for (let i = 0; i < F.count; i++) {
  longest = Math.max(longest, (F.length[i] || 0) + fibre(i) + F.through[i]);
  onLink[F.link[i]].push(i);
  kindOfRow[F.content[i]] = kindOf(i);
}
let longestSpan = 0;
const spansOf = Array.from({length: N}, () => []);
for (let i = 0; i < S.count; i++) { longestSpan = Math.max(longestSpan, S.length[i]); spansOf[S.node[i]].push(i); }
const lower = (list, value) => {
  let a = 0, b = list.length;
  while (a < b) { const m = a + b >> 1; if (list[m] < value) a = m + 1; else b = m; }
  return a;
};
const time = t => {
  const ns = D.unit === 'cycle' ? t * 1e9 / D.clock_hz : t;
  if (ns < 1e4) return ns.toFixed(D.unit === 'cycle' ? 1 : 0) + ' ns';
  if (ns < 1e7) return (ns / 1e3).toFixed(3) + ' \u00b5s';
  return (ns / 1e6).toFixed(4) + ' ms';
};
const short = t => time(t).replace(/(\.\d\d)\d+ /, '$1 ');
const when = t => D.unit === 'cycle' ? `cycle ${Math.floor(t)} (${time(t)})` : `${Math.floor(t)} ns`;

// ---------- filter and search ----------
const kindsThere = F ? F.kinds.map((_, k) => F.how.some(h => (h & 15) === k)) : [];
const show = {kinds: kindsThere.slice(), from: null, onlyBad: false, columns: null};
const shown = F ? new Uint8Array(F.count).fill(1) : null;
const match = F ? new Uint8Array(F.count) : null;
let hits = [], at = -1, query = '';
let cols = [], place = new Int32Array(N).fill(-1);

const list = text => {
  const all = new Set();
  for (const part of text.split(/[\s,]+/).filter(Boolean)) {
    const m = /^(\d+)(?:-(\d+))?$/.exec(part);
    if (!m) return null;
    for (let n = +m[1]; n <= Math.min(+(m[2] || m[1]), 65535); n++) all.add(n);
  }
  return all.size ? all : null;
};
const filter = () => {
  cols = D.nodes.map((_, i) => i).filter(i => !show.columns || show.columns.has(i));
  if (!cols.length) cols = D.nodes.map((_, i) => i);
  place.fill(-1);
  cols.forEach((node, i) => { place[node] = i; });
  if (F) for (let i = 0; i < F.count; i++) {
    shown[i] = show.kinds[kindOf(i)] && (!show.from || show.from.has(source(F.rows[F.content[i]])))
      && (!show.onlyBad || bad(i)) && place[F.link[i]] >= 0 ? 1 : 0;
  }
  search();
};
const haystack = F ? F.rows.map((row, r) => {
  const kind = kindOfRow[r], signal = F.signals && !isTrain ? signalOf(row, kind) : null;
  return [F.kinds[kind].name, signal ? signal.name + ' ' + signal.meaning : '', isTrain ? '' : mac(row[0][0]),
    row[3], row[4] || ''].join(' ').toLowerCase();
}) : [];
const number = text => /^0x[0-9a-f]+$/i.test(text) || /^\d+$/.test(text) ? Number(text) : NaN;
// A test of a row of contents, of a frame on a link, or of another text.
const test = word => {
  const [, key, value] = /^([a-z]+):(.+)$/.exec(word) || [null, '', word];
  const n = number(value), never = {row: () => false};
  if (key === 'link') return {frame: i => F.link[i] === n};
  if (key === 'addr') {
    const [a, b] = value.split('-').map(number);
    const last = b === undefined ? a : b;
    if (isNaN(a) || isNaN(last)) return never;
    return {row: (row, kind) => F.kinds[kind].name === 'data token' && field(row, 'addr') <= last
      && field(row, 'addr') + Math.max(row[2], 1) > a};
  }
  const to = row => (kind => kind === 'point-to-point')(row.kindName) && field(row, 'node_id') === n;
  if (key === 'from') return {row: row => source(row) === n};
  if (key === 'to') return {row: (row, kind) => F.kinds[kind].name === 'point-to-point' && field(row, 'node_id') === n};
  if (key === 'node') return {row: (row, kind) => source(row) === n
    || F.kinds[kind].name === 'point-to-point' && field(row, 'node_id') === n};
  if (key === 'count') return {row: row => field(row, 'packet_cnt') === n};
  if (key === 'signal') return {row: (row, kind) => {
    const name = F.kinds[kind].name;
    if (isTrain || name === 'data token' || name === 'free token') return false;
    if (!isNaN(n)) return field(row, 'c_st') === n;
    const signal = signalOf(row, kind);
    return !!signal && signal.name.includes(value);
  }};
  if (word === 'bad') return {frame: i => !!bad(i), text: t => t.includes('bad')};
  return {row: (row, kind, r) => haystack[r].includes(word), text: t => t.includes(word)};
};
const search = () => {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  hits = []; at = -1;
  if (match) match.fill(0);
  const jump = words.map(w => /^t:(\d+)$/.exec(w)).find(Boolean);
  if (jump) { look(+jump[1]); $('found').textContent = ''; return draw(); }
  if (words.length) {
    const tests = words.map(test);
    if (F) {
      const rows = F.rows.map((row, r) => tests.every(t => !t.row || t.row(row, kindOfRow[r], r)));
      // A frame is found where it begins, unless the search names a link.
      const all = tests.some(t => t.frame && words.some(w => w.startsWith('link:')));
      for (let i = 0; i < F.count; i++) {
        if (!shown[i] || !rows[F.content[i]] || !tests.every(t => !t.frame || t.frame(i))) continue;
        match[i] = 1;
        if (all || words.includes('bad') || sent(i) || !F.through[i]) hits.push({t: F.first[i], node: F.link[i], what: 'frame', i});
      }
      // All of them passed on from before the window.
      if (!hits.length) for (let i = 0; i < F.count; i++) if (match[i]) hits.push({t: F.first[i], node: F.link[i], what: 'frame', i});
    }
    const texts = all => all.map(t => tests.every(x => x.text && x.text(t.toLowerCase())));
    const spanText = texts(S.texts), spanKind = texts(S.kinds.map(k => k.name));
    for (let i = 0; i < S.count; i++) if (spanText[S.text[i]] || spanKind[S.kind[i]]) hits.push({t: S.from[i], node: S.node[i], what: 'span', i});
    const noteText = texts(T.texts), lineText = texts(L.texts);
    T.rows.forEach((r, i) => { if (noteText[r[2]]) hits.push({t: r[1], node: r[0], what: 'note', i}); });
    L.rows.forEach((r, i) => { if (lineText[r[4]]) hits.push({t: r[1], node: r[0], what: 'line', i}); });
    hits.sort((a, b) => a.t - b.t);
  }
  $('found').textContent = words.length ? (hits.length ? `${hits.length} found` : 'nothing found') : '';
  draw();
};
const go = step => {
  if (!hits.length) return;
  at = at < 0 ? (step > 0 ? 0 : hits.length - 1) : (at + step + hits.length) % hits.length;
  const h = hits[at];
  $('found').textContent = `${at + 1} of ${hits.length}`;
  look(h.t, h.node);
  choose({what: h.what, i: h.i, node: h.node, t: h.t});
};

// ---------- view ----------
const canvas = $('view'), g = canvas.getContext('2d', {alpha: false});
const LEFT = 78, TOP = 24;
let W = 0, H = 0, pitch = 60, panX = 0, t0 = FROM, scale = 1, colours = {};
const frames = !!F && F.count > 0;
const columns = () => cols.length + (frames && cols.length === N && N > 1 ? 1 : 0);
const colWidth = () => frames ? Math.max(1, Math.min(24, pitch * (pitch < 20 ? .2 : .28))) : Math.max(2, Math.min(60, pitch * .6));
const X = c => LEFT + 6 + c * pitch - panX;
const Y = t => TOP + (t - t0) * scale;
const timeAt = y => t0 + (y - TOP) / scale;
const room = () => Math.max(1, H - TOP);
const fitScale = () => room() / Math.max(1, TO - FROM);
const minPitch = () => Math.max(.5, Math.min(40, (W - LEFT - 10) / columns()));
const clamp = () => {
  const least = fitScale();
  scale = Math.min(Math.max(scale, least), 40);
  t0 = Math.min(Math.max(t0, FROM), Math.max(FROM, TO - room() / scale));
  pitch = Math.min(Math.max(pitch, minPitch()), 400);
  const width = columns() * pitch + 12 + (frames ? 0 : 0);
  panX = Math.min(Math.max(panX, 0), Math.max(0, width - (W - LEFT)));
};
const fitColumns = () => {
  const c = columns();
  pitch = (W - LEFT - 12 - (frames ? 24 : 0)) / Math.max(1, frames ? c - .72 : c);
  pitch = Math.min(Math.max(pitch, c > 64 ? minPitch() : 26), frames ? 260 : 200);
  panX = 0;
};
const fit = () => { scale = fitScale(); t0 = FROM; fitColumns(); clamp(); draw(); };
const look = (t, node) => {
  if (node !== undefined && place[node] >= 0) {
    const x = X(place[node]);
    if (x < LEFT || x + pitch > W) panX += x - LEFT - (W - LEFT) / 2 + pitch / 2;
  }
  // Close enough to see the frames.
  const near = frames ? 2 : Math.max(fitScale(), room() / Math.max(1, (TO - FROM) / 20));
  if (scale < near / 2) scale = Math.min(near, 40);
  if (Y(t) < TOP + 10 || Y(t) > H - 60) t0 = t - room() / scale * .3;
  clamp();
  draw();
};
const zoomTime = (factor, y = TOP + room() / 2) => { const t = timeAt(y); scale *= factor; clamp(); t0 = t - (y - TOP) / scale; clamp(); draw(); };
const zoomColumns = (factor, x = LEFT + (W - LEFT) / 2) => {
  const c = (x - LEFT - 6 + panX) / pitch; pitch *= factor; clamp(); panX = c * pitch - (x - LEFT - 6); clamp(); draw();
};

let waiting = false;
const draw = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; paint(); }); } };
const light = c => { const n = parseInt(c.slice(1), 16); return (n >> 16) * .3 + (n >> 8 & 255) * .59 + (n & 255) * .11 > 160; };
let dark = false;
const readColours = () => {
  const s = getComputedStyle(document.documentElement);
  dark = s.colorScheme === 'dark' || s.getPropertyValue('--paper').trim() === '#16181b';
  for (const name of ['ink', 'soft', 'paper', 'line', 'node', 'accent', 'hit', 'panel']) colours[name] = s.getPropertyValue('--' + name).trim();
};
const step = least => {
  const power = 10 ** Math.floor(Math.log10(Math.max(least, 1)));
  return [1, 2, 5, 10].map(m => m * power).find(s => s >= least) || power * 10;
};
// A text that has room in so many pixels.
const shortened = (text, room) => {
  const width = g.measureText(text).width;
  return width <= room ? text : text.slice(0, Math.max(1, Math.floor(text.length * room / width) - 1)) + '\u2026';
};
// Shapes that would fall onto the same pixels are drawn once.
let last = new Int32Array(0), lastKind = new Int16Array(0);
const paint = () => {
  g.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
  g.fillStyle = colours.paper; g.fillRect(0, 0, W, H);
  const t1 = timeAt(H), cw = colWidth(), gap = pitch - cw;
  const small = '11px system-ui, sans-serif';
  g.font = small; g.textBaseline = 'middle';
  // Time.
  const every = step(56 / scale);
  g.textAlign = 'right';
  for (let t = Math.ceil(t0 / every) * every; t <= t1; t += every) {
    const y = Math.round(Y(t)) + .5;
    g.strokeStyle = colours.line; g.beginPath(); g.moveTo(LEFT, y); g.lineTo(W, y); g.stroke();
    // The label of the first moment is below the names of the nodes.
    // That of the last one is above the lower edge.
    const at = Math.min(Math.max(y, TOP + 7), H - (D.unit === 'cycle' ? 19 : 7));
    g.fillStyle = colours.ink; g.fillText(D.unit === 'cycle' ? t : short(t), LEFT - 6, at);
    if (D.unit === 'cycle') { g.fillStyle = colours.soft; g.fillText(short(t), LEFT - 6, at + 12); }
  }
  g.save();
  g.beginPath(); g.rect(LEFT, TOP, W - LEFT, H - TOP); g.clip();
  const c0 = Math.max(0, Math.floor((panX - 6) / pitch) - 1), c1 = Math.min(columns() - 1, Math.ceil((panX + W - LEFT) / pitch));
  const visible = c => c >= c0 && c <= c1;
  g.fillStyle = colours.node;
  if (!isDense()) for (let c = c0; c <= c1; c++) g.fillRect(X(c), TOP, cw, H - TOP);
  // A part without frames must not look like a link without traffic.
  if (F && F.until !== null && F.until < t1) {
    const y = Math.max(TOP, Y(F.until));
    g.fillStyle = colours.panel; g.fillRect(LEFT, y, W - LEFT, H - y);
    g.fillStyle = colours.soft; g.textAlign = 'left';
    g.fillText('frames from here on are not in this page', LEFT + 8, y + 12);
  }
  // Activities.
  if (last.length < N) { last = new Int32Array(N); lastKind = new Int16Array(N); }
  last.fill(-1); lastKind.fill(-1);
  for (let i = lower(S.from, t0 - longestSpan); i < S.count && S.from[i] <= t1; i++) {
    const c = place[S.node[i]];
    if (c < 0 || S.from[i] + S.length[i] < t0) continue;
    const y = Math.max(TOP, Y(S.from[i])), h = Math.max(.7, Math.min(H, Y(S.from[i] + S.length[i])) - y);
    if (h < 1 && last[S.node[i]] === Math.round(y) && lastKind[S.node[i]] === S.kind[i]) continue;
    last[S.node[i]] = Math.round(y); lastKind[S.node[i]] = S.kind[i];
    g.fillStyle = S.kinds[S.kind[i]].colour;
    if (visible(c)) g.fillRect(X(c), y, cw, h);
    if (c === 0 && columns() > cols.length && visible(cols.length)) g.fillRect(X(cols.length), y, cw, h);
    const text = S.texts[S.text[i]];
    if (!frames && text && h > 13 && cw > 40 && visible(c)) {
      g.save(); g.beginPath(); g.rect(X(c), y, cw, h); g.clip(); g.fillStyle = '#1b1b1b'; g.textAlign = 'left';
      g.fillText(text, X(c) + 3, y + Math.min(h / 2, 10)); g.restore();
    }
  }
  const dense = isDense();
  $('dense').hidden = !dense;
  if (dense) paintDensity(t1);
  else if (F) paintFrames(t1, cw, gap, visible);
  // Signals.
  if (L.rows.length) {
    g.lineWidth = 1.2;
    for (const [n0, a, n1, b, text, lost] of L.rows) {
      if (b < t0 || a > t1 || place[n0] < 0 || place[n1] < 0) continue;
      const right = place[n1] > place[n0];
      const x0 = X(place[n0]) + (right ? cw : 0), x1 = X(place[n1]) + (right ? 0 : cw);
      g.strokeStyle = g.fillStyle = lost ? L.lost_colour : L.colour;
      g.beginPath(); g.moveTo(x0, Y(a)); g.lineTo(x1, Y(b)); g.stroke();
      if (pitch > 12) { g.beginPath(); g.arc(x1, Y(b), 2.5, 0, 7); g.fill(); }
    }
  }
  // Notes, where there is room.
  if (pitch > 70) {
    g.textAlign = 'left';
    const free = new Float64Array(N).fill(-1e9);
    for (let i = lower(noteTimes, t0); i < T.rows.length && T.rows[i][1] <= t1; i++) {
      const [node, t, text] = T.rows[i], c = place[node], y = Y(t);
      if (c < 0 || !visible(c) || y < free[node]) continue;
      free[node] = y + 13;
      g.save(); g.beginPath(); g.rect(X(c) + cw, TOP, Math.max(gap - 4, 20), H); g.clip();
      const note = shortened(T.texts[text], gap - 8);
      // Frames below a note must not be read with it.
      g.globalAlpha = .88; g.fillStyle = colours.paper;
      g.fillRect(X(c) + cw + 2, y - 6.5, g.measureText(note).width + 4, 13);
      g.globalAlpha = 1; g.fillStyle = colours.ink; g.fillText(note, X(c) + cw + 4, y); g.restore();
    }
  }
  paintChosen(cw, gap);
  g.restore();
  // Names.
  g.fillStyle = colours.panel; g.fillRect(0, 0, W, TOP);
  g.fillStyle = colours.soft; g.textAlign = 'left'; g.fillText(unit === 'cycle' ? 'cycle' : 'time', 8, TOP / 2);
  // The name of a narrow column is wider than the column.
  g.save(); g.beginPath(); g.rect(LEFT - 30, 0, W, TOP); g.clip();
  g.textAlign = 'center'; g.fillStyle = colours.ink;
  const each = Math.max(1, Math.ceil((pitch > 62 ? 58 : 24) / pitch));
  for (let c = c0; c <= c1; c++) {
    if (c % each) continue;
    const name = D.nodes[cols[c % cols.length]];
    g.fillText(pitch > 62 ? name : name.replace(/^\D+/, ''), X(c) + cw / 2, TOP / 2);
  }
  g.restore();
  canvas.dataset.painted = String(+(canvas.dataset.painted || 0) + 1);
};
// Frames that are narrower and shorter than a pixel or two would be noise: cells say how much of the time
// links carry frames, and of which kind.
const usualLength = frames ? Array.from(F.length.slice(0, 2000)).sort((a, b) => a - b)[Math.min(2000, F.count) >> 1] : 0;
const isDense = () => frames && pitch - colWidth() < 5 && usualLength * scale < 3;
const CELL = 4;
const paintDensity = t1 => {
  const across = Math.max(1, Math.round(CELL / pitch)), span = CELL / scale, kinds = F.kinds.length;
  // Cells lie on a grid of time and nodes, so that they do not change while the picture is moved.
  const row0 = Math.floor(t0 / span), rows = Math.ceil(t1 / span) - row0 + 1, width = Math.ceil(cols.length / across);
  const words = new Float64Array(rows * width * kinds), of = new Float64Array(rows * width);
  for (let i = lower(F.first, t0 - longest); i < F.count && F.first[i] <= t1; i++) {
    // An unused token is no load.
    if (!shown[i] || kindOf(i) === 0 && !isTrain) continue;
    const c = Math.floor(place[F.link[i]] / across), end = F.first[i] + reach(i);
    for (let r = Math.max(0, Math.floor(F.first[i] / span) - row0); r < rows && (row0 + r) * span < end; r++) {
      const part = Math.min(end, (row0 + r + 1) * span) - Math.max(F.first[i], (row0 + r) * span);
      words[(r * width + c) * kinds + kindOf(i)] += part;
      of[r * width + c] += part;
    }
  }
  for (let r = 0; r < rows; r++) for (let c = 0; c < width; c++) {
    const cell = r * width + c;
    if (!of[cell]) continue;
    let most = 0;
    for (let k = 1; k < kinds; k++) if (words[cell * kinds + k] > words[cell * kinds + most]) most = k;
    const links = Math.min(across, cols.length - c * across);
    g.globalAlpha = Math.min(1, .2 + .8 * of[cell] / span / links);
    g.fillStyle = F.kinds[most].colour;
    // Whole pixels: no seams between cells.
    const left = Math.round(X(c * across)), right = Math.round(X(c * across) + links * pitch);
    g.fillRect(left, Y((row0 + r) * span), right - left, CELL);
  }
  g.globalAlpha = 1;
  const what = across > 1 ? `${across} links` : 'a link';
  $('dense').textContent = `Frames are too small to be seen here: each cell is ${what} for ${short(span)}. Its colour is the kind with `
    + 'the most words, stronger where frames take more of the time; free tokens are not counted. Zoom in for single frames.';
};
// Marks are on a column, or on what its node does.
const markInk = (node, t) => {
  const on = spanAt(node, t);
  return on < 0 ? colours.ink : light(S.kinds[S.kind[on]].colour) ? '#1b1b1b' : '#fff';
};
const noteTimes = T.rows.map(r => r[1]);
const paintFrames = (t1, cw, gap, visible) => {
  last.fill(-1); lastKind.fill(-1);
  let style = '';
  const fill = c => { if (c !== style) { g.fillStyle = c; style = c; } };
  let opacity = 1;
  const fade = a => { if (a !== opacity) { g.globalAlpha = a; opacity = a; } };
  const dim = query && hits.length ? .25 : 1;
  const labels = gap > 52;
  const marks = pitch > 26 && scale > .25;
  g.lineWidth = 1;
  for (let i = lower(F.first, t0 - longest); i < F.count; i++) {
    const first = F.first[i];
    if (first > t1) break;
    if (!shown[i]) continue;
    const link = F.link[i], c = place[link];
    if (!visible(c)) continue;
    const far = first + reach(i) + fibre(i);
    if (far < t0) continue;
    const kind = kindOf(i), x0 = X(c) + cw, x1 = X(c) + pitch;
    const y0 = Y(first), h = Math.max(.8, reach(i) * scale), slant = fibre(i) * scale;
    const alpha = (match[i] ? 1 : dim) * (kind === 0 && dark ? .5 : 1);
    // Between columns that are so near no slope can be seen.
    if (gap < 5 || h < 3 && slant < 2) {
      const y = Math.round(y0);
      if (h < 3 && last[link] === y && (lastKind[link] === kind || kind === 0) && !match[i]) continue;
      last[link] = y; lastKind[link] = kind;
      fade(alpha);
      fill(bad(i) ? '#d33' : F.kinds[kind].colour);
      g.fillRect(x0, y0 + slant / 2, gap, Math.max(1, h > 4 ? h - 1 : h));
      if (match[i]) { fill(colours.hit); g.fillRect(x0, y0 + slant / 2, Math.min(3, gap), Math.max(2, h)); }
      continue;
    }
    fade(alpha);
    fill(F.kinds[kind].colour);
    if (F.through[i]) {
      const ya = Y(first - F.through[i]);
      fade(alpha * .45);
      g.beginPath(); g.moveTo(x0 - cw, ya); g.lineTo(x0, y0); g.lineTo(x0, y0 + h); g.lineTo(x0 - cw, ya + h); g.fill();
      fade(alpha);
    }
    g.beginPath(); g.moveTo(x0, y0); g.lineTo(x1, y0 + slant); g.lineTo(x1, y0 + slant + h); g.lineTo(x0, y0 + h); g.closePath(); g.fill();
    if (bad(i) || match[i]) { g.strokeStyle = bad(i) ? '#d33' : colours.hit; g.lineWidth = 2; g.stroke(); g.lineWidth = 1; }
    else if (h > 4) { g.strokeStyle = colours.paper; g.stroke(); }
    if (marks) {
      const next = (link + 1) % N, there = first + fibre(i);
      if (sent(i)) { fill(markInk(link, first)); g.beginPath(); g.moveTo(x0 - cw / 2, y0 + 1); g.lineTo(x0 - cw / 2 + 4, y0 + 9); g.lineTo(x0 - cw / 2 - 4, y0 + 9); g.fill(); }
      const end = X(c) + pitch + cw / 2, ye = y0 + slant + 6, f = fate(i);
      g.strokeStyle = f === 3 ? '#d33' : markInk(next, there); g.lineWidth = 1.6;
      g.beginPath();
      if (f === 1) { g.moveTo(end - 4, ye - 4); g.lineTo(end + 4, ye + 4); g.moveTo(end + 4, ye - 4); g.lineTo(end - 4, ye + 4); }
      else if (f === 2) g.arc(end, ye, 4, 0, 7);
      else if (f === 3) { g.moveTo(end - 5, ye); g.lineTo(end + 5, ye); }
      g.stroke(); g.lineWidth = 1;
      if (received(i)) { fill(markInk(next, there + reach(i))); g.beginPath(); g.arc(end, y0 + slant + h - 2, 3, 0, 7); g.fill(); }
    }
    if (labels && h > 11 && (kind || isTrain)) {
      const label = name(i, true);
      if (g.measureText(label).width < gap - 6) {
        fill(light(F.kinds[kind].colour) ? '#222' : '#fff');
        g.textAlign = 'center';
        g.fillText(label, (x0 + x1) / 2, y0 + (h + slant) / 2);
      }
    }
  }
  fade(1);
};
const name = (i, short) => {
  const row = F.rows[F.content[i]], kind = kindOf(i);
  if (isTrain) return source(row) < 0 ? 'token' : (short ? '' : 'frame of node ') + source(row);
  const signal = signalOf(row, kind);
  if (short) return `${source(row)} #${field(row, 'packet_cnt')}`;
  return signal ? `${F.kinds[kind].name}: ${signal.name}` : F.kinds[kind].name;
};
const paintChosen = (cw, gap) => {
  if (!chosen) return;
  g.strokeStyle = colours.accent; g.lineWidth = 1;
  g.setLineDash([4, 3]); g.beginPath(); g.moveTo(LEFT, Y(chosen.t) + .5); g.lineTo(W, Y(chosen.t) + .5); g.stroke(); g.setLineDash([]);
  g.lineWidth = 3;
  if (chosen.what === 'frame' && place[F.link[chosen.i]] >= 0) {
    const i = chosen.i, x0 = X(place[F.link[i]]) + cw, y0 = Y(F.first[i]), s = fibre(i) * scale, h = Math.max(2, reach(i) * scale);
    g.beginPath(); g.moveTo(x0, y0); g.lineTo(x0 + gap, y0 + s); g.lineTo(x0 + gap, y0 + s + h); g.lineTo(x0, y0 + h); g.closePath(); g.stroke();
  } else if (chosen.what === 'span' && place[S.node[chosen.i]] >= 0) {
    const i = chosen.i; g.strokeRect(X(place[S.node[i]]), Y(S.from[i]), cw, Math.max(2, S.length[i] * scale));
  } else if (chosen.node !== undefined && place[chosen.node] >= 0) {
    g.beginPath(); g.arc(X(place[chosen.node]) + cw / 2, Y(chosen.t), 6, 0, 7); g.stroke();
  }
};

// ---------- what is where ----------
// The span of a node at a moment, -1 if there is none.
const spanAt = (node, t) => {
  const own = spansOf[node];
  let a = 0, b = own.length;
  while (a < b) { const m = a + b >> 1; if (S.from[own[m]] <= t) a = m + 1; else b = m; }
  for (let k = a - 1; k >= 0 && S.from[own[k]] >= t - longestSpan; k--) {
    if (t < S.from[own[k]] + S.length[own[k]]) return own[k];
  }
  return -1;
};
const pick = (x, y) => {
  if (x < LEFT || y < TOP) return null;
  const t = timeAt(y), cw = colWidth(), gap = pitch - cw;
  if (t < FROM || t > TO) return null;
  const c = Math.floor((x - LEFT - 6 + panX) / pitch);
  if (c < 0 || c >= columns()) return null;
  const node = cols[c % cols.length], inside = x - X(c);
  for (let i = 0; i < L.rows.length; i++) {
    const [n0, a, n1, b] = L.rows[i];
    if (t < a - 4 / scale || t > b + 4 / scale || place[n0] < 0 || place[n1] < 0) continue;
    const right = place[n1] > place[n0], x0 = X(place[n0]) + (right ? cw : 0), x1 = X(place[n1]) + (right ? 0 : cw);
    const f = b > a ? (t - a) / (b - a) : 0;
    if (Math.abs(x0 + (x1 - x0) * f - x) < 4) return {what: 'line', i, node: n0, t};
  }
  if (inside <= cw) {
    const i = spanAt(node, t);
    return i < 0 ? {what: 'node', i: 0, node, t} : {what: 'span', i, node, t};
  }
  if (!F || c >= cols.length) return {what: 'node', i: 0, node, t};
  const at = t - fibre_(node) * (inside - cw) / Math.max(gap, 1), own = onLink[node], slack = .6 / scale;
  let a = 0, b = own.length;
  while (a < b) { const m = a + b >> 1; if (F.first[own[m]] <= at + slack) a = m + 1; else b = m; }
  for (let k = a - 1; k >= 0 && k > a - 60; k--) {
    const i = own[k];
    if (shown[i] && at < F.first[i] + Math.max(reach(i), slack * 2)) return {what: 'frame', i, node, t};
  }
  return {what: 'node', i: 0, node, t};
};
const fibre_ = link => D.fibre[link] || 0;
const registersAt = (node, t) => {
  if (!R || t < R.from || t >= R.until) return null;
  const all = R.changes[node], values = R.names.map(() => null);
  let at = R.from;
  for (let k = 0; k < all.length; k += 3) { at += all[k]; if (at > t) break; values[all[k + 1]] = all[k + 2]; }
  return values.map((v, r) => [R.names[r], v === null ? '?' : R.values[r][v] !== undefined ? `${R.values[r][v]} (${v})` : String(v)]);
};
const activityAt = (node, t) => spansOf[node].filter(i => S.from[i] <= t && t < S.from[i] + S.length[i])
  .map(i => S.kinds[S.kind[i]].name + (S.texts[S.text[i]] ? ': ' + S.texts[S.text[i]] : ''));
const frameRows = i => {
  const row = F.rows[F.content[i]], kind = kindOf(i), rows = [];
  const next = D.nodes[(F.link[i] + 1) % N];
  rows.push(['on the link', `${D.nodes[F.link[i]]} \u2192 ${next}`]);
  rows.push(['first word', when(F.first[i])]);
  rows.push(['length', F.length[i] ? `${F.length[i]} ${D.unit === 'cycle' ? 'cycles' : 'ns'}` : 'the run ends within it']);
  if (F.through[i]) rows.push(['through the node', `${F.through[i]} cycles`]);
  if (fibre(i)) rows.push(['at the next node', when(F.first[i] + fibre(i))]);
  if (sent(i)) rows.push(['sent', 'by this node']);
  if (!isTrain) rows.push(['next node', FATES[fate(i)] + (received(i) ? ', received' : '') + (bad(i) ? ', BAD' : '')]);
  const signal = isTrain ? null : signalOf(row, kind);
  for (let f = 0; f < HEAD; f++) {
    const key = F.fields[f], v = row[0][f];
    const text = key === 'mac' ? `${mac(v)} (node ${v % 256})` : key === 'addr' ? hex(v)
      : key === 'token' ? `${v} (${F.kinds[kind].name})`
      : key === 'c_st' && signal ? `${v} (${signal.name})` : key === 'node_id' && signal && signal.node_id ? `${v} (${signal.node_id})`
      : key === 'source' ? (v < 65536 ? `node ${v}` : 'none') : String(v);
    rows.push([key, text]);
  }
  if (signal) rows.push(['meaning', signal.meaning]);
  rows.push(['bytes', row[1] ? `${row[1]}, ${row[2]} valid in Data` : 'not known']);
  if (row[3]) rows.push(['data', row[3].replace(/../g, '$& ').trim() + (row[2] * 2 > row[3].length ? ' \u2026' : '')]);
  if (row[4]) rows.push(['not valid', row[4]]);
  return rows;
};
const table = rows => {
  const t = make('table');
  for (const [a, b] of rows) { const r = t.insertRow(); r.insertCell().textContent = a; r.insertCell().textContent = b; }
  return t;
};
const describe = p => {
  if (p.what === 'frame') return [name(p.i), frameRows(p.i)];
  if (p.what === 'span') {
    const i = p.i, text = S.texts[S.text[i]];
    const rows = [['at', D.nodes[S.node[i]]], ['from', when(S.from[i])], ['for', `${S.length[i]} ${D.unit === 'cycle' ? 'cycles' : 'ns'}`]];
    return [S.kinds[S.kind[i]].name, text ? [['what', text], ...rows] : rows];
  }
  if (p.what === 'line') {
    const [n0, a, n1, b, text, lost] = L.rows[p.i];
    return [`signal ${L.texts[text]}`, [['from', `${D.nodes[n0]}, ${when(a)}`], [lost ? 'lost before' : 'to', `${D.nodes[n1]}, ${when(b)}`],
      ['took', `${b - a} ${D.unit === 'cycle' ? 'cycles' : 'ns'}`]]];
  }
  if (p.what === 'note') { const [node, t, text] = T.rows[p.i]; return [T.texts[text], [['at', D.nodes[node]], ['when', when(t)]]]; }
  return [D.nodes[p.node], [['at', when(p.t)]]];
};
const nearNotes = (node, t) => {
  const reach = 8 / scale, out = [];
  for (let i = lower(noteTimes, t - reach); i < T.rows.length && T.rows[i][1] <= t + reach && out.length < 6; i++) {
    if (T.rows[i][0] === node) out.push(T.texts[T.rows[i][2]]);
  }
  return out;
};

// ---------- panel ----------
let chosen = null;
const choose = p => {
  chosen = p;
  const box = $('chosen');
  box.replaceChildren();
  if (!p) {
    box.append(make('h2', 'Nothing is selected'), make('p', 'Click or tap a frame, a column or a signal. Scroll or pinch to zoom, drag to move.'));
  } else {
    const [title, rows] = describe(p);
    box.append(make('h2', title), table(rows));
    const t = Math.floor(p.t), nodes = p.what === 'frame' ? [F.link[p.i], (F.link[p.i] + 1) % N] : [p.node];
    for (const node of [...new Set(nodes)]) {
      const doing = activityAt(node, p.t), values = registersAt(node, t), notes = nearNotes(node, p.t);
      if (!doing.length && !R && !notes.length) continue;
      box.append(make('h3', `${D.nodes[node]} at ${when(t)}`));
      if (doing.length) box.append(make('p', doing.join('; ')));
      if (notes.length) box.append(make('p', notes.join('; ')));
      if (values) box.append(table(values));
      else if (R) box.append(make('p', 'Its registers are not recorded at this moment.'));
    }
  }
  moment();
  draw();
};
const moment = () => {
  const box = $('moment'), w = D.waves;
  box.replaceChildren();
  if (!w.vcd) { box.append(make('p', 'This run has no waves.')); return; }
  const t = Math.floor(chosen ? chosen.t : t0 + room() / scale / 2);
  const stamp = D.unit === 'cycle' ? t * D.period_ps : t, name = w.vcd.replace(/\.vcd$/, '');
  const quote = s => /^[\w.\/:=,+@%-]+$/.test(s) ? s : `'${s.replace(/'/g, `'\\''`)}'`;
  const around = D.unit === 'cycle' ? 200 : 2000;
  box.append(make('p', `${when(t)} is ${stamp} ${D.unit === 'cycle' ? 'ps' : 'ns'} in the waves.`));
  if (w.make) {
    box.append(make('p', 'Write the waves around it:'));
    const suffix = D.unit === 'cycle' ? '' : 'ns';
    box.append(make('pre', `${w.make} ${Math.max(0, t - around)}${suffix}:${t + around}${suffix}`));
  }
  const [folder, file] = /^(.*\/)?([^\/]*)$/.exec(name).slice(1), cd = folder ? `cd ${quote(folder)} && ` : '';
  box.append(make('p', 'GTKWave, with the marker there:'));
  // Zoom -18 shows about 5 * 2^18 units of time.
  const [zoom, ahead] = D.unit === 'cycle' ? [18, 300000] : [12, 5000];
  box.append(make('pre', `${cd}sed -e 's/^\\[timestart\\].*/[timestart] ${Math.max(0, stamp - ahead)}/' -e 's/^\\*-.*/*-${zoom}.0 ${stamp}/' ${quote(file + '.gtkw')} > moment.gtkw && gtkwave moment.gtkw`));
  box.append(make('p', 'Surfer, with the cursor there:'));
  box.append(make('pre', `${cd}echo 'cursor_set ${stamp}' > moment.sucl && surfer --command-file moment.sucl ${quote(file + '.vcd')}`));
  const link = make('a', 'This page at this moment');
  link.href = '#t=' + t;
  box.append(link);
};
const tip = $('tip');
const hover = (x, y) => {
  const p = pick(x, y);
  if (!p) { tip.hidden = true; return; }
  const [title, rows] = describe(p);
  const b = make('b', title);
  tip.replaceChildren(b, table(rows));
  const values = registersAt(p.node, Math.floor(p.t));
  if (p.what === 'node') { const doing = activityAt(p.node, p.t), notes = nearNotes(p.node, p.t); for (const text of [...doing, ...notes]) tip.append(make('div', text)); }
  if (values) { tip.append(make('b', `${D.nodes[p.node]} at ${when(p.t)}`), table(values)); }
  tip.hidden = false;
  const w = tip.offsetWidth, h = tip.offsetHeight;
  tip.style.left = Math.max(0, x + 16 + w > W ? x - 16 - w : x + 16) + 'px';
  tip.style.top = Math.max(0, Math.min(y + 12, H - h - 4)) + 'px';
};

// ---------- input ----------
const touches = new Map();
let moved = 0, pinch = null;
const local = e => { const r = canvas.getBoundingClientRect(); return [e.clientX - r.left, e.clientY - r.top]; };
canvas.addEventListener('pointerdown', e => {
  canvas.setPointerCapture(e.pointerId);
  canvas.focus({preventScroll: true});
  touches.set(e.pointerId, local(e));
  if (touches.size === 1) moved = 0;
  pinch = null; tip.hidden = true;
});
canvas.addEventListener('pointermove', e => {
  const [x, y] = local(e), before = touches.get(e.pointerId);
  if (!before) { if (e.pointerType === 'mouse') hover(x, y); return; }
  touches.set(e.pointerId, [x, y]);
  if (touches.size === 1) {
    moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
    if (moved > 4) { panX -= x - before[0]; t0 -= (y - before[1]) / scale; clamp(); draw(); }
  } else if (touches.size === 2) {
    moved = 99;
    const [[ax, ay], [bx, by]] = [...touches.values()], dx = Math.abs(ax - bx), dy = Math.abs(ay - by);
    const now = {dx, dy, x: (ax + bx) / 2, y: (ay + by) / 2};
    if (pinch) {
      t0 -= (now.y - pinch.y) / scale; panX -= now.x - pinch.x;
      if (pinch.time) zoomTime(Math.max(dy, 12) / Math.max(pinch.dy, 12), now.y); else zoomColumns(Math.max(dx, 12) / Math.max(pinch.dx, 12), now.x);
      now.time = pinch.time;
    } else now.time = dy >= dx;
    pinch = now;
  }
});
const up = e => {
  const one = touches.delete(e.pointerId) && touches.size === 0;
  pinch = null;
  if (one && moved <= 4 && e.type === 'pointerup') choose(pick(...local(e)));
};
canvas.addEventListener('pointerup', up);
canvas.addEventListener('pointercancel', up);
canvas.addEventListener('pointerleave', () => { tip.hidden = true; });
canvas.addEventListener('wheel', e => {
  e.preventDefault();
  tip.hidden = true;
  const [x, y] = local(e), size = e.deltaMode ? 16 : 1;
  if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) { panX += (e.deltaX || e.deltaY) * size; clamp(); draw(); }
  else if (e.ctrlKey || e.altKey) zoomColumns(Math.exp(-e.deltaY * size / 400), x);
  else zoomTime(Math.exp(-e.deltaY * size / 400), y);
}, {passive: false});
addEventListener('pointerdown', () => document.body.classList.remove('keys'));
addEventListener('keydown', e => {
  document.body.classList.add('keys');
  if (e.target.tagName === 'INPUT' && e.target.type !== 'checkbox') {
    if (e.key === 'Enter' && e.target === $('search')) { e.preventDefault(); go(e.shiftKey ? -1 : 1); }
    if (e.key === 'Escape') canvas.focus();
    return;
  }
  if (e.ctrlKey || e.metaKey || e.altKey) return;
  const move = (dx, dy) => { panX += dx; t0 += dy / scale; clamp(); draw(); };
  const key = {
    '+': () => zoomTime(1.5), '=': () => zoomTime(1.5), '-': () => zoomTime(1 / 1.5),
    ']': () => zoomColumns(1.4), '[': () => zoomColumns(1 / 1.4), '0': fit,
    ArrowUp: () => move(0, -60), ArrowDown: () => move(0, 60), ArrowLeft: () => move(-60, 0), ArrowRight: () => move(60, 0),
    PageUp: () => move(0, -room() * .9), PageDown: () => move(0, room() * .9), Home: () => move(0, -1e18), End: () => move(0, 1e18),
    n: () => go(1), N: () => go(-1), '/': () => $('search').focus(), Escape: () => choose(null),
  }[e.key];
  if (key && !(e.target.tagName === 'SUMMARY' && e.key.startsWith('Arrow'))) { e.preventDefault(); key(); }
});
let typed = 0;
$('search').addEventListener('input', () => { clearTimeout(typed); typed = setTimeout(() => { query = $('search').value; search(); }, 120); });
const click = (id, action) => $(id).addEventListener('click', action);
click('before', () => go(-1)); click('after', () => go(1)); click('fit', fit);
click('closer', () => zoomTime(1.6)); click('farther', () => zoomTime(1 / 1.6));
click('wider', () => zoomColumns(1.5)); click('narrower', () => zoomColumns(1 / 1.5));
click('filter', () => { const f = $('filters'); f.hidden = !f.hidden; $('filter').setAttribute('aria-expanded', String(!f.hidden)); resize(); });
click('theme', () => {
  const root = document.documentElement, dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = root.dataset.theme || (dark ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
  readColours(); draw();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => { readColours(); draw(); });
$('viewers').addEventListener('toggle', moment);

// ---------- begin ----------
const swatch = colour => { const s = make('span', undefined, 'swatch'); s.style.background = colour; return s; };
const legend = (colour, text) => { const s = make('span'); s.append(swatch(colour), text); $('legend').append(s); };
const filters = $('filters');
const check = (text, colour, on, change) => {
  const label = make('label'), box = make('input');
  box.type = 'checkbox'; box.checked = on;
  box.addEventListener('change', () => { change(box.checked); filter(); });
  label.append(box); if (colour) label.append(swatch(colour));
  label.append(text); filters.append(label);
  return box;
};
const entry = (text, hint, change) => {
  const label = make('label', text + ' '), box = make('input');
  box.type = 'text'; box.placeholder = hint;
  box.addEventListener('input', () => { change(list(box.value)); filter(); });
  label.append(box); filters.append(label);
  return box;
};
if (F) F.kinds.forEach((kind, k) => { if (kindsThere[k]) { check(kind.name, kind.colour, true, on => { show.kinds[k] = on; }).dataset.kind = kind.name; legend(kind.colour, kind.name); } });
if (F) check('only bad', null, false, on => { show.onlyBad = on; }).id = 'onlybad';
if (F) entry('Sent by', 'all, or 0,2-5', nodes => { show.from = nodes; }).id = 'sentby';
entry('Columns', 'all, or 0-3', nodes => {
  show.columns = nodes ? new Set(D.nodes.map((n, i) => nodes.has(+n.replace(/^\D+/, '')) ? i : -1).filter(i => i >= 0)) : null;
  setTimeout(fit, 0);
}).id = 'columns';
S.kinds.forEach(kind => legend(kind.colour, kind.name));
if (L.rows.length) legend(L.colour, 'signal from host to host');
if (F && !isTrain) $('legend').append(make('span', '1 #2: frame of node 1 with Packet_Cnt 2. \u25b2 sent here \u25cb token taken \u2715 stripped by its source \u2014 absorbed \u25cf received; red edge: bad'));
$('title').textContent = D.title || D.kind;
if (D.holds !== null) {
  $('verdict').textContent = D.verdict || (D.holds ? 'all checks hold' : 'a check FAILED');
  $('verdict').classList.add(D.holds ? 'pass' : 'fail');
}
$('about').textContent = [`${D.kind}, ${N} nodes`, `${when(FROM)} to ${when(TO)}`, F ? `${F.count} frames on links` : '',
  S.count ? `${S.count} spans` : ''].filter(Boolean).join(', ');
$('left').textContent = D.left_out.length ? 'Not in this page: ' + D.left_out.join(' ') : '';
$('reporttext').textContent = D.report;
const resize = () => {
  const box = $('space').getBoundingClientRect();
  W = Math.max(80, box.width); H = Math.max(80, box.height);
  canvas.width = Math.round(W * devicePixelRatio); canvas.height = Math.round(H * devicePixelRatio);
  clamp(); draw();
};
new ResizeObserver(resize).observe($('space'));
readColours();
filter();
resize();
fitColumns();
// From the first frame or activity on, as close as it can be read.
const fromHash = () => { const m = /^#t=(\d+)$/.exec(location.hash); if (m) look(+m[1]); return !!m; };
const begin = () => {
  // The length of a usual frame.
  const usual = frames ? Array.from(F.length.slice(0, 200)).sort((a, b) => a - b)[Math.min(100, F.count >> 1)] || 16 : 16;
  scale = Math.max(fitScale(), frames ? Math.min(1.2, 40 / usual) : fitScale());
  const quiet = ['free token', 'control', 'control token'].map(k => F ? F.kinds.findIndex(kind => kind.name === k) : -1);
  const carry = F ? F.how.findIndex(h => !quiet.includes(h & 15)) : -1;
  t0 = carry < 0 ? FROM : F.first[carry] - 60 / scale;
  // Without frames all that happens, from the first of it on.
  if (!frames && S.count + T.rows.length) {
    t0 = Math.max(FROM, Math.min(S.count ? S.from[0] : TO, T.rows.length ? T.rows[0][1] : TO));
    scale = Math.max(fitScale(), room() / Math.max(1, TO - t0));
  }
  clamp(); draw();
};
begin();
fromHash();
addEventListener('hashchange', fromHash);
moment();
// For tests and scripts.
globalThis.awgstarPage = {
  frames: F ? F.count : 0, hits: () => hits.length, shown: () => shown ? shown.reduce((a, b) => a + b, 0) : 0,
  frame: i => ({first: F.first[i], link: F.link[i], length: F.length[i], name: name(i), rows: frameRows(i)}),
  point: i => { look(F.first[i], F.link[i]); const r = canvas.getBoundingClientRect();
    return [r.left + X(place[F.link[i]]) + colWidth() + (pitch - colWidth()) / 2, r.top + Y(F.first[i] + fibre(i) / 2 + reach(i) / 2)]; },
  registers: registersAt, fit, paint, view: () => ({t0, scale, pitch, panX}),
};
})();
