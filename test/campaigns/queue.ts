import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/**
 * Repeatedly kills a process that accepts and processes updates, at random times. Every acknowledged update is
 * processed exactly once, in the order of acceptance.
 */
export async function queueCampaign(count: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-queue-'));
  const file = join(folder, 'queue.sqlite');
  const kills = Math.max(5, Math.floor(count / 50));
  let [seed, acknowledged, killed] = [99, 0, 0];
  const random = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  while (acknowledged < count) {
    // The average number of updates between two kills is small enough that the updates do not run out before the last
    // kill.
    const after = killed < kills ? Math.floor(random() * 1.6 * (count / kills)) : Infinity;
    const ended = await work(file, acknowledged, count, after);
    acknowledged = ended.next;
    if (ended.isKilled) killed += 1;
  }
  await work(file, count, count, Infinity);
  const database = new Database(file);
  const effects = database.prepare('select number from effects order by seq').pluck().all() as number[];
  const states = database.prepare('select state, count(*) as count from updates group by state').all();
  const isInOrder = effects.every((number, index) => index === 0 || number > (effects[index - 1] ?? -1));
  const missing = count - new Set(effects).size;
  database.close();
  rmSync(folder, { recursive: true, force: true });
  console.log(`queue: ${count} accepted, ${killed} kills; ${JSON.stringify(states)}`);
  if (missing > 0) console.log(`FAILED: ${missing} are lost`);
  if (!isInOrder) console.log('FAILED: out of order, or processed twice');
  if (killed < kills / 2) console.log('FAILED: too few kills occurred');
  return Number(missing > 0) + Number(!isInOrder) + Number(killed < kills / 2);
}

/** Runs the worker, kills it after this many acknowledgements, and returns the first unacknowledged number. */
function work(
  file: string,
  from: number,
  to: number,
  killAfter: number,
): Promise<{ next: number; isKilled: boolean }> {
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [
      'test/campaigns/queue-worker.mjs',
      file,
      String(from),
      String(to),
    ]);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.split('\n').length > killAfter) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
    child.on('close', (code, signal) => {
      if (code !== null && code !== 0) return fail(new Error(`the worker exited with ${code}`));
      const last = output.trim().split('\n').at(-1) ?? '';
      done({ next: last === '' ? from : Number(last) + 1, isKilled: signal === 'SIGKILL' });
    });
  });
}
