import { bodyOf, splitLines, tasksIn } from '../../vault/index.ts';

const longestStatus = 200;

/** The first line of a project's state that says something. */
export function statusIn(text: string): string | null {
  const line = splitLines(bodyOf(text))
    .map((each) => each.trim())
    .find((each) => each !== '' && !/^(?:#|<!--|-->|---|```)/.test(each));
  if (line === undefined) return null;
  return line.length > longestStatus ? `${line.slice(0, longestStatus - 1)}…` : line;
}

/** The next deadline of a task that is not done, by its heading. */
export function deadlineIn(text: string): { day: string; task: string } | null {
  const due = tasksIn(text).flatMap(({ isOpen, deadline, title }) =>
    isOpen && deadline !== null ? [{ day: deadline, task: title }] : [],
  );
  return due.toSorted((a, b) => a.day.localeCompare(b.day))[0] ?? null;
}
