import { detectKind, mailboxMessages, originalExtension } from '../intake/index.ts';
import type { DocumentKind } from '../intake/index.ts';
import { decodeInput, extensionOf, fileKindOf } from '../vault/index.ts';
import { sha256Hex } from './candidate.ts';
import type { ItemBuild, Candidate, ItemCategory, LinkRewriter } from './candidate.ts';
import { linkRows, readNotionTimes } from './exports/notion.ts';
import { distinctMessageId, isMaildirMessage, maildirMessageId } from './maildir.ts';
import { splitPath } from './split-path.ts';
import type { ImportKind } from './detect-kind.ts';
import { stampFromSource } from './stamp-from-source.ts';
import { importLimits } from './source.ts';
import type { SkippedItem, Source, SourceFile } from './source.ts';
import { sourceTooLargeError } from './source-limit-errors.ts';

type CollectOptions = {
  source: Source;
  kind: ImportKind;
  convert: (document: { name: string; bytes: Uint8Array }, stem: string) => Promise<ItemBuild>;
  onProgress: (done: number, total: number) => void;
  signal: AbortSignal;
};

export type CollectedItems = { candidates: Candidate[]; leftOut: SkippedItem[] };

/** Reads a folder of notes or documents. Unreadable files are skipped and reported. */
export async function collectFiles(options: CollectOptions): Promise<CollectedItems> {
  const { source, kind, signal, onProgress } = options;
  const leftOut: SkippedItem[] = [];
  const fitting: SourceFile[] = [];
  for (const file of source.files) {
    if (file.size <= importLimits.fileBytes || (kind === 'folder' && (await isMailbox(file))))
      fitting.push(file);
    else leftOut.push({ path: file.path, reason: `larger than ${importLimits.fileBytes / 1e6} MB` });
  }
  if (fitting.reduce((sum, { size }) => sum + size, 0) > importLimits.bytes)
    throw sourceTooLargeError(source.location);
  const candidates: Candidate[] = [];
  for (const [index, file] of fitting.entries()) {
    signal.throwIfAborted();
    onProgress(index, fitting.length);
    const bytes = await readBytes(file);
    if (typeof bytes === 'string') leftOut.push({ path: file.path, reason: bytes });
    else for await (const candidate of createCandidates(file, bytes, options)) candidates.push(candidate);
  }
  return { candidates: separateMessages(candidates), leftOut };
}

/** Gives different messages different ids, and drops the copies of one that was renamed while the folder was read. */
function separateMessages(candidates: readonly Candidate[]): Candidate[] {
  const found = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const { id, digest } = candidate;
    const first = found.get(id);
    if (first === undefined) found.set(id, candidate);
    else if (first.digest !== digest) {
      const other = distinctMessageId(id, digest);
      if (!found.has(other)) found.set(other, { ...candidate, id: other });
    }
  }
  return [...found.values()];
}

/** Returns the content, or the reason why it cannot be read. */
async function readBytes(file: SourceFile): Promise<Buffer | string> {
  try {
    return await file.read();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return `unreadable (${code ?? message})`;
  }
}

/** Mailboxes may exceed the size limit. Thunderbird stores them without a file extension. */
async function isMailbox(file: SourceFile): Promise<boolean> {
  if (extensionOf(file.path) !== '') return extensionOf(file.path) === '.mbox';
  for await (const start of file.stream()) return start.subarray(0, 5).toString('latin1') === 'From ';
  return false;
}

async function* createCandidates(
  file: SourceFile,
  bytes: Buffer,
  options: CollectOptions,
): AsyncGenerator<Candidate, void, undefined> {
  const { path } = file;
  if (/\.(?:md|markdown)$/i.test(path)) {
    yield note(file, bytes, options);
    return;
  }
  const treatment = chooseTreatment(path, bytes, options);
  if (treatment === 'mailbox') yield* readMailbox(file, bytes, options);
  else if (treatment === 'copy') yield copy(file, bytes);
  else if ('reason' in treatment)
    yield { ...copy(file, bytes), skipReasonUnlessReferenced: treatment.reason };
  else if (treatment.type === 'email' && isMaildirMessage(path))
    yield {
      ...converted({ ...file, path: `${path}.eml` }, bytes, 'email', options),
      id: maildirMessageId(path),
      linkPath: path,
    };
  else yield converted(file, bytes, treatment.type, options);
}

/**
 * All supported files are converted only in a folder of documents, because notes link to their attachments as they are.
 */
function chooseTreatment(
  path: string,
  bytes: Buffer,
  { kind, source }: CollectOptions,
): 'copy' | 'mailbox' | { type: DocumentKind } | { reason: string } {
  const isTable = /\.(?:csv|html?)$/i.test(path);
  if (kind === 'notion' ? !isTable || isFullTableExport(path, source) : kind !== 'folder') return 'copy';
  const type = detectKind({ name: splitPath(path).name, bytes });
  if (typeof type !== 'string') return { reason: type.reason };
  if (type === 'image' || type === 'audio' || type === 'markdown') return 'copy';
  return type === 'mailbox' ? 'mailbox' : { type };
}

