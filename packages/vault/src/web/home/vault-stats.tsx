import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';
import { noteCounts, buildActivityYear } from './activity-year.ts';

const [width, height] = [400, 60];

/** The number and size of the notes in the vault, the number of documents, and the growth over a year. */
export function VaultStats() {
  const { queries } = useServices();
  const text = useText().home;
  const format = useFormat();
  const { data: tree } = useQuery(queries.files.tree);
  const { data: days } = useQuery(queries.history.days);
  const totals = useMemo(() => {
    const notes = tree?.files.filter(({ path }) => path.endsWith('.md')) ?? [];
    return {
      notes: notes.length,
      tokens: notes.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
      documents: (tree?.files.length ?? 0) - notes.length,
    };
  }, [tree]);
  const growth = useMemo(
    // Without recorded changes, as in a folder that was just adopted, nothing is known about growth.
    () =>
      days?.days.some(({ who }) => who.kind !== 'upkeep') &&
      noteCounts(days, buildActivityYear(days), totals.notes),
    [days, totals.notes],
  );
  if (tree === undefined) return null;
  const figures: [string, number][] = [
    [text.notes, totals.notes],
    [text.tokens, totals.tokens],
    [text.documents, totals.documents],
  ];
  return (
    <Section title={text.holds}>
      <div className="flex flex-wrap items-end gap-x-8 gap-y-4 rounded-large border border-line bg-surface p-3 wide:p-4">
        <dl className="flex flex-wrap gap-x-8 gap-y-2">
          {figures.map(([name, value]) => (
            <div key={name} className="flex flex-col-reverse">
              <dt className="text-tiny text-soft">{name}</dt>
              <dd className="text-title font-semibold tabular-nums">{format.short(value)}</dd>
            </div>
          ))}
        </dl>
        {growth !== undefined && growth !== false && (
          <div className="min-w-48 flex-1 basis-64">
            <Sparkline values={growth} label={text.grew(growth[0] ?? 0, totals.notes)} />
          </div>
        )}
      </div>
    </Section>
  );
}

function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const max = Math.max(1, ...values);
  const points = values.map(
    (value, index) =>
      `${((index / Math.max(1, values.length - 1)) * width).toFixed(1)},${(height - (value / max) * (height - 4)).toFixed(1)}`,
  );
  return (
    <figure className="flex flex-col gap-1">
      <svg
        aria-hidden
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        className="block h-14 w-full"
      >
        <polygon points={`0,${height} ${points.join(' ')} ${width},${height}`} className="fill-accent-soft" />
        <polyline
          points={points.join(' ')}
          className="fill-none stroke-accent"
          strokeWidth={1.5}
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <figcaption className="text-tiny text-soft">{label}</figcaption>
    </figure>
  );
}
