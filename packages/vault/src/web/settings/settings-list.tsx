import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';

type Item = {
  key: string;
  name: ReactNode;
  /** Details of the item, or a control. */
  detail: ReactNode;
  /** Label of the button that removes it; null if the viewer may not. */
  remove: string | null;
  onRemove: () => void;
};

type Props = {
  /** Undefined until the items are loaded. */
  items: Item[] | undefined;
  error: Error | null;
  /** Shown instead of an empty list. */
  none: string;
  /** Disables all buttons while an item is being removed. */
  isBusy: boolean;
};

/** A list of items that can be removed, one per line. */
export function SettingsList({ items, error, none, isBusy }: Props) {
  return (
    <>
      {error !== null && <ErrorNotice error={error} />}
      {items?.length === 0 && <p className="text-small">{none}</p>}
      {items !== undefined && items.length > 0 && (
        <ul className="divide-y divide-line rounded-medium border border-line bg-surface text-small">
          {items.map(({ key, name, detail, remove, onRemove }) => (
            <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1">
              <span className="min-w-0 flex-1 basis-32 font-medium break-words">{name}</span>
              <span className="text-soft">{detail}</span>
              {remove !== null && (
                <IconButton label={remove} disabled={isBusy} onClick={onRemove}>
                  <X aria-hidden className="size-4" />
                </IconButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
