import { useMemo, useRef, useState } from 'react';
import type { FileText } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { setDraft } from './drafts.ts';
import type { Draft } from './drafts.ts';
import { hasSameWords, splitNote, withBody } from './note-parts.ts';
import type { NoteParts } from './note-parts.ts';
import type { Attempt, Version } from './save-merged.ts';

export type EditedText = ReturnType<typeof useEditedText>;

/** The text of a file that is being edited, and the version of the file that it began from. Every change is stored as a draft. */
export function useEditedText(path: string, file: FileText) {
  const { drafts } = useServices();
  const found = useRef(drafts.get()[path]);
  const [based, setBased] = useState(found.current ?? { text: file.text, base: file.text, etag: file.etag });
  // The editor holds its text itself; another round begins with another one.
  const [round, setRound] = useState(0);
  const typed = useRef(based.text);
  /** Of the file as this page last knew it; a save may come before the page is drawn again. */
  const known = useRef<Version>({ base: based.base, etag: based.etag ?? '' });
  const [shown, setShown] = useState(based.text);
  const parts = useMemo(() => splitNote(path, based.text), [path, based.text]);
  const pieces = useRef<Pick<NoteParts, 'head' | 'body'>>({ head: parts.head, body: parts.body });
  const isChangedElsewhere = useMemo(
    () => file.etag !== based.etag && !hasSameWords(path, file.text, based.base),
    [path, file, based],
  );

  const startFrom = (draft: Draft): void => {
    known.current = { base: draft.base, etag: draft.etag ?? '' };
    setBased(draft);
    setDraft(drafts, path, draft);
  };
  return {
    /** What the fields of the editor begin with in this round. */
    parts,
    round,
    shown,
    isRestored: found.current !== undefined,
    isUnsaved: shown !== based.base,
    isChangedElsewhere,
    /** The text at this moment, also of a change that is not drawn yet. */
    attempt: (): Attempt => ({ content: typed.current, ...known.current }),
    change(changed: Partial<typeof pieces.current>): void {
      pieces.current = { ...pieces.current, ...changed };
      typed.current = withBody(pieces.current, pieces.current.body);
      setShown(typed.current);
      setDraft(drafts, path, { text: typed.current, ...known.current });
    },
    /** The text stays as it is, and goes on from another version of the file. */
    rebase: (version: Version) => startFrom({ text: typed.current, ...version }),
    /** Another text takes its place in the editor. */
    replace(text: string, version: Version): void {
      typed.current = text;
      pieces.current = splitNote(path, text);
      setShown(text);
      startFrom({ text, ...version });
      setRound(round + 1);
    },
    removeDraft: () => setDraft(drafts, path, null),
  };
}
