import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { initVault, parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { randomNumbers } from '../random-numbers.ts';
import { Place } from './scenario.ts';
import { startFilingAgents, taskMark } from './syncthing-agents.ts';
import type { FilingAgents } from './syncthing-agents.ts';
import { startSyncthingPair } from './syncthing-pair.ts';
import type { SyncthingPair } from './syncthing-pair.ts';

/** Shorter intervals than for users, but long enough that a server can finish its work. */
const timing = {
  stampQuietMs: 1_500,
  undetectableStampQuietMs: 1_500,
  scanIntervalMs: 10_000,
  burstScanDelayMs: 500,
  hintScanDelayMs: 3_000,
  treeQuietMs: 1_000,
  recordQuietMs: 2_000,
};
/** How long both sides may take to converge, in milliseconds. */
const convergenceTimeoutMs = 10 * 60_000;
/** The number of edits on each side whenever the two sides are disconnected. */
const fullEdits = 500;
const [shortWatch, longWatch] = [8_000, 120_000];
/** How long nothing must happen before the sync counts as finished, in milliseconds. */
const quietFor = 6_000;
/** How long the last write may take to reach the other side, in milliseconds. */
const onItsWay = 60_000;
const sharedNotes = 8;
/**
 * The number of edits after which the agent of a machine files an update; the first update of a round is the same
 * on both machines.
 */
const editsPerFiling = 25;

type Machine = { folder: string; keepsake: Keepsake; name: string };
type Next = (limit: number) => number;
/** The unique marks in the lines that were written, and in those that were deleted. */
type Marks = { written: Set<string>; deleted: Set<string> };

/**
 * Two machines each have a vault, and Syncthing keeps both in sync. While they are disconnected, both vaults are
 * edited, a third of the time in the same notes, and their agents file updates, some of them the same on both. After
 * reconnecting, every line that was not deleted must exist once, both sides must be equal, mergeable copies must be
 * merged, and then neither side may write any more.
 */
export async function syncthingCampaign(rounds: number, edits = fullEdits): Promise<number> {
  const places = [new Place(), new Place()];
  const folders = places.map(({ vault }) => vault) as [string, string];
  layOut(folders);
  const failed: string[] = [];
  let reported = 0;
  const pair = await startSyncthingPair(places[0]?.folder ?? '', folders);
  const agents = await startFilingAgents();
  const machines: Machine[] = [];
  const upkeeps: { stop(): Promise<void> }[] = [];
  const events = { last: performance.now(), merged: 0, asked: 0 };
  try {
    for (const [index, { vault, state }] of places.entries()) {
      const keepsake = await openKeepsake({ vault, state, environment: readEnvironment(agents.variables) });
      machines.push({ folder: vault, keepsake, name: 'AB'[index] ?? '' });
      upkeeps.push(
        keepsake.startUpkeep({
          timing,
          onEvent(event) {
            events.last = performance.now();
            if (event.kind === 'copy-merged') events.merged += 1;
            if (event.kind === 'copy-question') events.asked += 1;
            if (event.kind === 'failed') failed.push(`${event.operation}: ${String(event.error)}`);
          },
        }),
      );
    }
    await untilQuiet(pair, machines, events);
    const next = numbersBelow(randomNumbers(17));
    const marks: Marks = { written: marksOf(folders[0]), deleted: new Set() };
    for (let round = 1; round <= rounds; round += 1) {
      await pair.disconnect();
      for (let edit = 0; edit < edits; edit += 1)
        for (const machine of machines) {
          await makeEdit(machine, `${machine.name}${round}x${edit}`, next, marks);
          if (edit % editsPerFiling === 0)
            await haveFiled(
              agents,
              machine,
              edit === 0 ? `both${round}` : `${machine.name}${round}f${edit}`,
              marks,
            );
        }
      const began = performance.now();
      await pair.connect();
      const isQuiet = await untilQuiet(pair, machines, events);
      const took = Math.round((performance.now() - began) / 1000);
      if (!isQuiet) failed.push(`round ${round}: the two sides differ after ${took} s`);
      const found = await check(machines, marks);
      failed.push(...found.complaints.map((each) => `round ${round}: ${each}`));
      failed.push(...(await watchSilence(folders, edits < fullEdits ? shortWatch : longWatch)));
      console.log(
        `round ${round}: ${edits} edits on each side, equal after ${took} s; ${events.merged} copies merged, ${events.asked} put into the inbox, ` +
          `${found.copies} left; ${marks.written.size} marks, ${marks.deleted.size} deleted, ${found.back} of them back`,
      );
      reported += report(failed.splice(0));
    }
    if (events.merged === 0) failed.push('no copy was ever merged');
  } finally {
    for (const upkeep of upkeeps) await upkeep.stop();
    for (const { keepsake } of machines) await keepsake.close();
    await pair.stop();
    await agents.stop();
    for (const place of places) place.remove();
  }
  return report(failed) + reported;
}

function report(failed: readonly string[]): number {
  for (const each of failed.slice(0, 20)) console.log(`FAILED ${each}`);
  return failed.length;
}

function numbersBelow(random: () => number): Next {
  return (limit) => Math.floor(random() * limit);
}

const marked = /\bmark-[\w]+/g;

function layOut([first, second]: [string, string]): void {
  initVault(first, { language: 'en', home: dirname(first), clock: Date.now });
  const put = (path: string, lines: string[]): void => {
    mkdirSync(dirname(join(first, path)), { recursive: true });
    writeFileSync(join(first, path), `${lines.join('\n')}\n`);
  };
  for (let note = 0; note < sharedNotes; note += 1)
    put(sharedNote(note), [
      `# Shared ${note}`,
      '',
      ...Array.from({ length: 20 }, (_, line) => `Both know mark-S${note}l${line} of it.`),
    ]);
  cpSync(first, second, { recursive: true, preserveTimestamps: true });
}

const sharedNote = (note: number): string => `projects/shared/note-${note}.md`;

async function makeEdit(machine: Machine, id: string, next: Next, marks: Marks): Promise<void> {
  const mark = `mark-${id}`;
  const isShared = next(3) === 0;
  if (!isShared) {
    const path = `projects/of-${machine.name}/note-${next(30)}.md`;
    const lines = linesOf(machine, path) ?? [`# A note`, ''];
    await save(machine, path, insert(lines, next, `Written alone: ${mark}.`), next);
  } else {
    const kind = next(10);
    if (kind < 3)
      await save(machine, 'changelog.md', withEntry(linesOf(machine, 'changelog.md') ?? [], mark), next);
    else if (kind < 5)
      await save(machine, 'tasks.md', withTask(linesOf(machine, 'tasks.md') ?? [], mark), next);
    else {
      const path = sharedNote(next(sharedNotes));
      const lines = linesOf(machine, path) ?? [];
      const at =
        kind < 8 ? -1 : lines.findIndex((line, index) => index > 3 + next(15) && line.includes('mark-'));
      if (at < 0) await save(machine, path, insert(lines, next, `Written here: ${mark}.`), next);
      else {
        for (const [gone] of (lines[at] ?? '').matchAll(marked)) marks.deleted.add(gone);
        await save(
          machine,
          path,
          kind === 8 ? lines.toSpliced(at, 1) : lines.with(at, `Changed to ${mark}.`),
          next,
        );
        if (kind === 8) return;
      }
    }
  }
  marks.written.add(mark);
}

async function haveFiled(
  agents: FilingAgents,
  { keepsake }: Machine,
  id: string,
  { written }: Marks,
): Promise<void> {
  const mark = `mark-${id}`;
  await agents.file(keepsake, mark);
  written.add(mark).add(taskMark(mark));
}

function linesOf({ folder }: Machine, path: string): string[] | null {
  try {
    return readFileSync(join(folder, path), 'utf8').replace(/\n$/, '').split('\n');
  } catch {
    return null;
  }
}

/** Inserts a line at a random position below the frontmatter and the heading. */
function insert(lines: string[], next: Next, line: string): string[] {
  const body = lines.findIndex((each) => each.startsWith('# ')) + 2;
  return lines.toSpliced(Math.min(lines.length, body + next(Math.max(1, lines.length - body + 1))), 0, line);
}

/** Adds an entry as the update agent does: under the day, newest first. */
function withEntry(lines: string[], mark: string): string[] {
  const day = `# ${new Date().toISOString().slice(0, 10)}`;
  const entry = [`## Filed ${mark}`, '', `The words of it, from ${mark.replace('mark-', '')}.`, ''];
  const at = lines.indexOf(day);
  if (at >= 0) return lines.toSpliced(at + 2, 0, ...entry);
  const first = lines.findIndex((line) => /^# \d/.test(line));
  return lines.toSpliced(first < 0 ? lines.length : first, 0, ...(first < 0 ? [''] : []), day, '', ...entry);
}

function withTask(lines: string[], mark: string): string[] {
  return [...lines, '', `# Do ${mark}`, 'status: open', 'due: 2026-12-01'];
}

/** Saves as an editor does, in place or by renaming, or through Keepsake itself. */
async function save(machine: Machine, path: string, lines: readonly string[], next: Next): Promise<void> {
  const file = join(machine.folder, path);
  const text = `${lines.join('\n')}\n`;
  mkdirSync(dirname(file), { recursive: true });
  const how = next(4);
  if (how === 0) writeFileSync(file, text);
  else if (how === 1) {
    writeFileSync(join(dirname(file), `.${machine.name}.tmp`), text);
    renameSync(join(dirname(file), `.${machine.name}.tmp`), file);
  } else {
    const present = linesOf(machine, path) === null ? null : readFileSync(file);
    const after = Buffer.from(text);
    const change =
      present === null
        ? { kind: 'create' as const, path: vaultPath(path), after, mode: null }
        : { kind: 'replace' as const, path: vaultPath(path), before: present, after, mode: null };
    const written = await machine.keepsake.changes.writer.write([change], {
      origin: 'update',
      summary: path,
    });
    if (written.kind !== 'written') throw new Error(`${path}: ${written.kind}`);
  }
}

function vaultPath(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new Error(path);
  return parsed.path;
}

const isCopy = (path: string): boolean => path.includes('.sync-conflict-');

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => !path.split('/').some((name) => name.startsWith('.')))
    .filter((path) => statSync(join(folder, path), { throwIfNoEntry: false })?.isFile() === true)
    .toSorted();
}

