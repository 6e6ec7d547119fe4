import { useEffect, useMemo, useRef, useState } from 'react';
import type { FileText } from '../api/files-api.ts';
import { useServices } from '../shell/services.ts';
import { isChanged, setDraft } from './drafts.ts';
import type { Draft } from './drafts.ts';
import { hasSameContent, splitNote, withBody } from './note-parts.ts';
import type { Attempt, Version } from './save-merged.ts';

export type EditedText = ReturnType<typeof useEditedText>;

/** How long after a key the draft is stored, in milliseconds. It is stored at once when the page is left. */
const draftDelayMs = 500;

type Pieces = { head: string; body: () => string };

/** The edited text of a file and the version it is based on. Every change is stored as a draft. */
export function useEditedText(path: string, file: FileText) {
  const { drafts } = useServices();
  const found = useRef(drafts.get()[path]);
  const [based, setBased] = useState(found.current ?? { text: file.text, base: file.text, etag: file.etag });
  // The editor is uncontrolled. A new round mounts it again with another text.
  const [round, setRound] = useState(0);
  /** The last known version of the file. A ref, because a save may start before the next render. */
  const known = useRef<Version>({ base: based.base, etag: based.etag ?? '' });
  const [isUnsaved, setIsUnsaved] = useState(isChanged(based));
  const parts = useMemo(() => splitNote(path, based.text), [path, based.text]);
  const pieces = useRef<Pieces | null>(null);
  const text = useRef<string | null>(based.text);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isChangedElsewhere = useMemo(
    () => file.etag !== based.etag && !hasSameContent(path, file.text, based.base),
    [path, file, based],
  );

  /** The text, which is built from its pieces only when it is needed. */
  const typed = (): string => {
    if (text.current === null && pieces.current !== null)
      text.current = withBody(pieces.current, pieces.current.body());
    return text.current ?? based.text;
  };
  const storeDraft = (): void => {
    if (timer.current === undefined) return;
    clearTimeout(timer.current);
    timer.current = undefined;
    setDraft(drafts, path, { text: typed(), ...known.current });
    setIsUnsaved(typed() !== known.current.base);
  };
  useFlush(storeDraft);

  const startFrom = (draft: Draft): void => {
    known.current = { base: draft.base, etag: draft.etag ?? '' };
    setBased(draft);
    setIsUnsaved(isChanged(draft));
    setDraft(drafts, path, draft);
  };
  const forgetTimer = (): void => {
    clearTimeout(timer.current);
    timer.current = undefined;
  };
  return {
    /** The initial values of the fields in this round. */
    parts,
    round,
    isRestored: found.current !== undefined,
    isUnsaved,
    isChangedElsewhere,
    /** The current text, including changes that are not rendered yet. */
    attempt: (): Attempt => ({ content: typed(), ...known.current }),
    change(changed: Partial<Pieces>): void {
      pieces.current = { ...(pieces.current ?? { head: parts.head, body: () => parts.body }), ...changed };
      text.current = null;
      setIsUnsaved(true);
      clearTimeout(timer.current);
      timer.current = setTimeout(storeDraft, draftDelayMs);
      // At once at first, so that the tab is not closed without a question.
      if (drafts.get()[path] === undefined) storeDraft();
    },
    /** Keeps the text and bases it on another version of the file. */
    rebase: (version: Version) => startFrom({ text: typed(), ...version }),
    /** Replaces the text in the editor. */
    replace(replacement: string, version: Version): void {
      forgetTimer();
      const { head, body } = splitNote(path, replacement);
      text.current = replacement;
      pieces.current = { head, body: () => body };
      startFrom({ text: replacement, ...version });
      setRound(round + 1);
    },
    removeDraft(): void {
      forgetTimer();
      setDraft(drafts, path, null);
    },
    /** Removes the draft. Returns a function that restores it; null if nothing was changed. */
    discard(): (() => void) | null {
      const draft = { text: typed(), ...known.current };
      forgetTimer();
      setDraft(drafts, path, null);
      // Not over another draft that was begun since.
      return isChanged(draft) ? () => drafts.get()[path] ?? setDraft(drafts, path, draft) : null;
    },
  };
}

/** Calls a function when the page is hidden, reloaded or left, and when the focus leaves a field. */
function useFlush(flush: () => void): void {
  const latest = useRef(flush);
  useEffect(() => void (latest.current = flush));
  useEffect(() => {
    const run = (): void => latest.current();
    window.addEventListener('pagehide', run);
    document.addEventListener('visibilitychange', run);
    document.addEventListener('focusout', run);
    return () => {
      window.removeEventListener('pagehide', run);
      document.removeEventListener('visibilitychange', run);
      document.removeEventListener('focusout', run);
      run();
    };
  }, []);
}
