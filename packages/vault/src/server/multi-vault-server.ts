import type { Duplex } from 'node:stream';
import { readPackageVersion } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { createAuth } from './auth/auth.ts';
import { formatLocalUrl } from './auth/host-allowlist.ts';
import { generateSecret } from './auth/secrets.ts';
import { createIdlePool } from './idle-pool.ts';
import type { IdlePool } from './idle-pool.ts';
import { startVaultHost } from './vault-host.ts';
import type { VaultHost, VaultHostOptions } from './vault-host.ts';
import { createVaultIndexApp } from './http/vault-index-app.ts';
import { Problem } from './http/problem.ts';
import { listen } from './listen.ts';
import type { RequestHandler, NodeBindings } from './listen.ts';
import { parseVaultUrl } from './parse-vault-url.ts';
import { rejectUpgrade } from './mcp-upgrade.ts';
import { openVaultDirectory } from './vault-directory.ts';
import type { VaultDirectory } from './vault-directory.ts';
import { resolveAssetsFolder } from './web/assets-folder.ts';
import { createVaultIndexAssets } from './web/serve-assets.ts';

export type MultiVaultOptions = Pick<
  VaultHostOptions,
  'environment' | 'publicUrl' | 'isReadOnly' | 'allowedHosts' | 'web' | 'log'
> & {
  /** The folder that contains the vaults. */
  folder: string;
  host?: string | undefined;
  port?: number | undefined;
  /** Milliseconds after which an unused vault is suspended. */
  idleTimeoutMs?: number;
};

export type MultiVaultServer = {
  url: string;
  /** URL names of all vaults. */
  names(): string[];
  /** URL names of the open vaults. */
  activeVaults(): string[];
  /** Returns a one-time link that opens the list of vaults in a browser. */
  createLoginLink(): string;
  close(): Promise<void>;
};

const idleCheckIntervalMs = 1_000;

/** Serves every vault of a folder on one port, each below `/v/<name>/`. A vault is opened on its first request. */
export async function startMultiVaultServer(options: MultiVaultOptions): Promise<MultiVaultServer> {
  const { folder, log, publicUrl, host = '127.0.0.1', idleTimeoutMs = 600_000 } = options;
  const directory = openVaultDirectory(folder);
  const requestedVaults = new WeakMap<NodeBindings['incoming'], string>();
  let handleIndexRequest: RequestHandler = () => new Response(null, { status: 503 });
  const listening = await listen({
    host,
    port: options.port ?? 0,
    log,
    onRequest(incoming) {
      const { vault, url } = parseVaultUrl(incoming.url ?? '/');
      if (vault !== null) requestedVaults.set(incoming, vault);
      incoming.url = url;
    },
    handle(request, connection) {
      const vault = requestedVaults.get(connection.incoming);
      return vault === undefined
        ? handleIndexRequest(request, connection)
        : handleVaultRequest(vault, request, connection);
    },
    onUpgrade(request, socket) {
      const { vault, url: asked } = parseVaultUrl(request.url ?? '/');
      // A client learns the secret only from an open vault, so a suspended vault is not opened for an upgrade.
      if (vault === null || !pool.names().includes(vault)) return rejectUpgrade(socket);
      acquireHost(vault, toPendingResponse(socket)).then(
        ({ handler }) => handler?.onUpgrade({ ...request, headers: request.headers, url: asked }, socket),
        () => socket.destroy(),
      );
    },
  });
  const { port } = listening;
  const url = formatLocalUrl(host, port);

  const pool = createVaultPool(options, { directory, host, port, idleTimeoutMs });
  const acquireHost = async (
    vault: string,
    outgoing: Parameters<typeof pool.acquire>[1],
  ): Promise<VaultHost> => {
    const found = await pool.acquire(vault, outgoing);
    return 'here' in found ? found.here : found.elsewhere;
  };
  /** Checks the origin first, so that pages of other sites cannot open vaults. */
  const resolveHandler = async (
    vault: string,
    { incoming, outgoing }: NodeBindings,
  ): Promise<RequestHandler | Problem> => {
    const refusal = auth.checkOrigin(new Headers(incoming.headers as Record<string, string>));
    if (refusal !== null) return new Problem(refusal);
    try {
      return (await acquireHost(vault, outgoing)).handler?.handle ?? new Problem('unavailable');
    } catch (error) {
      if (error instanceof Problem) return error;
      log({ level: 'error', vault, message: describeError(error) });
      return new Problem('unavailable', {
        detail: 'the vault could not be opened',
        hint: 'see the server log',
      });
    }
  };
  const handleVaultRequest = async (
    vault: string,
    request: Request,
    connection: NodeBindings,
  ): Promise<Response> => {
    const found = await resolveHandler(vault, connection);
    return found instanceof Problem
      ? app.fetch(request, { ...connection, rejection: found })
      : found(request, connection);
  };

  const { auth, app } = createVaultIndex(options, {
    host,
    port,
    names: () => directory.names(),
    async createVaultLink(name, outgoing) {
      return (await acquireHost(name, outgoing)).createLoginLink();
    },
  });
  handleIndexRequest = (request, connection) => app.fetch(request, connection);
  const idleTimer = setInterval(
    () => void pool.evictIdle(),
    Math.min(idleCheckIntervalMs, idleTimeoutMs + 1),
  );
  return {
    url,
    names: () => directory.names(),
    activeVaults: () => pool.names(),
    createLoginLink: () => `${publicUrl ?? url}/open?code=${auth.createLoginCode()}`,
    async close() {
      clearInterval(idleTimer);
      await pool.drainAll();
      await listening.close();
    },
  };
}

