import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { frontmatterExtension, noteHighlightStyle } from './note-language.ts';

type Props = {
  initial: string;
  /** The line number in the file at which the text starts. */
  firstLine: number;
  isCaretAtEnd: boolean;
  label: string;
  onChange: (text: string) => void;
  /** Uploads images and returns the markdown that embeds them; empty on failure. */
  onImages: (files: readonly File[]) => Promise<string>;
  onSave: () => void;
  onLeave: () => void;
};

const theme = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'transparent', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.375rem' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--color-ink)', minHeight: '12rem' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--color-soft)', border: 'none' },
  // Subtracts the border, and the padding that CodeMirror adds before each line.
  '.cm-lineNumbers .cm-gutterElement': {
    boxSizing: 'border-box',
    minWidth: 'calc(var(--gutter) - 7px)',
    padding: '0 calc(var(--gutter-gap) - 6px) 0 4px',
    fontSize: '0.75rem',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-sunken)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--color-accent-soft)',
  },
});

/**
 * The editor is in a shadow root, where CodeMirror uses constructed style sheets. In the document it would add inline styles,
 * which the content security policy forbids.
 */
export function CodeEditor({ initial, firstLine, isCaretAtEnd, label, ...handlers }: Props) {
  const { onChange, onImages, onSave, onLeave } = handlers;
  const host = useRef<HTMLDivElement>(null);
  const calls = useRef({ onChange, onImages, onSave, onLeave });
  useEffect(() => void (calls.current = { onChange, onImages, onSave, onLeave }));
  useEffect(() => {
    const element = host.current;
    if (element === null) return;
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' });
    const save = (): boolean => {
      calls.current.onSave();
      return true;
    };
    /** Uploads pasted or dropped images and inserts them at the cursor. */
    const insertImages = (event: Event, data: DataTransfer | null, editor: EditorView): boolean => {
      const images = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
      if (images.length === 0) return false;
      event.preventDefault();
      event.stopPropagation();
      void calls.current
        .onImages(images)
        .then((text) => text !== '' && editor.dispatch(editor.state.replaceSelection(text)));
      return true;
    };
    const view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: initial,
        selection: { anchor: isCaretAtEnd ? initial.length : 0 },
        extensions: [
          lineNumbers({ formatNumber: (line) => `${line + firstLine - 1}` }),
          history(),
          drawSelection(),
          highlightActiveLine(),
          EditorView.lineWrapping,
          EditorState.lineSeparator.of('\n'),
          markdown({ extensions: frontmatterExtension }),
          syntaxHighlighting(noteHighlightStyle),
          theme,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          keymap.of([
            { key: 'Mod-s', run: save, preventDefault: true },
            {
              key: 'Escape',
              run: () => {
                calls.current.onLeave();
                return true;
              },
            },
            indentWithTab,
            ...defaultKeymap,
            ...historyKeymap,
          ]),
          EditorView.domEventHandlers({
            paste: (event, editor) => insertImages(event, event.clipboardData, editor),
            drop: (event, editor) => insertImages(event, event.dataTransfer, editor),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.focus();
    return () => view.destroy();
    // The editor owns its text, so later values of the props are ignored.
  }, []);
  return (
    <div ref={host} className="rounded-medium border border-line bg-surface focus-within:border-accent" />
  );
}
