import { packageVersion } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import type { Clock } from '../contract/index.ts';
import { createAnswers } from './answers/answers.ts';
import { isLoopback, urlOf } from './auth/addresses.ts';
import { createAuth } from './auth/auth.ts';
import { ServerError } from './auth/error.ts';
import { openKeptSessions } from './auth/kept-sessions.ts';
import { openPeople } from './auth/people.ts';
import { openTokens } from './auth/tokens.ts';
import { createHttpApp } from './http/app.ts';
import type { HttpParts } from './http/parts.ts';
import { listen } from './listen.ts';
import type { AnswerRequest } from './listen.ts';
import { refuseConnection, takeClients } from './take-clients.ts';
import type { ServeClient, TakeConnection } from './take-clients.ts';

type DoorOptions = Pick<
  HttpParts,
  'mcp' | 'log' | 'limits' | 'model' | 'web' | 'environment' | 'state' | 'oauth' | 'signIn' | 'isForOthers'
> & {
  keepsake: Keepsake;
  /** Short, as it stands in addresses. */
  vaultName: string;
  host: string;
  port: number;
  /** Before every address of this vault, where a server has several: `/v/<name>`. */
  prefix?: string | undefined;
  /** Of the cookie of its sessions; left out, by the port. */
  cookieName?: string | undefined;
  /** What other processes of the same person show. */
  secret: string;
  /** Serves MCP to a client of this machine on a connection of its own. */
  serveClient?: ServeClient | undefined;
  /** Awaited before every answer. */
  settle?: (() => Promise<void>) | undefined;
  /** Further names of this server, as behind a proxy. */
  allowedHosts?: readonly string[] | undefined;
  /** For how long sessions and allowances last; never set back, unlike the clock of the machine. */
  clock?: Clock | undefined;
};

export type ServerOptions = Omit<DoorOptions, 'host' | 'prefix'> & {
  host?: string | undefined;
};

/** One vault over HTTP, on a port that it may share with others. */
export type Door = {
  /** How this machine reaches it. */
  url: string;
  answer: AnswerRequest;
  takeConnection: TakeConnection;
  /** An address that opens a browser session, once, within five minutes. */
  createLink(): string;
  /** Whether it has something to do, though nobody waits for it. */
  isBusy(): boolean;
  /** Ends streams. */
  close(): Promise<void>;
};

export type RunningServer = Omit<Door, 'answer' | 'takeConnection'>;

/** Serves one vault on a port of its own. Throws `ServerError` when it must not, or cannot. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { keepsake, host = '127.0.0.1', oauth, log } = options;
  checkTokens({ keepsake, host, oauth });
  let door: Door | null = null;
  const listening = await listen({
    host,
    port: options.port,
    log,
    answer: (request, connection) =>
      door === null ? new Response(null, { status: 503 }) : door.answer(request, connection),
    takeConnection: (request, socket) =>
      door === null ? refuseConnection(socket) : door.takeConnection(request, socket),
  });
  const opened = openDoor({ ...options, host, port: listening.port });
  door = opened;
  return {
    ...opened,
    async close() {
      await Promise.all([opened.close(), listening.close()]);
    },
  };
}

/** Serves one vault to whoever has a port. Throws `ServerError` when it must not. */
export function openDoor(options: DoorOptions): Door {
  const { keepsake, host, port, prefix = '', secret, oauth, clock = () => performance.now() } = options;
  checkTokens(options);
  const allowedHosts = [...(options.allowedHosts ?? []), ...(oauth ? [new URL(oauth.url).host] : [])];
  const tokens = openTokens(keepsake);
  const closing = new AbortController();
  const sessions = openKeptSessions(keepsake);
  const people = openPeople(keepsake);
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
    version: packageVersion(),
    closing: closing.signal,
  });
  const url = `${urlOf(host, port)}${prefix}`;
  return {
    url,
    async answer(request, connection) {
      const response = await app.fetch(request, connection);
      // What has answered on the connection itself has waited itself.
      if (!connection.outgoing.headersSent) await options.settle?.();
      return response;
    },
    takeConnection: takeClients(auth, closing.signal, options.serveClient),
    createLink: () => `${oauth?.url ?? url}/open?code=${auth.createCode()}`,
    isBusy: () => answers.running() > 0,
    close: async () => closing.abort(),
  };
}

function checkTokens({ keepsake, host, oauth }: Pick<DoorOptions, 'keepsake' | 'host' | 'oauth'>): void {
  if (!isLoopback(host) && oauth === undefined && openTokens(keepsake)().list().length === 0)
    throw new ServerError('no-token', `${host} can be reached from other machines, and there is no token`, {
      mend: 'create one with: keepsake token create <name> --scope read',
    });
}
