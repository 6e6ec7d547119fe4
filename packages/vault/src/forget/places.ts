import { existsSync, readdirSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import type { Database } from 'better-sqlite3';
import { createHash } from 'node:crypto';
import type {
  ForgetPassage,
  ForgetPlace,
  ForgetStoreName,
  PlannedPlace,
  UnreachablePlace,
} from '../contract/index.ts';
import type { VaultRoot } from '../vault/index.ts';
import { countRows } from './disposable-database.ts';
import { findInDurable } from './durable-database.ts';
import { fileContains } from './file-contains.ts';
import { ForgetError } from './forget-error.ts';
import { openForgettingRepository } from './git-repository.ts';
import type { WordsInHistory } from './git-repository.ts';
import type { DescribeText, Redactor } from './redactor.ts';
import { listFiles } from './state-files.ts';
import type { StateFiles } from './state-files.ts';
import { findFiles, findTemporaryFiles, planFiles } from './vault-files.ts';

/** Everything that a vault stores on this machine. */
export type VaultStores = {
  root: VaultRoot;
  stateFolder: () => string;
  /** Null if nothing was ever written. */
  durable: () => Database | null;
  stateFiles: () => StateFiles;
  searchPath: string;
};

export type FoundPlaces = { places: PlannedPlace[]; unreachable: UnreachablePlace[] };

/** Looks for the words in every store. */
export async function findPlaces(
  stores: VaultStores,
  redactor: Redactor,
  describe: DescribeText = () => [],
): Promise<FoundPlaces> {
  const { root, searchPath } = stores;
  const folder = stores.stateFolder();
  const files = findFiles(root, redactor);
  const history = await findInHistory(folder, searchPath, redactor, describe);
  const synced = await openForgettingRepository(join(folder, 'sync.git'), searchPath).find(
    redactor,
    describe,
  );
  const durable = stores.durable();
  const places = [
    ...planFiles(root, files, redactor, describe),
    ...history.places,
    ...(durable === null ? [] : findInDurable(durable, redactor, describe)),
    ...listDisposable(folder).flatMap((file) => toIndexPlace(basename(file), countRows(file, redactor))),
    ...stores.stateFiles().find(redactor, describe),
    ...findTemporaryFiles(root, redactor).map((file) => toTemporaryPlace(relative(root, file))),
    ...toHistoryPlaces('sync', synced),
  ];
  return { places: keepFirstPassages(places), unreachable: [...files.unreachable, ...history.unreachable] };
}

function toIndexPlace(name: string, count: number): PlannedPlace[] {
  return count === 0 ? [] : [{ store: 'index', name, count, effect: 'rebuilt', passages: [] }];
}

function toTemporaryPlace(name: string): PlannedPlace {
  return { store: 'temporary', name, count: 1, effect: 'removed', passages: [] };
}

/** Each path with the passages of its versions; a passage that several contain, at the first. */
function toHistoryPlaces(store: ForgetStoreName, { versions, passages }: WordsInHistory): PlannedPlace[] {
  const found = new Map<string, ForgetPassage>();
  const counted = new Set<string>();
  return [...versions].map(([name, ids]) => {
    const own: ForgetPassage[] = [];
    for (const id of ids)
      for (const passage of passages.get(id) ?? []) {
        const key = textOf(passage);
        const known = found.get(key) ?? { ...passage, line: null, count: 0 };
        if (!found.has(key)) own.push(known);
        found.set(key, known);
        if (!counted.has(`${id} ${key}`)) known.count += 1;
        counted.add(`${id} ${key}`);
      }
    const hasOther = [...ids].some((id) => passages.get(id)?.length === 0);
    const effect = hasOther && !name.startsWith('(') ? 'replaced' : 'edited';
    return { store, name, count: ids.size, effect, passages: own };
  });
}

function textOf({ before, after }: ForgetPassage): string {
  return [before.map(({ text }) => text).join(''), after].join('\0');
}

/** Outside of files, a passage is listed only at the first place. */
function keepFirstPassages(places: readonly PlannedPlace[]): PlannedPlace[] {
  const inFiles = places.filter(({ store }) => store === 'files').flatMap(({ passages }) => passages);
  const seen = new Set(inFiles.map(textOf));
  return places.map((place) => {
    if (place.store === 'files') return place;
    const passages = new Map<string, ForgetPassage>();
    for (const passage of place.passages) {
      const key = textOf(passage);
      const same = passages.get(key);
      if (same !== undefined) same.count += passage.count;
      else if (!seen.has(key)) passages.set(key, { ...passage, line: null });
      seen.add(key);
    }
    return { ...place, passages: [...passages.values()] };
  });
}

const derivedStores = new Set<ForgetStoreName>(['index', 'temporary', 'sync']);

/**
 * A code for what was shown: every passage, and what is removed, replaced or renamed as a whole. Two plans with the same code remove the
 * same words, also if a passage is in another line or in more versions by now.
 */
export function computeShownCode(phrases: readonly string[], places: readonly PlannedPlace[]): string {
  const parts = new Set<string>(phrases);
  const files = new Set(places.filter(({ store }) => store === 'files').map(({ name }) => name));
  for (const { store, name, effect, passages } of places) {
    if (derivedStores.has(store)) continue;
    const isNamed = store === 'files' || (store !== 'journal' && !files.has(name));
    if (isNamed && effect !== 'edited') parts.add(`${effect} ${name}`);
    for (const passage of passages) parts.add(`${store === 'files' ? name : ''}\0${textOf(passage)}`);
  }
  const hash = createHash('sha256');
  for (const part of [...parts].toSorted()) hash.update(`${part.length} ${part}`);
  return hash.digest('hex').slice(0, 12);
}

/** Looks for bytes that no store reports: free pages, write-ahead logs and files that no module knows. */
export async function findRawTraces(
  stateFolder: string,
  redactor: Redactor,
  searchPath: string,
): Promise<ForgetPlace[]> {
  const places: ForgetPlace[] = [];
  for (const file of listFiles(stateFolder)) {
    const name = relative(stateFolder, file);
    // Objects are compressed; they are read through git.
    if (/\.git[^/\\]*[/\\]objects[/\\]/.test(name) || name === 'forgetting.json') continue;
    if (redactor.matches(name) || (await fileContains(file, redactor, searchPath)))
      places.push({ store: 'state', name, count: 1 });
  }
  return places;
}

/** The databases that can be rebuilt. That of the locks contains no words, and other processes depend on its rows. */
export function listDisposable(stateFolder: string): string[] {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  return names
    .filter((name) => name.endsWith('.sqlite') && !/^(?:keepsake|lock)\.sqlite$/.test(name))
    .map((name) => join(stateFolder, name));
}

/** The history of a vault, and the damaged repositories that it replaced. */
export function listHistories(stateFolder: string): { folder: string; isDamaged: boolean }[] {
  const names = existsSync(stateFolder) ? readdirSync(stateFolder) : [];
  return names
    .filter((name) => name.startsWith('history.git'))
    .map((name) => ({ folder: join(stateFolder, name), isDamaged: name !== 'history.git' }));
}

async function findInHistory(
  stateFolder: string,
  searchPath: string,
  redactor: Redactor,
  describe: DescribeText,
): Promise<FoundPlaces> {
  const found: FoundPlaces = { places: [], unreachable: [] };
  for (const { folder, isDamaged } of listHistories(stateFolder))
    try {
      found.places.push(
        ...toHistoryPlaces(
          'history',
          await openForgettingRepository(folder, searchPath).find(redactor, describe),
        ),
      );
    } catch (cause) {
      // A damaged repository can be searched only in part.
      if (!isDamaged)
        throw new ForgetError('unsupported', 'history cannot be read, so nothing can be removed from it', {
          hint: 'install git, or run: keepsake doctor',
          cause,
        });
      found.unreachable.push({ kind: 'repository', name: folder });
    }
  return found;
}
