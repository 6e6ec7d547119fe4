import { basename } from 'node:path';
import {
  resolveAgentModel,
  acquireOwnerLease,
  findDatabaseLoss,
  startBackgroundSync,
  startBackgroundTidying,
  openKeepsake,
  readPackageVersion,
  readConfiguration,
} from '../app/index.ts';
import type { Environment, Keepsake, OwnerLease } from '../app/index.ts';
import { reasonFrom } from '../contract/index.ts';
import { startBackgroundDrain } from '../sessions/index.ts';
import { slugify } from '../vault/index.ts';
import { generateSecret } from './auth/secrets.ts';
import type { ModelState } from './http/http-options.ts';
import { createLocalBackend, createMcpHttp, serveMcpStream } from './mcp/index.ts';
import type { McpBackend } from './mcp/index.ts';
import type { OAuth } from './oauth/oauth.ts';
import type { SignIn } from './sign-in/sign-in.ts';
import { createVaultHandler, startServer } from './vault-server.ts';
import type { VaultHandler, RunningServer, ServerOptions } from './vault-server.ts';
import type { ServeMcpClient } from './mcp-upgrade.ts';
import { resolveAssetsFolder } from './web/assets-folder.ts';
import { createWebAssets } from './web/serve-assets.ts';

export type VaultHostOptions = {
  /** An open vault, in place of `vault`. The host closes it. */
  keepsake?: Keepsake | undefined;
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  host?: string | undefined;
  port?: number | undefined;
  /** Serves the vault on a shared port instead of its own. */
  mount?: Mount | undefined;
  /** The URL under which remote applications reach the server through a proxy; enables OAuth and sign-in. */
  publicUrl?: string | undefined;
  isReadOnly?: boolean | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** The folder of the built web interface. Default: the output folder of the build. */
  web?: string | undefined;
  /** Receives one entry per request and per notable event. Must not throw. */
  log: (entry: object) => void;
  /** Whether an operator runs the machine for its users, who then cannot change the machine's settings. */
  isManaged?: boolean | undefined;
  /** Awaited before every response, so that acknowledged changes survive the loss of this machine. */
  flushReplication?: (() => Promise<void>) | undefined;
  /** Called once when another process has taken over a lock, for example while this one was suspended; this one must stop. */
  onLeaseLost: () => void;
};

/** The place of a vault on a shared port. */
type Mount = {
  name: string;
  host: string;
  port: number;
  /** Name of the session cookie; a fixed name keeps sessions valid when the port changes. */
  cookieName?: string | undefined;
};

/** A served vault: watches its files, processes its updates and handles its requests. */
export type VaultHost = {
  keepsake: Keepsake;
  backend: McpBackend;
  url: string;
  /** Handles requests from the shared port; null if the vault has its own port. */
  handler: Pick<VaultHandler, 'handle' | 'onUpgrade'> | null;
  /** Serves MCP to a local client on a stream. */
  serveClient: ServeMcpClient;
  /** Returns a one-time link that signs a browser in. */
  createLoginLink(): string;
  /** Whether updates or answers are running in the background. */
  isBusy(): boolean;
  close(): Promise<void>;
};

