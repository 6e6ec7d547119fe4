import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { FileText } from '../api/client.ts';
import { isCode } from '../api/problem.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';
import { CodeEditor } from './code-editor.tsx';
import { ConflictView } from './conflict-view.tsx';
import { setDraft } from './drafts.ts';

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
  const [theirs, setTheirs] = useState<FileText | null>(null);
  const isChangedElsewhere = file.etag !== based.etag;

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
    mutationFn: ({ content, etag }: { content: string; etag: string | null }) =>
      // One that is not there has no tag.
      api.save(path, content, etag === '' ? null : etag),
    onSuccess: async (_, { content }) => {
      toasts.say(text.saved);
      if (theirs !== null || typed.current === content) return finish();
      // What was typed while it was being saved goes on from there.
      const { etag } = await client.fetchQuery({ ...queries.file(path), staleTime: 0 });
      const draft = { text: typed.current, base: content, etag };
      setBased(draft);
      setDraft(drafts, path, draft);
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
          const draft = { text: content, base: theirs.text, etag: theirs.etag };
          setDraft(drafts, path, draft);
          setBased(draft);
          setRound(round + 1);
          setTheirs(null);
        }}
      />
    );
  const isConflict = isCode(save.error, 'changed-since') || isCode(save.error, 'conflict');
  return (
    <div className="flex flex-col gap-3">
      {found.current !== undefined && <Notice title={text.restored} />}
      {isChangedElsewhere && !save.isPending && (
        <Notice
          tone="warn"
          title={text.changed}
          actions={<Button onClick={() => void compare()}>{text.compare}</Button>}
        />
      )}
      {save.error !== null && !isConflict && <ErrorNotice error={save.error} />}
      <CodeEditor
        key={round}
        initial={based.text}
        label={text.label}
        onChange={(content) => {
          typed.current = content;
          setDraft(drafts, path, { text: content, base: based.base, etag: based.etag });
        }}
        onSave={() => save.mutate({ content: typed.current, etag: based.etag })}
        onLeave={() => document.querySelector<HTMLElement>('#edit-save')?.focus()}
      />
      <div className="flex flex-wrap gap-2">
        <Button
          id="edit-save"
          look="primary"
          disabled={save.isPending}
          onClick={() => save.mutate({ content: typed.current, etag: based.etag })}
        >
          {save.isPending ? text.saving : text.save}
        </Button>
        <Button onClick={() => void finish()}>{text.discard}</Button>
      </div>
    </div>
  );
}
