import { realpathSync } from 'node:fs';
import { basename } from 'node:path';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { fromBufferPromise, getFileNameLowLevel, openPromise, validateFileName } from 'yauzl';
import type { Entry, ZipFile } from 'yauzl';
import { AppError } from '../app/index.ts';
import { tooMany } from './read-folder.ts';
import { byPath, isHidden, limits } from './source.ts';
import type { LeftOut, Source, SourceFile } from './source.ts';

// Names are judged one by one: one that leads out of the archive is left out, and the rest is not lost with it.
const options = { decodeStrings: false, autoClose: false } as const;

/** Lists an archive; nothing is unpacked to disk. What it says of its sizes is held to when a file is read. */
export async function readZip(path: string): Promise<Source> {
  const place = realpathSync(path);
  const zip = await opened(path, () => openPromise(place, options));
  const outer = await opened(path, () => list(zip, path));
  // Notion puts archives into an archive.
  const inner = outer.files.filter((file) => /\.zip$/i.test(file.path));
  if (inner.length === 0 || inner.length < outer.files.length) return sourceOf(path, place, outer, [zip]);
  const zips = [zip];
  const parts: Listed = { files: [], hidden: outer.hidden, leftOut: outer.leftOut };
  for (const file of inner) {
    if (file.size > limits.bytes) throw new AppError('bad-input', `${file.path} in ${path} is over 1 GB`);
    const part = await opened(path, async () => fromBufferPromise(await file.read(), options));
    zips.push(part);
    const listed = await opened(path, () => list(part, path));
    parts.files.push(...listed.files);
    parts.hidden.push(...listed.hidden);
    parts.leftOut.push(...listed.leftOut);
  }
  return sourceOf(path, place, parts, zips);
}

type Listed = { files: SourceFile[]; hidden: string[]; leftOut: LeftOut[] };

function sourceOf(path: string, place: string, { files, hidden, leftOut }: Listed, zips: ZipFile[]): Source {
  return {
    name: basename(path).replace(/\.zip$/i, ''),
    place,
    files: withoutCommonFolder(files).toSorted(byPath),
    hidden,
    leftOut,
    close: () => zips.forEach((zip) => zip.close()),
  };
}

async function list(zip: ZipFile, path: string): Promise<Listed> {
  if (zip.entryCount > limits.files) throw tooMany(path);
  const listed: Listed = { files: [], hidden: [], leftOut: [] };
  const names = new Set<string>();
  for await (const entry of zip.eachEntry()) {
    const name = getFileNameLowLevel(
      entry.generalPurposeBitFlag,
      entry.fileNameRaw,
      entry.extraFields,
      false,
    );
    const hidden = name.split('/').find(isHidden);
    const reason = validateFileName(name) === null ? problemOf(entry, names.has(name)) : outside;
    names.add(name);
    if (reason === outside) listed.leftOut.push({ path: name, reason });
    else if (hidden !== undefined) listed.hidden.push(hidden);
    else if (name.endsWith('/')) continue;
    else if (reason !== null) listed.leftOut.push({ path: name, reason });
    else listed.files.push(fileOf(zip, entry, name));
  }
  return listed;
}

const outside = 'its name leads out of the archive';

function problemOf(entry: Entry, isTwice: boolean): string | null {
  if (entry.isEncrypted()) return 'it opens with a password only';
  if (isTwice) return 'there are two of this name';
  const isLink = ((entry.externalFileAttributes >>> 16) & 0o170000) === 0o120000;
  return isLink ? 'it is a link to something elsewhere' : null;
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
    if (sum !== entry.crc32) throw new Error('it is damaged');
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

/** Most archives hold one folder, named like the archive. */
function withoutCommonFolder(files: SourceFile[]): SourceFile[] {
  const [first = ''] = files[0]?.path.split('/') ?? [];
  if (!files.every(({ path }) => path.startsWith(`${first}/`))) return files;
  return files.map((file) => ({ ...file, path: file.path.slice(first.length + 1) }));
}

async function opened<Value>(path: string, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    throw new AppError('bad-input', `${path} is no archive that can be read (${(cause as Error).message})`, {
      mend: 'download it again',
      cause,
    });
  }
}
