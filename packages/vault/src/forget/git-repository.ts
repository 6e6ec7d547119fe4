import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  discardUnreachable,
  readBoundary,
  removeStaleLocks,
  removeUnfinishedObjects,
  writeBoundary,
} from '../changes/index.ts';
import { formatTree, hashObject, isSubtree, openObjectStore, parseTree } from './git-objects.ts';
import type { GitObject, ObjectStore } from './git-objects.ts';
import type { ForgetPassage } from '../contract/index.ts';
import type { DescribeText, Redactor } from './redactor.ts';

/** The ids of rewritten objects, old to new. */
export type RewrittenObjects = {
  ids: Map<string, string>;
  /** The commits, by their old ids, that changed a file or had a message with the words. */
  touched: Set<string>;
};

export type WordsInHistory = {
  /** The ids of the versions with the words, by path; those without a path have a name in brackets. */
  versions: Map<string, Set<string>>;
  /** The passages of each version; none if it is not text. Versions that only have the words in their path are missing. */
  passages: Map<string, ForgetPassage[]>;
};

/** A repository from which words can be removed. Its objects are rewritten one by one, so no commit gets lost or reordered. */
export type ForgettingRepository = {
  find(redactor: Redactor, describe: DescribeText): Promise<WordsInHistory>;
  /** Adds rewritten copies of all objects that lead to the words. All old objects stay. */
  rewrite(redactor: Redactor): Promise<RewrittenObjects>;
  /** Moves the refs to the rewritten commits, then deletes everything that neither a ref nor `keep` needs. */
  finish(rewritten: RewrittenObjects, keep: readonly string[]): Promise<void>;
};

export function openForgettingRepository(folder: string, searchPath: string): ForgettingRepository {
  const store = openObjectStore(folder, searchPath);
  return {
    async find(redactor, describe) {
      const passages = new Map<string, ForgetPassage[]>();
      if (!existsSync(folder)) return { versions: new Map(), passages };
      const scan = await scanObjects(store, redactor, (id, value) =>
        passages.set(id, typeof value === 'string' ? describeMessage(value, describe) : describe(value)),
      );
      if (isEmpty(scan)) return { versions: new Map(), passages };
      return { versions: (await readLog(store, redactor, scan)).versions, passages };
    },
    async rewrite(redactor) {
      const ids = new Map<string, string>();
      if (!existsSync(folder)) return { ids, touched: new Set() };
      removeStaleLocks(folder);
      removeUnfinishedObjects(folder);
      const scan = await scanObjects(store, redactor);
      if (isEmpty(scan)) return { ids, touched: new Set() };
      const { touched } = await readLog(store, redactor, scan);
      const trees = await findAffectedTrees(store, scan);
      const put = async (id: string, object: GitObject): Promise<void> => {
        const rewritten = hashObject(object);
        if (rewritten !== id) ids.set(id, rewritten);
        pending.push(object);
        pendingBytes += object.bytes.length;
        if (pendingBytes > maxPendingBytes) await flush();
      };
      let pending: GitObject[] = [];
      let pendingBytes = 0;
      const flush = async (): Promise<void> => {
        await store.write(pending);
        pending = [];
        pendingBytes = 0;
      };
      for await (const [id, { bytes }] of store.read([...scan.blobs]))
        await put(id, { type: 'blob', bytes: redactor.redactBytes(Buffer.from(bytes)) });
      for (const [id, object] of await rewriteTrees(store, redactor, trees, ids)) await put(id, object);
      for (const [id, bytes] of sortParentsFirst(scan.commits)) {
        const commit = rewriteCommit(bytes, redactor, ids);
        if (commit !== null) await put(id, { type: 'commit', bytes: commit });
      }
      await flush();
      return { ids, touched };
    },
    async finish({ ids }, keep) {
      if (!existsSync(folder)) return;
      moveBoundary(folder, ids);
      await moveRefs(store, ids);
      await keepReachable(store, keep);
      await discardUnreachable(folder, store.git);
      for (const name of readdirSync(folder))
        if (name.startsWith('fast_import_crash_')) rmSync(join(folder, name), { force: true });
    },
  };
}

const maxPendingBytes = 33_554_432;

/** The objects that contain the words themselves, and all commits. */
type Scan = {
  blobs: Set<string>;
  /** Trees with a file or folder whose name contains the words. */
  trees: Set<string>;
  /** Commits with the words in their messages. */
  messages: Set<string>;
  commits: Map<string, Buffer>;
};

