import { AsyncLocalStorage } from 'node:async_hooks';
import { join } from 'node:path';
import type { Pool } from 'pg';
import type { Environment } from '../app/index.ts';
import { describeError, inTurn } from '../contract/index.ts';
import type { VaultLimits } from '../contract/index.ts';
import {
  builtInterface,
  createAwake,
  createSharedAssets,
  listen,
  openTokens,
  placeIn,
  refuseConnection,
  startHost,
} from '../server/index.ts';
import type { Awake, Bindings, Host } from '../server/index.ts';
import { traced } from '../trace/index.ts';
import type { Telemetry } from '../trace/index.ts';
import { HostingError } from './error.ts';
import { copiesIn, openHosted, removeCopy } from './hosted-vault.ts';
import type { HostedVault, SnapshotAfter } from './hosted-vault.ts';
import { trimVault, usualDays, vaultsToTrim } from './kept-snapshots.ts';
import { createNodeMetrics } from './node-metrics.ts';
import type { ObjectStore } from './object-store.ts';
import { createPlacement } from './placement.ts';
import type { Claimed } from './placement.ts';
import { readServiceLimits } from './service-limits.ts';
import { invitationTaker } from './service-invitations.ts';
import { readServiceTokens } from './service-tokens.ts';
import { removeUnnamed } from './snapshots.ts';
import { existingVaults, readVault } from './vault-registry.ts';

export type NodeOptions = {
  pool: Pool;
  /** For signs of life alone: a database that has much to do does not delay them. */
  pulse?: Pool;
  store: ObjectStore;
  /** Opens the keys of all vaults. */
  rootKey: Buffer;
  /** Of this node alone; after a restart the same, so that it finds its copies again. */
  name: string;
  host: string;
  port: number;
  /** How other nodes reach it; left out, where it listens. */
  address?: string | undefined;
  /** Under which people and their programs reach the service through a balancer; left out, there are tokens only. */
  publicUrl?: string | undefined;
  /** It serves vaults of this group alone; left out, those that are in none. */
  group?: string | undefined;
  /** The folder of the built interface; left out, where the build puts it. */
  web?: string | undefined;
  /** For copies of vaults. */
  folder: string;
  environment: Environment;
  log: (entry: object) => void;
  /** Whether documents are refused where they cannot be converted in a sandbox. */
  isSandboxRequired?: boolean | undefined;
  /** How long a vault stays open that nobody asks for, in milliseconds. */
  idleAfter?: number;
  /** After how much a vault that stays open is put into the object store. */
  snapshotAfter?: SnapshotAfter;
  /** For how many days a vault can be restored. */
  keepFor?: number;
  /** What ties a request to the node that it is passed on to. */
  telemetry?: Pick<Telemetry, 'headers'>;
};

export type RunningNode = {
  address: string;
  /** The vaults that it serves at the moment. */
  awake(): string[];
  /** Hands its vaults over: requests that come meanwhile are answered by another node. */
  close(): Promise<void>;
};

type Served = {
  claimed: Claimed;
  hosted: HostedVault;
  host: Host;
  takeInvited: () => Promise<void>;
  setLimits: (limits: VaultLimits) => void;
};

/** As what a vault is asked by its node. */
const inside = '127.0.0.1';
/** The same on every node: a session goes on wherever its vault is served. */
const cookieName = 'keepsake-service';
/** Every client of every vault may keep one open for what happens there. */
const mostConnections = 20_000;
const beatEvery = 1_000;
/** Sooner than others take its vaults: a node that is cut off stops answering before another begins to. */
const cutOffAfter = 2_000;
const lookEvery = 5_000;
const cleanEvery = 600_000;
/** All at once would take as long, and the first would wait for the last; more than one, because each waits for the object store. */
const mostOpening = 8;
/** How long a request waits for a vault that is between two nodes. */
const patience = 8_000;
/** How many nodes have passed a request on: a vault that moves is followed, but not for ever. */
const hopHeader = 'x-keepsake-hops';
const mostHops = 4;
/** The name that a client used, on a request that was passed on. */
const forwardedHeader = 'x-forwarded-host';

