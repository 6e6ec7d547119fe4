// node test/upkeep/campaign.ts [operations] [seed] [milliseconds per operation]: makes random external edits while the
// watcher loses most events. Within a minute of the last edit, catalogue, index and tree.md must equal a build from
// scratch.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createFileWatcher } from '../../packages/vault/src/upkeep/index.ts';
import { initVault } from '../../packages/vault/src/vault/index.ts';
import { derivedFromScratch, derivedNow, difference } from './fresh-build.ts';
import { searchWithoutStaleText } from './search-without-stale-text.ts';
import { randomEdits, randomFrom } from './random-edits.ts';

const [operations = 10_000, seed = 1, pace = 3] = process.argv.slice(2).map(Number);
const scratch = mkdtempSync(join(tmpdir(), 'keepsake-campaign-'));
const [folder, state] = [join(scratch, 'vault'), join(scratch, 'state')];
initVault(folder, { language: 'en', home: scratch, clock: Date.now });
const keepsake = await openKeepsake({
  vault: folder,
  state,
  environment: readEnvironment({ PATH: process.env['PATH'] }),
});

const tally: Record<string, number> = {};
const add = (what: string, count = 1): void => void (tally[what] = (tally[what] ?? 0) + count);
const restoreQueue = shrinkSystemQueue();
const upkeep = keepsake.startUpkeep({
  watch: createFileWatcher(keepsake.root, { maxPaths: 8 }),
  onEvent(event) {
    add(event.kind, 'files' in event ? event.files : 'paths' in event ? event.paths.length : 1);
    if (event.kind === 'failed') console.log(`${event.operation}: ${String(event.error)}`);
  },
});
await sleep(2_000);
restoreQueue();

const random = randomFrom(seed);
const edits = randomEdits(folder, random);
const start = performance.now();
let hits = 0;
for (let step = 1; step <= operations; step += 1) {
  add(`operation: ${edits.step()}`);
  if (step % 10 === 0) await sleep(10 * pace);
  if (step % 50 === 0) hits += await searchWithoutStaleText(keepsake, folder, edits.someWord());
}
const ended = performance.now();
console.log(
  `${operations} operations in ${((ended - start) / 1000).toFixed(1)} s; ${hits} hits, none of deleted text`,
);

let wrong: string | null = 'not compared';
while (wrong !== null && performance.now() - ended < 90_000) {
  await sleep(2_000);
  // Only a stable state counts: pending stamps would still change it.
  wrong = difference(await derivedNow(keepsake, folder, state), await derivedFromScratch(folder));
  if (wrong === null)
    console.log(
      `equal to a build from scratch ${((performance.now() - ended) / 1000).toFixed(1)} s after the last`,
    );
}
const equalAfter = (performance.now() - ended) / 1000;
await sleep(70_000);
const later = difference(await derivedNow(keepsake, folder, state), await derivedFromScratch(folder));
console.log(`a minute later: ${later ?? 'still equal'}`);
console.log(tally);
await upkeep.stop();
await keepsake.close();
rmSync(scratch, { recursive: true });
const isPassed = wrong === null && later === null && equalAfter <= 60;
console.log(
  isPassed ? 'campaign passed' : `campaign FAILED: ${wrong ?? later ?? `only after ${equalAfter} s`}`,
);
process.exitCode = isPassed ? 0 : 1;

/** Shrinks the inotify queue: Linux silently drops events that do not fit into it. Only new watchers are affected. */
function shrinkSystemQueue(): () => void {
  const file = '/proc/sys/fs/inotify/max_queued_events';
  try {
    const before = readFileSync(file, 'utf8');
    writeFileSync(file, '16');
    console.log('the inotify queue holds 16 events');
    return () => writeFileSync(file, before);
  } catch {
    return () => undefined;
  }
}
