import type { ClipboardEvent, KeyboardEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { composerInputId, setDraftText } from './composer-state.ts';
import type { Composed } from './use-composed.ts';

type Props = {
  composed: Pick<Composed, 'mode' | 'draft' | 'typed'>;
  /** Whether the composer is collapsed to one line next to its buttons. */
  isIdle: boolean;
  onFocus: () => void;
  onFiles: (files: Iterable<File>) => void;
  onSend: () => void;
};

export function ComposerText({ composed: { mode, draft, typed }, isIdle, onFocus, onFiles, onSend }: Props) {
  const { composer } = useServices();
  const text = useText().composer;
  const paste = (event: ClipboardEvent): void => {
    const { files } = event.clipboardData;
    if (files.length === 0) return;
    event.preventDefault();
    onFiles(files);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || (!event.ctrlKey && !event.metaKey)) return;
    event.preventDefault();
    onSend();
  };
  return (
    <textarea
      id={composerInputId}
      value={typed}
      rows={1}
      onChange={(event) => setDraftText(composer, draft, event.target.value)}
      onFocus={onFocus}
      onPaste={paste}
      onKeyDown={press}
      placeholder={text.placeholder[mode]}
      aria-label={text.about[mode]}
      className={`resize-none rounded-large bg-transparent px-3 pt-2.5 pb-1 text-base outline-none ${isIdle ? 'h-10 min-w-0 flex-1 overflow-hidden whitespace-nowrap' : 'field-sizing-content max-h-48 min-h-10 w-full'}`}
    />
  );
}
