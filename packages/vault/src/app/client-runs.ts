import { randomUUID } from 'node:crypto';
import type { FilingClient, UpdateAgentOptions } from '../agents/index.ts';
import { createLimiter, describeError, formatLocalTime } from '../contract/index.ts';
import { createHeldModel } from '../models/index.ts';
import type { ChatModel, ChatRequest, ChatStep, ChatToolResult, HeldModel } from '../models/index.ts';
import { runClaim } from '../queue/index.ts';
import type { Claim, QueuedUpdate, UpdateJob, UpdateQueue } from '../queue/index.ts';
import { AppError } from './error.ts';
import { attemptUpdate } from './updates.ts';
import type { UpdateDependencies } from './updates.ts';

/** A client that files updates. */
export type RunClient = FilingClient & {
  /** Identifies the client; its runs are closed to all others. */
  connection: string;
  /** Whether the connection is a session of its own, which ends when the client does. */
  isSession: boolean;
};

/** `finished`: the ids of updates that needed no model. */
export type NextRun = { finished: string[] } & (
  | { kind: 'run'; run: string; update: string; request: ChatRequest }
  /** `why` is a sentence for the client. */
  | { kind: 'nothing'; why: string }
);

/** `request` asks for more: a repair, or the next part of a long input. */
type RunReply =
  | { kind: 'continues'; request: ChatRequest }
  | { kind: 'over'; update: string; /** Null if it is done or parked. */ returnedBecause: string | null };

/**
 * Updates that MCP clients file in place of the configured model, with the same agent: it gets the steps of its
 * conversation from the client. A run ends without changes ten minutes after the last call, and with this process.
 */
export type ClientRuns = {
  /** Starts a run for the oldest update that no configured model will file. */
  next(client: RunClient): Promise<NextRun>;
  /** Calls a tool of the agent. */
  call(run: string, client: RunClient, call: { tool: string; input: unknown }): Promise<ChatToolResult>;
  /** Ends the agent's turn, which reviews and commits its changes. `wholeSentences` is for a request to forget. */
  finish(run: string, client: RunClient, summary: string, wholeSentences?: boolean): Promise<RunReply>;
  /** The number of updates that wait for a client. */
  count(): number;
  hasOpenRuns(): boolean;
  /** The open run of a connection; null if it has none. Until it ends, the connection writes nothing beside it. */
  findOpen(connection: string): string | null;
  /** Ends the runs of a connection, or all of them. */
  end(connection?: string): Promise<void>;
};

type Dependencies = UpdateDependencies & {
  /** The options of an agent with this model, which costs nothing here. */
  createClientSettings: (model: ChatModel) => UpdateAgentOptions;
};

type ClientRun = {
  id: string;
  update: string;
  /** As of its last call. */
  client: RunClient;
  held: HeldModel;
  stop: AbortController;
  leasedUntil: number;
  /** The agent answers one call at a time. */
  runExclusive: ReturnType<typeof createLimiter>;
  /** Resolves to the reason why the update returned to the queue, or null. */
  over: Promise<string | null>;
  isOver: boolean;
};

const leaseMinutes = 10;
const leaseCheckIntervalMs = 5_000;
const renewIntervalMs = 2_000;
/** Runs that are over are kept so that a repeated call gets the same answer. */
const maxKeptRuns = 100;

