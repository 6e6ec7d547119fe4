import { readPackageVersion } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import type { Clock } from '../contract/index.ts';
import { createAnswers } from './answers/answers.ts';
import { isLoopback, formatLocalUrl } from './auth/host-allowlist.ts';
import { createAuth } from './auth/auth.ts';
import { ServerError } from './server-error.ts';
import { openSessionStore } from './auth/session-store.ts';
import { openMembers } from './auth/members.ts';
import { openTokens } from './auth/tokens.ts';
import { createHttpApp } from './http/app.ts';
import type { HttpAppOptions } from './http/http-options.ts';
import { listen } from './listen.ts';
import type { RequestHandler } from './listen.ts';
import { rejectUpgrade, createUpgradeHandler } from './mcp-upgrade.ts';
import type { ServeMcpClient, UpgradeHandler } from './mcp-upgrade.ts';

type VaultHandlerOptions = Pick<
  HttpAppOptions,
  | 'mcp'
  | 'log'
  | 'limits'
  | 'model'
  | 'web'
  | 'environment'
  | 'state'
  | 'oauth'
  | 'signIn'
  | 'isManaged'
  | 'isServing'
> & {
  keepsake: Keepsake;
  /** The name of the vault in URLs. */
  vaultName: string;
  host: string;
  port: number;
  /** Path prefix of the vault on a shared port: `/v/<name>`. */
  prefix?: string | undefined;
  /** Name of the session cookie. Default: derived from the port. */
  cookieName?: string | undefined;
  /** The secret with which other processes of the same user authenticate. */
  secret: string;
  /** Serves MCP to a local client on an upgraded connection. */
  serveClient?: ServeMcpClient | undefined;
  /** Awaited before every response. */
  flushReplication?: (() => Promise<void>) | undefined;
  /** Additional host names of this server, for example behind a proxy. */
  allowedHosts?: readonly string[] | undefined;
  /** Monotonic clock for sessions and rate limits. */
  clock?: Clock | undefined;
};

export type ServerOptions = Omit<VaultHandlerOptions, 'host' | 'prefix'> & {
  host?: string | undefined;
};

/** Handles the HTTP requests of one vault, on a port that it may share with others. */
export type VaultHandler = {
  /** The URL under which this machine reaches the vault. */
  url: string;
  handle: RequestHandler;
  onUpgrade: UpgradeHandler;
  /** Returns a one-time link that opens a browser session; it expires after five minutes. */
  createLoginLink(): string;
  /** Whether answers are running in the background. */
  isBusy(): boolean;
  /** Closes all streams. */
  close(): Promise<void>;
};

export type RunningServer = Omit<VaultHandler, 'handle' | 'onUpgrade'>;

/** Serves one vault on its own port. Throws `ServerError` if no token is configured or the port cannot be used. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { keepsake, host = '127.0.0.1', oauth, log } = options;
  assertTokenConfigured({ keepsake, host, oauth });
  let handler: VaultHandler | null = null;
  const listening = await listen({
    host,
    port: options.port,
    log,
    handle: (request, connection) =>
      handler === null ? new Response(null, { status: 503 }) : handler.handle(request, connection),
    onUpgrade: (request, socket) =>
      handler === null ? rejectUpgrade(socket) : handler.onUpgrade(request, socket),
  });
  const opened = createVaultHandler({ ...options, host, port: listening.port });
  handler = opened;
  return {
    ...opened,
    async close() {
      await Promise.all([opened.close(), listening.close()]);
    },
  };
}

/** Creates the request handler of one vault. Throws `ServerError` if a token is required but none exists. */
export function createVaultHandler(options: VaultHandlerOptions): VaultHandler {
  const { keepsake, host, port, prefix = '', secret, oauth, clock = () => performance.now() } = options;
  assertTokenConfigured(options);
  const allowedHosts = [...(options.allowedHosts ?? []), ...(oauth ? [new URL(oauth.url).host] : [])];
  const tokens = openTokens(keepsake);
  const closing = new AbortController();
  const sessions = openSessionStore(keepsake);
  const people = openMembers(keepsake);
  const auth = createAuth({
    host,
    port,
    prefix,
    cookieName: options.cookieName,
    allowedHosts,
    secret,
    clock,
    tokens,
    people,
    sessions,
    oauth,
  });
  const answers = createAnswers(keepsake);
  const app = createHttpApp({
    ...options,
    auth,
    answers,
    clock,
    version: readPackageVersion(),
    closing: closing.signal,
  });
  const url = `${formatLocalUrl(host, port)}${prefix}`;
  return {
    url,
    async handle(request, connection) {
      const response = await app.fetch(request, connection);
      // The OAuth provider writes to the connection itself and has already waited.
      if (!connection.outgoing.headersSent) await options.flushReplication?.();
      return response;
    },
    onUpgrade: createUpgradeHandler(auth, closing.signal, options.serveClient),
    createLoginLink: () => `${oauth?.url ?? url}/open?code=${auth.createLoginCode()}`,
    isBusy: () => answers.countRunning() > 0,
    close: async () => closing.abort(),
  };
}

function assertTokenConfigured({
  keepsake,
  host,
  oauth,
}: Pick<VaultHandlerOptions, 'keepsake' | 'host' | 'oauth'>): void {
  if (!isLoopback(host) && oauth === undefined && openTokens(keepsake)().list().length === 0)
    throw new ServerError('no-token', `${host} is reachable from other machines but no token exists`, {
      hint: 'create one with: keepsake token create <name> --scope read',
    });
}
