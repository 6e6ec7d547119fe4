import { addDays } from '../contract/index.ts';
import { formatNumberedLines, formatPath, isUnfinished, parseTasks } from '../vault/index.ts';
import type { Task, Today, TodayItem, VaultPath } from '../vault/index.ts';
import { estimateTokens } from './estimate-tokens.ts';
import { truncateText } from './transcript.ts';

type ProjectTask = Pick<Task, 'state' | 'priority' | 'when'> & {
  path: VaultPath;
  line: string;
  number: number;
  isInProgress: boolean;
};

const maxTasks = 5;
const maxTaskLength = 300;

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

/** Quotes the first tasks, those of each note together, in the order of their first one. */
export function quoteTasks(
  tasks: readonly ProjectTask[],
  tokens: number,
  titleOf: (shown: number, open: number) => string,
): string | null {
  const format = (count: number): string =>
    [...Map.groupBy(tasks.slice(0, count), ({ path }) => path)]
      .flatMap(([path, group], index) => [
        `${formatPath(path)}${index === 0 ? `: ${titleOf(count, tasks.length)}` : ''}`,
        ...group.map(({ line, number }) => formatNumberedLines([truncateText(line, maxTaskLength)], number)),
      ])
      .join('\n');
  let count = Math.min(maxTasks, tasks.length);
  while (count > 0 && estimateTokens(format(count)) > tokens) count -= 1;
  return count === 0 ? null : format(count);
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
