import { basename } from 'node:path';
import {
  chooseAgentModel,
  claimOwnership,
  keepSynced,
  openKeepsake,
  packageVersion,
  readConfiguration,
} from '../app/index.ts';
import type { Environment, Keepsake, Ownership } from '../app/index.ts';
import { reasonFrom } from '../contract/index.ts';
import { keepRecording } from '../sessions/index.ts';
import { slugOf } from '../vault/index.ts';
import { newSecret } from './auth/secrets.ts';
import type { ModelState } from './http/parts.ts';
import { createLocalBackend, createMcpHttp, serveMcpStream } from './mcp/index.ts';
import type { McpBackend } from './mcp/index.ts';
import type { OAuth } from './oauth/oauth.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { openDoor, startServer } from './serve.ts';
import type { Door, RunningServer, ServerOptions } from './serve.ts';
import type { ServeClient } from './take-clients.ts';
import { builtInterface } from './web/built-interface.ts';
import { createWebAssets } from './web/serve-assets.ts';

export type HostOptions = {
  /** Opened already, in place of `vault`; closed with the host. */
  keepsake?: Keepsake | undefined;
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  host?: string | undefined;
  port?: number | undefined;
  /** On the port of others, in place of one of its own. */
  mount?: Mount | undefined;
  /** Under which programs elsewhere reach it through a proxy, and are let in by the person. */
  publicUrl?: string | undefined;
  isReadOnly?: boolean | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** The folder of the built interface; left out, where the build puts it. */
  web?: string | undefined;
  /** One entry per request and per thing worth knowing. Must not throw. */
  log: (entry: object) => void;
  /** Run for others by whoever has the machine: they have the vault alone, and change nothing else. */
  isForOthers?: boolean | undefined;
  /** Awaited before every answer: what it tells would survive then, also where this machine is lost. */
  settle?: (() => Promise<void>) | undefined;
  /** Another process has taken over, as after a long sleep: this one must stop. */
  onLost: () => void;
};

/** Where a vault is that shares a port with others. */
type Mount = {
  name: string;
  host: string;
  port: number;
  /** Of the cookie of its sessions, where they go on behind another port. */
  cookieName?: string | undefined;
};

/** The process that serves a vault: its files watched, its updates worked on, its doors open. */
export type Host = {
  keepsake: Keepsake;
  backend: McpBackend;
  url: string;
  /** For whoever has the port; null where the vault has its own. */
  door: Pick<Door, 'answer' | 'takeConnection'> | null;
  /** Serves MCP to a client of this machine on a stream. */
  serveClient: ServeClient;
  /** A link that opens the browser, once. */
  createLink(): string;
  /** Whether updates or answers are under way, though nobody waits for them. */
  isBusy(): boolean;
  close(): Promise<void>;
};

/** Null when another process serves this vault already. */
export async function startHost(options: HostOptions): Promise<Host | null> {
  const { environment, log } = options;
  const keepsake = options.keepsake ?? (await openServed(options));
  const backend = createLocalBackend(keepsake, environment);
  const version = packageVersion();
  const mcpOptions = {
    isReadOnly: options.isReadOnly === true,
    version,
    origin: 'mcp',
    onError: (error: unknown) => log({ level: 'error', message: String(error) }),
  };
  const mcp = createMcpHttp(backend, mcpOptions);
  const serveClient: ServeClient = (stream, { connection, isReadOnly }) => {
    const client = serveMcpStream(
      backend,
      { ...mcpOptions, isReadOnly: isReadOnly || mcpOptions.isReadOnly },
      { input: stream, output: stream, connection },
    );
    void client.closed.then(() => stream.end());
  };
  const secret = newSecret();
  const { oauth, signIn } = await openPublicly(keepsake, options).catch(async (error: unknown) => {
    await keepsake.close();
    throw error;
  });
  const prefix = prefixOf(options);
  const served: ServerOptions = {
    keepsake,
    vaultName: options.mount?.name ?? vaultNameOf(keepsake.root),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    secret,
    mcp,
    serveClient,
    oauth,
    signIn,
    settle: options.settle,
    isForOthers: options.isForOthers,
    log,
    model: () => shownModel(environment),
    environment,
    state: options.state,
    web: createWebAssets(options.web ?? builtInterface(), prefix),
    ...(options.allowedHosts && { allowedHosts: options.allowedHosts }),
  };
  const open = async (): Promise<{ server: RunningServer; door: Door | null }> => {
    if (options.mount === undefined) return { server: await startServer(served), door: null };
    const own = openDoor({ ...served, ...options.mount, prefix });
    return { server: own, door: own };
  };
  const { server, door } = await open().catch(async (error: unknown) => {
    await keepsake.close();
    throw error;
  });
  const onError = createTeller(log);
  const leave = async (): Promise<void> => {
    await server.close();
    await keepsake.close();
  };
  const ownership = await takePlace(keepsake, {
    url: server.url,
    secret,
    onLost: options.onLost,
    onError,
  }).catch(async (error: unknown) => {
    await leave();
    throw error;
  });
  if (ownership === null) {
    await leave();
    return null;
  }
  const work = startWork(keepsake, { environment, log, onError });
  return {
    keepsake,
    backend,
    url: server.url,
    door,
    serveClient,
    createLink: () => server.createLink(),
    isBusy: () => server.isBusy() || work.isBusy(),
    async close() {
      work.startNothing();
      await server.close();
      await mcp.close();
      await work.stop();
      ownership.release();
      await keepsake.close();
    },
  };
}

