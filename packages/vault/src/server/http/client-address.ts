import { isLoopback } from '../auth/host-allowlist.ts';

/** In the form of `normalizeAddress`: private, shared and link-local IPv4 networks, then unique local and link-local IPv6. */
const privateNetworks =
  /^(?:10|192\.168|169\.254|172\.(?:1[6-9]|2\d|3[01])|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\.|^f(?:[cd][0-9a-f]|e[89ab])[0-9a-f]:/;

/** A Node request. */
type Received = {
  socket: { remoteAddress?: string | undefined };
  headers: Readonly<Record<string, string | string[] | undefined>>;
};

/**
 * Returns the address by which callers without credentials are counted: an IPv4 address, or an IPv6 network of 64 bits,
 * because one subscriber has at least that many addresses. A reverse proxy connects from this machine, or, if the server
 * has a public URL, from its private network; then the last entry of `X-Forwarded-For` counts. Earlier entries, and the
 * header of any other caller, are whatever the caller chose.
 */
export function readClientAddress(
  incoming: Received | undefined,
  { hasPublicUrl }: { hasPublicUrl: boolean },
): string {
  const peer = normalizeAddress(incoming?.socket.remoteAddress ?? '');
  if (peer === null) return 'unknown';
  const isProxy = isLoopback(peer) || (hasPublicUrl && privateNetworks.test(peer));
  const named = isProxy ? String(incoming?.headers['x-forwarded-for'] ?? '').split(',') : [];
  return toNetwork(normalizeAddress(named.at(-1) ?? '') ?? peer);
}

/** Removes port, zone, prefix length and the IPv6 form of an IPv4 address; null if it is no address. */
function normalizeAddress(text: string): string | null {
  const address = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
    .replace(/(?:%.*|\/64)$/, '')
    .replace(/^::ffff:(?=\d+\.)/i, '');
  if (isIPv4(address)) return address;
  return URL.parse(`http://[${address}]`)?.hostname.slice(1, -1) ?? null;
}

function isIPv4(address: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(address) && address.split('.').every((part) => Number(part) < 256);
}

/** `address` is normalized. */
function toNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const [before = [], after = []] = address.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return `${[...before, ...zeros, ...after].slice(0, 4).join(':')}::/64`;
}
