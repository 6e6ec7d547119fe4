import { belowRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Git } from './run-git.ts';

/** One commit to be: what each file becomes, null when it goes, when and why. */
export type HistoryCommit = {
  at: number;
  message: string;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

/** What the first of the commits comes after, null for nothing; and who makes them. */
type Import = { branch: string; from: string | null; name?: string };

/** Adds commits to a branch, in order; gives their hashes. */
export async function importCommits(
  git: Git,
  commits: readonly HistoryCommit[],
  to: Import,
  options: readonly string[] = [],
): Promise<string[]> {
  const asked = ['fast-import', '--quiet', '--date-format=raw', ...options];
  const hashes = await git(asked, importStream(commits, to));
  return hashes.toString().split('\n').slice(0, commits.length);
}

/** What goes makes room for what comes: a folder may have the name of a file that is gone. */
export function deletionsFirst(files: HistoryCommit['files']): HistoryCommit['files'] {
  return files.toSorted((a, b) => Number(a.after !== null) - Number(b.after !== null));
}

/** In parts: together they may be too much to hold twice. */
function importStream(
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
      if (after === null) line(`D ${quote(belowRoot(path))}`);
      else {
        line(`M 100644 inline ${quote(belowRoot(path))}`);
        data(after);
      }
    }
    // Answered with its hash.
    line(`get-mark :${index + 1}`);
  }
  line('done');
  return parts;
}

/** Quoted as git reads it, so that any name can be one. */
function quote(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
