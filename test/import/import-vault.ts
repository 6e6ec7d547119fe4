import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Keepsake } from '../../packages/vault/src/app/index.ts';
import { importSource } from '../../packages/vault/src/import/index.ts';
import type { ImportReport } from '../../packages/vault/src/import/index.ts';
import { layOut, temporaryFolder, temporaryVault } from '../temporary-vault.ts';
import type { Files, TestVault } from '../temporary-vault.ts';

export type ImportVault = TestVault & {
  source: string;
  run: (options?: Partial<Parameters<typeof importSource>[1]>) => Promise<ImportReport>;
  /** Reads a file of the vault. */
  read: (path: string) => string;
};

/** A vault and a folder to import into it. */
export async function importVault(
  source: Files,
  vault: Files = { 'overview.md': '# Me\n' },
): Promise<ImportVault> {
  const parent = temporaryFolder();
  const folder = join(parent, 'notes');
  mkdirSync(folder);
  layOut(folder, source);
  const opened = await temporaryVault(vault);
  return {
    ...opened,
    source: folder,
    run: (options = {}) => importSource(opened.keepsake, { source: folder, ...options }),
    read: (path) => readFileSync(join(opened.folder, path), 'utf8'),
  };
}

export async function undo(keepsake: Keepsake, id: string | null): Promise<string> {
  return (await keepsake.changes.undo(id ?? '')).kind;
}

/** A PNG image of one pixel. */
export const picture = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