function read(folder: string, path: string): string {
  try {
    return readFileSync(join(folder, path), 'utf8');
  } catch {
    return '';
  }
}

function contentOf(folder: string): string {
  return filesIn(folder)
    .map((path) => `${path}\n${read(folder, path)}`)
    .join('\0');
}

function marksOf(folder: string): Set<string> {
  return new Set(filesIn(folder).flatMap((path) => read(folder, path).match(marked) ?? []));
}

/** Conflict copies that are neither merged nor named by a question in the inbox. */
function unasked(folder: string): string[] {
  const files = filesIn(folder);
  const questions = files.filter((path) => path.startsWith('inbox/')).map((path) => read(folder, path));
  return files.filter((path) => isCopy(path) && !questions.some((question) => question.includes(path)));
}

/** Waits until both sides are equal and nothing has happened for a while; false on timeout. */
async function untilQuiet(
  pair: SyncthingPair,
  machines: readonly Machine[],
  events: { last: number },
): Promise<boolean> {
  const [one, other] = machines.map(({ folder }) => folder) as [string, string];
  const start = performance.now();
  let since = performance.now();
  while (performance.now() - start < convergenceTimeoutMs) {
    await sleep(500);
    const isQuiet = (await pair.isIdle()) && contentOf(one) === contentOf(other);
    if (!isQuiet) since = performance.now();
    // Unmerged copies mean that work is pending, however slow the machine is.
    else if (machines.some(({ folder }) => unasked(folder).length > 0)) since = performance.now();
    else if (performance.now() - Math.max(since, events.last) > quietFor) return true;
  }
  return false;
}

