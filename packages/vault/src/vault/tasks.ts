import { parseTaskFields } from '../contract/index.ts';
import { forEachChunk } from './byte-source.ts';
import type { ByteSource } from './byte-source.ts';
import {
  extractBody,
  extractYaml,
  findFrontmatter,
  getFrontmatterValue,
  maxFrontmatterCharacters,
} from './frontmatter.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import type { VaultPath } from './path.ts';
import { parseTaskMarks, parseWhen } from './task-marks.ts';
import type { When } from './task-marks.ts';

export type Task = {
  /** `line` is a dated line with a time that is not a task: an appointment. */
  form: 'heading' | 'checkbox' | 'line';
  /** The line of the heading or item, unchanged. */
  line: string;
  /** The number of that line in the whole text, starting at 1. */
  lineNumber: number;
  /** The text of that line without marks such as dates. */
  title: string;
  /** The metadata lines below a heading, unchanged. */
  metadataLines: string[];
  state: 'open' | 'waiting' | 'done' | 'cancelled';
  /** Whether an open task is in progress. */
  isStarted: boolean;
  /** 0 is the highest. */
  priority: number;
  /** The deadline; if there is none, the day for which the task is scheduled. */
  when: When | null;
  /** The day that the task or appointment states if there is no such day, for example 2026-02-31; `when` is null then. */
  invalidDay?: string;
  repeat: string | null;
  /** Whether it is an event of a calendar note, which counts also in a bucket. */
  isEvent?: true;
};

/** A task or appointment as the catalogue stores it. */
export type StoredTask = Omit<Task, 'line' | 'metadataLines'>;

export type NoteTasks = { path: VaultPath; tasks: StoredTask[] };

/** The tasks that the catalogue stores of a note, in two groups, because a day needs only the first. */
export type TaskGroups = {
  /** Unfinished tasks with a date, also one that does not exist, tasks that wait, and appointments. */
  dated: StoredTask[];
  /** All other tasks: without a date, done or cancelled. */
  other: StoredTask[];
};

/**
 * `task-list`: every H1 is a task, also without metadata. `calendar`: every list item that starts with a day is an event, also
 * without a time.
 */
type NoteKind = 'task-list' | 'note' | 'calendar';

export function isUnfinished({ form, state }: Pick<Task, 'form' | 'state'>): boolean {
  return form !== 'line' && (state === 'open' || state === 'waiting');
}

/** Further appointments of a note are ignored: every line of a log with times is one, and it may have 100,000. */
const maxAppointments = 5_000;

/** Parses the tasks and appointments of a text, in order. Code blocks and comments are ignored. */
export function parseTasks(text: string, kind: NoteKind = 'note'): Task[] {
  const body = extractBody(text);
  const parser = createTaskParser(kind, splitLines(text.slice(0, text.length - body.length)).length + 1);
  for (const line of splitLines(body)) parser.add(line);
  return parser.finish();
}

const possibleTask =
  /\[.\]\s|📅|📆|🗓|⏳|⌛|due|deadline|échéance|e\u0301che\u0301ance|scheduled|prévu|pre\u0301vu|statu[st]\s*:|\d{4}-\d\d-\d\d(?:\]\])?,?[T ]/iu;

/** Parses the tasks of a note in the groups of the catalogue. */
export function parseTaskGroups(text: string): TaskGroups {
  const kind = noteKindOf(text);
  return groupTasks(
    kind === 'calendar' || possibleTask.test(extractBody(text)) ? parseTasks(text, kind) : [],
  );
}

function noteKindOf(text: string): NoteKind {
  return getFrontmatterValue(extractYaml(text), 'type') === 'calendar' ? 'calendar' : 'note';
}

/** Parsing this much takes about ten milliseconds. */
const parsedBytes = 64 * 1024;

/** Like `parseTaskGroups`, for a file of any size. */
export async function readTaskGroups(source: ByteSource): Promise<TaskGroups> {
  const opening = (await source.read(0, 2 * maxFrontmatterCharacters)).toString();
  const skipped = splitLines(opening.slice(0, findFrontmatter(opening)?.bodyStart ?? 0)).length;
  const parser = createTaskParser(noteKindOf(opening), skipped + 1);
  const decoder = new TextDecoder();
  let rest = '';
  let number = 0;
  const add = (line: string): void => {
    number += 1;
    if (number > skipped) parser.add(line.replace(/\r$/, ''));
  };
  await forEachChunk(
    source,
    (bytes) => {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      // The start of a line is enough to recognize a task.
      rest = (lines.pop() ?? '').slice(0, maxLineCharacters);
      for (const line of lines) add(line);
    },
    parsedBytes,
  );
  add(rest + decoder.decode());
  return groupTasks(parser.finish());
}

/** Of a line, so much is parsed. */
export const maxLineCharacters = 2_000;

function groupTasks(tasks: readonly Task[]): TaskGroups {
  const groups: TaskGroups = { dated: [], other: [] };
  for (const { line: _, metadataLines: __, ...task } of tasks) {
    const isDated =
      task.form === 'line' ||
      (isUnfinished(task) &&
        (task.when !== null || task.invalidDay !== undefined || task.state === 'waiting'));
    groups[isDated ? 'dated' : 'other'].push(task);
  }
  return groups;
}

type OpenHeading = Pick<Task, 'line' | 'lineNumber' | 'metadataLines'> & {
  text: string;
  level: number;
  blankLines: number;
};

