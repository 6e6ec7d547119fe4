import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
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
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { processVariables } from '../process-variables.ts';
import { randomNumbers } from '../random-numbers.ts';
import { program } from './program.ts';

const names = ['laptop', 'desktop', 'studio'];
const rounds = 8;
const editsPerRound = 3;
const notes = 9;
/** The number of notes that all machines edit. */
const hot = 3;
const linesPerNote = 8;

type Machine = { name: string; vault: string; state: string; keepsake: Keepsake };
type Next = (below: number) => number;

/**
 * Every written line has a mark. Marks of removed lines may be gone, unless another machine changed those lines at the same time; marks of
 * removed tasks, which no machine changes, must be gone.
 */
type Marks = Record<'made' | 'removed' | 'gone', Set<string>>;

/**
 * Three machines with one vault edit at random, a third of the time the same notes, and sync in random order, with rejected pushes and killed
 * processes. In the end all have the same bytes, with every mark that was not removed exactly once.
 */
export async function gitsyncCampaign(count: number): Promise<number> {
  let failures = 0;
  for (let turn = 1; turn <= count; turn += 1) {
    const problems = await runScenario(turn);
    for (const problem of problems.slice(0, 10)) console.log(`  scenario ${turn}: ${problem}`);
    if (problems.length > 0) failures += 1;
  }
  return failures;
}

async function runScenario(seed: number): Promise<string[]> {
  const random = randomNumbers(seed * 7_919);
  const next: Next = (below) => Math.floor(random() * below);
  const place = mkdtempSync(join(tmpdir(), 'keepsake-gitsync-'));
  const remote = join(place, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const machines: Machine[] = [];
  const marks: Marks = { made: new Set(), removed: new Set(), gone: new Set() };
  const tally = { syncs: 0, refused: 0, killed: 0, asked: 0, merged: 0 };
  try {
    for (const name of names) {
      const [vault, state] = [join(place, name, 'vault'), join(place, name, 'state')];
      mkdirSync(vault, { recursive: true });
      if (machines.length === 0) layOut(vault, marks);
      const environment = { ...readEnvironment({ ...processVariables }), hostName: name };
      const keepsake = await openKeepsake({ vault, state, environment });
      machines.push({ name, vault, state, keepsake });
      await keepsake.sync.run(remote);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const machine of machines)
        for (let edit = 0; edit < editsPerRound; edit += 1) editSomething(machine, marks, next);
      for (const machine of shuffled(machines, next)) {
        const kind = next(8);
        if (kind === 0) await killDuringSync(machine, remote, 200 + next(1_500), tally);
        else {
          if (kind === 1) refuseOnce(remote);
          await syncOnce(machine, tally);
        }
      }
    }
    rmSync(join(remote, 'hooks/pre-receive'), { force: true });
    for (const machine of [...machines, ...machines]) await machine.keepsake.sync.run();
    const back = countBack(machines[0]?.vault ?? '', marks);
    console.log(
      `scenario ${seed}: ${JSON.stringify({ marks: marks.made.size, removed: marks.removed.size, back, ...tally })}`,
    );
    const problems = [...differences(machines), ...wrongMarks(machines[0]?.vault ?? '', marks)];
    return [...problems, ...(await deleteInTheEnd(machines, next)), ...differences(machines)];
  } finally {
    for (const { keepsake } of machines) await keepsake.close();
    rmSync(place, { recursive: true, force: true });
  }
}

function layOut(vault: string, marks: Marks): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  write('.keepsake/vault.json', '{ "id": "vault-of-campaign", "version": 1 }\n');
  for (let note = 0; note < notes; note += 1) {
    const lines = Array.from({ length: linesPerNote }, () => `${line(marks)}\n\n`);
    write(`notes/${note}.md`, `# Note ${note}\n\n${lines.join('').trimEnd()}\n`);
  }
  write('changelog.md', `# 2026-11-01\n\n## First ${line(marks)}\n\nIt began.\n`);
  write('tasks.md', `# First ${line(marks)}\n\nTo do.\n`);
}

/** A unique line. */
function line(marks: Marks): string {
  const mark = `mark-${marks.made.size + 1}-end`;
  marks.made.add(mark);
  return mark;
}

const marksIn = (text: string): string[] => text.match(/mark-\d+-end/g) ?? [];

