import { parseVaultPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';

const scheme = 'vault://';

/** `vault://projects/x/state.md` for `vault/projects/x/state.md`. */
export function resourceUri(path: VaultPath): string {
  return scheme + path.split('/').slice(1).map(encodeURIComponent).join('/');
}

/** The path that a URI names, or why it names none. */
export function pathFromUri(uri: URL): ReturnType<typeof parseVaultPath> {
  if (uri.search !== '' || uri.hash !== '')
    return { ok: false, reason: 'a resource has no query and no fragment; write ? as %3F and # as %23' };
  const decoded = decode(uri.href.slice(scheme.length));
  if (decoded === null) return { ok: false, reason: 'it is not encoded as a URI; write % as %25' };
  // The vault is named by the scheme: what follows may be a folder that is called vault itself.
  return parseVaultPath(decoded.startsWith('vault') ? `vault/${decoded}` : decoded);
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
