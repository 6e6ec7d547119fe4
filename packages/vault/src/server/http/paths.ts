import { parseVaultPath, formatPath } from '../../vault/index.ts';
import type { FileRead, VaultPath } from '../../vault/index.ts';
import { Problem } from './problem.ts';

/** Parses a vault path from a request. Throws a problem if it is invalid. */
export function parsePath(text: string): VaultPath {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) throw new Problem('refused', { detail: parsed.reason });
  return parsed.path;
}

/** The path in `/api/vaults/{vault}/files/{path}`; `%2F` is a slash like any other. */
export function parseFilePathParam(address: string): VaultPath {
  return parsePath(decoded(address.split('/').slice(5).join('/')));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new Problem('bad-request', { detail: 'the path is not percent-encoded UTF-8', cause });
  }
}

/** The problem for a path without a readable file. */
export function fileNotFound(path: VaultPath, read: Exclude<FileRead, { kind: 'file' }>): Problem {
  switch (read.kind) {
    case 'missing':
      return new Problem('no-such-file', {
        detail: `${formatPath(path)}: file not found`,
        hint: read.suggestion === null ? undefined : `did you mean ${formatPath(read.suggestion)}?`,
      });
    case 'folder':
      return new Problem('no-such-file', {
        detail: `${formatPath(path)} is a folder`,
        hint: 'to list it, use GET …/tree?path=; to move it, POST …/files/move; to delete it, If-Match: *',
      });
    case 'refused':
      return new Problem('refused', { detail: `${formatPath(path)}: ${read.reason}` });
  }
}