/** Notion exports a table twice: as the page shows it, and with all rows. */
function isFullTableExport(path: string, { files }: Source): boolean {
  const shown = path.replace(/_all\.csv$/i, '.csv');
  return shown !== path && files.some((file) => file.path === shown);
}

function base(
  { path }: Pick<SourceFile, 'path'>,
  bytes: Buffer,
  category: ItemCategory,
): Omit<Candidate, 'build' | 'digest'> {
  return {
    id: path,
    // Only mail folders have hidden names.
    path: path.replaceAll(/(^|\/)\.+/g, '$1'),
    isConverted: false,
    category,
    bytes: bytes.length,
    linkPath: path,
    linkTarget: (name) => name,
    skipReasonUnlessReferenced: null,
    text: null,
  };
}

function copy(file: SourceFile, bytes: Buffer): Candidate {
  const category = fileKindOf(file.path) === 'image' ? 'pictures' : 'attachments';
  return {
    ...base(file, bytes, category),
    digest: sha256Hex(bytes),
    build: async (name) => ({ kind: 'built', files: [{ name, bytes }], warnings: [] }),
  };
}

function note(file: SourceFile, bytes: Buffer, { kind }: Pick<CollectOptions, 'kind'>): Candidate {
  const decoded = decodeInput(bytes);
  if (decoded.kind !== 'text')
    return {
      ...copy(file, bytes),
      category: 'notes',
      build: async (name) => ({
        kind: 'built',
        files: [{ name, bytes }],
        warnings: [`${file.path} is ${decoded.description}; it was copied unchanged and is not searchable`],
      }),
    };
  const stated = kind === 'notion' ? readNotionTimes(decoded.text) : {};
  const times = { created: file.mtime, updated: file.mtime, ...stated };
  const warnings = decoded.note === null ? [] : [`${file.path}: ${decoded.note}`];
  return {
    ...base(file, bytes, 'notes'),
    digest: sha256Hex(bytes),
    text: decoded.text,
    build: async (name, rewrite) => {
      const text = stampFromSource(rewrite(decoded.text, file.path).text, times);
      return { kind: 'built', files: [{ name, bytes: Buffer.from(text) }], warnings };
    },
  };
}

function converted(
  file: SourceFile,
  bytes: Buffer,
  type: DocumentKind,
  { convert, kind, source }: Pick<CollectOptions, 'convert' | 'kind' | 'source'>,
): Candidate {
  const { name: ownName } = splitPath(file.path);
  const times = { created: file.mtime, updated: file.mtime };
  const linkTarget = (name: string): string =>
    `${name}${type === 'text' ? '.md' : originalExtension(ownName, type)}`;
  const paths = kind === 'notion' && type === 'csv' ? source.files.map(({ path }) => path) : [];
  const withLinks = (markdown: string, rewrite: LinkRewriter): string =>
    paths.length === 0 ? markdown : rewrite(linkRows(markdown, file.path, paths), file.path).text;
  return {
    ...base(file, bytes, 'documents'),
    digest: sha256Hex(bytes),
    isConverted: true,
    linkTarget,
    build: async (name, rewrite) => {
      const { parent, name: stem } = splitPath(name);
      const built = await convert({ name: ownName, bytes }, stem);
      if (built.kind === 'refused') return { ...built, original: { name: linkTarget(name), bytes } };
      const files = built.files.map((each) => ({
        name: parent === '' ? each.name : `${parent}/${each.name}`,
        bytes:
          fileKindOf(each.name) === 'markdown'
            ? Buffer.from(stampFromSource(withLinks(Buffer.from(each.bytes).toString(), rewrite), times))
            : each.bytes,
      }));
      return { ...built, files };
    },
  };
}

/** Yields a note for each message, in a folder for the mailbox. Duplicate messages are skipped. */
async function* readMailbox(
  file: SourceFile,
  mailbox: Buffer,
  options: CollectOptions,
): AsyncGenerator<Candidate, void, undefined> {
  const folder = file.path.replace(/\.mbox$/i, '');
  const seen = new Set<string>();
  for await (const message of mailboxMessages(mailbox)) {
    options.signal.throwIfAborted();
    const bytes = Buffer.from(message.bytes.buffer, message.bytes.byteOffset, message.bytes.byteLength);
    const digest = sha256Hex(bytes);
    if (seen.has(digest)) continue;
    seen.add(digest);
    const path = `${folder}/${message.name}`;
    yield {
      ...converted({ ...file, path }, bytes, 'email', options),
      id: `${file.path}#${digest.slice(0, 16)}`,
      linkPath: null,
    };
  }
  if (seen.size === 0)
    yield {
      ...copy(file, mailbox),
      skipReasonUnlessReferenced: 'no messages were recognized in this mailbox',
    };
}
