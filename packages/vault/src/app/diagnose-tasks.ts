import { collectToday, formatInput, formatPath } from '../vault/index.ts';
import { passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import type { Keepsake } from './keepsake.ts';

const name = 'tasks';
const maxListedTasks = 5;

/** Reports tasks and appointments whose day does not exist: they are never due. */
export async function checkTasks({ readRun }: Pick<Keepsake, 'readRun'>): Promise<HealthCheck> {
  const { invalid } = await collectToday(readRun('person').view, '1970-01-01');
  if (invalid.length === 0) return passed(name, 'all dates exist');
  const more = invalid.length > maxListedTasks ? [`and ${invalid.length - maxListedTasks} more`] : [];
  const listed = invalid
    .slice(0, maxListedTasks)
    .map(
      ({ path, lineNumber, title, invalidDay = '' }) =>
        `${formatPath(path)}:${lineNumber}: ${invalidDay} ${formatInput(title)}`,
    );
  return {
    name,
    status: 'warning',
    message: ['dates that do not exist', ...listed, ...more].join('\n'),
    hint: 'correct the dates in these lines; until then, they are due on no day',
  };
}
