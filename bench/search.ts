import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { report } from './measure.ts';
import type { Size } from './measure.ts';

type Measured = {
  cold: number;
  qmdCold: number;
  change: number;
  qmdChange: number;
  query: number;
  qmdQuery: number;
  scoped: number;
  /** Like `query`, but half of the words occur in no file; QMD then returns early without results. */
  oddQuery: number;
  qmdOddQuery: number;
  noteBytes: number;
  indexBytes: number;
  memory: number;
  changelogSections: number;
  addedSections: number;
};

const sizes = {
  full: { files: 10_000, few: 1_000, many: 50_000 },
  tiny: { files: 400, few: 400, many: 500 },
};

/** Compares indexing and searching with QMD on the same files. */
export async function searchBench(size: Size): Promise<void> {
  const { files, few, many } = sizes[size];
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-bench-'));
  try {
    const all = measure(join(folder, 'all'), files, true);
    report(`indexing ${files} files`, all.cold, { name: "QMD's update()", time: all.qmdCold }, 0.5);
    report('indexing one changed file', all.change, { name: "QMD's update()", time: all.qmdChange }, 1 / 200);
    report('fast query, p50', all.query, { name: "QMD's searchLex", time: all.qmdQuery }, 2);
    report('fast query in a scope, p50', all.scoped, { name: 'the same without', time: all.query }, 1.5);
    console.log(
      `fast query with words that occur nowhere, p50: ${ratio(all.oddQuery, all.qmdOddQuery)} QMD's searchLex, which stops when one of the words occurs nowhere; no limit`,
    );
    console.log(
      `index: ${ratio(all.indexBytes, all.noteBytes)} the ${(all.noteBytes / 1e6).toFixed(0)} MB of notes; memory after all queries: ${(all.memory / 1e6).toFixed(0)} MB, ${(all.memory / all.noteBytes).toFixed(1)} MB per MB of notes`,
    );
    console.log(
      `an entry added to a changelog of 60,000 tokens: ${all.addedSections} of ${all.changelogSections} sections indexed; at most 1: ${all.addedSections <= 1 ? 'reached' : 'NOT REACHED'}`,
    );
    const small = measure(join(folder, 'small'), few, false);
    const large = measure(join(folder, 'large'), many, false);
    report(`one changed file among ${many}`, large.change, { name: `among ${few}`, time: small.change }, 1.3);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ratio(value: number, of: number): string {
  return `${(value / of).toFixed(2)}x`;
}

function measure(folder: string, files: number, withQmd: boolean): Measured {
  layOut(join(folder, 'vault'), files);
  const script = fileURLToPath(new URL('search-worker.mjs', import.meta.url));
  // QMD keeps a configuration in the home folder, which must not be used here.
  const env = { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder };
  const output = execFileSync(process.execPath, [script, folder, withQmd ? 'qmd' : 'alone'], {
    encoding: 'utf8',
    env,
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(output) as Measured;
}

/** Writes notes of 80 to 400 words with a natural word frequency distribution. */
function layOut(vault: string, files: number): void {
  let seed = 7;
  const random = (): number => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  const word = (): string => `w${Math.floor(20_000 * random() ** 4).toString(36)}`;
  const paragraph = (): string => Array.from({ length: 40 }, word).join(' ');
  for (let index = 0; index < files; index += 1) {
    const folder = join(vault, 'notes', `p${Math.floor(index / 100)}`);
    if (index % 100 === 0) mkdirSync(folder, { recursive: true });
    const paragraphs = Array.from({ length: 2 + Math.floor(random() * 8) }, paragraph);
    writeFileSync(join(folder, `note-${index}.md`), `# ${word()} ${word()}\n\n${paragraphs.join('\n\n')}\n`);
  }
  const days = Array.from(
    { length: 300 },
    (_, day) =>
      `# ${new Date(Date.UTC(2025, 0, 300 - day)).toISOString().slice(0, 10)}\n\n## ${word()}\n${Array.from({ length: 4 }, paragraph).join('\n')}\n`,
  );
  writeFileSync(join(vault, 'changelog.md'), days.join('\n'));
}
