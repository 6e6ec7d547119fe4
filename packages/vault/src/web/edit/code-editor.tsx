import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { markdown } from '@codemirror/lang-markdown';
import { syntaxHighlighting } from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { useEffect, useRef } from 'react';
import { frontmatter, highlight } from './note-language.ts';

type Props = {
  initial: string;
  /** The number of its first line in the file. */
  firstLine: number;
  isCaretAtEnd: boolean;
  label: string;
  onChange: (text: string) => void;
  /** Puts pictures into the vault; gives what stands for them in the text, empty when that failed. */
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
  // Less the border around it and what CodeMirror leaves in front of each line.
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
 * CodeMirror puts its styles into the page as text, which the policy of the page forbids; in a shadow root it makes
 * style sheets instead.
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
    /** Where the cursor is when they are in the vault. */
    const take = (event: Event, data: DataTransfer | null, editor: EditorView): boolean => {
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
          markdown({ extensions: frontmatter }),
          syntaxHighlighting(highlight),
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
            paste: (event, editor) => take(event, event.clipboardData, editor),
            drop: (event, editor) => take(event, event.dataTransfer, editor),
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.focus();
    return () => view.destroy();
    // The editor owns its text from then on.
  }, []);
  return (
    <div ref={host} className="rounded-medium border border-line bg-surface focus-within:border-accent" />
  );
}
