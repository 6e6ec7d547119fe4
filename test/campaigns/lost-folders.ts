import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';

const names = ['laptop', 'desktop', 'studio'];
/** Enough notes for the deletion of half of them to count as a mass deletion. */
const notesAtStart = 40;
const stepsPerSequence = 10;

type Next = (below: number) => number;
type Machine = { name: string; vault: string; state: string; copy: string; keepsake: Keepsake };

/**
 * Each line has a unique mark. `sent` are those that a sync has pushed, `deleted` those that the user deleted one by
 * one.
 */
type Marks = { made: number; sent: Set<string>; deleted: Set<string> };

type World = { remote: string; machines: Machine[]; marks: Marks; next: Next; tally: Record<string, number> };

/**
 * Three machines sync one vault while their folders are lost, emptied, unmounted or replaced by older copies. No sync
 * may remove a line from a folder unless it was deleted on purpose, and in the end every line that was ever pushed can
 * be restored on all machines.
 */
export async function lostFoldersCampaign(count: number): Promise<number> {
  let failures = 0;
  const tally: Record<string, number> = {};
  for (let seed = 1; seed <= count; seed += 1) {
    const problems = await runSequence(seed, tally);
    for (const problem of problems.slice(0, 10)) console.log(`  sequence ${seed}: ${problem}`);
    if (problems.length > 0) failures += 1;
  }
  console.log(JSON.stringify(tally));
  return failures;
}

async function runSequence(seed: number, tally: Record<string, number>): Promise<string[]> {
  const random = randomNumbers(seed * 104_729);
  const next: Next = (below) => Math.floor(random() * below);
  const place = mkdtempSync(join(tmpdir(), 'keepsake-folders-'));
  const remote = join(place, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const marks: Marks = { made: 0, sent: new Set(), deleted: new Set() };
  const world: World = { remote, machines: [], marks, next, tally };
  try {
    for (const name of names) {
      const [vault, state, copy] = ['vault', 'state', 'copy'].map((part) => join(place, name, part)) as [
        string,
        string,
        string,
      ];
      mkdirSync(vault, { recursive: true });
      if (world.machines.length === 0) layOut(vault, marks);
      const machine = { name, vault, state, copy, keepsake: await open(name, vault, state) };
      world.machines.push(machine);
      const problems = await sync(world, machine, remote);
      if (problems.length > 0) return problems;
      cpSync(vault, copy, { recursive: true });
    }
    const problems: string[] = [];
    for (let step = 0; step < stepsPerSequence; step += 1) {
      const machine = world.machines[next(names.length)];
      if (machine !== undefined) problems.push(...(await takeStep(world, machine)));
    }
    return [...problems, ...(await bringBack(world))];
  } finally {
    for (const { keepsake } of world.machines) await keepsake.close();
    rmSync(place, { recursive: true, force: true });
  }
}

async function open(name: string, vault: string, state: string): Promise<Keepsake> {
  const environment = { ...readEnvironment({ ...processVariables }), hostName: name };
  return openKeepsake({ vault, state, environment });
}

function layOut(vault: string, marks: Marks): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  write('.keepsake/vault.json', '{ "id": "vault-of-campaign", "version": 1 }\n');
  write('profile.md', `${line(marks)}\n`);
  for (let note = 0; note < notesAtStart; note += 1)
    write(`notes/${note}.md`, `${line(marks)}\n\n${line(marks)}\n`);
}

function line(marks: Marks): string {
  marks.made += 1;
  return `mark-${marks.made}-end`;
}

/** One event in the folder of a machine, usually followed by a sync as a user would run it. */
async function takeStep(world: World, machine: Machine): Promise<string[]> {
  const { next, remote, tally } = world;
  const kinds = { edit, deleteOne, empty, halve, lose, unmount, replace };
  const [kind, happen] = Object.entries(kinds)[next(Object.keys(kinds).length)] ?? ['edit', edit];
  tally[kind] = (tally[kind] ?? 0) + 1;
  const problems = await happen(world, machine);
  if (next(4) === 0) return problems;
  const named = next(2) === 0 ? remote : undefined;
  return [...problems, ...(await sync(world, machine, named))];
}

async function edit({ marks, next }: World, { vault }: Machine): Promise<string[]> {
  const notes = notesIn(vault);
  const path = notes[next(notes.length)];
  if (path !== undefined) appendFileSync(join(vault, path), `\n${line(marks)}\n`);
  return [];
}

