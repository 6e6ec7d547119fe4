import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { DragEvent } from 'react';
import type { TaskItem, TaskQuery, TaskStatus } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { DueChip, PriorityChip, ReadOnlyDue, StatusChip, useCanChange } from './task-controls.tsx';
import { PlaceLink } from './task-row.tsx';
import { useChangeTask } from './use-change-task.ts';

const columns: TaskStatus[] = ['todo', 'started', 'waiting', 'done'];
const maxCards = 50;

/** A column per status. A task moves by dragging its card or by the status chip on it. */
export function TaskBoard({ folder, due }: Pick<TaskQuery, 'folder' | 'due'>) {
  const [dragged, setDragged] = useState<TaskItem | null>(null);
  return (
    <div className="grid gap-3 wide:grid-cols-4">
      {columns.map((status) => (
        <Column
          key={status}
          query={{ status, folder, due, limit: maxCards }}
          dragged={dragged}
          onDrag={setDragged}
        />
      ))}
    </div>
  );
}

type ColumnProps = {
  query: TaskQuery;
  dragged: TaskItem | null;
  onDrag: (task: TaskItem | null) => void;
};

function Column({ query, dragged, onDrag }: ColumnProps) {
  const { queries } = useServices();
  const text = useDayText().tasks;
  const change = useChangeTask();
  const [isOver, setIsOver] = useState(false);
  const { data } = useQuery(queries.notes.tasks(query));
  const { status = 'todo' } = query;
  const accepts = dragged !== null && dragged.status !== status;
  const over = (event: DragEvent): void => {
    if (!accepts) return;
    event.preventDefault();
    setIsOver(true);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    if (dragged !== null && accepts) change.mutate({ task: dragged, set: { status } });
    onDrag(null);
  };
  return (
    <section
      aria-label={text.statuses[status]}
      onDragOver={over}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
      className={`flex min-w-0 flex-col gap-2 rounded-large p-2 ${isOver ? 'bg-accent-soft' : 'bg-sunken'}`}
    >
      <h2 className="flex items-baseline justify-between px-1 text-small font-semibold">
        {text.statuses[status]}
        <span className="text-tiny font-normal text-soft tabular-nums">{data?.found ?? ''}</span>
      </h2>
      <ul className="flex flex-col gap-2">
        {data?.tasks.map((task) => (
          <li key={`${task.path}:${task.line}:${task.title}`}>
            <Card task={task} today={data.day} onDrag={onDrag} />
          </li>
        ))}
      </ul>
      {data !== undefined && data.found > data.tasks.length && (
        <p className="px-1 text-tiny text-soft">{text.shown(data.tasks.length, data.found)}</p>
      )}
    </section>
  );
}

type CardProps = { task: TaskItem; today: string; onDrag: ColumnProps['onDrag'] };

function Card({ task, today, onDrag }: CardProps) {
  const change = useChangeTask();
  const canChange = useCanChange();
  const onSet = (set: Parameters<typeof change.mutate>[0]['set']): void => change.mutate({ task, set });
  return (
    <article
      draggable={canChange}
      onDragStart={() => onDrag(task)}
      onDragEnd={() => onDrag(null)}
      aria-busy={change.isPending}
      className={`group relative flex flex-col gap-2 rounded-medium border border-line bg-surface p-2.5 ${change.isPending ? 'cursor-progress' : canChange ? 'cursor-grab' : ''}`}
    >
      <Link
        to="/file/$"
        params={{ _splat: task.path.replace(/^vault\//, '') }}
        hash={`L${task.line}`}
        draggable={false}
        className="text-small break-words hover:underline"
      >
        {task.title}
      </Link>
      <div className="flex flex-wrap items-center gap-1.5">
        {canChange && <PriorityChip task={task} onSet={onSet} />}
        {canChange ? (
          <DueChip task={task} today={today} onSet={onSet} />
        ) : (
          <ReadOnlyDue task={task} today={today} />
        )}
        <PlaceLink path={task.path} />
      </div>
      {/* The column says the status. */}
      {canChange && (
        <span className="opacity-0 group-hover:opacity-100 focus-within:opacity-100 [@media(hover:hover)]:absolute [@media(hover:hover)]:top-1.5 [@media(hover:hover)]:right-1.5 [@media(hover:hover)]:rounded-full [@media(hover:hover)]:bg-surface [@media(hover:none)]:opacity-100">
          <StatusChip task={task} onSet={onSet} />
        </span>
      )}
    </article>
  );
}
