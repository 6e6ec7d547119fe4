/** The hosts and origins that requests may name. All others are rejected, to prevent DNS rebinding. */
export type HostAllowlist = {
  isAllowedHost(host: string | null): boolean;
  /** `origin` has scheme, host and port. */
  isAllowedOrigin(origin: string): boolean;
};

type Options = {
  /** The bind address. */
  host: string;
  port: number;
  /** Additional hosts, for example `notes.example.org` or `notes.example.org:8443`. */
  allowedHosts?: readonly string[] | undefined;
};

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
/** Valid as a bind address, where they mean every interface, but never as the Host of a request. */
const wildcardAddresses = new Set(['0.0.0.0', '::', '']);

export function createHostAllowlist({ host, port, allowedHosts = [] }: Options): HostAllowlist {
  const own = wildcardAddresses.has(host) ? loopbackNames : [...loopbackNames, formatHost(host)];
  const hosts = new Set(
    [
      ...own.flatMap((name) => withPortVariants(name, port)),
      ...allowedHosts.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`])),
    ].map((name) => name.toLowerCase()),
  );
  const named = allowedHosts.map((name) => name.toLowerCase());
  const origins = new Set([
    ...[...hosts].map((name) => `http://${name}`),
    // A proxy that terminates TLS can only be in front of an explicitly allowed host.
    ...[...hosts]
      .filter((name) => named.some((each) => name === each || name.startsWith(`${each}:`)))
      .map((name) => `https://${name}`),
  ]);
  return {
    isAllowedHost: (name) => name !== null && hosts.has(name.toLowerCase()),
    isAllowedOrigin: (origin) => origins.has(origin.toLowerCase()),
  };
}

/** Whether a server bound to this address is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** The URL under which this machine reaches a server that is bound to `host`. */
export function formatLocalUrl(host: string, port: number): string {
  const name = wildcardAddresses.has(host) ? '127.0.0.1' : formatHost(host);
  return `http://${name}:${port}`;
}

function formatHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function withPortVariants(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}