function createTaskParser(
  kind: NoteKind,
  firstLineNumber: number,
): { add: (line: string) => void; finish: () => Task[] } {
  const outline = createOutlineParser();
  const tasks: Task[] = [];
  let lineNumber = firstLineNumber - 1;
  /** A heading whose metadata may follow. */
  let open: OpenHeading | null = null;

  let appointments = 0;
  const addTask = (task: Task | null): void => {
    if (task?.form === 'line') appointments += 1;
    if (task !== null && (task.form !== 'line' || appointments <= maxAppointments)) tasks.push(task);
  };
  const closeHeading = (): void => {
    const task = open && parseHeadingTask(open, kind);
    addTask(task);
    open = null;
  };
  const continuesHeading = (line: string): boolean => {
    if (open === null) return false;
    if (line.trim() === '' && open.metadataLines.length === 0) return (open.blankLines += 1) === 1;
    if (parseTaskFields(line) === null) return false;
    open.metadataLines.push(line);
    return true;
  };
  return {
    add(fullLine) {
      lineNumber += 1;
      const line = fullLine.slice(0, maxLineCharacters);
      const { heading, isVerbatim } = outline(line);
      if (heading === null && !isVerbatim && continuesHeading(line)) return;
      closeHeading();
      if (isVerbatim) return;
      if (heading !== null && heading.lines === 1) {
        const { text, level } = heading;
        open = { line, lineNumber, metadataLines: [], text, level, blankLines: 0 };
        return;
      }
      const task = parseCheckbox(line, lineNumber) ?? parseAppointment(line, lineNumber, kind);
      addTask(task);
    },
    finish() {
      closeHeading();
      return tasks;
    },
  };
}

const doneStatus = /^(?:done|closed|completed?|finished|faite?|terminée?|close?)$/i;
const cancelledStatus = /^(?:cancell?ed|dropped|abandoned|annulée?|abandonnée?)$/i;
const startedStatus = /^(?:in[- ]progress|doing|started|wip|en[- ]cours|commencée?|débutée?)$/iu;
const waitingStatus = /^(?:waiting|blocked|on[- ]hold|en[- ]attente|attente|bloquée?)(?![\p{L}])/iu;
const mediumPriority = /^(?:medium|moyenne)$/i;

function parseHeadingTask(
  { line, lineNumber, metadataLines, text, level }: OpenHeading,
  kind: NoteKind,
): Task | null {
  const marks = parseTaskMarks(text);
  const parts = metadataLines.flatMap((each) => parseTaskFields(each) ?? []);
  const valueOf = (...keys: string[]): string =>
    // A Dataview field has two colons.
    parts.find(({ key }) => keys.includes(key.normalize('NFC').toLowerCase()))?.value.replace(/^:\s*/, '') ??
    '';
  const [status, deadline] = [valueOf('status', 'statut'), valueOf('deadline', 'échéance', 'due')];
  const stated = parseWhen(deadline);
  const when = stated?.when ?? marks.when;
  const invalidDay = when === null ? (stated?.invalidDay ?? marks.invalidDay) : undefined;
  const hasDay = when !== null || invalidDay !== undefined;
  const isTask = status !== '' || deadline !== '' || hasDay || (kind === 'task-list' && level === 1);
  if (!isTask || text === '') return parseAppointment(line, lineNumber);
  const isMedium = mediumPriority.test(valueOf('prio', 'priority', 'priorité'));
  return {
    form: 'heading',
    line,
    lineNumber,
    title: marks.title,
    metadataLines,
    state: doneStatus.test(status)
      ? 'done'
      : cancelledStatus.test(status)
        ? 'cancelled'
        : waitingStatus.test(status) || marks.isWaiting
          ? 'waiting'
          : 'open',
    isStarted: startedStatus.test(status.normalize('NFC')),
    priority: parts.some(({ isUrgent }) => isUrgent) ? 0 : isMedium ? 1 : (marks.priority ?? 2),
    when,
    ...(invalidDay !== undefined && { invalidDay }),
    repeat: valueOf('repeat', 'recurrence', 'récurrence') || marks.repeat,
  };
}

const checkbox = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)+\[(.)\]\s+(\S.*)$/u;

function parseCheckbox(line: string, lineNumber: number): Task | null {
  const [, mark = '', text = ''] = checkbox.exec(line) ?? [];
  if (text === '') return null;
  const { title, isWaiting, priority, ...marks } = parseTaskMarks(text);
  const isOpenWaiting = isWaiting || /w/i.test(mark);
  return {
    ...marks,
    form: 'checkbox',
    line,
    lineNumber,
    title,
    metadataLines: [],
    state: /x/i.test(mark) ? 'done' : mark === '-' ? 'cancelled' : isOpenWaiting ? 'waiting' : 'open',
    isStarted: mark === '/' && !isOpenWaiting,
    priority: priority ?? 2,
  };
}

const listMarker = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)]|#{1,6})\s+)?/;

/** A line that starts with a day and a time, or has a due mark with a time. */
function parseAppointment(line: string, lineNumber: number, kind: NoteKind = 'note'): Task | null {
  if (!/\d{4}-\d\d-\d\d/.test(line)) return null;
  const text = line.replace(listMarker, '');
  const start = parseWhen(text);
  const { title, repeat, priority, ...marks } = parseTaskMarks(start?.rest ?? text);
  const when = start?.when ?? marks.when;
  const isEvent = kind === 'calendar' && start !== null && /^[-*+] /.test(line);
  const invalidDay =
    when === null && start !== null && (start.hasTime || isEvent) ? start.invalidDay : undefined;
  const isDated = when !== null && (when.time !== null || isEvent);
  if ((!isDated && invalidDay === undefined) || title === '') return null;
  return {
    form: 'line',
    line,
    lineNumber,
    title,
    metadataLines: [],
    state: 'open',
    isStarted: false,
    priority: priority ?? 2,
    when,
    ...(invalidDay !== undefined && { invalidDay }),
    repeat,
    ...(isEvent && { isEvent }),
  };
}