/** Returns null if another process already serves this vault. */
export async function startVaultHost(options: VaultHostOptions): Promise<VaultHost | null> {
  const { environment, log } = options;
  const keepsake = options.keepsake ?? (await openServed(options));
  const backend = createLocalBackend(keepsake, environment);
  const version = readPackageVersion();
  const mcpOptions = {
    isReadOnly: options.isReadOnly === true,
    version,
    origin: 'mcp',
    onError: (error: unknown) => log({ level: 'error', message: String(error) }),
  };
  const mcp = createMcpHttp(backend, mcpOptions);
  const serveClient: ServeMcpClient = (stream, { connection, isReadOnly }) => {
    const client = serveMcpStream(
      backend,
      { ...mcpOptions, isReadOnly: isReadOnly || mcpOptions.isReadOnly },
      { input: stream, output: stream, connection },
    );
    void client.closed.then(() => stream.end());
  };
  const secret = generateSecret();
  const loss = watchLoss(options);
  const { oauth, signIn } = await openPublicAccess(keepsake, options).catch(async (error: unknown) => {
    await keepsake.close();
    throw error;
  });
  const prefix = getPathPrefix(options);
  const served: ServerOptions = {
    keepsake,
    vaultName: options.mount?.name ?? toVaultSlug(keepsake.root),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    secret,
    mcp,
    serveClient,
    oauth,
    signIn,
    flushReplication: options.flushReplication,
    isManaged: options.isManaged,
    isServing: loss.isServing,
    log,
    model: () => readModelStateSafely(environment),
    environment,
    state: options.state,
    web: createWebAssets(options.web ?? resolveAssetsFolder(), prefix),
    ...(options.allowedHosts && { allowedHosts: options.allowedHosts }),
  };
  const open = async (): Promise<{ server: RunningServer; handler: VaultHandler | null }> => {
    if (options.mount === undefined) return { server: await startServer(served), handler: null };
    const own = createVaultHandler({ ...served, ...options.mount, prefix });
    return { server: own, handler: own };
  };
  const { server, handler } = await open().catch(async (error: unknown) => {
    await keepsake.close();
    throw error;
  });
  const onError = createThrottledLogger(log);
  const closeAll = async (): Promise<void> => {
    await server.close();
    await keepsake.close();
  };
  const ownership = await acquireOwnership(keepsake, {
    url: server.url,
    secret,
    onLost: loss.onLost,
    onError,
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  if (ownership === null) {
    await closeAll();
    return null;
  }
  keepsake.state.onLostLock(loss.onLost);
  const lostData = findDatabaseLoss(keepsake.state.folder());
  if (lostData !== null) log({ level: 'warn', message: `${lostData.message}; ${lostData.hint}` });
  const work = startWork(keepsake, { environment, log, onError });
  return {
    keepsake,
    backend,
    url: server.url,
    handler,
    serveClient,
    createLoginLink: () => server.createLoginLink(),
    isBusy: () => server.isBusy() || work.isBusy(),
    async close() {
      work.preventStart();
      await server.close();
      await mcp.close();
      await work.stop();
      ownership.release();
      await keepsake.close();
    },
  };
}

/** When a lock is lost, another process may have changed anything; nothing that this one knows is certain any more. */
function watchLoss({ log, onLeaseLost }: VaultHostOptions): { isServing: () => boolean; onLost: () => void } {
  let isLost = false;
  return {
    isServing: () => !isLost,
    onLost() {
      if (isLost) return;
      isLost = true;
      log({ level: 'error', message: 'another process took over a lock of this vault; this one stops' });
      onLeaseLost();
    },
  };
}

function openServed({ vault, state, environment, log }: VaultHostOptions): Promise<Keepsake> {
  return openKeepsake({
    vault,
    state,
    environment,
    sandbox: {
      onUnavailable: (reason) =>
        log({ level: 'warn', message: `documents are parsed without a sandbox: ${reason}` }),
    },
  });
}

type Work = {
  /** Whether updates are waiting or running. */
  isBusy(): boolean;
  /** Stops checking whether a model was configured and the update runner can be started. */
  preventStart(): void;
  stop(): Promise<void>;
};

const maxLoggedFiles = 5;

function describeLeftOut(files: readonly { path: string; reason: string }[]): string {
  const named = files.slice(0, maxLoggedFiles).map(({ path, reason }) => `${path} (${reason})`);
  const more = files.length > named.length ? `, and ${files.length - named.length} more` : '';
  return `not synced: ${named.join(', ')}${more}; see: keepsake doctor`;
}

/** Starts the background work of a served vault: file watching, sync, session recording, tidying and updates. */
function startWork(
  keepsake: Keepsake,
  {
    environment,
    log,
    onError,
  }: Pick<VaultHostOptions, 'environment' | 'log'> & { onError: (error: unknown) => void },
): Work {
  const upkeep = keepsake.startUpkeep({ onEvent: (event) => log({ upkeep: event }) });
  const syncing = startBackgroundSync({
    ...keepsake,
    onError,
    onLeftOut: (files) => log({ level: 'warn', message: describeLeftOut(files) }),
  });
  const recording = startBackgroundDrain({
    keepsake,
    stateHome: environment.stateHome,
    hasModel: () => 'name' in readModelState(environment),
    clock: Date.now,
    onError,
  });
  const tidying = startBackgroundTidying({
    ...keepsake,
    environment,
    hasModel: () => 'name' in readModelState(environment),
    clock: Date.now,
    onReport: (report) => log({ tidying: report }),
    onError,
  });
  let runner: ReturnType<Keepsake['agents']['updates']['start']> | null = null;
  /** Called repeatedly, because a model may be configured while the process runs. */
  const startRunner = (): void => {
    try {
      if (runner === null && 'name' in readModelState(environment))
        runner = keepsake.agents.updates.start(onError);
    } catch (error) {
      onError(error);
    }
  };
  startRunner();
  const modelTimer = setInterval(() => {
    if (runner === null) startRunner();
    else clearInterval(modelTimer);
  }, modelPollIntervalMs);
  keepsake.events.subscribe((event) => {
    if (event.type === 'update-accepted') startRunner();
  });
  return {
    isBusy() {
      const { waiting, running } = keepsake.agents.updates.counts();
      return keepsake.agents.clientRuns.hasOpenRuns() || (runner !== null && waiting + running > 0);
    },
    preventStart: () => clearInterval(modelTimer),
    async stop() {
      await recording.stop();
      await tidying.stop();
      await syncing.stop();
      await runner?.stop();
      await upkeep.stop();
    },
  };
}

/** The path prefix of a vault on a shared port. */
function getPathPrefix({ mount }: VaultHostOptions): string {
  return mount === undefined ? '' : `/v/${mount.name}`;
}

/** Opens OAuth and sign-in. The modules are loaded only if a public URL is set. */
async function openPublicAccess(
  keepsake: Keepsake,
  options: VaultHostOptions,
): Promise<{ oauth?: OAuth; signIn?: SignIn }> {
  const { publicUrl, environment, isManaged, log } = options;
  if (publicUrl === undefined) return {};
  const url = `${publicUrl}${getPathPrefix(options)}`;
  // An account in the configuration may open every vault of the machine, so it is ignored on a managed machine.
  const settings = isManaged === true ? undefined : readConfiguration(environment).signIn;
  const { openOAuth } = await import('./oauth/oauth.ts');
  const { openSignIn } = await import('./sign-in/sign-in.ts');
  const onError = (error: unknown): void => log({ level: 'error', message: String(error) });
  const secret = settings?.secretVariable && environment.variable(settings.secretVariable);
  const provider = settings && { ...settings, secret };
  return {
    oauth: await openOAuth({ keepsake, url, onError, flushReplication: options.flushReplication }),
    signIn: openSignIn({ keepsake, url, provider }),
  };
}

async function acquireOwnership(
  { state }: Keepsake,
  {
    url,
    ...claiming
  }: { url: string; secret: string; onLost: () => void; onError: (error: unknown) => void },
): Promise<OwnerLease | null> {
  state.ensureAdopted();
  const { locks, leases } = state.databases();
  leases.start();
  return acquireOwnerLease(locks, url, { ...claiming, leases, clock: Date.now });
}

const modelPollIntervalMs = 2_000;
const logThrottleMs = 10 * 60_000;

/** Logs errors; a repeated error is logged only once per throttle period. */
function createThrottledLogger(log: (entry: object) => void): (error: unknown) => void {
  const lastLoggedAt = new Map<string, number>();
  return (error) => {
    const message = String(error);
    if (performance.now() < (lastLoggedAt.get(message) ?? -Infinity) + logThrottleMs) return;
    if (lastLoggedAt.size > 100) lastLoggedAt.clear();
    lastLoggedAt.set(message, performance.now());
    log({ level: 'error', message });
  };
}

function readModelState(environment: Environment): ModelState {
  const chosen = resolveAgentModel(environment);
  return 'missing' in chosen
    ? { missing: reasonFrom(chosen.missing) }
    : { name: chosen.model.name, hasPrices: chosen.prices !== null };
}

/** For display: an unreadable configuration is reported as a missing model. */
function readModelStateSafely(environment: Environment): ModelState {
  try {
    return readModelState(environment);
  } catch (error) {
    return { missing: reasonFrom(error) };
  }
}

/** The name of a vault in URLs: the name of its folder, reduced to a-z, 0-9 and hyphens. */
export function toVaultSlug(root: string): string {
  const name = slugify(basename(root))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return name === '' ? 'vault' : name;
}
