import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { runGit, streamGit } from '../changes/index.ts';

type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';
export type GitObject = { type: ObjectType; bytes: Buffer };

/** Reads and adds objects of a repository, whether or not a branch reaches them. */
export type ObjectStore = {
  git: (args: string[], input?: readonly Buffer[]) => Promise<Buffer>;
  forEach(take: (id: string, object: GitObject) => void): Promise<void>;
  read(ids: readonly string[]): AsyncGenerator<[id: string, object: GitObject]>;
  write(objects: readonly GitObject[]): Promise<void>;
};

/** The number of objects that are read into memory together. */
const readBatchSize = 50;
const maxPackBytes = 33_554_432;

export function openObjectStore(folder: string, searchPath: string): ObjectStore {
  const git: ObjectStore['git'] = (args, input = []) => runGit({ folder, searchPath }, args, input);
  return {
    git,
    async forEach(take) {
      const parser = createBatchParser(take);
      const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch', '--buffer'];
      await streamGit({ folder, searchPath }, args, parser);
    },
    async *read(ids) {
      for (let from = 0; from < ids.length; from += readBatchSize) {
        const objects: [string, GitObject][] = [];
        const input = ids.slice(from, from + readBatchSize).map((id) => `${id}\n`);
        const output = await git(['cat-file', '--batch'], [Buffer.from(input.join(''))]);
        createBatchParser((id, object) => void objects.push([id, object]))(output);
        yield* objects;
      }
    },
    async write(objects) {
      let batch: GitObject[] = [];
      let bytes = 0;
      for (const [index, object] of objects.entries()) {
        batch.push(object);
        bytes += object.bytes.length;
        if (bytes < maxPackBytes && index < objects.length - 1) continue;
        await git(['index-pack', '--stdin'], buildPack(batch));
        batch = [];
        bytes = 0;
      }
    },
  };
}

export function hashObject({ type, bytes }: GitObject): string {
  return createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** Parses the output of `cat-file --batch`, which may arrive in pieces. */
function createBatchParser(take: (id: string, object: GitObject) => void): (piece: Buffer) => void {
  let pieces: Buffer[] = [];
  let length = 0;
  /** The number of bytes that are needed before anything can be parsed. */
  let needed = 1;
  return (piece) => {
    pieces.push(piece);
    length += piece.length;
    if (length < needed) return;
    const bytes = pieces.length === 1 ? piece : Buffer.concat(pieces);
    let at = 0;
    needed = 1;
    for (;;) {
      const end = bytes.indexOf(10, at);
      if (end < 0) break;
      const [id = '', type = '', size = ''] = bytes.toString('latin1', at, end).split(' ');
      // The id is followed by "missing" if the object does not exist.
      if (size === '') {
        at = end + 1;
        continue;
      }
      const next = end + 1 + Number(size) + 1;
      if (bytes.length < next) {
        needed = next - at;
        break;
      }
      take(id, { type: type as ObjectType, bytes: bytes.subarray(end + 1, next - 1) });
      at = next;
    }
    const rest = bytes.subarray(at);
    pieces = [rest];
    length = rest.length;
    needed = Math.max(needed, length + 1);
  };
}

const packTypes: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** A pack file of whole objects; see gitformat-pack(5). */
function buildPack(objects: readonly GitObject[]): Buffer[] {
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects.length, 8);
  const parts = [header, ...objects.flatMap((object) => [objectHeader(object), deflateSync(object.bytes)])];
  const hash = createHash('sha1');
  for (const part of parts) hash.update(part);
  return [...parts, hash.digest()];
}

function objectHeader({ type, bytes }: GitObject): Buffer {
  const header: number[] = [];
  let current = (packTypes[type] << 4) | (bytes.length & 0x0f);
  for (let rest = Math.floor(bytes.length / 16); rest > 0; rest = Math.floor(rest / 128)) {
    header.push(current | 0x80);
    current = rest & 0x7f;
  }
  return Buffer.from([...header, current]);
}

export type TreeEntry = { mode: string; name: string; id: string };

export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf(0, at);
    const head = bytes.toString('utf8', at, end);
    const space = head.indexOf(' ');
    entries.push({
      mode: head.slice(0, space),
      name: head.slice(space + 1),
      id: bytes.toString('hex', end + 1, end + 21),
    });
    at = end + 21;
  }
  return entries;
}

export function isSubtree({ mode }: TreeEntry): boolean {
  return mode === '40000';
}

/** Git sorts entries by their bytes, and a folder as if its name ended with a slash. */
export function formatTree(entries: readonly TreeEntry[]): Buffer {
  const sortKey = (entry: TreeEntry): Buffer => Buffer.from(`${entry.name}${isSubtree(entry) ? '/' : ''}`);
  return Buffer.concat(
    entries
      .toSorted((a, b) => Buffer.compare(sortKey(a), sortKey(b)))
      .flatMap(({ mode, name, id }) => [Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')]),
  );
}
