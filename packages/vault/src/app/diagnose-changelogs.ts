import {
  decodeText,
  findUnresolvedReplacements,
  formatInput,
  formatPath,
  listOwnChangelogs,
  parseChangelog,
  splitLines,
} from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';
import { passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import type { Keepsake } from './keepsake.ts';

const name = 'changelogs';
const maxListedLines = 5;

/** Reports lines of changelogs that have no effect: dates that do not exist, and `replaces:` lines that name no entry. */
export async function checkChangelogs({ readRun }: Keepsake): Promise<HealthCheck> {
  const { view } = readRun('person');
  const problems: string[] = [];
  for (const path of await listOwnChangelogs(view)) problems.push(...(await findProblems(view, path)));
  if (problems.length === 0) return passed(name, 'all dates are valid, and every replaced entry exists');
  const more = problems.length > maxListedLines ? [`and ${problems.length - maxListedLines} more`] : [];
  return {
    name,
    status: 'warning',
    message: ['lines without effect', ...problems.slice(0, maxListedLines), ...more].join('\n'),
    hint: 'write when: 2025-07-14, from: 2025-07-14 or replaces: <path> § <heading of an earlier entry>',
  };
}

async function findProblems(view: VaultView, path: VaultPath): Promise<string[]> {
  const read = await view.read(path);
  const decoded = read.kind === 'file' ? decodeText(read.bytes) : null;
  if (decoded?.kind !== 'text' || !/^(?:when|from|replaces):/m.test(decoded.text)) return [];
  const lines = splitLines(decoded.text);
  const invalid = parseChangelog(decoded.text)
    .flatMap(({ invalidLines }) => invalidLines)
    .map((number) => `${formatPath(path)}:${number}: ${formatInput(lines[number - 1] ?? '')}`);
  const unresolved = await findUnresolvedReplacements(view, path, { before: '', after: decoded.text });
  return [
    ...invalid,
    ...unresolved
      .filter(({ reference }) => reference !== null)
      .map(({ line }) => `${formatPath(path)}: replaces: ${formatInput(line)}`),
  ];
}
