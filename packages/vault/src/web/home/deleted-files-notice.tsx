import { Undo2 } from 'lucide-react';
import { useConflictAwareAction } from '../activity/update-actions.tsx';
import type { Status } from '../api/client.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Warns that many files were deleted at once outside of Keepsake, and offers to restore them by undoing that change. */
export function DeletedFilesNotice({ loss }: { loss: NonNullable<Status['loss']> }) {
  const { api } = useServices();
  const { home } = useText();
  const format = useFormat();
  const { mutation: restoreFiles, dialog } = useConflictAwareAction(
    'undo',
    (choice) => api.history.undo(loss.id, choice),
    home.back,
  );
  const button = (
    <Button disabled={restoreFiles.isPending} onClick={() => restoreFiles.mutate(undefined)}>
      <Undo2 aria-hidden className="size-4" />
      {home.bringBack}
    </Button>
  );
  return (
    <Notice tone="warn" title={home.lost(loss.files)} actions={button}>
      {home.lostHint(format.ago(loss.at))}
      {dialog}
    </Notice>
  );
}
