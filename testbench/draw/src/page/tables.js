// SPDX-License-Identifier: MIT OR Apache-2.0
// Sorts the tables of a page by a column, and shows the rows that have all words of a search.
'use strict';
(() => {
const tables = [...document.querySelectorAll('table.rows')];
const rows = tables.flatMap(table => [...table.tBodies[0].rows]);
// The number that a text begins with; NaN if there is none.
const number = text => { const m = /^[-+]?\d[\d.]*(e[-+]?\d+)?/i.exec(text); return m ? Number(m[0]) : NaN; };
const compare = (a, b) => {
  const x = number(a), y = number(b);
  if (!isNaN(x) && !isNaN(y) && x !== y) return x - y;
  if (isNaN(x) !== isNaN(y)) return isNaN(x) ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
};
for (const table of tables) {
  const body = table.tBodies[0], first = [...body.rows], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement('button');
    button.textContent = head.textContent || '\u00a0';
    button.title = 'Sort';
    head.replaceChildren(button);
    button.addEventListener('click', () => {
      const next = {ascending: 'descending', descending: ''}[head.getAttribute('aria-sort')] ?? 'ascending';
      for (const other of heads) other.removeAttribute('aria-sort');
      const sorted = first.slice();
      if (next) {
        head.setAttribute('aria-sort', next);
        const text = new Map(first.map(row => [row, row.cells[column].textContent]));
        const sign = next === 'ascending' ? 1 : -1;
        sorted.sort((a, b) => sign * compare(text.get(a), text.get(b)));
      }
      body.append(...sorted);
    });
  });
}
if (rows.length < 8) return;
const bar = document.createElement('p'), input = document.createElement('input'), found = document.createElement('span');
bar.className = 'find';
input.type = 'search'; input.id = 'search'; input.placeholder = 'Search the tables';
input.setAttribute('aria-label', 'Search the tables');
found.id = 'found'; found.setAttribute('aria-live', 'polite');
bar.append(input, found);
document.querySelector('h1').after(bar);
const folds = [...document.querySelectorAll('details')].map(fold => [fold, fold.open]);
input.addEventListener('input', () => {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const row of rows) {
    const text = words.length ? [...row.cells].map(cell => cell.textContent).join(' ').toLowerCase() : '';
    row.hidden = !words.every(word => text.includes(word));
    count += !row.hidden;
  }
  // A table that is folded opens for what is found in it.
  for (const [fold, open] of folds) fold.open = words.length ? !!fold.querySelector('tbody tr:not([hidden])') : open;
  found.textContent = words.length ? `${count} of ${rows.length} rows` : '';
});
addEventListener('keydown', e => {
  if (e.key !== '/' || e.target === input || e.ctrlKey || e.metaKey || e.altKey) return;
  e.preventDefault();
  input.focus();
});
})();
