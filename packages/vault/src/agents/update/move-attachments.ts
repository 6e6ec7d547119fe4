import { parseLinks } from '../../contract/index.ts';
import { createLinkResolverFor } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  toRelativePath,
  extractLinkKeys,
  readOriginal,
  parentPath,
  parseVaultPath,
  rootPath,
} from '../../vault/index.ts';
import type { Layout, VaultPath } from '../../vault/index.ts';
import { readBytes, moveInto } from './staged-files.ts';

/**
 * Moves the files that moved notes link to and that are still in their old folders: originals, images, the notes of
 * attachments, and the files that those link to in turn.
 */
export async function moveAttachments(run: WriteRun, notes: readonly VaultPath[]): Promise<void> {
  const waiting = [...notes];
  const done = new Set<VaultPath>();
  const layout = run.view.layout();
  for (const from of waiting) {
    const to = run.transaction.movedTo(from);
    const bytes = to === undefined || done.has(from) ? null : await readBytes(run, to);
    if (to === undefined || bytes === null) continue;
    done.add(from);
    for (const companion of await findAttachments(run, to, bytes, parentPath(from)))
      if ((await moveInto(run, attachmentFolder(to, layout), companion)) !== null) waiting.push(companion);
  }
}

/** The files in the old folder that a note refers to. */
async function findAttachments(
  run: WriteRun,
  note: VaultPath,
  bytes: Buffer,
  folder: VaultPath,
): Promise<Set<VaultPath>> {
  const text = bytes.toString();
  const original = readOriginal(text);
  const links = [
    ...parseLinks(text),
    ...(original === null ? [] : [{ kind: 'path' as const, target: original }]),
  ];
  const targets = await createLinkResolverFor(run, extractLinkKeys(bytes));
  const aims = links.flatMap((link) => {
    const aim = targets.resolve(link, toRelativePath(note));
    const parsed = aim === null ? null : parseVaultPath(`${rootPath}/${aim}`);
    return parsed?.ok === true && parentPath(parsed.path) === folder ? [parsed.path] : [];
  });
  return new Set(aims.filter((path) => path !== note));
}

/** Next to the note if documents are allowed there, otherwise the bucket of its project or of the vault. */
function attachmentFolder(note: VaultPath, { allowsDocument, bucketFor }: Layout): VaultPath {
  return allowsDocument(note) ? parentPath(note) : bucketFor(note);
}
