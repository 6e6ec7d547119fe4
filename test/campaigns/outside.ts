import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { contentAfter, contentBefore } from '../../packages/vault/src/changes/index.ts';
import type { FileChange } from '../../packages/vault/src/changes/index.ts';
import { initVault, parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { randomNumbers } from '../random-numbers.ts';
import { Place } from './scenario.ts';

/** The text of a file before and after an edit; null if the file does not exist. */
type Done = { path: string; before: string | null; after: string | null; mark: string | null };
/** The files of one edit, such as both ends of a move. */
type Edit = Done[];

/**
 * How long it may take until history contains the last edit, in milliseconds; more than a minute, because the machine
 * may be busy.
 */
const timeoutMs = 180_000;
/** The edits per batch; at least two batches, so that some files are edited again. */
const editsTogether = (count: number): number => Math.min(100, Math.ceil(count / 2));
/** The share of edits that the test tries to undo; later edits prevent some of the undos. */
const undonePart = 0.45;

/**
 * Adopts an Obsidian folder, and edits it as editors and users do. Checks that adoption changes no file, that history
 * contains every edit exactly, that undoing edits in any order restores the exact content and keeps later edits, and
 * that one undo restores a deleted folder.
 */
export async function outsideCampaign(count: number): Promise<number> {
  const place = new Place();
  const { vault, state } = place;
  const next = numbersBelow(randomNumbers(31));
  const notes = layOutObsidian(vault, count * 10);
  initVault(vault, { language: 'en', home: place.folder, clock: Date.now });
  const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
  const failed: string[] = [];
  const upkeep = keepsake.startUpkeep({
    timing: { recordQuietMs: 5_000 },
    onEvent(event) {
      if (event.kind === 'failed') failed.push(`${event.operation}: ${String(event.error)}`);
    },
  });
  try {
    const searches = await searchUntilKnown(keepsake);
    const status = git(vault, 'status', '--porcelain');
    if (status !== '?? .keepsake/\n') failed.push(`git sees changes: ${status}`);
    const edits: (Edit & { id?: string })[] = [];
    let slowest = 0;
    while (edits.length < count) {
      const some = makeEdits(
        vault,
        notes,
        Math.min(editsTogether(count), count - edits.length),
        edits.length,
        next,
      );
      const began = performance.now();
      failed.push(...(await findInHistory(keepsake, some)));
      slowest = Math.max(slowest, performance.now() - began);
      edits.push(...some);
    }
    const undone = await undoSome(keepsake, vault, edits, next, failed);
    failed.push(...(await loseAndBringBack(keepsake, vault)));
    const seconds = Math.round(slowest / 1000);
    console.log(
      `outside: ${notes.length} notes, ${searches} searches while history recorded them; ${count} edits, all found ` +
        `within ${seconds} s; ${JSON.stringify(undone)}`,
    );
    if (count >= 200 && Object.values(undone).includes(0)) failed.push('an expected outcome never occurred');
  } finally {
    await upkeep.stop();
    await keepsake.close();
    place.remove();
  }
  for (const each of failed) console.log(`FAILED ${each}`);
  return failed.length;
}

type Next = (limit: number) => number;

function numbersBelow(random: () => number): Next {
  return (limit) => Math.floor(random() * limit);
}

/** Creates notes, daily notes, templates, attachments, a canvas, settings and plugins, in the user's own git repository. */
function layOutObsidian(vault: string, count: number): string[] {
  const notes: string[] = [];
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  };
  for (let index = 0; index < count; index += 1) {
    const day = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10);
    const path =
      index % 5 === 0 ? `Daily/${day.slice(0, 4)}/${day}.md` : `Areas/Area ${index % 40}/Note ${index}.md`;
    const head = index % 3 === 0 ? `---\ntags: [area/${index % 40}]\naliases: []\n---\n` : '';
    const lines = Array.from(
      { length: 12 },
      (_, line) => `Line ${line} of [[Note ${(index + line) % count}]].`,
    );
    put(path, `${head}# Note ${index}\n\n${lines.join('\n')}\n`);
    notes.push(path);
    if (index % 10 === 0) put(`Attachments/picture ${index}.png`, `\u0089PNG ${index}`);
    if (index % 25 === 0) put(`Attachments/paper ${index}.pdf`, `%PDF ${index}`);
  }
  put('Map.canvas', '{"nodes":[{"id":"1","type":"file","file":"Map.md"}],"edges":[]}');
  put('Templates/Daily.md', '---\ndate: {{date}}\n---\n# {{title}}\n');
  put('.obsidian/app.json', '{"attachmentFolderPath":"Attachments"}');
  put('.obsidian/plugins/calendar/main.js', 'module.exports = {};\n');
  git(vault, 'init', '-q', '-b', 'main');
  git(vault, 'add', '-A');
  git(vault, 'commit', '-q', '-m', 'as it is');
  return notes;
}

