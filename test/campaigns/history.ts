import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { KeepsakeError } from '../../packages/vault/src/contract/index.ts';
import { Place } from './scenario.ts';

type Next = (limit: number) => number;

/** A random file of the history repository, optionally from one of its folders. */
function someFile(history: string, next: Next, below = ''): string {
  const files = readdirSync(join(history, below), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
  return files[next(files.length)] ?? join(history, 'HEAD');
}

const damages: Record<string, (history: string, next: Next) => void> = {
  'an object is missing': (history, next) => rmSync(someFile(history, next, 'objects')),
  'an object is empty': (history, next) => truncateSync(someFile(history, next, 'objects')),
  'a bit is wrong': (history, next) => {
    const file = someFile(history, next, 'objects');
    const bytes = readFileSync(file);
    const at = next(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << next(8));
    rmSync(file);
    writeFileSync(file, bytes);
  },
  'any file is missing': (history, next) => rmSync(someFile(history, next)),
  'any file is empty': (history, next) => truncateSync(someFile(history, next)),
  'locks are left': (history) => {
    for (const name of ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock', 'refs/heads/main.lock'])
      writeFileSync(join(history, name), '');
  },
  'the ref is empty': (history) => truncateSync(join(history, 'refs/heads/main')),
  'the ref is gone': (history) => rmSync(join(history, 'refs/heads/main')),
  'the list of refs is garbage': (history) => writeFileSync(join(history, 'packed-refs'), 'garbage\n'),
  'the folder is empty': (history) => {
    for (const name of readdirSync(history)) rmSync(join(history, name), { recursive: true });
  },
  'the folder is gone': (history) => rmSync(history, { recursive: true }),
};

/**
 * Damages history in random ways. Every change must be shown and undone, or reported as lost; changes in the journal
 * must never be lost; new changes must be recorded, and there must be no unexplained errors.
 */
export async function historyCampaign(count: number): Promise<number> {
  let random = 4242;
  const next: Next = (limit) =>
    Math.floor(((random = (random * 1103515245 + 12345) % 2147483648) / 2147483648) * limit);
  const tally = { shown: 0, lost: 0, 'set aside': 0, noticed: 0 };
  let failed = 0;
  const kinds = Object.entries(damages);
  for (let run = 0; run < count; run += 1) {
    const [name, damage] = kinds[run % kinds.length] ?? ['', () => undefined];
    try {
      await damageOnce((history) => damage(history, next), next, tally);
    } catch (error) {
      failed += 1;
      console.log(`FAILED run ${run} (${name}): ${error instanceof Error ? error.stack : String(error)}`);
    }
  }
  console.log(`history: ${count} damages, ${JSON.stringify(tally)}`);
  const isEmpty = Object.values(tally).some((each) => each === 0);
  if (isEmpty) console.log('FAILED: an expected outcome never occurred');
  return failed + (isEmpty && count >= kinds.length ? 1 : 0);
}

async function damageOnce(
  damage: (history: string) => void,
  next: Next,
  tally: Record<'shown' | 'lost' | 'set aside' | 'noticed', number>,
): Promise<void> {
  const place = new Place();
  mkdirSync(place.vault);
  const { vault, state } = place;
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  try {
    const recorded: string[] = [];
    for (let change = 0; change <= next(4); change += 1)
      recorded.push(await write(keepsake, `note-${change}.md`));
    await keepsake.changes.record();
    const journaled = await write(keepsake, 'journaled.md');
    damage(join(state, 'history.git'));
    const before = await keepsake.changes.checkHistory();
    const isSeen =
      before.damage !== null || before.problems.length > 0 || before.missingCommits > 0 || !before.exists;
    let lost = 0;
    for (const id of recorded) {
      const isLost = !(await isShown(keepsake, id));
      lost += Number(isLost);
      if (!isLost) expectWritten(await keepsake.changes.undo(id));
    }
    if (lost > 0 && !isSeen) throw new Error('a change is lost, but doctor finds nothing');
    if (!(await isShown(keepsake, journaled))) throw new Error('a change in the journal cannot be shown');
    expectWritten(await keepsake.changes.undo(journaled));
    const later = await write(keepsake, 'later.md');
    await keepsake.changes.record();
    for (const id of [journaled, later])
      if (!(await isShown(keepsake, id))) throw new Error('a change of the journal is lost in history');
    expectWritten(await keepsake.changes.undo(later));
    const after = await keepsake.changes.checkHistory();
    if (after.damage !== null) throw new Error(`still damaged: ${after.damage}`);
    tally.shown += recorded.length - lost;
    tally.lost += lost;
    tally['set aside'] += after.quarantined.length;
    tally.noticed += Number(isSeen);
  } finally {
    const { recordError } = await keepsake.close();
    place.remove();
    if (recordError !== null) console.log(`not recorded: ${recordError}`);
  }
}

async function write({ callTool, changes }: Keepsake, path: string): Promise<string> {
  const input = { path, content: `what is in ${path}` };
  await callTool({ tool: 'write', input, reader: 'person', origin: 'campaign' });
  return changes.list({ limit: 1 })[0]?.id ?? '';
}

/** False when the change is reported as lost; throws every other error. */
async function isShown({ changes }: Keepsake, id: string): Promise<boolean> {
  try {
    const shown = await changes.find(id)?.diffs();
    if (shown?.length !== 1 || shown[0]?.diff.includes('what is in') !== true)
      throw new Error(`shown as ${JSON.stringify(shown)}`);
    return true;
  } catch (error) {
    if (error instanceof KeepsakeError && error.code === 'damaged-history') return false;
    throw error;
  }
}

function expectWritten({ kind }: { kind: string }): void {
  if (kind !== 'written') throw new Error(`undo returned ${kind}`);
}
