import { basename } from 'node:path';
import { chooseAgentModel, claimOwnership, openKeepsake, packageVersion } from '../app/index.ts';
import type { Environment, Keepsake } from '../app/index.ts';
import { describeError } from '../contract/index.ts';
import { slugOf } from '../vault/index.ts';
import { newSecret } from './auth/secrets.ts';
import type { ModelState } from './http/parts.ts';
import { createLocalBackend, createMcpHttp } from './mcp/index.ts';
import type { McpBackend } from './mcp/index.ts';
import { startServer } from './serve.ts';
import { builtInterface } from './web/built-interface.ts';
import { createWebAssets } from './web/serve-assets.ts';

export type HostOptions = {
  vault?: string | undefined;
  state?: string | undefined;
  environment: Environment;
  host?: string | undefined;
  port?: number | undefined;
  isReadOnly?: boolean | undefined;
  allowedHosts?: readonly string[] | undefined;
  /** One entry per request and per thing worth knowing. Must not throw. */
  log: (entry: object) => void;
  /** Another process has taken over, as after a long sleep: this one must stop. */
  onLost: () => void;
};

/** The process that serves a vault: its files watched, its updates worked on, its doors open. */
export type Host = {
  keepsake: Keepsake;
  backend: McpBackend;
  url: string;
  /** A link that opens the browser, once. */
  createLink(): string;
  close(): Promise<void>;
};

/** Null when another process serves this vault already. */
export async function startHost(options: HostOptions): Promise<Host | null> {
  const { environment, log } = options;
  const keepsake = await openKeepsake({ vault: options.vault, state: options.state, environment });
  const backend = createLocalBackend(keepsake, environment);
  const version = packageVersion();
  const mcp = createMcpHttp(backend, {
    isReadOnly: options.isReadOnly === true,
    version,
    origin: 'mcp',
    onError: (error) => log({ level: 'error', message: String(error) }),
  });
  const secret = newSecret();
  const server = await startServer({
    keepsake,
    vaultName: nameOf(keepsake.root),
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    secret,
    mcp,
    log,
    model: () => modelOf(environment),
    web: createWebAssets(builtInterface()),
    ...(options.allowedHosts && { allowedHosts: options.allowedHosts }),
  }).catch(async (error: unknown) => {
    await keepsake.close();
    throw error;
  });
  keepsake.state.adopt();
  const ownership = claimOwnership(keepsake.state.databases().locks, server.url, {
    secret,
    clock: Date.now,
    onLost: options.onLost,
  });
  if (ownership === null) {
    await server.close();
    await keepsake.close();
    return null;
  }
  const upkeep = keepsake.startUpkeep({ onEvent: (event) => log({ upkeep: event }) });
  const onError = (error: unknown): void => log({ level: 'error', message: String(error) });
  let runner: ReturnType<Keepsake['agents']['updates']['start']> | null = null;
  /** A model may be chosen while we run: what waits is worked on from then on. */
  const work = (): void => {
    if (runner === null && 'name' in modelOf(environment)) runner = keepsake.agents.updates.start(onError);
    runner?.wake();
  };
  work();
  let told = '';
  const looking = setInterval(() => {
    try {
      if (runner === null) work();
      else clearInterval(looking);
      told = '';
    } catch (error) {
      // A configuration that is being edited: said once, until it says something else.
      if (String(error) !== told) onError(error);
      told = String(error);
    }
  }, lookForModelEvery);
  keepsake.events.listen((event) => {
    if (event.type === 'update-accepted') work();
  });
  return {
    keepsake,
    backend,
    url: server.url,
    createLink: () => server.createLink(),
    async close() {
      clearInterval(looking);
      await server.close();
      await mcp.close();
      await runner?.stop();
      await upkeep.stop();
      ownership.release();
      await keepsake.close();
    },
  };
}

const lookForModelEvery = 2_000;

function modelOf(environment: Environment): ModelState {
  const chosen = chooseAgentModel(environment);
  return 'missing' in chosen ? { missing: describeError(chosen.missing) } : { name: chosen.model.name };
}

/** The short name of a vault in addresses: that of its folder, in letters every address takes. */
function nameOf(root: string): string {
  const name = slugOf(basename(root))
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  return name === '' ? 'vault' : name;
}
