import { useMemo, useRef, useState } from 'react';
import type { FileText } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { setDraft } from './drafts.ts';
import type { Draft } from './drafts.ts';
import { hasSameContent, splitNote, withBody } from './note-parts.ts';
import type { NoteParts } from './note-parts.ts';
import type { Attempt, Version } from './save-merged.ts';

export type EditedText = ReturnType<typeof useEditedText>;

/** The edited text of a file and the version it is based on. Every change is stored as a draft. */
export function useEditedText(path: string, file: FileText) {
  const { drafts } = useServices();
  const found = useRef(drafts.get()[path]);
  const [based, setBased] = useState(found.current ?? { text: file.text, base: file.text, etag: file.etag });
  // The editor is uncontrolled. A new round mounts it again with another text.
  const [round, setRound] = useState(0);
  const typed = useRef(based.text);
  /** The last known version of the file. A ref, because a save may start before the next render. */
  const known = useRef<Version>({ base: based.base, etag: based.etag ?? '' });
  const [shown, setShown] = useState(based.text);
  const parts = useMemo(() => splitNote(path, based.text), [path, based.text]);
  const pieces = useRef<Pick<NoteParts, 'head' | 'body'>>({ head: parts.head, body: parts.body });
  const isChangedElsewhere = useMemo(
    () => file.etag !== based.etag && !hasSameContent(path, file.text, based.base),
    [path, file, based],
  );

  const startFrom = (draft: Draft): void => {
    known.current = { base: draft.base, etag: draft.etag ?? '' };
    setBased(draft);
    setDraft(drafts, path, draft);
  };
  return {
    /** The initial values of the fields in this round. */
    parts,
    round,
    shown,
    isRestored: found.current !== undefined,
    isUnsaved: shown !== based.base,
    isChangedElsewhere,
    /** The current text, including changes that are not rendered yet. */
    attempt: (): Attempt => ({ content: typed.current, ...known.current }),
    change(changed: Partial<typeof pieces.current>): void {
      pieces.current = { ...pieces.current, ...changed };
      typed.current = withBody(pieces.current, pieces.current.body);
      setShown(typed.current);
      setDraft(drafts, path, { text: typed.current, ...known.current });
    },
    /** Keeps the text and bases it on another version of the file. */
    rebase: (version: Version) => startFrom({ text: typed.current, ...version }),
    /** Replaces the text in the editor. */
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