/** One of the machines of a service: any of them answers for any vault, the one that has it serves it. */
export async function startNode(options: NodeOptions): Promise<RunningNode> {
  const { pool, store, environment, log, idleAfter = 600_000, keepFor = usualDays } = options;
  const publicHost = options.publicUrl === undefined ? null : new URL(options.publicUrl).host;
  /** Which vault a request is for, and the address as it was asked for. */
  const meant = new WeakMap<Bindings['incoming'], { vault: string; asked: string }>();
  const listening = await listen({
    host: options.host,
    port: options.port,
    log,
    mostConnections,
    prepare(incoming) {
      const asked = incoming.url ?? '/';
      const { vault, url } = placeIn(asked);
      if (vault === null) return;
      meant.set(incoming, { vault, asked });
      incoming.url = url;
      // Only the public name means something; by any other a node is reached by who knows the machines of the service.
      const { host, [forwardedHeader]: forwarded } = incoming.headers;
      const isPublic = publicHost !== null && [host, forwarded].includes(publicHost);
      setHost(incoming, isPublic ? publicHost : `${inside}:${port}`);
    },
    answer: (request, connection) => trace(request, connection),
    // Only a process on the machine of a vault may ask for more than an answer.
    takeConnection: (_, socket) => refuseConnection(socket),
  });
  const { port } = listening;
  const address = options.address ?? `http://${options.host}:${port}`;
  const placement = createPlacement({
    pool,
    ...(options.pulse && { pulse: options.pulse }),
    node: options.name,
    address,
    publicUrl: options.publicUrl,
    group: options.group,
    rootKey: options.rootKey,
  });
  const assets = createSharedAssets(options.web ?? builtInterface());
  /** What this node has claimed and not given up, open or being opened. */
  const claims = new Map<string, Claimed>();
  /** Vaults that another node has sent here. */
  const chosen = new Set<string>();
  let beatAt = -Infinity;
  let isDraining = false;
  /** How many vaults are being opened, or wait for that. */
  let opening = 0;
  const metrics = createNodeMetrics();
  /** What goes on by itself is no part of the request that began it. */
  const apart = AsyncLocalStorage.snapshot();

  const report = (error: unknown): void => log({ level: 'error', message: describeError(error) });
  const beat = async (): Promise<void> => {
    const began = performance.now();
    const { isDraining: isToDrain } = await placement.beat({ awake: claims.size, opening });
    // Who was silent for long has to know what became of its vaults before it answers again.
    if (began - beatAt > cutOffAfter) await dropWhatIsLost();
    beatAt = began;
    if (isToDrain && !isDraining) {
      isDraining = true;
      awake.close().catch(report);
    }
  };
  const dropWhatIsLost = async (): Promise<void> => {
    const held = [...claims.values()];
    const mine = await placement.stillMine(held);
    for (const claimed of held) if (!mine.has(claimed.vault)) drop(claimed);
  };
  const close = async ({ claimed, host }: Served): Promise<void> => {
    await host.close();
    forget(claimed);
  };
  const forget = (claimed: Claimed): void => {
    if (claims.get(claimed.vault) === claimed) claims.delete(claimed.vault);
  };
  /** Another node has it, or only the log knows what it is. By now it may be open again, by a later claim. */
  const drop = (claimed: Claimed): void => {
    if (claims.get(claimed.vault) === claimed) awake.leave(claimed.vault, close);
  };

  const open = async (claimed: Claimed): Promise<Served> => {
    const { vault } = claimed;
    const folder = join(options.folder, vault);
    const onLost = (): void => drop(claimed);
    const tokens = (await readServiceTokens(pool, [vault])).get(vault) ?? [];
    let limits: VaultLimits = (await readServiceLimits(pool, [vault])).get(vault) ?? {};
    const hosted = await openHosted({
      pool,
      store,
      claimed,
      folder,
      environment,
      limits: () => limits,
      sandbox: {
        isRequired: options.isSandboxRequired === true,
        onUnusable: (reason) =>
          log({ level: 'warn', vault, message: `there is no sandbox for documents: ${reason}` }),
      },
      onLost,
      keepFor,
      ...(options.snapshotAfter && { snapshotAfter: options.snapshotAfter }),
    });
    const { keepsake } = hosted;
    try {
      openTokens(keepsake)().replaceGiven(tokens);
      const takeInvited = invitationTaker(pool, claimed, hosted);
      await takeInvited();
      const mount = { name: vault, host: inside, port, cookieName };
      const host = await apart(() =>
        startHost({
          keepsake,
          environment,
          mount,
          publicUrl: options.publicUrl,
          web: options.web,
          isForOthers: true,
          settle: hosted.settle,
          log: (entry) => log({ vault, ...entry }),
          onLost,
        }),
      );
      if (host === null) throw new HostingError('unavailable', `${vault} is served by another process here`);
      return { claimed, hosted, host, takeInvited, setLimits: (now) => void (limits = now) };
    } catch (error) {
      // It will be opened anew, in the same place.
      await hosted.close().catch(report);
      throw error;
    }
  };
  const giveUp = async (served: Served): Promise<void> => {
    await close(served);
    await placement.release(served.claimed);
  };
  const openInTurn = inTurn(mostOpening);
  const awake: Awake<Served, { address: string }> = createAwake({
    async open(vault) {
      const owner = isDraining
        ? await placement.another(vault)
        : await placement.claim(vault, chosen.delete(vault));
      if (!('epoch' in owner)) return { elsewhere: owner };
      claims.set(vault, owner);
      opening += 1;
      try {
        const began = performance.now();
        const here = await traced({ work: 'open', vault }, () => openInTurn(() => open(owner)));
        metrics.opened((performance.now() - began) / 1_000);
        return { here };
      } catch (error) {
        forget(owner);
        throw error;
      } finally {
        opening -= 1;
      }
    },
    async putToSleep(served) {
      await served.hosted.snapshot();
      await giveUp(served);
    },
    close: giveUp,
    isBusy: ({ host }) => host.isBusy(),
    idleAfter,
    onError: report,
  });

  const trace = (request: Request, connection: Bindings): Promise<Response> => {
    const vault = meant.get(connection.incoming)?.vault;
    if (vault === undefined) return answer(request, connection);
    const { method, headers } = request;
    const parent = { traceparent: headers.get('traceparent'), tracestate: headers.get('tracestate') };
    return traced({ work: 'gateway', method, vault, parent }, async (work) => {
      const response = await answer(request, connection);
      work.status = response.status;
      return response;
    });
  };
  const isCutOff = (): boolean => performance.now() - beatAt > cutOffAfter;
  /** What is of no vault. */
  const answerOwn = (method: string, pathname: string): Response => {
    if (pathname === '/metrics') return new Response(metrics.text({ awake: claims.size, isDraining }));
    if (pathname === '/healthz')
      return isDraining || isCutOff()
        ? new Response(isDraining ? 'draining' : 'cut off', { status: 503 })
        : new Response('ok');
    const asset = method === 'GET' || method === 'HEAD' ? assets(pathname) : null;
    if (asset !== null) return new Response(method === 'HEAD' ? null : asset.body, asset);
    return problem(404, 'the address of a vault begins with /v/<vault>/');
  };
  const answer = async (request: Request, connection: Bindings): Promise<Response> => {
    const { pathname } = new URL(request.url);
    const place = meant.get(connection.incoming);
    if (place === undefined) return answerOwn(request.method, pathname);
    const { vault, asked } = place;
    if (isCutOff()) return problem(503, 'this node is cut off from the service');
    try {
      const hops = Number(request.headers.get(hopHeader) ?? 0) + 1;
      const found = await inPatience(() => {
        if (hops > 1) chosen.add(vault);
        return awake.hold(vault, connection.outgoing);
      });
      chosen.delete(vault);
      // Nobody learns that it was done, and whoever asks again would have it done twice.
      if (connection.outgoing.destroyed) return problem(503, 'whoever asked has gone');
      if ('elsewhere' in found) {
        if (!(hops <= mostHops)) return problem(503, 'the vault is between two nodes');
        metrics.count('passed');
        return await pass(request, `${found.elsewhere.address}${asked}`, {
          [hopHeader]: String(hops),
          [forwardedHeader]: connection.incoming.headers.host ?? '',
          ...options.telemetry?.headers(),
        });
      }
      metrics.count('served');
      const { host, takeInvited } = found.here;
      if (host.door === null) throw new HostingError('unavailable', `${vault} has no door`);
      if (pathname === '/open') await takeInvited();
      return await host.door.answer(request, connection);
    } catch (error) {
      if (error instanceof HostingError && error.code === 'no-such-vault') return problem(404, error.message);
      metrics.count('failed');
      log({ level: 'error', vault, message: describeError(error) });
      return problem(503, 'the vault cannot be served at the moment');
    }
  };

  /** Copies of vaults that were deleted, and what is not kept any more of those that nobody has. */
  const clean = async (): Promise<void> => {
    const copies = copiesIn(options.folder);
    const existing = await existingVaults(pool, copies);
    for (const copy of copies) if (!existing.has(copy) && !claims.has(copy)) removeCopy(options.folder, copy);
    for (const held of await vaultsToTrim(pool, keepFor)) {
      const kept = await trimVault(pool, held, keepFor);
      const { key } = await readVault(pool, options.rootKey, held.vault);
      if (kept !== null) await removeUnnamed({ store, key, ...held }, kept);
    }
  };
  const look = async (): Promise<void> => {
    await dropWhatIsLost();
    for (const vault of await placement.wantedElsewhere()) awake.handOver(vault);
    const served = await awake.all();
    const vaults = served.map(({ claimed }) => claimed.vault);
    const limits = await readServiceLimits(pool, vaults);
    const tokens = await readServiceTokens(pool, vaults);
    for (const { claimed, hosted, setLimits } of served) {
      setLimits(limits.get(claimed.vault) ?? {});
      openTokens(hosted.keepsake)().replaceGiven(tokens.get(claimed.vault) ?? []);
      if (hosted.isSnapshotDue()) await hosted.snapshot().catch(report);
    }
    await awake.sleep();
  };
  await placement.join();
  await beat();
  const beating = repeat(beatEvery, () => beat().catch(report));
  const looking = repeat(lookEvery, () => look().catch(report));
  await clean().catch(report);
  const cleaning = repeat(cleanEvery, () => clean().catch(report));

  return {
    address,
    awake: () => awake.names(),
    async close() {
      isDraining = true;
      await placement.drain();
      await awake.close();
      looking();
      cleaning();
      beating();
      await listening.close();
      await placement.leave();
    },
  };
}

