import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { program, run } from '../test/campaigns/program.ts';
import { datedNotes } from '../test/dated-notes.ts';
import type { ExpectedDay } from '../test/dated-notes.ts';
import { command, middleOf, report, timed } from './measure.ts';
import type { Size } from './measure.ts';

const sizes = { full: { files: 100_000, runs: 5 }, tiny: { files: 200, runs: 1 } };
const today = ['today', '--day', '2026-07-15'];
/** Timestamps that are more recent than this are not trusted, and their files are read again. */
const settleMs = 2_500;

/** `npm run bench -- today`: `keepsake today` compared with `keepsake tree`, on the first run and on later ones. */
export async function todayBench(size: Size): Promise<void> {
  const { files, runs } = sizes[size];
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const vault = join(root, 'vault');
  const time = (args: string[], state: string): Promise<number> =>
    timed(() => command(process.execPath, program, ...args, '--vault', vault, '--state', join(root, state)));
  try {
    const expected = writeNotes(vault, files);
    await sleep(settleMs);
    // The first scan fills the file cache of the system and is not counted.
    await time(['tree'], 'uncounted');
    const [firstTree, firstToday] = [await time(['tree'], 'tree'), await time(today, 'today')];
    report(`first today, ${files} files`, firstToday, { name: 'the first tree', time: firstTree }, 2);
    const times = { tree: [] as number[], short: [] as number[], today: [] as number[] };
    for (let index = 0; index < runs; index += 1) {
      times.tree.push(await time(['tree'], 'today'));
      times.short.push(await time(['tree', '--depth', '1'], 'today'));
      times.today.push(await time(today, 'today'));
    }
    const later = middleOf(times.today);
    report(`later today, ${files} files`, later, { name: 'tree', time: middleOf(times.tree) }, 2);
    report(`later today, ${files} files`, later, { name: 'tree --depth 1', time: middleOf(times.short) }, 2);
    reportCounts(run([...today, '--json', '--vault', vault, '--state', join(root, 'today')]), expected);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Every tenth note has tasks, up to 1,000. */
function writeNotes(vault: string, files: number): ExpectedDay {
  const { files: notes, expected } = datedNotes(Math.min(1_000, files / 10), 7);
  for (let index = Object.keys(notes).length; index < files; index += 1)
    notes[`notes/p${Math.floor(index / 100)}/note-${index}.md`] =
      `# Note ${index}\n\nA few words about ${index}.\n`;
  for (const [path, text] of Object.entries(notes)) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text ?? '');
  }
  return expected;
}

function reportCounts(json: string, { later, ...lists }: ExpectedDay): void {
  const { counts } = JSON.parse(json) as { counts: Record<string, number> };
  const expected = [
    ...Object.entries(lists).map(([list, { length }]) => [list, length] as const),
    ['later', later] as const,
  ];
  const right = expected.filter(([list, count]) => counts[list] === count);
  console.log(`lists of today with the right number of items: ${right.length} of ${expected.length}`);
  if (right.length < expected.length) process.exitCode = 1;
}