function isEmpty({ blobs, trees, messages }: Scan): boolean {
  return blobs.size + trees.size + messages.size === 0;
}

async function scanObjects(
  store: ObjectStore,
  redactor: Redactor,
  take: (id: string, value: Buffer | string) => unknown = () => undefined,
): Promise<Scan> {
  const scan: Scan = { blobs: new Set(), trees: new Set(), messages: new Set(), commits: new Map() };
  /** The same names occur in many trees. */
  const names = new Map<string, boolean>();
  const matchesName = (name: string): boolean => {
    const isMatch = names.get(name) ?? redactor.matches(name);
    names.set(name, isMatch);
    return isMatch;
  };
  await store.forEach((id, { type, bytes }) => {
    if (type === 'blob' && redactor.matchesBytes(bytes)) {
      scan.blobs.add(id);
      take(id, bytes);
    }
    if (type === 'tree' && parseTree(bytes).some(({ name }) => matchesName(name))) scan.trees.add(id);
    if (type === 'commit') {
      scan.commits.set(id, Buffer.from(bytes));
      if (!redactor.matches(bytes.toString())) return;
      scan.messages.add(id);
      take(id, bytes.toString('utf8', bytes.indexOf('\n\n') + 2));
    }
  });
  return scan;
}

/** The trees that have to change: those with a changed file or name, and all trees above them. */
async function findAffectedTrees(store: ObjectStore, scan: Scan): Promise<Set<string>> {
  const affected = new Set(scan.trees);
  const subtrees = new Map<string, string[]>();
  await store.forEach((id, { type, bytes }) => {
    if (type !== 'tree') return;
    const entries = parseTree(bytes);
    if (entries.some((entry) => scan.blobs.has(entry.id))) affected.add(id);
    const below = entries.filter(isSubtree).map((entry) => entry.id);
    if (below.length > 0) subtrees.set(id, below);
  });
  for (let size = -1; size !== affected.size;) {
    size = affected.size;
    for (const [id, below] of subtrees) if (below.some((each) => affected.has(each))) affected.add(id);
  }
  return affected;
}

/** Rewritten trees, each after the trees below it. */
async function rewriteTrees(
  store: ObjectStore,
  redactor: Redactor,
  affected: ReadonlySet<string>,
  ids: ReadonlyMap<string, string>,
): Promise<Map<string, GitObject>> {
  const originals = new Map<string, ReturnType<typeof parseTree>>();
  for await (const [id, { bytes }] of store.read([...affected])) originals.set(id, parseTree(bytes));
  const rewritten = new Map<string, GitObject>();
  const rewrittenIds = new Map(ids);
  const visit = (id: string): void => {
    const original = originals.get(id);
    if (original === undefined || rewritten.has(id)) return;
    for (const entry of original) if (isSubtree(entry)) visit(entry.id);
    const entries = original.map((entry) => ({
      ...entry,
      name: redactor.redactPath(entry.name),
      id: rewrittenIds.get(entry.id) ?? entry.id,
    }));
    const object: GitObject = { type: 'tree', bytes: formatTree(entries) };
    rewritten.set(id, object);
    rewrittenIds.set(id, hashObject(object));
  };
  for (const id of affected) visit(id);
  return rewritten;
}

function parentsOf(commit: Buffer): string[] {
  const head = commit.toString('latin1', 0, commit.indexOf('\n\n'));
  return [...head.matchAll(/^parent (\w+)$/gm)].map(([, id = '']) => id);
}

function* sortParentsFirst(commits: ReadonlyMap<string, Buffer>): Generator<[string, Buffer]> {
  const done = new Set<string>();
  for (const start of commits.keys()) {
    const stack = [start];
    while (stack.length > 0) {
      const id = stack.at(-1) ?? '';
      const bytes = commits.get(id);
      const open =
        bytes === undefined || done.has(id)
          ? []
          : parentsOf(bytes).filter((each) => !done.has(each) && commits.has(each));
      if (open.length > 0) {
        stack.push(...open);
        continue;
      }
      stack.pop();
      if (bytes === undefined || done.has(id)) continue;
      done.add(id);
      yield [id, bytes];
    }
  }
}

/** Null if nothing in the commit changes. */
function rewriteCommit(bytes: Buffer, redactor: Redactor, ids: ReadonlyMap<string, string>): Buffer | null {
  const end = bytes.indexOf('\n\n');
  const head = bytes.toString('utf8', 0, end);
  const message = bytes.toString('utf8', end + 2);
  const newHead = head.replaceAll(
    /^(tree|parent) (\w+)$/gm,
    (_, name: string, id: string) => `${name} ${ids.get(id) ?? id}`,
  );
  const newMessage = redactor.matches(message) ? redactMessage(message, redactor) : message;
  return newHead === head && newMessage === message ? null : Buffer.from(`${newHead}\n\n${newMessage}`);
}

