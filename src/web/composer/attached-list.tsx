import { FileText, X } from 'lucide-react';
import { useStore } from '../live/store.ts';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { detach } from './composer-state.ts';

/** What will be sent along, each with a preview. */
export function AttachedList() {
  const { composer } = useServices();
  const text = useText().composer;
  const { attached } = useStore(composer);
  if (attached.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2 px-2 pt-2">
      {attached.map(({ id, name, preview }) => (
        <li
          key={id}
          className="flex h-11 max-w-56 items-center gap-2 rounded-medium border border-line bg-page pr-1 pl-1.5 text-small"
        >
          {preview === null ? (
            <FileText aria-hidden className="size-5 shrink-0 text-soft" />
          ) : (
            <img src={preview} alt="" className="size-8 shrink-0 rounded-small object-cover" />
          )}
          <span className="min-w-0 flex-1 truncate" title={name}>
            {name}
          </span>
          <IconButton label={text.remove(name)} onClick={() => detach(composer, id)}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </li>
      ))}
    </ul>
  );
}
