import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { snapshot } from '../import/snapshot.ts';
import { layOutSource } from './import-source.ts';
import { program } from './program.ts';

type Ended = { code: number | null; isKilled: boolean; out: string; seconds: number };
type Moment = 'reading' | 'converting' | 'writing';

/**
 * Imports notes with attachments and documents, and kills the import repeatedly while it reads, converts and writes, restarting it each time.
 * The final result equals that of an undisturbed import, in one change; undo restores the vault exactly.
 */
export async function importCampaign(
  notes: number,
  kills = Math.max(4, Math.round(notes / 250)),
): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'keepsake-import-'));
  const source = join(root, 'source');
  const laidOut = layOutSource(source, notes);
  const place = (name: string): Place => createPlace(join(root, name), source);
  const template = place('template');
  await template.run(['init', template.vault]);
  const [whole, killed] = [place('whole'), place('killed')];
  for (const each of [whole, killed]) cpSync(template.vault, each.vault, { recursive: true });
  const before = snapshot(killed.vault);

  const undisturbed = await whole.run(['import', source, '--json', ...whole.options]);
  const expected = snapshot(whole.vault);
  const total = whole.imported();
  console.log(
    `import: ${laidOut.notes} notes, ${laidOut.attachments} attachments, ${laidOut.documents} of them documents, ${total} files, undisturbed in ${undisturbed.seconds.toFixed(1)} s`,
  );

  const complaints: string[] = [];
  const counts: Record<Moment, number> = { reading: 0, converting: 0, writing: 0 };
  for (let kill = 0; kill < kills; kill += 1) {
    const moment: Moment = kill < kills * 0.25 ? 'reading' : kill < kills * 0.5 ? 'converting' : 'writing';
    const share = Math.random() * 0.3;
    const [cached, there] = [killed.cached(), killed.imported()];
    const isDue = {
      reading: (milliseconds: number) => milliseconds > 100 + share * undisturbed.seconds * 500,
      converting: () => killed.cached() > cached + share * (laidOut.documents - cached),
      writing: () => killed.imported() > there + share * (total - there),
    }[moment];
    const ended = await killed.run(['import', source, ...killed.options], isDue);
    if (ended.isKilled) counts[moment] += 1;
    if (moment !== 'writing' && killed.imported() > 0)
      complaints.push(`something was written while ${moment}`);
  }
  const last = await killed.run(['import', source, '--json', ...killed.options]);
  if (last.code !== 0) complaints.push(`the last import exited with ${last.code}: ${last.out}`);
  complaints.push(...differences(expected, snapshot(killed.vault)));
  console.log(
    `import: killed ${counts.reading} times while reading, ${counts.converting} while converting, ${counts.writing} while writing`,
  );

  const again = JSON.parse((await killed.run(['import', source, '--json', ...killed.options])).out) as {
    id: string | null;
  };
  if (again.id !== null) complaints.push('importing again wrote something');
  const { changes } = JSON.parse((await killed.run(['history', '--json', ...killed.options])).out) as {
    changes: { id: string; origin: string; state: string }[];
  };
  if (changes.length !== 1 || changes[0]?.origin !== 'import' || changes[0].state !== 'applied')
    complaints.push(
      `history has ${changes.length} entries: ${JSON.stringify(changes.map(({ origin, state }) => [origin, state]))}`,
    );
  const found = await killed.run(['find', `word${notes - 1}`, '--json', ...killed.options]);
  if (!found.out.includes(`note ${notes - 1}.md`)) complaints.push('an imported note is not found');
  const undone = await killed.run(['undo', changes[0]?.id ?? '', ...killed.options]);
  complaints.push(...differences(before, snapshot(killed.vault)).map((each) => `after undo: ${each}`));
  console.log(`import: undone in ${undone.seconds.toFixed(1)} s`);

  // A campaign without kills proves nothing.
  const isReal = counts.reading + counts.converting + counts.writing >= kills * 0.8 && counts.writing > 0;
  if (!isReal) complaints.push('too few of the kills occurred');
  for (const complaint of complaints.slice(0, 20)) console.log(`FAILED: ${complaint}`);
  rmSync(root, { recursive: true, force: true });
  return complaints.length;
}

type Place = {
  vault: string;
  options: string[];
  /** Runs a command; kills it as soon as `isDue` says so. */
  run: (args: string[], isDue?: (milliseconds: number) => boolean) => Promise<Ended>;
  /** How many converted documents are cached for the next start. */
  cached: () => number;
  /** How many files are at the target of the import. */
  imported: () => number;
};

function createPlace(folder: string, source: string): Place {
  const [vault, state] = [join(folder, 'vault'), join(folder, 'state')];
  const countIn = (below: string): number =>
    existsSync(below)
      ? readdirSync(below, { recursive: true, withFileTypes: true }).filter((each) => each.isFile()).length
      : 0;
  return {
    vault,
    options: ['--vault', vault, '--state', state],
    cached: () => countIn(join(state, 'imports')),
    imported: () => countIn(join(vault, 'bucket', source.slice(source.lastIndexOf('/') + 1))),
    run: (args, isDue) => execute(args, isDue),
  };
}

async function execute(args: string[], isDue?: (milliseconds: number) => boolean): Promise<Ended> {
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.on('data', (chunk) => (out += String(chunk)));
  const ended = new Promise<number | null>((done) => void child.on('close', done));
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  let isKilled = false;
  if (isDue !== undefined) {
    while (isRunning() && !isDue(performance.now() - start)) await sleep(2);
    isKilled = isRunning() && child.kill('SIGKILL');
  }
  const code = await ended;
  return { code, isKilled, out, seconds: (performance.now() - start) / 1000 };
}

function differences(expected: Record<string, string>, found: Record<string, string>): string[] {
  const paths = new Set([...Object.keys(expected), ...Object.keys(found)]);
  return [...paths].flatMap((path) => {
    if (expected[path] === found[path]) return [];
    return [`${path} is ${found[path] ?? 'not there'}, expected ${expected[path] ?? 'nothing'}`];
  });
}
