import type { UpdateInput } from '../../contract/index.ts';
import { endingOf, isReservedName } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  decodeText,
  findFrontmatter,
  folderIn,
  kindOf,
  localTime,
  nameOf,
  readImageHeader,
  revisionOf,
  rootPath,
  showBytes,
} from '../../vault/index.ts';
import type { FolderEntry, Revision, VaultPath } from '../../vault/index.ts';

/** In an inbox item, the question to the person, and the words it is about. */
export const reviewName = 'review.md';
export const originalName = 'original.md';

export const inbox = childPath(rootPath, 'inbox');

const longestText = 400_000;
const largestFile = 5_000_000;
const largestInput = 20_000_000;

/** Why this cannot be filed, and what to do; null when it can. */
export function inputProblem({ text, files }: UpdateInput): string | null {
  if (text.trim() === '' && files.length === 0) return 'there is nothing to file: give a text or a file';
  if (text.includes('\0'))
    return 'the text holds NUL characters, so it is not text; give it as a file of a kind that can be filed';
  if (text.length > longestText)
    return `the text has ${text.length} characters, over ${longestText}; file it in parts`;
  const decoded = files.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') }));
  const total = decoded.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > largestInput)
    return `the files are ${showBytes(total)} together, over 20 MB; file them in parts`;
  for (const { name, bytes } of decoded) {
    const problem = fileProblem(name, bytes);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return null;
}

function fileProblem(name: string, bytes: Buffer): string | null {
  if (kindOf(name) === 'image') {
    if (readImageHeader(bytes) === null)
      return 'its name says image, but its content is not a PNG, JPEG, GIF or WebP image';
    return bytes.length > largestFile
      ? `the image is ${showBytes(bytes.length)}, over 5 MB; make it smaller`
      : null;
  }
  if (!isText(name)) return 'only text, markdown and images (PNG, JPEG, GIF, WebP) can be filed';
  if (bytes.length > longestText) return `it is ${showBytes(bytes.length)}, over 400 kB; file it in parts`;
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? null : `it is ${decoded.what}, not text`;
}

function isText(name: string): boolean {
  return kindOf(name) === 'markdown' || /\.(txt|text)$/i.test(name);
}

export type Incoming = {
  /** Where everything lies until it is filed: also the inbox item it becomes if it cannot be. */
  folder: VaultPath;
  files: VaultPath[];
  /** The one of them that holds the words of the update. */
  original: VaultPath | null;
};

/** The contents that came with an update, and their endings: the only ones besides markdown that an agent may place. */
export function receivedContents({ files }: UpdateInput): ReadonlyMap<Revision, string> {
  return new Map(
    files.map(({ name, data }) => [revisionOf(Buffer.from(data, 'base64')), endingOf(portableName(name))]),
  );
}

/** Lays the input out in the transaction, so that it is read, moved and kept like any other file. */
export async function stageIncoming(input: UpdateInput, run: WriteRun, now: number): Promise<Incoming> {
  const taken = new Set(folderIn(await run.view.contents(inbox), inbox)?.folders.keys());
  const folder = childPath(inbox, freeName(`${localTime(now).slice(0, 10)}-${slugOf(input)}`, taken));
  // A file that came in must not pass for the agent's question.
  const names = new Set([reviewName]);
  const files: VaultPath[] = [];
  const stage = (name: string, bytes: Buffer): VaultPath => {
    const path = childPath(folder, freeName(name, names));
    names.add(nameOf(path));
    const staged = run.transaction.put(path, null, bytes);
    if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
    files.push(path);
    return path;
  };
  // What somebody else said stays marked as such, also when the person answers a question about it.
  const isOther = input.source.kind === 'other';
  const hasWords = input.text.trim() !== '';
  const original = hasWords || isOther ? stage(originalName, Buffer.from(originalText(input))) : null;
  for (const { name, data } of input.files) stage(portableName(name), Buffer.from(data, 'base64'));
  return { folder, files, original };
}

function originalText({ text, source }: UpdateInput): string {
  const kind = source.kind === 'other' ? 'source_kind: other\n' : '';
  return `---\nsource: ${JSON.stringify(source.name)}\n${kind}---\n\n${text}\n`;
}

/** Whether what an inbox item is about are words of somebody else. */
export function isOfSomebodyElse(original: string): boolean {
  const frontmatter = original.slice(0, findFrontmatter(original)?.bodyStart ?? 0);
  return /^source_kind: other$/m.test(frontmatter);
}

/** The items that wait for the person, by name: folders of the inbox with a question in them. */
export function openItems(contents: FolderEntry): [string, FolderEntry][] {
  return [...(folderIn(contents, inbox)?.folders ?? [])].filter(([, { files }]) => files.has(reviewName));
}

/** `name`, or the first of `name-2`, `name-3`, … that is free. */
export function freeName(name: string, taken: ReadonlySet<string>): string {
  const dot = name.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${stem}-${number}${ending}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** A file's name as it may be in a vault on every system; its ending says what it is. */
export function portableName(name: string): string {
  const last = name.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const dot = last.lastIndexOf('.');
  const stem = last
    .slice(0, dot > 0 ? dot : undefined)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const short = Array.from(stem).slice(0, 60).join('');
  const ending = kindOf(last) === 'image' ? last.slice(dot).toLowerCase() : '.md';
  return `${isReservedName(short) ? 'file-' : ''}${short || 'file'}${ending}`;
}

/** The first words, in letters that every system and every shell takes. */
function slugOf({ text, files }: UpdateInput): string {
  const words = (text.trim() === '' ? (files[0]?.name ?? '') : text)
    .slice(0, 200)
    .normalize('NFD')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).slice(0, 5).join('-').slice(0, 40);
  return slug === '' ? 'note' : slug;
}
