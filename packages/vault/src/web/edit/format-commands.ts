import { EditorSelection } from '@codemirror/state';
import type { EditorState, Text } from '@codemirror/state';
import type { Command, EditorView, KeyBinding } from '@codemirror/view';
import { setHeading, toggleLineStyle, toggleTaskLine } from './format-text.ts';
import type { LineStyle } from './format-text.ts';

/** Puts a mark such as `**` around the selection or the word at the caret, or removes it. */
export function toggleMark(mark: string): Command {
  return (view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const size = mark.length;
    const spec = state.changeByRange((range) => {
      const { from, to } = range.empty ? (state.wordAt(range.head) ?? range) : range;
      if (isMarked(state.doc, from - size, to + size, mark))
        return {
          changes: [
            { from: from - size, to: from },
            { from: to, to: to + size },
          ],
          range: EditorSelection.range(range.anchor - size, range.head - size),
        };
      if (to - from >= 2 * size && isMarked(state.doc, from, to, mark))
        return {
          changes: [
            { from, to: from + size },
            { from: to - size, to },
          ],
          range: EditorSelection.range(from, to - 2 * size),
        };
      return {
        changes: [
          { from, insert: mark },
          { from: to, insert: mark },
        ],
        range: EditorSelection.range(range.anchor + size, range.head + size),
      };
    });
    view.dispatch(state.update(spec, { scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

/** Whether a range starts and ends with this mark, and not with a longer one: `**text**` is not marked with `*`. */
function isMarked(doc: Text, from: number, to: number, mark: string): boolean {
  if (from < 0 || to > doc.length || to - from < 2 * mark.length) return false;
  const text = doc.sliceString(from, to);
  if (!text.startsWith(mark) || !text.endsWith(mark)) return false;
  if (mark !== '*') return true;
  const outside = doc.sliceString(Math.max(0, from - 1), from) + doc.sliceString(to, to + 1);
  const inside = text.slice(1, 2) + text.slice(-2, -1);
  return !outside.includes('*') && !inside.includes('*');
}

/** Makes the selection a link. Without a selection the key is not handled, and opens the search. */
const insertLink: Command = (view) => {
  const { state } = view;
  const { from, to, empty } = state.selection.main;
  if (empty || state.readOnly) return false;
  const text = state.doc.sliceString(from, to);
  const isUrl = /^https?:\/\/\S+$/i.test(text);
  const insert = isUrl ? `[](${text})` : `[${text}]()`;
  view.dispatch(
    state.update({
      changes: { from, to, insert },
      selection: { anchor: isUrl ? from + 1 : from + insert.length - 1 },
      userEvent: 'input',
    }),
  );
  return true;
};

/** Changes the lines of the selection. The caret stays at the same text. */
function changeLines(change: (lines: string[]) => string[]): Command {
  return (view) => {
    const { state } = view;
    if (state.readOnly) return false;
    const first = state.doc.lineAt(state.selection.main.from);
    const last = state.doc.lineAt(state.selection.main.to);
    const lines = linesBetween(state, first.number, last.number);
    const changes = change(lines).flatMap((line, index) => {
      const old = state.doc.line(first.number + index);
      return line === old.text ? [] : [changeStart(old, line)];
    });
    const changeSet = state.changes(changes);
    // The caret at the start of a line stays before its text, after the new mark.
    const selection = state.selection.map(changeSet, 1);
    view.dispatch(state.update({ changes: changeSet, selection, scrollIntoView: true, userEvent: 'input' }));
    return true;
  };
}

function linesBetween({ doc }: EditorState, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => doc.line(first + index).text);
}

/** Replaces only the start of a line, so that positions in the rest stay. */
function changeStart(
  { from, text }: { from: number; text: string },
  line: string,
): { from: number; to: number; insert: string } {
  let same = 0;
  while (
    same < Math.min(text.length, line.length) &&
    text[text.length - 1 - same] === line[line.length - 1 - same]
  )
    same += 1;
  return { from, to: from + text.length - same, insert: line.slice(0, line.length - same) };
}

export const styleLines = (style: LineStyle): Command =>
  changeLines((lines) => toggleLineStyle(lines, style));
const makeHeading = (level: number): Command =>
  changeLines((lines) => lines.map((line) => setHeading(line, level)));
const toggleTask: Command = changeLines((lines) => lines.map(toggleTaskLine));

/** Makes the line a heading of the next lower level, and text after the third. */
export const cycleHeading: Command = (view: EditorView) => {
  const { text } = view.state.doc.lineAt(view.state.selection.main.head);
  const level = /^(#{1,6})[ \t]/.exec(text)?.[1]?.length ?? 0;
  return makeHeading(level >= 3 ? 0 : level + 1)(view);
};

export const formatKeymap: readonly KeyBinding[] = [
  { key: 'Mod-b', run: toggleMark('**'), preventDefault: true },
  { key: 'Mod-i', run: toggleMark('*'), preventDefault: true },
  { key: 'Mod-k', run: insertLink },
  { key: 'Mod-Shift-x', run: toggleMark('~~'), preventDefault: true },
  { key: 'Mod-Shift-7', run: styleLines('number'), preventDefault: true },
  { key: 'Mod-Shift-8', run: styleLines('bullet'), preventDefault: true },
  { key: 'Mod-Shift-9', run: styleLines('task'), preventDefault: true },
  { key: 'Mod-Enter', run: toggleTask, preventDefault: true },
  ...[0, 1, 2, 3].map((level) => ({
    key: `Mod-Alt-${level}`,
    run: makeHeading(level),
    preventDefault: true,
  })),
];
