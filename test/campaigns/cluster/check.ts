import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../../../packages/vault/src/app/index.ts';
import type { VaultPath } from '../../../packages/vault/src/vault/index.ts';
import { file } from './writers.ts';
import type { Written } from './writers.ts';

/** The hash of every file of a vault, by path. */
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

/** Compares files, journal, queue and history of a vault with the acknowledged writes and with each other. */
export async function problemsOf(keepsake: Keepsake, written: Written): Promise<string[]> {
  const { vault, lines, updates, tried } = written;
  const problems: string[] = [];
  const expect = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(`${vault}: ${problem}`);
  };
  const bytes = readFileSync(join(keepsake.root, file));
  const found = [...String(bytes).matchAll(/^line (\d+)\.$/gm)].map(([, number]) => Number(number));
  const exists = new Set(found);
  const lost = lines.filter((number) => !exists.has(number));
  expect(lost.length === 0, `${lost.length} acknowledged lines are lost, such as ${lost[0]}`);
  expect(exists.size === found.length, `${found.length - exists.size} lines are duplicated`);
  const expectInOrder = (numbers: readonly number[], acknowledged: readonly number[]): void => {
    const late = lateIn(numbers, acknowledged);
    expect(
      late === null,
      `the acknowledged line ${late?.number} is after ${late?.after}, which was written later`,
    );
  };
  expectInOrder(found, lines);
  expect(
    found.every((number) => number <= tried),
    'a line that no writer wrote',
  );

  const queued = keepsake.agents.updates.list({ limit: tried + 1 }).toReversed();
  const ids = queued.map(({ id }) => id);
  const kept = ids.filter((id) => updates.includes(id));
  expect(
    kept.join() === updates.join(),
    `only ${kept.length} of ${updates.length} acknowledged updates are present in order`,
  );
  const numberOf = ({ input }: (typeof queued)[number]): number => Number(/\d+/.exec(input.text)?.[0]);
  const numbers = queued.map(numberOf);
  expect(new Set(numbers).size === numbers.length, 'updates are duplicated');
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
  expect(git('show', `HEAD:${file}`).equals(bytes), 'history has a different file than the vault');
  const commits = String(git('log', '--format=%h', '--', file))
    .trim()
    .split('\n').length;
  expect(commits === changes.length, `${changes.length} changes have ${commits} commits`);
  return problems;
}

/**
 * The first acknowledged line that is after one written later. Unacknowledged lines may be out of order, because their writer does not know
 * when they were applied.
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
