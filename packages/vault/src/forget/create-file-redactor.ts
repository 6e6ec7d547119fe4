import type { VaultPath } from '../vault/index.ts';
import { createRedactor } from './redactor.ts';
import { requireRules } from './rules.ts';
import { redactFile } from './vault-files.ts';

type File = { path: VaultPath; bytes: Buffer };

/** Returns a function that changes a file as forgetting does; it returns null for a file of which nothing is left. */
export function createFileRedactor(rules: unknown): (file: File) => File | null {
  const redactor = createRedactor(requireRules(rules));
  return ({ path, bytes }) => {
    const redacted = redactFile(path, bytes, redactor);
    return redacted === null ? null : { path: redactor.redactPath(path) as VaultPath, bytes: redacted };
  };
}