export function openClientRuns(parts: Dependencies): ClientRuns {
  const { clock } = parts;
  const runs = new Map<string, ClientRun>();
  const oneStart = createLimiter();
  const openRuns = (): ClientRun[] => [...runs.values()].filter(({ isOver }) => !isOver);
  const renew = (run: ClientRun): void => void (run.leasedUntil = leaseEnd(clock()));

  const start = (claim: Claim, client: RunClient): ClientRun => {
    const run = startRun(claim, client, parts);
    runs.set(run.id, run);
    for (const [id, { isOver }] of runs) if (isOver && runs.size > maxKeptRuns) runs.delete(id);
    return run;
  };

  /** Starts runs until one needs the client. */
  const startNext = async (client: RunClient): Promise<NextRun> => {
    const finished: string[] = [];
    for (const tried = new Set<string>(); ;) {
      const found = findWaiting(parts, tried);
      if ('nothing' in found) {
        const busy = openRuns().find(({ update }) => update === found.busy);
        const why = busy === undefined ? found.nothing : describeLease(busy);
        return { kind: 'nothing', why, finished };
      }
      tried.add(found.id);
      const claim = parts.openQueue().claim(found.id);
      if (claim === null) continue;
      const run = start(claim, client);
      const request = await nextRequest(run);
      if (request !== null) return { kind: 'run', run: run.id, update: run.update, request, finished };
      finished.push(run.update);
    }
  };

  const answerRequest = (
    id: string,
    client: RunClient,
    chooseStep: (request: ChatRequest) => Pick<ChatStep, 'text' | 'calls'>,
  ): Promise<RunReply> => {
    const run = runs.get(id);
    if (run === undefined || run.client.connection !== client.connection) throw unknownRun(id);
    return run.runExclusive(async () => {
      endIfExpired(run, clock());
      const over = run.over.then((returnedBecause): RunReply => ({
        kind: 'over',
        update: run.update,
        returnedBecause,
      }));
      if (run.isOver || run.stop.signal.aborted) return over;
      run.client = client;
      renew(run);
      const step = chooseStep(await run.held.request());
      const next = run.held.answer(step);
      return Promise.race([next.then((request): RunReply => ({ kind: 'continues', request })), over]);
    });
  };

  return {
    next: (client) =>
      oneStart(async () => {
        for (const run of openRuns()) endIfExpired(run, clock());
        const stopped = openRuns().filter(({ stop }) => stop.signal.aborted);
        await Promise.all(stopped.map(({ over }) => over));
        const own = openRuns().find(
          ({ client: by }) => client.isSession && by.connection === client.connection,
        );
        if (own === undefined) return startNext(client);
        renew(own);
        const request = await nextRequest(own);
        // Its changes were being saved.
        if (request === null) return startNext(client);
        return { kind: 'run', run: own.id, update: own.update, request, finished: [] };
      }),
    async call(id, client, { tool, input }) {
      const calls = [{ id: 'call', toolName: tool, input, isInvalid: false }];
      const reply = await answerRequest(id, client, () => ({ text: '', calls }));
      const result = reply.kind === 'over' ? undefined : lastResult(reply.request);
      if (result !== undefined) return result;
      throw reply.kind === 'over' && reply.returnedBecause !== null
        ? new AppError('stopped', `the run has ended: ${reply.returnedBecause}`, { hint: againHint })
        : new AppError('bad-input', 'the run is over', { hint: againHint });
    },
    finish: async (id, client, summary, wholeSentences = false) =>
      answerRequest(id, client, (request) => toFinalStep(request, summary, wholeSentences)),
    count: () => countWaiting(parts),
    hasOpenRuns: () => openRuns().length > 0,
    findOpen(connection) {
      const isOpen = ({ client, stop, leasedUntil }: ClientRun): boolean =>
        client.connection === connection && !stop.signal.aborted && clock() < leasedUntil;
      return openRuns().find(isOpen)?.id ?? null;
    },
    async end(connection) {
      const ending = openRuns().filter(
        ({ client }) => connection === undefined || client.connection === connection,
      );
      for (const { stop } of ending) stop.abort(new AppError('stopped', 'the client is gone'));
      await Promise.all(ending.map(({ over }) => over));
    },
  };
}

/** The request that waits for the client; null if the run ends without another. */
function nextRequest({ held, over }: ClientRun): Promise<ChatRequest | null> {
  return Promise.race([held.request(), over.then(() => null)]);
}

function leaseEnd(now: number): number {
  return now + leaseMinutes * 60_000;
}

function startRun(claim: Claim, client: RunClient, parts: Dependencies): ClientRun {
  const run: ClientRun = {
    id: randomUUID().slice(0, 8),
    update: claim.update.id,
    client,
    held: createHeldModel(client.name),
    stop: new AbortController(),
    leasedUntil: leaseEnd(parts.clock()),
    runExclusive: createLimiter(),
    over: Promise.resolve(null),
    isOver: false,
  };
  const timer = setInterval(() => endIfExpired(run, parts.clock()), leaseCheckIntervalMs);
  run.over = runForClient(claim, run, parts).finally(() => {
    clearInterval(timer);
    run.isOver = true;
  });
  return run;
}

const againHint = 'nothing was changed; call memory_next to start again';

function unknownRun(id: string): AppError {
  return new AppError('bad-input', `there is no run ${JSON.stringify(id)} of this client`, {
    hint: 'call memory_next to start one',
  });
}

function endIfExpired({ isOver, leasedUntil, stop }: ClientRun, now: number): void {
  if (isOver || now < leasedUntil) return;
  stop.abort(new AppError('stopped', `no call for ${leaseMinutes} minutes`));
}

function describeLease({ update, leasedUntil }: ClientRun): string {
  const at = formatLocalTime(leasedUntil).slice(11, 16);
  return `another client is filing update ${update.slice(0, 8)}; unless it goes on, the update is available again at ${at}`;
}

/**
 * Runs the update agent with the client as its model. Whatever goes wrong returns the update to the queue, because it
 * says nothing about the update itself.
 */
