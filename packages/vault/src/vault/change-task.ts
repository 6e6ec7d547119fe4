import { formsOf, removeWaitingTag, setDay, setPriority } from './task-marks.ts';
import type { TaskForms } from './task-marks.ts';
import { parseTasks } from './tasks.ts';
import type { StoredTask, Task } from './tasks.ts';

export const taskStatuses = ['todo', 'started', 'waiting', 'done', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What changes in a task; absent values stay. A `day` of null removes the deadline. */
export type TaskChange = {
  status?: TaskStatus | undefined;
  priority?: number | undefined;
  day?: string | null | undefined;
};

/** A task as its caller last saw it. */
export type ExpectedTask = { title: string; status: TaskStatus; priority: number; day: string | null };

export type TaskChangeResult =
  | { kind: 'changed'; text: string }
  /** No task is as expected, so it was changed elsewhere. */
  | { kind: 'changed-elsewhere' }
  /** The line is written in a form that cannot be changed without changing more than was asked. */
  | { kind: 'unsupported' };

export function taskStatus({ state, isStarted }: Pick<StoredTask, 'state' | 'isStarted'>): TaskStatus {
  return state === 'open' ? (isStarted ? 'started' : 'todo') : state;
}

/**
 * Changes a task in a text and keeps every other byte. The task is the one at this line or, if lines moved, the only one
 * that is as expected. The result is parsed again, so that a change has exactly the effect that was asked for.
 */
export function changeTask(
  text: string,
  lineNumber: number,
  expected: ExpectedTask,
  change: TaskChange,
): TaskChangeResult {
  const equal = parseTasks(text).filter((task) => isAs(task, expected));
  const atLine = equal.find((task) => task.lineNumber === lineNumber);
  const task = atLine ?? (equal.length === 1 ? equal[0] : undefined);
  if (task === undefined) return { kind: 'changed-elsewhere' };
  const lines = text.split('\n');
  const at = task.lineNumber - 1;
  const ending = lines[at]?.endsWith('\r') === true ? '\r' : '';
  const own = (lines[at] ?? '').slice(0, ending === '' ? undefined : -1);
  const forms = formsOf(text);
  if (task.form === 'checkbox') lines[at] = changeCheckbox(own, change, forms) + ending;
  else changeHeading(lines, at, task, change, { forms, ending, isFrench: isFrenchList(text) });
  const changed = lines.join('\n');
  const after = parseTasks(changed).find((each) => each.lineNumber === task.lineNumber);
  const wanted = { ...expected, ...definedOf(change) };
  return after !== undefined && isAs(after, wanted)
    ? { kind: 'changed', text: changed }
    : { kind: 'unsupported' };
}

function definedOf({ status, priority, day }: TaskChange): Partial<ExpectedTask> {
  return {
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(day !== undefined && { day }),
  };
}

function isAs(task: Task, { title, status, priority, day }: ExpectedTask): boolean {
  return (
    task.form !== 'line' &&
    task.title === title &&
    taskStatus(task) === status &&
    task.priority === priority &&
    (task.when?.day ?? null) === day
  );
}

const boxMarks: Record<TaskStatus, string> = {
  todo: ' ',
  started: '/',
  waiting: 'w',
  done: 'x',
  cancelled: '-',
};

function changeCheckbox(line: string, { status, priority, day }: TaskChange, forms: TaskForms): string {
  let changed = line;
  if (status !== undefined) {
    changed = changed.replace(/\[.\]/u, `[${boxMarks[status]}]`);
    if (status !== 'waiting') changed = removeWaitingTag(changed);
  }
  if (priority !== undefined) changed = setPriority(changed, priority, forms);
  return day === undefined ? changed : setDay(changed, day, forms);
}

type HeadingStyle = { forms: TaskForms; ending: string; isFrench: boolean };

/** Changes the metadata lines below a heading, and the heading only if a mark in it says the same. */
function changeHeading(
  lines: string[],
  at: number,
  task: Task,
  { status, priority, day }: TaskChange,
  { forms, ending, isFrench }: HeadingStyle,
): void {
  const words = isFrench ? frenchWords : englishWords;
  const own = (lines[at] ?? '').replace(/\r$/, '');
  const first = task.metadataLines.length > 0 && lines[at + 1]?.trim() === '' ? at + 2 : at + 1;
  const fields = task.metadataLines.map((line) => line);
  let heading = own;
  if (status !== undefined) {
    if (status !== 'waiting') heading = removeWaitingTag(heading);
    setField(fields, ['status', 'statut'], words.status[status], 'first');
  }
  if (priority !== undefined) {
    heading = setPriority(heading, 2, forms);
    setField(
      fields,
      ['prio', 'priority', 'priorité'],
      words.priority[priority] ?? words.priority[2],
      'beside',
    );
  }
  if (day !== undefined) {
    const hasField = fields.some((line) => findPart(line, deadlineKeys) !== null);
    if (!hasField && task.when !== null) heading = setDay(heading, day, forms);
    else setField(fields, deadlineKeys, day, 'last', isFrench && !/deadline/i.test(lines.join('\n')));
  }
  const isNew = task.metadataLines.length === 0 && fields.length > 0;
  const needsBlank = isNew && (lines[first]?.trim() ?? '') !== '';
  lines.splice(
    at,
    first - at + task.metadataLines.length,
    heading + ending,
    ...(first > at + 1 ? [lines[at + 1] ?? ''] : []),
    ...fields.map((line) => line + ending),
    ...(needsBlank ? [ending] : []),
  );
}

const deadlineKeys = ['deadline', 'échéance', 'due'];
const englishWords = {
  status: { todo: 'to-do', started: 'in-progress', waiting: 'waiting', done: 'done', cancelled: 'cancelled' },
  priority: ['high', 'medium', 'normal'],
} as const;
const frenchWords = {
  status: { todo: 'à-faire', started: 'en-cours', waiting: 'en-attente', done: 'fait', cancelled: 'annulé' },
  priority: ['haute', 'moyenne', 'normale'],
} as const;

function isFrenchList(text: string): boolean {
  return /(?:statu[st]\s*:\s*(?:à[- ]faire|en[- ]|fait|termin|annul)|prio\S*\s*:\s*(?:haute|moyenne|basse|normale)|échéance\s*:)/iu.test(
    text.normalize('NFC'),
  );
}

/** The part of a metadata line with one of these keys, as it is in the line. */
function findPart(line: string, keys: readonly string[]): string | null {
  const parts = line.split('|');
  const isKey = (part: string): boolean =>
    keys.includes((/^\s*([\p{L}-]+)\s*:/u.exec(part)?.[1] ?? '').normalize('NFC').toLowerCase());
  return parts.find(isKey) ?? null;
}

/** Sets the value of a field, or adds the field; null removes it. */
function setField(
  fields: string[],
  keys: readonly string[],
  value: string | null,
  place: 'first' | 'beside' | 'last',
  isSecondKey = false,
): void {
  const index = fields.findIndex((line) => findPart(line, keys) !== null);
  const line = fields[index];
  if (line === undefined) {
    if (value === null) return;
    const added = `${keys[isSecondKey ? 1 : 0]}: ${value}`;
    const status = fields.findIndex((each) => findPart(each, ['status', 'statut']) !== null);
    if (place === 'beside' && status !== -1) fields[status] = `${fields[status]?.trimEnd()} | ${added}`;
    else if (place === 'last') fields.push(added);
    else fields.unshift(added);
    return;
  }
  const part = findPart(line, keys) ?? '';
  if (value === null) {
    const rest = line.split('|').filter((each) => each !== part);
    if (rest.length === 0) fields.splice(index, 1);
    else fields[index] = rest.join('|').trim();
    return;
  }
  // Keeps the time of a deadline, the spaces and what follows.
  const changed =
    /^\d{4}-\d\d-\d\d$/.test(value) && /\d{4}-\d\d-\d\d/.test(part)
      ? part.replace(/\d{4}-\d\d-\d\d/, value)
      : part.replace(
          /^(\s*[\p{L}-]+\s*::?\s*)(.*?)(\s*)$/u,
          (_, key: string, __, end: string) => key + value + end,
        );
  fields[index] = line.replace(part, () => changed);
}
