import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../../../packages/vault/src/app/index.ts';
import type { VaultPath } from '../../../packages/vault/src/vault/index.ts';
import { file } from './writers.ts';
import type { Written } from './writers.ts';

/** Of every file of a vault that lies in a folder. */
export function hashesIn(folder: string): Map<string, string> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((each) => each.isFile());
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), createHash('sha256').update(readFileSync(path)).digest('hex')];
    }),
  );
}

/** Files, journal, queue and history of a vault against what its writer was told, and against each other. */
export async function problemsOf(keepsake: Keepsake, written: Written): Promise<string[]> {
  const { vault, lines, updates, tried } = written;
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(`${vault}: ${problem}`);
  };
  const bytes = readFileSync(join(keepsake.root, file));
  const found = [...String(bytes).matchAll(/^line (\d+)\.$/gm)].map(([, number]) => Number(number));
  const isThere = new Set(found);
  const lost = lines.filter((number) => !isThere.has(number));
  expect(lost.length === 0, `${lost.length} acknowledged lines are lost, as ${lost[0]}`);
  expect(isThere.size === found.length, `${found.length - isThere.size} lines are there twice`);
  const expectInOrder = (numbers: readonly number[], acknowledged: readonly number[]): void => {
    const late = lateIn(numbers, acknowledged);
    expect(
      late === null,
      `the acknowledged ${late?.number} stands after ${late?.after}, which was written later`,
    );
  };
  expectInOrder(found, lines);
  expect(
    found.every((number) => number <= tried),
    'a line that nobody wrote',
  );

  const queued = keepsake.agents.updates.list({ limit: tried + 1 }).toReversed();
  const ids = queued.map(({ id }) => id);
  const kept = ids.filter((id) => updates.includes(id));
  expect(
    kept.join() === updates.join(),
    `of ${updates.length} acknowledged updates ${kept.length} are there in order`,
  );
  const numberOf = ({ input }: (typeof queued)[number]): number => Number(/\d+/.exec(input.text)?.[0]);
  const numbers = queued.map(numberOf);
  expect(new Set(numbers).size === numbers.length, 'updates are there twice');
  expectInOrder(numbers, queued.filter(({ id }) => updates.includes(id)).map(numberOf));

  const changes = keepsake.changes.list({
    path: `vault/${file}` as VaultPath,
    state: 'applied',
    limit: tried + 2,
  });
  expect(changes.length === found.length + 1, `${found.length} lines by ${changes.length} changes`);
  await keepsake.changes.record();
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['--git-dir', join(keepsake.state.folder(), 'history.git'), ...args]);
  expect(git('show', `HEAD:${file}`).equals(bytes), 'history has another file than the vault');
  const commits = String(git('log', '--format=%h', '--', file))
    .trim()
    .split('\n').length;
  expect(commits === changes.length, `${changes.length} changes are ${commits} commits`);
  return problems;
}

/**
 * The first that was acknowledged and stands after one that was written later. What was not acknowledged may come after others: whoever
 * has given up on it does not know when it is done.
 */
function lateIn(
  numbers: readonly number[],
  acknowledged: readonly number[],
): { number: number; after: number } | null {
  const isAcknowledged = new Set(acknowledged);
  let highest = 0;
  for (const number of numbers) {
    if (number < highest && isAcknowledged.has(number)) return { number, after: highest };
    highest = Math.max(highest, number);
  }
  return null;
}
