import { extractBody, isUnfinished, parseTasks, splitLines } from '../../vault/index.ts';

const maxStatusLength = 200;

/** The first line of text in a project's state note. */
export function findStatusLine(text: string): string | null {
  const line = splitLines(extractBody(text))
    .map((each) => each.trim())
    .find((each) => each !== '' && !/^(?:#|<!--|-->|---|```)/.test(each));
  if (line === undefined) return null;
  return line.length > maxStatusLength ? `${line.slice(0, maxStatusLength - 1)}…` : line;
}

/** The first heading of a note. */
export function findTitle(text: string): string | null {
  const line = splitLines(extractBody(text)).find((each) => /^# \S/.test(each));
  return line === undefined ? null : line.slice(2).trim().slice(0, maxStatusLength);
}

/** The earliest deadline of an open task, with its title. */
export function findNextDeadline(text: string): { day: string; task: string } | null {
  const due = parseTasks(text, 'task-list')
    .filter(isUnfinished)
    .flatMap(({ when, title }) => (when === null ? [] : [{ day: when.day, task: title }]));
  return due.toSorted((a, b) => a.day.localeCompare(b.day))[0] ?? null;
}
