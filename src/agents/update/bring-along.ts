import { relative } from 'node:path/posix';
import type { WriteRun } from '../../tools/index.ts';
import {
  bucketFor,
  findFrontmatter,
  linksIn,
  mayHoldDocument,
  nameOf,
  parentPath,
  parseVaultPath,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { originalOf } from './incoming.ts';
import { bytesAt, placeIn } from './place.ts';

/**
 * A note that was moved brings along what it links to in the folder where it lay and what was left there: its
 * original, its pictures, the notes of what was attached to it, and what those bring along.
 */
export async function bringAlong(run: WriteRun, notes: readonly VaultPath[]): Promise<void> {
  const waiting = [...notes];
  for (const from of waiting) {
    const to = run.transaction.movedTo(from);
    const bytes = to === undefined ? null : await bytesAt(run, to);
    if (to === undefined || bytes === null) continue;
    const before = bytes.toString();
    let text = before;
    for (const companion of companionsOf(before, from)) {
      const placed = await placeIn(run, homeOf(to), companion);
      if (placed === null) continue;
      text = relink(text, nameOf(companion), relative(parentPath(to), placed));
      waiting.push(companion);
    }
    if (text === before) continue;
    const staged = run.transaction.put(to, bytes, Buffer.from(text));
    if (!staged.ok) throw new Error(`${to}: ${staged.reason}`);
  }
}

/** What a note names in its own folder. */
function companionsOf(text: string, path: VaultPath): Set<VaultPath> {
  const folder = parentPath(path);
  const original = originalOf(text);
  const linked = linksIn(text, path).flatMap(({ target }) => (typeof target === 'string' ? [target] : []));
  const named = original === null ? null : parseVaultPath(`${folder}/${original}`);
  const all = named?.ok === true ? [named.path, ...linked] : linked;
  return new Set(all.filter((each) => parentPath(each) === folder && each !== path));
}

/** Beside its note if a document may lie there, else in the bucket of its project, or that of the vault. */
function homeOf(note: VaultPath): VaultPath {
  return mayHoldDocument(note) ? parentPath(note) : bucketFor(note);
}

/** The same text with links to a file that lies elsewhere now. */
function relink(text: string, from: string, to: string): string {
  if (from === to) return text;
  const bodyStart = findFrontmatter(text)?.bodyStart ?? 0;
  const link = `](${encodeURI(to)})`;
  const frontmatter = text
    .slice(0, bodyStart)
    .replace(/^original: .*$/m, (line) =>
      originalOf(text) === from ? `original: ${JSON.stringify(to)}` : line,
    );
  return (
    frontmatter +
    text
      .slice(bodyStart)
      .replaceAll(`](${from})`, link)
      .replaceAll(`](${encodeURI(from)})`, link)
  );
}
