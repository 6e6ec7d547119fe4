// node test/campaigns/weak-mutants.ts [updates]: runs the campaign `weak` on copies of the sources in which one check is
// disabled, and fails if the campaign passes on any of them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');

type Mutant = { name: string; file: string; from: string; to: string };

const review = 'packages/vault/src/review/review-update.ts';
const staged = 'packages/vault/src/agents/update/review-staged.ts';

const mutants: Mutant[] = [
  {
    name: 'coverage',
    file: review,
    from: '...findUncovered(update, written),',
    to: 'uncovered: [], leftOut: [],',
  },
  { name: 'unnamed removals', file: review, from: '    unnamed,', to: '    unnamed: [],' },
  {
    name: 'unrequested removals',
    file: review,
    from: 'unrequested.length > maxUnrequestedRemovals ? unrequested : []',
    to: '[]',
  },
  {
    name: 'words of others',
    file: review,
    from: 'causedByOthers: update.isUserAuthored',
    to: 'causedByOthers: true',
  },
  {
    name: 'inventions',
    file: review,
    from: 'inventions: update.hasImages',
    to: 'inventions: true',
  },
  { name: 'looking first', file: review, from: 'unread: update.hasLooked', to: 'unread: true' },
  { name: 'failed calls', file: review, from: 'failedCalls: [...update.failedCalls]', to: 'failedCalls: []' },
  {
    name: 'receipt: files',
    file: staged,
    from: 'return moved.has(path) ||',
    to: 'return change.change === "created" ||',
  },
  {
    name: 'receipt: removed tasks and entries',
    file: 'packages/vault/src/review/receipt-files.ts',
    from: 'removed: without(oldUnits, newUnits)',
    to: 'removed: []',
  },
  {
    name: 'receipt: kind of change',
    file: 'packages/vault/src/review/receipt-files.ts',
    from: "before === null ? 'created'",
    to: "before === null ? 'changed'",
  },
  {
    name: 'receipt: inventions',
    file: staged,
    from: 'unsupported: review.inventions',
    to: 'unsupported: []',
  },
];

const updates = process.argv[2] ?? '100';
const folder = mkdtempSync(join(tmpdir(), 'keepsake-mutants-'));
let failures = 0;
try {
  for (const part of ['packages', 'test', 'package.json'])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  for (const mutant of [null, ...mutants]) failures += isDetected(mutant) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
console.log(failures === 0 ? 'mutants: passed' : `mutants: ${failures} FAILED`);
process.exitCode = failures === 0 ? 0 : 1;

/** Whether the campaign fails with the change, or passes without any. */
function isDetected(mutant: Mutant | null): boolean {
  const restore = mutant === null ? () => undefined : apply(mutant);
  const { status, stdout } = spawnSync(process.execPath, ['test/campaigns/main.ts', 'weak', updates], {
    cwd: folder,
    encoding: 'utf8',
  });
  restore();
  const isExpected = (status === 0) === (mutant === null);
  const problems = /(\d+) problems/.exec(stdout)?.[1] ?? 'no result, ';
  console.log(
    `${mutant?.name ?? 'unchanged'}: ${problems} problems${isExpected ? '' : ' (NOT as expected)'}`,
  );
  // Without a summary, the campaign broke instead of finding something.
  return isExpected && stdout.includes(' problems');
}

function apply({ name, file, from, to }: Mutant): () => void {
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2) throw new Error(`${name}: ${file} must contain this once: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  return () => writeFileSync(path, text);
}
