import { insertText } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  kindOf,
  localTime,
  nameOf,
  parentPath,
  rootFileText,
  rootPath,
  showPath,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { joinNewEntries, newEntries, plainEntry } from './changelog.ts';
import { freeName, reviewName } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { withStatus } from './status.ts';

const inbox = childPath(rootPath, 'inbox');
const bucket = childPath(rootPath, 'bucket');
export const changelog = childPath(rootPath, 'changelog.md');
const overview = childPath(rootPath, 'overview.md');

type Parts = {
  run: WriteRun;
  incoming: Incoming;
  /** The folder of the inbox item that this update answers. */
  answered: VaultPath | null;
  summary: string;
  now: number;
  language: Language;
};

/** What the agent itself touched: not what was laid out for it. */
export function touchedPaths({ transaction }: WriteRun, { files }: Incoming): VaultPath[] {
  const laidOut = new Set(files);
  return [...transaction.staged().keys(), ...transaction.removedFolders()].filter(
    (path) => !laidOut.has(path),
  );
}

/** What the rules ask of every update, done by code, so that no agent can forget it. Gives the inbox item, if there is one. */
export async function completeUpdate(parts: Parts): Promise<VaultPath | null> {
  const { run, answered, incoming } = parts;
  const asked = await settleIncoming(run, incoming);
  if (answered !== null && asked !== answered) await closeItem(run, answered);
  if (run.transaction.staged().size === 0 && run.transaction.removedFolders().size === 0) return null;
  await keepChangelog(parts);
  await keepStatus(parts);
  return asked;
}

/** With a question in the inbox the originals lie beside it. Else what is worth keeping goes to the bucket. */
async function settleIncoming(run: WriteRun, { folder, original }: Incoming): Promise<VaultPath | null> {
  const review = [...run.transaction.staged()].find(
    ([path, after]) =>
      after !== null && nameOf(path) === reviewName && parentPath(parentPath(path)) === inbox,
  );
  const item = review === undefined ? null : parentPath(review[0]);
  for (const [path, bytes] of run.transaction.staged()) {
    if (bytes === null || parentPath(path) !== folder || item === folder) continue;
    if (item !== null) await place(run, path, item);
    // The words are filed by now, and in the queue; what came as a file is kept as it came.
    else if (path === original) run.transaction.drop([path]);
    else await place(run, path, bucket);
  }
  return item;
}

/** An answered question goes; images that were with it and that nobody took elsewhere are kept. */
async function closeItem(run: WriteRun, item: VaultPath): Promise<void> {
  const files = await run.view.look(item, async (viewed) => (viewed.kind === 'folder' ? viewed.files : []));
  for (const path of files) {
    const bytes = await bytesAt(run, path);
    if (bytes === null) continue;
    if (kindOf(nameOf(path)) === 'markdown') run.transaction.remove(path, bytes);
    else await place(run, path, bucket);
  }
  run.transaction.removeFolder(item);
}

async function place(run: WriteRun, from: VaultPath, folder: VaultPath): Promise<void> {
  const bytes = await bytesAt(run, from);
  if (bytes === null) return;
  const taken = await run.view.look(folder, async (viewed) =>
    viewed.kind === 'folder' ? viewed.files.map(nameOf) : [],
  );
  const staged = run.transaction.move(from, childPath(folder, freeName(nameOf(from), new Set(taken))), bytes);
  if (!staged.ok) throw new Error(`${from}: ${staged.reason}`);
}

/** Exactly one new entry. */
async function keepChangelog({ run, incoming, summary, now, language }: Parts): Promise<void> {
  const text = await textAt(run, changelog);
  const count = await newChangelogEntries(run);
  if (count === 1) return;
  const before = textBefore(run, changelog) ?? text ?? '';
  const entry = plainEntry(localTime(now).slice(0, 10), summary, touchedPaths(run, incoming).map(showPath));
  const present = text ?? rootFileText('changelog.md', language);
  const entries = count > 1 ? joinNewEntries(before, present) : insertText(present, entry, 'top', true).text;
  put(run, changelog, text, entries);
}

/** How many entries this update has added so far. */
export async function newChangelogEntries(run: WriteRun): Promise<number> {
  const before = textBefore(run, changelog);
  return before === undefined ? 0 : newEntries(before ?? '', (await textAt(run, changelog)) ?? '');
}

async function keepStatus({ run, now, language }: Parts): Promise<void> {
  const text = await textAt(run, overview);
  const items = (await run.view.contents(inbox)).folders.get('inbox')?.folders ?? new Map();
  const open = [...items.values()].filter(({ files }) => files.has(reviewName)).length;
  const present = text ?? rootFileText('overview.md', language);
  put(run, overview, text, withStatus(present, localTime(now).slice(0, 10), open));
}

function put({ transaction }: WriteRun, path: VaultPath, before: string | null, after: string): void {
  const staged = transaction.put(path, before === null ? null : Buffer.from(before), Buffer.from(after));
  if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
}

/** Undefined when this update has not touched it, null when it was not there. */
function textBefore({ transaction }: WriteRun, path: VaultPath): string | null | undefined {
  const before = transaction.before(path);
  return before === undefined ? undefined : (before?.toString() ?? null);
}

async function textAt(run: WriteRun, path: VaultPath): Promise<string | null> {
  return (await bytesAt(run, path))?.toString() ?? null;
}

function bytesAt({ view }: WriteRun, path: VaultPath): Promise<Buffer | null> {
  return view.look(path, async (viewed) =>
    viewed.kind === 'file' ? viewed.source.read(0, viewed.source.size) : null,
  );
}
