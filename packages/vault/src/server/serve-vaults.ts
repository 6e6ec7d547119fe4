import type { Duplex } from 'node:stream';
import { packageVersion } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { createAuth } from './auth/auth.ts';
import { urlOf } from './auth/addresses.ts';
import { newSecret } from './auth/secrets.ts';
import { createAwake } from './awake.ts';
import type { Awake } from './awake.ts';
import { startHost } from './host.ts';
import type { Host, HostOptions } from './host.ts';
import { createListApp } from './http/list-app.ts';
import { Problem } from './http/problem.ts';
import { listen } from './listen.ts';
import type { AnswerRequest, Bindings } from './listen.ts';
import { placeIn } from './place-in.ts';
import { refuseConnection } from './take-clients.ts';
import { vaultsIn } from './vault-folders.ts';
import { builtInterface } from './web/built-interface.ts';
import { createListAssets } from './web/serve-assets.ts';

export type VaultsOptions = Pick<
  HostOptions,
  'environment' | 'publicUrl' | 'isReadOnly' | 'allowedHosts' | 'web' | 'log'
> & {
  /** In which the vaults lie. */
  folder: string;
  host?: string | undefined;
  port?: number | undefined;
  /** How long a vault stays open that nobody asks for, in milliseconds. */
  idleAfter?: number;
};

export type RunningVaults = {
  url: string;
  /** Of all vaults, as they stand in addresses. */
  names(): string[];
  /** Those that are open. */
  awake(): string[];
  /** A link that opens the list of vaults in the browser, once. */
  createLink(): string;
  close(): Promise<void>;
};

const lookEvery = 1_000;

/** Serves every vault of a folder on one port, each below `/v/<name>/`; opens one when it is asked for. */
export async function startVaults(options: VaultsOptions): Promise<RunningVaults> {
  const { folder, log, publicUrl, host = '127.0.0.1', idleAfter = 600_000 } = options;
  const names = (): string[] => [...vaultsIn(folder).keys()];
  names();
  const meant = new WeakMap<Bindings['incoming'], string>();
  let answerOwn: AnswerRequest = () => new Response(null, { status: 503 });
  const listening = await listen({
    host,
    port: options.port ?? 0,
    log,
    prepare(incoming) {
      const { vault, url } = placeIn(incoming.url ?? '/');
      if (vault !== null) meant.set(incoming, vault);
      incoming.url = url;
    },
    answer(request, connection) {
      const vault = meant.get(connection.incoming);
      return vault === undefined ? answerOwn(request, connection) : answerFor(vault, request, connection);
    },
    takeConnection(request, socket) {
      const { vault, url: asked } = placeIn(request.url ?? '/');
      // Who knows its secret has found it awake.
      if (vault === null || !awake.names().includes(vault)) return refuseConnection(socket);
      hold(vault, outgoingOf(socket)).then(
        ({ door }) => door?.takeConnection({ ...request, headers: request.headers, url: asked }, socket),
        () => socket.destroy(),
      );
    },
  });
  const { port } = listening;
  const url = urlOf(host, port);

  const awake = createAwake<Host>({
    async open(name) {
      const vault = vaultsIn(folder).get(name);
      if (vault === undefined) throw new Problem('no-such-vault');
      const opened = await startHost({
        ...options,
        vault,
        mount: { name, host, port },
        log: (entry) => log({ vault: name, ...entry }),
        onLost: () => awake.leave(name),
      });
      if (opened === null)
        throw new Problem('unavailable', { detail: `another process serves the vault ${name}` });
      return { here: opened };
    },
    putToSleep: (opened) => opened.close(),
    close: (opened) => opened.close(),
    isBusy: (opened) => opened.isBusy(),
    idleAfter,
    onError: (error) => log({ level: 'error', message: describeError(error) }),
  });
  const hold = async (vault: string, outgoing: Parameters<typeof awake.hold>[1]): Promise<Host> => {
    const found = await awake.hold(vault, outgoing);
    return 'here' in found ? found.here : found.elsewhere;
  };
  /** Whoever asks for a page from elsewhere wakes nothing. */
  const find = async (vault: string, { incoming, outgoing }: Bindings): Promise<AnswerRequest | Problem> => {
    const refusal = auth.refusal(new Headers(incoming.headers as Record<string, string>));
    if (refusal !== null) return new Problem(refusal);
    try {
      return (await hold(vault, outgoing)).door?.answer ?? new Problem('unavailable');
    } catch (error) {
      if (error instanceof Problem) return error;
      log({ level: 'error', vault, message: describeError(error) });
      return new Problem('unavailable', { detail: 'the vault cannot be opened', next: 'see the log' });
    }
  };
  const answerFor = async (vault: string, request: Request, connection: Bindings): Promise<Response> => {
    const found = await find(vault, connection);
    return found instanceof Problem
      ? app.fetch(request, { ...connection, refused: found })
      : found(request, connection);
  };

  const { auth, app } = createList(options, {
    host,
    port,
    names,
    async linkTo(name, outgoing) {
      return (await hold(name, outgoing)).createLink();
    },
  });
  answerOwn = (request, connection) => app.fetch(request, connection);
  const looking = setInterval(() => void awake.sleep(), Math.min(lookEvery, idleAfter + 1));
  return {
    url,
    names,
    awake: () => awake.names(),
    createLink: () => `${publicUrl ?? url}/open?code=${auth.createCode()}`,
    async close() {
      clearInterval(looking);
      await awake.close();
      await listening.close();
    },
  };
}

/** A connection that is taken over has sent its headers. */
function outgoingOf(socket: Duplex): Parameters<Awake<Host, never>['hold']>[1] {
  return { destroyed: socket.destroyed, headersSent: true, once: (...on) => socket.once(...on) };
}

type ListParts = Pick<Parameters<typeof createListApp>[0], 'names' | 'linkTo'> & {
  host: string;
  port: number;
};

/** The page that lists the vaults, and who may see it. */
function createList({ allowedHosts = [], publicUrl, web, log }: VaultsOptions, parts: ListParts) {
  const { host, port, names, linkTo } = parts;
  const clock = (): number => performance.now();
  const auth = createAuth({
    host,
    port,
    allowedHosts: [...allowedHosts, ...(publicUrl ? [new URL(publicUrl).host] : [])],
    cookieName: `keepsake-${port}-vaults`,
    secret: newSecret(),
    tokens: () => ({ check: () => null, has: () => false }),
    sessions: () => ({ add: () => undefined, list: () => [], removeAll: () => undefined }),
    clock,
  });
  const app = createListApp({
    auth,
    clock,
    log,
    version: packageVersion(),
    web: createListAssets(web ?? builtInterface()),
    names,
    linkTo,
  });
  return { auth, app };
}
