import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createToken, layOutNotes, makePlace, program, serve } from './program.ts';

const notes = 20;
const writers = 50;
const maxShown = 100;

/** The acknowledged changes and updates so far, in order. */
type Acknowledged = { changes: string[]; updates: string[] };

/**
 * Fifty writers change notes and submit updates through a server, while backups are taken and restored. Each restored vault is a consistent
 * snapshot of the original: it contains everything acknowledged before the backup, its notes match its journal and its history, every change
 * can be shown, the newest one can be undone, and its queue is a prefix of the original one.
 */
export async function backupCampaign(count: number): Promise<number> {
  const { root, vault, state, place } = makePlace('backup');
  layOutNotes(vault, notes);
  const token = createToken(place);
  const { child: serving, url } = await serve(place);
  const done: Acknowledged = { changes: [], updates: [] };
  const stopping = new AbortController();
  const turnOf = { backup: false };
  const writing = Array.from({ length: writers }, (_, index) =>
    keepWriting({ url, token, index, done, turnOf, signal: stopping.signal }),
  );
  const problems: string[] = [];
  const during: number[] = [];
  for (let turn = 0; turn < count; turn += 1) {
    // The writers pause while a backup is checked, but not while it is taken.
    turnOf.backup = true;
    await sleep(3_000);
    const before = { changes: [...done.changes], updates: [...done.updates] };
    const [backup, to, at] = ['backup', 'restored', 'restored-state'].map((name) =>
      join(root, `${name}-${turn}`),
    );
    await runBeside(['backup', backup ?? '', ...place]);
    turnOf.backup = false;
    during.push(done.changes.length - before.changes.length);
    await runBeside(['restore-backup', backup ?? '', '--to', to ?? '', '--state', at ?? '']);
    problems.push(
      ...(await compare(to ?? '', at ?? '', before, state)).map((problem) => `backup ${turn}: ${problem}`),
    );
    for (const each of [backup, to, at]) rmSync(each ?? '', { recursive: true, force: true });
  }
  stopping.abort();
  await Promise.all(writing);
  serving.kill('SIGKILL');
  rmSync(root, { recursive: true, force: true });
  console.log(
    `backup: ${count} backups while ${writers} writers made ${done.changes.length} changes and ${done.updates.length} updates, ${during.join(', ')} of them during the backups; ${problems.length} problems`,
  );
  for (const problem of problems.slice(0, 10)) console.log(`FAILED ${problem}`);
  const isIdle = during.every((changes) => changes === 0) || done.updates.length === 0;
  if (isIdle) console.log('FAILED: nothing was written while a backup was taken');
  return problems.length + Number(isIdle);
}

type Writing = {
  url: string;
  token: string;
  index: number;
  done: Acknowledged;
  turnOf: { backup: boolean };
  signal: AbortSignal;
};

