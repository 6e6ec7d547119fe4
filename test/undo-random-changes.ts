import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import type { Keepsake } from '../packages/vault/src/app/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';

type Vault = Pick<Keepsake, 'writeRun' | 'changes'> & { folder: string };

type Step = { file: number; line: number; kind: 'edit' | 'outside' | 'insert' | 'delete-line' };

/** The effect of one change on one file, and the lines that were added to that file later. */
type Done = { id: string; file: string; before: string; after: string; later: string[] };

const names = ['f0.md', 'f1.md', 'f2.md'];
// Only the first four lines of two files change, so that changes overlap often enough to cause conflicts.
const step: fc.Arbitrary<Step> = fc.record({
  file: fc.nat(1),
  line: fc.nat(3),
  kind: fc.constantFrom('edit', 'outside', 'insert', 'delete-line'),
});

/**
 * Makes random changes and external edits, then undoes one of the changes: either its own lines are reverted and the rest is unchanged, or
 * nothing is written and the conflict is reported. Throws with the counterexample.
 */
export async function undoRandomChanges(
  vault: Vault,
  count: number,
  seed = 16,
): Promise<{ undone: number; refused: number; recorded: number }> {
  const tally = { undone: 0, refused: 0, recorded: 0 };
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), fc.nat(5), async (steps, which) => {
      run += 1;
      const files = names.map((name) => `run-${run}/${name}`);
      mkdirSync(join(vault.folder, `run-${run}`));
      for (const file of files)
        writeFileSync(
          join(vault.folder, file),
          `${Array.from({ length: 10 }, (_, index) => `${file} line ${index}`).join('\n')}\n`,
        );
      const done: Done[] = [];
      for (const [index, each] of steps.entries()) await take(vault, files, each, index, done);
      const chosen = done[which % Math.max(1, done.length)];
      if (chosen === undefined) return;
      // Some are undone from the journal, some from history.
      if (run % 4 === 0) {
        await vault.changes.record();
        tally.recorded += 1;
      }
      tally[await undoAndCompare(vault, files, chosen)] += 1;
    }),
    { numRuns: count, seed },
  );
  return tally;
}

function bodyIn({ folder }: Vault, file: string): string {
  return readFileSync(join(folder, file), 'utf8').replace(/^---\n[\s\S]*?\n---\n\n?/, '');
}

async function take(
  vault: Vault,
  files: string[],
  { file: which, line, kind }: Step,
  index: number,
  done: Done[],
): Promise<void> {
  const file = files[which] ?? '';
  const before = bodyIn(vault, file);
  const lines = before.split('\n').slice(0, -1);
  const target = lines[line % lines.length] ?? '';
  const fresh = `changed at step ${index}`;
  for (const each of done) if (each.file === file) each.later.push(fresh);
  if (kind === 'outside') {
    const full = join(vault.folder, file);
    writeFileSync(full, readFileSync(full, 'utf8').replace(`${target}\n`, `${fresh}\n`));
    return;
  }
  const replacement = { edit: fresh, insert: `${target}\n${fresh}`, 'delete-line': '' }[kind];
  const run = vault.writeRun('person');
  for (const [name, input] of [
    ['read', { paths: file }],
    ['edit', { path: file, old: `${target}\n`, new: replacement }],
  ] as const) {
    const outcome = await tools.find((tool) => tool.name === name)?.call(input, run);
    assert(outcome?.kind === 'result' && outcome.result.value.errors.length === 0, JSON.stringify(outcome));
  }
  const written = await run.transaction.commit({ origin: 'test', summary: 'test' });
  assert(written.kind === 'written', JSON.stringify(written));
  done.push({ id: written.id, file, before, after: bodyIn(vault, file), later: [] });
}

async function undoAndCompare(vault: Vault, files: string[], chosen: Done): Promise<'undone' | 'refused'> {
  const bodies = (): Map<string, string> => new Map(files.map((file) => [file, bodyIn(vault, file)]));
  const present = bodies();
  const undone = await vault.changes.undo(chosen.id);
  const now = bodies();
  for (const file of files) if (file !== chosen.file) assert.equal(now.get(file), present.get(file));
  if (undone.kind === 'conflict') {
    assert.deepEqual(now, present);
    assert.equal(undone.files[0]?.path, `vault/${chosen.file}`);
    return 'refused';
  }
  const body = now.get(chosen.file) ?? '';
  // Without later edits, the file is exactly as before; otherwise every later line is still there.
  if (chosen.later.length === 0) assert.equal(body, chosen.before);
  const presentLines = new Set(present.get(chosen.file)?.split('\n'));
  for (const line of chosen.later) if (presentLines.has(line)) assert(body.includes(line));
  for (const line of chosen.after.split('\n'))
    if (!chosen.before.includes(line)) assert(!body.split('\n').includes(line));
  return 'undone';
}
