import { Undo2 } from 'lucide-react';
import { useDecision } from '../activity/update-actions.tsx';
import type { Status } from '../api/client.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** Files were gone at once that nobody here has deleted; undoing that change brings them back. */
export function LossNotice({ loss }: { loss: NonNullable<Status['loss']> }) {
  const { api } = useServices();
  const { home } = useText();
  const format = useFormat();
  const { mutation: bringBack, dialog } = useDecision(
    (choice) => api.history.undo(loss.id, choice),
    home.back,
  );
  const button = (
    <Button disabled={bringBack.isPending} onClick={() => bringBack.mutate(undefined)}>
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