const trailerPattern = /^(Keepsake-\w+: )(.*)$/;

/** Trailers only name what the change itself contains. */
function describeMessage(message: string, describe: DescribeText): ForgetPassage[] {
  const lines = message.split('\n').filter((line) => !trailerPattern.test(line));
  return lines.flatMap(describe);
}

/** Keeps the trailers, by which a change is found again. */
function redactMessage(message: string, redactor: Redactor): string {
  const redacted = message
    .split('\n')
    .map((line) => {
      const [, trailer, value = ''] = trailerPattern.exec(line) ?? [];
      return trailer === undefined ? redactor.redactValue(line) : `${trailer}${redactor.redactValue(value)}`;
    })
    .join('\n');
  return redactor.matches(redacted) ? `${redactor.marker}\n` : redacted;
}

/** The paths and commits to which the words belong, as far as a ref reaches them. */
async function readLog(
  { git }: ObjectStore,
  redactor: Redactor,
  { blobs, messages }: Scan,
): Promise<{ versions: Map<string, Set<string>>; touched: Set<string> }> {
  const touched = new Set(messages);
  const versions = new Map<string, Set<string>>();
  const args = ['log', '--all', '--root', '--raw', '-z', '--no-abbrev', '--no-renames', '--format=%H'];
  const fields = (await git(args)).toString('utf8').split('\0');
  let commit = '';
  for (let at = 0; at < fields.length; at += 1) {
    const [, before = '', after] = /^\n?:\d+ \d+ ([\da-f]+) ([\da-f]+) /.exec(fields[at] ?? '') ?? [];
    if (after === undefined) {
      commit = fields[at]?.trim() || commit;
      continue;
    }
    at += 1;
    const path = fields[at] ?? '';
    const isNamed = redactor.matches(path);
    if (!isNamed && !blobs.has(before) && !blobs.has(after)) continue;
    touched.add(commit);
    const found = versions.get(path) ?? new Set();
    if (isNamed || blobs.has(after)) versions.set(path, found.add(after));
  }
  const known = new Set([...versions.values()].flatMap((found) => [...found]));
  const unknown = [...blobs].filter((id) => !known.has(id));
  if (messages.size > 0) versions.set('(messages)', messages);
  if (unknown.length > 0) versions.set('(other versions)', new Set(unknown));
  return { versions, touched };
}

async function moveRefs({ git }: ObjectStore, ids: ReadonlyMap<string, string>): Promise<void> {
  const refs = (await git(['for-each-ref', '--format=%(objectname) %(refname)'])).toString().split('\n');
  const updates = refs.flatMap((row) => {
    const [id = '', ref = ''] = row.split(' ');
    const moved = ids.get(id);
    return moved === undefined ? [] : [`update ${ref} ${moved} ${id}\n`];
  });
  if (updates.length > 0) await git(['update-ref', '--stdin'], [Buffer.from(updates.join(''))]);
}

/** Keeps the rewritten commits at the boundary of retention without parents; git drops the old ones from the list later. */
function moveBoundary(folder: string, ids: ReadonlyMap<string, string>): void {
  const boundary = readBoundary(folder);
  const moved = boundary.flatMap((commit) => ids.get(commit) ?? []);
  if (moved.length > 0) writeBoundary(folder, [...boundary, ...moved]);
}

/** Gives a ref to commits that the journal names and that no ref reaches. */
async function keepReachable({ git }: ObjectStore, keep: readonly string[]): Promise<void> {
  if (keep.length === 0) return;
  const reachable = new Set((await git(['rev-list', '--all'])).toString().split('\n'));
  const lost = keep.filter((id) => !reachable.has(id));
  if (lost.length === 0) return;
  const input = Buffer.from(lost.map((id) => `${id}\n`).join(''));
  const types = (await git(['cat-file', '--batch-check=%(objecttype) %(objectname)'], [input])).toString();
  const updates = [...types.matchAll(/^commit (\w+)$/gm)].map(
    ([, id = '']) => `create refs/keepsake/kept/${id} ${id}\n`,
  );
  if (updates.length > 0) await git(['update-ref', '--stdin'], [Buffer.from(updates.join(''))]);
}
