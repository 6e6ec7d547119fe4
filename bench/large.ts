import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createToken, run, serve, usedBy, workOf } from '../test/campaigns/program.ts';
import type { Size } from './measure.ts';

const sizes = {
  full: { files: 100_000, watchedMs: 60_000, settledMs: 10_000 },
  tiny: { files: 200, watchedMs: 200, settledMs: 500 },
};

/**
 * `npm run bench -- large`: how long `serve` takes to start with many files, and how much CPU time and memory it uses
 * when idle.
 */
export async function largeBench(size: Size): Promise<void> {
  const { files, watchedMs, settledMs } = sizes[size];
  const root = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  const vault = join(root, 'vault');
  const place = ['--vault', vault, '--state', join(root, 'state')];
  try {
    run(['init', vault]);
    for (let index = 0; index < files; index += 1) {
      const parent = join(vault, 'notes', `p${Math.floor(index / 100)}`);
      if (index % 100 === 0) mkdirSync(parent, { recursive: true });
      writeFileSync(join(parent, `note-${index}.md`), `# Note ${index}\n\nA few words about ${index}.\n`);
    }
    execFileSync('sync');
    const token = createToken(place, { scope: 'read' });
    for (const start of ['the first start', 'the next start']) {
      const begin = performance.now();
      const { child, url } = await serve(place);
      const ready = performance.now() - begin;
      const pid = child.pid ?? 0;
      while (!(await isSearchable(url, token, files))) await sleep(500);
      const searchable = performance.now() - begin;
      await settled(pid, settledMs);
      const before = workOf(pid);
      await sleep(watchedMs);
      const share = (workOf(pid) - before) / (watchedMs / 1000);
      console.log(
        `serve on ${files} files, ${start}: ready after ${(ready / 1000).toFixed(1)} s, every file searchable after ${(searchable / 1000).toFixed(1)} s; then, when idle, ${(share * 100).toFixed(1)} % of a core and ${(usedBy(pid).memory / 1e6).toFixed(0)} MB`,
      );
      child.kill('SIGTERM');
      await new Promise((ended) => child.once('close', ended));
    }
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Whether every file is in the index. A busy server may drop a connection, which counts as false. */
async function isSearchable(url: string, token: string, files: number): Promise<boolean> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${url}/api/vaults/default/status`, { headers }).catch(() => null);
  if (response === null) return false;
  const { index } = (await response.json()) as { index: { files: number } };
  return index.files >= files;
}

/** Waits until the process is nearly idle, because it keeps working for a while after its start. */
async function settled(pid: number, time: number): Promise<void> {
  for (let before = workOf(pid); ; before = workOf(pid)) {
    await sleep(time);
    if (workOf(pid) - before < time / 10_000) return;
  }
}
