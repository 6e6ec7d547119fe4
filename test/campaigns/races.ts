import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { tools } from '../../packages/vault/src/tools/index.ts';
import { Place } from './scenario.ts';

const styles = ['rename', 'in place', 'truncate', 'same size, times restored'] as const;
const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1} of the note`);

/**
 * A user saves a file, in the manner of different editors, at a random time around an agent's commit to the same file. The user's line
 * survives: either it is merged, or the commit of the agent is rejected.
 */
export async function racesCampaign(count: number): Promise<number> {
  return racesIn(tmpdir(), count);
}

/** `maxLost` allows losses on file systems that have a race between the last check and the change. */
export async function racesIn(folder: string, count: number, maxLost = 0): Promise<number> {
  const place = new Place(folder);
  mkdirSync(place.vault);
  const keepsake = await openKeepsake({
    vault: place.vault,
    state: place.state,
    environment: readEnvironment(),
  });
  const person = new Worker(join(import.meta.dirname, 'person.mjs'));
  const outcomes = { merged: 0, refused: 0, 'person last': 0, lost: 0 };
  let random = 12345;
  // Uses the high bits, because the low bits of this generator repeat.
  const next = (limit: number): number =>
    Math.floor(((random = (random * 1103515245 + 12345) % 2147483648) / 2147483648) * limit);

  for (let run = 0; run < count; run += 1) {
    const file = join(place.vault, 'note.md');
    const before = `${lines.join('\n')}\n`;
    writeFileSync(file, before);
    const isSameLine = next(4) === 0;
    const [agentLine, personLine] = isSameLine ? [3, 3] : [next(4), 8 + next(4)];
    const theirs = lines.toSpliced(personLine, 1, `LINE ${personLine + 1} OF THE NOTE`).join('\n');
    const context = keepsake.writeRun('model');
    const call = (name: string, input: unknown) =>
      tools.find((tool) => tool.name === name)?.call(input, context);
    await call('read', { paths: 'note.md' });
    await call('edit', { path: 'note.md', old: lines[agentLine], new: `agent ${run}` });

    const saved = new Promise((done) => person.once('message', done));
    person.postMessage({ file, text: `${theirs}\n`, style: styles[run % styles.length], wait: next(6_000) });
    await new Promise((done) => setTimeout(done, next(4)));
    const written = await context.transaction.commit({ origin: 'races', summary: 'edit' });
    await saved;
    // Every command does this at its end.
    await keepsake.changes.writer.collectLateWrites();

    const after = readFileSync(file, 'utf8');
    const [hasPerson, hasAgent] = [
      after.includes(`LINE ${personLine + 1} OF`),
      after.includes(`agent ${run}`),
    ];
    if (!hasPerson) {
      outcomes.lost += 1;
      console.log(
        `${outcomes.lost > maxLost ? 'FAILED' : 'lost in'} run ${run} (${styles[run % styles.length]}): the user's line is lost; the commit returned ${written.kind}`,
      );
    } else if (written.kind === 'conflict') outcomes.refused += 1;
    else outcomes[hasAgent ? 'merged' : 'person last'] += 1;
  }
  await person.terminate();
  await keepsake.close();
  place.remove();
  console.log(`races: ${JSON.stringify(outcomes)}`);
  // All three outcomes must have occurred; otherwise the times were not random.
  return (
    Math.max(0, outcomes.lost - maxLost) +
    (count >= 100 && (outcomes.merged === 0 || outcomes.refused === 0 || outcomes['person last'] === 0)
      ? 1
      : 0)
  );
}
