import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { FileText } from '../api/files-api.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { mergeCleanly } from './merge.ts';
import { hasSameContent } from './note-parts.ts';
import { saveMerged, versionAfterSave } from './save-merged.ts';
import type { Attempt } from './save-merged.ts';
import type { EditedText } from './use-edited-text.ts';

/** The text that could not be saved, and the file in which the same lines changed. */
type Conflict = { attempt: Attempt; theirs: FileText };

export type SaveEdit = ReturnType<typeof useSaveEdit>;

/** Saves the edited text and closes the editor, unless there is a conflict or the user has continued typing. */
export function useSaveEdit(path: string, edited: EditedText, onClose: () => void) {
  const { api, client, queries, toasts } = useServices();
  const text = useText().edit;
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const close = async (): Promise<void> => {
    edited.removeDraft();
    await leave();
  };
  const discard = async (): Promise<void> => {
    const restore = edited.discard();
    if (restore !== null) toasts.show(text.discarded, restore);
    await leave();
  };
  const leave = async (): Promise<void> => {
    await client.invalidateQueries({ queryKey: ['file', path] });
    onClose();
  };
  const read = async (): Promise<FileText> => {
    try {
      return await client.fetchQuery({ ...queries.files.get(path), staleTime: 0 });
    } catch (error) {
      // If the file was deleted, the edited text is compared with an empty one, so the user can still save it.
      if (hasErrorCode(error, 'no-such-file')) return { text: '', etag: '', mediaType: '' };
      throw error;
    }
  };
  const compare = useMutation({
    mutationFn: read,
    onSuccess(theirs) {
      const attempt = edited.attempt();
      const merged =
        theirs.etag === ''
          ? null
          : mergeCleanly({ path, base: attempt.base, ours: attempt.content, theirs: theirs.text });
      if (merged === null) return setConflict({ attempt, theirs });
      edited.replace(merged, { base: theirs.text, etag: theirs.etag });
      toasts.show(text.merged);
    },
  });
  const save = useMutation({
    // Saves are serialized, because each one is based on the result of the one before.
    scope: { id: `save ${path}` },
    mutationFn: async (chosen: Attempt | null) => {
      const attempt = chosen ?? edited.attempt();
      const write = (content: string, etag: string | null) => api.files.save(path, content, etag);
      return { attempt, saved: await saveMerged({ path, save: write, read }, attempt) };
    },
    onSuccess: async ({ attempt, saved }, chosen) => {
      if (saved.kind === 'conflict') return setConflict(saved);
      const isMerged = !hasSameContent(path, saved.content, attempt.content);
      toasts.show(isMerged ? text.savedMerged : text.saved);
      if (chosen !== null || edited.attempt().content === attempt.content) return close();
      edited.rebase(versionAfterSave(path, attempt, await read()));
    },
  });
  return { save, compare, conflict, leaveConflict: () => setConflict(null), discard };
}
