import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { ForgetEffect, ForgetPassage, ForgetStoreName, PlannedPlace } from '../contract/index.ts';
import { errorCode } from '../vault/index.ts';
import type { DescribeText, Redactor } from './redactor.ts';
import { describeJson, matchesJson, parseJson } from './table-rows.ts';

/** Files outside the databases and repositories of a vault that can contain the words. */
export type StateFiles = {
  find(redactor: Redactor, describe: DescribeText): PlannedPlace[];
  remove(redactor: Redactor): void;
};

type Folders = {
  /** The vault as the events of sessions name it. */
  root: string;
  stateFolder: string;
  spoolFolder: string;
  temporaryFolder: string;
};

export function createStateFiles({ root, stateFolder, spoolFolder, temporaryFolder }: Folders): StateFiles {
  const sessionEvents = (redactor: Redactor): string[] =>
    listFiles(spoolFolder).filter((file) => isEventOf(file, root, redactor));
  const conversions = (redactor: Redactor): string[] =>
    listFiles(join(stateFolder, 'imports')).filter((file) => matchesEncoded(file, redactor));
  const leftovers = (redactor: Redactor): string[] =>
    listNames(temporaryFolder)
      .filter((name) => /^keepsake-(?:edit|as-of)-/.test(name))
      .map((name) => join(temporaryFolder, name))
      .filter((folder) => listFiles(folder).some((file) => redactor.matchesBytes(read(file))));
  return {
    find: (redactor, describe) => [
      ...sessionEvents(redactor).map((file) => {
        const event = parseJson(read(file).toString());
        return event === undefined
          ? toPlace('sessions', file, 'removed')
          : toPlace('sessions', file, 'edited', describeJson(event, describe));
      }),
      ...conversions(redactor).map((file) => toPlace('state', file, 'removed')),
      ...leftovers(redactor).map((folder) => toPlace('temporary', folder, 'removed')),
    ],
    remove(redactor) {
      for (const file of sessionEvents(redactor)) redactEvent(file, redactor);
      for (const file of conversions(redactor)) rmSync(file, { force: true });
      for (const folder of leftovers(redactor)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function toPlace(
  store: ForgetStoreName,
  file: string,
  effect: ForgetEffect,
  passages: ForgetPassage[] = [],
): PlannedPlace {
  return { store, name: basename(file), count: 1, effect, passages };
}

/** Events of other vaults are left alone. An unreadable event was never completed and belongs to no vault. */
function isEventOf(file: string, root: string, redactor: Redactor): boolean {
  const text = read(file).toString();
  const event = parseJson(text) as { vault?: unknown } | undefined;
  return event === undefined ? redactor.matches(text) : event.vault === root && matchesJson(event, redactor);
}

function redactEvent(file: string, redactor: Redactor): void {
  const event = parseJson(read(file).toString());
  if (typeof event !== 'object' || event === null) return rmSync(file, { force: true });
  const { vault } = event as { vault?: unknown };
  const temporary = `${file}.redacted`;
  writeFileSync(temporary, JSON.stringify({ ...(redactor.redactJson(event) as object), vault }), {
    mode: 0o600,
    flush: true,
  });
  renameSync(temporary, file);
}

/** Converted documents are stored as base64 in JSON. */
function matchesEncoded(file: string, redactor: Redactor): boolean {
  const text = read(file).toString();
  const encoded = [...text.matchAll(/"data":"([^"]*)"/g)].map(([, data = '']) => Buffer.from(data, 'base64'));
  return redactor.matches(text) || encoded.some((bytes) => redactor.matchesBytes(bytes));
}

export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function listNames(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

function read(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return Buffer.alloc(0);
  }
}
