import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

const scheme = 'vault://';

/** `vault://projects/x/state.md` for `vault/projects/x/state.md`. */
export function formatResourceUri(path: VaultPath): string {
  return scheme + path.split('/').slice(1).map(encodeURIComponent).join('/');
}

/** Returns the vault path of a resource URI, or the reason why it is invalid. */
export function parseResourceUri(uri: URL): ReturnType<typeof parseVaultPath> {
  if (uri.search !== '' || uri.hash !== '')
    return { ok: false, reason: 'resource URIs have no query or fragment; encode ? as %3F and # as %23' };
  const decoded = decode(uri.href.slice(scheme.length));
  if (decoded === null) return { ok: false, reason: 'invalid percent-encoding; encode % as %25' };
  // The scheme stands for the vault root, so the path may start with a folder that is itself called vault.
  return parseVaultPath(decoded.startsWith('vault') ? `vault/${decoded}` : decoded);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
