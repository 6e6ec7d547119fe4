import { addDays } from '../contract/index.ts';
import { formatPath, isUnfinished, parseTasks } from '../vault/index.ts';
import type { Task, Today, TodayItem, VaultPath } from '../vault/index.ts';
import { quoteLines } from './quote.ts';
import type { NumberedLine } from './quote.ts';

type ProjectTask = NumberedLine &
  Pick<Task, 'state' | 'priority' | 'when'> & { path: VaultPath; isInProgress: boolean };

/** A deadline this near, or one that has passed, comes before the tasks in progress. */
const nearDays = 30;

/**
 * The unfinished tasks of a project, the next ones first: near deadlines, then tasks in progress, then by priority; tasks that wait come last.
 * `list` is the note with the tasks of the project; dated tasks of its other notes come from the calendar.
 */
export function collectProjectTasks(
  list: { path: VaultPath; text: string; isTaskList: boolean } | null,
  today: Today,
  isInProject: (path: VaultPath) => boolean,
): ProjectTask[] {
  const listed =
    list === null
      ? []
      : parseTasks(list.text, list.isTaskList ? 'task-list' : 'note')
          .filter(isUnfinished)
          .map((task) => fromTask(list.path, task));
  const dated = [...today.overdue, ...today.due, ...today.appointments, ...today.upcoming, ...today.waiting]
    .filter(({ path, form }) => form !== 'line' && path !== list?.path && isInProject(path))
    .map(fromItem);
  const nearUntil = addDays(today.day, nearDays);
  const rankOf = ({ state, when, isInProgress }: ProjectTask): number => {
    if (state === 'waiting') return 3;
    if (when !== null && when.day <= nearUntil) return 0;
    return isInProgress ? 1 : 2;
  };
  return [...listed, ...dated].toSorted((a, b) => {
    const [rank, other] = [rankOf(a), rankOf(b)];
    if (rank !== other) return rank - other;
    const byDay = rank === 0 ? (a.when?.day ?? '').localeCompare(b.when?.day ?? '') : 0;
    return byDay || a.priority - b.priority;
  });
}

/** Quotes the tasks of each note together, in the order of their first one. */
export function quoteTasks(
  tasks: readonly ProjectTask[],
  maxTasks: number,
  tokens: number,
  titleOf: (shown: number, open: number) => string,
): string | null {
  const groups = [...Map.groupBy(tasks.slice(0, maxTasks), ({ path }) => path)];
  let left = tokens;
  const quoted = groups.flatMap(([path, group], index) => {
    const head = `${formatPath(path)}${index === 0 ? `: ${titleOf(Math.min(maxTasks, tasks.length), tasks.length)}` : ''}`;
    const text = quoteLines(head, group, left);
    left -= Math.ceil((text?.length ?? 0) / 4);
    return text === null ? [] : [text];
  });
  return quoted.length === 0 ? null : quoted.join('\n');
}

const inProgress = /\bstatu[st]\s*::?\s*(?:in[- ]progress|doing|started|active|en[- ]cours)/i;

function fromTask(
  path: VaultPath,
  { line, lineNumber, metadataLines, state, priority, when }: Task,
): ProjectTask {
  return {
    path,
    line: metadataLines.length === 0 ? line : `${line}  (${metadataLines.join(' | ')})`,
    number: lineNumber,
    state,
    priority,
    when,
    isInProgress: metadataLines.some((each) => inProgress.test(each)) || /\[\/\]\s/.test(line),
  };
}

function fromItem({ path, lineNumber, title, state, priority, when }: TodayItem): ProjectTask {
  const day = [when?.day, when?.time].filter((part) => part != null).join(' ');
  const line = day === '' ? title : `${title} (${day})`;
  return { path, line, number: lineNumber, state, priority, when, isInProgress: false };
}