function git(vault: string, ...args: string[]): string {
  const person = ['-c', 'user.name=P', '-c', 'user.email=p@example.org', '-c', 'core.autocrlf=false'];
  return execFileSync('git', ['-C', vault, ...person, ...args], { encoding: 'utf8', maxBuffer: 2 ** 28 });
}

async function searchUntilKnown(keepsake: Keepsake): Promise<number> {
  let searches = 0;
  for (
    const start = performance.now();
    (await keepsake.changes.baseline.findMissing([])) !== null;
    searches += 1
  ) {
    if (performance.now() - start > 10 * timeoutMs) throw new Error('history never contains every file');
    const outcome = await keepsake.writeRun('model').search({ queries: ['Line'], mode: 'fast' });
    if (outcome.kind !== 'found' || outcome.passages.length === 0) throw new Error('a search found nothing');
    await sleep(50);
  }
  return searches;
}

type Save = (file: string, text: string) => void;

/** The ways in which programs save a file. */
const saves: Record<string, Save> = {
  vim(file, text) {
    renameSync(file, `${file}~`);
    writeFileSync(file, text);
    unlinkSync(`${file}~`);
  },
  'VS Code': (file, text) => writeFileSync(file, text),
  Obsidian(file, text) {
    writeFileSync(file, text);
    utimesSync(file, new Date(), new Date());
  },
  'write aside and rename'(file, text) {
    const aside = join(dirname(file), `.${basename(file)}.tmp`);
    writeFileSync(aside, text);
    renameSync(aside, file);
  },
};

/** Makes a batch of edits, each to a different file; files of earlier batches may be edited again. */
function makeEdits(vault: string, notes: string[], count: number, from: number, next: Next): Edit[] {
  const touched = new Set<string>();
  const read = (path: string): string | null =>
    existsSync(join(vault, path)) ? readFileSync(join(vault, path), 'utf8') : null;
  const some = (): { path: string; text: string } => {
    for (;;) {
      // A few notes are edited often, as in real use.
      const path = notes[next(next(3) === 0 ? notes.length : Math.min(notes.length, 60))] ?? '';
      const text = touched.has(path) ? null : read(path);
      if (text !== null) return { path, text };
    }
  };
  const styles = Object.values(saves);
  return Array.from({ length: count }, (_, index): Edit => {
    const mark = `mark ${from + index} of the person`;
    const kind = next(20);
    const { path, text } = some();
    touched.add(path);
    const file = join(vault, path);
    if (kind < 2) {
      rmSync(file);
      return [{ path, before: text, after: null, mark: null }];
    }
    if (kind < 4) {
      const to = `Moved/${from + index}.md`;
      mkdirSync(join(vault, 'Moved'), { recursive: true });
      renameSync(file, join(vault, to));
      notes.push(to);
      touched.add(to);
      return [
        { path, before: text, after: null, mark: null },
        { path: to, before: null, after: text, mark: null },
      ];
    }
    if (kind < 6) {
      const made = `Inbox of mine/${from + index}.md`;
      mkdirSync(join(vault, 'Inbox of mine'), { recursive: true });
      writeFileSync(join(vault, made), `# ${mark}\n`);
      notes.push(made);
      touched.add(made);
      return [{ path: made, before: null, after: `# ${mark}\n`, mark: null }];
    }
    const isOld = kind < 9 && git(vault, 'ls-files', '--', path) !== '';
    const old = isOld ? git(vault, 'show', `HEAD:${path}`) : text;
    if (old !== text) {
      git(vault, 'checkout', 'HEAD', '--', path);
      return [{ path, before: text, after: old, mark: null }];
    }
    const lines = text.split('\n');
    const body = lines.findIndex((line) => line.startsWith('# '));
    const at = body + 2 + next(Math.max(1, lines.length - body - 3));
    if (kind < 12 && lines[at] !== undefined) execFileSync('sed', ['-i', `${at + 1}s/.*/${mark}/`, file]);
    else styles[next(styles.length)]?.(file, lines.with(Math.min(at, lines.length - 1), mark).join('\n'));
    return [{ path, before: text, after: read(path), mark }];
  });
}