/** Makes one edit as a user, an editor or the update agent would. */
function editSomething({ name, vault }: Machine, marks: Marks, next: Next): void {
  const read = (path: string): string => readFileSync(join(vault, path), 'utf8');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  const kind = next(12);
  if (kind < 3) {
    const day = `# 2026-11-${String(2 + next(3)).padStart(2, '0')}`;
    const entry = `## By ${name} ${line(marks)}\n\nIt was done.\n`;
    const text = read('changelog.md');
    const exists = text.includes(`${day}\n`);
    const days = text.split(/(?=^# )/m).filter((each) => each !== '');
    const at = days.findIndex((each) => each.slice(0, day.length) < day);
    const made = `${day}\n\n${entry}\n`;
    write(
      'changelog.md',
      exists ? text.replace(`${day}\n\n`, made) : days.toSpliced(at < 0 ? days.length : at, 0, made).join(''),
    );
    return;
  }
  if (kind < 5) {
    const text = read('tasks.md');
    const tasks = text.split(/(?=^# )/m).filter((each) => each !== '');
    if (kind === 3 && tasks.length > 3) {
      const [done = ''] = tasks.splice(next(tasks.length), 1);
      for (const mark of marksIn(done)) {
        marks.removed.add(mark);
        marks.gone.add(mark);
      }
      write('tasks.md', tasks.join(''));
    } else write('tasks.md', `# By ${name} ${line(marks)}\n\nTo do.\n\n${text}`);
    return;
  }
  const all = readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(?:notes|moved)\/.*\.md$/.test(path))
    .toSorted();
  const path = all[next(next(3) === 0 ? Math.min(hot, all.length) : all.length)];
  if (kind < 6 || path === undefined) {
    const lines = Array.from({ length: linesPerNote }, () => `${line(marks)}\n\n`);
    return write(`notes/${name}-${marks.made.size}.md`, `# By ${name}\n\n${lines.join('').trimEnd()}\n`);
  }
  const text = read(path);
  if (kind < 7 && all.length > 4) {
    for (const mark of marksIn(text)) marks.removed.add(mark);
    return rmSync(join(vault, path));
  }
  if (kind < 8) {
    mkdirSync(join(vault, 'moved'), { recursive: true });
    return renameSync(join(vault, path), join(vault, `moved/${name}-${marks.made.size}-${next(1_000)}.md`));
  }
  const lines = text.split('\n');
  const places = lines.flatMap((each, index) => (each.startsWith('mark-') ? [index] : []));
  const at = places[next(places.length)] ?? lines.length - 1;
  if (kind < 10) return write(path, lines.toSpliced(at + 1, 0, '', line(marks)).join('\n'));
  for (const mark of marksIn(lines[at] ?? '')) marks.removed.add(mark);
  write(path, lines.with(at, line(marks)).join('\n'));
}

type Tally = Record<'syncs' | 'refused' | 'killed' | 'asked' | 'merged', number>;

async function syncOnce({ keepsake }: Machine, tally: Tally): Promise<void> {
  try {
    const { conflicts, merged } = await keepsake.sync.run();
    tally.syncs += 1;
    tally.asked += conflicts.length;
    tally.merged += merged.length;
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'not-accepted') throw error;
    tally.refused += 1;
  }
}

function refuseOnce(remote: string): void {
  const hook = join(remote, 'hooks/pre-receive');
  writeFileSync(hook, '#!/bin/sh\nrm "$0"\nexit 1\n');
  chmodSync(hook, 0o755);
}

async function killDuringSync(
  { vault, state }: Machine,
  remote: string,
  after: number,
  tally: Tally,
): Promise<void> {
  const args = [program, 'sync', remote, '--vault', vault, '--state', state];
  const child = spawn(process.execPath, args, { env: processVariables, stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('close', resolve));
  await Promise.race([ended, sleep(after)]);
  if (child.exitCode === null) tally.killed += 1;
  child.kill('SIGKILL');
  await ended;
}

function shuffled<Each>(all: readonly Each[], next: Next): Each[] {
  const left = [...all];
  return all.flatMap(() => left.splice(next(left.length), 1));
}

function filesIn(vault: string): Map<string, string> {
  const paths = readdirSync(vault, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(vault.length + 1))
    .filter((path) => path !== 'tree.md' && !path.startsWith('.'))
    .toSorted();
  return new Map(paths.map((path) => [path, readFileSync(join(vault, path), 'utf8')]));
}

function differences([first, ...others]: readonly Machine[]): string[] {
  const files = filesIn(first?.vault ?? '');
  return others.flatMap(({ name, vault }) => {
    const theirs = filesIn(vault);
    const paths = [...new Set([...files.keys(), ...theirs.keys()])];
    return paths
      .filter((path) => files.get(path) !== theirs.get(path))
      .map((path) => `${path} differs on the ${name}`);
  });
}

/** Checks that a final deletion on one machine reaches all others. */
async function deleteInTheEnd(machines: readonly Machine[], next: Next): Promise<string[]> {
  const [first, ...others] = shuffled(machines, next);
  if (first === undefined) return [];
  const paths = [...filesIn(first.vault).keys()].filter((path) => path.startsWith('notes/')).slice(0, 3);
  for (const path of paths) rmSync(join(first.vault, path));
  for (const { keepsake } of [first, ...others]) await keepsake.sync.run();
  return machines.flatMap(({ name, vault }) =>
    paths.filter((path) => existsSync(join(vault, path))).map((path) => `${path} came back on the ${name}`),
  );
}

/** Counts removed lines that are back in a note because another machine changed the same lines. */
function countBack(vault: string, { removed }: Marks): number {
  const inPlace = [...filesIn(vault)].filter(([path]) => !path.startsWith('inbox/'));
  const there = new Set(inPlace.flatMap(([, text]) => marksIn(text)));
  return [...removed].filter((mark) => there.has(mark)).length;
}

function wrongMarks(vault: string, { made, removed, gone }: Marks): string[] {
  if (!existsSync(vault)) return ['the vault does not exist'];
  const inPlace = new Map<string, number>();
  const kept = new Set<string>();
  const problems: string[] = [];
  for (const [path, text] of filesIn(vault)) {
    if (/^(?:<{7}|={7}|>{7})/m.test(text)) problems.push(`${path} has conflict markers`);
    for (const mark of marksIn(text)) {
      if (path.startsWith('inbox/')) kept.add(mark);
      else inPlace.set(mark, (inPlace.get(mark) ?? 0) + 1);
    }
  }
  for (const mark of made) {
    const times = inPlace.get(mark) ?? 0;
    if (times > 0 && gone.has(mark)) problems.push(`${mark} came back`);
    if (times > 1) problems.push(`${mark} occurs ${times} times`);
    if (times === 0 && !kept.has(mark) && !removed.has(mark)) problems.push(`${mark} is lost`);
  }
  return problems;
}
