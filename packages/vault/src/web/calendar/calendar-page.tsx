import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { CalendarCheck, CalendarClock, ChevronLeft, ChevronRight, FileText, ScrollText } from 'lucide-react';
import type { LucideIcon } from 'lucide-react';
import { formatLocalTime } from '../../contract/index.ts';
import type { VaultDay } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { PlaceLink } from '../tasks/task-row.tsx';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { PageHeader } from '../ui/page.tsx';
import { monthGrid, moveMonth } from './month-grid.ts';

const maxLinesPerDay = 3;

/** A month with daily notes, changelog entries, deadlines and appointments, and the details of one day. */
export function CalendarPage() {
  const { queries } = useServices();
  const text = useDayText().calendar;
  const format = useFormat();
  const search = useSearch({ from: '/calendar' });
  const navigate = useNavigate();
  const local = formatLocalTime(Date.now()).slice(0, 10);
  const selected = search.day ?? local;
  const grid = monthGrid(selected);
  const { data, error } = useQuery({
    ...queries.notes.days(grid[0] ?? selected, grid.at(-1) ?? selected),
    placeholderData: (before) => before,
  });
  const today = data?.today ?? local;
  const byDay = new Map(data?.days.map((each) => [each.day, each]));
  const go = (day: string): void => void navigate({ to: '/calendar', search: { day } });
  return (
    <div className="mx-auto flex w-full max-w-[68rem] flex-col gap-5 px-4 pt-6 pb-12 wide:px-8">
      <PageHeader
        title={format.monthOfYear(selected)}
        actions={
          <>
            <IconButton label={text.previous} onClick={() => go(moveMonth(selected, -1))}>
              <ChevronLeft aria-hidden className="size-4" />
            </IconButton>
            <Button onClick={() => go(today)}>{text.now}</Button>
            <IconButton label={text.next} onClick={() => go(moveMonth(selected, 1))}>
              <ChevronRight aria-hidden className="size-4" />
            </IconButton>
          </>
        }
      />
      {error !== null && <ErrorNotice error={error} />}
      <div className="grid gap-6 min-[70rem]:grid-cols-[minmax(0,1fr)_18rem]">
        <div>
          <div aria-hidden className="grid grid-cols-7 pb-1 text-tiny text-soft">
            {grid.slice(0, 7).map((day) => (
              <span key={day} className="px-1.5">
                {format.weekday(day)}
              </span>
            ))}
          </div>
          <ul
            aria-label={format.monthOfYear(selected)}
            className="grid grid-cols-7 gap-px overflow-hidden rounded-large border border-line bg-line"
          >
            {grid.map((day) => (
              <li key={day} className="flex min-w-0">
                <DayCell
                  day={day}
                  value={byDay.get(day)}
                  isSelected={day === selected}
                  isToday={day === today}
                  isInMonth={day.slice(0, 7) === selected.slice(0, 7)}
                />
              </li>
            ))}
          </ul>
        </div>
        <DayDetails day={selected} value={byDay.get(selected)} today={today} />
      </div>
    </div>
  );
}

type CellProps = {
  day: string;
  value: VaultDay | undefined;
  isSelected: boolean;
  isToday: boolean;
  isInMonth: boolean;
};

type Line = { key: string; icon: LucideIcon; words: string; tone: string };

function linesOf({ notes, tasks, entries }: VaultDay): Line[] {
  return [
    ...tasks.map(({ path, line, title, time, isAppointment }) => ({
      key: `t${path}:${line}`,
      icon: isAppointment ? CalendarCheck : CalendarClock,
      words: time === null ? title : `${time} ${title}`,
      tone: 'text-accent',
    })),
    ...notes.map((path) => ({ key: path, icon: FileText, words: nameOf(path), tone: 'text-ink' })),
    ...entries.map(({ path, line, heading }) => ({
      key: `e${path}:${line}`,
      icon: ScrollText,
      words: heading,
      tone: 'text-soft',
    })),
  ];
}

