import { randomUUID } from 'node:crypto';
import { closeSync, openSync, realpathSync, unlinkSync, writeSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, fromFdPromise, getFileNameLowLevel, openPromise, validateFileName } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { AppError } from '../app/index.ts';
import { tooManyFilesError } from './read-folder.ts';
import { compareByPath, isIgnored, importLimits } from './source.ts';
import type { SkippedItem, Source, SourceFile } from './source.ts';

// Names are checked one at a time: an entry whose path escapes the archive is skipped, and the rest is still imported.
const options = { decodeStrings: false, autoClose: false } as const;

/** Maximum number of archives in an archive; each has an open file while it is imported. */
const maxInnerArchives = 100;

/** Lists an archive. The declared sizes are enforced when a file is read. */
export function readZip(path: string, stateFolder: string): Promise<Source> {
  const location = realpathSync(path);
  return readArchive({ path, location, open: () => openPromise(location, options) }, stateFolder);
}

/** Lists an archive that was uploaded. Archives of the same name count as one source. */
export function readZipBytes(name: string, bytes: Buffer, stateFolder: string): Promise<Source> {
  const open = (): Promise<ZipFile> => fromBufferPromise(bytes, options);
  return readArchive({ path: name, location: `upload: ${name}`, open }, stateFolder);
}

type Archive = { path: string; location: string; open: () => Promise<ZipFile> };

async function readArchive({ path, location, open }: Archive, stateFolder: string): Promise<Source> {
  const zips: ZipFile[] = [];
  try {
    const zip = await withArchiveError(path, open);
    zips.push(zip);
    const outer = await withArchiveError(path, () => list(zip, path));
    // Notion exports archives within an archive.
    const inner = outer.files.filter((file) => /\.zip$/i.test(file.path));
    if (inner.length === 0 || inner.length < outer.files.length) return sourceOf(path, location, outer, zips);
    checkInnerArchives(path, inner);
    const parts: Listed = { files: [], hidden: outer.hidden, leftOut: outer.leftOut };
    let entryCount = 0;
    for (const file of inner) {
      const part = await withArchiveError(path, () => openInnerArchive(file, stateFolder));
      zips.push(part);
      entryCount += part.entryCount;
      if (entryCount > importLimits.files) throw tooManyFilesError(path);
      const listed = await withArchiveError(path, () => list(part, path));
      parts.files.push(...listed.files);
      parts.hidden.push(...listed.hidden);
      parts.leftOut.push(...listed.leftOut);
    }
    return sourceOf(path, location, parts, zips);
  } catch (error) {
    closeAll(zips);
    throw error;
  }
}

function closeAll(zips: readonly ZipFile[]): void {
  for (const zip of zips) zip.close();
}

/** Inner archives have to be unpacked before they can be listed, so their declared sizes are checked first. */
function checkInnerArchives(path: string, inner: readonly SourceFile[]): void {
  const hint = 'unpack it and import its archives one by one';
  if (inner.length > maxInnerArchives)
    throw new AppError('bad-input', `${path} contains more than ${maxInnerArchives} archives`, { hint });
  if (inner.reduce((sum, { size }) => sum + size, 0) > importLimits.bytes)
    throw new AppError(
      'bad-input',
      `the archives in ${path} are larger than ${importLimits.bytes / 1e9} GB together`,
      { hint },
    );
}

/** Unpacks an archive of an archive into a temporary file, which is deleted at once and freed when it is closed. */
async function openInnerArchive(file: SourceFile, stateFolder: string): Promise<ZipFile> {
  const temporary = join(stateFolder, `import-${randomUUID()}.zip`);
  const fd = openSync(temporary, 'wx+', 0o600);
  try {
    unlinkSync(temporary);
    for await (const chunk of file.stream())
      for (let start = 0; start < chunk.length;) start += writeSync(fd, chunk, start);
    return await fromFdPromise(fd, options);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

type Listed = { files: SourceFile[]; hidden: string[]; leftOut: SkippedItem[] };

function sourceOf(
  path: string,
  location: string,
  { files, hidden, leftOut }: Listed,
  zips: ZipFile[],
): Source {
  return {
    name: basename(path).replace(/\.zip$/i, ''),
    location,
    files: stripCommonFolder(files).toSorted(compareByPath),
    hidden,
    leftOut,
    close: () => closeAll(zips),
  };
}

async function list(zip: ZipFile, path: string): Promise<Listed> {
  if (zip.entryCount > importLimits.files) throw tooManyFilesError(path);
  const listed: Listed = { files: [], hidden: [], leftOut: [] };
  const names = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    const name = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    const hidden = name.split('/').find(isIgnored);
    const reason =
      validateFileName(name) === null ? findEntryProblem(entry, names.has(name)) : pathTraversalReason;
    names.add(name);
    if (reason === pathTraversalReason) listed.leftOut.push({ path: name, reason });
    else if (hidden !== undefined) listed.hidden.push(hidden);
    else if (name.endsWith('/')) continue;
    else if (reason !== null) listed.leftOut.push({ path: name, reason });
    else listed.files.push(fileOf(zip, entry, name));
  }
  return listed;
}

const pathTraversalReason = 'path escapes the archive';

function findEntryProblem(entry: Entry, isTwice: boolean): string | null {
  if (entry.isEncrypted()) return 'encrypted';
  if (isTwice) return 'duplicate name';
  const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000;
  return isLink ? 'symbolic link' : null;
}

function fileOf(zip: ZipFile, entry: Entry, path: string): SourceFile {
  const { uncompressedSize: size } = entry;
  async function* stream(): AsyncGenerator<Buffer, void, undefined> {
    const unpacked: Readable = await zip.openReadStreamPromise(entry);
    let sum = 0;
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      sum = crc32(chunk, sum);
      yield chunk;
    }
    if (sum !== entry.crc32) throw new Error('checksum mismatch');
  }
  return {
    path,
    size,
    mtime: entry.getLastModDate().getTime(),
    stream,
    async read() {
      const chunks: Buffer[] = [];
      for await (const chunk of stream()) chunks.push(chunk);
      return Buffer.concat(chunks);
    },
  };
}

/** Removes the single top-level folder that most archives contain, usually named after the archive. */
function stripCommonFolder(files: SourceFile[]): SourceFile[] {
  const [first = ''] = files[0]?.path.split('/') ?? [];
  if (!files.every(({ path }) => path.startsWith(`${first}/`))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) }));
}

async function withArchiveError<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-input', `${path} is not a readable archive (${(cause as Error).message})`, {
      hint: 'download it again',
      cause,
    });
  }
}