function vaultPath(path: string): VaultPath {
  const parsed = parseVaultPath(path);
  if (!parsed.ok) throw new Error(path);
  return parsed.path;
}

/** Waits until history contains all edits, and records their ids. */
async function findInHistory(keepsake: Keepsake, edits: (Edit & { id?: string })[]): Promise<string[]> {
  const read = new Map<string, Map<string, FileChange>>();
  const changesOf = async (id: string): Promise<Map<string, FileChange>> => {
    const known = read.get(id);
    if (known !== undefined) return known;
    const changes = (await keepsake.changes.find(id)?.changes()) ?? [];
    const byPath = new Map(changes.map((each) => [each.path as string, each]));
    read.set(id, byPath);
    return byPath;
  };
  const exists = async (edit: Edit & { id?: string }): Promise<boolean> => {
    for (const { path, before, after } of edit) {
      const [newest] = keepsake.changes.list({ path: vaultPath(path), limit: 1 });
      // If the machine was suspended during a save, the edit looks like one of a sync service.
      if (newest === undefined || !['outside', 'sync'].includes(newest.origin)) return false;
      const change = (await changesOf(newest.id)).get(vaultPath(path));
      if (
        change === undefined ||
        textOf(contentBefore(change)) !== before ||
        textOf(contentAfter(change)) !== after
      )
        return false;
      edit.id = newest.id;
    }
    return true;
  };
  let missing = edits;
  for (const start = performance.now(); missing.length > 0; await sleep(500)) {
    const left: Edit[] = [];
    for (const edit of missing) if (!(await exists(edit))) left.push(edit);
    missing = left;
    if (performance.now() - start > timeoutMs)
      return missing.map((edit) => `not in history: ${JSON.stringify(edit).slice(0, 300)}`);
  }
  return [];
}

function textOf(bytes: Buffer | null): string | null {
  return bytes?.toString() ?? null;
}

async function undoSome(
  keepsake: Keepsake,
  vault: string,
  edits: (Edit & { id?: string })[],
  next: Next,
  failed: string[],
): Promise<Record<'exact' | 'merged' | 'refused', number>> {
  const tally = { exact: 0, merged: 0, refused: 0 };
  const read = (path: string): string | null =>
    existsSync(join(vault, path)) ? readFileSync(join(vault, path), 'utf8') : null;
  const left = [...edits];
  for (let turn = 0; turn < edits.length * undonePart; turn += 1) {
    const [edit] = left.splice(next(left.length), 1);
    for (const { path, before, after, mark } of edit ?? []) {
      const present = read(path);
      const { kind } = await keepsake.changes.undo(edit?.id ?? '', { path: vaultPath(path) });
      const now = read(path);
      const fail = (why: string): void => void failed.push(`undo of ${path} (${kind}): ${why}`);
      const others = [...(present?.matchAll(/mark \d+ of the person/g) ?? [])].map(([each]) => each);
      if (present === after || present === before) {
        tally.exact += 1;
        if (now !== before) fail('the content differs from before');
      } else if (kind === 'conflict') {
        tally.refused += 1;
        if (now !== present) fail('it was rejected, but changed nevertheless');
      } else {
        tally.merged += 1;
        if (mark !== null && now?.includes(mark) === true) fail('the text is still there');
        for (const each of others) if (each !== mark && now?.includes(each) !== true) fail(`lost ${each}`);
      }
    }
  }
  return tally;
}

async function loseAndBringBack(keepsake: Keepsake, vault: string): Promise<string[]> {
  const before = new Map(
    git(vault, 'ls-files', '-z', '--', 'Areas', 'Daily')
      .split('\0')
      .filter((path) => path !== '' && existsSync(join(vault, path)))
      .map((path) => [path, readFileSync(join(vault, path), 'latin1')]),
  );
  for (const folder of ['Areas', 'Daily']) rmSync(join(vault, folder), { recursive: true, force: true });
  const start = performance.now();
  while (keepsake.changes.recentMassDeletion() === null) {
    if (performance.now() - start > timeoutMs) return ['a loss is not reported'];
    await sleep(500);
  }
  const { kind } = await keepsake.changes.undo(keepsake.changes.recentMassDeletion()?.id ?? '');
  if (kind !== 'written') return [`the lost files are not restored: ${kind}`];
  return [...before].flatMap(([path, text]) => {
    const file = join(vault, path);
    const isBack = existsSync(file) && statSync(file).isFile() && readFileSync(file, 'latin1') === text;
    return isBack ? [] : [`${path} is not restored`];
  });
}
