import type { StreamGit } from '../changes/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { parseName } from './syncable-files.ts';

/** A remote can name more files in its commits than are worth reading; the newest ones come first. */
const maxLogBytes = 128_000_000;
const maxFieldBytes = 65_536;

/** Reads which versions, as blob ids, these files have had at their paths up to a commit. */
export async function readPastVersions(
  streamGit: StreamGit,
  newest: string,
  paths: ReadonlySet<VaultPath>,
): Promise<Map<VaultPath, Set<string>>> {
  const found = new Map<VaultPath, Set<string>>();
  let size = 0;
  let rest = Buffer.alloc(0);
  let id: string | null = null;
  const addField = (field: string): void => {
    if (id === null) {
      id = /^:\d+ \d+ [\da-f]+ ([\da-f]+) /.exec(field)?.[1] ?? null;
      return;
    }
    const path = parseName(field);
    if (typeof path === 'string' && paths.has(path)) found.set(path, (found.get(path) ?? new Set()).add(id));
    id = null;
  };
  await streamGit(
    ['log', '-m', '--format=', '--raw', '-z', '--no-abbrev', '--no-renames', newest],
    (piece) => {
      size += piece.length;
      if (size > maxLogBytes || rest.length > maxFieldBytes) return;
      let start = 0;
      const all = Buffer.concat([rest, piece]);
      for (let end = all.indexOf(0); end >= 0; end = all.indexOf(0, start)) {
        addField(all.toString('utf8', start, end));
        start = end + 1;
      }
      rest = all.subarray(start);
    },
  );
  return found;
}