async function runForClient(claim: Claim, run: ClientRun, parts: Dependencies): Promise<string | null> {
  const queue = parts.openQueue();
  let problem: string | null = null;
  const handler = async (work: UpdateJob, signal: AbortSignal): ReturnType<typeof attemptUpdate> => {
    try {
      const settings = parts.createClientSettings(run.held.model);
      const attempt = await attemptUpdate(
        asFirstAttempt(work),
        () => settings,
        forClient(run, parts),
        signal,
      );
      if (attempt.kind === 'done' || attempt.again === 'never') return attempt;
      throw new AppError('stopped', attempt.reason.text);
    } catch (error) {
      run.stop.abort(error);
      throw error;
    }
  };
  const options = {
    handler,
    onFailed: (update: string, reason: Parameters<UpdateQueue['fail']>[1]) =>
      parts.emit({ type: 'update-failed', update, reason }),
    onError: () => undefined,
    pollIntervalMs: renewIntervalMs,
  };
  try {
    await runClaim(queue, claim, options, run.stop.signal);
    if (run.stop.signal.aborted) problem = describeError(run.stop.signal.reason);
  } catch (error) {
    problem = describeError(error);
  }
  return problem;
}

/** Earlier failures were those of a model, and the input never goes to the inbox because a client fails. */
function asFirstAttempt(work: UpdateJob): UpdateJob {
  return { ...work, update: { ...work.update, attempts: 1, reason: null }, isFinalAttempt: () => false };
}

function forClient(run: ClientRun, parts: Dependencies): UpdateDependencies {
  const { name, isTrusted } = run.client;
  return {
    ...parts,
    createWriteRun: (policy) => ({ ...parts.createWriteRun(policy), toolInterface: 'mcp' }),
    client: { name, isTrusted, assertAllowed: () => run.client.assertAllowed() },
  };
}

/** A request to forget ends with a call that names the words; a client names them in its summary, one per line. */
function toFinalStep(
  { tools }: ChatRequest,
  summary: string,
  wholeSentences: boolean,
): Pick<ChatStep, 'text' | 'calls'> {
  if (!tools.some(({ name }) => name === 'propose')) return { text: summary, calls: [] };
  const phrases = summary.split('\n').filter((line) => line.trim() !== '');
  const input = { phrases, whole_sentences: wholeSentences };
  return { text: '', calls: [{ id: 'call', toolName: 'propose', input, isInvalid: false }] };
}

function lastResult({ messages }: ChatRequest): ChatToolResult | undefined {
  const last = messages.at(-1);
  return last?.role === 'tool' ? last.results.at(-1) : undefined;
}

/** Undefined if there is none that can be used now. */
function findModelName({ resolveSettings }: Dependencies): string | undefined {
  try {
    return resolveSettings().model.name;
  } catch {
    return undefined;
  }
}

/**
 * The oldest update that no configured model will file: it failed, or there is no model. Updates are filed one at a
 * time, because a later one may correct an earlier one.
 */
function findWaiting(
  parts: Dependencies,
  tried: ReadonlySet<string>,
): { id: string } | { nothing: string; busy?: string } {
  const queue = parts.hasQueue() ? parts.openQueue() : null;
  const head = queue?.peek() ?? null;
  if (queue === null) return { nothing: nothingWaits };
  if (head?.state === 'running' && head.claimableAt > parts.clock())
    return {
      nothing: `update ${head.id.slice(0, 8)} is being filed; try again in ${Math.ceil((head.claimableAt - parts.clock()) / 1_000)} seconds`,
      busy: head.id,
    };
  const model = findModelName(parts);
  if (head !== null && !tried.has(head.id) && (model === undefined || head.reason !== null)) return head;
  const parked = listParked(queue).findLast(({ id }) => !tried.has(id));
  if (parked !== undefined) return parked;
  return {
    nothing:
      head === null || model === undefined
        ? nothingWaits
        : `nothing to do: the configured model ${model} files what is in the queue`,
  };
}

/** The failed updates that a client can try: not an answer to an inbox item that has been settled or removed since. */
function listParked(queue: UpdateQueue): QueuedUpdate[] {
  return queue.list({ state: 'parked', limit: maxListed }).filter(({ reason }) => reason?.code !== 'no-item');
}

const nothingWaits = 'nothing waits to be filed';
const maxListed = 1_000;

function countWaiting(parts: Dependencies): number {
  if (!parts.hasQueue()) return 0;
  const queue = parts.openQueue();
  const parked = listParked(queue).length;
  if (findModelName(parts) === undefined) return queue.countByState().waiting + parked;
  const head = queue.peek();
  return parked + Number(head?.state === 'waiting' && head.reason !== null);
}
