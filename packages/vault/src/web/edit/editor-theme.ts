import { EditorView } from '@codemirror/view';

/** The look of the editor, in the colors and sizes of reading view. */
export const editorTheme = EditorView.theme({
  '&': { color: 'var(--color-ink)', backgroundColor: 'transparent', fontSize: '0.9375rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-sans)', lineHeight: '1.5rem' },
  '.cm-content': { padding: '0.75rem 0', caretColor: 'var(--color-ink)', minHeight: '12rem' },
  '.cm-line': { paddingRight: '0.75rem' },
  '.cm-cursor': { borderLeftColor: 'var(--color-ink)' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--color-soft)', border: 'none' },
  // Subtracts the border, and the padding that CodeMirror adds before each line.
  '.cm-lineNumbers .cm-gutterElement': {
    boxSizing: 'border-box',
    minWidth: 'calc(var(--gutter) - 7px)',
    padding: '0 calc(var(--gutter-gap) - 6px) 0 4px',
    fontSize: '0.75rem',
    fontFamily: 'var(--font-mono)',
  },
  '@media (width < 40rem)': {
    '.cm-gutters': { display: 'none !important' },
    '.cm-line': { paddingLeft: '0.75rem' },
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--color-sunken)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--color-accent-soft)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--color-mark)' },
  '.cm-searchMatch-selected': {
    backgroundColor: 'var(--color-mark)',
    outline: '2px solid var(--color-warn)',
  },
  '.cm-panels': {
    backgroundColor: 'var(--color-surface)',
    color: 'var(--color-ink)',
    borderColor: 'var(--color-line)',
    zIndex: '5',
  },
  '.cm-panels-top': {
    top: 'var(--panels-top) !important',
    borderBottom: '1px solid var(--color-line)',
    borderRadius: '0.5rem 0.5rem 0 0',
  },
  '.cm-panel.cm-search': { padding: '0.5rem 2rem 0.5rem 0.5rem', fontSize: '0.8125rem' },
  '.cm-panel.cm-search label': { fontSize: '0.8125rem', whiteSpace: 'nowrap' },
  '.cm-textfield': {
    backgroundColor: 'var(--color-page)',
    border: '1px solid var(--color-line-strong)',
    borderRadius: '0.25rem',
    padding: '0.125rem 0.375rem',
    fontSize: '0.8125rem',
    color: 'inherit',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--color-surface)',
    border: '1px solid var(--color-line)',
    borderRadius: '0.25rem',
    fontSize: '0.8125rem',
    padding: '0.125rem 0.5rem',
    color: 'inherit',
  },
  '.cm-button:hover': { backgroundColor: 'var(--color-hover)' },
  '.cm-panel.cm-search [name=close]': { color: 'inherit', fontSize: '1.125rem', padding: '0 0.375rem' },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-raised)',
    color: 'var(--color-ink)',
    border: '1px solid var(--color-line)',
    borderRadius: '0.5rem',
    boxShadow: '0 8px 32px rgb(0 0 0 / 0.2)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-sans)',
    fontSize: '0.8125rem',
    maxHeight: '16rem',
    maxWidth: 'min(28rem, 90vw)',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.625rem', lineHeight: '1.25rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-accent)',
    color: 'var(--color-on-accent)',
  },
  '.cm-completionIcon': { display: 'none' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.75' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
});

/** Files that are not notes. */
export const codeTheme = EditorView.theme({
  '&': { fontSize: '0.8125rem' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.375rem' },
});

/** The look of drawn markdown. */
export const previewTheme = EditorView.theme({
  '.cm-heading': { fontWeight: '600' },
  // The marks of headings have the line of the caret only, and do not change the height of the line.
  '.cm-heading *': { textDecoration: 'none', fontWeight: '600' },
  '.cm-heading-1': { fontSize: '1.375rem', lineHeight: '1.875rem' },
  '.cm-heading-2': { fontSize: '1.125rem', lineHeight: '1.625rem' },
  '.cm-emphasis': { fontStyle: 'italic' },
  '.cm-strong': { fontWeight: '600' },
  '.cm-struck, .cm-done': { textDecoration: 'line-through', color: 'var(--color-soft)' },
  '.cm-done': { textDecoration: 'none' },
  '.cm-marked': { backgroundColor: 'var(--color-mark)', borderRadius: '0.25rem' },
  '.cm-inline-code': {
    fontFamily: 'var(--font-mono)',
    fontSize: '0.8125em',
    backgroundColor: 'var(--color-sunken)',
    borderRadius: '0.25rem',
    padding: '0.125rem 0.25rem',
  },
  '.cm-code-line': {
    fontFamily: 'var(--font-mono)',
    fontSize: '0.8125rem',
    backgroundColor: 'var(--color-sunken)',
  },
  '.cm-table-line': { fontFamily: 'var(--font-mono)', fontSize: '0.8125rem' },
  '.cm-quote-line': { borderLeft: '3px solid var(--color-line)', color: 'var(--color-soft)' },
  '.cm-note-link, .cm-tag': {
    color: 'var(--color-accent)',
    textDecoration: 'underline',
    textDecorationThickness: '1px',
    textUnderlineOffset: '0.2em',
  },
  '.cm-note-link *': { color: 'inherit' },
  '.cm-tag': { textDecoration: 'none' },
  '.cm-checkbox': { margin: '0 0.4375rem 0 0', verticalAlign: '-0.0625rem', cursor: 'pointer' },
  '.cm-bullet': { color: 'var(--color-soft)' },
  '.cm-rule': {
    display: 'inline-block',
    width: '100%',
    borderTop: '1px solid var(--color-line)',
    verticalAlign: 'middle',
  },
  '.cm-image': {
    maxWidth: '100%',
    maxHeight: '32rem',
    borderRadius: '0.5rem',
    border: '1px solid var(--color-line)',
    verticalAlign: 'bottom',
  },
  '.cm-table': { padding: '0.25rem 0.75rem 0.25rem 6px', overflowX: 'auto' },
  '.cm-table table': { borderCollapse: 'collapse', fontSize: '0.8125rem', lineHeight: '1.25rem' },
  '.cm-table th, .cm-table td': {
    borderBottom: '1px solid var(--color-line)',
    padding: '0.375rem 0.75rem 0.375rem 0',
    textAlign: 'start',
    verticalAlign: 'top',
    cursor: 'text',
    minWidth: '2rem',
  },
  '.cm-table th': { fontWeight: '600', borderBottomColor: 'var(--color-line-strong)' },
  '.cm-table code': { fontFamily: 'var(--font-mono)', fontSize: '0.8125em' },
  '.cm-table mark': { backgroundColor: 'var(--color-mark)', color: 'inherit' },
});