async function check(
  machines: readonly Machine[],
  { written, deleted }: Marks,
): Promise<{ complaints: string[]; copies: number; back: number }> {
  const complaints: string[] = [];
  let [copies, back] = [0, 0];
  for (const { folder, keepsake, name } of machines) {
    const counts = new Map<string, number>();
    const files = filesIn(folder);
    const left = files.filter(isCopy);
    copies = left.length;
    for (const path of files.filter(
      (each) => !isCopy(each) && !each.startsWith('inbox/') && each !== 'tree.md',
    ))
      for (const [mark] of read(folder, path).matchAll(marked)) counts.set(mark, (counts.get(mark) ?? 0) + 1);
    const beside = new Set(left.flatMap((path) => read(folder, path).match(marked) ?? []));
    for (const [mark, count] of counts) if (count > 1) complaints.push(`${name} has ${mark} ${count} times`);
    for (const mark of written)
      if (!counts.has(mark) && !beside.has(mark) && !deleted.has(mark))
        complaints.push(`${name} has lost ${mark}`);
    back = [...deleted].filter((mark) => counts.has(mark)).length;
    for (const path of unasked(folder)) complaints.push(`${name}: ${path} is not in the inbox`);
    const indexed = await keepsake.search.withIndex(async ({ index }) => [...index.files().keys()]);
    for (const path of indexed.filter(isCopy)) complaints.push(`${name} searches ${path}`);
  }
  return { complaints, copies, back };
}

/**
 * Checks that the two sides do not react to each other endlessly: each file is written at most twice, and in the end
 * both sides are equal.
 */
async function watchSilence(folders: readonly [string, string], milliseconds: number): Promise<string[]> {
  const traceOf = (folder: string, path: string): string => {
    const stats = statSync(join(folder, path), { throwIfNoEntry: false });
    return `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`;
  };
  const traces = new Map<string, string>();
  const writes = new Map<string, number>();
  for (
    const start = performance.now(), first = new Set<string>();
    performance.now() - start < milliseconds;
  ) {
    for (const folder of folders)
      for (const path of filesIn(folder)) {
        const [file, trace] = [join(folder, path), traceOf(folder, path)];
        if (first.has(folder) && traces.get(file) !== trace) writes.set(file, (writes.get(file) ?? 0) + 1);
        traces.set(file, trace);
      }
    for (const folder of folders) first.add(folder);
    await sleep(1_000);
  }
  const often = [...writes]
    .filter(([, count]) => count > 2)
    .map(([file, count]) => `${file} was written ${count} times`);
  // One more write is allowed, and may be in transit.
  for (const start = performance.now(); contentOf(folders[0]) !== contentOf(folders[1]); await sleep(500))
    if (performance.now() - start > onItsWay) return [...often, 'the two sides differ again'];
  return often;
}
