/**
 * Splits a URL into the vault and the path within it. In a well-known URL, the vault follows the well-known prefix (RFC
 * 8414, RFC 9728).
 */
export function parseVaultUrl(url: string): { vault: string | null; url: string } {
  const [, known = '', vault, rest = ''] =
    /^(\/\.well-known\/[\w-]+)?\/v\/([\w-]+)(?![^/?])(.*)$/.exec(url) ?? [];
  if (vault === undefined) return { vault: null, url };
  return { vault, url: known === '' && !rest.startsWith('/') ? `/${rest}` : `${known}${rest}` };
}
