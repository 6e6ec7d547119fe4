import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { ListChecks } from 'lucide-react';
import type { ReactNode } from 'react';
import type { TaskItem, TaskQuery } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { PageHeader } from '../ui/page.tsx';
import { SegmentedControl } from '../ui/segmented-control.tsx';
import { dueGroups, groupByDue } from './group-by-due.ts';
import { TaskBoard } from './task-board.tsx';
import { TaskRow } from './task-row.tsx';
import type { parseTaskSearch } from './task-search.ts';

const statuses = ['todo', 'started', 'waiting', 'done', 'cancelled'] as const;

/** All tasks of the vault, as a list by deadline or as a board by status. */
export function TasksPage() {
  const { queries } = useServices();
  const text = useDayText().tasks;
  const search = useSearch({ from: '/tasks' });
  const navigate = useNavigate();
  const { view, status, folder, due } = search;
  const isBoard = view === 'board';
  // The list of projects comes with every response, so the board asks for it, too.
  const query: TaskQuery = isBoard ? { folder, due, limit: 1 } : { status, folder, due };
  const { data, error } = useQuery(queries.notes.tasks(query));
  const set = (change: Partial<typeof search>): void =>
    void navigate({ to: '/tasks', search: { ...search, ...change }, replace: true });
  const isFiltered = status !== undefined || folder !== undefined || due !== undefined;
  const isEmpty = data !== undefined && data.folders.length === 0 && data.found === 0 && !isFiltered;
  return (
    <div
      className={`mx-auto flex w-full flex-col gap-5 px-4 pt-6 pb-12 wide:px-8 ${isBoard ? 'max-w-[80rem]' : 'max-w-[60rem]'}`}
    >
      <PageHeader
        title={text.title}
        about={data === undefined ? '' : text.count(data.found)}
        actions={
          <SegmentedControl
            label={text.view}
            value={isBoard ? 'board' : 'list'}
            onChange={(next) => set({ view: next === 'board' ? 'board' : undefined })}
            options={[
              { value: 'list', label: text.views.list },
              { value: 'board', label: text.views.board },
            ]}
          />
        }
      />
      <TaskFilters search={search} folders={data?.folders ?? []} isFiltered={isFiltered} set={set} />
      {error !== null && <ErrorNotice error={error} />}
      {isEmpty && <EmptyState icon={ListChecks} title={text.empty} hint={text.emptyHint} />}
      {isBoard && !isEmpty && <TaskBoard folder={folder} due={due} />}
      {!isBoard && data !== undefined && data.tasks.length === 0 && !isEmpty && (
        <p className="text-small text-soft">{text.none}</p>
      )}
      {!isBoard && data !== undefined && <TaskGroups tasks={data.tasks} today={data.day} />}
      {!isBoard && data !== undefined && data.found > data.tasks.length && (
        <p className="text-small text-soft">{text.shown(data.tasks.length, data.found)}</p>
      )}
    </div>
  );
}

type Search = ReturnType<typeof parseTaskSearch>;
type FiltersProps = {
  search: Search;
  folders: readonly { path: string; tasks: number }[];
  isFiltered: boolean;
  set: (change: Partial<Search>) => void;
};

function TaskFilters({ search: { view, status, folder, due }, folders, isFiltered, set }: FiltersProps) {
  const text = useDayText().tasks;
  const isBoard = view === 'board';
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Choice
        label={text.place}
        value={folder ?? ''}
        onChange={(value) => set({ folder: value || undefined })}
      >
        <option value="">{text.anyPlace}</option>
        {folders.map(({ path, tasks }) => (
          <option key={path} value={path}>
            {nameOf(path)} ({tasks})
          </option>
        ))}
      </Choice>
      {!isBoard && (
        <Choice
          label={text.status}
          value={status ?? ''}
          onChange={(value) => set({ status: statuses.find((each) => each === value) })}
        >
          <option value="">{text.unfinished}</option>
          {statuses.map((each) => (
            <option key={each} value={each}>
              {text.statuses[each]}
            </option>
          ))}
        </Choice>
      )}
      <Choice
        label={text.due}
        value={due ?? ''}
        onChange={(value) => set({ due: dueGroups.find((each) => each === value) })}
      >
        <option value="">{text.anyDue}</option>
        {dueGroups.map((each) => (
          <option key={each} value={each}>
            {text.dues[each]}
          </option>
        ))}
      </Choice>
      {isFiltered && (
        <Button variant="ghost" onClick={() => set({ status: undefined, folder: undefined, due: undefined })}>
          {text.clear}
        </Button>
      )}
    </div>
  );
}

function TaskGroups({ tasks, today }: { tasks: readonly TaskItem[]; today: string }) {
  const text = useDayText().tasks;
  return groupByDue(tasks, today).map((group) => (
    <section key={group.due} className="flex flex-col gap-1">
      <h2
        className={`flex items-baseline gap-2 text-small font-semibold ${group.due === 'overdue' ? 'text-danger' : ''}`}
      >
        {text.dues[group.due]}
        <span className="text-tiny font-normal text-soft tabular-nums">{group.tasks.length}</span>
      </h2>
      <ul className="divide-y divide-line border-y border-line">
        {group.tasks.map((task) => (
          <li key={`${task.path}:${task.line}:${task.title}`}>
            <TaskRow task={task} today={today} />
          </li>
        ))}
      </ul>
    </section>
  ));
}

function nameOf(path: string): string {
  return path
    .replace(/^vault\//, '')
    .replace(/^.*\//, '')
    .replace(/\.md$/, '');
}

type ChoiceProps = { label: string; value: string; onChange: (value: string) => void; children: ReactNode };

function Choice({ label, value, onChange, children }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`h-8 max-w-48 rounded-medium border bg-surface px-2 text-small ${value === '' ? 'border-line text-soft' : 'border-accent text-ink'}`}
    >
      {children}
    </select>
  );
}