async function deleteOne({ marks, next }: World, { vault }: Machine): Promise<string[]> {
  const notes = notesIn(vault).filter((path) => path !== 'profile.md');
  const path = notes[next(notes.length)];
  if (path === undefined) return [];
  for (const mark of marksIn(readFileSync(join(vault, path), 'utf8'))) marks.deleted.add(mark);
  rmSync(join(vault, path));
  return [];
}

async function empty(_: World, { vault }: Machine): Promise<string[]> {
  for (const name of readdirSync(vault))
    if (name !== '.keepsake') rmSync(join(vault, name), { recursive: true });
  return [];
}

async function halve(_: World, { vault }: Machine): Promise<string[]> {
  for (const [index, path] of notesIn(vault).entries()) if (index % 2 === 0) rmSync(join(vault, path));
  return [];
}

async function lose(_: World, machine: Machine): Promise<string[]> {
  return withFolderClosed(machine, () => {
    rmSync(machine.vault, { recursive: true });
    mkdirSync(machine.vault);
  });
}

/** Replaces the folder of the vault with an empty one, as if its disk were unmounted, then syncs and restores it. */
async function unmount(world: World, machine: Machine): Promise<string[]> {
  const away = `${machine.vault}-disk`;
  const problems = await withFolderClosed(machine, () => {
    renameSync(machine.vault, away);
    mkdirSync(machine.vault);
  });
  const named = world.next(2) === 0 ? world.remote : undefined;
  problems.push(...(await sync(world, machine, named)));
  await withFolderClosed(machine, () => {
    rmSync(machine.vault, { recursive: true });
    renameSync(away, machine.vault);
  });
  return problems;
}

/** Replaces the folder with its initial copy, with or without the marker of the last sync. */
async function replace({ next }: World, machine: Machine): Promise<string[]> {
  return withFolderClosed(machine, () => {
    rmSync(machine.vault, { recursive: true });
    cpSync(machine.copy, machine.vault, { recursive: true });
    const own = join(machine.vault, '.keepsake');
    if (next(2) === 0)
      for (const name of readdirSync(own)) if (name.startsWith('sync-')) rmSync(join(own, name));
  });
}

async function withFolderClosed(machine: Machine, work: () => void): Promise<string[]> {
  await machine.keepsake.close();
  work();
  machine.keepsake = await open(machine.name, machine.vault, machine.state);
  return [];
}

/** Expected errors, which tell the user what to do; all others are problems. */
const refusals = new Set(['mass-deletion', 'bad-state', 'bad-target', 'other-vault', 'no-remote']);

/** Syncs, and checks that the folder has lost only lines that were deleted on purpose. */
async function sync(
  { marks, tally }: World,
  { name, vault, keepsake }: Machine,
  remote?: string,
  deletions: 'ask' | 'restore' = 'ask',
): Promise<string[]> {
  const before = allMarks(vault);
  try {
    await keepsake.sync.run(remote, { deletions });
    tally['synced'] = (tally['synced'] ?? 0) + 1;
    for (const mark of allMarks(vault)) marks.sent.add(mark);
  } catch (error) {
    const code = String((error as { code?: unknown }).code);
    if (!refusals.has(code)) return [`${name}: ${String(error)}`];
    tally[code] = (tally[code] ?? 0) + 1;
  }
  const after = allMarks(vault);
  return [...before]
    .filter((mark) => !after.has(mark) && !marks.deleted.has(mark))
    .map((mark) => `a sync removed ${mark} from the ${name}`);
}

/** Checks that every machine can restore every line that was ever pushed. */
async function bringBack(world: World): Promise<string[]> {
  const { machines, marks, remote } = world;
  const problems: string[] = [];
  for (const machine of [...machines, ...machines, ...machines])
    problems.push(...(await sync(world, machine, remote, 'restore')));
  for (const { name, vault } of machines) {
    const there = allMarks(vault);
    for (const mark of marks.sent)
      if (!there.has(mark) && !marks.deleted.has(mark)) problems.push(`${mark} is lost on the ${name}`);
  }
  const [first, ...others] = machines.map(({ vault }) => JSON.stringify([...allMarks(vault)].toSorted()));
  if (others.some((other) => other !== first)) problems.push('the machines differ');
  return problems;
}

const marksIn = (text: string): string[] => text.match(/mark-\d+-end/g) ?? [];

function notesIn(vault: string): string[] {
  if (!existsSync(vault)) return [];
  return readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter(
      (path) =>
        path.endsWith('.md') && !path.startsWith('.') && !path.startsWith('inbox/') && path !== 'tree.md',
    )
    .toSorted();
}

function allMarks(vault: string): Set<string> {
  const files = readdirSync(vault, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.md'),
  );
  return new Set(files.flatMap((path) => marksIn(readFileSync(join(vault, path), 'utf8'))));
}
