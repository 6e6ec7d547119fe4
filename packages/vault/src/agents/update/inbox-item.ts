import type { WriteRun } from '../../tools/index.ts';
import { findFolder, walkFilePaths } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

/** The folder of an open inbox item; undefined if there is no item of that name. */
export async function findInboxItem({ view }: WriteRun, name: string): Promise<VaultPath | undefined> {
  const { inboxPath, listOpenItems } = view.layout();
  const item = listOpenItems(await view.contents(inboxPath)).find(([each]) => each === name.normalize('NFC'));
  return item?.[1].path;
}

export async function listItemFiles({ view }: WriteRun, item: VaultPath): Promise<VaultPath[]> {
  const contents = findFolder(await view.contents(item), item);
  return contents === undefined ? [] : [...walkFilePaths(contents)];
}
