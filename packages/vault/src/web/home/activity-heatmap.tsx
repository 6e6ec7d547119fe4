import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useServices } from '../shell/services.ts';
import { useFormat } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { Section } from '../ui/page.tsx';
import { authorGroups, buildActivityYear } from './activity-year.ts';
import type { AuthorGroup, ActivityDay } from './activity-year.ts';

const [step, size] = [10, 8.5];

const fills: Record<AuthorGroup, string> = {
  person: 'fill-who-person',
  agent: 'fill-who-agent',
  client: 'fill-who-client',
  other: 'fill-who-other',
};
const swatches: Record<AuthorGroup, string> = {
  person: 'bg-who-person',
  agent: 'bg-who-agent',
  client: 'bg-who-client',
  other: 'bg-who-other',
};

/** The last twelve months, with a cell per day that shows changes by author. */
export function ActivityHeatmap() {
  const { queries } = useServices();
  const text = useText().home;
  const { data } = useQuery(queries.history.days);
  const year = useMemo(() => data && buildActivityYear(data), [data]);
  if (data?.days.every(({ who }) => who.kind === 'upkeep') === true) return null;
  return (
    <Section title={text.year}>
      {year === undefined ? <div className="h-28" /> : <HeatmapGrid year={year} />}
    </Section>
  );
}

function HeatmapGrid({ year }: { year: readonly ActivityDay[] }) {
  const { home: text, changes } = useText();
  const format = useFormat();
  const navigate = useNavigate();
  const [active, setActive] = useState<number | null>(null);
  const at = active ?? year.length - 1;
  const weeks = Math.ceil(year.length / 7);
  const totals = authorGroups.map((group) => year.reduce((sum, { counts }) => sum + counts[group], 0));
  const nameOf = (group: AuthorGroup): string => (group === 'other' ? text.others : changes.who[group]);
  const describe = ({ day, counts, total }: ActivityDay): string => {
    const parts = authorGroups.filter((group) => counts[group] > 0);
    const by = parts.map((group) => `${nameOf(group)} ${format.number(counts[group])}`).join(', ');
    return `${format.day(day)}: ${text.changed(total)}${by === '' ? '' : ` (${by})`}`;
  };
  const open = (index: number): void => {
    const day = year[index]?.day;
    if (day !== undefined) void navigate({ to: '/activity', search: { day } });
  };
  const indexAt = (event: PointerEvent | React.MouseEvent): number | null => {
    const box = event.currentTarget.getBoundingClientRect();
    const week = Math.floor(((event.clientX - box.left) / box.width) * weeks);
    const index = week * 7 + Math.floor(((event.clientY - box.top) / box.height) * 7);
    return index >= 0 && index < year.length ? index : null;
  };
  const press = (event: KeyboardEvent): void => {
    const moves: Record<string, number> = { ArrowLeft: -7, ArrowRight: 7, ArrowUp: -1, ArrowDown: 1 };
    const move = moves[event.key];
    if (move !== undefined) setActive(Math.max(0, Math.min(year.length - 1, at + move)));
    else if (event.key === 'Home') setActive(0);
    else if (event.key === 'End') setActive(year.length - 1);
    else if (event.key === 'Enter' || event.key === ' ') open(at);
    else return;
    event.preventDefault();
  };
  const shown = active === null ? undefined : year[active];
  return (
    <div className="flex flex-col gap-2 rounded-large border border-line bg-surface p-3 wide:p-4">
      <div aria-hidden className="relative h-4 text-tiny text-soft">
        {year.map(({ day }, index) =>
          day.endsWith('-01') && index < year.length - 14 ? (
            <span
              key={day}
              className={`absolute ${Number(day.slice(5, 7)) % 2 === 0 ? 'max-wide:hidden' : ''}`}
              style={{ left: `${(Math.ceil(index / 7) / weeks) * 100}%` }}
            >
              {format.month(day)}
            </span>
          ) : null,
        )}
      </div>
      <div
        role="slider"
        tabIndex={0}
        aria-label={text.yearKeys}
        aria-valuemin={0}
        aria-valuemax={year.length - 1}
        aria-valuenow={at}
        aria-valuetext={year[at] && describe(year[at])}
        onKeyDown={press}
        onFocus={() => setActive((index) => index ?? year.length - 1)}
        onBlur={() => setActive(null)}
        onPointerMove={(event) => setActive(indexAt(event))}
        onPointerLeave={() => setActive(null)}
        onClick={(event) => {
          const index = indexAt(event);
          if (index !== null) open(index);
        }}
        className="cursor-pointer rounded-small outline-offset-4"
      >
        <svg aria-hidden viewBox={`0 0 ${weeks * step} ${7 * step}`} className="block w-full">
          {year.map((day, index) => (
            <HeatmapCell key={day.day} day={day} index={index} isActive={active === index} />
          ))}
        </svg>
      </div>
      <p className="min-h-5 text-small">
        {shown === undefined ? text.changed(totals.reduce((a, b) => a + b, 0)) : describe(shown)}
      </p>
      <ul className="flex flex-wrap gap-x-4 gap-y-1 text-tiny text-soft">
        {authorGroups.map((group, index) => (
          <li key={group} className="inline-flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-[0.125rem] ${swatches[group]}`} />
            {nameOf(group)} {format.number(totals[index] ?? 0)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** One day. Its colors show the authors from top to bottom; its opacity shows the number of changes. */
function HeatmapCell({
  day: { counts, total },
  index,
  isActive,
}: {
  day: ActivityDay;
  index: number;
  isActive: boolean;
}) {
  const [x, y] = [Math.floor(index / 7) * step, (index % 7) * step];
  let top = y;
  const strength = total >= 10 ? '' : total >= 3 ? 'opacity-80' : 'opacity-60';
  return (
    <>
      {total === 0 && <rect x={x} y={y} width={size} height={size} rx={1.5} className="fill-hover" />}
      {authorGroups.map((group) => {
        if (counts[group] === 0) return null;
        const height = (size * counts[group]) / total;
        const part = (
          <rect
            key={group}
            x={x}
            y={top}
            width={size}
            height={height}
            rx={height === size ? 1.5 : 0}
            className={`${fills[group]} ${strength}`}
          />
        );
        top += height;
        return part;
      })}
      {isActive && (
        <rect
          x={x - 0.5}
          y={y - 0.5}
          width={size + 1}
          height={size + 1}
          rx={2}
          className="fill-none stroke-ink"
        />
      )}
    </>
  );
}