type PoolOptions = { directory: VaultDirectory; host: string; port: number; idleTimeoutMs: number };

/** The open vaults of the folder. A vault that another process serves cannot be opened. */
function createVaultPool(options: MultiVaultOptions, { directory, host, port, idleTimeoutMs }: PoolOptions) {
  const { log } = options;
  const pool: IdlePool<VaultHost, never> = createIdlePool<VaultHost>({
    async open(name) {
      const vault = directory.find(name);
      if (vault === undefined) throw new Problem('no-such-vault');
      const opened = await startVaultHost({
        ...options,
        vault,
        mount: { name, host, port },
        log: (entry) => log({ vault: name, ...entry }),
        onLeaseLost: () => pool.evict(name),
      });
      if (opened === null)
        throw new Problem('unavailable', { detail: `another process is serving the vault ${name}` });
      return { here: opened };
    },
    suspend: (opened) => opened.close(),
    close: (opened) => opened.close(),
    isBusy: (opened) => opened.isBusy(),
    idleTimeoutMs,
    onError: (error) => log({ level: 'error', message: describeError(error) }),
  });
  return pool;
}

/** An upgraded connection counts as a response whose headers are sent. */
function toPendingResponse(socket: Duplex): Parameters<IdlePool<VaultHost, never>['acquire']>[1] {
  return { destroyed: socket.destroyed, headersSent: true, once: (...on) => socket.once(...on) };
}

type VaultIndexOptions = Pick<Parameters<typeof createVaultIndexApp>[0], 'names' | 'createVaultLink'> & {
  host: string;
  port: number;
};

/** Creates the page that lists the vaults, and its authentication. */
function createVaultIndex(
  { allowedHosts = [], publicUrl, web, log }: MultiVaultOptions,
  parts: VaultIndexOptions,
) {
  const { host, port, names, createVaultLink } = parts;
  const clock = (): number => performance.now();
  const auth = createAuth({
    host,
    port,
    allowedHosts: [...allowedHosts, ...(publicUrl ? [new URL(publicUrl).host] : [])],
    cookieName: `keepsake-${port}-vaults`,
    secret: generateSecret(),
    tokens: () => ({ verify: () => null, verifyCalendar: () => null, find: () => null }),
    sessions: () => ({ add: () => undefined, list: () => [], removeAll: () => undefined }),
    clock,
  });
  const app = createVaultIndexApp({
    auth,
    clock,
    log,
    version: readPackageVersion(),
    web: createVaultIndexAssets(web ?? resolveAssetsFolder()),
    hasPublicUrl: publicUrl !== undefined,
    names,
    createVaultLink,
  });
  return { auth, app };
}
