import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { tools } from '../../packages/vault/src/tools/index.ts';
import { interceptCalls, real } from '../intercepted-calls.ts';
import { randomNumbers } from '../random-numbers.ts';
import { leftovers, Place } from './scenario.ts';

const changes = ['delete', 'move', 'edit', 'undo'] as const;
const styles = ['rename', 'in place', 'truncate', 'append to a file kept open'] as const;
const failing = ['linkSync', 'renameSync', 'renameat2', 'fsyncSync'] as const;
const errors = ['ENOSPC', 'EPERM', 'EIO'] as const;
const lines = Array.from({ length: 12 }, (_, index) => `line ${index + 1} of the note`);

type Try = {
  change: (typeof changes)[number];
  style: (typeof styles)[number];
  /** The index of the file-changing call before which the user saves. */
  saveAt: number;
  fails: readonly string[];
  error: (typeof errors)[number];
  /** How many calls succeed before they start to fail. */
  passes: number;
  times: number;
};

/**
 * A user saves a note between two steps of our change to it, and link, rename or fsync fails from some step on. The
 * saved text must be in the note, or in the file that the error message names; once the disk works again, it must be in
 * the note.
 */
export async function savesCampaign(count: number): Promise<number> {
  const place = new Place();
  mkdirSync(place.vault);
  const { vault, state } = place;
  const calls = interceptCalls();
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const random = randomNumbers(4711);
  const next = (limit: number): number => Math.floor(random() * limit);
  const outcomes = { 'under its name': 0, named: 0, 'not met': 0 };
  let failures = 0;
  for (let run = 0; outcomes['under its name'] + outcomes.named + failures < count; run += 1) {
    if (run > 20 * count) break;
    const each: Try = {
      change: changes[next(changes.length)] ?? 'edit',
      style: styles[next(styles.length)] ?? 'rename',
      saveAt: 1 + next(7),
      fails: next(2) === 0 ? failing : [failing[next(failing.length)] ?? 'linkSync'],
      error: errors[next(errors.length)] ?? 'EIO',
      passes: next(4),
      times: [1, 2, Infinity][next(3)] ?? 1,
    };
    const { outcome, complaints } = await oneSave(keepsake, calls, vault, run, each);
    if (complaints.length > 0) failures += 1;
    else outcomes[outcome] += 1;
    for (const complaint of complaints)
      console.log(`FAILED run ${run} ${JSON.stringify(each)}: ${complaint}`);
  }
  await keepsake.close();
  place.remove();
  const met = outcomes['under its name'] + outcomes.named + failures;
  console.log(`saves: ${met} saves coincided with a change and a failing disk; ${JSON.stringify(outcomes)}`);
  return failures + (met < count ? 1 : 0);
}

type Outcome = 'under its name' | 'named' | 'not met';

async function oneSave(
  keepsake: Keepsake,
  calls: ReturnType<typeof interceptCalls>,
  vault: string,
  run: number,
  each: Try,
): Promise<{ outcome: Outcome; complaints: string[] }> {
  const [name, mark] = [`note-${run}.md`, `PERSON ${run} WROTE THIS`];
  const file = join(vault, name);
  const prepared = await prepare(keepsake, each.change, file, name);
  const person = new Person(file, each.style, mark);
  let [seen, passed, failed] = [0, 0, 0];
  calls.intercept = (call, args) => {
    const changesFiles = !['openSync', 'readSync', 'fcntl', 'writeSync'].includes(call);
    if (!changesFiles && args[1] !== 'wx') return null;
    seen += 1;
    if (seen === each.saveAt) person.save();
    if (!person.hasSaved || !each.fails.includes(call)) return null;
    passed += 1;
    if (passed <= each.passes || failed >= each.times) return null;
    failed += 1;
    return each.error;
  };
  let said = '';
  try {
    said = JSON.stringify(await prepared());
  } catch (error) {
    said = String(error);
  } finally {
    calls.intercept = () => null;
  }
  person.done();
  if (!person.hasSaved || failed === 0) return { outcome: 'not met', complaints: [] };
  const complaints: string[] = [];
  const exists = holds(vault, name, mark) || holds(vault, `moved-${name}`, mark);
  const isNamed = [...said.matchAll(/[\w./-]*\.keepsake-[\w.-]+/g)].some(([path]) =>
    holds(vault, path.replace(/^vault\//, ''), mark),
  );
  // Appends to a replaced file are collected a moment later.
  const isAwaited = each.style === 'append to a file kept open';
  if (!exists && !isNamed && !isAwaited)
    complaints.push(`the saved text is neither in place nor named in the message: ${said.slice(0, 300)}`);
  await keepsake.changes.writer.recover();
  await keepsake.changes.writer.collectLateWrites();
  if (!holds(vault, name, mark) && !holds(vault, `moved-${name}`, mark))
    complaints.push(
      `the saved text is missing after the disk works again; the message was: ${said.slice(0, 300)}`,
    );
  complaints.push(...leftovers(vault));
  for (const left of [name, `moved-${name}`]) real.rmSync(join(vault, left), { force: true });
  return { outcome: exists || isAwaited ? 'under its name' : 'named', complaints };
}

/** Creates the note, and returns the change that the save and the failures interrupt. */
async function prepare(
  keepsake: Keepsake,
  change: Try['change'],
  file: string,
  path: string,
): Promise<() => Promise<unknown>> {
  real.writeFileSync(file, `${lines.join('\n')}\n`);
  const stage = async (tool: string, input: object) => {
    const run = keepsake.writeRun('person');
    for (const [name, given] of [['read', { paths: path }] as const, [tool, input] as const])
      await tools.find((candidate) => candidate.name === name)?.call(given, run);
    return () => run.transaction.commit({ origin: 'saves', summary: change }, true);
  };
  const edit = () => stage('edit', { path, old: lines[2], new: 'the agent wrote this' });
  if (change === 'delete') return stage('delete', { path });
  if (change === 'move') return stage('move', { from: path, to: `moved-${path}` });
  if (change === 'edit') return edit();
  const commit = await edit();
  const written = await commit();
  return () => keepsake.changes.undo(written.kind === 'written' ? written.id : '');
}

/** Saves a note once, in the manner of one editor. */
class Person {
  hasSaved = false;
  readonly #file: string;
  readonly #style: Try['style'];
  readonly #mark: string;
  readonly #open: number | null;

  constructor(file: string, style: Try['style'], mark: string) {
    [this.#file, this.#style, this.#mark] = [file, style, mark];
    this.#open = style === 'append to a file kept open' ? real.openSync(file, 'a') : null;
  }

  save(): void {
    this.hasSaved = true;
    if (this.#open !== null) return void real.writeSync(this.#open, `${this.#mark}\n`);
    const text = `${[...lines.slice(0, 11), this.#mark].join('\n')}\n`;
    if (this.#style === 'rename') {
      real.writeFileSync(`${this.#file}~`, text);
      real.renameSync(`${this.#file}~`, this.#file);
    } else if (this.#style === 'in place' && real.existsSync(this.#file)) {
      const fd = real.openSync(this.#file, 'r+');
      real.writeSync(fd, text, 0);
      real.ftruncateSync(fd, Buffer.byteLength(text));
      real.closeSync(fd);
    } else real.writeFileSync(this.#file, text);
  }

  done(): void {
    if (this.#open !== null) real.closeSync(this.#open);
  }
}

function holds(vault: string, path: string, mark: string): boolean {
  const file = join(vault, path);
  return real.existsSync(file) && real.readFileSync(file, 'utf8').includes(mark);
}
