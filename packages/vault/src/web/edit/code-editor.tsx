import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import type { RefObject } from 'react';
import { codeExtensions, noteExtensions, textExtensions } from './note-extensions.ts';
import { convertLineEnds } from './line-ends.ts';
import type { NoteOptions } from './note-extensions.ts';

type Props = {
  initial: string;
  /** The line number in the file at which the text starts. */
  firstLine: number;
  /** Where the caret is at first: at the end, or at a line of the file; null: at the start. */
  start: number | 'end' | null;
  label: string;
  phrases: Readonly<Record<string, string>>;
  /** Undefined for a file that is not a note. */
  note: NoteOptions | undefined;
  /** The editor, for the toolbar and for the page, which asks where the caret is. */
  editor: RefObject<EditorView | null>;
  /** Called with a function that returns the text, because building it after every key would be slow in a long note. */
  onChange: (text: () => string) => void;
  /** Called with the line of the caret in the file. */
  onUnmount: (line: number) => void;
  onSave: () => void;
  onLeave: () => void;
};

/**
 * The editor is in a shadow root, where CodeMirror uses constructed style sheets. In the document it would add inline styles,
 * which the content security policy forbids.
 */
export function CodeEditor({ initial, firstLine, start, label, phrases, note, editor, ...handlers }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const calls = useRef(handlers);
  useEffect(() => void (calls.current = handlers));
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const { shown, store } = convertLineEnds(initial);
    const extensions = [
      note === undefined ? codeExtensions : noteExtensions(note),
      textExtensions({
        firstLine,
        label,
        phrases,
        onSave: () => calls.current.onSave(),
        onLeave: () => calls.current.onLeave(),
      }),
      EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
        if (docChanged) calls.current.onChange(() => store(doc.toString()));
      }),
    ];
    const state = EditorState.create({ doc: shown, extensions });
    const view = new EditorView({ root, parent: root, state });
    editor.current = view;
    const anchor = positionOf(state, start, firstLine);
    view.dispatch({
      selection: { anchor },
      ...(typeof start === 'number' && {
        effects: EditorView.scrollIntoView(anchor, { y: 'start', yMargin: 24 }),
      }),
    });
    view.focus();
    return () => {
      editor.current = null;
      calls.current.onUnmount(view.state.doc.lineAt(view.state.selection.main.head).number + firstLine - 1);
      view.destroy();
    };
    // The editor owns its text, so later values of the props are ignored.
  }, []);
  return (
    <div
      ref={host}
      className="rounded-medium border border-line bg-surface [--panels-top:var(--bar-height)] focus-within:border-accent wide:[--panels-top:calc(var(--header-height)+var(--bar-height))]"
    />
  );
}

function positionOf({ doc }: EditorState, start: Props['start'], firstLine: number): number {
  if (start === 'end') return doc.length;
  const line = (start ?? firstLine) - firstLine + 1;
  return doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
}

/** The line of the file to read on at: that of the caret, or the first visible one if the caret is not visible. */
export function lineInSight(view: EditorView, firstLine: number): number {
  const { head } = view.state.selection.main;
  const caret = view.coordsAtPos(head);
  const isVisible = caret !== null && caret.top > 0 && caret.bottom < window.innerHeight;
  const top = Math.max(0, -view.documentTop + 200);
  const pos = isVisible ? head : view.lineBlockAtHeight(top).from;
  return view.state.doc.lineAt(pos).number + firstLine - 1;
}
