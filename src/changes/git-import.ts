import { belowRoot } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';

/** One commit to be: what each file becomes, null when it goes, when and why. */
export type HistoryCommit = {
  at: number;
  message: string;
  files: readonly { path: VaultPath; after: Buffer | null }[];
};

/** In parts: together they may be too much to hold twice. `from` is what the first of them comes after, null for nothing. */
export function importStream(
  commits: readonly HistoryCommit[],
  { branch: ref, from, name = 'Keepsake' }: { branch: string; from: string | null; name?: string },
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
