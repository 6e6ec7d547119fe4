import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './measure.ts';

type Committing = { commit: number; bare: number; window: number };

/** What a commit of one 4 kB edit costs, against the bare sequence of calls it cannot do without. */
export async function writingBench(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    const small = commitIn(join(folder, 'small'), 100);
    const large = commitIn(join(folder, 'large'), 100_000);
    report(
      'committing a 4 kB edit, vault of 100 files',
      small.commit,
      { name: 'the bare sequence', time: small.bare },
      2,
    );
    report(
      'committing a 4 kB edit, vault of 100,000 files',
      large.commit,
      { name: 'the bare sequence', time: large.bare },
      2,
    );
    const [a, b] = [small.commit / small.bare, large.commit / large.bare];
    report('100,000 files against 100, each in bare sequences', b, { name: '100 files', time: a }, 1.3);
    console.log(
      `between last look and rename, where files cannot be exchanged in one step: ${(small.window * 1000).toFixed(1)} µs (the two calls on this disk, middle of 200); here they can, so there is none`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function commitIn(folder: string, files: number): Committing {
  const vault = join(folder, 'vault');
  for (let index = 0; index < files; index += 1) {
    const parent = join(vault, `p${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(parent, { recursive: true });
    writeFileSync(join(parent, `note-${index}.md`), `# Note ${index}\n`);
  }
  writeFileSync(
    join(vault, 'note.md'),
    `# Note\n${'A line of some forty characters in a note\n'.repeat(97)}`,
  );
  const script = fileURLToPath(new URL('writing-worker.mjs', import.meta.url));
  return JSON.parse(
    execFileSync(process.execPath, [script, vault, join(folder, 'state')], { encoding: 'utf8' }),
  ) as Committing;
}
