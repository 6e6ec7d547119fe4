import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Check, ChevronsUp, ChevronUp, CircleAlert, Minus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { addDays } from '../../contract/index.ts';
import type { TaskItem, TaskSet, TaskStatus } from '../api/notes-api.ts';
import { useServices } from '../shell/services.ts';
import { useDayText } from '../text/day-text.ts';
import { useFormat } from '../text/format.ts';
import { Button } from '../ui/button.tsx';
import { daysBetween, dueOf } from './group-by-due.ts';

const statuses: TaskStatus[] = ['todo', 'started', 'waiting', 'done', 'cancelled'];

type Props = { task: TaskItem; onSet: (set: TaskSet) => void };

/** Whether the reader may change tasks. */
export function useCanChange(): boolean {
  const { data } = useQuery(useServices().queries.status);
  return data !== undefined && data.role !== 'reader';
}

/** Completes or reopens a task. */
export function DoneBox({ task, onSet, isDisabled }: Props & { isDisabled: boolean }) {
  const text = useDayText().tasks;
  const isDone = task.status === 'done';
  return (
    <button
      type="button"
      role="checkbox"
      aria-checked={isDone}
      aria-label={isDone ? text.reopen(task.title) : text.complete(task.title)}
      disabled={isDisabled}
      onClick={() => onSet({ status: isDone ? 'todo' : 'done' })}
      className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-small border enabled:hover:border-accent ${isDone ? 'border-accent bg-accent text-on-accent' : 'border-line-strong text-transparent enabled:hover:text-accent'}`}
    >
      <Check aria-hidden className="size-3.5" strokeWidth={3} />
    </button>
  );
}

const chip =
  'inline-flex h-6 max-w-full items-center gap-1 rounded-full border px-2 text-tiny whitespace-nowrap';

/** A native menu that looks like a chip, so that it works by keyboard and touch. */
function ChipSelect<Value extends string | number>(props: {
  label: string;
  value: Value;
  options: { value: Value; label: string }[];
  /** Shown instead of the chosen label. */
  icon?: ReactNode;
  tone: string;
  onChange: (value: string) => void;
}) {
  const { label, value, options, icon, tone, onChange } = props;
  return (
    <span
      className={`relative ${chip} ${tone} focus-within:outline-2 focus-within:outline-accent hover:border-line-strong`}
    >
      {icon ?? <span aria-hidden>{options.find((option) => option.value === value)?.label}</span>}
      <select
        aria-label={label}
        title={options.find((option) => option.value === value)?.label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="absolute inset-0 size-full cursor-pointer appearance-none opacity-0"
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}

export function StatusChip({ task, onSet }: Props) {
  const text = useDayText().tasks;
  const tones: Partial<Record<TaskStatus, string>> = {
    started: 'border-line bg-accent-soft text-accent',
    waiting: 'border-line bg-warn-soft text-warn',
    done: 'border-line bg-good-soft text-good',
  };
  return (
    <ChipSelect
      label={text.ofTask(text.status, task.title)}
      value={task.status}
      options={statuses.map((value) => ({ value, label: text.statuses[value] }))}
      tone={tones[task.status] ?? 'border-line text-soft'}
      onChange={(value) => onSet({ status: value as TaskStatus })}
    />
  );
}

export function PriorityChip({ task, onSet }: Props) {
  const text = useDayText().tasks;
  return (
    <ChipSelect
      label={text.ofTask(text.priority, task.title)}
      value={task.priority}
      options={text.priorities.map((label, value) => ({ value, label }))}
      icon={<PriorityIcon priority={task.priority} />}
      tone={task.priority === 0 ? 'border-line text-danger' : 'border-line text-soft'}
      onChange={(value) => onSet({ priority: Number(value) })}
    />
  );
}

export function PriorityIcon({ priority }: { priority: number }) {
  const Icon = priority === 0 ? ChevronsUp : priority === 1 ? ChevronUp : Minus;
  return <Icon aria-hidden className={`size-3.5 shrink-0 ${priority === 0 ? 'text-danger' : 'text-soft'}`} />;
}

/** The deadline in words. Overdue, due and to come differ in icon and words, not only in color. */
function DueLabel({ day, time, today }: { day: string; time: string | null; today: string }) {
  const text = useDayText().tasks;
  const format = useFormat();
  const due = dueOf(day, today);
  const distance = daysBetween(today, day);
  const Icon = due === 'overdue' ? CircleAlert : CalendarClock;
  const words =
    distance === 0
      ? text.dues.today
      : distance === 1
        ? text.tomorrow
        : distance < 0
          ? text.late(-distance)
          : null;
  return (
    <>
      <Icon aria-hidden className="size-3.5 shrink-0" />
      {words !== null && <span className="font-medium">{words}</span>}
      {distance !== 0 && distance !== 1 && <span>{format.nearDay(day)}</span>}
      {time !== null && <span>{time}</span>}
    </>
  );
}

function dueTone(day: string | null, today: string): string {
  const due = dueOf(day, today);
  if (due === 'overdue') return 'border-transparent bg-danger-soft text-danger';
  if (due === 'today') return 'border-transparent bg-accent-soft text-accent';
  return 'border-line text-soft';
}

/** The deadline for readers, who cannot change it; nothing if there is none. */
export function ReadOnlyDue({ task: { day, time }, today }: { task: TaskItem; today: string }) {
  if (day === null) return null;
  return (
    <span
      className={`inline-flex h-6 w-fit items-center gap-1 rounded-full border px-2 text-tiny ${dueTone(day, today)}`}
    >
      <DueLabel day={day} time={time} today={today} />
    </span>
  );
}

/** The deadline as a chip that opens a choice of days. */
export function DueChip({ task, today, onSet }: Props & { today: string }) {
  const text = useDayText().tasks;
  const [isOpen, setIsOpen] = useState(false);
  const root = useRef<HTMLSpanElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isOpen) return;
    const leave = ({ target }: Event): void => {
      if (target instanceof Node && root.current?.contains(target) === false) setIsOpen(false);
    };
    const press = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape') return;
      setIsOpen(false);
      opener.current?.focus();
    };
    document.addEventListener('pointerdown', leave);
    document.addEventListener('keydown', press);
    return () => {
      document.removeEventListener('pointerdown', leave);
      document.removeEventListener('keydown', press);
    };
  }, [isOpen]);
  const choose = (day: string | null): void => {
    setIsOpen(false);
    if (day !== task.day) onSet({ day });
  };
  const choices: [string, string][] = [
    [text.days.today, today],
    [text.days.tomorrow, addDays(today, 1)],
    [text.days.week, addDays(today, 7)],
  ];
  return (
    <span ref={root} className="relative inline-flex min-w-0">
      <button
        ref={opener}
        type="button"
        aria-expanded={isOpen}
        aria-label={task.day === null ? text.ofTask(text.setDay, task.title) : undefined}
        title={text.due}
        onClick={() => setIsOpen((was) => !was)}
        className={`${chip} ${task.day === null ? 'border-dashed border-line text-soft' : dueTone(task.status === 'done' ? null : task.day, today)} hover:border-line-strong`}
      >
        {task.day === null ? (
          <CalendarClock aria-hidden className="size-3.5" />
        ) : (
          <DueLabel day={task.day} time={task.time} today={task.status === 'done' ? task.day : today} />
        )}
      </button>
      {isOpen && (
        <div
          role="group"
          aria-label={text.ofTask(text.due, task.title)}
          className="absolute top-full right-0 z-30 mt-1 flex w-52 flex-col gap-1 rounded-medium border border-line bg-raised p-2 shadow-raised"
        >
          {choices.map(([label, day]) => (
            <Button key={day} variant="ghost" className="justify-start" onClick={() => choose(day)}>
              {label}
            </Button>
          ))}
          <label className="flex flex-col gap-1 px-1 text-tiny text-soft">
            {text.otherDay}
            <input
              type="date"
              defaultValue={task.day ?? ''}
              onChange={(event) => {
                if (/^[12]\d{3}-\d\d-\d\d$/.test(event.target.value)) choose(event.target.value);
              }}
              className="h-8 rounded-medium border border-line bg-surface px-2 text-small text-ink"
            />
          </label>
          {task.day !== null && (
            <Button variant="ghost" className="justify-start" onClick={() => choose(null)}>
              {text.noDay}
            </Button>
          )}
        </div>
      )}
    </span>
  );
}
