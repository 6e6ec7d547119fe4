import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printSkip } from './missing.ts';

/**
 * Third-party question sets, such as `piaf` and `locomo`, are not in the repository. KEEPSAKE_RETRIEVAL_DATA names a folder with one
 * folder per set: `queries.jsonl` and `vault/`. Without it, prints why the test is skipped.
 */
export function findRetrievalData(set: string): { folder: string } | { missing: string } {
  const root = process.env['KEEPSAKE_RETRIEVAL_DATA'] ?? '';
  const folder = join(root, set);
  if (root !== '' && existsSync(folder)) return { folder };
  return {
    missing: printSkip(root === '' ? 'KEEPSAKE_RETRIEVAL_DATA is not set' : `${folder} does not exist`),
  };
}
