import type { VaultPath } from '../vault/index.ts';
import { readBoundary } from './cut-history.ts';
import { blobSizes, forEachBlob, vaultPathOf } from './git-objects.ts';
import { listTree } from './history-contents.ts';
import { branch } from './history-refs.ts';
import type { HistoryRefs } from './history-refs.ts';
import type { RunGit } from './run-git.ts';

/** A file at a time in the past; `modified` is the time of its last change until then. */
type PastFile = { path: VaultPath; bytes: Buffer; modified: number };

type PastFilesResult =
  | { kind: 'read' }
  /** Nothing was recorded yet, or git is not installed. */
  | { kind: 'no-history' }
  /** History begins at `first`; `isCut` says that retention has deleted what was before. */
  | { kind: 'too-early'; first: number; isCut: boolean };

export type PastFiles = {
  /** Calls `onFile` with every file of the vault as it was at a time, in milliseconds, in any order. */
  readPastFiles(until: number, onFile: (file: PastFile) => void): Promise<PastFilesResult>;
};

export function createPastFiles(folder: string, git: RunGit, refs: HistoryRefs): PastFiles {
  return {
    async readPastFiles(until, onFile) {
      if (!(await refs.hasCommits())) return { kind: 'no-history' };
      const commit = await findLastCommit(git, [`--min-age=${Math.floor(until / 1000)}`]);
      if (commit === null) {
        const first = await findLastCommit(git, ['--max-parents=0']);
        return { kind: 'too-early', first: first?.at ?? 0, isCut: readBoundary(folder).length > 0 };
      }
      const times = await readModificationTimes(git, commit.hash);
      const files = await listTree(git, [], commit.hash);
      const byBlob = Map.groupBy(files.keys(), (path) => files.get(path) ?? '');
      const ids = [...byBlob.keys()];
      const sizes = ids.length === 0 ? [] : await blobSizes(git, ids);
      await forEachBlob(git, ids, sizes, (id, bytes) => {
        for (const path of byBlob.get(id) ?? [])
          onFile({ path, bytes, modified: times.get(path) ?? commit.at });
      });
      return { kind: 'read' };
    },
  };
}

async function findLastCommit(git: RunGit, args: string[]): Promise<{ hash: string; at: number } | null> {
  const line = (await git(['log', '--max-count=1', '--format=%H %ct', ...args, branch])).toString().trim();
  const [hash = '', seconds] = line.split(' ');
  return hash === '' ? null : { hash, at: Number(seconds) * 1000 };
}

/** When each file was last changed before or in a commit, in milliseconds. */
async function readModificationTimes(git: RunGit, commit: string): Promise<Map<VaultPath, number>> {
  const log = await git(['log', '-z', '--format=%ct', '--raw', '--no-renames', commit]);
  const fields = log.toString('utf8').split('\0');
  const times = new Map<VaultPath, number>();
  let at = 0;
  for (let index = 0; index < fields.length; index += 1) {
    const field = fields[index] ?? '';
    if (!/^\n?:/.test(field)) at = Number(field) * 1000;
    else {
      index += 1;
      const path = vaultPathOf(fields[index] ?? '');
      if (!times.has(path)) times.set(path, at);
    }
  }
  return times;
}
