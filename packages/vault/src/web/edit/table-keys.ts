import { syntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import type { Command, KeyBinding } from '@codemirror/view';
import { columnAt, formatTable, isTable, parseRow, stepCell } from './table-text.ts';

type FoundTable = { from: number; to: number; firstLine: number; lines: string[] };

/** The table around a position; null if there is none. */
function tableAt(state: EditorState, pos: number): FoundTable | null {
  for (let node = syntaxTree(state).resolveInner(pos, -1); node.parent !== null; node = node.parent)
    if (/Code|HTMLBlock/.test(node.name)) return null;
  const { doc } = state;
  const isRow = (number: number): boolean =>
    number >= 1 && number <= doc.lines && doc.line(number).text.includes('|');
  let first = doc.lineAt(pos).number;
  if (!isRow(first)) return null;
  let last = first;
  while (isRow(first - 1)) first -= 1;
  while (isRow(last + 1)) last += 1;
  const lines = Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index).text);
  return isTable(lines)
    ? { from: doc.line(first).from, to: doc.line(last).to, firstLine: first, lines }
    : null;
}

/** Moves to another cell, and aligns the columns of the table. */
function moveToCell(step: 1 | -1): Command {
  return (view) => {
    const { state } = view;
    const { head } = state.selection.main;
    const table = tableAt(state, head);
    if (table === null || state.readOnly) return false;
    const line = state.doc.lineAt(head);
    const row = line.number - table.firstLine;
    const columns = Math.max(...table.lines.map((each) => parseRow(each).length));
    const column = columnAt(line.text, head - line.from);
    const target = stepCell({ row, column }, step, { rows: table.lines.length, columns });
    if (target === null) return true;
    const rows = target.row < table.lines.length ? table.lines : [...table.lines, '| |'];
    const formatted = formatTable(rows);
    const start = formatted.slice(0, target.row).reduce((sum, each) => sum + each.length + 1, table.from);
    const cell = parseRow(formatted[target.row] ?? '')[target.column];
    view.dispatch(
      state.update({
        changes: { from: table.from, to: table.to, insert: formatted.join('\n') },
        selection: { anchor: start + (cell?.from ?? 0), head: start + (cell?.to ?? 0) },
        scrollIntoView: true,
        userEvent: 'input',
      }),
    );
    return true;
  };
}

export const tableKeymap: readonly KeyBinding[] = [{ key: 'Tab', run: moveToCell(1), shift: moveToCell(-1) }];
