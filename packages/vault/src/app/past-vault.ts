import { createHash } from 'node:crypto';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { isProcessDead, processMarker } from '../changes/index.ts';
import { createTimeZone } from '../contract/index.ts';
import type { Clock } from '../contract/index.ts';
import type { ReadDocument } from '../search/index.ts';
import {
  computeRevision,
  extractBody,
  identityFile,
  readIdentity,
  toRelativePath,
  walkFilePaths,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { createExclusionReader } from './exclusion.ts';
import { openKeepsake } from './keepsake.ts';
import type { Keepsake } from './keepsake.ts';

/** A vault as it was at the end of a local day, or now if that day is today. Use it only for reading. */
export type PastVault = { keepsake: Keepsake; clock: Clock };

type PastVaultOptions = {
  /** The vault of today. */
  keepsake: Keepsake;
  environment: Environment;
  /** For example `2026-11-10`. */
  day: string;
  /** Whether a model reads the vault. Then files that were moved to a hidden path later are missing. */
  isForModel: boolean;
  signal: AbortSignal;
};

/**
 * Runs `work` on a copy of the vault as history has it, in a private temporary folder with a state folder of its own.
 * Removes both in any case. Throws if history does not reach back to the day, and when the signal is aborted.
 */
export async function withPastVault<Value>(
  options: PastVaultOptions,
  work: (past: PastVault) => Promise<Value>,
): Promise<Value> {
  const { keepsake, environment, day, signal } = options;
  const until = findEndOfDay(day);
  await keepsake.changes.record();
  const folder = createFolder(environment.temporaryFolder);
  try {
    const vault = join(folder, 'vault');
    await writePastFiles(vault, until, options);
    signal.throwIfAborted();
    // Most documents have not changed since, so their text is in the index of today.
    const readDocument: ReadDocument = ({ name, bytes }) =>
      keepsake.search.readDocument({ name, bytes, revision: computeRevision(bytes) });
    const past = await openKeepsake({ vault, state: join(folder, 'state'), environment, readDocument });
    try {
      return await work({ keepsake: past, clock: () => until });
    } finally {
      await past.close();
    }
  } catch (error) {
    // Ctrl-C also ends git, whose error would hide the reason.
    if (signal.aborted && !(error instanceof AppError))
      throw new AppError('stopped', 'stopped before there was a result', { cause: error });
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const folderPrefix = 'keepsake-as-of-';
const processFile = 'process.json';
const processRef = z.object({ pid: z.number(), host: z.string() });

/** Creates a private folder, and removes those of processes that were killed. */
function createFolder(temporaryFolder: string): string {
  for (const name of readdirSync(temporaryFolder).filter((each) => each.startsWith(folderPrefix))) {
    const folder = join(temporaryFolder, name);
    if (isLeftOver(folder)) rmSync(folder, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(temporaryFolder, folderPrefix));
  const self = { pid: process.pid, host: processMarker(process.pid) };
  writeFileSync(join(folder, processFile), JSON.stringify(self), { mode: 0o600 });
  return folder;
}

/** A folder of another user is left alone, also because its content cannot be trusted. */
function isLeftOver(folder: string): boolean {
  try {
    const stats = lstatSync(folder);
    if (!stats.isDirectory() || stats.uid !== (process.getuid?.() ?? stats.uid)) return false;
    return isProcessDead(processRef.parse(JSON.parse(readFileSync(join(folder, processFile), 'utf8'))));
  } catch {
    return false;
  }
}

/** The last millisecond of the day, or now if that is earlier. */
function findEndOfDay(day: string): number {
  const { from, to } = createTimeZone().spanOf(day);
  const now = Date.now();
  if (from > now)
    throw new AppError('bad-input', `${day} is in the future`, { hint: 'pass today or an earlier day' });
  return Math.min(to - 1, now);
}

async function writePastFiles(
  vault: string,
  until: number,
  { keepsake, environment, day, isForModel, signal }: PastVaultOptions,
): Promise<void> {
  const { root, changes } = keepsake;
  const isExcluded = isForModel ? createExclusionReader(environment)() : null;
  const isOmitted = isExcluded === null ? () => false : findLaterHidden(keepsake, isExcluded, until);
  const written = new Map<VaultPath, string>();
  mkdirSync(vault, { mode: 0o700 });
  const write = (path: string, bytes: Buffer): string => {
    const file = join(vault, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, bytes, { mode: 0o600 });
    return file;
  };
  // History does not contain it; it names the files that have a role.
  if (readIdentity(root) !== null) write(identityFile, readFileSync(join(root, identityFile)));
  const result = await changes.readPastFiles(until, ({ path, bytes, modified }) => {
    signal.throwIfAborted();
    if (isOmitted(path)) return;
    utimesSync(write(toRelativePath(path), bytes), modified / 1000, modified / 1000);
    if (isExcluded !== null) written.set(path, hashWords(bytes.toString()));
  });
  if (isExcluded !== null)
    for (const path of await findLaterCopied(keepsake, isExcluded, written))
      rmSync(join(vault, toRelativePath(path)));
  if (result.kind === 'no-history')
    throw new AppError('bad-state', 'the vault has no history yet', {
      hint: 'history needs git, and begins with the first change; check with: keepsake doctor',
    });
  if (result.kind === 'too-early') throw describeTooEarly(day, result);
}

function describeTooEarly(day: string, { first, isCut }: { first: number; isCut: boolean }): AppError {
  const firstDay = createTimeZone().dayOf(first);
  const reason = isCut ? 'retention has deleted the history before' : 'the history of the vault begins on';
  return new AppError('bad-input', `no vault as of ${day}: ${reason} ${firstDay}`, {
    hint: `pass ${firstDay} or a later day`,
  });
}

type IsExcluded = (path: VaultPath) => boolean;

/** Finds the files that were at another path then and are at a hidden path now. */
function findLaterHidden({ changes }: Keepsake, isExcluded: IsExcluded, until: number): IsExcluded {
  const hidden = new Set<VaultPath>();
  for (const { from, to } of changes.movesAfter(until))
    if (isExcluded(to) || hidden.has(to)) hidden.add(from);
  return (path) => hidden.has(path);
}

/**
 * Finds the files whose words are in a hidden file that did not exist then. Not every move by another program is
 * recorded as one.
 */
async function findLaterCopied(
  keepsake: Keepsake,
  isExcluded: IsExcluded,
  written: ReadonlyMap<VaultPath, string>,
): Promise<VaultPath[]> {
  const hidden = new Set<string>();
  for (const path of walkFilePaths(await keepsake.contents())) {
    if (!isExcluded(path) || written.has(path)) continue;
    const read = await keepsake.readFile(path);
    if (read.kind === 'file') hidden.add(hashWords(read.bytes.toString()));
    for (const { text } of await keepsake.changes.fileVersions(path)) hidden.add(hashWords(text));
  }
  hidden.delete(hashWords(''));
  return [...written].flatMap(([path, words]) => (hidden.has(words) ? [path] : []));
}

/** Ignores the frontmatter, whose stamps change. */
function hashWords(text: string): string {
  return createHash('sha256').update(extractBody(text).trim()).digest('hex');
}
