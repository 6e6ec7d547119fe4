import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import type { FileText } from '../api/files-api.ts';
import { isCode } from '../api/problem.ts';
import { Markdown } from '../file/markdown.tsx';
import { takeApart } from '../file/note.ts';
import { StickyBar } from '../file/sticky-bar.tsx';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import { setDraft } from './drafts.ts';
import type { Draft } from './drafts.ts';
import { hasSameWords, isMarkdown, splitNote, withBody, withProperties } from './note-parts.ts';
import { PropertiesField } from './properties-field.tsx';
import { saveMerged } from './save-merged.ts';
import type { Attempt } from './save-merged.ts';
import { usePlaceImages } from './use-place-images.ts';

type Props = {
  path: string;
  file: FileText;
  /** The caret starts at the end, below the heading that a new note is made with. */
  isNew: boolean;
  onClose: () => void;
};

/** Edits a file. What is typed is kept as a draft until it is saved or thrown away. */
export function EditPanel({ path, file, isNew, onClose }: Props) {
  const { api, client, queries, drafts, toasts } = useServices();
  const text = useText().edit;
  const found = useRef(drafts.get()[path]);
  const [based, setBased] = useState(found.current ?? { text: file.text, base: file.text, etag: file.etag });
  // The editor holds its text itself; another round begins with another one.
  const [round, setRound] = useState(0);
  const typed = useRef(based.text);
  /** Of the file as this page last knew it; a save may come before the page is drawn again. */
  const known = useRef({ base: based.base, etag: based.etag ?? '' });
  const [shown, setShown] = useState(based.text);
  const preview = useDeferredValue(shown);
  const placeImages = usePlaceImages(path);
  const [conflict, setConflict] = useState<{ attempt: Attempt; theirs: FileText } | null>(null);
  const parts = useMemo(() => splitNote(path, based.text), [path, based.text]);
  const pieces = useRef({ head: parts.head, body: parts.body });
  const isChangedElsewhere = useMemo(
    () => file.etag !== based.etag && !hasSameWords(path, file.text, based.base),
    [path, file, based],
  );

  const goOnFrom = (draft: Draft): void => {
    known.current = { base: draft.base, etag: draft.etag ?? '' };
    setBased(draft);
    setDraft(drafts, path, draft);
  };
  const change = (changed: Partial<typeof pieces.current>): void => {
    pieces.current = { ...pieces.current, ...changed };
    typed.current = withBody(pieces.current, pieces.current.body);
    setShown(typed.current);
    setDraft(drafts, path, { text: typed.current, ...known.current });
  };
  const finish = async (): Promise<void> => {
    setDraft(drafts, path, null);
    await client.invalidateQueries({ queryKey: ['file', path] });
    onClose();
  };
  const read = async (): Promise<FileText> => {
    try {
      return await client.fetchQuery({ ...queries.files.get(path), staleTime: 0 });
    } catch (error) {
      // When it is gone, the typed text is compared with nothing, and can still be kept.
      if (isCode(error, 'no-such-file')) return { text: '', etag: '', mediaType: '' };
      throw error;
    }
  };
  const attemptOf = (content: string): Attempt => ({ content, ...known.current });
  const compare = useMutation({
    mutationFn: read,
    onSuccess: (theirs) => setConflict({ attempt: attemptOf(typed.current), theirs }),
  });
  const save = useMutation({
    // One after the other: the second goes on from what the first has made of the file.
    scope: { id: `save ${path}` },
    mutationFn: async (chosen: Attempt | null) => {
      const attempt = chosen ?? attemptOf(typed.current);
      const write = (content: string, etag: string | null) => api.files.save(path, content, etag);
      return { attempt, saved: await saveMerged({ path, save: write, read }, attempt) };
    },
    onSuccess: async ({ attempt, saved }, chosen) => {
      if (saved.kind === 'conflict') return setConflict(saved);
      const isMerged = !hasSameWords(path, saved.content, attempt.content);
      toasts.say(isMerged ? text.savedMerged : text.saved);
      if (chosen !== null || typed.current === attempt.content) return finish();
      // What was typed meanwhile goes on from there. Changes of others that it lacks are merged by the next save, which
      // begins from the text that was sent.
      const present = await read();
      const isSame = hasSameWords(path, present.text, attempt.content);
      const from = isSame
        ? { base: present.text, etag: present.etag }
        : { base: attempt.content, etag: attempt.etag };
      goOnFrom({ text: typed.current, ...from });
    },
  });

  if (conflict !== null) {
    const { attempt, theirs } = conflict;
    return (
      <ConflictView
        key={theirs.etag}
        versions={{ path, base: attempt.base, mine: attempt.content, theirs: theirs.text }}
        isSaving={save.isPending}
        error={save.error}
        onSave={(content) => save.mutate({ content, base: theirs.text, etag: theirs.etag })}
        onBack={(content) => {
          typed.current = content;
          pieces.current = splitNote(path, content);
          setShown(content);
          goOnFrom({ text: content, base: theirs.text, etag: theirs.etag });
          setRound(round + 1);
          setConflict(null);
        }}
      />
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <StickyBar>
        <div className="flex flex-wrap items-center gap-2">
          <Button id="edit-save" look="primary" disabled={save.isPending} onClick={() => save.mutate(null)}>
            {save.isPending ? text.saving : text.save}
          </Button>
          <Button onClick={() => void finish()}>{text.discard}</Button>
          {shown !== based.base && <span className="text-small text-warn">{text.unsaved}</span>}
        </div>
        {save.error !== null && <ErrorNotice title={text.failed} error={save.error} />}
        {compare.error !== null && <ErrorNotice error={compare.error} />}
        {isChangedElsewhere && !save.isPending && (
          <Notice
            tone="warn"
            title={text.changed}
            actions={<Button onClick={() => compare.mutate()}>{text.compare}</Button>}
          />
        )}
      </StickyBar>
      {found.current !== undefined && <Notice title={text.restored} />}
      <div className="min-[86rem]:grid min-[86rem]:grid-cols-2 min-[86rem]:gap-6">
        <div key={round} className="flex min-w-0 flex-col gap-3">
          {isMarkdown(path) && (
            <PropertiesField
              initial={parts.properties}
              onChange={(properties) => change({ head: withProperties(parts, properties) })}
            />
          )}
          <CodeEditor
            initial={parts.body}
            firstLine={parts.head.split('\n').length}
            isCaretAtEnd={isNew}
            label={text.label}
            onChange={(body) => change({ body })}
            onImages={placeImages}
            onSave={() => save.mutate(null)}
            onLeave={() => document.querySelector<HTMLElement>('#edit-save')?.focus()}
          />
        </div>
        <section
          aria-label={text.preview}
          tabIndex={0}
          className="prose plain sticky top-[calc(var(--header-height)+var(--bar-height))] hidden max-h-[calc(100vh-19rem)] min-w-0 self-start overflow-y-auto min-[86rem]:block"
        >
          <Markdown body={takeApart(preview).body} path={path} />
        </section>
      </div>
    </div>
  );
}
