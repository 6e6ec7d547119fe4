import { detectKind, mailboxMessages } from '../intake/index.ts';
import type { DocumentKind } from '../intake/index.ts';
import { decodeText, endingOf, kindOf } from '../vault/index.ts';
import { digestOf } from './candidate.ts';
import type { Built, Candidate, ItemSort } from './candidate.ts';
import { split } from './name-files.ts';
import type { ImportKind } from './recognise.ts';
import { stampFromSource } from './set-stamps.ts';
import { limits } from './source.ts';
import type { LeftOut, Source, SourceFile } from './source.ts';
import { tooLarge } from './too-large.ts';

type Gathering = {
  source: Source;
  kind: ImportKind;
  convert: (document: { name: string; bytes: Uint8Array }, stem: string) => Promise<Built>;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
};

export type Gathered = { candidates: Candidate[]; leftOut: LeftOut[] };

/** Reads a folder of notes or documents. What cannot be read is told of and left out. */
export async function gatherFiles(gathering: Gathering): Promise<Gathered> {
  const { source, kind, signal, onProgress } = gathering;
  const leftOut: LeftOut[] = [];
  const fitting: SourceFile[] = [];
  for (const file of source.files) {
    if (file.size <= limits.fileBytes || (kind === 'folder' && (await isMailbox(file)))) fitting.push(file);
    else leftOut.push({ path: file.path, reason: `it is over ${limits.fileBytes / 1e6} MB` });
  }
  if (fitting.reduce((sum, { size }) => sum + size, 0) > limits.bytes) throw tooLarge(source.place);
  const candidates: Candidate[] = [];
  for (const [index, file] of fitting.entries()) {
    signal.throwIfAborted();
    onProgress(index, fitting.length);
    const bytes = await bytesOf(file);
    if (typeof bytes === 'string') leftOut.push({ path: file.path, reason: bytes });
    else for await (const candidate of candidatesOf(file, bytes, gathering)) candidates.push(candidate);
  }
  return { candidates, leftOut };
}

/** Or why it cannot be read. */
async function bytesOf(file: SourceFile): Promise<Buffer | string> {
  try {
    return await file.read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `it cannot be read (${code ?? message})`;
  }
}

/** Mailboxes may be of any size. Thunderbird gives them no ending. */
async function isMailbox(file: SourceFile): Promise<boolean> {
  if (endingOf(file.path) !== '') return endingOf(file.path) === '.mbox';
  for await (const start of file.stream()) return start.subarray(0, 5).toString('latin1') === 'From ';
  return false;
}

async function* candidatesOf(
  file: SourceFile,
  bytes: Buffer,
  gathering: Gathering,
): AsyncGenerator<Candidate, void, undefined> {
  const { path } = file;
  if (/\.(?:md|markdown)$/i.test(path)) {
    yield note(file, bytes);
    return;
  }
  const found = treatmentOf(path, bytes, gathering);
  if (found === 'mailbox') yield* messagesOf(file, bytes, gathering);
  else if (found === 'copy') yield copy(file, bytes);
  else if ('reason' in found) yield { ...copy(file, bytes), onlyIfReferred: found.reason };
  else yield converted(file, bytes, found.type, gathering);
}

/** Only in a folder of documents everything is converted that can be: notes want their attachments as they are. */
function treatmentOf(
  path: string,
  bytes: Buffer,
  { kind, source }: Gathering,
): 'copy' | 'mailbox' | { type: DocumentKind } | { reason: string } {
  const isTable = /\.(?:csv|html?)$/i.test(path);
  if (kind === 'notion' ? !isTable || isWholeTable(path, source) : kind !== 'folder') return 'copy';
  const type = detectKind({ name: split(path).name, bytes });
  if (typeof type !== 'string') return { reason: type.reason };
  if (type === 'image' || type === 'audio' || type === 'markdown') return 'copy';
  return type === 'mailbox' ? 'mailbox' : { type };
}

/** Notion exports a table as its pages show it, and once more with all of its rows. */
function isWholeTable(path: string, { files }: Source): boolean {
  const shown = path.replace(/_all\.csv$/i, '.csv');
  return shown !== path && files.some((file) => file.path === shown);
}

function base(
  { path }: Pick<SourceFile, 'path'>,
  bytes: Buffer,
  sort: ItemSort,
): Omit<Candidate, 'build' | 'digest'> {
  return {
    id: path,
    path,
    isConverted: false,
    sort,
    bytes: bytes.length,
    linkedAs: path,
    linkTarget: (name) => name,
    onlyIfReferred: null,
    text: null,
  };
}

function copy(file: SourceFile, bytes: Buffer): Candidate {
  const sort = kindOf(file.path) === 'image' ? 'pictures' : 'attachments';
  return {
    ...base(file, bytes, sort),
    digest: digestOf(bytes),
    build: async (name) => ({ kind: 'built', files: [{ name, bytes }], warnings: [] }),
  };
}

function note(file: SourceFile, bytes: Buffer): Candidate {
  const decoded = decodeText(bytes);
  if (decoded.kind !== 'text')
    return {
      ...copy(file, bytes),
      sort: 'notes',
      build: async (name) => ({
        kind: 'built',
        files: [{ name, bytes }],
        warnings: [`${file.path} is ${decoded.what}; it is kept as it is, and search does not find it`],
      }),
    };
  const times = { created: file.mtime, updated: file.mtime };
  return {
    ...base(file, bytes, 'notes'),
    digest: digestOf(bytes),
    text: decoded.text,
    build: async (name, rewrite) => {
      const text = stampFromSource(rewrite(decoded.text, file.path).text, times);
      return { kind: 'built', files: [{ name, bytes: Buffer.from(text) }], warnings: [] };
    },
  };
}

function converted(
  file: SourceFile,
  bytes: Buffer,
  type: DocumentKind,
  { convert }: Pick<Gathering, 'convert'>,
): Candidate {
  const { name: ownName } = split(file.path);
  const times = { created: file.mtime, updated: file.mtime };
  const linkTarget = (name: string): string => `${name}${type === 'text' ? '.md' : endingOf(ownName)}`;
  return {
    ...base(file, bytes, 'documents'),
    digest: digestOf(bytes),
    isConverted: true,
    linkTarget,
    build: async (name) => {
      const { parent, name: stem } = split(name);
      const built = await convert({ name: ownName, bytes }, stem);
      if (built.kind === 'refused') return { ...built, original: { name: linkTarget(name), bytes } };
      const files = built.files.map((each) => ({
        name: parent === '' ? each.name : `${parent}/${each.name}`,
        bytes:
          kindOf(each.name) === 'markdown'
            ? Buffer.from(stampFromSource(Buffer.from(each.bytes).toString(), times))
            : each.bytes,
      }));
      return { ...built, files };
    },
  };
}

/** A folder for the mailbox, a note for each message. The same message twice is one. */
async function* messagesOf(
  file: SourceFile,
  mailbox: Buffer,
  gathering: Gathering,
): AsyncGenerator<Candidate, void, undefined> {
  const folder = file.path.replace(/\.mbox$/i, '');
  const seen = new Set<string>();
  for await (const message of mailboxMessages(mailbox)) {
    gathering.signal.throwIfAborted();
    const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength);
    const digest = digestOf(bytes);
    if (seen.has(digest)) continue;
    seen.add(digest);
    const path = `${folder}/${message.name}`;
    yield {
      ...converted({ ...file, path }, bytes, 'email', gathering),
      id: `${file.path}#${digest.slice(0, 16)}`,
      linkedAs: null,
    };
  }
}