async function keepWriting({ url, token, index, done, turnOf, signal }: Writing): Promise<void> {
  const post = async (path: string, body: object): Promise<boolean> => {
    const response = await fetch(`${url}/api/vaults/default/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { kind?: string; id?: string } | null;
    if (response?.ok !== true) await sleep(200);
    if (typeof answer?.id === 'string') done.updates.push(answer.id);
    return response?.ok === true && answer?.kind === 'result';
  };
  for (let turn = 0; !signal.aborted; turn += 1) {
    while (!turnOf.backup && !signal.aborted) await sleep(50);
    if ((index + turn) % 10 === 5) await post('updates', { text: `update ${turn} of writer ${index}` });
    const id = randomUUID();
    const input = { path: `note-${(index + turn) % notes}.md`, content: `mark ${id}`, position: 'bottom' };
    if (await post('tools/append', { id, input })) done.changes.push(id);
    await sleep(20);
  }
}

/** Reports where the restored vault is not a consistent snapshot of the original. */
async function compare(
  vault: string,
  state: string,
  before: Acknowledged,
  original: string,
): Promise<string[]> {
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const problems: string[] = [];
  const { changes, agents } = keepsake;
  // Excludes external edits: each of the two vaults records pre-existing notes and stamps separately.
  const restored = changes
    .list({ limit: 1_000_000 })
    .flatMap(({ id, origin }) => (origin === 'outside' ? [] : [id]));
  const known = new Set(restored);
  const queued = new Set(agents.updates.list({ limit: 1_000_000 }).map(({ id }) => id));
  const lost = before.changes.filter((id) => !known.has(id));
  if (lost.length > 0) problems.push(`${lost.length} changes made before the backup are missing`);
  const dropped = before.updates.filter((id) => !queued.has(id));
  if (dropped.length > 0) problems.push(`${dropped.length} updates accepted before the backup are missing`);
  const marks = new Set(Array.from(textOf(vault).matchAll(/^mark (\S+)$/gm), ([, id]) => id));
  const unwritten = restored.filter((id) => !marks.has(id));
  if (unwritten.length > 0 || marks.size !== restored.length)
    problems.push(
      `the notes contain ${marks.size} changes, the journal ${restored.length}; ${unwritten.length} of them are missing in the notes`,
    );
  // Showing thousands of changes would take minutes; git checks the integrity of all of them below.
  for (const id of evenly(restored, maxShown)) {
    const shown = await changes
      .find(id)
      ?.diffs()
      .catch(() => null);
    if (shown?.some(({ diff }) => diff.includes(`mark ${id}`)) !== true)
      problems.push(`${id} cannot be shown`);
  }
  const { recorded, ...look } = await changes.checkHistory();
  if (look.damage !== null || look.problems.length > 0 || look.missingCommits > 0)
    problems.push(JSON.stringify(look));
  problems.push(...differencesFromHead(vault, state), ...notTheBeginning(state, original));
  const [newest = ''] = restored;
  const isUndone = (await changes.undo(newest)).kind === 'written';
  if (!isUndone || textOf(vault).includes(newest))
    problems.push(`${newest} cannot be undone in the restored vault`);
  await keepsake.close();
  return recorded === 0 && restored.length > 200 ? [...problems, 'history is empty'] : problems;
}

function textOf(vault: string): string {
  return readdirSync(vault)
    .filter((name) => name.startsWith('note-'))
    .map((name) => readFileSync(join(vault, name), 'utf8'))
    .join('\n');
}

function evenly<Value>(values: readonly Value[], maxCount: number): Value[] {
  const every = Math.ceil(values.length / maxCount);
  return values.filter((_, index) => index % every === 0);
}

/** Notes that differ from the newest commit of history. */
function differencesFromHead(vault: string, state: string): string[] {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['--git-dir', join(state, 'history.git'), ...args], { maxBuffer: 2 ** 30 });
  const paths = git('ls-tree', '-r', '-z', '--name-only', 'main').toString().split('\0').filter(Boolean);
  return paths
    .filter((path) => !git('cat-file', 'blob', `main:${path}`).equals(readFileSync(join(vault, path))))
    .map((path) => `${path} differs from history`);
}

/** Checks that the queue and the journal of a backup are prefixes of the original ones. */
function notTheBeginning(restored: string, original: string): string[] {
  const tables = { transactions: "where origin != 'outside'", updates: '' };
  return Object.entries(tables).flatMap(([table, where]) => {
    const idsIn = (state: string): string[] => {
      const database = new Database(join(state, 'keepsake.sqlite'), { readonly: true });
      const ids = database.prepare(`select id from ${table} ${where} order by seq`).pluck().all() as string[];
      database.close();
      return ids;
    };
    const [part, whole] = [idsIn(restored), idsIn(original)];
    const isBeginning = part.every((id, index) => id === whole[index]);
    return isBeginning ? [] : [`the ${table} are not a prefix of the original ones`];
  });
}

/** Runs a command while the writers of this process continue. */
async function runBeside(args: string[]): Promise<void> {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const code = await new Promise((ended) => child.once('close', ended));
  if (code !== 0) throw new Error(`keepsake ${args[0]} exited with ${String(code)}: ${said}`);
}
