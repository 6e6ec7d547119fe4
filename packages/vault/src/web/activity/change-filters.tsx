import { useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useId } from 'react';
import type { ChangeFilter, HistoryActivity } from '../api/history-api.ts';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Button } from '../ui/button.tsx';

type Props = { filter: ChangeFilter; onChange: (filter: ChangeFilter) => void };
type Author = HistoryActivity['days'][number]['who'];

const kinds = ['created', 'edited', 'deleted'] as const;

/** Filters by author, folder, kind of change and day. */
export function ChangeFilters({ filter, onChange }: Props) {
  const { queries } = useServices();
  const { changes: text } = useText();
  const format = useFormat();
  const { data: days } = useQuery(queries.history.days);
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const projects = tree?.byPath.get(status?.layout.projects ?? 'projects');
  const folders = [
    ...(tree?.root.children ?? []).filter(({ isFolder }) => isFolder),
    ...(projects?.children ?? []).filter(({ isFolder }) => isFolder),
  ];
  const authors = uniqueAuthors(days?.days.map(({ who }) => who) ?? []);
  const nameOf = ({ kind, name }: Author): string => (name === '' ? text.who[kind] : name);
  return (
    <div role="group" aria-label={text.filter} className="flex flex-wrap items-center gap-2">
      <Select
        label={text.byWho}
        all={text.anyone}
        value={filter.who === undefined ? '' : keyOf({ kind: filter.who, name: filter.name ?? '' })}
        options={authors.map((who) => [keyOf(who), nameOf(who)])}
        onChange={(key) => {
          const who = authors.find((each) => keyOf(each) === key);
          onChange({ ...filter, who: who?.kind, name: who?.name || undefined });
        }}
      />
      <Select
        label={text.byFolder}
        all={text.anywhere}
        value={filter.folder ?? ''}
        options={folders.map(({ path }) => [path, path])}
        onChange={(folder) => onChange({ ...filter, folder: folder || undefined })}
      />
      <Select
        label={text.byKind}
        all={text.anyKind}
        value={filter.kind ?? ''}
        options={kinds.map((kind) => [kind, text.kinds[kind]])}
        onChange={(key) => onChange({ ...filter, kind: kinds.find((kind) => kind === key) })}
      />
      {filter.day !== undefined && (
        <Button onClick={() => onChange({ ...filter, day: undefined })}>
          {format.day(filter.day)}
          <X aria-hidden className="size-4" />
        </Button>
      )}
      {Object.values(filter).some((value) => value !== undefined) && (
        <Button variant="ghost" onClick={() => onChange({})}>
          {text.clear}
        </Button>
      )}
    </div>
  );
}

function keyOf({ kind, name }: Author): string {
  return `${kind} ${name}`;
}

/** One entry per kind of author, plus one per named client. */
function uniqueAuthors(all: readonly Author[]): Author[] {
  const authors = new Map(
    all.flatMap(({ kind, name }) => {
      const whole = { kind, name: '' };
      const own = { kind, name };
      return (kind === 'client' ? [whole, own] : [whole]).map((who) => [keyOf(who), who]);
    }),
  );
  return [...authors.values()].toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
}

type SelectProps = {
  label: string;
  /** Label of the option that filters nothing. */
  all: string;
  value: string;
  options: [value: string, label: string][];
  onChange: (value: string) => void;
};

function Select({ label, all, value, options, onChange }: SelectProps) {
  const field = useId();
  const isListed = value === '' || options.some(([each]) => each === value);
  return (
    <>
      <label htmlFor={field} className="sr-only">
        {label}
      </label>
      <select
        id={field}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className={`h-8 min-w-0 flex-1 basis-36 truncate rounded-medium wide:max-w-44 wide:flex-none wide:basis-auto border bg-surface px-2 text-small font-medium ${value === '' ? 'border-line text-soft' : 'border-accent text-ink'}`}
      >
        <option value="">{all}</option>
        {options.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
        {!isListed && <option value={value}>{value}</option>}
      </select>
    </>
  );
}
