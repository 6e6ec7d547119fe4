import type { UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  decodeText,
  kindOf,
  localTime,
  nameOf,
  readImageHeader,
  revisionOf,
  rootPath,
  showBytes,
} from '../../vault/index.ts';
import type { Revision, VaultPath } from '../../vault/index.ts';

/** The name under which the words of an update lie in the vault while it is worked on. */
export const originalName = 'original.md';

const longestText = 400_000;
const largestFile = 5_000_000;
const largestInput = 20_000_000;

/** Why this cannot be filed, and what to do; null when it can. */
export function inputProblem({ text, files }: UpdateInput): string | null {
  if (text.trim() === '' && files.length === 0) return 'there is nothing to file: give a text or a file';
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
};

/** The contents that came with an update: the only ones besides markdown that an agent may put anywhere. */
export function receivedRevisions({ files }: UpdateInput): ReadonlySet<Revision> {
  return new Set(files.map(({ data }) => revisionOf(Buffer.from(data, 'base64'))));
}

/** Lays the input out in the transaction, so that it is read, moved and kept like any other file. */
export async function stageIncoming(input: UpdateInput, run: WriteRun, now: number): Promise<Incoming> {
  const inbox = childPath(rootPath, 'inbox');
  const contents = await run.view.contents(inbox);
  const taken = new Set(contents.folders.get('inbox')?.folders.keys());
  const folder = childPath(inbox, freeName(`${localTime(now).slice(0, 10)}-${slugOf(input)}`, taken));
  const names = new Set<string>();
  const files: VaultPath[] = [];
  const stage = (name: string, bytes: Buffer): void => {
    const path = childPath(folder, freeName(name, names));
    names.add(nameOf(path));
    const staged = run.transaction.put(path, null, bytes);
    if (!staged.ok) throw new Error(`${path}: ${staged.reason}`);
    files.push(path);
  };
  if (input.text.trim() !== '')
    stage(
      originalName,
      Buffer.from(`---\nsource: ${JSON.stringify(input.source.name)}\n---\n\n${input.text}\n`),
    );
  for (const { name, data } of input.files) stage(portableName(name), Buffer.from(data, 'base64'));
  return { folder, files };
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
    .replaceAll(/^[-.]+|[-.]+$/g, '')
    .slice(0, 60);
  const ending = kindOf(last) === 'image' ? last.slice(dot).toLowerCase() : '.md';
  const isReserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem);
  return `${isReserved ? 'file-' : ''}${stem || 'file'}${ending}`;
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