function openServed({ vault, state, environment, log }: HostOptions): Promise<Keepsake> {
  return openKeepsake({
    vault,
    state,
    environment,
    sandbox: {
      onUnusable: (reason) => log({ level: 'warn', message: `documents are read in no sandbox: ${reason}` }),
    },
  });
}

type Work = {
  /** Whether updates are under way. */
  isBusy(): boolean;
  /** Starts no update runner from now on. */
  startNothing(): void;
  stop(): Promise<void>;
};

/** What goes on while a vault is served: files watched, syncs, sessions recorded, updates worked on. */
function startWork(
  keepsake: Keepsake,
  {
    environment,
    log,
    onError,
  }: Pick<HostOptions, 'environment' | 'log'> & { onError: (error: unknown) => void },
): Work {
  const upkeep = keepsake.startUpkeep({ onEvent: (event) => log({ upkeep: event }) });
  const syncing = keepSynced({ ...keepsake, onError });
  const recording = keepRecording({
    keepsake,
    stateHome: environment.stateHome,
    hasModel: () => 'name' in modelOf(environment),
    clock: Date.now,
    onError,
  });
  let runner: ReturnType<Keepsake['agents']['updates']['start']> | null = null;
  /** A model may be chosen while we run, or a configuration be repaired: what waits is worked on from then on. */
  const startRunner = (): void => {
    try {
      if (runner === null && 'name' in modelOf(environment)) runner = keepsake.agents.updates.start(onError);
    } catch (error) {
      onError(error);
    }
  };
  startRunner();
  const looking = setInterval(() => {
    if (runner === null) startRunner();
    else clearInterval(looking);
  }, lookForModelEvery);
  keepsake.events.listen((event) => {
    if (event.type === 'update-accepted') startRunner();
  });
  return {
    isBusy() {
      const { waiting, running } = keepsake.agents.updates.counts();
      return runner !== null && waiting + running > 0;
    },
    startNothing: () => clearInterval(looking),
    async stop() {
      await recording.stop();
      await syncing.stop();
      await runner?.stop();
      await upkeep.stop();
    },
  };
}

/** Before the addresses of a vault that shares a port with others. */
function prefixOf({ mount }: HostOptions): string {
  return mount === undefined ? '' : `/v/${mount.name}`;
}

/** Nothing of it is loaded where nobody elsewhere is let in. */
async function openPublicly(
  keepsake: Keepsake,
  options: HostOptions,
): Promise<{ oauth?: OAuth; signIn?: SignIn }> {
  const { publicUrl, environment, isForOthers, log } = options;
  if (publicUrl === undefined) return {};
  const url = `${publicUrl}${prefixOf(options)}`;
  // Whoever it names has every vault of the machine.
  const settings = isForOthers === true ? undefined : readConfiguration(environment).signIn;
  const { openOAuth } = await import('./oauth/oauth.ts');
  const { openSignIn } = await import('./sign-in/sign-in.ts');
  const onError = (error: unknown): void => log({ level: 'error', message: String(error) });
  const secret = settings?.secretVariable && environment.variable(settings.secretVariable);
  const provider = settings && { ...settings, secret };
  return {
    oauth: await openOAuth({ keepsake, url, onError, settle: options.settle }),
    signIn: openSignIn({ keepsake, url, provider }),
  };
}

async function takePlace(
  { state }: Keepsake,
  {
    url,
    ...claiming
  }: { url: string; secret: string; onLost: () => void; onError: (error: unknown) => void },
): Promise<Ownership | null> {
  state.adopt();
  return claimOwnership(state.databases().locks, url, { ...claiming, clock: Date.now });
}

const lookForModelEvery = 2_000;
const repeatAfter = 10 * 60_000;

/** Writes what is wrong into the log; what stays wrong, now and then and not every time. */
function createTeller(log: (entry: object) => void): (error: unknown) => void {
  const told = new Map<string, number>();
  return (error) => {
    const message = String(error);
    if (performance.now() < (told.get(message) ?? -Infinity) + repeatAfter) return;
    if (told.size > 100) told.clear();
    told.set(message, performance.now());
    log({ level: 'error', message });
  };
}

function modelOf(environment: Environment): ModelState {
  const chosen = chooseAgentModel(environment);
  return 'missing' in chosen
    ? { missing: reasonFrom(chosen.missing) }
    : { name: chosen.model.name, hasPrices: chosen.prices !== null };
}

/** To be shown: a configuration that cannot be read is no reason to show nothing. */
function shownModel(environment: Environment): ModelState {
  try {
    return modelOf(environment);
  } catch (error) {
    return { missing: reasonFrom(error) };
  }
}

/** The short name of a vault in addresses: that of its folder, in letters every address takes. */
export function vaultNameOf(root: string): string {
  const name = slugOf(basename(root))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return name === '' ? 'vault' : name;
}
