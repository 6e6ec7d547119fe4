/** Which vault an address is of, and what it is called there; well-known addresses have the path behind them (RFC 8414, 9728). */
export function placeIn(url: string): { vault: string | null; url: string } {
  const [, known = '', vault, rest = ''] =
    /^(\/\.well-known\/[\w-]+)?\/v\/([\w-]+)(?![^/?])(.*)$/.exec(url) ?? [];
  if (vault === undefined) return { vault: null, url };
  return { vault, url: known === '' && !rest.startsWith('/') ? `/${rest}` : `${known}${rest}` };
}
