/** Names under which this server may be spoken to. Everything else may be a page of somebody else (DNS rebinding). */
export type Addresses = {
  isHost(host: string | null): boolean;
  /** Of a page: scheme, name and port. */
  isOrigin(origin: string): boolean;
};

type Options = {
  /** What it is bound to. */
  host: string;
  port: number;
  /** Further names, as `notes.example.org` or `notes.example.org:8443`. */
  allowedHosts?: readonly string[] | undefined;
};

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];
/** Bound to, they mean every address; spoken to, they mean nothing that is ours. */
const anyAddress = new Set(['0.0.0.0', '::', '']);

export function createAddresses({ host, port, allowedHosts = [] }: Options): Addresses {
  const own = anyAddress.has(host) ? loopbackNames : [...loopbackNames, inUrl(host)];
  const hosts = new Set(
    [
      ...own.flatMap((name) => withPort(name, port)),
      ...allowedHosts.flatMap((name) => (/:\d+$/.test(name) ? [name] : [name, `${name}:${port}`])),
    ].map((name) => name.toLowerCase()),
  );
  const named = allowedHosts.map((name) => name.toLowerCase());
  const origins = new Set([
    ...[...hosts].map((name) => `http://${name}`),
    // Only in front of a name that was given can there be a proxy that speaks TLS.
    ...[...hosts]
      .filter((name) => named.some((each) => name === each || name.startsWith(`${each}:`)))
      .map((name) => `https://${name}`),
  ]);
  return {
    isHost: (name) => name !== null && hosts.has(name.toLowerCase()),
    isOrigin: (origin) => origins.has(origin.toLowerCase()),
  };
}

/** Whether only this machine can reach what is bound to it. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

/** The address under which this machine reaches what is bound to `host`. */
export function urlOf(host: string, port: number): string {
  const name = anyAddress.has(host) ? '127.0.0.1' : inUrl(host);
  return `http://${name}:${port}`;
}

function inUrl(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

function withPort(name: string, port: number): string[] {
  return port === 80 ? [name, `${name}:80`] : [`${name}:${port}`];
}
