import { useQuery } from '@tanstack/react-query';
import { SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useServices } from '../shell/services.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';
import { kinds, authorKinds } from './search-params.ts';
import type { SearchParams } from './search-params.ts';

type Props = { params: SearchParams; onChange: (next: Partial<SearchParams>) => void };

const field =
  'h-8 w-full min-w-0 wide:w-auto wide:max-w-56 rounded-medium border border-line bg-surface px-2 text-small text-ink';

/** Filters by folder, kind of file, date and author. On narrow screens they are shown on demand. */
export function SearchFilters({ params, onChange }: Props) {
  const { queries } = useServices();
  const { search: text, changes } = useText();
  const { data: tree } = useQuery(queries.files.tree);
  const folders = [...(tree?.byPath.values() ?? [])]
    .filter(({ isFolder, depth }) => isFolder && depth <= 2)
    .map(({ path }) => path)
    .toSorted();
  // The URL may name a folder that is nested deeper.
  const named = params.in !== undefined && !folders.includes(params.in) ? [params.in] : [];
  const [isOpen, setIsOpen] = useState(false);
  const active = [params.in, params.kind, params.from, params.to, params.who].filter(
    (value) => value !== undefined,
  ).length;
  return (
    <>
      <Button
        variant="ghost"
        className="-ml-3 self-start wide:hidden"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        <SlidersHorizontal aria-hidden className="size-4" />
        {text.filters(active)}
      </Button>
      <div
        className={`grid grid-cols-2 gap-x-4 gap-y-2 wide:flex wide:flex-wrap wide:gap-x-2 wide:[&_select]:max-w-44 ${isOpen ? '' : 'max-wide:hidden'}`}
      >
        <Select
          label={text.folder}
          value={params.in}
          onChange={(folder) => onChange({ in: folder })}
          options={[...named, ...folders].map((path) => [path, path])}
        />
        <Select
          label={text.kind}
          value={params.kind}
          onChange={(chosen) => onChange({ kind: kinds.find((kind) => kind === chosen) })}
          options={kinds.map((kind) => [kind, text.kinds[kind]])}
        />
        <DateField label={text.from} value={params.from} onChange={(from) => onChange({ from })} />
        <DateField label={text.to} value={params.to} onChange={(to) => onChange({ to })} />
        <Select
          label={text.who}
          value={params.who}
          onChange={(chosen) => onChange({ who: authorKinds.find((who) => who === chosen) })}
          options={authorKinds.map((who) => [who, changes.who[who]])}
        />
      </div>
    </>
  );
}

function LabeledField({ label, children }: { label: string; children: ReactNode }) {
  return (
    <label className="flex min-w-0 flex-col text-tiny text-soft">
      {label}
      {children}
    </label>
  );
}

type SelectProps = {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  options: readonly (readonly [value: string, label: string])[];
};

function Select({ label, value, onChange, options }: SelectProps) {
  const { search: text } = useText();
  return (
    <LabeledField label={label}>
      <select
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        className={field}
      >
        <option value="">{text.any}</option>
        {options.map(([each, shown]) => (
          <option key={each} value={each}>
            {shown}
          </option>
        ))}
      </select>
    </LabeledField>
  );
}

type DayProps = { label: string; value: string | undefined; onChange: (value: string | undefined) => void };

function DateField({ label, value, onChange }: DayProps) {
  return (
    <LabeledField label={label}>
      <input
        type="date"
        value={value ?? ''}
        onChange={({ target }) => onChange(target.value === '' ? undefined : target.value)}
        className={field}
      />
    </LabeledField>
  );
}