function setHost({ headers, rawHeaders }: Bindings['incoming'], host: string): void {
  headers.host = host;
  const at = rawHeaders.findIndex((each, index) => index % 2 === 0 && each.toLowerCase() === 'host');
  if (at !== -1) rawHeaders[at + 1] = host;
}

/** The name that the client used is not that of the next in line. */
function passedOn(request: Request, more: Record<string, string>): RequestInit {
  const headers = new Headers(request.headers);
  for (const name of ['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'expect'])
    headers.delete(name);
  for (const [name, value] of Object.entries(more)) headers.set(name, value);
  const { method, body, signal } = request;
  return { method, headers, signal, ...(body === null ? {} : { body, duplex: 'half' as const }) };
}

/** Streams both ways. */
async function pass(request: Request, to: string, more: Record<string, string>): Promise<Response> {
  const passed = await fetch(to, { ...passedOn(request, more), redirect: 'manual' });
  const answered = new Headers(passed.headers);
  // What came was unpacked on the way.
  for (const name of ['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive'])
    answered.delete(name);
  return new Response(passed.body, { status: passed.status, headers: answered });
}

/** A vault whose node has just gone is claimed as soon as the database believes that. */
async function inPatience<Value>(find: () => Promise<Value>): Promise<Value> {
  for (const began = performance.now(); ;) {
    try {
      return await find();
    } catch (error) {
      const isPassing = error instanceof HostingError && error.code === 'unavailable';
      if (!isPassing || performance.now() - began > patience) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

function problem(status: number, detail: string): Response {
  const body = JSON.stringify({
    status,
    title: status === 404 ? 'Not found' : 'Service unavailable',
    detail,
  });
  return new Response(body, {
    status,
    headers: { 'content-type': 'application/problem+json', ...(status === 503 && { 'retry-after': '1' }) },
  });
}

/** The next time begins after the last one ended. */
function repeat(every: number, work: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const again = async (): Promise<void> => {
    await work();
    if (!isOver) timer = setTimeout(() => void again(), every);
  };
  timer = setTimeout(() => void again(), every);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
