import { parseTaskFields } from '../contract/index.ts';
import { repeatTask } from './repeat-task.ts';
import type { RepeatResult } from './repeat-task.ts';
import { formsOf, hasDoneDay, removeWaitingTag, setDay, setDoneDay, setPriority } from './task-marks.ts';
import type { TaskForms } from './task-marks.ts';
import { maxLineCharacters, parseTasks } from './tasks.ts';
import type { StoredTask, Task } from './tasks.ts';

export const taskStatuses = ['todo', 'started', 'waiting', 'done', 'cancelled'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** What changes in a task; absent values stay. A `day` of null removes the deadline. */
export type TaskChange = {
  status?: TaskStatus | undefined;
  priority?: number | undefined;
  day?: string | null | undefined;
};

type TaskValues = { title: string; status: TaskStatus; priority: number; day: string | null };
/** A task as its caller last saw it: its values, or its line. */
export type ExpectedTask = TaskValues | { text: string };

type Today = {
  today: string;
  /** Whether the tasks of the vault say when they were done; otherwise the note decides. */
  statesDoneDay?: boolean;
};

export type TaskChangeResult =
  /** `repeat` is null if the task was not completed or does not repeat. */
  | { kind: 'changed'; text: string; repeat: RepeatResult | null }
  /** No task is as expected, so it was changed elsewhere. */
  | { kind: 'changed-elsewhere' }
  /** The line is written in a form that cannot be changed without changing more than was asked. */
  | { kind: 'unsupported' };

export function taskStatus({ state, isStarted }: Pick<StoredTask, 'state' | 'isStarted'>): TaskStatus {
  return state === 'open' ? (isStarted ? 'started' : 'todo') : state;
}

/**
 * Changes a task in a text and keeps every other byte; a repeating one that is completed is followed by the next one, in the
 * line above. The task is the one at this line or, if lines moved, the only one that is as expected. The result is parsed
 * again, so that a change has exactly the effect that was asked for.
 */
export function changeTask(
  text: string,
  lineNumber: number,
  expected: ExpectedTask,
  change: TaskChange & Today,
): TaskChangeResult {
  const equal = parseTasks(text).filter((task) => isAs(task, expected));
  const atLine = equal.find((task) => task.lineNumber === lineNumber);
  const task = atLine ?? (equal.length === 1 ? equal[0] : undefined);
  if (task === undefined) return { kind: 'changed-elsewhere' };
  const lines = text.split('\n');
  const at = task.lineNumber - 1;
  const ending = lines[at]?.endsWith('\r') === true ? '\r' : '';
  const own = (lines[at] ?? '').slice(0, ending === '' ? undefined : -1);
  const style: Style = {
    forms: formsOf(text),
    // The last line of a text has no ending.
    ending: at + 1 === lines.length && text.includes('\r\n') ? '\r' : ending,
    isFrench: isFrenchList(text),
    doneDay: change.statesDoneDay === true || hasDoneDay(text) ? change.today : null,
  };
  if (task.form === 'checkbox') lines[at] = changeCheckbox(own, change, style) + ending;
  else changeHeading(lines, at, task, change, { ...style, ending });
  const wanted = { ...valuesOf(task), ...definedOf(change) };
  const isAt = (source: string[], number: number, values: TaskValues): boolean => {
    const found = parseTasks(source.join('\n')).find((each) => each.lineNumber === number);
    return found !== undefined && isAs(found, values);
  };
  if (!isAt(lines, task.lineNumber, wanted)) return { kind: 'unsupported' };
  const isCompleted = change.status === 'done' && taskStatus(task) !== 'done';
  if (!isCompleted || task.repeat === null) return { kind: 'changed', text: lines.join('\n'), repeat: null };
  const repeating = { ...task, repeat: task.repeat };
  const { added, result } = nextTaskLines(lines, repeating, wanted.day, change.today, style);
  const next = { ...wanted, status: 'todo' as const, day: wanted.day && result.day };
  if (added === null) return { kind: 'changed', text: lines.join('\n'), repeat: result };
  const both = lines.toSpliced(at, 0, ...added);
  return isAt(both, task.lineNumber, next) && isAt(both, task.lineNumber + added.length, wanted)
    ? { kind: 'changed', text: both.join('\n'), repeat: result }
    : { kind: 'changed', text: lines.join('\n'), repeat: { ...result, kind: 'unknown', day: null } };
}

/** The lines of the next task, which go above those of the task that was completed. */
function nextTaskLines(
  lines: readonly string[],
  { form, repeat, lineNumber, metadataLines }: Task & { repeat: string },
  due: string | null,
  today: string,
  { forms, ending, isFrench }: Style,
): { added: string[] | null; result: RepeatResult } {
  const at = lineNumber - 1;
  const isHeading = form === 'heading';
  // The metadata may have changed, but its place has not: below the heading or below one empty line.
  const block = isHeading ? lines.slice(at, findBlockEnd(lines, at, metadataLines)) : [lines[at] ?? ''];
  const own = block.map((line) => line.replace(/\r$/, ''));
  const { result, next } = repeatTask({ repeat, due, lines: own, done: today });
  if (next === null) return { added: null, result };
  if (!isHeading) {
    const [line = ''] = next;
    return { added: [changeCheckbox(line, { status: 'todo' }, { forms, doneDay: null }) + ending], result };
  }
  const [heading = '', ...fields] = next;
  const words = isFrench ? frenchWords : englishWords;
  setField(fields, ['status', 'statut'], words.status.todo, 'first');
  if (fields.some((line) => findPart(line, addedKeys) !== null)) setField(fields, addedKeys, today, 'beside');
  return { added: [...[heading, ...fields].map((line) => line + ending), ending], result };
}

function findBlockEnd(lines: readonly string[], at: number, metadataLines: readonly string[]): number {
  let end = at + 1;
  if (metadataLines.length > 0 && lines[end]?.trim() === '') end += 1;
  while (end < lines.length && parseTaskFields((lines[end] ?? '').replace(/\r$/, '')) !== null) end += 1;
  return end;
}

function definedOf({ status, priority, day }: TaskChange): Partial<ExpectedTask> {
  return {
    ...(status !== undefined && { status }),
    ...(priority !== undefined && { priority }),
    ...(day !== undefined && { day }),
  };
}

function valuesOf(task: Task): TaskValues {
  const { title, priority, when } = task;
  return { title, status: taskStatus(task), priority, day: when?.day ?? null };
}

function isAs(task: Task, expected: ExpectedTask): boolean {
  if (task.form === 'line') return false;
  if ('text' in expected)
    return task.line.replace(/^\uFEFF/, '') === expected.text.slice(0, maxLineCharacters);
  const { title, status, priority, day } = valuesOf(task);
  return (
    title === expected.title &&
    status === expected.status &&
    priority === expected.priority &&
    day === expected.day
  );
}

const boxMarks: Record<TaskStatus, string> = {
  todo: ' ',
  started: '/',
  waiting: 'w',
  done: 'x',
  cancelled: '-',
};

function changeCheckbox(
  line: string,
  { status, priority, day }: TaskChange,
  { forms, doneDay }: Pick<Style, 'forms' | 'doneDay'>,
): string {
  let changed = line;
  if (status !== undefined) {
    changed = changed.replace(/\[.\]/u, `[${boxMarks[status]}]`);
    if (status !== 'waiting') changed = removeWaitingTag(changed);
    const isDone = /^[^[]*\[x\]/i.test(line);
    if (isDone && status !== 'done') changed = setDoneDay(changed, null, forms);
    if (!isDone && status === 'done' && doneDay !== null) changed = setDoneDay(changed, doneDay, forms);
  }
  if (priority !== undefined) changed = setPriority(changed, priority, forms);
  return day === undefined ? changed : setDay(changed, day, forms);
}

type Style = {
  forms: TaskForms;
  ending: string;
  isFrench: boolean;
  /** The day to state in a task that is completed; null if its note states none. */
  doneDay: string | null;
};

/** Changes the metadata lines below a heading, and the heading only if a mark in it says the same. */
function changeHeading(
  lines: string[],
  at: number,
  task: Task,
  { status, priority, day }: TaskChange,
  { forms, ending, isFrench }: Style,
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

const addedKeys = ['added', 'ajoutée'];
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
