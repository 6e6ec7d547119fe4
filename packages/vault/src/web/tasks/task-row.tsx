import { Link } from '@tanstack/react-router';
import type { TaskItem } from '../api/notes-api.ts';
import {
  DoneBox,
  DueChip,
  PriorityChip,
  PriorityIcon,
  ReadOnlyDue,
  StatusChip,
  useCanChange,
} from './task-controls.tsx';
import { useChangeTask } from './use-change-task.ts';

type Props = { task: TaskItem; today: string; isBrief?: boolean };

/** A task with its box, its place and what can be changed by click. The brief form has only what differs from the default. */
export function TaskRow({ task, today, isBrief = false }: Props) {
  const change = useChangeTask();
  const canChange = useCanChange();
  const onSet = (set: Parameters<typeof change.mutate>[0]['set']): void => change.mutate({ task, set });
  const isOver = task.status === 'done' || task.status === 'cancelled';
  return (
    <div
      aria-busy={change.isPending}
      className={`flex min-w-0 items-start gap-2.5 py-1.5 ${isBrief ? 'min-h-9' : ''} ${change.isPending ? 'cursor-progress' : ''}`}
    >
      <DoneBox task={task} onSet={onSet} isDisabled={!canChange || change.isPending} />
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex min-w-0 flex-1 basis-56 items-baseline gap-1">
          {isBrief && task.priority === 0 && (
            <span className="mt-[3px] self-start">
              <PriorityIcon priority={0} />
            </span>
          )}
          <Link
            to="/file/$"
            params={{ _splat: task.path.replace(/^vault\//, '') }}
            hash={`L${task.line}`}
            className={`min-w-0 text-small break-words hover:underline ${isOver ? 'text-soft line-through' : ''}`}
          >
            {task.title}
          </Link>
          {task.repeat !== null && <span className="text-tiny text-soft">🔁 {task.repeat}</span>}
        </span>
        <span className="flex min-w-0 flex-wrap items-center gap-1.5 wide:justify-end">
          {!isBrief && canChange && <StatusChip task={task} onSet={onSet} />}
          {!isBrief && canChange && <PriorityChip task={task} onSet={onSet} />}
          {canChange ? (
            (!isBrief || task.day !== null) && <DueChip task={task} today={today} onSet={onSet} />
          ) : (
            <ReadOnlyDue task={task} today={today} />
          )}
          <span className="flex min-w-0 wide:w-32">
            <PlaceLink path={task.path} />
          </span>
        </span>
      </div>
    </div>
  );
}

/** The project or note of a task, short; nothing for the lists of the whole vault. */
export function PlaceLink({ path }: { path: string }) {
  const file = path.replace(/^vault\//, '');
  const name = placeName(file);
  if (name === null) return null;
  return (
    <Link
      to="/file/$"
      params={{ _splat: file }}
      title={file}
      tabIndex={-1}
      className="max-w-40 truncate text-tiny text-soft hover:underline"
    >
      {name}
    </Link>
  );
}

/** `projects/roof/tasks.md` is in roof, `tasks.md` in no project; other notes go by their own name. */
function placeName(file: string): string | null {
  const parts = file.split('/');
  const name = (parts.at(-1) ?? file).replace(/\.md$/, '');
  if (!/^(?:tasks|state|changelog|todo|t[aâ]ches|journal)$/i.test(name)) return name;
  return parts.at(-2) ?? null;
}
