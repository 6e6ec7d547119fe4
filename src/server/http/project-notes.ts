import { bodyOf, listParts, splitLines } from '../../vault/index.ts';

const longestStatus = 200;

/** The first line of a project's state that says something. */
export function statusIn(text: string): string | null {
  const line = splitLines(bodyOf(text))
    .map((each) => each.trim())
    .find((each) => each !== '' && !/^(?:#|<!--|-->|---|```)/.test(each));
  if (line === undefined) return null;
  return line.length > longestStatus ? `${line.slice(0, longestStatus - 1)}…` : line;
}

const isDone = /^\W*(?:status|statut)\s*:\s*(?:done|cancelled|fait|faite|termin\S*|annul\S*)\b/im;
const due = /^\W*(?:deadline|due|échéance)\s*:\s*(\d{4}-\d\d-\d\d)\b/im;

/** The next deadline of a task that is not done, by its heading. */
export function deadlineIn(text: string): { day: string; task: string } | null {
  const open = listParts(bodyOf(text), 1).flatMap(({ heading, lines }) => {
    const words = lines.slice(1).join('\n');
    const [, day] = (isDone.test(words) ? null : due.exec(words)) ?? [];
    return day === undefined || heading === '' ? [] : [{ day, task: heading }];
  });
  return open.toSorted((a, b) => a.day.localeCompare(b.day))[0] ?? null;
}
