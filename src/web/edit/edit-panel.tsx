import { useMutation } from '@tanstack/react-query';
import { useDeferredValue, useRef, useState } from 'react';
import type { FileText } from '../api/client.ts';
import { isCode } from '../api/problem.ts';
import { Markdown } from '../file/markdown.tsx';
import { takeApart } from '../file/note.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import { setDraft } from './drafts.ts';
import type { Draft } from './drafts.ts';
import { usePlaceImages } from './use-place-images.ts';

type Props = { path: string; file: FileText; onClose: () => void };

/** Edits a file. What is typed is kept as a draft until it is saved or thrown away. */
export function EditPanel({ path, file, onClose }: Props) {
  const { api, client, queries, drafts, toasts } = useServices();
  const text = useText().edit;
  const found = useRef(drafts.get()[path]);
  const [based, setBased] = useState(found.current ?? { text: file.text, base: file.text, etag: file.etag });
  // The editor holds its text itself; another round begins with another one.
  const [round, setRound] = useState(0);
  const typed = useRef(based.text);
  /** Of the file as this page last knew it; a save may come before the page is drawn anew. */
  const etag = useRef(based.etag);
  const [shown, setShown] = useState(based.text);
  const preview = useDeferredValue(shown);
  const placeImages = usePlaceImages(path);
  const [theirs, setTheirs] = useState<FileText | null>(null);
  const isChangedElsewhere = file.etag !== based.etag;

  const goOnFrom = (draft: Draft): void => {
    etag.current = draft.etag;
    setBased(draft);
    setDraft(drafts, path, draft);
  };
  const finish = async (): Promise<void> => {
    setDraft(drafts, path, null);
    await client.invalidateQueries({ queryKey: ['file', path] });
    onClose();
  };
  const compare = async (): Promise<void> => {
    const fresh = client.fetchQuery({ ...queries.file(path), staleTime: 0 });
    // When it is gone, what is typed stands against nothing, and can still be kept.
    setTheirs(
      await fresh.catch((error: unknown) => {
        if (isCode(error, 'no-such-file')) return { text: '', etag: '', mediaType: '' };
        throw error;
      }),
    );
  };
  const save = useMutation({
    // One after the other: the second goes on from what the first has made of the file.
    scope: { id: `save ${path}` },
    mutationFn: async (chosen: { content: string; etag: string } | null) => {
      const { content, etag: tag } = chosen ?? { content: typed.current, etag: etag.current };
      // One that is not there has no tag.
      await api.save(path, content, tag === '' ? null : tag);
      return content;
    },
    onSuccess: async (content) => {
      toasts.say(text.saved);
      if (theirs !== null || typed.current === content) return finish();
      // What was typed while it was being saved goes on from there.
      const saved = await client.fetchQuery({ ...queries.file(path), staleTime: 0 });
      goOnFrom({ text: typed.current, base: content, etag: saved.etag });
    },
    onError: async (error) => {
      // Somebody else was first: both texts are shown, and neither is lost.
      if (isCode(error, 'changed-since') || isCode(error, 'conflict')) await compare();
    },
  });

  if (theirs !== null)
    return (
      <ConflictView
        base={based.base}
        mine={typed.current}
        theirs={theirs.text}
        isSaving={save.isPending}
        onSave={(content) => save.mutate({ content, etag: theirs.etag })}
        onBack={(content) => {
          typed.current = content;
          setShown(content);
          goOnFrom({ text: content, base: theirs.text, etag: theirs.etag });
          setRound(round + 1);
          setTheirs(null);
        }}
      />
    );
  const isConflict = isCode(save.error, 'changed-since') || isCode(save.error, 'conflict');
  return (
    <div className="flex flex-col gap-3">
      {/* In sight wherever in the text one is, below the header where that stays, too. */}
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 bg-page py-2 wide:top-[6.5rem]">
        <Button id="edit-save" look="primary" disabled={save.isPending} onClick={() => save.mutate(null)}>
          {save.isPending ? text.saving : text.save}
        </Button>
        <Button onClick={() => void finish()}>{text.discard}</Button>
        {shown !== based.base && <span className="text-small text-warn">{text.unsaved}</span>}
      </div>
      {found.current !== undefined && <Notice title={text.restored} />}
      {isChangedElsewhere && !save.isPending && (
        <Notice
          tone="warn"
          title={text.changed}
          actions={<Button onClick={() => void compare()}>{text.compare}</Button>}
        />
      )}
      {save.error !== null && !isConflict && <ErrorNotice error={save.error} />}
      <div className="min-[86rem]:grid min-[86rem]:grid-cols-2 min-[86rem]:gap-6">
        <CodeEditor
          key={round}
          initial={based.text}
          label={text.label}
          onChange={(content) => {
            typed.current = content;
            setShown(content);
            setDraft(drafts, path, { text: content, base: based.base, etag: based.etag });
          }}
          onImages={placeImages}
          onSave={() => save.mutate(null)}
          onLeave={() => document.querySelector<HTMLElement>('#edit-save')?.focus()}
        />
        <section
          aria-label={text.preview}
          tabIndex={0}
          className="prose plain sticky top-40 hidden max-h-[calc(100vh-19rem)] min-w-0 self-start overflow-y-auto min-[86rem]:block"
        >
          <Markdown body={takeApart(preview).body} path={path} />
        </section>
      </div>
    </div>
  );
}
