import { createHash } from 'node:crypto';
import { localTime } from '../../contract/index.ts';
import type { UpdateFile, UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  decodeText,
  endingOf,
  folderIn,
  freeName,
  inboxPath,
  kindOf,
  nameOf,
  notAnImage,
  originalName,
  originalOf,
  portableStem,
  readImageHeader,
  reviewName,
  revisionOf,
  showBytes,
  slugOf,
} from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';

/** About two million tokens: what is long is filed in portions. */
const longestText = 8_000_000;
const largestImage = 5_000_000;
const largestOriginal = 20_000_000;
const largestInput = 60_000_000;

/** Why this cannot be filed, and what to do; null when it can. */
export function inputProblem({ text, files }: UpdateInput): string | null {
  if (text.trim() === '' && files.length === 0) return 'there is nothing to file: give a text or a file';
  if (text.includes('\0'))
    return 'the text holds NUL characters, so it is not text; give it as a file of a kind that can be filed';
  if (text.length > longestText)
    return `the text has ${text.length} characters, over ${longestText}; file it in parts`;
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > largestInput)
    return `the files are ${showBytes(total)} together, over 60 MB; file them in parts`;
  const originals = originalsOf(files);
  for (const { name, bytes } of files) {
    const problem = originals.has(name) ? originalProblem(bytes) : fileProblem(name, bytes);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

/** The names that markdown among these gives as its original. */
function originalsOf(files: readonly UpdateFile[]): Set<string> {
  const named = files.flatMap(({ name, bytes }) =>
    kindOf(name) === 'markdown' ? [originalOf(Buffer.from(bytes).toString())] : [],
  );
  return new Set(named.filter((name) => name !== null));
}

function originalProblem(bytes: Uint8Array): string | null {
  return bytes.length > largestOriginal ? `it is ${showBytes(bytes.length)}, over 20 MB` : null;
}

function fileProblem(name: string, given: Uint8Array): string | null {
  const bytes = Buffer.from(given);
  if (kindOf(name) === 'image') {
    if (readImageHeader(bytes) === null) return notAnImage;
    return bytes.length > largestImage
      ? `the image is ${showBytes(bytes.length)}, over 5 MB; make it smaller`
      : null;
  }
  if (!isText(name)) return 'only text, markdown and images (PNG, JPEG, GIF, WebP) can be filed';
  if (bytes.length > longestText) return `it is ${showBytes(bytes.length)}, over 8 MB; file it in parts`;
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? null : `it is ${decoded.what}, not text`;
}

function isText(name: string): boolean {
  return kindOf(name) === 'markdown' || /\.(txt|text)$/i.test(name);
}

export type Incoming = {
  /** Where everything lies until it is filed: also the inbox item it becomes if it cannot be. */
  folder: VaultPath;
  /** As they were laid out, each with its content. */
  files: ReadonlyMap<VaultPath, Buffer>;
  /** Those of them that models are shown: originals are kept for the person. */
  shown: VaultPath[];
  /** The one of them that holds the words of the update. */
  original: VaultPath | null;
};

/** The contents that came with an update, and their endings: the only ones besides markdown that an agent may place. */
export function receivedContents({ files }: UpdateInput): ReadonlyMap<Revision, string> {
  return new Map(files.map(({ name, bytes }) => [revisionOf(bytes), endingOf(fileName(name))]));
}

/** Lays the input out in the transaction, so that it is read, moved and kept like any other file. */
export async function stageIncoming(input: UpdateInput, run: WriteRun, now: number): Promise<Incoming> {
  const taken = new Set(folderIn(await run.view.contents(inboxPath), inboxPath)?.folders.keys());
  const named = `${localTime(now).slice(0, 10)}-${nameFor(input)}-${signOf(input)}`;
  const folder = childPath(
    inboxPath,
    freeName(named, (name) => taken.has(name)),
  );
  // A file that came in must not pass for the agent's question.
  const names = new Set([reviewName]);
  const files = new Map<VaultPath, Buffer>();
  const stage = (name: string, bytes: Buffer): VaultPath => {
    const path = childPath(
      folder,
      freeName(name, (each) => names.has(each)),
    );
    names.add(nameOf(path));
    const staged = run.transaction.put(path, null, bytes);
    if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
    files.set(path, staged.bytes);
    return path;
  };
  // Whose words these are is marked for whoever reads them. Code believes the journal, and never this mark.
  const isOther = input.source.kind === 'other';
  const hasWords = input.text.trim() !== '';
  const original = hasWords || isOther ? stage(originalName, Buffer.from(originalText(input))) : null;
  for (const { name, bytes } of input.files) stage(fileName(name), Buffer.from(bytes));
  const shown = [...files.keys()].filter((path) => kindOf(nameOf(path)) !== 'other');
  return { folder, files, shown, original };
}

/** What the agent itself touched: not what was laid out for it, or only has its links rewritten. */
export function touchedPaths({ transaction }: WriteRun, { folder, files }: Incoming): VaultPath[] {
  const others = new Set([folder, ...files.keys(), ...transaction.relinked()]);
  return [...transaction.staged().keys(), ...transaction.removedFolders()].filter(
    (path) => !others.has(path),
  );
}

/** "Tomorrow" counts from the day of these words, so they keep it, however long they wait. */
function originalText({ text, source, receivedAt }: UpdateInput): string {
  const kind = source.kind === 'other' ? 'source_kind: other\n' : '';
  const received = receivedAt === undefined ? '' : `received: ${localTime(receivedAt)}\n`;
  return `---\nsource: ${JSON.stringify(source.name)}\n${kind}${received}---\n\n${text}\n`;
}

/** Text is filed as markdown; everything else keeps the ending that says what it is. */
function fileName(name: string): string {
  return `${portableStem(name)}${isText(name) ? '.md' : endingOf(name)}`;
}

/** Two machines that are handed the same words on one day must not choose one name. */
function signOf({ text, source, receivedAt = 0 }: UpdateInput): string {
  const given = JSON.stringify([text, source, localTime(receivedAt)]);
  return createHash('sha256').update(given).digest('hex').slice(0, 4);
}

/** The first words. */
function nameFor({ text, files }: UpdateInput): string {
  const words = slugOf((text.trim() === '' ? (files[0]?.name ?? '') : text).slice(0, 200)).split('-');
  const short = Array.from(words.slice(0, 5).join('-')).slice(0, 40).join('').replace(/-$/, '');
  return short === '' ? 'note' : short;
}
