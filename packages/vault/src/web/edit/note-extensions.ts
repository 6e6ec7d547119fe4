import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from '@codemirror/commands';
import { syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { EditorState } from '@codemirror/state';
import type { Extension } from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import type { KeyBinding } from '@codemirror/view';
import { noteCompletions } from './completions.ts';
import type { VaultNames } from './completions.ts';
import { codeTheme, editorTheme, previewTheme } from './editor-theme.ts';
import { formatKeymap } from './format-commands.ts';
import { livePreview } from './live-preview.ts';
import type { ImageUrl } from './live-preview.ts';
import { noteHighlightStyle, noteLanguage } from './note-language.ts';
import { openLinkOnClick } from './open-link.ts';
import type { NoteLinkText } from './open-link.ts';
import { pasteExtension } from './paste.ts';
import type { UploadImages } from './paste.ts';
import { keepBelowBars, typeOverSelection } from './page-input.ts';
import { tableKeymap } from './table-keys.ts';
import { tablePreview } from './table-preview.ts';

export type NoteOptions = {
  names: VaultNames;
  imageUrl: ImageUrl;
  uploadImages: UploadImages;
  openLink: (link: NoteLinkText) => void;
};

type TextOptions = {
  /** The line number in the file at which the text starts. */
  firstLine: number;
  label: string;
  /** Translations of CodeMirror's own texts. */
  phrases: Readonly<Record<string, string>>;
  onSave: () => void;
  onLeave: () => void;
};

/** What every text file has in the editor. */
export function textExtensions({ firstLine, label, phrases, onSave, onLeave }: TextOptions): Extension {
  const keys: KeyBinding[] = [
    { key: 'Mod-s', run: handled(onSave), preventDefault: true },
    // The search panel and the list of completions close first.
    ...completionKeymap,
    ...searchKeymap,
    { key: 'Escape', run: handled(onLeave) },
    { key: 'Tab', run: indentMore, shift: indentLess },
    ...defaultKeymap,
    ...historyKeymap,
  ];
  return [
    lineNumbers({ formatNumber: (line) => `${line + firstLine - 1}` }),
    history(),
    drawSelection(),
    dropCursor(),
    highlightActiveLine(),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    search({ top: true }),
    EditorView.lineWrapping,
    EditorState.lineSeparator.of('\n'),
    EditorState.phrases.of(phrases),
    keepBelowBars(),
    EditorView.domEventHandlers({ beforeinput: typeOverSelection }),
    editorTheme,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'true' }),
    keymap.of(keys),
  ];
}

/** What notes have in addition: their syntax, drawn in place, with completion and formatting. */
export function noteExtensions({ names, imageUrl, uploadImages, openLink }: NoteOptions): Extension {
  return [
    keymap.of([...tableKeymap, ...formatKeymap]),
    noteLanguage(),
    syntaxHighlighting(noteHighlightStyle),
    autocompletion({ override: noteCompletions(names), icons: false, maxRenderedOptions: 50 }),
    livePreview(imageUrl),
    tablePreview(),
    previewTheme,
    pasteExtension(uploadImages),
    openLinkOnClick(openLink),
  ];
}

export const codeExtensions: Extension = codeTheme;

const handled = (run: () => void) => (): boolean => {
  run();
  return true;
};
