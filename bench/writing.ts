import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './measure.ts';
import type { Size } from './measure.ts';

type Committing = { small: number; large: number; bare: number; window: number };

const sizes = { full: { files: 100_000, rounds: 200 }, tiny: { files: 200, rounds: 3 } };

/** Compares the cost of committing a 4 kB edit with that of the bare file and database calls that it needs. */
export async function writingBench(size: Size): Promise<void> {
  const { files, rounds } = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    const vaults = [layOut(join(folder, 'small'), 100), layOut(join(folder, 'large'), files)];
    // The prepared files must not be flushed to disk during the measurement.
    execFileSync('sync');
    const script = fileURLToPath(new URL('writing-worker.mjs', import.meta.url));
    const output = execFileSync(process.execPath, [script, ...vaults, join(folder, 'state'), `${rounds}`], {
      encoding: 'utf8',
    });
    const { small, large, bare, window } = JSON.parse(output) as Committing;
    const sequence = { name: 'the bare sequence', time: bare };
    report('committing a 4 kB edit, vault of 100 files', small, sequence, 2);
    report(`committing a 4 kB edit, vault of ${files} files`, large, sequence, 2);
    report(`${files} files against 100`, large, { name: '100 files', time: small }, 1.3);
    console.log(
      `between the last check and the rename, where files cannot be exchanged atomically: ${(window * 1000).toFixed(1)} µs (the two calls on this disk, median of ${rounds}); here they can, so there is no such window`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function layOut(vault: string, files: number): string {
  for (let index = 0; index < files; index += 1) {
    const parent = join(vault, `p${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `note-${index}.md`), `# Note ${index}\n`);
  }
  writeFileSync(
    join(vault, 'note.md'),
    `# Note\n${'A line of some forty characters in a note\n'.repeat(97)}`,
  );
  return vault;
}
