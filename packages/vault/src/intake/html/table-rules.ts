import type TurndownService from 'turndown';
import { unescapeListNumber } from '../markdown/escape-markdown.ts';
import { markdownTable } from '../markdown/markdown-table.ts';
import { lineBreak } from '../markdown/tidy-markdown.ts';
import { childElements, contains } from './dom.ts';
import type { Element } from './dom.ts';

type Cell = { text: string; isHead: boolean };

/** Converts data tables to GFM tables, and layout tables to the content of their cells. */
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
      const body = isDataTable(table, rows)
        ? renderTable(rows, (cell) => contents.get(cell) ?? '')
        : rows
            .flatMap(childElements)
            .map((cell) => (contents.get(cell) ?? '').trim())
            .join('\n\n');
      return `\n\n${caption === '' ? '' : `${caption}\n\n`}${body}\n\n`;
    },
  });
}

function rowsOf(table: Element): Element[] {
  const sections = childElements(table).flatMap((child) =>
    /^(?:THEAD|TBODY|TFOOT)$/.test(child.nodeName) ? childElements(child) : [child],
  );
  return sections.filter(({ nodeName }) => nodeName === 'TR');
}

function isDataTable(table: Element, rows: Element[]): boolean {
  const isWide = rows.some(({ children }) => children.length > 1);
  if (rows.length < 2 || !isWide || table.getAttribute('role') === 'presentation') return false;
  return !contains(table, 'table, pre, blockquote, hr, h1, h2, h3');
}

function renderTable(rows: Element[], contentOf: (cell: Element) => string): string {
  const grid = expandSpans(rows, contentOf).filter((row) => row.some((cell) => textOf(cell) !== ''));
  const width = grid.reduce(
    (max, row) => Math.max(max, row.findLastIndex((cell) => textOf(cell) !== '') + 1),
    0,
  );
  const lines = grid.map((row) => Array.from({ length: width }, (_, column) => row[column]));
  const isHeadless = !lines[0]?.every(isHead) && lines.every(([first]) => first?.isHead);
  const head = isHeadless ? [] : (lines.shift() ?? []);
  return markdownTable([head.map(headText), ...lines.map((line) => line.map(textOf))]);
}

/**
 * Repeats a cell that spans several rows in each row, and leaves all but the first column of a cell that spans several
 * columns empty.
 */
function expandSpans(rows: Element[], contentOf: (cell: Element) => string): (Cell | undefined)[][] {
  const grid: (Cell | undefined)[][] = rows.map(() => []);
  rows.forEach((row, top) => {
    let column = 0;
    for (const element of childElements(row)) {
      while (grid[top] && column in grid[top]) column += 1;
      const cell = { text: cellToSingleLine(contentOf(element)), isHead: element.nodeName === 'TH' };
      const [width, height] = [readSpan(element, 'colspan'), readSpan(element, 'rowspan')];
      for (const line of grid.slice(top, top + height)) {
        for (let at = 0; at < width; at += 1) line[column + at] = at === 0 ? cell : { ...cell, text: '' };
      }
      column += width;
    }
  });
  return grid;
}

function readSpan(cell: Element, name: string): number {
  const span = Number(cell.getAttribute(name) ?? '1');
  return Number.isInteger(span) && span > 0 ? Math.min(span, 50) : 1;
}

/** Joins the lines and list items of a cell into one line. */
function cellToSingleLine(content: string): string {
  return content
    .replaceAll(lineBreak, '')
    .split('\n')
    .map((line) => unescapeListNumber(line.trim().replace(/^- (?!\[)/, '')))
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
