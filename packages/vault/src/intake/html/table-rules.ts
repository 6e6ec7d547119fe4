import type TurndownService from 'turndown';
import { withoutNumberEscape } from '../markdown/escape-markdown.ts';
import { markdownTable } from '../markdown/markdown-table.ts';
import { lineBreak } from '../markdown/tidy-markdown.ts';
import { childrenOf, holds } from './dom.ts';
import type { Element } from './dom.ts';

type Cell = { text: string; isHead: boolean };

/** Tables of data as GFM tables; a table that only lays out a page, as what stands in its cells. */
export function addTableRules(service: TurndownService): void {
  const contents = new WeakMap<Element, string>();
  service.addRule('cell', {
    filter: ['td', 'th'],
    replacement: (content, cell: Element) => {
      contents.set(cell, content);
      return '';
    },
  });
  service.addRule('rows', { filter: ['tr', 'thead', 'tbody', 'tfoot'], replacement: () => '' });
  service.addRule('columns', { filter: ['colgroup', 'col'], replacement: () => '' });
  service.addRule('table', {
    filter: 'table',
    replacement: (content, table: Element) => {
      const rows = rowsOf(table);
      const caption = content.trim();
      const body = isData(table, rows)
        ? renderTable(rows, (cell) => contents.get(cell) ?? '')
        : rows
            .flatMap(childrenOf)
            .map((cell) => (contents.get(cell) ?? '').trim())
            .join('\n\n');
      return `\n\n${caption === '' ? '' : `${caption}\n\n`}${body}\n\n`;
    },
  });
}

function rowsOf(table: Element): Element[] {
  const sections = childrenOf(table).flatMap((child) =>
    /^(?:THEAD|TBODY|TFOOT)$/.test(child.nodeName) ? childrenOf(child) : [child],
  );
  return sections.filter(({ nodeName }) => nodeName === 'TR');
}

function isData(table: Element, rows: Element[]): boolean {
  const isWide = rows.some(({ children }) => children.length > 1);
  if (rows.length < 2 || !isWide || table.getAttribute('role') === 'presentation') return false;
  return !holds(table, 'table, pre, blockquote, hr, h1, h2, h3');
}

function renderTable(rows: Element[], contentOf: (cell: Element) => string): string {
  const grid = layOut(rows, contentOf).filter((row) => row.some((cell) => textOf(cell) !== ''));
  const width = grid.reduce(
    (most, row) => Math.max(most, row.findLastIndex((cell) => textOf(cell) !== '') + 1),
    0,
  );
  const lines = grid.map((row) => Array.from({ length: width }, (_, column) => row[column]));
  const isHeadless = !lines[0]?.every(isHead) && lines.every(([first]) => first?.isHead);
  const head = isHeadless ? [] : (lines.shift() ?? []);
  return markdownTable([head.map(headText), ...lines.map((line) => line.map(textOf))]);
}

/** A cell over many rows is repeated in each of them; one over many columns leaves the others empty. */
function layOut(rows: Element[], contentOf: (cell: Element) => string): (Cell | undefined)[][] {
  const grid: (Cell | undefined)[][] = rows.map(() => []);
  rows.forEach((row, top) => {
    let column = 0;
    for (const element of childrenOf(row)) {
      while (grid[top] && column in grid[top]) column += 1;
      const cell = { text: inCell(contentOf(element)), isHead: element.nodeName === 'TH' };
      const [width, height] = [spanOf(element, 'colspan'), spanOf(element, 'rowspan')];
      for (const line of grid.slice(top, top + height)) {
        for (let at = 0; at < width; at += 1) line[column + at] = at === 0 ? cell : { ...cell, text: '' };
      }
      column += width;
    }
  });
  return grid;
}

function spanOf(cell: Element, name: string): number {
  const span = Number(cell.getAttribute(name) ?? '1');
  return Number.isInteger(span) && span > 0 ? Math.min(span, 50) : 1;
}

/** Lines and items of a list in a cell, in one line. */
function inCell(content: string): string {
  return content
    .replaceAll(lineBreak, '')
    .split('\n')
    .map((line) => withoutNumberEscape(line.trim().replace(/^- (?!\[)/, '')))
    .filter((line) => line !== '')
    .reduce((text, line) => (text === '' ? line : `${text}${/[.,;:!?]$/.test(text) ? '' : ';'} ${line}`), '');
}

function isHead(cell: Cell | undefined): boolean {
  return cell === undefined || cell.isHead;
}

function textOf(cell: Cell | undefined): string {
  return cell?.text ?? '';
}

function headText(cell: Cell | undefined): string {
  return textOf(cell).replace(/^\*\*((?:(?!\*\*).)+)\*\*$/, '$1');
}
