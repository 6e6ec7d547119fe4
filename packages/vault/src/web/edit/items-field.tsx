import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { useText } from '../text/use-text.ts';

type Props = {
  id: string;
  label: string;
  items: readonly string[];
  /** Values to choose from; loaded when the field gets the focus. */
  suggest?: (() => Promise<readonly string[]>) | undefined;
  onChange: (items: readonly string[]) => void;
};

/** The items of a list, each with a button that removes it, and a field for another one. */
export function ItemsField({ id, label, items, suggest, onChange }: Props) {
  const text = useText().edit;
  const [typed, setTyped] = useState('');
  const [known, setKnown] = useState<readonly string[]>([]);
  const list = useId();
  const add = (): void => {
    const item = suggest === undefined ? typed.trim() : typed.trim().replace(/^#/, '');
    if (item !== '' && !items.includes(item)) onChange([...items, item]);
    setTyped('');
  };
  return (
    <div className="flex min-h-8 w-full flex-wrap items-center gap-1 rounded-medium border border-line bg-page px-1.5 py-1 focus-within:border-accent">
      {items.map((item, index) => (
        <span
          key={`${index}-${item}`}
          className="inline-flex max-w-full items-center rounded-full bg-hover pl-2 text-small"
        >
          <span className="min-w-0 truncate">{item}</span>
          <button
            type="button"
            aria-label={text.removeItem(item)}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
            className="inline-flex size-6 items-center justify-center rounded-full text-soft hover:text-ink"
          >
            <X aria-hidden className="size-3" />
          </button>
        </span>
      ))}
      <input
        id={id}
        aria-label={label}
        value={typed}
        list={known.length > 0 ? list : undefined}
        onFocus={() => void suggest?.().then(setKnown, () => setKnown([]))}
        onBlur={add}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' || event.key === ',') {
            event.preventDefault();
            add();
          } else if (event.key === 'Backspace' && typed === '' && items.length > 0)
            onChange(items.slice(0, -1));
        }}
        className="min-w-20 flex-1 bg-transparent px-1 text-base outline-none wide:text-small"
      />
      <datalist id={list}>
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
    </div>
  );
}
