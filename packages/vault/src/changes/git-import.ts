import { toRelativePath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { RunGit } from './run-git.ts';

/** A commit to add: its time, its message, and the new content of each file, null for a deleted one. */
export type HistoryCommit = {
  at: number;
  message: string;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

/** The branch, the parent of the first commit (null for none), and the name of the committer. */
type Import = { branch: string; from: string | null; name?: string };

/** Adds commits to a branch, in order; returns their hashes. */
export async function importCommits(
  git: RunGit,
  commits: readonly HistoryCommit[],
  to: Import,
  options: readonly string[] = [],
): Promise<string[]> {
  const args = ['fast-import', '--quiet', '--date-format=raw', ...options];
  const hashes = await git(args, buildFastImportStream(commits, to));
  return hashes.toString().split('\n').slice(0, commits.length);
}

/** Puts deletions first: a new folder may have the name of a deleted file. */
export function sortDeletionsFirst(files: HistoryCommit['files']): HistoryCommit['files'] {
  return files.toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null));
}

/** Returns separate buffers, because joining them could take too much memory. */
function buildFastImportStream(
  commits: readonly HistoryCommit[],
  { branch: ref, from, name = 'Keepsake' }: Import,
): Buffer[] {
  const parts: Buffer[] = [];
  const line = (text: string): void => void parts.push(Buffer.from(`${text}\n`));
  const data = (bytes: Buffer): void => {
    line(`data ${bytes.length}`);
    parts.push(bytes);
    line('');
  };
  for (const [index, { at, message, files }] of commits.entries()) {
    line(`commit ${ref}`);
    line(`mark :${index + 1}`);
    line(`committer ${name} <keepsake@localhost> ${Math.floor(at / 1000)} +0000`);
    data(Buffer.from(message));
    if (from !== null && index === 0) line(`from ${from}`);
    for (const { path, after } of files) {
      if (after === null) line(`D ${quote(toRelativePath(path))}`);
      else {
        line(`M 100644 inline ${quote(toRelativePath(path))}`);
        data(after);
      }
    }
    // Git answers with the hash of the commit.
    line(`get-mark :${index + 1}`);
  }
  line('done');
  return parts;
}

/** Quotes a path as git expects, so that any file name works. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
