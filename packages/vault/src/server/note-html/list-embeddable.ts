import type { VaultService } from '../../app/index.ts';
import { toRelativePath, walkFilePaths } from '../../vault/index.ts';

/** The files that a note may show or offer: all but notes. Paths are relative to the vault. */
export async function listEmbeddable({ contents }: Pick<VaultService, 'contents'>): Promise<string[]> {
  return [...walkFilePaths(await contents())]
    .map(toRelativePath)
    .filter((path) => !/\.(?:md|markdown)$/i.test(path));
}
