import { useQuery } from '@tanstack/react-query';
import { Pin, PinOff } from 'lucide-react';
import { useUndo } from '../activity/use-undo.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { IconButton } from '../ui/button.tsx';
import { setPinned } from './set-pinned.ts';

/** Pins a note to the home page with a property of the note, so that the pin is in the vault and on every device. */
export function PinButton({ path }: { path: string }) {
  const { api, client, queries, toasts } = useServices();
  const text = useDayText().beside;
  const undoChange = useUndo();
  const { data: notes } = useQuery(queries.notes.list);
  const { data: status } = useQuery(queries.status);
  if (notes === undefined || status === undefined || status.role === 'reader') return null;
  const isPinned = notes.pinned.some((note) => note.path === `vault/${path}`);
  const toggle = async (): Promise<void> => {
    try {
      const file = await client.fetchQuery({ ...queries.files.get(path), staleTime: 0 });
      const { change } = await api.files.save(path, setPinned(file.text, !isPinned), file.etag);
      const undo = change === null ? undefined : () => void undoChange(change);
      toasts.show(isPinned ? text.unpinned : text.pinned, undo);
      await Promise.all(
        [['notes'], ['file', path]].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    } catch (error) {
      toasts.showError(error);
    }
  };
  const Icon = isPinned ? PinOff : Pin;
  return (
    <IconButton
      label={isPinned ? text.unpin : text.pin}
      aria-pressed={isPinned}
      onClick={() => void toggle()}
    >
      <Icon aria-hidden className="size-4" />
    </IconButton>
  );
}
