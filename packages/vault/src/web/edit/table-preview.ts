import { syntaxTree } from '@codemirror/language';
import { StateField } from '@codemirror/state';
import type { EditorState, Extension, Transaction } from '@codemirror/state';
import { Decoration, EditorView, WidgetType } from '@codemirror/view';
import type { DecorationSet } from '@codemirror/view';
import type { Tree } from '@lezer/common';
import { renderInline } from './render-inline.ts';
import { parseRow } from './table-text.ts';

type Span = { from: number; to: number };
type Drawn = { tree: Tree; tables: readonly Span[]; touched: string; decorations: DecorationSet };

/**
 * Draws tables that the selection does not touch. A decoration that replaces lines has to come from a state field, which knows
 * no visible part; so it looks at the top-level blocks only, when they have changed.
 */
export function tablePreview(): Extension {
  const field = StateField.define<Drawn>({
    create: (state) => drawTables(state, findTables(state)),
    update(drawn, transaction) {
      const { state } = transaction;
      const isParsed = syntaxTree(state) !== drawn.tree;
      if (!isParsed && !transaction.docChanged && transaction.selection === undefined) return drawn;
      return redrawTables(drawn, isParsed || transaction.docChanged, transaction);
    },
    provide: (from) => EditorView.decorations.from(from, ({ decorations }) => decorations),
  });
  return field;
}

function redrawTables(drawn: Drawn, isChanged: boolean, transaction: Transaction): Drawn {
  const { state, docChanged, changes } = transaction;
  if (docChanged && isPlainTyping(transaction, drawn.tables)) {
    const tables = drawn.tables.map(({ from, to }) => ({
      from: changes.mapPos(from),
      to: changes.mapPos(to),
    }));
    return { ...drawn, tree: syntaxTree(state), tables, decorations: drawn.decorations.map(changes) };
  }
  const tables = isChanged ? findTables(state) : drawn.tables;
  const isSame = !isChanged && touchedTables(state, tables) === drawn.touched;
  return isSame ? drawn : drawTables(state, tables);
}

const plain = /^[\p{L}\p{N} .,;!?'()]*$/u;

/**
 * Whether a change is only text within a line away from all tables. Such a change moves tables, but makes and ends none, so a long
 * note need not be searched for them.
 */
function isPlainTyping({ changes, state, startState }: Transaction, tables: readonly Span[]): boolean {
  let isPlain = true;
  changes.iterChanges((fromA, toA, fromB, _, inserted) => {
    const line = state.doc.lineAt(fromB);
    isPlain &&=
      line.text.slice(0, fromB - line.from).trim() !== '' &&
      plain.test(inserted.toString()) &&
      plain.test(startState.sliceDoc(fromA, toA)) &&
      !tables.some(({ from, to }) => fromA <= to + 1 && toA >= from - 1);
  });
  return isPlain;
}

function findTables(state: EditorState): Span[] {
  const tables: Span[] = [];
  syntaxTree(state).iterate({
    enter({ name, from, to }) {
      if (name === 'Table') tables.push({ from: state.doc.lineAt(from).from, to: state.doc.lineAt(to).to });
      return name === 'Document';
    },
  });
  return tables;
}

function touchedTables(state: EditorState, tables: readonly Span[]): string {
  const { ranges } = state.selection;
  return tables
    .flatMap((table, index) =>
      ranges.some(({ from, to }) => from <= table.to && to >= table.from) ? [index] : [],
    )
    .join();
}

function drawTables(state: EditorState, tables: readonly Span[]): Drawn {
  const touched = touchedTables(state, tables);
  const shown = new Set(touched.split(','));
  const ranges = tables.flatMap(({ from, to }, index) =>
    shown.has(`${index}`)
      ? []
      : [
          Decoration.replace({ widget: new TableWidget(state.doc.sliceString(from, to)), block: true }).range(
            from,
            to,
          ),
        ],
  );
  return { tree: syntaxTree(state), tables, touched, decorations: Decoration.set(ranges) };
}

/** A drawn table. A click puts the caret into the cell. */
class TableWidget extends WidgetType {
  readonly source: string;

  constructor(source: string) {
    super();
    this.source = source;
  }

  override eq(other: TableWidget): boolean {
    return other.source === this.source;
  }

  override get estimatedHeight(): number {
    return this.source.split('\n').length * 33;
  }

  override toDOM(view: EditorView): HTMLElement {
    const holder = document.createElement('div');
    holder.className = 'cm-table';
    const table = holder.appendChild(document.createElement('table'));
    let offset = 0;
    for (const [index, line] of this.source.split('\n').entries()) {
      if (index !== 1) table.append(drawRow(line, offset, index === 0 ? 'th' : 'td'));
      offset += line.length + 1;
    }
    holder.addEventListener('mousedown', (event) => {
      event.preventDefault();
      const cell = (event.target as Element).closest<HTMLElement>('[data-offset]');
      const anchor = view.posAtDOM(holder) + Number(cell?.dataset['offset'] ?? 0);
      view.dispatch({ selection: { anchor } });
      view.focus();
    });
    return holder;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

function drawRow(line: string, offset: number, tag: 'th' | 'td'): HTMLElement {
  const row = document.createElement('tr');
  for (const { text, to } of parseRow(line)) {
    const cell = row.appendChild(document.createElement(tag));
    cell.dataset['offset'] = `${offset + to}`;
    renderInline(cell, text);
  }
  return row;
}