function DayCell({ day, value, isSelected, isToday, isInMonth }: CellProps) {
  const text = useDayText().calendar;
  const format = useFormat();
  const lines = value === undefined ? [] : linesOf(value);
  const found = value?.found ?? 0;
  return (
    <Link
      to="/calendar"
      search={{ day }}
      aria-current={isSelected ? 'date' : undefined}
      className={`relative flex min-h-14 min-w-0 flex-1 flex-col gap-0.5 p-1 -outline-offset-2 wide:min-h-28 wide:p-1.5 ${isSelected ? 'bg-accent-soft' : isInMonth ? 'bg-surface hover:bg-hover' : 'bg-sunken hover:bg-hover'}`}
    >
      <span className="sr-only">{`${format.day(day)}: ${text.count(found)}`}</span>
      <span
        aria-hidden
        className={`grid size-6 place-items-center rounded-full text-tiny tabular-nums ${isToday ? 'bg-accent font-semibold text-on-accent' : isInMonth ? '' : 'text-soft'}`}
      >
        {Number(day.slice(8))}
      </span>
      {lines.slice(0, maxLinesPerDay).map(({ key, icon: Icon, words, tone }) => (
        <span
          key={key}
          aria-hidden
          className={`hidden min-w-0 items-start gap-1 text-tiny wide:flex ${tone}`}
        >
          <Icon aria-hidden className="mt-0.5 size-3 shrink-0" />
          <span className="line-clamp-2 min-w-0 break-words">{words}</span>
        </span>
      ))}
      {found > maxLinesPerDay && (
        <span aria-hidden className="hidden text-tiny text-soft wide:block">
          {text.more(found - maxLinesPerDay)}
        </span>
      )}
      {found > 0 && (
        <span aria-hidden className="flex gap-0.5 px-1 wide:hidden">
          {lines.slice(0, maxLinesPerDay).map(({ key, tone }) => (
            <span key={key} className={`size-1.5 rounded-full bg-current ${tone}`} />
          ))}
        </span>
      )}
    </Link>
  );
}

function DayDetails({ day, value, today }: { day: string; value: VaultDay | undefined; today: string }) {
  const text = useDayText().calendar;
  const format = useFormat();
  const tasks = value?.tasks ?? [];
  const groups = [
    { title: text.appointments, items: tasks.filter(({ isAppointment }) => isAppointment) },
    { title: text.tasks, items: tasks.filter(({ isAppointment }) => !isAppointment) },
  ].map(({ title, items }) => ({
    title,
    rows: items.map(({ path, line, title: words, time }) => ({
      path,
      line,
      words: time === null ? words : `${time} ${words}`,
    })),
  }));
  const notes = (value?.notes ?? []).map((path) => ({ path, line: null, words: nameOf(path) }));
  const entries = (value?.entries ?? []).map(({ path, line, heading }) => ({ path, line, words: heading }));
  const all = [...groups, { title: text.notes, rows: notes }, { title: text.entries, rows: entries }];
  return (
    <section aria-label={format.day(day)} className="flex min-w-0 flex-col gap-4">
      <h2 className="text-large font-semibold first-letter:uppercase">{format.day(day)}</h2>
      {value === undefined && <p className="text-small text-soft">{text.nothing}</p>}
      {all
        .filter(({ rows }) => rows.length > 0)
        .map(({ title, rows }) => (
          <div key={title} className="flex flex-col gap-1">
            <h3
              className={`text-tiny font-semibold ${title === text.tasks && day < today ? 'text-danger' : 'text-soft'}`}
            >
              {title}
            </h3>
            <ul className="flex flex-col gap-1.5">
              {rows.map(({ path, line, words }) => (
                <li key={`${path}:${line}:${words}`} className="flex min-w-0 flex-col">
                  <Link
                    to="/file/$"
                    params={{ _splat: path.replace(/^vault\//, '') }}
                    hash={line === null ? '' : `L${line}`}
                    className="text-small break-words hover:underline"
                  >
                    {words}
                  </Link>
                  <PlaceLink path={path} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      {day <= today && (
        <Link
          to="/activity"
          search={{ day }}
          className="w-fit text-small text-accent underline underline-offset-2"
        >
          {text.activity}
        </Link>
      )}
    </section>
  );
}

function nameOf(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/, '');
}
