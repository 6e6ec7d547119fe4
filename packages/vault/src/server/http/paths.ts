import { parseVaultPath, showPath } from '../../vault/index.ts';
import type { FileRead, VaultPath } from '../../vault/index.ts';
import { Problem } from './problem.ts';

/** A path that a request names. */
export function pathFrom(text: string): VaultPath {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) throw new Problem('refused', { detail: parsed.reason });
  return parsed.path;
}

/** The path in `/api/vaults/{vault}/files/{path}`; `%2F` is a slash like any other. */
export function pathInAddress(address: string): VaultPath {
  return pathFrom(decoded(address.split('/').slice(5).join('/')));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Problem('bad-request', { detail: 'the path is not percent-encoded UTF-8', cause });
  }
}

/** Why there is no file to work with. */
export function noFile(path: VaultPath, read: Exclude<FileRead, { kind: 'file' }>): Problem {
  switch (read.kind) {
    case 'missing':
      return new Problem('no-such-file', {
        detail: `${showPath(path)}: no such file`,
        next: read.closest === null ? undefined : `closest: ${showPath(read.closest)}`,
      });
    case 'folder':
      return new Problem('no-such-file', {
        detail: `${showPath(path)} is a folder`,
        next: 'see GET …/tree?path=; a folder is moved with POST …/files/move, and deleted with If-Match: *',
      });
    case 'refused':
      return new Problem('refused', { detail: `${showPath(path)}: ${read.reason}` });
  }
}
