import { linksIn } from '../../contract/index.ts';
import { linkTargets } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  belowRoot,
  linkNamesIn,
  originalOf,
  parentPath,
  parseVaultPath,
  rootPath,
} from '../../vault/index.ts';
import type { Layout, VaultPath } from '../../vault/index.ts';
import { bytesAt, placeIn } from './place.ts';

/**
 * A note that was moved brings along what it links to in the folder where it lay and what was left there: its
 * original, its pictures, the notes of what was attached to it, and what those bring along.
 */
export async function moveCompanions(run: WriteRun, notes: readonly VaultPath[]): Promise<void> {
  const waiting = [...notes];
  const done = new Set<VaultPath>();
  const layout = run.view.layout();
  for (const from of waiting) {
    const to = run.transaction.movedTo(from);
    const bytes = to === undefined || done.has(from) ? null : await bytesAt(run, to);
    if (to === undefined || bytes === null) continue;
    done.add(from);
    for (const companion of await companionsOf(run, to, bytes, parentPath(from)))
      if ((await placeIn(run, homeOf(to, layout), companion)) !== null) waiting.push(companion);
  }
}

/** What a note names in a folder: where it lay. */
async function companionsOf(
  run: WriteRun,
  note: VaultPath,
  bytes: Buffer,
  folder: VaultPath,
): Promise<Set<VaultPath>> {
  const text = bytes.toString();
  const original = originalOf(text);
  const links = [
    ...linksIn(text),
    ...(original === null ? [] : [{ kind: 'path' as const, target: original }]),
  ];
  const targets = await linkTargets(run, linkNamesIn(bytes));
  const aims = links.flatMap((link) => {
    const aim = targets.find(link, belowRoot(note));
    const parsed = aim === null ? null : parseVaultPath(`${rootPath}/${aim}`);
    return parsed?.ok === true && parentPath(parsed.path) === folder ? [parsed.path] : [];
  });
  return new Set(aims.filter((path) => path !== note));
}

/** Beside its note if a document may lie there, else in the bucket of its project, or that of the vault. */
function homeOf(note: VaultPath, { mayHoldDocument, bucketFor }: Layout): VaultPath {
  return mayHoldDocument(note) ? parentPath(note) : bucketFor(note);
}
