import { createHash } from 'node:crypto';
import { formatLocalTime } from '../../contract/index.ts';
import type { UpdateFile, UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  decodeText,
  extensionOf,
  findFolder,
  findFreeName,
  fileKindOf,
  baseName,
  notAnImageMessage,
  originalName,
  readOriginal,
  portableStem,
  readImageHeader,
  reviewName,
  computeRevision,
  formatBytes,
  slugify,
} from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';

/** About two million tokens; long input is filed in parts. */
const maxTextCharacters = 8_000_000;
const maxImageBytes = 5_000_000;
const maxOriginalBytes = 20_000_000;
const maxInputBytes = 60_000_000;

/** Returns why the input cannot be filed and what to do, or null if it can. */
export function validateInput({ text, files }: UpdateInput): string | null {
  if (text.trim() === '' && files.length === 0) return 'the input is empty; pass a text or a file';
  if (text.includes('\0')) return 'the text contains NUL characters; attach it as a file instead';
  if (text.length > maxTextCharacters)
    return `the text has ${text.length} characters (limit ${maxTextCharacters}); split it`;
  const total = files.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > maxInputBytes)
    return `the files are ${formatBytes(total)} in total (limit 60 MB); send them in several updates`;
  const originals = referencedOriginals(files);
  for (const { name, bytes } of files) {
    const problem = originals.has(name) ? checkOriginal(bytes) : checkFile(name, bytes);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

/** The file names that markdown files in the input reference as their original. */
function referencedOriginals(files: readonly UpdateFile[]): Set<string> {
  const named = files.flatMap(({ name, bytes }) =>
    fileKindOf(name) === 'markdown' ? [readOriginal(Buffer.from(bytes).toString())] : [],
  );
  return new Set(named.filter((name) => name !== null));
}

function checkOriginal(bytes: Uint8Array): string | null {
  return bytes.length > maxOriginalBytes ? `it is ${formatBytes(bytes.length)} (limit 20 MB)` : null;
}

function checkFile(name: string, content: Uint8Array): string | null {
  const bytes = Buffer.from(content);
  if (fileKindOf(name) === 'image') {
    if (readImageHeader(bytes) === null) return notAnImageMessage;
    return bytes.length > maxImageBytes
      ? `the image is ${formatBytes(bytes.length)} (limit 5 MB); make it smaller`
      : null;
  }
  if (!isText(name))
    return 'unsupported file type; text, markdown and images (PNG, JPEG, GIF, WebP) are accepted';
  if (bytes.length > maxTextCharacters) return `it is ${formatBytes(bytes.length)} (limit 8 MB); split it`;
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? null : `it is ${decoded.description}, not text`;
}

function isText(name: string): boolean {
  return fileKindOf(name) === 'markdown' || /\.(txt|text)$/i.test(name);
}

export type StagedInput = {
  /** Contains the input until it is filed, and becomes the inbox item if the input cannot be filed. */
  folder: VaultPath;
  /** The staged files with their content. */
  files: ReadonlyMap<VaultPath, Buffer>;
  /** The files shown to models; originals are kept for the user only. */
  shown: VaultPath[];
  /** The staged file with the text of the update. */
  original: VaultPath | null;
};

/**
 * The extension of each input file, by revision. Besides markdown, these are the only files that an agent may store.
 */
export function inputExtensionsByRevision({ files }: UpdateInput): ReadonlyMap<Revision, string> {
  return new Map(files.map(({ name, bytes }) => [computeRevision(bytes), extensionOf(fileName(name))]));
}

/** Stages the input in the transaction, so that it can be read, moved and kept like any other file. */
export async function stageInput(input: UpdateInput, run: WriteRun, now: number): Promise<StagedInput> {
  const { inboxPath } = run.view.layout();
  const taken = new Set(findFolder(await run.view.contents(inboxPath), inboxPath)?.folders.keys());
  const named = `${formatLocalTime(now).slice(0, 10)}-${slugFromInput(input)}-${shortHash(input)}`;
  const folder = childPath(
    inboxPath,
    findFreeName(named, (name) => taken.has(name)),
  );
  // An input file with this name would be mistaken for the agent's question.
  const names = new Set([reviewName]);
  const files = new Map<VaultPath, Buffer>();
  const stage = (name: string, bytes: Buffer): VaultPath => {
    const path = childPath(
      folder,
      findFreeName(name, (each) => names.has(each)),
    );
    names.add(baseName(path));
    const staged = run.transaction.write(path, null, bytes);
    if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
    files.set(path, staged.bytes);
    return path;
  };
  // Input from others gets an original even if it has no text, so that readers see its source. Code reads the source
  // from the journal instead.
  const isOther = input.source.kind === 'other';
  const hasWords = input.text.trim() !== '';
  const original = hasWords || isOther ? stage(originalName, Buffer.from(formatOriginal(input))) : null;
  for (const { name, bytes } of input.files) stage(fileName(name), Buffer.from(bytes));
  const shown = [...files.keys()].filter((path) => fileKindOf(baseName(path)) !== 'other');
  return { folder, files, shown, original };
}

/** The paths that the agent itself changed: not the staged input, and not files in which only links were rewritten. */
export function pathsChangedByAgent({ transaction }: WriteRun, { folder, files }: StagedInput): VaultPath[] {
  const others = new Set([folder, ...files.keys(), ...transaction.relinked()]);
  return [...transaction.staged().keys(), ...transaction.removedFolders()].filter(
    (path) => !others.has(path),
  );
}

/** Stores the date of receipt, because "tomorrow" refers to it however long the input waits. */
function formatOriginal({ text, source, receivedAt }: UpdateInput): string {
  const kind = source.kind === 'other' ? 'source_kind: other\n' : '';
  const received = receivedAt === undefined ? '' : `received: ${formatLocalTime(receivedAt)}\n`;
  return `---\nsource: ${JSON.stringify(source.name)}\n${kind}${received}---\n\n${text}\n`;
}

/** Text is filed as markdown; other files keep their extension. */
function fileName(name: string): string {
  return `${portableStem(name)}${isText(name) ? '.md' : extensionOf(name)}`;
}

/** Two machines that receive the same text on the same day must not choose the same name. */
function shortHash({ text, source, receivedAt = 0 }: UpdateInput): string {
  const identity = JSON.stringify([text, source, formatLocalTime(receivedAt)]);
  return createHash('sha256').update(identity).digest('hex').slice(0, 4);
}

/** The first words of the input; for a note, of its first line. */
function slugFromInput({ text, files, session, asNote }: UpdateInput): string {
  const said = asNote === true ? (text.trim().split('\n')[0] ?? '') : text;
  const named = session?.title ?? (said.trim() === '' ? (files[0]?.name ?? '') : said);
  const words = slugify(named.slice(0, 200)).split('-');
  const short = Array.from(words.slice(0, 5).join('-')).slice(0, 40).join('').replace(/-$/, '');
  return short === '' ? 'note' : short;
}
